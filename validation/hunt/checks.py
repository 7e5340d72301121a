"""Checks that apply to every public function.

A check is a frozen row that holds what it needs besides the arguments, so that it can be repeated
with simpler arguments. It returns a complaint, or an empty string.
"""

from __future__ import annotations

import inspect
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import perfmodel
from perfmodel.validity import ValidityWarning

from .allowed import is_allowed, near_full
from .call import Arguments, Made, build, described, scaled
from .docstrings import Unit, arguments_of
from .public_names import Public
from .random_arguments import Drawer
from .readings import Reading, readings
from .trends import TRENDS, trend_of

__all__ = [
    "AbstractCheck",
    "Answers",
    "Elements",
    "Refuses",
    "Scales",
    "Trending",
    "Units",
    "checks_of",
]

# Their result is a difference that may cancel: it is right to the last digits of the arguments.
_DIFFERENCES = frozenset(
    {
        "checkpoint_gain",
        "expected_manual_wait",
        "optimal_interval_daly",
        "optimal_interval_daly_first_order",
        "recovery_charge",
    }
)
# Documented with an absolute error, for a quantity that has no unit.
_ABSOLUTE = {
    "busy_period_transform": 1e-13,
    "gamma_error": 1e-10,
    "contention_multiplier": 1e-15,  # whether the bandwidth suffices is a difference from 1
}
_MESSAGE = re.compile(r"[\w*/().,' -]+ must .+, got .+")  # `<name> must be <rule>, got <value>`
_LEAST, _GREATEST = 1e-290, 1e300  # beyond, numbers have lost digits, or have no double
_TINY = 1e-140  # squares and products of smaller (or inversely larger) numbers leave the floats
_HUGE = 1e140


class AbstractCheck(ABC):
    """One property that a call must have."""

    __slots__ = ()

    @property
    @abstractmethod
    def label(self) -> str:
        """Name of the check, in a few words."""

    @abstractmethod
    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return what is wrong with the call, or an empty string."""


@dataclass(frozen=True, slots=True)
class Answers(AbstractCheck):
    """Finite arguments give finite results or a documented inf, and only documented warnings."""

    label: str = "answers"

    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return which number of the result breaks its rule, or an empty string."""
        built = {key: build(value, public) for key, value in arguments.items()}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = readings(name, getattr(public, name)(**built))
        documented = "Warns" in (getattr(perfmodel, name).__doc__ or "")
        for warning in caught:
            if not issubclass(warning.category, ValidityWarning) or not documented:
                return f"warns {warning.category.__name__}: {warning.message}"
        broken = ((reading, _rule_broken(reading)) for reading in found)
        return next((_complaint(reading, rule) for reading, rule in broken if rule), "")


def _rule_broken(reading: Reading) -> str:
    """Return the rule that a number of the result breaks, or an empty string."""
    value, kind = reading.value, reading.label.split(".")[-1]
    known = value[np.isfinite(value)]
    probability = kind.startswith(("cdf", "sf", "atom[1]"))
    increasing = kind.startswith(("ppf", "cdf")) and known.size > 0
    rules = {
        "must not be nan": not np.isnan(value).any(),
        "must be finite": reading.infinite or known.size == value.size,
        "must be in [0, 1]": not probability or bool(((value >= 0) & (value <= 1)).all()),
        "must be >= 0": kind not in {"std", "ks_distance"} or bool((value >= 0.0).all()),
        "must not fall": not increasing
        or (-np.diff(known)).max(initial=0.0) <= reading.slack * known.max(),
    }
    return next((rule for rule, kept in rules.items() if not kept), "")


