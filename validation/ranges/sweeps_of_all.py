"""Every sweep over a documented range."""

from __future__ import annotations

from .. import fleet_cases, law_cases, range_cases, second_road_cases
from .sweeps import Sweep

__all__ = ["SWEEPS"]

SWEEPS: tuple[Sweep, ...] = (
    *law_cases.SWEEPS,
    *second_road_cases.SWEEPS,
    *range_cases.SWEEPS,
    *fleet_cases.SWEEPS,
)
