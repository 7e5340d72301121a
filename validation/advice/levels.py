"""What a job with copies on levels loses that asks an advisor, beside the exact best pattern.

A durable checkpoint that is lost late or early in its period makes most of the spread of a
makespan, and nobody can help it. `Evened` takes that luck away: from the time that each failure
costs, as the job stands when it strikes, is taken what failures then cost in the mean. The
difference has mean 0 whoever is asked, as failures are Poisson and the state of the job is known:
makespans keep their mean and lose most of their spread.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.levels import (
    Level,
    expected_makespan_two_levels,
    expected_pattern_time,
    optimal_pattern_levels,
    optimal_pattern_two_levels,
)
from sim.application import LevelAdvice, simulate_advised_level_job
from sim.samplers import Exponential
from validation.judge.chance import FloatArray

__all__ = ["Job", "Makes", "Pattern", "evened_loss", "lost_above_exact"]

Makes = Callable[..., LevelAdvice]

_PRIORS: dict[str, Callable[[float], Prior]] = {
    "right": lambda mtbf: Prior(2.0, 2.0 * mtbf),
    "nothing": lambda mtbf: Prior.unknown(),
}


@dataclass(frozen=True, slots=True)
class Job:
    """A machine and its levels, from the cheapest to the last, which survives all failures."""

    mtbf: float
    levels: tuple[Level, ...]

    def best(self, failures: float) -> tuple[Pattern, float, float]:
        """Return the exact best pattern, whole ones worth so many MTBFs, and what they lose, [s].

        Two levels are those of `expected_makespan_two_levels`, more of `expected_pattern_time`.
        """
        if len(self.levels) == 2:
            low, last = self.levels
            costs = {"local_cost": low.cost, "durable_cost": last.cost}
            costs |= {"local_recovery": low.recovery, "mtbf": self.mtbf, "survived": low.survives}
            best = optimal_pattern_two_levels(**costs)
            pattern = Pattern(best.interval, (int(best.durable_every) - 1,))
            work = pattern.work * max(round(failures * self.mtbf / pattern.work), 1)
            makespan = expected_makespan_two_levels(
                work,
                interval=best.interval,
                durable_every=best.durable_every,
                durable_recovery=last.recovery,
                rule="reinstated",
                **costs,
            )
            return pattern, work, float(makespan) - work
        found = optimal_pattern_levels(self.levels, mtbf=self.mtbf)
        pattern = Pattern(found.interval, found.counts)
        number = max(round(failures * self.mtbf / pattern.work), 1)
        time = expected_pattern_time(
            self.levels, interval=found.interval, counts=found.counts, mtbf=self.mtbf
        )
        return pattern, number * pattern.work, number * (time - pattern.work)


class Pattern:
    """Advice of one who knows all and learns nothing: one interval, and so many copies between."""

    def __init__(self, interval: float, counts: Sequence[int]) -> None:
        self.interval, self.counts = interval, tuple(counts)
        self.begun, self.held = 0.0, [0] * (len(counts) + 1)  # checkpoints in each level's copy

    @property
    def work(self) -> float:
        """Of one pattern, [s]."""
        return self.interval * math.prod(1 + count for count in self.counts)

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due."""
        return self.begun + self.interval

    def next_level(self) -> int:
        """Return on which level it is."""
        place, level, every = self.held[0] + 1, 1, 1
        for above, count in enumerate(self.counts, start=2):
            every *= 1 + count
            # A level without copies of its own is left out.
            level = above if place % every == 0 else level
        return level

    def started(self, now: float) -> None:
        """Hear that the job runs."""
        self.begun = now

    def restored(self, now: float, level: int) -> None:
        """Hear from which copy it goes on."""
        self.begun = now
        self.held[:level] = [self.held[level - 1]] * level

    def failed(self, now: float) -> None:
        """Hear of a failure."""

    def checkpoint_begun(self, now: float, level: int) -> None:
        """Hear that a checkpoint is written."""
        self._level = level

    def checkpoint_done(self, now: float) -> None:
        """Hear that it was finished."""
        self.begun = now
        self.held[: self._level] = [self.held[0] + 1] * self._level


