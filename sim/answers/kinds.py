"""What values of replays are: seeds, goals, prices, numbers in [0, 1], names of formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from asking.kinds import Kind, one_of
from asking.refusals import Said
from asking.units import seconds, share

__all__ = [
    "DIALECTS",
    "FORMATS",
    "FRACTIONS",
    "JOB_FORMAT",
    "PRICES",
    "SEEDS",
    "UNIX_TIME",
    "UTILITY_AT",
    "Seeds",
    "goal",
]

_MOST_SEEDS = 1_000_000
_MOST_FRACTIONS = 1000
_OPTIONS = "ABCDEF"  # of recovery
# As `sim.traces` knows them, whose readers need not be loaded for this; a test compares.
FORMATS = (
    *("swf", "gwf", "mwf", "sacct", "sacct-json", "pbs", "lsf", "batsim"),
    *("table", "acme", "helios", "alibaba-gpu", "philly"),
)
DIALECTS = ("standard", "walltime-in-6", "placement", "row-number", "no-walltime")


class Seeds(tuple[int, ...]):
    """Different seeds in the order given, which remember how they were typed."""

    text: str

    def __str__(self) -> str:
        return self.text


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


def goal(remedy: Said | None = None) -> Kind:
    """Return the kind of a share of a mean; `remedy` follows where it is given a duration."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if (value := share(text.strip())) > 0.0:
                return value
        try:
            seconds(text)
        except ValueError:
            raise ValueError from None
        raise ValueError("a duration" if remedy is None else Said("a duration; {}", remedy))

    return Kind("share", "a share of the mean, such as 2% or 0.02", read, _within(0.0, 1.0))


def _within(low: float, high: float) -> Callable[[Any], float]:
    def take(given: Any) -> float:
        if isinstance(given, int | float) and low <= given <= high:
            return float(given)
        raise ValueError

    return take


def _fractions(text: str) -> tuple[float, ...]:
    """Read ``0.1,50%`` or ``first:last:step``, both ends included; each number once."""
    try:
        return tuple(dict.fromkeys(_in_unit_interval(text)))
    except ValueError:
        raise ValueError from None


def _in_unit_interval(text: str) -> tuple[float, ...]:
    if text.count(":") == 2:
        first, last, step = map(share, text.split(":"))
        if not (step > 0.0 and 0.0 <= first <= last <= 1.0):
            raise ValueError
        count = int((last - first) / step * (1.0 + 1e-12) + 1e-9) + 1
        if count > _MOST_FRACTIONS:
            raise ValueError
        return tuple(round(first + place * step, 10) for place in range(count))
    return tuple(map(share, text.split(",")))


def _all_within(values: Any) -> tuple[float, ...]:
    found = tuple(values)
    if not all(isinstance(value, int | float) and 0.0 <= value <= 1.0 for value in found):
        raise ValueError
    return found


def _prices(text: str) -> tuple[tuple[str, float], ...]:
    """Return option and price, [credit / node h], of each part of ``A=0,B=1``."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, price = (word.strip() for word in part.partition("="))
        if not equals or len(name) != 1 or name not in _OPTIONS or name in found:
            raise ValueError
        found[name] = _price(price)
    return tuple(found.items())


def _utility_at(text: str) -> tuple[float, str]:
    """Return from when on [s], and what of ``10d=wait/walltime``."""
    time, equals, utility = text.partition("=")
    try:
        if not equals or not utility.strip():
            raise ValueError
        return seconds(time.strip()), utility.strip()
    except ValueError:
        raise ValueError from None


def _at(given: Any) -> tuple[float, str]:
    time, utility = given
    if isinstance(time, int | float) and isinstance(utility, str) and 0.0 <= time < float("inf"):
        return float(time), utility
    raise ValueError


def _price(text: str) -> float:
    with suppress(ValueError):
        price = float(text) if text.isascii() and "_" not in text else -1.0
        if 0.0 <= price < float("inf"):
            return price
    raise ValueError  # without Python's own words


def _weights(text: str) -> tuple[float, float, float]:
    return _three(tuple(_price(each) for each in text.split(",")))


def _three(given: Any) -> tuple[float, float, float]:
    if len(given) != 3:
        raise ValueError
    slowdown, wait, response = map(float, given)
    if min(slowdown, wait, response) >= 0.0 < slowdown + wait + response < float("inf"):
        return slowdown, wait, response
    raise ValueError


def _unix_time(text: str) -> float:
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise ValueError
    return float(text)


def _sequence(given: Any) -> Sequence[int]:
    if isinstance(given, Sequence) and given:
        return given
    raise ValueError


SEEDS = Kind("seeds", "seeds such as 7, 1:200 or 1,5,9", _seeds, _sequence)
FRACTIONS = Kind(
    *("shares", f"shares, at most {_MOST_FRACTIONS}, such as 0.1,50% or 0:1:0.1"),
    *(_fractions, _all_within),
)
PRICES = Kind("prices", "prices of options A to E such as A=0,B=1,C=2,D=3,E=4", _prices, tuple)
WEIGHTS = Kind("weights", "three numbers >= 0, not all 0, such as 1,1,2", _weights, _three)
UNIX_TIME = Kind("seconds", "a Unix time in whole seconds", _unix_time, _within(0.0, 1e12))
JOB_FORMAT = one_of(*FORMATS, *DIALECTS, adds="job format")
UTILITY_AT = Kind(
    *("utility", "a time and a utility from then on, such as 10d=fcfs", _utility_at, _at)
)
