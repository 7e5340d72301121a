"""Where uptimes, downtimes and costs come from: random laws, recorded lists, scripts.

Deliberately a second writing of the laws in `perfmodel.lifetimes`: the two witnesses share
numbers, never code. A sampler here draws; its mean tells how often a random instant meets it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _libm
from ._checks import check_fields, finite, nonnegative, number, one_of, positive, shown

__all__ = [
    "Bathtub",
    "Deterministic",
    "Empirical",
    "Exponential",
    "Gamma",
    "HyperExponential",
    "LogNormal",
    "Recorded",
    "Renewing",
    "Sampler",
    "Stationary",
    "Weibull",
    "as_sampler",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]

HALVINGS = 52  # of a bracket: what is left is below the spacing of floats at its end


@runtime_checkable
class Sampler(Protocol):
    """Anything that yields durations."""

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]; inf means: never."""


def is_sampler(value: object) -> TypeGuard[Sampler]:
    """Return what ``isinstance(value, Sampler)`` does, which Python 3.11 answers slowly."""
    return callable(getattr(value, "sample", None))


@runtime_checkable
class Renewing(Sampler, Protocol):
    """Durations that follow each other independently: they can also be met half-way.

    A random instant falls into a duration with probability proportional to its length, and is
    uniform within it.
    """

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant of the duration that then lasts, [time]."""


@runtime_checkable
class Stationary(Renewing, Protocol):
    """Durations of a known mean, so that it is known how often a random instant meets them."""

    @property
    def mean(self) -> float:
        """Of the durations, [time]."""


@dataclass(frozen=True, slots=True)
class Exponential:
    """Memoryless durations of the given mean, [time]."""

    mean: float

    def __post_init__(self) -> None:
        check_fields(self, positive, "mean")

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return self.mean * rng.standard_exponential()

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]: without memory, a whole duration."""
        return self.sample(rng)


@dataclass(frozen=True, slots=True)
class Weibull:
    """Weibull durations: `shape` [-], `scale` [time]."""

    shape: float
    scale: float

    def __post_init__(self) -> None:
        check_fields(self, positive, "shape", "scale")

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        inverse = 1.0 / self.shape
        if inverse < 170.0:  # then gamma is a float
            return self.scale * math.gamma(1.0 + inverse)
        return _libm.exp(math.log(self.scale) + math.lgamma(1.0 + inverse))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return self.scale * _libm.power(rng.standard_exponential(), 1.0 / self.shape)

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]: of shape 1, a whole duration."""
        if self.shape == 1.0:
            return self.sample(rng)
        # (t/scale)^shape is exponential; weighted by t it is gamma of 1 + 1/shape.
        met = _libm.power(rng.standard_gamma(1.0 + 1.0 / self.shape), 1.0 / self.shape)
        return self.scale * met * rng.random()


@dataclass(frozen=True, slots=True)
class Gamma:
    """Gamma durations: `shape` [-], `scale` [time]."""

    shape: float
    scale: float

    def __post_init__(self) -> None:
        check_fields(self, positive, "shape", "scale")

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        return self.scale * self.shape

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return self.scale * rng.standard_gamma(self.shape)

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]: of shape 1, a whole duration."""
        if self.shape == 1.0:
            return self.sample(rng)
        return self.scale * rng.standard_gamma(self.shape + 1.0) * rng.random()


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Log-normal durations: the logarithm is normal with mean `mu` and deviation `sigma`."""

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        check_fields(self, finite, "mu")
        check_fields(self, positive, "sigma")

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        return _libm.exp(self.mu + self.sigma * self.sigma / 2.0)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return _libm.exp(self.mu + self.sigma * rng.standard_normal())

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]."""
        # Weighted by its length the logarithm is normal still, its mean moved by sigma^2.
        mu = self.mu + self.sigma * self.sigma
        return _libm.exp(mu + self.sigma * rng.standard_normal()) * rng.random()


