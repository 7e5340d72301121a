"""The arguments in which each public function, law and machine rises or falls, from theory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from perfmodel import FORMULAS, Trend

from .call import Arguments

__all__ = ["TRENDS", "trend_of"]

TRENDS: Mapping[str, Trend] = {
    **{row.name: row.trend for row in FORMULAS},
    "Deterministic": Trend(rising=("value",)),
    "Bathtub": Trend(rising=("turn",)),
    "Empirical": Trend(),
    "Exponential": Trend(rising=("mean",)),
    "Gamma": Trend(rising=("scale",)),
    "HyperExponential": Trend(),
    "LogNormal": Trend(rising=("mu",)),
    "Weibull": Trend(rising=("scale",)),
    "Machines": Trend(),
}
# Where no snapshot is skipped, these as well.
_UNSKIPPED = {
    "exact_makespan_async": ("latency", "slowdown"),
    "expected_makespan_async": ("latency", "slowdown"),
    "makespan_variance_async": ("latency", "slowdown", "work"),
}


def trend_of(name: str, arguments: Arguments) -> Trend:
    """Return the directions of a public name under these arguments."""
    trend = TRENDS[name]
    if arguments.get("in_flight", "overlap") == "skip":
        return trend
    return replace(trend, rising=(*trend.rising, *_UNSKIPPED.get(name, ())))
