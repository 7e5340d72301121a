"""An advisor of a running job: told what happens, it says when a checkpoint is due.

It looks at no clock, starts no thread and opens no port: every call is given the time `now`, in
seconds from any origin, such as that of `time.time`. Equal calls give equal answers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path

from .._checks import finite, nonnegative, positive, positive_or_inf, scalar
from .belief import Belief, Prior
from .memory import Memory
from .rule import best_interval, excess_of_waiting, expected_loss
from .state import read, write
from .steps import waiting_loses
from .tracked import Tracked

__all__ = ["CheckpointAdvisor", "Recommendation"]

_COSTS = 2.0  # an interval is at least so many checkpoints long


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What an advisor advises, and what it knows.

    Parameters
    ----------
    interval : float, [s]
        Work from one checkpoint to the next; inf if no checkpoint pays any more.
    next_checkpoint : float, [s]
        When the next one is due, on the clock of `now`; inf if none is.
    expected_loss : float, [-]
        Share of time that checkpoints, rework and recoveries take with this interval.
    loss_of_waiting : float, [s]
        Time that the job is expected to lose if that checkpoint comes one interval late.
    mtbf, mtbf_lower, mtbf_upper : float, [s]
        One over the mean failure rate, and limits that hold the MTBF with probability 0.9.
    cost : float, [s]
        Mean cost of a checkpoint, recent ones counting more.
    failures : int
        How many failures it was told of.
    watched : float, [s]
        For how long it watched the job run.
    bound : {"", "least", "most", "latency", "end"}
        What made the interval another than the best one.
    """

    interval: float
    next_checkpoint: float
    expected_loss: float
    loss_of_waiting: float
    mtbf: float
    mtbf_lower: float
    mtbf_upper: float
    cost: float
    failures: int
    watched: float
    bound: str


