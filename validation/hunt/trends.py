"""The arguments in which each public function, law and machine rises or falls, from theory."""

from __future__ import annotations

from collections.abc import Mapping

from perfmodel import FORMULAS, Trend

__all__ = ["TRENDS"]

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
