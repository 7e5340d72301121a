"""An advisor of a running job: told what happens, it says when a checkpoint is due.

It looks at no clock, starts no thread and opens no port: every call is given the time `now`, in
seconds from any origin, such as that of `time.time`. Equal calls give equal answers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from .._checks import finite, nonnegative, positive, positive_or_inf, scalar, shown
from ..levels.many import Level
from .belief import Belief, Prior
from .choice import bounded, chosen, failure_rate, last_begin, losses, planned
from .copies import Copies, checked_copies
from .memory import Memory
from .phases import Phases
from .recommendation import Recommendation
from .settings import Settings
from .state import read, write
from .steps import waiting_loses, waiting_loses_by_interval
from .tracked import Tracked

_SHAPES = (0.3, 3.0)
_TOLD = attrgetter(*Settings._fields)
_ROUNDING = 1e-9  # of a step
_APART = 60.0  # by which the clocks of nodes may differ, [s]
_INSTANTS = ("last", "segment", "next_checkpoint", "begun", "draining")
_HALTED = {
    "running": False,
    "segment": math.nan,
    "interval": math.nan,
    "next_checkpoint": math.inf,
    "bound": "",
    "begun": math.nan,
    "draining": math.nan,
}  # of a memory, while the job does not run


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
    shape : float, [-]
        Of the Weibull law of the time from one failure to the next; in [0.3, 3]. Below 1, failures
        are more frequent soon after one, and intervals grow with the time since the last.
    age : float, [s]
        For how long the machine ran since its last failure when the job first starts; >= 0.
    two_phases : bool, optional
        Whether the failure rate from a failure until the next checkpoint is another one than
        afterwards, as where failures come in bursts. None: that is learnt from the failures; with a
        shape or a share other than 1, one rate holds.
    levels : sequence of Level, optional
        Copies that survive a share of the failures only, sorted by it: level 1, 2, ... The last
        level is the durable checkpoint of `cost`, `latency` and `recovery_cost`.
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
    belief spreads over neighbouring rates, a factor e away in the mean, because rates drift. One
    rate at all times and two, until the next checkpoint after a failure and later, are believed
    alike at first, and then by how likely they make what is seen.

    The interval is the exact optimum for the mean rate and the tracked cost, which minimises the
    expected loss to first order; it is chosen when a segment begins. What is stated of the cost is
    worth one checkpoint, less if the first one is far from it. With a shape other than 1 the rate
    is that in the middle of the segment, as in `perfmodel.hazard_intervals`. With levels, interval
    and periods are those of `perfmodel.optimal_pattern_levels`. What is stated of the failures that
    they survive is worth 15 failures, and is believed by nine tenths only, so that failures that
    contradict it soon count alone. A level counts only once `restored` names it.

    Examples
    --------
    Nine failures in three months, checkpoints of two minutes:

    >>> advisor = CheckpointAdvisor(cost=120.0, prior=Prior.of_history(9, 90 * 86400.0))
    >>> advisor.started(0.0)
    >>> advisor.due(3600.0), advisor.due(5 * 3600.0)
    (False, True)

    With copies in the memory of other nodes, of ten seconds, that survive nine failures of ten:

    >>> advisor = CheckpointAdvisor(cost=120.0, levels=[Level(10.0, 5.0, 0.9)])
    >>> advisor.started(0.0)
    >>> round(advisor.next_checkpoint()), advisor.next_level()
    (404, 1)
    """

    cost: float
    prior: Prior = field(default_factory=Prior.unknown)
    latency: float = 0.0
    recovery_cost: float = 0.0
    share: float = 1.0
    least: float = 60.0
    most: float = 86400.0
    end: float = math.inf
    shape: float = 1.0
    age: float = 0.0
    two_phases: bool | None = None
    levels: Sequence[Level] = ()
    memory: Memory = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        checks = {
            positive: ("cost", "share", "least", "shape"),
            nonnegative: ("latency", "recovery_cost", "age"),
            positive_or_inf: ("most",),
        }
        for check, names in checks.items():
            for name in names:
                setattr(self, name, scalar(check, name, getattr(self, name)))
        if self.share > 1.0:
            raise ValueError(f"share must be in (0, 1], got {self.share:g}")
        if self.most < self.least:
            raise ValueError(f"most must be >= least = {self.least:g}, got {self.most:g}")
        if not _SHAPES[0] <= self.shape <= _SHAPES[1]:
            raise ValueError(
                f"shape must be in [{_SHAPES[0]:g}, {_SHAPES[1]:g}], got {self.shape:g}"
            )
        if self.two_phases is not None and not isinstance(self.two_phases, bool):
            raise TypeError(f"two_phases must be True, False or None, got {shown(self.two_phases)}")
        if self.share < 1.0 and (self.shape != 1.0 or self.two_phases):
            raise ValueError(
                "share must be 1 where the failure rate depends on the last failure of the job, "
                f"got {self.share:g}: leave out shape and two_phases"
            )
        if not isinstance(self.prior, Prior):
            raise TypeError(f"prior must be a Prior, got {self.prior!r}")
        if self.end != math.inf:
            self.end = scalar(finite, "end", self.end)
        self.levels = checked_copies(self.levels)
        if self.memory is None:
            belief = Belief.of(self.prior, self.shape)
            learnt = self.two_phases is None and self.share == 1.0 and self.shape == 1.0
            self.memory = Memory(
                Phases.of((belief, belief, belief)) if learnt else belief,
                Tracked.stated(self.cost),
                Tracked.stated(self.latency),
                early=belief if self.two_phases else None,
                age=self.age,
                copies=Copies.of(self.levels) if self.levels else None,
            )

    def due(self, now: float) -> bool:
        """Return whether a checkpoint is due at `now`."""
        if type(now) is not float or not math.isfinite(now):
            now = scalar(finite, "now", now)
        memory = self.memory
        return now >= memory.next_checkpoint and not memory.waits

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
        self.memory = memory._replace(pace=pace)
        if memory.waits or pace.ahead == 0.0:
            return self.due(now)
        due, ahead = memory.next_checkpoint, now + pace.ahead
        if now >= due - _ROUNDING * pace.ahead:
            return True
        if memory.bound == "end":
            late = due < math.inf and now + pace.most_ahead > last_begin(self._settings, memory)
            if late:
                self._on_the_last()
            return due < math.inf and (late or 2.0 * due <= now + ahead)
        if ahead <= due or memory.bound in ("least", "most"):
            return ahead > due and memory.bound == "most"
        worked = now - memory.segment
        if memory.copies is not None:
            return waiting_loses_by_interval(worked, pace.ahead, memory.interval)
        rate = failure_rate(self._settings, memory, memory.segment)
        return waiting_loses(worked, pace.ahead, rate, memory.cost.mean)

    def clocked(self, now: float) -> float:
        """Return the time of a clock that may have been set back, for the other methods.

        Up to a minute before the last event, as the clocks of two nodes may differ, it is the time
        of that event. A clock that shows less was set back, or was wrong before: what is remembered
        is moved to the new time, as if nothing had happened in between.
        """
        now = scalar(finite, "now", now)
        last = self.heard
        if now >= last:
            return now
        if now >= last - _APART:
            return last
        back, pace = last - now, self.memory.pace
        moved = {name: getattr(self.memory, name) - back for name in _INSTANTS}
        self.memory = self.memory._replace(**moved, pace=replace(pace, ended=pace.ended - back))
        # Rounding may leave the last event an instant after `now`.
        return max(now, self.heard)

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due, [s] on the clock of `now`; inf if none is."""
        return self.memory.next_checkpoint

    def next_level(self) -> int:
        """Return on which level it is, from 1, the cheapest; the last one is durable."""
        return self.memory.level

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
        pace = self.memory.pace.anew()
        self._choose(now, self.memory._replace(**self._passed(now), running=True, pace=pace))

    def restored(self, now: float, level: int | None = None) -> None:
        """Note that the last checkpoint has been read back, and that work goes on at `now`.

        `level` is that from which it was read: the lowest that survived. Where it is not told, the
        job is taken to go on from its last checkpoint, and nothing is learnt of the levels.
        """
        if not self.memory.running:
            raise ValueError(f"restored must follow started, got it at {now:g}")
        memory = self.memory._replace(**self._passed(now))
        if level is not None:
            found = self._checked_level(level)
            if memory.copies is not None:
                memory = memory._replace(copies=memory.copies.resumed(found))
        self._choose(now, memory)

    def stopped(self, now: float) -> None:
        """Note that the job ended or was put aside at `now`, without a failure."""
        self.memory = self.memory._replace(**{**self._passed(now), **_HALTED})

    def failed(self, now: float) -> None:
        """Note that a failure struck the job at `now`; `started` says when it runs again."""
        copies = self.memory.copies
        if copies is not None:
            copies = copies.struck(draining=not math.isnan(self.memory.draining))
        self.memory = self.memory._replace(**{**self._struck(now), **_HALTED}, copies=copies)

    def machine_failed(self, now: float) -> None:
        """Note that a failure struck the machine at `now`, but not the job."""
        if self.share == 1.0:
            raise ValueError(
                "share must be below 1 where failures strike others, got 1: give the share of the "
                "machine that the job holds"
            )
        self.memory = self.memory._replace(**self._struck(now))

    def checkpoint_begun(self, now: float, level: int | None = None) -> None:
        """Note that the job stands still from `now` on to write a checkpoint.

        `level` is that on which it lies, if it is not `next_level()`.
        """
        copies = self.memory.copies
        found = self.memory.level if level is None else self._checked_level(level)
        if copies is not None:
            copies = replace(copies, writing=found)
        self.memory = self.memory._replace(**self._passed(now), begun=now, copies=copies)

    def checkpoint_done(self, now: float) -> None:
        """Note that the job goes on at `now`; without a latency, the checkpoint is durable."""
        if math.isnan(self.memory.begun):
            raise ValueError(f"checkpoint_done must follow checkpoint_begun, got it at {now:g}")
        memory, changes, took = self.memory, self._passed(now), now - self.memory.begun
        copies = memory.copies
        if copies is not None:
            worked = memory.begun - memory.segment if memory.running else 0.0
            copies = copies.written(worked, took)
        if copies is None or copies.writing == copies.last:
            changes["cost"] = memory.cost.seen(took)
            changes["draining"] = now if self.latency > 0.0 else math.nan
        changes |= {"copies": copies, "begun": math.nan, "struck": False}
        self._choose(now, memory._replace(**changes))

    def checkpoint_durable(self, now: float) -> None:
        """Note that the snapshot that was on its way is durable at `now`."""
        if math.isnan(self.memory.draining):
            raise ValueError(f"checkpoint_durable must follow checkpoint_done, got it at {now:g}")
        latency = self.memory.latency.seen(now - self.memory.draining)
        passed = self._passed(now)
        self.memory = self.memory._replace(**passed, latency=latency, draining=math.nan)

    def requested(self, now: float) -> None:
        """Note that a checkpoint is wanted at `now`, because of a signal of the scheduler, say.

        It is wanted on the last level.
        """
        self.memory = self.memory._replace(**self._passed(now), next_checkpoint=now)
        self._on_the_last()

    def ends(self, end: float) -> None:
        """Note when the allocation ends, [s] on the clock of `now`; inf if it does not."""
        self.end = end if end == math.inf else scalar(finite, "end", end)
        if self.memory.running:
            self._choose(self.memory.segment, self.memory)

    def recommendation(self, now: float) -> Recommendation:
        """Return the interval, what it is expected to lose, and what is known at `now`."""
        settings, memory = self._settings, self.memory
        if memory.running and now > memory.last:
            memory = memory._replace(**self._passed(now))
        begun = memory.segment if memory.running else memory.last
        memory = planned(settings, memory, begun)
        interval, bound = memory.interval, memory.bound
        if not memory.running:
            interval, bound = bounded(settings, memory, begun)
        lost, late = losses(settings, memory, interval, begun)
        belief, copies = memory.present, memory.copies
        low, high = belief.mtbf_limits(0.9)
        return Recommendation(
            interval=interval,
            next_checkpoint=memory.next_checkpoint,
            expected_loss=lost,
            loss_of_waiting=late,
            mtbf=1.0 / (self.share * memory.rate),
            mtbf_lower=low / self.share,
            mtbf_upper=high / self.share,
            cost=memory.cost_next,
            failures=memory.failures,
            watched=memory.watched,
            bound=bound,
            level=memory.level,
            periods=(interval,) if copies is None else copies.spans(interval),
            survives=(1.0,) if copies is None else copies.survives(self.levels),
            contradiction=1.0 if copies is None else copies.contradiction(self.levels),
        )

    def save(self, path: str | Path) -> None:
        """Write all that it remembers to a file, whole or not at all."""
        write(Path(path), self._settings, self.prior, self.memory)

    @classmethod
    def load(cls, path: str | Path) -> CheckpointAdvisor:
        """Return the advisor that was saved in a file.

        Raises
        ------
        FileNotFoundError
            If there is none.
        ValueError
            If it is not what `save` wrote; what is left of such a file, as of one that is empty, is
            then kept under another name, which is told.
        """
        return read(Path(path), cls)

    @property
    def _settings(self) -> Settings:
        """What it was told, but for the prior; as it stands now, for `ends` may change it."""
        return Settings._make(_TOLD(self))

    def _passed(self, now: float, *, failed: bool = False) -> dict[str, Any]:
        """Return what is remembered otherwise once the time since the last event is taken in.

        `failed` if a failure ended it.
        """
        self._check(now)
        memory = self.memory
        if not memory.running:
            return {"last": now, **(memory.learnt(0.0, failed=True) if failed else {})}
        passed = now - memory.last
        return {
            **memory.learnt(passed, failed=failed),
            "last": now,
            "watched": memory.watched + passed,
            "age": memory.age + passed,
        }

    def _struck(self, now: float) -> dict[str, Any]:
        """Return what is remembered otherwise after a failure at `now`, and the time before it."""
        return {
            **self._passed(now, failed=True),
            "failures": self.memory.failures + 1,
            "age": 0.0,
            "struck": True,
        }

    @property
    def heard(self) -> float:
        """When it was last told something, [s]; -inf if never."""
        last, ended = self.memory.last, self.memory.pace.ended
        return ended if ended > last else last

    def _check(self, now: float) -> None:
        last = self.heard
        if type(now) is not float:
            scalar(finite, "now", now)
        if not math.isfinite(now) or now < last:
            raise ValueError(
                f"now must be finite and no earlier than the last event at {last:.15g}, "
                f"got {now:.15g}: `clocked` takes a clock that was set back"
            )

    def _choose(self, now: float, memory: Memory) -> None:
        """Choose how long to work from `now` on before the next checkpoint."""
        self.memory = chosen(self._settings, memory, now)

    def _on_the_last(self) -> None:
        """Have the next checkpoint on the last level."""
        copies = self.memory.copies
        if copies is not None:
            self.memory = self.memory._replace(copies=replace(copies, level=copies.last))

    def _checked_level(self, level: int) -> int:
        """Return the number of a level, from 1."""
        last = len(self.levels) + 1
        if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= last:
            raise ValueError(f"level must be a whole number from 1 to {last}, got {shown(level)}")
        return level
