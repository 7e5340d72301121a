"""Nothing yet."""

CASES = ()
