"""A duration that remembers how it was typed, so that it is echoed in the same unit."""

from __future__ import annotations

import re
from typing import Self

__all__ = ["TypedDuration"]

_ONE_UNIT = re.compile(r"([0-9.]+)\s*([a-z]+)")
_LONGEST = 40  # characters; what is longer is echoed rounded


class TypedDuration(float):
    """Seconds; whatever is computed with them is a plain float.

    Parameters
    ----------
    seconds : float, [s]
        The duration.
    text : str
        What was typed; a blank is put between one number and its unit.
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, seconds: float, text: str) -> Self:
        """Return the number with its text."""
        new = super().__new__(cls, seconds)
        found = _ONE_UNIT.fullmatch(text.strip())
        new.text = f"{found[1]} {found[2]}" if found else " ".join(text.split())
        return new

    def __reduce__(self) -> tuple[type[Self], tuple[float, str]]:
        """Let a request with typed durations go to another process."""
        return type(self), (float(self), self.text)

    @classmethod
    def of(cls, seconds: float, text: str) -> float:
        """Return the duration with its text, or without a text too long to be echoed."""
        return cls(seconds, text) if len(text) <= _LONGEST else seconds