@dataclass(frozen=True, slots=True)
class Elements(AbstractCheck):
    """The result of an array has the results of its elements, one by one."""

    label: str = "an array is its elements"

    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return which element differs from the result of that element alone."""
        lists = {
            key: np.asarray(value)
            for key, value in arguments.items()
            if _is_array(value) and _broadcasts(name, key)
        }
        if not lists:
            return ""
        shape = np.broadcast_shapes(*(array.shape for array in lists.values()))
        together = _read(public, name, arguments)
        for reading in together:
            if reading.value.shape[: len(shape)] != shape:
                return f"shape must be {shape}, got {reading.value.shape}"
        for place in np.ndindex(shape):
            one = {key: np.broadcast_to(array, shape)[place].item() for key, array in lists.items()}
            alone = _read(public, name, {**arguments, **one})
            if len(alone) != len(together):
                return f"element {place} must be read as all are, got {len(alone)} readings"
            for single, reading in zip(alone, together, strict=True):
                if not _close(single.value, reading.value[place], 1e-12):
                    element = f"element {place} of {reading.label or 'result'}"
                    return (
                        f"{element} must be {single.value!r} as alone, got {reading.value[place]!r}"
                    )
        return ""


@dataclass(frozen=True, slots=True)
class Units(AbstractCheck):
    """A change of one unit scales the results with that unit and leaves the others unchanged.

    Parameters
    ----------
    base : str
        The base unit, ``time`` or another.
    factor : float
        A power of two, so that no argument is rounded.
    """

    base: str
    factor: float

    @property
    def label(self) -> str:
        """What is checked."""
        return f"{self.base} in another unit"

    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return which number of the result does not scale."""
        units = {key: argument.unit for key, argument in described(name).items()}
        other = {
            key: scaled(value, units[key], self.base, self.factor)
            for key, value in arguments.items()
        }
        if not _representable(arguments) or not _representable(other) or near_full(arguments):
            return ""
        if _measured_by_default(name, arguments, self.base):
            return ""
        floor = 1e-12 * _largest(arguments) if name in _DIFFERENCES else 0.0
        before, after = _read(public, name, arguments), _read(public, name, other)
        if not _read_alike(before, after):
            return f"must be read in the same way with every {self.base} {self.factor:g} as large"
        there = {reading.label: reading for reading in after}
        for one in before:
            if one.label not in there:
                continue
            two = there[one.label]
            # A result too large for a float is left out below.
            with np.errstate(over="ignore", invalid="ignore"):
                rescaled = one.value * self.factor ** one.unit.get(self.base, 0)
                exact = np.abs(rescaled - two.value) <= max(_ABSOLUTE.get(name, 0.0), two.error)
            pure = bool(one.label) and not one.unit  # a probability of a law
            outside = _outside(one.value) | _outside(two.value) | _outside(rescaled)
            outside |= exact | (np.abs(one.value) < floor)
            if not _close(rescaled, two.value, one.slack, absolute=pure, leave=outside):
                return (
                    f"{one.label or 'result'} must be {rescaled!r} with every {self.base} "
                    f"{self.factor:g} times as large, got {two.value!r}"
                )
        return ""


