"""Text from files without what a terminal or a page would obey."""

from __future__ import annotations

import re

# What turns text around or ends a line is not shown either, nor halves of characters.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def plain(text: str, instead: str = "?") -> str:
    """Return text with another sign in place of each that is not seen, or moves others."""
    return _CONTROL.sub(instead, text)
