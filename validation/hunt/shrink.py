"""Shorten a failing call, so that it can be read and pasted."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import perfmodel

from .call import Arguments, Made, described
from .docstrings import Argument

__all__ = ["shrunk"]

_LISTS = frozenset({"durations", "samples", "speed", "chosen", "order"})
_PAIRED = frozenset(
    {
        *("order", "censored", "works", "checkpoint_after", "probabilities", "means", "speed"),
        *("weights", "shapes"),
    }
)
_SIMPLE = (1.0, 2.0, 10.0, 0.5, 0.1, 100.0)


def shrunk(
    name: str, arguments: Arguments, fails: Callable[[Arguments], bool], *, seconds: float
) -> Arguments:
    """Return simpler arguments of the public `name` for which `fails` is still true.

    Each round tries every simplification of every argument and keeps the first that still fails;
    the rounds end when none does, or after `seconds`.
    """
    stop = perf_counter() + seconds
    found = arguments
    while True:
        for simpler in _simpler_calls(name, found):
            if perf_counter() > stop:
                return found
            if fails(simpler):
                found = simpler
                break
        else:
            return found


def _simpler_calls(name: str, arguments: Arguments) -> Iterator[Arguments]:
    parameters = inspect.signature(_called(name)).parameters
    for key in arguments:
        if key in parameters and parameters[key].default is not inspect.Parameter.empty:
            yield {other: value for other, value in arguments.items() if other != key}
    documented = described(name)
    for key, value in arguments.items():
        for simpler in _simpler(value, documented[key]):
            yield {**arguments, key: simpler}


def _called(name: str) -> Any:
    found: Any = perfmodel
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _simpler(value: Any, argument: Argument) -> Iterator[Any]:
    if isinstance(value, Made):
        yield from _simpler_made(value, argument)
    elif isinstance(value, list):
        yield from _simpler_list(value, argument)
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int | float):
        yield from _simpler_number(value, argument)
    elif isinstance(value, complex):
        yield value.real


def _simpler_made(value: Made, argument: Argument) -> Iterator[Any]:
    if isinstance(getattr(perfmodel, value.name.split(".")[0]), type):
        law = value.arguments.get("mean", value.arguments.get("value"))
        if law is not None:
            if argument.takes_numbers:
                yield law
            if value.name != "Exponential":
                yield Made("Exponential", {"mean": law})
    if value.name == "Machines":
        # All columns keep equal lengths: one element for each machine.
        count = len(value.arguments["speed"])
        documented = described(value.name)
        for key, column in value.arguments.items():
            for place, number in enumerate(column):
                for smaller in _simpler_number(number, documented[key]):
                    other = [*column[:place], smaller, *column[place + 1 :]]
                    yield Made(value.name, {**value.arguments, key: other})
        for place in range(count if count > 1 else 0):
            yield Made(
                value.name,
                {key: c[:place] + c[place + 1 :] for key, c in value.arguments.items()},
            )
        return
    for simpler in _simpler_calls(value.name, value.arguments):
        yield Made(value.name, simpler)


def _simpler_list(value: list[Any], argument: Argument) -> Iterator[Any]:
    if argument.kind.startswith("array_like,") and argument.name not in _LISTS:
        yield from value[:1]
        yield from value[-1:]
    elif len(value) > 1 and argument.name not in _PAIRED:
        half = len(value) // 2
        yield value[:half]
        yield value[half:]
        if len(value) < 12:
            for place in range(len(value)):
                yield value[:place] + value[place + 1 :]
    for place, inner in enumerate(value):
        if not isinstance(inner, list):  # or rows would differ in length
            for simpler in _simpler(inner, argument):
                yield [*value[:place], simpler, *value[place + 1 :]]


def _simpler_number(value: float, argument: Argument) -> Iterator[float]:
    candidates = [0.0, *_SIMPLE]
    if value and math.isfinite(value):
        power = 10.0 ** math.floor(math.log10(abs(value)))
        # Halfway to 1 in the exponent: extreme only as far as it takes.
        half = 10.0 ** math.trunc(0.5 * math.log10(abs(value)))
        candidates += [half, power, 10.0 * power, float(f"{value:.1g}"), float(f"{value:.2g}")]
    for candidate in candidates:
        if _cost(candidate) < _cost(value) and _inside(candidate, argument):
            yield int(candidate) if argument.whole else candidate


def _cost(value: float) -> tuple[float, int, float]:
    """Order numbers by how short they are to write: 0 and 1 first, then digits and exponent."""
    if value == 0.0:
        return (0.0, 0, 0.0)
    if not math.isfinite(value):
        return (math.inf, 0, 0.0)
    size = abs(math.log10(abs(value)))
    return (round(size, 6), len(repr(float(value))), abs(value - 1.0))


def _inside(value: float, argument: Argument) -> bool:
    low = value > argument.least if argument.open_below else value >= argument.least
    high = value < argument.most if argument.open_above else value <= argument.most
    return low and high and (not argument.whole or value == math.floor(value))
