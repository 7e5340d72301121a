"""The first failures in time where the transform of a repair is analytic, by Talbot's contour."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..._checks import ComplexArray, FloatArray
from .._first_failures import Visit, regular, visits_transform
from ._repair import Repair


@dataclass(frozen=True, slots=True)
class ByContour:
    """Visits with downtimes whose transform has no singularity off the negative real axis."""

    rate: float
    one: Repair
    unstruck: bool
    depth: int = 2
    rough = 0.0  # a downtime is smooth beyond

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return those of the delay, beside which downtimes may be short, [1/time]."""
        return regular(delay if delay > span else 0.0)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime; of one without a failure if `unstruck`, [-]."""
        return self.one.transform(s + self.rate if self.unstruck else s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        # Beyond all spans the delays of the visits bend the contour only a little.
        far = t > 2.0 * max(visit.longest for visit in visits)
        if far.any():
            total[far] = self._whole(visits, t[far])
        if not far.all():
            total[~far] = self._delayed(visits, t[~far])
        return total

    def _whole(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        total = np.zeros(t.shape)
        for node, weight in zip(_TALBOT, _TALBOT_WEIGHTS, strict=True):
            s = np.asarray(node / t)
            value = visits_transform(visits, s, self.rate, self.downtime(s))
            total += (weight * (value / s)).real
        return np.asarray(total / t)

    def _delayed(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Expand the spans into delays of powers of one uptime and one downtime."""
        delays: dict[float, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for visit in visits:
            for count in range(visit.order + 1):
                for some in combinations(visit.spans, count):
                    span = math.fsum(some)
                    weight = visit.weight * (-1.0) ** count * math.exp(-self.rate * span)
                    delays[visit.delay + span][visit.order] += weight
        total = np.zeros(t.shape)
        for delay, weights in delays.items():
            live = t > delay
            if live.any():
                total[live] += self._powers(weights, t[live] - delay)
        return total

    def _powers(self, weights: dict[int, float], t: FloatArray) -> FloatArray:
        """Return the sum of weight P(m uptimes and m downtimes <= t), by Talbot's contour."""
        total = np.zeros(t.shape)
        for node, heavy in zip(_TALBOT, _TALBOT_WEIGHTS, strict=True):
            s = np.asarray(node / t)
            y = self.rate / (self.rate + s) * self.downtime(s)
            value = sum((weight * y**m for m, weight in weights.items()), np.zeros_like(y))
            total += (heavy * (value / s)).real
        return np.asarray(total / t)


def _talbot(points: int) -> tuple[list[complex], list[complex]]:
    """Nodes and weights of the fixed Talbot rule at time 1, those that weigh anything."""
    r = 0.4 * points
    theta = np.pi * np.arange(1, points) / points
    cot = 1.0 / np.tan(theta)
    nodes = r * theta * (cot + 1j)
    slope = 1.0 + 1j * (theta + (theta * cot - 1.0) * cot)
    s = np.concatenate([[r + 0j], nodes])
    weights = np.concatenate([[0.5 * np.exp(r) + 0j], np.exp(nodes) * slope]) * (r / points)
    heavy = np.abs(weights) > 1e-18 * np.abs(weights).max()
    return [complex(x) for x in s[heavy]], [complex(x) for x in weights[heavy]]


# 18 points leave 2e-11, 26 lose as much to rounding as they gain.
_TALBOT, _TALBOT_WEIGHTS = _talbot(22)
