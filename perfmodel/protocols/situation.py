"""The numbers of one job and its machine, which every protocol is asked about."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict

import numpy as np

from .._checks import ArrayLike, FloatArray, fraction, nonnegative, positive, scalar, whole
from .._special import in_one_unit
from ..interval import best_segments
from ..lifetimes import Exponential, Gamma, Lifetime, LogNormal, Weibull
from ..makespan.asynchronous import InFlight, checked_in_flight

_TIMES = (
    *("work", "mtbf", "checkpoint_cost", "recovery_cost", "downtime", "wait"),
    *("snapshot_cost", "latency"),
    *("local_cost", "local_recovery", "proactive_cost", "window"),
)
_NO_WAIT = 1e-4  # of the time between two failures


class Costs(TypedDict):
    """What every makespan takes but work and interval."""

    mtbf: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The arguments of `recommend`, [time] but for shares and `nodes`, and what a plan knows.

    `protocol` is the one asked for, or ``choose``; intervals are whole numbers of `step_time` where
    that is known; `shape` or `cv` belong to the `law` of uptimes; `wait` is the part of the
    downtime in which it waits for a spare.
    """

    work: float
    mtbf: float
    checkpoint_cost: float
    recovery_cost: float = 0.0
    downtime: float = 0.0
    wait: float = 0.0
    snapshot_cost: float | None = None
    latency: float | None = None
    slowdown: float = 0.0
    in_flight: InFlight = "overlap"
    local_cost: float | None = None
    survived: float | None = None
    local_recovery: float = 0.0
    nodes: float | None = None
    recall: float | None = None
    precision: float | None = None
    proactive_cost: float | None = None
    window: float = 0.0
    protocol: str = "choose"
    step_time: float | None = None
    law: str = "exponential"
    shape: float | None = None
    cv: float | None = None

    @property
    def costs(self) -> Costs:
        """What every protocol has: the arguments of `expected_makespan` but work and interval."""
        return {
            "mtbf": self.mtbf,
            "checkpoint_cost": self.checkpoint_cost,
            "recovery_cost": self.recovery_cost,
            "downtime": self.downtime,
        }

    @property
    def waits(self) -> bool:
        """Whether waits for spares are so long that its downtimes differ from their mean."""
        return self.wait > _NO_WAIT * self.mtbf

    @property
    def ages(self) -> bool:
        """Whether failures depend on the time since the last one."""
        return ages(self.law)

    @property
    def uptime(self) -> Lifetime:
        """The law of uptimes, [time]."""
        if not self.ages:
            return Exponential(self.mtbf)
        if self.shape is not None:
            family = {"weibull": Weibull, "gamma": Gamma}[self.law]
            return family(self.shape, self.mtbf / family(self.shape, 1.0).mean)
        kinds: dict[str, Any] = {"weibull": Weibull, "gamma": Gamma, "lognormal": LogNormal}
        law: Lifetime = kinds[self.law].from_mean(self.mtbf, cv=self.cv)
        return law

    def checked(self) -> Situation:
        """Return the same with every number in its range, or raise where one is not."""
        given: dict[str, Any] = {
            name: scalar(check, name, value)
            for name, check in _CHECKS.items()
            if (value := getattr(self, name)) is not None or name not in _OPTIONAL
        }
        given["nodes"] = self.nodes  # a whole number stays one
        return replace(self, in_flight=checked_in_flight(self.in_flight), **given)

    def without_overflow(self) -> tuple[float, Situation]:
        """Return a unit in which squares of times are floats, and the same job in it."""
        given = {name: getattr(self, name) for name in _TIMES if getattr(self, name) is not None}
        unit, *times = map(float, in_one_unit(*map(np.asarray, given.values())))
        changed: Any = dict(zip(given, times, strict=True))
        return unit, replace(self, **changed)

    def segments_at(self, cost: str, work: float) -> float:
        """Return how many segments suit this much work with checkpoints of that cost."""
        least = getattr(self, cost)
        return float(best_segments(work, mtbf=self.mtbf, checkpoint_cost=least))


def ages(law: str) -> bool:
    """Return whether failures depend on the time since the last one under a law of uptimes."""
    return law != "exponential"


def _at_least_a_pair(name: str, value: ArrayLike) -> FloatArray:
    return whole(name, value, least=2)


def _right_at_times(name: str, value: ArrayLike) -> FloatArray:
    return fraction(name, positive(name, value))


_CHECKS = {
    "work": positive,
    "mtbf": positive,
    "checkpoint_cost": positive,
    "recovery_cost": nonnegative,
    "downtime": nonnegative,
    "wait": nonnegative,
    "snapshot_cost": positive,
    "latency": nonnegative,
    "slowdown": fraction,
    "local_cost": positive,
    "survived": fraction,
    "local_recovery": nonnegative,
    "nodes": _at_least_a_pair,
    "recall": _right_at_times,
    "precision": _right_at_times,
    "proactive_cost": nonnegative,
    "window": nonnegative,
}
_OPTIONAL = {each.name for each in fields(Situation) if each.default is None}
