"""The job of a scenario as numbers, and the best that a protocol does for it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np

from .._checks import FloatArray
from ..ageing import expected_makespan_ageing, optimal_interval_ageing, useful_share_ageing
from ..ageing.share import best_of_tries, saved_by_each
from ..completion import AbstractCompletionTime, exact_makespan, exact_makespan_async
from ..interval.whole_steps import whole_steps
from ..levels import exact_makespan_two_levels, expected_makespan_two_levels
from ..lifetimes import AbstractLifetime, Exponential, Gamma, LogNormal, Weibull
from ..makespan import expected_makespan, expected_makespan_async
from ..protocols import ProtocolTime, Recommendation, recommend
from ..protocols.predictions import PredictedJob
from ..validity import ValidityWarning

__all__ = ["Chosen", "Model"]

_TRIES = 60
_MOST = 2000  # segments of which a mean under ageing is told; longer jobs by their useful share


@dataclass(frozen=True, slots=True)
class Chosen:
    """A protocol with its interval [s], and the mean time of the job [s] and its efficiency [-]."""

    protocol: str
    interval: float
    durable_every: float
    expected_time: float
    efficiency: float
    steps: int | None = None


class Costs(TypedDict):
    """Arguments that all makespans take, [s]."""

    checkpoint_cost: float
    recovery_cost: float
    downtime: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Arguments of `recommend`, [s]; `shape` or `cv` belong to the `law` of uptimes."""

    work: float
    mtbf: float
    checkpoint_cost: float
    recovery_cost: float = 0.0
    downtime: float = 0.0
    snapshot_cost: float | None = None
    latency: float | None = None
    slowdown: float = 0.0
    local_cost: float | None = None
    survived: float | None = None
    local_recovery: float = 0.0
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
        """What every makespan takes but work, interval and law."""
        return {
            "checkpoint_cost": self.checkpoint_cost,
            "recovery_cost": self.recovery_cost,
            "downtime": self.downtime,
        }

    @property
    def uptime(self) -> AbstractLifetime:
        """The law of uptimes, [s]."""
        if self.law == "exponential":
            return Exponential(self.mtbf)
        if self.shape is not None:
            family = {"weibull": Weibull, "gamma": Gamma}[self.law]
            return family(self.shape, self.mtbf / family(self.shape, 1.0).mean)
        kinds: dict[str, Any] = {"weibull": Weibull, "gamma": Gamma, "lognormal": LogNormal}
        law: AbstractLifetime = kinds[self.law].from_mean(self.mtbf, cv=self.cv)
        return law

    def compared(self, *, crossovers: bool = False) -> Recommendation:
        """Return the protocols of which all arguments are given, for exponential uptimes."""
        names = ("work", "mtbf", "slowdown", *self.costs)
        arguments: dict[str, Any] = {name: getattr(self, name) for name in names}
        for group in (
            ("snapshot_cost", "latency"),
            ("local_cost", "survived", "local_recovery"),
            ("recall", "precision", "proactive_cost", "window"),
        ):
            if all(getattr(self, name) is not None for name in group):
                arguments |= {name: getattr(self, name) for name in group}
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", ValidityWarning)
            found = recommend(**arguments, quantity="mtbf" if crossovers else None)
        for _, reason in found.left_out:  # no plan is silent about a protocol that is asked for
            raise ValueError(reason)
        return found

    def best(self) -> Chosen:
        """Return the protocol asked for, or the best one, at its best interval in whole steps."""
        if self.law != "exponential":
            return self._aged()
        rows = {row.protocol: row for row in self.compared().protocols}
        row = next(iter(rows.values())) if self.protocol == "choose" else rows.get(self.protocol)
        if row is None:
            needs = {
                "asynchronous": "snapshot_cost and latency",
                "two_levels": "local_cost and survived",
                "predicted": "recall, precision and proactive_cost",
            }[self.protocol]
            raise ValueError(
                f"checkpoint.protocol must come with {needs}, got {self.protocol!r} alone"
            )
        return self._in_steps(row)

    def best_drawn(self) -> tuple[float, float]:
        """Return the best interval [s] and its checkpoints per durable one, to draw them.

        A tenth of the tries finds the same for all laws of uptimes that a scenario may have.
        """
        if self.law == "exponential":
            found = self.best()
            return found.interval, found.durable_every
        return best_of_tries(self.uptime, self.checkpoint_cost, self.recovery_cost, _TRIES), 1.0

    def mean_time(self, protocol: str, interval: float, durable_every: float = 1.0) -> float:
        """Return the mean time of the job at any interval, [s]."""
        return float(self.mean_times(protocol, np.array([interval]), durable_every)[0])

    def mean_times(
        self, protocol: str, intervals: FloatArray, durable_every: float = 1.0
    ) -> FloatArray:
        """Return the mean time of the job at each interval, [s]; shape (n,)."""
        cut = np.minimum(intervals, self.work)
        if self.law != "exponential":
            law, costs = self.uptime, self.costs
            cost, recovery = costs["checkpoint_cost"], costs["recovery_cost"]
            saved = saved_by_each(law, cut, cost=cost, recovery=recovery)
            with np.errstate(divide="ignore"):
                return np.asarray(self.work * ((law.mean + self.downtime) / saved))
        job: dict[str, Any] = {"mtbf": self.mtbf, **self.costs}
        with np.errstate(all="ignore"):
            if protocol in {"synchronous", "single_segment"}:
                return expected_makespan(self.work, interval=cut, **job)
            if protocol == "asynchronous":
                drain = {**job, **self._drain()}
                return expected_makespan_async(self.work, interval=cut, **drain)
            if protocol == "two_levels":
                levels = self._levels(cut, durable_every)
                return expected_makespan_two_levels(self.work, **levels)
        return self._predicted().expected_time(cut)

    def law_of(self, chosen: Chosen, mtbf: float | None = None) -> AbstractCompletionTime | None:
        """Return the law of the time of the job, under another MTBF [s]; None if none is known."""
        if self.law != "exponential":
            return None
        model = self if mtbf is None else replace(self, mtbf=mtbf)
        cut = min(chosen.interval, self.work)
        job: dict[str, Any] = {"mtbf": model.mtbf, **self.costs}
        with np.errstate(all="ignore"):
            if chosen.protocol in {"synchronous", "single_segment"}:
                return exact_makespan(self.work, interval=cut, **job)
            if chosen.protocol == "asynchronous":
                return exact_makespan_async(self.work, interval=cut, **{**job, **model._drain()})
            if chosen.protocol == "two_levels":
                levels = model._levels(cut, chosen.durable_every)
                return exact_makespan_two_levels(self.work, **levels)
        return None

    def _predicted(self) -> PredictedJob:
        assert self.recall is not None
        assert self.precision is not None
        assert self.proactive_cost is not None
        return PredictedJob(
            work=self.work,
            mtbf=self.mtbf,
            recall=self.recall,
            precision=self.precision,
            proactive_cost=self.proactive_cost,
            window=self.window,
            **self.costs,
        )

    def _drain(self) -> dict[str, Any]:
        """Return what asynchronous writes take in place of the checkpoint."""
        return {
            "checkpoint_cost": self.snapshot_cost,
            "latency": self.latency,
            "slowdown": self.slowdown,
        }

    def _levels(self, interval: float | FloatArray, durable_every: float) -> dict[str, Any]:
        return {
            "interval": interval,
            "durable_every": durable_every,
            "mtbf": self.mtbf,
            "survived": self.survived,
            "local_cost": self.local_cost,
            "durable_cost": self.checkpoint_cost,
            "local_recovery": self.local_recovery,
            "durable_recovery": self.recovery_cost,
            "downtime": self.downtime,
        }

    def _in_steps(self, row: ProtocolTime) -> Chosen:
        """Return the plan of a protocol with its interval in whole steps."""
        plain = Chosen(
            row.protocol, row.interval, row.durable_every, row.expected_time, row.efficiency
        )
        step = self.step_time
        if step is None or row.protocol == "single_segment":
            return plain

        def time(interval: float) -> float:
            return self.mean_time(row.protocol, interval, row.durable_every)

        steps = whole_steps(row.interval, step, time)
        found = time(steps * step)
        return replace(
            plain,
            interval=steps * step,
            expected_time=found,
            efficiency=self.work / found,
            steps=steps,
        )

    def _aged(self) -> Chosen:
        """Return the best constant interval where a failure renews the machine."""
        if self.protocol not in {"choose", "synchronous"}:
            raise ValueError(
                f"checkpoint.protocol must be choose or synchronous with failures.law "
                f"{self.law}, got {self.protocol!r}"
            )
        uptime, downtime = self.uptime, self.downtime
        costs = {"checkpoint_cost": self.checkpoint_cost, "recovery_cost": self.recovery_cost}

        def useful(interval: float) -> float:
            return useful_share_ageing(interval, uptime=uptime, downtime=downtime, **costs)

        best = min(optimal_interval_ageing(uptime=uptime, **costs), self.work)
        steps = None
        if self.step_time is not None:
            steps = whole_steps(best, self.step_time, lambda each: -useful(each))
            best = steps * self.step_time
        share = useful(best)
        time, count = self.work / share, max(1, round(self.work / best))
        if count <= _MOST:
            cut = self.work / count if steps is None else min(best, self.work)
            mean = expected_makespan_ageing(self.work, interval=cut, uptime=uptime, **self.costs)
            time = float(mean)
        return Chosen("synchronous", best, 1.0, time, self.work / time, steps)
