"""Transforms of one repair, and their complements: 1 - E[exp(-s T)] without the subtraction.

Near s = 0 the transform is 1 less |s| times the mean. A job that hardly ever succeeds is decided
there, and the subtraction would leave it no digits. There is one class for each kind of repair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._special import log1p
from ...lifetimes import (
    AbstractLifetime,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from ._narrow import NarrowRepair, is_narrow, narrow_repair
from ._tabulated import complement
from ._weighted_values import WeightedValues

__all__ = ["FixedRepair", "KeptRepair", "RecordedRepair", "Repair", "record_of", "repair_of"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]


class Repair(Protocol):
    """The transform of a time down, known for Re s > -abscissa."""

    @property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], relatively accurate also near s = 0."""


@dataclass(frozen=True, slots=True)
class FixedRepair:
    """Always the same time."""

    value: float
    abscissa: float = np.inf

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return np.asarray(np.exp(-s * self.value))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        return np.asarray(-np.expm1(-s * self.value))


@dataclass(frozen=True, slots=True)
class MixedRepair:
    """Exponential times, one of several chosen at random; every share is > 0."""

    shares: tuple[float, ...]
    means: tuple[float, ...]

    @property
    def abscissa(self) -> float:
        """Where the slowest branch has its pole, [1/time]."""
        return 1.0 / max(self.means)

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return sum((p / (1.0 + m * s) for p, m in self._branches()), np.zeros_like(s))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        return sum((p * m * s / (1.0 + m * s) for p, m in self._branches()), np.zeros_like(s))

    def _branches(self) -> list[tuple[float, float]]:
        return list(zip(self.shares, self.means, strict=True))


@dataclass(frozen=True, slots=True)
class GammaRepair:
    """Gamma times."""

    shape: float
    scale: float

    @property
    def abscissa(self) -> float:
        """Where the branch point lies, [1/time]."""
        return 1.0 / self.scale

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return np.asarray(np.exp(-self.shape * log1p(self.scale * s)))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        return np.asarray(-np.expm1(-self.shape * log1p(self.scale * s)))


@dataclass(frozen=True, slots=True)
class RecordedRepair:
    """One of many recorded times."""

    record: WeightedValues
    abscissa: float = np.inf

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return self.record.transform(s)

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        return self.record.complement(s)


@dataclass(frozen=True, slots=True)
class WideRepair:
    """Lognormal and Weibull times that are not narrow, by a table."""

    law: LogNormal | Weibull
    abscissa: float = 0.0

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return np.asarray(1.0 - self.complement(s))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        return complement(self.law, s)


@dataclass(frozen=True, slots=True)
class OtherRepair:
    """A law that knows its own transform only."""

    law: AbstractLifetime
    abscissa: float = 0.0

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return np.asarray(self.law.laplace(s), dtype=np.complex128)

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        return np.asarray(1.0 - self.transform(s))


def repair_of(law: AbstractLifetime) -> Repair:  # noqa: PLR0911 - a kind, a return
    """Return the transform of one repair, also left of 0 where it exists."""
    match law:
        case Deterministic():
            return FixedRepair(law.value)
        case Exponential():
            return MixedRepair((1.0,), (law.mean,))
        case Gamma():
            return GammaRepair(law.shape, law.scale)
        case HyperExponential():
            live = [(p, m) for p, m in zip(law.probabilities, law.means, strict=True) if p > 0.0]
            return MixedRepair(tuple(p for p, _ in live), tuple(m for _, m in live))
        case Empirical():
            return RecordedRepair(record_of(law))
        case LogNormal() | Weibull():
            return narrow_repair(law) if is_narrow(law) else WideRepair(law)
        case _:
            return OtherRepair(law)


def values_of(repair: Repair) -> tuple[WeightedValues | None, float]:
    """Return values with the same transform up to a largest |s|, if there are such."""
    match repair:
        case FixedRepair():
            return WeightedValues(np.array([repair.value]), np.ones(1)), np.inf
        case RecordedRepair():
            return repair.record, np.inf
        case NarrowRepair():
            return repair.record, repair.reach
        case _:
            return None, np.inf


def record_of(law: Deterministic | Empirical) -> WeightedValues:
    """Return the different values with their shares."""
    if isinstance(law, Deterministic):
        return WeightedValues(np.array([law.value]), np.ones(1))
    values, counts = np.unique(law.samples, return_counts=True)
    return WeightedValues(values, counts / counts.sum())


class KeptRepair:
    """A repair that, asked again for the same array, does not compute its transform again.

    An inversion needs it twice on its line: in the whole law and in that of the first failures.
    """

    def __init__(self, repair: Repair) -> None:
        self.repair = repair
        self._last: tuple[ComplexArray, ComplexArray] | None = None

    def __reduce__(self) -> tuple[type[KeptRepair], tuple[Repair]]:
        return KeptRepair, (self.repair,)

    @property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""
        return self.repair.abscissa

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-]."""
        return np.asarray(1.0 - self.complement(s))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-]."""
        found = self._last
        if found is None or found[0] is not s:
            self._last = found = (s, self.repair.complement(s))
        return found[1]