@dataclass(frozen=True, slots=True)
class HyperExponential:
    """An exponential law chosen at random: `means` [time] with `probabilities` [-]."""

    probabilities: tuple[float, ...]
    means: tuple[float, ...]

    def __post_init__(self) -> None:
        for name in ("probabilities", "means"):
            if not isinstance(getattr(self, name), Sequence | np.ndarray):
                raise TypeError(
                    f"{name} must be a list of numbers, got {shown(getattr(self, name))}"
                )
        probabilities = tuple(nonnegative("probabilities", p) for p in self.probabilities)
        means = tuple(positive("means", mean) for mean in self.means)
        if len(probabilities) != len(means) or not means:
            raise ValueError(
                f"means must be one per probability, got {len(means)} for {len(probabilities)}"
            )
        if abs(math.fsum(probabilities) - 1.0) > 1e-12:
            raise ValueError(
                f"probabilities must be >= 0 with sum 1, got {shown(list(probabilities))}"
            )
        object.__setattr__(self, "probabilities", probabilities)
        object.__setattr__(self, "means", means)

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        return math.fsum(p * m for p, m in zip(self.probabilities, self.means, strict=True))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return self._mean_at(rng.random(), self.probabilities) * rng.standard_exponential()

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]: of a law chosen by its share of time."""
        pairs = zip(self.probabilities, self.means, strict=True)
        shares = tuple(probability * mean for probability, mean in pairs)
        return self._mean_at(rng.random() * math.fsum(shares), shares) * rng.standard_exponential()

    def _mean_at(self, left: float, weights: tuple[float, ...]) -> float:
        """Return the mean whose share of the stacked weights holds `left`."""
        for weight, mean in zip(weights, self.means, strict=True):
            left -= weight
            if left < 0.0:
                return mean
        return self.means[-1]


@dataclass(frozen=True, slots=True)
class Bathtub:
    """Durations with cdf `share` (1 - exp(-t/`early`) + exp((t - `turn`)/`late`)), at most 1.

    `share` [-]; `early`, `late`, `turn` [time].
    """

    share: float
    early: float
    late: float
    turn: float

    def __post_init__(self) -> None:
        check_fields(self, positive, "share", "early", "late", "turn")
        if self.share * math.exp(-self.turn / self.late) >= 1.0:
            raise ValueError(
                "turn must be long enough for durations above 0, "
                f"got {self.turn!r} with share {self.share!r} and late {self.late!r}"
            )

    @property
    def longest(self) -> float:
        """A time by which every duration has ended, [time]."""
        return self.turn - self.late * math.log(self.share)

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        return self._lasting(self._halved(lambda t: self._rise(t) < 1.0))

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]: where the cdf reaches a uniform number, by halving."""
        level = rng.random() / self.share
        return self._halved(
            lambda t: (
                1.0 - _libm.exp(-t / self.early) < level - _libm.exp((t - self.turn) / self.late)
            )
        )

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]: its density is the share that lasts."""
        wanted = rng.random() * self.mean
        end = self._halved(lambda t: self._rise(t) < 1.0)
        return self._halved(lambda t: t < end and self._lasting(t) < wanted)

    def _rise(self, t: float) -> float:
        late = _libm.exp((t - self.turn) / self.late)
        return self.share * (1.0 - _libm.exp(-t / self.early) + late)

    def _lasting(self, t: float) -> float:
        """Return the integral up to `t`, before the end, of the share that lasts."""
        early = self.early * (1.0 - _libm.exp(-t / self.early))
        late = _libm.exp((t - self.turn) / self.late) - _libm.exp(-self.turn / self.late)
        return t - self.share * (t - early + self.late * late)

    def _halved(self, before: Callable[[float], bool]) -> float:
        low, high = 0.0, self.longest
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if before(middle):
                low = middle
            else:
                high = middle
        return high


@dataclass(frozen=True, slots=True)
class Deterministic:
    """Always the same duration `value`, [time]; >= 0."""

    value: float

    def __post_init__(self) -> None:
        check_fields(self, nonnegative, "value")

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        return self.value

    def sample(self, rng: np.random.Generator) -> float:
        """Return the value; `rng` is not touched."""
        del rng
        return self.value

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]: any share of the value alike."""
        return self.value * rng.random()