@dataclass(frozen=True, slots=True)
class Scales(AbstractCheck):
    """In any unit that floats hold the results scale, or a refusal names what was given.

    Parameters
    ----------
    base : str
        The base unit, ``time`` or another.
    factor : float
        A power of two, 2^-1000 to 2^1000, so that no argument is rounded.
    """

    base: str
    factor: float

    @property
    def label(self) -> str:
        """What is checked."""
        return f"{self.base} at any scale"

    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return which number does not scale, or which refusal names nothing that was given."""
        units = {key: argument.unit for key, argument in described(name).items()}
        with np.errstate(all="ignore"):
            try:
                other = {
                    key: scaled(value, units[key], self.base, self.factor)
                    for key, value in arguments.items()
                }
            except OverflowError:
                return ""
        if not _representable(arguments) or not _held(arguments, other):
            return ""
        if _measured_by_default(name, arguments, self.base) or near_full(arguments):
            return ""
        before = _read(public, name, arguments)
        try:
            after = _read(public, name, other)
        except (ValueError, TypeError) as error:
            return refusal_complaint(error) or _names_nothing(error, other)
        there = {reading.label: reading for reading in after}
        floor = 1e-12 * _largest(arguments) if name in _DIFFERENCES else 0.0
        for one in before:
            if one.label not in there:
                continue
            two, power = there[one.label], one.unit.get(self.base, 0)
            rescaled = _times_power(one.value, self.factor, power)
            with np.errstate(all="ignore"):
                size, own = np.abs(rescaled), np.abs(one.value)
                left_out = (size < _LEAST) | ~np.isfinite(size) | (own < _LEAST) | (own < floor)
                apart = np.abs(rescaled - two.value)
                left_out |= apart <= max(_ABSOLUTE.get(name, 0.0), two.error)
            pure = bool(one.label) and not one.unit
            if not _close(rescaled, two.value, one.slack, absolute=pure, leave=left_out):
                return (
                    f"{one.label or 'result'} must be {rescaled!r} with every {self.base} "
                    f"{self.factor:g} times as large, got {two.value!r}"
                )
        return ""


def _times_power(value: Any, factor: float, power: int) -> Any:
    """Return value factor^power, which may be a float where the power of the factor is not."""
    found = 1.0 * np.asarray(value)
    with np.errstate(all="ignore"):
        for _ in range(abs(power)):
            found = found * factor if power > 0 else found / factor
    return found


def _held(before: Arguments, after: Arguments) -> bool:
    """Return whether all numbers are floats with all digits after a change of unit as well."""
    pairs = zip(_numbers_in(before), _numbers_in(after), strict=True)
    return all(x == y or _LEAST < abs(y) < _GREATEST for x, y in pairs)


def _numbers_in(value: Any) -> list[Any]:
    if isinstance(value, Made):
        return [_mean_of_law(value), *_numbers_in(value.arguments)]
    if isinstance(value, dict):
        return [x for part in value.values() for x in _numbers_in(part)]
    if isinstance(value, list):
        return [x for part in value for x in _numbers_in(part)]
    if value is None or isinstance(value, bool | str):
        return []
    return [value]


def _mean_of_law(value: Made) -> float:
    """Return the mean of a law, whose arguments may be logarithms; 1 of what is refused or none."""
    try:
        made = build(value)
    except (ValueError, TypeError):
        return 1.0
    return float(made.mean) if isinstance(made, perfmodel.Lifetime) else 1.0


def _names_nothing(error: Exception, arguments: Arguments) -> str:
    """Return a complaint about a refusal that names no argument, nor one of a law or machine."""
    named = set(re.findall(r"\w+", str(error).split(" must ")[0]))
    given = set(_names_in(arguments))
    return "" if named & given else f"names none of {', '.join(sorted(given))}: {error}"


def _names_in(arguments: Arguments) -> Iterator[str]:
    for key, value in arguments.items():
        yield key
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Made):
                yield from _names_in(inner.arguments)


@dataclass(frozen=True, slots=True)
class Trending(AbstractCheck):
    """The result must rise or fall with one argument as `TRENDS` says.

    Parameters
    ----------
    argument : str
        Name of the argument.
    growth : float
        Relative growth of the argument; absolute where it is 0.
    """

    argument: str
    growth: float

    @property
    def label(self) -> str:
        """What is checked."""
        return f"goes one way with {self.argument}"

    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return which number of the result moved in the wrong direction."""
        described_as = arguments_of(getattr(perfmodel, name))[self.argument]
        value = arguments.get(self.argument)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return ""
        if described_as.most == 1.0:
            more = value + (1.0 - value) * min(self.growth, 0.5)
        elif described_as.whole:
            more = float(np.floor(value + max(1.0, self.growth * value)))
        else:
            more = value + self.growth * (value if value > 0.0 else 1.0)
        if self.argument == "mu":
            more = value + self.growth
        raised = {**arguments, self.argument: more}
        if more == value or not _representable(raised) or not is_allowed(name, raised):
            return ""
        sign = -1.0 if self.argument in TRENDS[name].falling else 1.0
        before, after = _read(public, name, arguments), _read(public, name, raised)
        second = {reading.label: reading for reading in after}
        for one in before:
            if one.label not in second or not _has_direction(name, one.label):
                continue
            two = second[one.label]
            low, high = (one.value, two.value) if sign > 0 else (two.value, one.value)
            with np.errstate(all="ignore"):
                wrong = low - high > one.slack * np.abs(low) + 1e-300
                wrong |= np.isposinf(low) & np.isfinite(high)
            if wrong.any():
                way = "fall" if sign > 0 else "rise"
                return (
                    f"{one.label or 'result'} must not {way} from {one.value!r} "
                    f"with {self.argument}={more!r}, got {two.value!r}"
                )
        return ""


