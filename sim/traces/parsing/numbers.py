"""Numbers and names as logs write them, strictly: not all that Python reads as a number."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

# Beyond this, neighbouring whole numbers are one float64.
LARGEST = 2**53

# What is matched is never given back (`*+`): else a long token would be split in every way.
NUMBER = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
# Only the blanks that float() knows: it does not read "80\x1c".
_BLANKS = r"[ \t\r\n\f\v]*+"
_NUMBER = re.compile(_BLANKS + NUMBER + _BLANKS)
_DIGITS = re.compile(r"\s*+([0-9]++)")


def finite(text: str) -> float | None:
    """Return the number `text` spells, or None: no nan, infinity, underscores or overflow.

    Examples
    --------
    >>> finite("1.5e3"), finite("1_000"), finite("nan"), finite("1e999")
    (1500.0, None, None, None)
    """
    if _NUMBER.fullmatch(text) is None:
        return None
    number = float(text)
    return number if abs(number) != np.inf else None


def whole(text: str) -> int | None:
    """Return the whole number `text` spells, at most 2^53 in size, or None.

    Examples
    --------
    >>> whole("12"), whole("12.0"), whole("12.5"), whole("1e30")
    (12, 12, None, None)
    """
    number = finite(text)
    if number is None or not number.is_integer() or abs(number) > LARGEST:
        return None
    return int(number)


def leading_whole(text: str) -> int | None:
    """Return the whole number `text` begins with, as header fields do, or None.

    Examples
    --------
    >>> leading_whole(" 1024 (of 1152)"), leading_whole("many"), leading_whole("9" * 5_000)
    (1024, None, None)
    """
    found = _DIGITS.match(text)
    return None if found is None else whole(found[1])


def numbered(names: Iterable[str]) -> npt.NDArray[np.int64]:
    """Return a number for each name: 1, 2, ... in order of appearance; -1 where there is none.

    Examples
    --------
    >>> numbered(["ann", "bob", "", "ann"]).tolist()
    [1, 2, -1, 1]
    """
    numbers: dict[str, int] = {"": -1, "-1": -1}
    return np.array([numbers.setdefault(name, len(numbers) - 1) for name in names], dtype=np.int64)
