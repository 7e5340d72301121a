"""Where uptimes, downtimes and costs come from: random laws, recorded lists, scripts.

Deliberately a second writing of the laws in `perfmodel.lifetimes`: the two witnesses share
numbers, never code. A sampler here knows how to draw and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Deterministic",
    "Empirical",
    "Exponential",
    "Gamma",
    "HyperExponential",
    "LogNormal",
    "Recorded",
    "Sampler",
    "Weibull",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]


class Sampler(Protocol):
    """Anything that yields durations."""

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""


@dataclass(frozen=True, slots=True)
class Exponential:
    """Memoryless durations of the given mean, [time]."""

    mean: float

    def __post_init__(self) -> None:
        _require_positive("mean", self.mean)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return self.mean * rng.standard_exponential()


@dataclass(frozen=True, slots=True)
class Weibull:
    """Weibull durations: `shape` [-], `scale` [time]."""

    shape: float
    scale: float

    def __post_init__(self) -> None:
        _require_positive("shape", self.shape)
        _require_positive("scale", self.scale)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return float(self.scale * rng.standard_exponential() ** (1.0 / self.shape))


@dataclass(frozen=True, slots=True)
class Gamma:
    """Gamma durations: `shape` [-], `scale` [time]."""

    shape: float
    scale: float

    def __post_init__(self) -> None:
        _require_positive("shape", self.shape)
        _require_positive("scale", self.scale)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return self.scale * rng.standard_gamma(self.shape)


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Log-normal durations: the logarithm is normal with mean `mu` and deviation `sigma`."""

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        if not np.isfinite(self.mu):
            raise ValueError(f"mu must be finite, got {self.mu!r}")
        _require_positive("sigma", self.sigma)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return float(np.exp(self.mu + self.sigma * rng.standard_normal()))


@dataclass(frozen=True, slots=True)
class HyperExponential:
    """An exponential law chosen at random: `means` [time] with `probabilities` [-]."""

    probabilities: tuple[float, ...]
    means: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "probabilities", tuple(map(float, self.probabilities)))
        object.__setattr__(self, "means", tuple(map(float, self.means)))
        if len(self.probabilities) != len(self.means) or not self.means:
            raise ValueError(
                f"means must be one per probability, got {len(self.means)} "
                f"for {len(self.probabilities)}"
            )
        if min(self.probabilities) < 0.0 or abs(sum(self.probabilities) - 1.0) > 1e-12:
            raise ValueError(
                f"probabilities must be >= 0 with sum 1, got {list(self.probabilities)!r}"
            )
        for mean in self.means:
            _require_positive("means", mean)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        left = rng.random()
        for probability, mean in zip(self.probabilities, self.means, strict=True):
            left -= probability
            if left < 0.0:
                return mean * rng.standard_exponential()
        return self.means[-1] * rng.standard_exponential()


@dataclass(frozen=True, slots=True)
class Deterministic:
    """Always the same duration `value`, [time]; >= 0."""

    value: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.value < np.inf:
            raise ValueError(f"value must be finite and >= 0, got {self.value!r}")

    def sample(self, rng: np.random.Generator) -> float:
        """Return the value; `rng` is not touched."""
        del rng
        return self.value


@dataclass(frozen=True, slots=True)
class Empirical:
    """Durations drawn with replacement from recorded `samples`, [time]."""

    samples: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", _recorded("samples", self.samples))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return float(self.samples[rng.integers(self.samples.size)])


class Recorded:
    """A recorded list played in order, each duration once; running out is an error."""

    def __init__(self, durations: npt.ArrayLike) -> None:
        self.durations = _recorded("durations", durations)
        self._next = 0

    def sample(self, rng: np.random.Generator) -> float:
        """Return the next recorded duration, [time]; `rng` is not touched."""
        del rng
        if self._next == self.durations.size:
            raise RuntimeError(f"durations must last, got only {self.durations.size}")
        self._next += 1
        return float(self.durations[self._next - 1])


def _require_positive(name: str, value: float) -> None:
    if not 0.0 < value < np.inf:
        raise ValueError(f"{name} must be finite and > 0, got {value!r}")


def _recorded(name: str, values: npt.ArrayLike) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a non-empty list, got shape {array.shape}")
    bad = ~((array >= 0.0) & (array < np.inf))
    if bad.any():
        raise ValueError(f"{name} must be finite and >= 0, got {float(array[bad][0])!r}")
    array.flags.writeable = False
    return array
