"""The first few failures of a job, exactly: where the jumps and kinks of its makespan come from.

With y(s) = lambda/(lambda + s) d(s), the transform of one uptime and one downtime, the
completion time expands in powers of y times delays. A power of y is the transform of a cdf we
know, so each term is known in time; what remains after the first powers is smooth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from ._checks import FloatArray
from ._special import legendre
from .lifetimes import AbstractLifetime

__all__ = [
    "Analytic",
    "FewFailures",
    "Kernel",
    "Quadrature",
    "Term",
    "UnstruckQuadrature",
]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]


class Kernel(Protocol):
    """Sums of m uptimes and m downtimes, for m up to `depth`."""

    @property
    def depth(self) -> int:
        """Largest power that is known in time."""

    @property
    def end(self) -> float:
        """Largest downtime, [time]."""

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime, [-]."""

    def cdf(self, m: int, t: FloatArray) -> FloatArray:
        """Return P(m uptimes and m downtimes <= t), [-], relatively accurate near 0."""


@dataclass(frozen=True, slots=True)
class Analytic:
    """Downtime has a transform without singularities off the negative real axis."""

    rate: float
    transform: Transform
    depth: int

    @property
    def end(self) -> float:
        """Unbounded."""
        return np.inf

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime, [-]."""
        return self.transform(s)

    def cdf(self, m: int, t: FloatArray) -> FloatArray:
        """Return P(m uptimes and m downtimes <= t), [-], by Talbot's contour."""
        positive = t > 0.0
        x = np.where(positive, t, 1.0)[..., None]
        s = _TALBOT / x
        y = (self.rate / (self.rate + s) * self.transform(s)) ** m
        values = np.sum((_TALBOT_WEIGHTS * y / s).real, axis=-1) / x[..., 0]
        return np.where(positive, values, 0.0)


@dataclass(frozen=True, slots=True)
class Quadrature:
    """Any downtime with a cdf, by Gauss-Legendre panels on a logarithmic grid; one failure."""

    rate: float
    law: AbstractLifetime
    transform: Transform
    edges: FloatArray
    masses: FloatArray

    @classmethod
    def of(cls, rate: float, law: AbstractLifetime, transform: Transform, top: float) -> Quadrature:
        """Tabulate the law up to `top` [time]."""
        edges = _edges(law, top)
        empty = cls(rate, law, transform, edges, np.zeros(edges.size))
        panels = empty._panel(edges[:-1], edges[1:])
        masses = np.zeros(edges.size)
        for j, (panel, width) in enumerate(zip(panels, np.diff(edges), strict=True)):
            masses[j + 1] = masses[j] * np.exp(-rate * width) + panel
        return cls(rate, law, transform, edges, masses)

    @property
    def depth(self) -> int:
        """One failure."""
        return 1

    @property
    def end(self) -> float:
        """Unbounded."""
        return np.inf

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime, [-]."""
        return self.transform(s)

    def cdf(self, m: int, t: FloatArray) -> FloatArray:
        """Return P(one uptime and one downtime <= t), [-]."""
        assert m == 1
        x = np.maximum(t, 0.0)
        place = np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, self.edges.size - 2)
        left = self.edges[place]
        near = self.masses[place] * np.exp(-self.rate * (x - left)) + self._panel(left, x)
        return np.where(x > self.edges[-1], -np.expm1(-self.rate * x), near)

    def _panel(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Integrate rate e^{-rate (right - x)} F(x) from left to right."""
        width = 0.5 * (right - left)
        x = left[..., None] + width[..., None] * (1.0 + _NODES)
        values = np.exp(-self.rate * (right[..., None] - x)) * self.law.cdf(x)
        return np.asarray(self.rate * width * np.sum(_WEIGHTS * values, axis=-1))


