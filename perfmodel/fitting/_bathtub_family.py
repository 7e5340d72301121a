"""The bathtubs that end at a known time, as a family with three parameters."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from .._checks import FloatArray
from ..lifetimes import Bathtub, Lifetime
from ._likelihood import FAMILIES, Family, Sample


def family_of(name: str, end: float) -> Family:
    """Return the family of a name; `end` [time] is that of bathtubs."""
    return bathtub_family(end) if name == "bathtub" else FAMILIES[name]


def bathtub_family(end: float) -> Family:
    """Return the bathtubs that end at `end` [time], by logit share, log early and log late."""

    def law(point: FloatArray) -> Bathtub:
        early, late = math.exp(point[1]), math.exp(point[2])
        # What the second rise must reach: 1/share - 1 and what is left of the first.
        reached = math.exp(-point[0]) + math.exp(-end / early)
        turn = end - late * math.log(reached)
        return Bathtub(float(special.expit(point[0])), early, late, turn)

    def log_density(found: Bathtub, sample: Sample) -> float:
        return float(np.log(found.pdf(sample.exact)).sum())

    def start(durations: FloatArray, mean: float) -> tuple[FloatArray, FloatArray]:
        del mean
        first = durations[durations < 0.5 * end]
        last = end - durations[durations >= 0.5 * end]
        early = float(first.mean()) if first.size else 0.05 * end
        late = max(float(last.mean()), 0.01 * end) if last.size else 0.05 * end
        share = (first.size + 1.0) / (durations.size + 2.0)
        return np.array([special.logit(share), math.log(early), math.log(late)]), np.ones(3)

    def in_unit(found: Bathtub, unit: float) -> Lifetime:
        return Bathtub(found.share, found.early * unit, found.late * unit, found.turn * unit)

    return Family(("share", "early", "late", "turn"), law, log_density, start, in_unit)