@dataclass(slots=True, eq=False)
class CheckpointAdvisor:
    """Say when a checkpoint is due, from the failures and the costs seen so far.

    Parameters
    ----------
    cost : float, [s]
        What a checkpoint is thought to cost before the first: the time for which the job stands
        still; > 0.
    prior : Prior, optional
        What is known of the failure rate; without it nothing is (`Prior.unknown`).
    latency : float, [s]
        From the end of that time to the instant at which the snapshot is thought to be durable;
        >= 0. No checkpoint is due while the last one is on its way.
    recovery_cost : float, [s]
        To read a checkpoint back; >= 0. It moves no interval, only the expected loss.
    share : float, [-]
        Share of the failures told that strike this job; in (0, 1]. Below 1, the prior and the
        failures are those of the whole machine, of which the job holds that share.
    least, most : float, [s]
        Bounds of the interval; 0 < least <= most. An interval is at least two costs, too.
    end : float, [s]
        When the allocation ends, on the clock of `now`; inf if it does not. Intervals are then
        chosen so that the last checkpoint is durable in time.
    memory : Memory, optional
        What it remembers; filled in.

    Raises
    ------
    ValueError
        If a number is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    The belief is a probability for each of 56 rates, MTBFs from 15 minutes to two years. A prior is
    mixed with a tenth that is flat. With every failure, and as often in silence, a fiftieth of the
    belief spreads over neighbouring rates, a factor e away in the mean, because rates drift. The
    interval is the exact optimum for the mean rate and the tracked cost, which minimises the
    expected loss to first order; it is chosen when a segment begins.

    Examples
    --------
    Nine failures in three months, checkpoints of two minutes:

    >>> advisor = CheckpointAdvisor(cost=120.0, prior=Prior.of_history(9, 90 * 86400.0))
    >>> advisor.started(0.0)
    >>> advisor.due(3600.0), advisor.due(5 * 3600.0)
    (False, True)
    """

    cost: float
    prior: Prior = field(default_factory=Prior.unknown)
    latency: float = 0.0
    recovery_cost: float = 0.0
    share: float = 1.0
    least: float = 60.0
    most: float = 86400.0
    end: float = math.inf
    memory: Memory = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        checks = {
            positive: ("cost", "share", "least"),
            nonnegative: ("latency", "recovery_cost"),
            positive_or_inf: ("most",),
        }
        for check, names in checks.items():
            for name in names:
                setattr(self, name, scalar(check, name, getattr(self, name)))
        if self.share > 1.0:
            raise ValueError(f"share must be in (0, 1], got {self.share:g}")
        if self.most < self.least:
            raise ValueError(f"most must be >= least = {self.least:g}, got {self.most:g}")
        if not isinstance(self.prior, Prior):
            raise TypeError(f"prior must be a Prior, got {self.prior!r}")
        if self.end != math.inf:
            self.end = scalar(finite, "end", self.end)
        if self.memory is None:
            self.memory = Memory(Belief.of(self.prior), Tracked(self.cost), Tracked(self.latency))

    def due(self, now: float) -> bool:
        """Return whether a checkpoint is due at `now`."""
        memory = self.memory
        return now >= memory.next_checkpoint and memory.draining != memory.draining

    def stepped(self, now: float, step: int | None = None) -> bool:
        """Note that a step ended at `now`; return whether a checkpoint is due before the next.

        It is due if after another step, as long as recent ones, it would be worse. `step` is the
        number of this one, where not all are told of: as many lie ahead as since the last. Nothing
        is saved, so that the answer takes microseconds.
        """
        memory = self.memory
        if not memory.running:
            raise ValueError(f"stepped must follow started, got it at {now:g}")
        self._check(now)
        pace = memory.pace.after(now, step, memory.segment)
        self.memory = replace(memory, pace=pace)
        if memory.draining == memory.draining or pace.ahead == 0.0:
            return self.due(now)
        due, ahead = memory.next_checkpoint, now + pace.ahead
        if now >= due:
            return True
        if memory.bound == "end":
            late = now + pace.most_ahead > self._last_begin()
            return due < math.inf and (late or 2.0 * due <= now + ahead)
        if ahead <= due or memory.bound in ("least", "most"):
            return ahead > due and memory.bound == "most"
        rate = self.share * memory.belief.rate
        return waiting_loses(now - memory.segment, pace.ahead, rate, memory.cost.mean)

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due, [s] on the clock of `now`; inf if none is."""
        return self.memory.next_checkpoint

    def started(self, now: float) -> None:
        """Note that the job runs from `now` on: for the first time, or again.

        A run of which neither the end nor a failure was told is taken for one that failed half an
        interval after the last that was heard of it; half a step later if that was a step.
        """
        if self.memory.running:
            heard, silence, pace = self.memory.last, self.memory.interval, self.memory.pace
            if pace.ended > heard:
                heard, silence = pace.ended, pace.ahead
            self.failed(min(now, heard + 0.5 * min(silence, self.most)))
        self._after(now)
        self.memory = replace(self.memory, running=True, pace=self.memory.pace.anew())
        self._choose(now)

    def restored(self, now: float) -> None:
        """Note that the last checkpoint has been read back, and that work goes on at `now`."""
        if not self.memory.running:
            raise ValueError(f"restored must follow started, got it at {now:g}")
        self._after(now)
        self._choose(now)

    def stopped(self, now: float) -> None:
        """Note that the job ended or was put aside at `now`, without a failure."""
        self._after(now)
        self._halt()

    def failed(self, now: float) -> None:
        """Note that a failure struck the job at `now`; `started` says when it runs again."""
        self._after(now)
        self._count()
        self._halt()

    def machine_failed(self, now: float) -> None:
        """Note that a failure struck the machine at `now`, but not the job."""
        if self.share == 1.0:
            raise ValueError(
                "share must be below 1 where failures strike others, got 1: give the share of the "
                "machine that the job holds"
            )
        self._after(now)
        self._count()

    def checkpoint_begun(self, now: float) -> None:
        """Note that the job stands still from `now` on to write a checkpoint."""
        self._after(now)
        self.memory = replace(self.memory, begun=now)

    def checkpoint_done(self, now: float) -> None:
        """Note that the job goes on at `now`; without a latency, the checkpoint is durable."""
        if math.isnan(self.memory.begun):
            raise ValueError(f"checkpoint_done must follow checkpoint_begun, got it at {now:g}")
        self._after(now)
        self.memory = replace(
            self.memory,
            cost=self.memory.cost.seen(now - self.memory.begun),
            begun=math.nan,
            draining=now if self.latency > 0.0 else math.nan,
        )
        self._choose(now)

    def checkpoint_durable(self, now: float) -> None:
        """Note that the snapshot that was on its way is durable at `now`."""
        if math.isnan(self.memory.draining):
            raise ValueError(f"checkpoint_durable must follow checkpoint_done, got it at {now:g}")
        self._after(now)
        latency = self.memory.latency.seen(now - self.memory.draining)
        self.memory = replace(self.memory, latency=latency, draining=math.nan)

    def requested(self, now: float) -> None:
        """Note that a checkpoint is wanted at `now`, because of a signal of the scheduler, say."""
        self._after(now)
        self.memory = replace(self.memory, next_checkpoint=now)

    def ends(self, end: float) -> None:
        """Note when the allocation ends, [s] on the clock of `now`; inf if it does not."""
        self.end = end if end == math.inf else scalar(finite, "end", end)
        if self.memory.running:
            self._choose(self.memory.segment)

    def recommendation(self, now: float) -> Recommendation:
        """Return the interval, what it is expected to lose, and what is known at `now`."""
        memory = self.memory
        if memory.running and now > memory.last:
            memory = replace(memory, belief=memory.belief.after_silence(now - memory.last))
        rate, cost = self.share * memory.belief.rate, memory.cost.mean
        interval, bound = memory.interval, memory.bound
        if not memory.running:
            interval, bound = self._bounded(memory)
        low, high = memory.belief.mtbf_limits(0.9)
        return Recommendation(
            interval=interval,
            next_checkpoint=memory.next_checkpoint,
            expected_loss=expected_loss(interval, rate, cost, self.recovery_cost),
            loss_of_waiting=excess_of_waiting(
                interval, best_interval(rate, cost), rate, cost, self.recovery_cost
            ),
            mtbf=1.0 / rate,
            mtbf_lower=low / self.share,
            mtbf_upper=high / self.share,
            cost=cost,
            failures=memory.failures,
            watched=memory.watched + (now - memory.last if memory.running else 0.0),
            bound=bound,
        )

    def save(self, path: str | Path) -> None:
        """Write all that it remembers to a file, whole or not at all."""
        write(Path(path), self)

    @classmethod
    def load(cls, path: str | Path) -> CheckpointAdvisor:
        """Return the advisor that was saved in a file.

        Raises
        ------
        FileNotFoundError
            If there is none.
        ValueError
            If it is not what `save` wrote; it is then kept under another name, which is told.
        """
        return read(Path(path), cls)

    def _after(self, now: float) -> None:
        """Take in the time since the last event."""
        self._check(now)
        memory = self.memory
        if memory.running:
            passed = now - memory.last
            self.memory = replace(
                memory,
                belief=memory.belief.after_silence(passed),
                last=now,
                watched=memory.watched + passed,
            )
        else:
            self.memory = replace(memory, last=now)

    def _check(self, now: float) -> None:
        last, ended = self.memory.last, self.memory.pace.ended
        last = ended if ended > last else last
        if not math.isfinite(now) or now < last:
            raise ValueError(
                f"now must be finite and no earlier than the last event at {last:g}, got {now:g}"
            )

    def _count(self) -> None:
        memory = self.memory
        self.memory = replace(
            memory, belief=memory.belief.after_failure(), failures=memory.failures + 1
        )

    def _halt(self) -> None:
        nan = math.nan
        self.memory = replace(
            self.memory,
            running=False,
            segment=nan,
            interval=nan,
            next_checkpoint=math.inf,
            bound="",
            begun=nan,
            draining=nan,
        )

    def _choose(self, now: float) -> None:
        """Choose how long to work from `now` on before the next checkpoint."""
        interval, bound = self._bounded(self.memory)
        left = self._last_begin() - now
        if left < interval * 64.0:
            # Equal intervals up to the last checkpoint, as many as come nearest to the best.
            cost = self.memory.cost.mean
            count = max(1.0, math.floor((left + cost) / (interval + cost) + 0.5))
            equal = (left - (count - 1.0) * cost) / count
            worth = equal >= _COSTS * cost
            interval, bound = (equal if worth else math.inf), "end"
        self.memory = replace(
            self.memory,
            segment=now,
            interval=interval,
            next_checkpoint=now + interval,
            bound=bound,
        )

    def _last_begin(self) -> float:
        """Return when the last checkpoint must begin to be durable before the end."""
        latency = self.memory.latency.most if self.latency > 0.0 else 0.0
        return self.end - self.memory.cost.most - latency

    def _bounded(self, memory: Memory) -> tuple[float, str]:
        """Return the interval of an endless run, and which bound holds it, if one does."""
        rate, cost = self.share * memory.belief.rate, memory.cost.mean
        latency = memory.latency.mean if self.latency > 0.0 else 0.0
        free, found = best_interval(rate, cost), best_interval(rate, cost, latency)
        least = max(self.least, _COSTS * cost)
        if found < least:
            return least, "least"
        if found > self.most:
            return max(self.most, least), "most"
        return found, "latency" if found > free else ""
