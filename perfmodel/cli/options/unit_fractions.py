"""Numbers in [0, 1], in a list or as a range with a step."""

from __future__ import annotations

from .types import Wanted

__all__ = ["UNIT_FRACTIONS", "unit_fractions"]

_MOST = 1000


def unit_fractions(text: str) -> tuple[float, ...]:
    """Read ``0.1,0.5`` or ``first:last:step``, both ends included; each number once.

    Raise ValueError where that is not what the text says.
    """
    try:
        if not text.isascii() or "_" in text:
            raise ValueError
        return tuple(dict.fromkeys(_fractions(text)))
    except ValueError:
        raise ValueError from None


def _fractions(text: str) -> tuple[float, ...]:
    if text.count(":") == 2:
        first, last, step = (float(part) for part in text.split(":"))
        if not (step > 0.0 and 0.0 <= first <= last <= 1.0):
            raise ValueError
        count = int((last - first) / step * (1.0 + 1e-12) + 1e-9) + 1
        if count > _MOST:
            raise ValueError
        return tuple(round(first + place * step, 10) for place in range(count))
    values = tuple(float(part) for part in text.split(","))
    if not all(0.0 <= value <= 1.0 for value in values):
        raise ValueError
    return values


UNIT_FRACTIONS = Wanted(
    "fractions",
    f"numbers in [0, 1], at most {_MOST}, such as 0.1,0.5 or 0:1:0.1",
    unit_fractions,
)
