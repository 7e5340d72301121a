"""Numbers as answers show them, in tables and in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable

from asking.units import DURATIONS, human_duration, natural_unit

_SMALLEST, _HUGE = 1e-4, 1e15  # amounts of money that are not written out
_LEAST = 1e-9  # a probability that is shown as not 0, and its complement as not 1
_ROUNDING = 1e-10  # [%] below 100 that is left of a whole
_MOST = 1e7  # from which on a number of a column is of another unit, or just more than this
_MOST_WORDS = f">{_MOST:,.0f}"
_WIDE = 1e4  # percent, from which on decimals say nothing


def shared_unit(seconds: Iterable[float]) -> tuple[str, float]:
    """Return one unit, name and seconds, that suits a whole column."""
    finite = [value for value in seconds if 0.0 < value < math.inf]
    return natural_unit(min(finite)) if finite else ("s", DURATIONS["s"])


def in_one_unit(*seconds: float) -> list[str]:
    """Return durations with their unit, the one that suits the first of them."""
    unit, factor = natural_unit(seconds[0])
    return [_four_digits(value, unit, factor) for value in seconds]


def _four_digits(seconds: float, unit: str, factor: float) -> str:
    value = seconds / factor
    if value >= _MOST:
        return _in_own_unit(seconds)
    return f"{value:.0f} {unit}" if value >= 1000.0 else f"{value:.4g} {unit}"


def in_unit(seconds: float, factor: float) -> str:
    """Return the number without its unit, to two decimals; a dash where there is none.

    What is too long for the unit of its column is said with one of its own.
    """
    value = seconds / factor
    return _in_own_unit(seconds) if _MOST <= value < math.inf else two_decimals(value)


def _in_own_unit(seconds: float) -> str:
    most = _MOST * DURATIONS["y"] <= seconds < math.inf
    return f"{_MOST_WORDS} y" if most else human_duration(float(seconds))


def two_decimals(value: float) -> str:
    """Return a number of no unit, to two decimals while these can be read."""
    if not math.isfinite(value):
        return _unusual(value)
    return f"{value:,.2f}" if value < _MOST else whole_number(round(value))


def step_words(steps: int | None) -> str:
    """Return how many steps an interval has, in brackets after it; nothing where none are known."""
    if steps is None:
        return ""
    return f" ({whole_number(steps)} step{'' if steps == 1 else 's'})"


def whole_number(count: int) -> str:
    """Return a count with commas, or its first digits where it has more than anybody reads."""
    return f"{count:,}" if count < 10**15 else f"{count:.4g}"


def percent(fraction: float, decimals: int = 3) -> str:
    """Return the number without its sign %, rounded, and never a false zero or whole."""
    value, least = 100.0 * fraction, 10.0**-decimals
    if not math.isfinite(value):
        return _unusual(value)
    if 0.0 < value < least / 2.0:
        return f"<{least:g}"
    if least / 2.0 >= 100.0 - value > _ROUNDING:
        return f">{100.0 - least:.{decimals}f}"
    if value >= _MOST:
        return _MOST_WORDS
    return f"{value:,.{decimals if value < _WIDE else 0}f}"


def change(time: float, before: float) -> str:
    """Return by how many percent a time has changed, with its sign."""
    percents = 100.0 * (time / before - 1.0)
    if not math.isfinite(percents):
        return "endless"
    if percents >= _MOST:
        return _MOST_WORDS
    return f"{percents:+,.{2 if percents < _WIDE else 0}f}"


def chance(probability: float, decimals: int = 3) -> str:
    """Return `percent` of what may happen or not, also where floats round it to 0 or 1."""
    return percent(min(max(probability, _LEAST), 1.0 - _LEAST), decimals)


def money(value: float) -> str:
    """Return an amount of money: none after the point, and three digits where that says more."""
    if not math.isfinite(value):
        return "endless"
    if 0.0 < value < _SMALLEST:
        return f"<{_SMALLEST:g}"
    if abs(value) >= _HUGE:
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 100.0 else f"{value:.3g}"


def never_by(deadline: float) -> str:
    """Say that a deadline, [s], is before the least time of a job."""
    return f"It cannot end within {human_duration(deadline)}, even without a failure."


def _unusual(value: float) -> str:
    return "-" if math.isnan(value) else "endless"
