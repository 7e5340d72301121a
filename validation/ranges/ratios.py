"""Points drawn from the documented range of a formula, and the ratios of any point.

A range is documented ratio by ratio, ``"checkpoint_cost/mtbf": (1e-6, 1e6)``, or by the name of
an argument without a unit, ``"load": (0.01, 0.99)``. Durations that divide others and have no
ratio of their own are units of time, and are drawn over twelve decades.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import hypothesis.strategies as st
import numpy as np
from scipy.special import expit, logit

from perfmodel.registry import FORMULAS

from ..subjects.laws import Law, predictable

__all__ = ["STEPS", "between", "drawn", "points_over", "ratios_of", "strategy"]

Point = dict[str, Any]
Ranges = Mapping[str, tuple[float, float]]

STEPS = 1000  # hypothesis draws thousandths of a range, its ends included
WHOLE = frozenset(("nodes", "places", "failures", "count", "tasks", "processes"))
SHARES = frozenset(
    ("load", "confidence", "recall", "precision", "probability", "failure_probability")
)
_UNIT = (1e-6, 1e6)
_NOTHING = 0.05
_AT_RISK = " at risk"


def drawn(function: Callable[..., Any], fraction: Callable[[], float]) -> Point:
    """Return the arguments of a formula at `fraction` of each of its ranges, drawn in turn."""
    ranges = next(row.ranges for row in FORMULAS if row.function is function)
    point: Point = {}
    for ratio, ends in ranges.items():
        if ratio.startswith("cv of "):
            continue  # of a law, which is drawn by who wants one
        value = between(ratio, ends, fraction())
        above, below = _factors(ratio)
        if not below and len(above) == 1:
            point[ratio] = round(value) if ratio in WHOLE else value
            continue
        # The first factor that is not known yet follows from the ratio, other durations are units.
        wanted = next(name for name in above if name not in point)
        for name in (*above, *below):
            if name not in point and name != wanted:
                point[name] = between(name, _UNIT, fraction())
        others = math.prod(point[name] for name in above if name != wanted)
        point[wanted] = value * math.prod(point[name] for name in below) / others
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "final_checkpoint":
            point[name] = fraction() < 0.7
        elif parameter.default is parameter.empty and name not in point:
            point[name] = between(name, _UNIT, fraction())
    return point


def strategy(
    draw: Callable[[Callable[[], float]], Mapping[str, Any]],
) -> st.SearchStrategy[Mapping[str, Any]]:
    """Return what hypothesis draws: the middle of each range is simplest, its ends are tried."""
    half = STEPS // 2
    step = st.one_of(st.integers(-half, half), st.sampled_from((-half, half)))

    @st.composite
    def point(choose: st.DrawFn) -> Mapping[str, Any]:
        return draw(lambda: 0.5 + choose(step) / STEPS)

    return point()


def points_over(function: Callable[..., Any]) -> st.SearchStrategy[Mapping[str, Any]]:
    """Draw the arguments of a formula from its documented range."""
    return strategy(lambda fraction: drawn(function, fraction))


def ratios_of(ratio: str, point: Mapping[str, Any]) -> Iterator[float]:
    """Yield the values of a ratio in a point; none if the point does not have its arguments."""
    if "fleet" in point:
        point = _of_fleet(point)
    if ratio.endswith(_AT_RISK):
        if point.get("downtime_at_risk"):
            yield from ratios_of(ratio.removesuffix(_AT_RISK), point)
        return
    if ratio.startswith("cv of "):
        law = point.get(ratio.removeprefix("cv of "))
        if isinstance(law, Law):
            yield math.sqrt(predictable(law).scv)
        elif law is not None:
            yield 0.0
        return
    above, below = _factors(ratio)
    columns = [_numbers(point.get(name)) for name in (*above, *below)]
    if not all(columns):
        return
    # Numbers of one machine each belong together.
    longest = max(len(column) for column in columns)
    for row in zip(*(column * (longest // len(column)) for column in columns), strict=True):
        divisor = math.prod(row[len(above) :])
        if divisor > 0.0:
            yield math.prod(row[: len(above)]) / divisor


def _of_fleet(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a fleet, and the time of a share without failures."""
    names = ("speed", "mtbf", "mttr", "mttr_cv", "interval", "checkpoint_cost")
    columns = dict(zip(names, zip(*point["fleet"], strict=True), strict=True))
    share = point["work"] / sum(columns["speed"]) if "work" in point else None
    least = min(columns["mtbf"])
    whole = {"machines": len(point["fleet"]), "share": share, "least mtbf": least}
    return {**columns, **whole}


def _factors(ratio: str) -> tuple[list[str], list[str]]:
    """Return what stands above and what below the stroke."""
    above, _, below = ratio.partition("/")
    return above.split("*"), below.split("*") if below else []


def _numbers(value: Any) -> list[float]:
    if isinstance(value, Law):
        return [float(predictable(value).mean)]
    if isinstance(value, bool | str) or value is None:
        return []
    return [float(number) for number in np.atleast_1d(np.asarray(value, dtype=np.float64)).flat]


def between(ratio: str, ends: tuple[float, float], fraction: float) -> float:
    """Return the number at a fraction of a range, evenly in its logarithm; of a share, in its odds.

    Rounded to three digits, so that a call can be pasted.
    """
    low, high = ends
    if ratio not in SHARES and low == 0.0:  # nothing at all now and then, else from 1 on
        value = 0.0 if fraction < _NOTHING else high**fraction
    elif ratio not in SHARES:
        value = low * (high / low) ** fraction
    elif low > 0.0 and high < 1.0:
        value = float(expit((1.0 - fraction) * logit(low) + fraction * logit(high)))
    else:
        value = low + (high - low) * fraction
    return min(max(float(f"{value:.3g}"), low), high)
