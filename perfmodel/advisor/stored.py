"""The memory of an advisor from what a file says, which is checked: a file may say anything."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from .._checks import shown
from ..levels.many import Level
from .belief import Belief
from .copies import Copies
from .memory import Memory
from .phases import Phases
from .steps import Pace
from .tracked import Tracked

_BOUNDS = ("", "least", "most", "latency", "end")


def written(belief: Belief | Phases | None) -> list[float] | dict[str, Any] | None:
    """Return a belief as a file says it."""
    if isinstance(belief, Phases):
        return {**asdict(belief), "weights": belief.weights.tolist()}
    return None if belief is None else belief.weights.tolist()


def _believed(stored: Any, shape: float) -> Belief | Phases:
    if not isinstance(stored, dict):
        return Belief.from_weights(stored, shape)
    found = Phases(
        np.array(stored["weights"], dtype=np.float64),
        tuple(_positive("sums", each) for each in stored["sums"]),
        tuple(_positive("rates", each) for each in stored["rates"]),
        _number("odds", stored["odds"]),
    )
    found.check()
    return found


def remembered(stored: dict[str, Any], shape: float, levels: Sequence[Level]) -> Memory:
    """Return what was remembered; a ValueError, TypeError or KeyError if it cannot be."""
    pace, early, copies = dict(stored.pop("pace")), stored.pop("early"), stored.pop("copies", None)
    step_time = pace.pop("time")
    memory = Memory(
        belief=_believed(stored.pop("belief"), shape),
        early=None if early is None else Belief.from_weights(early, shape),
        cost=_tracked("cost", stored.pop("cost")),
        latency=_tracked("latency", stored.pop("latency")),
        pace=Pace(
            step=_instant("step", pace.pop("step")),
            ended=_instant("ended", pace.pop("ended")),
            stride=_positive("stride", pace.pop("stride")),
            time=None if step_time is None else _tracked("time", step_time),
            **pace,
        ),
        copies=_copies(copies, levels),
        **{name: _FIELDS[name](name, value) for name, value in stored.items()},
    )
    if memory.running and not math.isfinite(memory.last + memory.segment):
        raise ValueError("running must come with the time of the last event and of the work")
    if memory.running and math.isnan(memory.interval + memory.next_checkpoint):
        raise ValueError("running must come with an interval and the next checkpoint")
    return memory


def _copies(stored: dict[str, Any] | None, levels: Sequence[Level]) -> Copies | None:
    """Return what was remembered of levels below the last, if there are any."""
    if stored is None and not levels:
        return None
    if stored is None or len(stored["costs"]) != len(levels):
        raise ValueError(f"{len(levels)} levels, of which another number is remembered")
    count = len(levels)
    for name in ("level", "writing"):
        if not 1 <= _count(name, stored[name]) <= count + 1:
            raise ValueError(f"{name} must be from 1 to {count + 1}, got {shown(stored[name])}")
    read, work, known = (
        tuple(_not_negative(name, each) for each in stored[name])
        for name in ("read", "work", "known")
    )
    found = Copies(
        costs=tuple(_tracked("costs", cost) for cost in stored["costs"]),
        fallen=_flag("fallen", stored["fallen"]),
        read=read,
        work=work,
        level=_count("level", stored["level"]),
        writing=_count("writing", stored["writing"]),
        periods=tuple(_positive("periods", each) for each in stored["periods"]),
        known=known,
    )
    planned = (len(found.periods), len(found.known))
    lengths = (len(found.read), len(found.work))
    if lengths != (count + 1, count) or planned not in ((0, 0), (count + 1, 2 * count + 3)):
        raise ValueError(f"{count} levels, of which another number is remembered")
    return found


def _tracked(name: str, stored: dict[str, Any]) -> Tracked:
    return Tracked(**{part: _duration(f"{name}, {part}", stored[part]) for part in stored})


def _number(name: str, value: object) -> float:
    """Return a number, nan and inf among them."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    return float(value)


def _duration(name: str, value: object) -> float:
    found = _number(name, value)
    if not 0.0 <= found < math.inf:
        raise ValueError(f"{name} must be finite and >= 0, got {found:g}")
    return found


def _positive(name: str, value: object) -> float:
    found = _number(name, value)
    if not 0.0 < found < math.inf:
        raise ValueError(f"{name} must be finite and > 0, got {found:g}")
    return found


def _not_negative(name: str, value: object) -> float:
    found = _number(name, value)
    if not found >= 0.0:
        raise ValueError(f"{name} must be >= 0, got {found:g}")
    return found


def _instant(name: str, value: object) -> float:
    """Return an instant, or nan where there is none."""
    found = _number(name, value)
    if math.isinf(found):
        raise ValueError(f"{name} must be an instant, got {found:g}")
    return found


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 53:
        raise ValueError(f"{name} must be a whole number >= 0, got {shown(value)}")
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be true or false, got {shown(value)}")
    return value


def _bound(name: str, value: object) -> str:
    if value not in _BOUNDS:
        raise ValueError(f"{name} must be one of {_BOUNDS}, got {shown(value)}")
    return str(value)


def _before_the_first(name: str, value: object) -> float:
    """Return the instant of the last event, -inf if there was none."""
    found = _number(name, value)
    return found if found == -math.inf else _instant(name, value)


_FIELDS: dict[str, Callable[[str, object], Any]] = {
    "running": _flag,
    "last": _before_the_first,
    "segment": _instant,
    "interval": _number,
    "next_checkpoint": _number,
    "bound": _bound,
    "begun": _instant,
    "draining": _instant,
    "failures": _count,
    "watched": _duration,
    "age": _duration,
    "struck": _flag,
}
