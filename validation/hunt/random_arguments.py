"""Random arguments over the whole documented range: numbers, arrays, laws and machines.

The durations of one call are drawn around one scale and with one spread, from a decade or two up
to the largest that a float can hold. Equal values and multiples are drawn more often than chance
alone would, because formulas change their method there.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import perfmodel

from .allowed import is_allowed
from .call import Arguments, Made
from .docstrings import Argument, arguments_of

__all__ = ["Drawer"]

_SPREADS = {"near": (-1.5, 1.5), "wide": (-4.0, 5.0), "far": (-16.0, 16.0), "extreme": (-300, 300)}
_ROUND = (1.0, 2.0, 0.5, 0.1, 3.0, 5.0, 10.0, 0.25, 0.3, 7.0)
_MACHINES = 6  # largest number of machines: every set of them is searched
_TASKS = ("exact_makespan", "exact_makespan_async", "wsj_compound", "wsj_makespan")
_RECORDED = 40  # largest number of durations in a record


class Drawer:
    """Draws the arguments of one call.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of random numbers.
    spreads : sequence of str
        Among ``near``, ``wide``, ``far``, ``extreme``: how far apart durations may lie.
    """

    def __init__(self, rng: np.random.Generator, spreads: tuple[str, ...]) -> None:
        self._rng = rng
        self._spread = str(rng.choice(spreads))
        self._scales: dict[str, float] = {}
        self._seen: dict[str, list[float]] = {}

    def arguments(self, name: str) -> Arguments:
        """Return arguments for a public name; those with a default may be left out."""
        if name == "Machines":
            return self.machines().arguments
        function = getattr(perfmodel, name)
        defaults = {
            key: parameter.default is not inspect.Parameter.empty
            for key, parameter in inspect.signature(function).parameters.items()
        }
        drawn: Arguments = {}
        for argument in arguments_of(function).values():
            if defaults[argument.name] and self._rng.random() < 0.35:
                continue
            drawn[argument.name] = self.argument(argument, drawn)
        return drawn

    def argument(self, argument: Argument, so_far: Arguments) -> Any:
        """Return a value for one argument; `so_far` are those before it."""
        special = _SPECIAL.get(argument.name)
        if special is not None and (made := special(self, argument, so_far)) is not None:
            return made
        if argument.choices:
            return str(self._rng.choice(argument.choices))
        if argument.kind.startswith("bool"):
            return bool(self._rng.random() < 0.5)
        if argument.takes_laws and (not argument.takes_numbers or self._rng.random() < 0.5):
            return self.law(_kinds_in(argument.text))
        if argument.takes_arrays and self._rng.random() < 0.25:
            shapes: list[tuple[int, ...]] = [(3,), (1,), (2, 1), (2, 3)]
            shape = (3,) if argument.is_list else shapes[self._rng.integers(4)]
            numbers = [self.number(argument) for _ in range(int(np.prod(shape)))]
            return np.reshape(np.array(numbers, dtype=object), shape).tolist()
        return self.number(argument)

    def number(self, argument: Argument) -> float:
        """Return one number in the documented range."""
        if argument.infinite and self._rng.random() < 0.05:
            return math.inf
        if argument.most == 1.0:
            return self._share(argument)
        if argument.least == 0.0 and not argument.open_below and self._rng.random() < 0.12:
            return 0.0
        if argument.whole:
            return self._count(max(argument.least, 0.0) + argument.open_below)
        if not argument.unit or "log time" in argument.unit:
            return max(argument.least, 0.0) + self._variation()
        return self._quantity(argument)

    def law(self, kinds: tuple[str, ...] = ()) -> Made:
        """Return a law of durations, of one of the kinds if any are named."""
        kind = str(self._rng.choice(kinds or LIFETIMES))
        mean = self._quantity(_DURATION)
        if kind in {"Exponential", "Deterministic"}:
            return Made(kind, {"mean" if kind == "Exponential" else "value": mean})
        if kind == "Bathtub":
            return self._bathtub(mean)
        if kind == "Empirical":
            count = 1 + int(self._rng.integers(6))
            samples = mean * 10.0 ** self._rng.normal(0.0, 0.7, count)
            return Made(kind, {"samples": [_short(x) for x in samples]})
        if self._rng.random() < 0.3 and kind in {"Weibull", "Gamma"}:
            return Made(kind, {"shape": self._variation(), "scale": mean})
        if self._rng.random() < 0.3 and kind == "LogNormal":
            mu = _short(math.log(mean))
            return Made(kind, {"mu": mu, "sigma": _short(self._rng.uniform(0.05, 3.0))})
        cv = self._variation()
        if kind == "HyperExponential":
            cv = max(cv, 1.0)
        return Made(f"{kind}.from_mean", {"mean": mean, "cv": cv})

    def _bathtub(self, mean: float) -> Made:
        turn = min(max(mean, 1e-149), 1e149)
        share = _short(self._rng.uniform(0.3, 0.6))
        early, late = (_short(turn * 10.0 ** self._rng.uniform(-2.0, -0.5)) for _ in range(2))
        return Made("Bathtub", {"share": share, "early": early, "late": late, "turn": turn})

    def machines(self) -> Made:
        """Return a few machines, some of them alike."""
        count = 1 + int(self._rng.integers(_MACHINES))
        columns: Arguments = {}
        for argument in arguments_of(perfmodel.Machines).values():
            alike = self._rng.random() < 0.3
            drawn = [self.number(argument) for _ in range(1 if alike else count)] * count
            columns[argument.name] = drawn[:count]
        for place in range(count):
            if columns["mttr"][place] >= columns["mtbf"][place]:
                columns["mttr"][place] = columns["mtbf"][place] * _short(self._rng.uniform(0, 0.9))
            if columns["checkpoint_cost"][place] > 1e100 * columns["interval"][place]:
                columns["checkpoint_cost"][place] = 0.0
        return Made("Machines", columns)

    def task(self) -> Made:
        """Return the completion time of a task."""
        name = str(self._rng.choice(_TASKS))
        for _ in range(100):
            drawn = self.arguments(name)
            if is_allowed(name, drawn):
                return Made(name, drawn)
        raise AssertionError(f"{name} must have allowed arguments, got none in 100 draws")

    def durations(self, count: int) -> list[float]:
        """Return a record of durations."""
        return [self._quantity(_DURATION) for _ in range(count)]

    def integers(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return int(self._rng.integers(low, high + 1))

    def chance(self, probability: float) -> bool:
        """Return whether something of this probability happens."""
        return bool(self._rng.random() < probability)

    def order(self, count: int) -> list[int]:
        """Return the first `count` whole numbers in an order at random."""
        return [int(place) for place in self._rng.permutation(count)]

    def _quantity(self, argument: Argument) -> float:
        """Return a number with a unit, sometimes one drawn before or a multiple of it."""
        key = str(sorted(argument.unit.items()))
        seen = self._seen.setdefault(key, [])
        if seen and self._rng.random() < 0.12:
            value = seen[self._rng.integers(len(seen))] * self._rng.choice(
                (1.0, 1.0, 2.0, 0.5, 3.0)
            )
            if 1e-300 < value < 1e300:
                return float(value)
        scale = 1.0
        for base, exponent in argument.unit.items():
            if base not in self._scales:
                wide = self._spread in {"far", "extreme"}
                self._scales[base] = 1.0 if wide else 10.0 ** self._rng.uniform(-3, 5)
            scale *= self._scales[base] ** exponent
        low, high = _SPREADS[self._spread]
        value = min(max(scale * 10.0 ** self._rng.uniform(low, high), 1e-300), 1e300)
        if self._rng.random() < 0.3:
            value = self._rng.choice(_ROUND) * 10.0 ** math.floor(math.log10(value))
        seen.append(_short(value))
        return seen[-1]

    def _share(self, argument: Argument) -> float:
        kind = self._rng.random()
        if kind < 0.08 and not argument.open_below:
            return 0.0
        if kind > 0.92 and not argument.open_above:
            return 1.0
        if kind < 0.25:
            return _short(10.0 ** -self._rng.uniform(0.3, 18 if self._spread != "extreme" else 300))
        if kind > 0.8:
            return 1.0 - _short(10.0 ** -self._rng.uniform(1.0, 15.0))
        return float(_short(self._rng.uniform(0.01, 0.99)))

    def _count(self, least: float) -> float:
        most = {"near": 1.5, "wide": 3.0, "far": 6.0, "extreme": 15.0}[self._spread]
        return int(least) + math.floor(math.pow(10.0, self._rng.uniform(0.0, most))) - 1

    def _variation(self) -> float:
        low, high = {"near": (-0.5, 0.5), "wide": (-2.0, 1.0)}.get(self._spread, (-3.0, 1.5))
        value = 10.0 ** self._rng.uniform(low, high)
        return 1.0 if self._rng.random() < 0.15 else _short(value)


LIFETIMES = (
    "Bathtub",
    "Deterministic",
    "Empirical",
    "Exponential",
    "Gamma",
    "HyperExponential",
    "LogNormal",
    "Weibull",
)

_DURATION = Argument("duration", "float, [time]", "> 0.", {"time": 1}, 0.0, open_below=True)


_POINTED = ("Deterministic", "Empirical")  # laws without a density


def _kinds_in(text: str) -> tuple[str, ...]:
    """Return the kinds of laws that a description allows: those it names, or those it implies."""
    named = tuple(kind for kind in LIFETIMES if re.search(rf"\b{kind}\b", text))
    if named or "density" not in text:
        return named
    return tuple(kind for kind in LIFETIMES if kind not in _POINTED)


def _short(value: float) -> float:
    """Return the number with three digits, so that it is short to paste."""
    return float(f"{value:.3g}")


def _machines_known(so_far: Arguments) -> int:
    return len(so_far["machines"].arguments["speed"])


def _points(drawer: Drawer, argument: Argument, so_far: Arguments) -> Any:
    del so_far
    value: Any = drawer.number(Argument("s", "", "", argument.unit, 0.0))
    return complex(value, drawer.number(argument)) if drawer.chance(0.5) else value


def _record(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[float]:
    del argument, so_far
    return drawer.durations(drawer.integers(2, _RECORDED))


def _machine_times(drawer: Drawer, argument: Argument, so_far: Arguments) -> Any:
    del so_far
    if not (argument.takes_laws and argument.is_list):
        return None
    return drawer.law() if drawer.chance(0.5) else drawer.durations(drawer.integers(1, _RECORDED))


def _age(drawer: Drawer, argument: Argument, so_far: Arguments) -> float | None:
    del so_far
    return None if drawer.chance(0.3) else drawer.number(argument)


def _shares(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[float]:
    del argument, so_far
    parts = [drawer.integers(0, 8) for _ in range(drawer.integers(0, 3))]
    return [*(part / 32 for part in parts), 1.0 - sum(parts) / 32]


def _branches(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[float]:
    beside = so_far["probabilities"] if "probabilities" in so_far else so_far["weights"]
    return [drawer.number(argument) for _ in beside]


def _weights(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[float]:
    del so_far
    return [1.0, *(drawer.number(argument) for _ in range(drawer.integers(0, 2)))]


def _cut(drawer: Drawer, argument: Argument, so_far: Arguments) -> Any:
    del argument
    if drawer.chance(0.5):
        flags = [drawer.chance(0.3) for _ in so_far["durations"]]
        return [*flags[:-2], False, False]
    return drawer.durations(drawer.integers(1, _RECORDED))


def _gaps(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[float]:
    del argument, so_far
    return drawer.durations(drawer.integers(10, _RECORDED))


def _ages(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[float]:
    del argument
    return [_short(0.03125 * drawer.integers(0, 16) * time) for time in so_far["durations"]]


def _flags(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[bool]:
    del argument
    return [drawer.chance(0.5) for _ in so_far["works"]]


def _levels(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[Made]:
    del argument, so_far
    documented = arguments_of(perfmodel.Level)
    survived = sorted(drawer.integers(0, 16) / 16 for _ in range(drawer.integers(0, 2)))
    return [
        Made(
            "Level",
            {
                "cost": drawer.number(documented["cost"]),
                "recovery": drawer.number(documented["recovery"]),
                "survives": share,
            },
        )
        for share in (*survived, 1.0)
    ]


def _counts(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[int]:
    del argument
    return [drawer.integers(0, 9) for _ in so_far["levels"][1:]]


def _failures(drawer: Drawer, argument: Argument, so_far: Arguments) -> Any:
    del so_far
    if "Times of past failures" in argument.text:
        return [drawer.number(argument) for _ in range(drawer.integers(0, _RECORDED))]
    if "how often each node" not in argument.text:
        return None
    return [drawer.integers(0, 9) for _ in range(drawer.integers(2, 9))]


def _observed(drawer: Drawer, argument: Argument, so_far: Arguments) -> Any:
    if "how long each was observed" not in argument.text or "failures" not in so_far:
        return None
    times = [drawer.number(argument) for _ in so_far["failures"]]
    return times if drawer.chance(0.5) else times[0]


def _observed_time(drawer: Drawer, argument: Argument, so_far: Arguments) -> Any:
    latest = max(np.ravel(so_far["failures"]), default=0.0)
    if "no failure is later" not in argument.text:
        return None
    return _short(max(drawer.number(argument), 1.01 * latest))


def _families(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[str]:
    del so_far
    names = ["exponential", "weibull", "gamma", "lognormal"]
    assert all(name in argument.text for name in names)
    return [names[place] for place in drawer.order(4)[: drawer.integers(1, 4)]]


def _chosen(drawer: Drawer, argument: Argument, so_far: Arguments) -> list[int]:
    count = _machines_known(so_far)
    places = drawer.order(count)
    return places if argument.name == "order" else places[: drawer.integers(1, count)]


def _processes(drawer: Drawer, argument: Argument, so_far: Arguments) -> int:
    del argument
    return drawer.integers(1, _machines_known(so_far))


_SPECIAL: Mapping[str, Callable[[Drawer, Argument, Arguments], Any]] = {
    "machines": lambda drawer, argument, so_far: drawer.machines(),
    "distribution": lambda drawer, argument, so_far: drawer.task(),
    "distributions": lambda drawer, argument, so_far: [
        drawer.task() for _ in range(drawer.integers(1, 3))
    ],
    # Of one task or many; for several counts there is a law for each.
    "count": lambda drawer, argument, so_far: drawer.number(argument),
    "blocks": lambda drawer, argument, so_far: drawer.integers(1, 300),
    "standbys": lambda drawer, argument, so_far: drawer.integers(0, 6),
    "crews": lambda drawer, argument, so_far: drawer.integers(1, 6),
    "group": lambda drawer, argument, so_far: drawer.integers(2, 3),
    "under_repair": lambda drawer, argument, so_far: drawer.integers(0, int(so_far["standbys"])),
    "may_miss": lambda drawer, argument, so_far: drawer.integers(0, min(3, so_far["blocks"] - 1)),
    "points": lambda drawer, argument, so_far: drawer.integers(2, 9),
    "s": _points,
    "age": _age,
    "spot_life": _machine_times,
    "spot_gap": _machine_times,
    "durations": _record,
    "works": _record,
    "checkpoint_after": _flags,
    "samples": _record,
    "probabilities": _shares,
    "means": _branches,
    "censored": _cut,
    "families": _families,
    "levels": _levels,
    "counts": _counts,
    "failures": _failures,
    "observed": _observed,
    "observed_time": _observed_time,
    "repairs": lambda drawer, argument, so_far: drawer.durations(drawer.integers(1, 9)),
    "weights": _weights,
    "shapes": _branches,
    "entered": _ages,
    "gaps": _gaps,
    "chosen": _chosen,
    "order": _chosen,
    "processes": _processes,
    "most_sets": lambda drawer, argument, so_far: 1000,
}