class Evened:
    """Passes on what is asked and told, and adds up what failures cost more than in the mean.

    `rng` is equal to that of the played job, so that the kind of each failure is known.
    """

    def __init__(self, advice: LevelAdvice, job: Job, rng: np.random.Generator) -> None:
        self._advice, self._job, self._rng = advice, job, rng
        self._shares = [level.survives for level in job.levels]
        self._chances = np.diff([0.0, *self._shares]).tolist()
        self._reads = [level.recovery for level in job.levels]
        self._held = [0.0] * len(job.levels)  # work in the copy on each level or above
        self._worked = self._now = self.luck = 0.0
        self._doing, self._lowest, self._level, self._wrote = "work", 1, 1, 0.0
        self._draw()

    def _draw(self) -> None:
        self._rng.standard_exponential()
        self._kind = 1 + int(np.searchsorted(self._shares, self._rng.random(), side="right"))

    def _price(self, kind: int) -> float:
        """Return what a failure of a kind costs now: work to be done again, and a recovery."""
        if self._doing == "read":
            kind = max(kind, self._lowest)
        return self._worked - self._held[kind - 1] + self._reads[kind - 1] + self._wrote

    def passed(self, now: float) -> None:
        """Take in the time until now, in which failures had a mean cost."""
        time = now - self._now
        mean = math.fsum(
            chance * self._price(kind) for kind, chance in enumerate(self._chances, start=1)
        )
        # Work, and what is written, is lost from its begin on.
        growing = 0.0 if self._doing == "read" else 0.5 * time
        self.luck -= time * (mean + growing) / self._job.mtbf
        self._now = now
        self._worked += time if self._doing == "work" else 0.0
        self._wrote = time if self._doing == "write" else 0.0

    def next_checkpoint(self) -> float:
        return self._advice.next_checkpoint()

    def next_level(self) -> int:
        return self._advice.next_level()

    def started(self, now: float) -> None:
        self._advice.started(now)

    def failed(self, now: float) -> None:
        self.passed(now)
        self.luck += self._price(self._kind)
        self._lowest = max(self._kind, self._lowest if self._doing == "read" else 1)
        self._doing, self._wrote = "read", 0.0
        self._worked = self._held[self._lowest - 1]
        self._draw()
        self._advice.failed(now)

    def restored(self, now: float, level: int) -> None:
        self.passed(now)
        self._held[:level] = [self._worked] * level
        self._doing = "work"
        self._advice.restored(now, level)

    def checkpoint_begun(self, now: float, level: int) -> None:
        self.passed(now)
        self._doing, self._level = "write", level
        self._advice.checkpoint_begun(now, level)

    def checkpoint_done(self, now: float) -> None:
        self.passed(now)
        self._held[: self._level] = [self._worked] * self._level
        self._doing, self._wrote = "work", 0.0
        self._advice.checkpoint_done(now)


class Restarted:
    """An advisor whose state alone survives a failure: it is saved with each, and loaded again."""

    def __init__(self, advisor: CheckpointAdvisor, path: Path) -> None:
        self._advisor, self._path = advisor, path

    def __getattr__(self, name: str) -> Callable[..., object]:
        found: Callable[..., object] = getattr(self._advisor, name)
        return found

    def failed(self, now: float) -> None:
        self._advisor.failed(now)
        self._advisor.save(self._path)
        self._advisor = type(self._advisor).load(self._path)


def lost_above_exact(
    make: Makes,
    job: Job,
    *,
    stated: Sequence[float],
    failures: float,
    prior: str,
    saved: bool = False,
    seed: int,
    runs: int,
) -> FloatArray:
    """Return how much more each run loses than the exact best pattern in the mean, relative to it.

    ``make(cost=, recovery_cost=, prior=, levels=)`` is told that levels survive the shares
    `stated`, and the MTBF rightly or not at all; with `saved` its state goes through a file.
    """
    _, work, exact = job.best(failures)
    *lower, last = job.levels
    levels = [
        Level(level.cost, level.recovery, share) for level, share in zip(lower, stated, strict=True)
    ]
    lost = np.empty(runs)
    with TemporaryDirectory() as folder:
        for run in range(runs):
            advice = make(
                cost=last.cost,
                recovery_cost=last.recovery,
                prior=_PRIORS[prior](job.mtbf),
                levels=levels,
            )
            if saved:
                assert isinstance(advice, CheckpointAdvisor)
                advice = Restarted(advice, Path(folder) / "state.json")  # type: ignore[assignment]
            lost[run] = evened_loss(advice, job, work, (seed, run))
    return lost / exact - 1.0


def evened_loss(advice: LevelAdvice, job: Job, work: float, seed: Sequence[int]) -> float:
    """Return the time that a job loses with this advice, its luck taken away, [s]."""
    evened = Evened(advice, job, np.random.default_rng(seed))
    record = simulate_advised_level_job(
        evened,
        work * (1.0 - 1e-12),  # a pattern that ends with the work writes no checkpoint before
        uptime=Exponential(job.mtbf),
        costs=[level.cost for level in job.levels],
        recoveries=[level.recovery for level in job.levels],
        survives=[level.survives for level in job.levels],
        rng=np.random.default_rng(seed),
    )
    evened.passed(record.makespan)
    return record.makespan - work - evened.luck
