"""What every answer asks of a protocol: its best plan, mean, law, losses, energy, and words."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import numpy as np

from .._checks import FloatArray
from ..completion import CompletionTime
from ..training import training_shares
from .situation import Situation

Losses: TypeAlias = dict[str, float]  # shares of the time of a long run, the goodput first

MANY = 1e15  # segments: from here on, one more is lost in rounding
_PARTS = 2.0**20
_LONG = 1e6  # segments of a job that lasts n times as long if it is n times as long
_NONE = {"law": "no law is", "losses": "no classes are", "energy": "none is", "spares": "none is"}
_AGEING = "a job whose failures depend on the time since the last one"


@dataclass(frozen=True, slots=True)
class Plan:
    """The best that one protocol can do; `error` is the stated one of `expected_time`, [-]."""

    interval: float
    segments: float
    expected_time: float
    durable_every: float = 1.0
    error: float = 0.0


class Protocol:
    """One protocol of checkpoints. It cuts the work into equal segments and keeps the result.

    Attributes
    ----------
    name : str
        In answers and scenarios.
    needs : tuple of str
        Numbers of a `Situation` that must be given.
    cost : str, optional
        That with the cost of its cheapest checkpoint, which bounds its segments.
    short, known_as, plural : str
        Its checkpoints in a sentence, its row in a table, and what "are the best".
    writes : str
        What a plan says to do; `{interval}` stands for the interval with its steps.
    usual : bool
        Whether a job that says nothing of protocols has it.
    ages : bool
        Whether it has a plan where failures depend on the time since the last one.
    steps, crosses : bool
        Whether its interval is one to cut into steps, and whether plans say where it takes over.
    drawn : tuple of (str, str), optional
        The number of a `Situation` that a figure turns beside the MTBF, and what that is.
    quick : bool
        Whether its law takes so little time that a search may ask for it.
    predictive : bool
        Whether its law is known over all MTBFs that a count of failures leaves open.
    unknown : mapping of str to str
        Why it has no `law`, `losses`, `energy` or goodput by `spares`, where there is more to say
        than that none is known, and where what is written does not answer for all jobs.
    lost_to : str
        What the money of a job goes to beside its work.
    alone : bool
        Whether it holds only where failures strike one node at a time.
    shares : str, optional
        The formula of its losses by class.
    formulas : tuple of str
        How its interval is chosen, its mean, and its law if one is known.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    cost: ClassVar[str | None] = "checkpoint_cost"
    short: ClassVar[str]
    known_as: ClassVar[str]
    plural: ClassVar[str]
    writes: ClassVar[str]
    usual: ClassVar[bool] = False
    ages: ClassVar[bool] = False
    steps: ClassVar[bool] = True
    crosses: ClassVar[bool] = True
    drawn: ClassVar[tuple[str, str] | None] = None
    quick: ClassVar[bool] = True
    predictive: ClassVar[bool] = False
    unknown: ClassVar[Mapping[str, str]] = {}
    lost_to: ClassVar[str] = "checkpoints and failures"
    alone: ClassVar[bool] = False
    shares: ClassVar[str | None] = "training_shares"
    formulas: ClassVar[tuple[str, ...]]

    def known(self, job: Situation) -> bool:
        """Return whether the job says what this protocol needs."""
        return all(getattr(job, name) is not None for name in self.needs)

    def check(self, job: Situation) -> None:
        """Raise where what it needs is given, and does not go together."""

    def best(self, job: Situation) -> Plan:
        """Return the best plan; of more segments than are searched, that of a part of the job."""
        parts = 1.0
        while self.cost and job.segments_at(self.cost, job.work / parts) >= MANY / 10.0:
            parts *= _PARTS
        if parts > 1.0:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = self.plan(replace(job, work=job.work / parts))
            if found.segments > _LONG:
                for each in caught:
                    warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
                count, time = parts * found.segments, parts * found.expected_time
                return replace(found, segments=count, expected_time=time)
        return self.plan(job)

    def plan(self, job: Situation) -> Plan:
        """Return the best plan of a job whose segments can be counted."""
        raise NotImplementedError

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the mean time of the job at each interval, [time]."""
        raise NotImplementedError

    def longest(self, job: Situation) -> float:
        """Return the interval of a job that is one segment, [time]."""
        return job.work

    def step(self, job: Situation) -> float | None:
        """Return the time of a step, [time], where its interval is to be a number of them."""
        return job.step_time if self.steps else None

    def means(
        self, job: Situation, intervals: FloatArray, durable_every: float = 1.0
    ) -> FloatArray:
        """Return the mean at any intervals, of which none is longer than the job, [time]."""
        with np.errstate(all="ignore"):
            return self.mean(job, np.minimum(intervals, self.longest(job)), durable_every)

    def aged(self, job: Situation) -> tuple[Plan, int | None]:
        """Return the best plan where uptimes age, in whole steps, and how many."""
        raise NotImplementedError

    def to_draw(self, job: Situation) -> tuple[float, float]:
        """Return the best interval, [time], and its checkpoints per durable one, for a figure."""
        found = self.best(job)
        return found.interval, found.durable_every

    def law(
        self, job: Situation, interval: float, durable_every: float = 1.0
    ) -> CompletionTime | None:
        """Return the law of the time of the job at an interval; None where none is known."""

    def why_not(self, job: Situation, answer: str) -> str | None:
        """Return why it has no answer of that name for a job; None where it has."""
        if job.ages:
            return f"{_NONE[answer]} known of {_AGEING}"
        if answer == "law" and job.waits:
            return "no law is known of a job that waits for spares"
        written = answer == "spares" or getattr(type(self), answer) is not getattr(Protocol, answer)
        return self.unknown.get(
            answer, None if written else f"{_NONE[answer]} known of {self.plural}"
        )

    def losses(
        self, job: Situation, interval: float, durable_every: float, delays: dict[str, float]
    ) -> Losses | None:
        """Return the goodput of a long run and its losses by class; None where they are not known.

        `delays` are `restore`, `warm_up`, `detection`, `queue` and `rescheduling`, whose sums the
        job has.
        """

    def energy(self, job: Situation, interval: float, powers: dict[str, float]) -> float | None:
        """Return the mean energy of the job, [power x time]; None where it is not known."""

    def formulas_of(self, job: Situation) -> tuple[str, ...]:
        """Return the names of the formulas behind its numbers for this job."""
        return self.formulas


def beside(count: float) -> FloatArray:
    """Return the two whole numbers beside this one, at least 1; at most what a float counts."""
    few = max(math.floor(min(count, MANY)), 1)
    return np.array([few, few + 1.0])


def losses_of(
    job: Situation, interval: float, cost: float, latency: float, delays: dict[str, float]
) -> Losses | None:
    """Return the classes of a run that stands still for checkpoints; None where uptimes age."""
    if job.ages:
        return None
    with np.errstate(all="ignore"):
        shares = training_shares(
            interval=interval, mtbf=job.mtbf, checkpoint_cost=cost, latency=latency, **delays
        )
    return {"goodput": float(shares.goodput)} | {
        name: float(share) for name, share in shares.losses().items()
    }


def least(work: float, counts: FloatArray, mean: Callable[[FloatArray], FloatArray]) -> Plan:
    """Return the plan of the least mean among numbers of equal segments, the fewest of equals."""
    several = np.unique(np.clip(counts, 1.0, MANY))
    with np.errstate(all="ignore"):
        times = mean(work / several)
    best = int(np.argmin(times))
    return Plan(float(work / several[best]), float(several[best]), float(times[best]))
