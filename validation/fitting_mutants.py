"""Nothing yet."""

MUTANTS = ()