@dataclass(frozen=True, slots=True)
class UnstruckQuadrature:
    """As `Quadrature`, where failures strike repairs: the repairs that none prolongs.

    Uptime and such a repair together have the cdf int_0^t rate e^{-rate x} F(x) dx.
    """

    rate: float
    law: AbstractLifetime
    transform: Transform
    edges: FloatArray
    masses: FloatArray

    @classmethod
    def of(
        cls, rate: float, law: AbstractLifetime, transform: Transform, top: float
    ) -> UnstruckQuadrature:
        """Tabulate the law up to `top` [time]; `transform` is that of all repairs."""
        edges = _edges(law, top)
        empty = cls(rate, law, lambda s: transform(s + rate), edges, np.zeros(edges.size))
        masses = np.append(0.0, np.cumsum(empty._panel(edges[:-1], edges[1:])))
        return cls(rate, law, empty.transform, edges, masses)

    @property
    def depth(self) -> int:
        """One failure."""
        return 1

    @property
    def end(self) -> float:
        """Unbounded."""
        return np.inf

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one repair without a failure, [-]."""
        return self.transform(s)

    def cdf(self, m: int, t: FloatArray) -> FloatArray:
        """Return P(one uptime and one unstruck repair <= t), [-]."""
        assert m == 1
        x = np.maximum(t, 0.0)
        place = np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, self.edges.size - 2)
        inside = np.minimum(x, self.edges[-1])
        near = self.masses[place] + self._panel(self.edges[place], inside)
        return np.asarray(near + np.exp(-self.rate * inside) - np.exp(-self.rate * x))

    def _panel(self, left: FloatArray, right: FloatArray) -> FloatArray:
        width = 0.5 * (right - left)
        x = left[..., None] + width[..., None] * (1.0 + _NODES)
        values = np.exp(-self.rate * x) * self.law.cdf(x)
        return np.asarray(self.rate * width * np.sum(_WEIGHTS * values, axis=-1))


def _edges(law: AbstractLifetime, top: float) -> FloatArray:
    """Return panels for the law at any scale, and for where a narrow law has all its mass."""
    mass = law.ppf(special.ndtr(np.linspace(-8.0, 8.0, 65)))
    panels = np.concatenate([[0.0], np.geomspace(1e-12 * top, top, 400), mass])
    edges: FloatArray = np.unique(panels[panels <= top])
    return edges


@dataclass(frozen=True, slots=True)
class Term:
    """Weight times y^order delayed by `delay`."""

    order: int
    weight: float
    delay: float


@dataclass(frozen=True, slots=True)
class FewFailures:
    """The terms of the first failures; `powers` is their transform in a factored form."""

    kernel: Kernel | None
    terms: tuple[Term, ...]
    powers: Transform
    longest: float
    total: float = field(init=False)

    def __post_init__(self) -> None:
        zero = np.zeros(1, dtype=np.complex128)
        object.__setattr__(self, "total", float(self.transform(zero).real[0]))

    @property
    def end(self) -> float:
        """Where the mass of these terms ends, [time]."""
        if self.kernel is None or not self.terms:
            return 0.0
        return max(term.order for term in self.terms) * (self.longest + self.kernel.end)

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of all terms together, [-]."""
        return self.powers(s) if self.terms else np.zeros(s.shape, dtype=np.complex128)

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return the mass of all terms up to `t`, [-]."""
        total = np.zeros(t.shape)
        if self.kernel is None or not self.terms:
            return total
        ended = t >= self.end
        total[ended] = self.total
        if ended.all():
            return total
        for order in {term.order for term in self.terms}:
            terms = [term for term in self.terms if term.order == order]
            lag = t - np.array([[term.delay] for term in terms])
            live = (lag > 0.0) & ~ended
            parts = np.zeros(lag.shape)
            if live.any():
                parts[live] = self.kernel.cdf(order, lag[live])
            total += np.array([term.weight for term in terms]) @ parts
        return total


def _talbot(points: int) -> tuple[ComplexArray, ComplexArray]:
    """Nodes and weights of the fixed Talbot rule at time 1."""
    r = 0.4 * points
    theta = np.pi * np.arange(1, points) / points
    cot = 1.0 / np.tan(theta)
    nodes = r * theta * (cot + 1j)
    slope = 1.0 + 1j * (theta + (theta * cot - 1.0) * cot)
    s = np.concatenate([[r + 0j], nodes])
    weights = np.concatenate([[0.5 * np.exp(r) + 0j], np.exp(nodes) * slope]) * (r / points)
    return s.astype(np.complex128), weights.astype(np.complex128)


_TALBOT, _TALBOT_WEIGHTS = _talbot(22)
_NODES, _WEIGHTS = legendre(10)