@dataclass(frozen=True, slots=True)
class Refuses(AbstractCheck):
    """A value outside the documented range raises an error of the form of all errors.

    Parameters
    ----------
    argument : str
        Name of the argument.
    value : object
        Value outside its range.
    """

    argument: str
    value: Any

    @property
    def label(self) -> str:
        """What is checked."""
        return f"refuses {self.argument}={self.value!r}"

    def complaint(self, public: Public, name: str, arguments: Arguments) -> str:
        """Return the result that was given instead of an error."""
        try:
            found = _read(public, name, {**arguments, self.argument: self.value})
        except (ValueError, TypeError) as error:
            return refusal_complaint(error)
        return f"must be refused, got {[reading.value for reading in found][:1]!r}"


def refusal_complaint(error: Exception) -> str:
    """Return what is wrong with the message of an error, or an empty string."""
    words = str(error)
    if _MESSAGE.match(words) and "\n" not in words:
        return ""
    return f"raises {type(error).__name__} not as `<name> must be <rule>, got <value>`: {words}"


def checks_of(name: str, arguments: Arguments, drawer: Drawer) -> list[AbstractCheck]:
    """Return the checks of a call, each with its random numbers drawn."""
    checks: list[AbstractCheck] = [Answers()]
    if any(_is_array(value) for key, value in arguments.items() if _broadcasts(name, key)):
        checks.append(Elements())
    documented = described(name)
    bases = sorted(
        {base for key in arguments for base in _bases(arguments[key], documented[key].unit)} - {"s"}
    )
    if bases:
        base = bases[drawer.integers(0, len(bases) - 1)]
        checks.append(Units(base, 2.0 ** drawer.integers(-40, 40)))
        checks.append(Scales(base, 2.0 ** drawer.integers(-1000, 1000)))
    trend = trend_of(name, arguments)
    directed = [key for key in (*trend.rising, *trend.falling) if key in arguments]
    if directed:
        growth = (1e-9, 1e-6, 1e-3, 0.1, 1.0, 3.0, 100.0, 1e6)[drawer.integers(0, 7)]
        checks.append(Trending(directed[drawer.integers(0, len(directed) - 1)], growth))
    bad: list[Any] = [float("nan"), -1.0, -float("inf"), "many", None, [], [[1.0], [1.0, 2.0]]]
    numbers = [
        key
        for key, argument in documented.items()
        if ("array_like" in argument.kind or "float" in argument.kind)
        and key
        not in {"durations", "censored", "entered", "gaps", "mu", "s", "chosen", "order", "works"}
        and not (argument.optional)
    ]
    if numbers and drawer.chance(0.15):
        key = numbers[drawer.integers(0, len(numbers) - 1)]
        value = bad[drawer.integers(0, len(bad) - 1)]
        if value != [] or "There may be none" not in documented[key].text:
            checks.append(Refuses(key, value))
    return checks


