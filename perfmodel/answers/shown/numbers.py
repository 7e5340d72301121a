"""Numbers as answers show them, in tables and in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable

from asking.units import DURATIONS, human_duration, natural_unit

_SMALLEST, _HUGE = 1e-4, 1e15  # amounts of money that are not written out
_LEAST = 1e-9  # a probability that is shown as not 0, and its complement as not 1
_ROUNDING = 1e-10  # [%] below 100 that is left of a whole


def shared_unit(seconds: Iterable[float]) -> tuple[str, float]:
    """Return one unit, name and seconds, that suits a whole column."""
    finite = [value for value in seconds if 0.0 < value < math.inf]
    return natural_unit(min(finite)) if finite else ("s", DURATIONS["s"])


def in_one_unit(*seconds: float) -> list[str]:
    """Return durations with their unit, the one that suits the first of them."""
    unit, factor = natural_unit(seconds[0])
    return [f"{_four_digits(value / factor)} {unit}" for value in seconds]


def _four_digits(value: float) -> str:
    return f"{value:.0f}" if 1000.0 <= value < 1e7 else f"{value:.4g}"


def in_unit(seconds: float, factor: float) -> str:
    """Return the number without its unit, to two decimals; a dash where there is none."""
    value = seconds / factor
    if not math.isfinite(value):
        return _unusual(value)
    return f"{value:,.2f}" if value < 1e7 else f"{value:.2e}"


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
    return f"{value:,.{decimals}f}" if value < 1e4 else f"{value:.2e}"


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
