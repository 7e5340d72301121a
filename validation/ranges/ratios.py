"""The values that each ratio of a documented range takes in a point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..subjects.laws import Law, predictable
from .points import factors

__all__ = ["ratios_of"]

_AT_RISK = " at risk"


def ratios_of(ratio: str, point: Mapping[str, Any]) -> Iterator[float]:
    """Yield the values of a ratio in a point; none if the point does not have its arguments."""
    if "fleet" in point:
        point = _of_fleet(point)
    if "levels" in point:
        costs, recoveries = zip(*((lv.cost, lv.recovery) for lv in point["levels"]), strict=True)
        point = {**point, "cost": costs, "recovery": recoveries}
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
    above, below = factors(ratio)
    columns = [_numbers(point.get(name)) for name in (*above, *below)]
    if not all(columns):
        return
    # Arrays with one number per machine are combined machine by machine.
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
    return {
        **columns,
        "machines": len(point["fleet"]),
        "share": share,
        "least mtbf": least,
        "shortest mtbf": least,
        "slowest speed": min(columns["speed"]),
    }


def _numbers(value: Any) -> list[float]:
    if isinstance(value, Law):
        return [float(predictable(value).mean)]
    if isinstance(value, bool | str) or value is None:
        return []
    return [float(number) for number in np.atleast_1d(np.asarray(value, dtype=np.float64)).flat]