def _call(public: Public, name: str, arguments: Arguments) -> Any:
    built = {key: build(value, public) for key, value in arguments.items()}
    return getattr(public, name)(**built)


def _read(public: Public, name: str, arguments: Arguments) -> list[Reading]:
    return readings(name, _call(public, name, arguments))


def _is_array(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(inner, Made) for inner in value)


def _broadcasts(name: str, key: str) -> bool:
    argument = described(name).get(key)
    if name == "Machines":
        return False
    lists = {"censored", "checkpoint_after", "chosen", "durations", "order", "samples", "works"}
    lists |= {"entered", "gaps", "half_lives", "means", "repairs", "shapes", "spreads", "weights"}
    if argument is None or argument.is_list or key in lists:
        return False
    return argument.kind.startswith("array_like")


def _bases(value: Any, unit: Unit) -> set[str]:
    if isinstance(value, Made):
        documented = described(value.name)
        return {
            base
            for key, inner in value.arguments.items()
            for base in _bases(inner, documented[key].unit)
        }
    if isinstance(value, list) and value and isinstance(value[0], Made):
        return {base for inner in value for base in _bases(inner, {})}
    return {base.removeprefix("log ") for base in unit}


def _measured_by_default(name: str, arguments: Arguments, base: str) -> bool:
    """Return whether a default that is left out is a number of units, which does not change."""
    parameters = inspect.signature(getattr(perfmodel, name)).parameters
    return any(
        argument.unit.get(base, 0) != 0
        and key not in arguments
        and isinstance(default := parameters[key].default, int | float)
        and default not in {0.0, np.inf}
        for key, argument in described(name).items()
    )


def _representable(value: Any) -> bool:
    """Return whether products of all its numbers stay within the floats."""
    if isinstance(value, Made | dict):
        inner = value.arguments if isinstance(value, Made) else value
        return all(_representable(part) for part in inner.values())
    if isinstance(value, list):
        return all(_representable(part) for part in value)
    if isinstance(value, bool | str) or value is None:
        return True
    return bool(value == 0.0 or np.isinf(value) or _TINY < abs(value) < _HUGE)


def _read_alike(before: list[Reading], after: list[Reading]) -> bool:
    """Return whether two results have the same numbers, but for those at times that must be floats.

    A law is asked at multiples of its mean. In one unit the mean may be near the end of the floats.
    """
    if [reading.label for reading in before] == [reading.label for reading in after]:
        return True
    means = [r.value for r in (*before, *after) if r.label.split(".")[-1] == "mean"]
    return any(bool(_outside(mean).any()) or np.isinf(mean).any() for mean in means)


def _largest(arguments: Arguments) -> float:
    numbers = [value for value in arguments.values() if isinstance(value, int | float | list)]
    return max(float(np.max(np.abs(value))) for value in numbers)


def _has_direction(name: str, label: str) -> bool:
    if name.startswith("wsj_") and label:
        return label == "mean"
    if name == "compare_extra_node":  # the wait for a spare is an approximation
        return label.endswith(".mean") and not label.startswith("spare")
    return not label.endswith(("std", "scv", "shares", "atom[1]", "(times)", "(s)"))


def _outside(value: Any) -> Any:
    size = np.abs(value)
    return (size != 0.0) & ((size < _TINY) | (size > _HUGE)) & np.isfinite(size)


def _complaint(reading: Reading, rule: str) -> str:
    return f"{reading.label or 'result'} {rule}, got {reading.value!r}"


def _close(one: Any, two: Any, slack: float, *, absolute: bool = False, leave: Any = False) -> bool:
    a, b = np.asarray(one), np.asarray(two)
    if a.shape != b.shape:
        return False
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(a), np.abs(b))
        near = np.abs(a - b) <= slack * (np.maximum(size, 1.0) if absolute else size)
    same = near | (a == b) | (np.isnan(a) & np.isnan(b))
    underflown = (size <= _TINY) | leave
    return bool(np.all(same | underflown))