@dataclass(frozen=True, slots=True)
class Empirical:
    """Durations drawn with replacement from recorded `samples`, [time]."""

    samples: FloatArray

    def __post_init__(self) -> None:
        check_fields(self, _recorded, "samples")

    @property
    def mean(self) -> float:
        """Mean duration, [time]."""
        unit = self._unit
        return unit * (math.fsum((self.samples / unit).tolist()) / self.samples.size)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw one duration, [time]."""
        return float(self.samples[int(rng.random() * self.samples.size)])

    def residual(self, rng: np.random.Generator) -> float:
        """Draw what is left at a random instant, [time]."""
        reached = np.cumsum(self.samples / self._unit)
        met = int(np.searchsorted(reached, rng.random() * reached[-1], side="right"))
        return float(self.samples[min(met, self.samples.size - 1)]) * rng.random()

    @property
    def _unit(self) -> float:
        """Return a power of two, in which no sum of the samples overflows."""
        _, exponent = math.frexp(float(self.samples.max()))
        return math.ldexp(1.0, min(max(exponent - 1, -1022), 1023))


class Recorded:
    """A recorded list played in order, each duration once.

    Parameters
    ----------
    durations : array_like, [time]
        What is played, first to last; finite and >= 0.
    then : {"error", "never"}
        What happens when the list has run out. A log that ends does not say what came next, so
        the default refuses to go on; ``"never"`` returns inf, i.e. no further failure.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> gaps = Recorded([4.0, 2.5], then="never")
    >>> [gaps.sample(rng) for _ in range(3)]
    [4.0, 2.5, inf]
    """

    __slots__ = ("durations", "position", "then")

    def __init__(
        self, durations: npt.ArrayLike, *, then: Literal["error", "never"] = "error"
    ) -> None:
        one_of("then", then, ("error", "never"))
        self.durations = _recorded("durations", durations)
        self.then = then
        self.position = 0

    def sample(self, rng: np.random.Generator) -> float:
        """Return the next recorded duration, [time]; `rng` is not touched."""
        del rng
        if self.position == self.durations.size:
            if self.then == "never":
                return math.inf
            raise ran_out(self.durations.size)
        self.position += 1
        return float(self.durations[self.position - 1])

    def rewound(self) -> Recorded:
        """Return a copy that begins again at the first duration."""
        return Recorded(self.durations, then=self.then)


def ran_out(count: int) -> RuntimeError:
    """Return the error of a recorded list of `count` durations that is too short."""
    return RuntimeError(
        f"durations must be enough for the replication, got only {count}; with "
        "Recorded(durations, then='never') failures end with the list"
    )


def as_sampler(name: str, value: Sampler | npt.ArrayLike) -> Sampler:
    """Return the sampler meant by `value`: itself, a constant, or a list played in order.

    Parameters
    ----------
    name : str
        What the argument is called, for the message.
    value : Sampler, float or list of float, [time]
        Numbers finite and >= 0.

    Returns
    -------
    Sampler
        `value` itself, `Deterministic` or `Recorded`.

    Raises
    ------
    ValueError
        If a number is out of range, or the list empty.
    TypeError
        If `value` is neither.
    """
    if is_sampler(value):
        return value
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0):
        return Recorded(_recorded(name, value))
    try:
        constant = number(name, value)
    except TypeError:
        rule = "a sampler, a number or a list of numbers"
        raise TypeError(f"{name} must be {rule}, got {shown(value)}") from None
    return Deterministic(nonnegative(name, constant))


def _recorded(name: str, values: npt.ArrayLike) -> FloatArray:
    try:
        array = np.asarray(values)
    except ValueError:  # ragged nesting
        raise TypeError(f"{name} must be a list of numbers, got {shown(values)}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a list of numbers, got {shown(values)}")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a non-empty list, got shape {array.shape}")
    array = array.astype(np.float64) + 0.0
    bad = ~((array >= 0.0) & (array < np.inf))
    if bad.any():
        raise ValueError(f"{name} must be finite and >= 0, got {float(array[bad][0])!r}")
    array.flags.writeable = False
    return array
