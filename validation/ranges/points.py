"""Points drawn from the documented range of a formula.

A range is documented ratio by ratio, ``"checkpoint_cost/mtbf": (1e-6, 1e6)``, or by the name of
an argument without a unit, ``"load": (0.01, 0.99)``. Durations that divide others and have no
ratio of their own are units of time, and are drawn over twelve decades.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import hypothesis.strategies as st
from scipy.special import expit, logit

from perfmodel.quantities import QUANTITIES
from perfmodel.registry import FORMULAS

__all__ = ["STEPS", "between", "drawn", "factors", "points_over", "strategy"]

Point = dict[str, Any]
Ranges = Mapping[str, tuple[float, float]]

STEPS = 1000  # hypothesis draws thousandths of a range, its ends included
_UNIT = (1e-6, 1e6)
_NOTHING = 0.05


def drawn(function: Callable[..., Any], fraction: Callable[[], float]) -> Point:
    """Return the arguments of a formula at `fraction` of each of its ranges, drawn in turn."""
    ranges = next(row.ranges for row in FORMULAS if row.function is function)
    point: Point = {}
    for ratio, ends in ranges.items():
        if ratio.startswith("cv of "):
            continue  # the cv of a law; the caller draws the law
        value = between(ratio, ends, fraction())
        above, below = factors(ratio)
        if not below and len(above) == 1:
            point[ratio] = round(value) if _is_whole(ratio) else value
            continue
        # The first unknown factor follows from the ratio; other unknown durations are units.
        wanted = next(name for name in above if name not in point)
        for name in (*above, *below):
            if name not in point and name != wanted:
                point[name] = between(name, _UNIT, fraction())
        others = math.prod(point[name] for name in above if name != wanted)
        point[wanted] = value * math.prod(point[name] for name in below) / others
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "final_checkpoint":
            point[name] = fraction() < 0.7
        elif name == "in_flight":
            point[name] = "overlap" if fraction() < 0.6 else "single_buffer"
        elif parameter.default is parameter.empty and name not in point:
            point[name] = between(name, _UNIT, fraction())
    return point


def _is_whole(name: str) -> bool:
    return name in QUANTITIES and QUANTITIES[name].is_whole


def strategy(
    draw: Callable[[Callable[[], float]], Mapping[str, Any]],
) -> st.SearchStrategy[Mapping[str, Any]]:
    """Return the strategy of hypothesis: mid-range is simplest, the ends are drawn as well."""
    half = STEPS // 2
    step = st.one_of(st.integers(-half, half), st.sampled_from((-half, half)))

    @st.composite
    def point(choose: st.DrawFn) -> Mapping[str, Any]:
        return draw(lambda: 0.5 + choose(step) / STEPS)

    return point()


def points_over(function: Callable[..., Any]) -> st.SearchStrategy[Mapping[str, Any]]:
    """Draw the arguments of a formula from its documented range."""
    return strategy(lambda fraction: drawn(function, fraction))


def factors(ratio: str) -> tuple[list[str], list[str]]:
    """Return the factors of the numerator and of the denominator."""
    above, _, below = ratio.partition("/")
    return above.split("*"), below.split("*") if below else []


def between(ratio: str, ends: tuple[float, float], fraction: float) -> float:
    """Return the number at a fraction of a range, even in its logarithm, or in the odds of a share.

    Rounded to three digits, so that a call can be pasted.
    """
    low, high = ends
    share = ratio in QUANTITIES and QUANTITIES[ratio].is_share
    if not share and low == 0.0:  # sometimes 0, otherwise from 1 on
        value = 0.0 if fraction < _NOTHING else high**fraction
    elif not share:
        value = low * (high / low) ** fraction
    elif low > 0.0 and high < 1.0:
        value = float(expit((1.0 - fraction) * logit(low) + fraction * logit(high)))
    else:
        value = low + (high - low) * fraction
    return min(max(float(f"{value:.3g}"), low), high)
