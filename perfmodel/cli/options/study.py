"""Options that make a study of a replay: many seeds, values side by side, several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from typing import Any

import click

from asking.units import seconds
from sim.answers import StudyRequest

from .filling import option, request_of
from .types import COUNT, F, Wanted

__all__ = ["Seeds", "Several", "study_options", "with_study"]

_option = partial(option, StudyRequest)
_MOST_SEEDS = 1_000_000


class Seeds(tuple[int, ...]):
    """Different seeds in the order given, which remember how they were typed."""

    text: str

    def __str__(self) -> str:
        return self.text


class Several(click.ParamType[Any]):
    """One value of a type, or several between commas: those come as a tuple."""

    def __init__(self, one: click.ParamType[Any]) -> None:
        self.one = one
        self.name = one.name

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return what the help shows for the value."""
        return f"{self.one.get_metavar(param, ctx) or self.name.upper()},..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value or the tuple, or stop with one line."""
        if not isinstance(value, str):
            return value
        parts = [self.one.convert(part.strip(), param, ctx) for part in value.split(",")]
        different = tuple(dict.fromkeys(parts))
        return different if len(different) > 1 else different[0]


def _seeds(text: str) -> Seeds:
    found: list[int] = []
    for part in text.split(","):
        first, colon, last = part.strip().partition(":")
        low = _seed(first)
        high = _seed(last) if colon else low
        if high < low or high - low >= _MOST_SEEDS - len(found):
            raise ValueError
        found.extend(range(low, high + 1))
    seeds = Seeds(dict.fromkeys(found))
    seeds.text = text.strip()
    return seeds


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise ValueError
    return int(text)


def _share(remedy: str) -> Callable[[str], float]:
    def share(text: str) -> float:
        number = text.strip().removesuffix("%")
        with suppress(ValueError):
            if number != text.strip() and number.isascii() and "_" not in number:
                value = float(number) / 100.0
                if 0.0 < value <= 1.0:
                    return value
        try:
            seconds(text)
        except ValueError:
            raise ValueError from None
        raise ValueError(f"a duration{remedy}")

    return share


def study_options(
    *varied: str, remedy: str = "", seeds: str = "Seeds: 7, 1:200 or 1,5,9; a mean of each."
) -> Callable[[F], F]:
    """Return a decorator that adds the options; the command gets a `study` with what they say.

    `varied` are names of parameters of type `Several`, of which the command gets the first value.
    `remedy` follows where --until is given a duration.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def studied(**arguments: Any) -> None:
            command(**with_study(arguments, varied))

        found: Any = studied
        for add in reversed(list(_options(_share(remedy), seeds))):
            found = add(found)
        decorated: F = found
        return decorated

    return decorate


def with_study(arguments: Mapping[str, Any], varied: Sequence[str]) -> dict[str, Any]:
    """Return arguments with a `study` in place of its options, and of values the first."""
    several = {name: arguments[name] for name in varied if isinstance(arguments[name], tuple)}
    own = ("seeds", "until", "metric", "workers")
    asked = request_of(StudyRequest, {name: arguments[name] for name in own})
    rest = {name: value for name, value in arguments.items() if name not in own}
    first = {name: values[0] for name, values in several.items()}
    return {**rest, **first, "study": replace(asked, varied=several)}


def _options(share: Callable[[str], float], seeds: str) -> Iterator[Callable[[Any], Any]]:
    yield _option(
        "--seeds", type=Wanted("seeds", "seeds such as 7, 1:200 or 1,5,9", _seeds), help=seeds
    )
    yield _option(
        "--until",
        type=Wanted("share", "a share of the mean, such as 2%", share),
        help="Go on with further seeds until every 95 % interval of --metric is within this "
        "share of its mean, such as 2%.",
    )
    yield _option("--metric", help="A number that --json names.  [default: the first shown]")
    yield _option("--workers", type=COUNT, help="Processes that share the replays.")
