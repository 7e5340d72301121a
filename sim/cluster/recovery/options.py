"""Recovery options: what happens to a failed job is part of its submission (`aucore` III-B).

An option is data: when the job comes back, in which band of the queue it then stands, by which
time inside the band, and whether it waits for its old place. A site adds its own by
describing one; nothing else changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..._checks import one_of, shown
from ..._units import NEVER
from ..loop.cluster import Recover
from ..order.bands import HEAD, MIDDLE, REAR

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Attempt, Job, News

_STANDS_BY = ("submission", "return")
_RETURNS = ("at once", "walltime end", "repair")


@dataclass(frozen=True, slots=True)
class RecoveryOption:
    """What happens to a job that a failure struck.

    Parameters
    ----------
    name : str
        What users write in their scripts.
    band : int
        Of the queue: `HEAD`, `MIDDLE` or `REAR`; lower numbers go first.
    stands_by : {"submission", "return"}
        Place inside the band: by the original submission, or by the time the job came back.
    returns : {"at once", "walltime end", "repair"}
        When the job is in the queue again: at the failure; when its attempt would have reached
        its planned end, where its user looks; or when the failed node is back.
    same_place : bool
        Restart on the nodes it held, which are withheld from others until all are back; only
        with ``returns="repair"``.
    preempts : bool
        Restart at once, if need be on nodes of jobs that run; only with ``returns="at once"``.
    """

    name: str
    band: int = MIDDLE
    stands_by: Literal["submission", "return"] = "return"
    returns: Literal["at once", "walltime end", "repair"] = "at once"
    same_place: bool = False
    preempts: bool = False

    def __post_init__(self) -> None:
        for name, choices in (("stands_by", _STANDS_BY), ("returns", _RETURNS)):
            one_of(name, getattr(self, name), choices)
        if self.same_place and self.returns != "repair":
            raise ValueError(f"returns must be 'repair' with same_place, got {shown(self.returns)}")
        if self.preempts and self.returns != "at once":
            raise ValueError(f"returns must be 'at once' with preempts, got {shown(self.returns)}")


OPTIONS: dict[str, RecoveryOption] = {
    option.name: option
    for option in (
        RecoveryOption("A", returns="walltime end"),
        RecoveryOption("B", REAR),
        RecoveryOption("C", HEAD, returns="repair", same_place=True),
        RecoveryOption("D", MIDDLE, stands_by="submission"),
        RecoveryOption("E", HEAD),
    )
}

# III-B names it as one that a site may add: at once, even by preempting other jobs.
WITH_PREEMPTION: dict[str, RecoveryOption] = {
    **OPTIONS,
    "F": RecoveryOption("F", HEAD, preempts=True),
}

# `aucore` Table I: the share of each option. MR, manual resubmission, is option A for all.
CASES: dict[str, Mapping[str, float]] = {
    "ff": {"A": 1.0},
    "mr": {"A": 1.0},
    "even": {"A": 1.0, "B": 1.0, "C": 1.0, "D": 1.0, "E": 1.0},
    "normal": {"A": 1.0, "B": 2.0, "C": 4.0, "D": 2.0, "E": 1.0},
    "all-b": {"B": 1.0},
    "all-c": {"C": 1.0},
    "all-d": {"D": 1.0},
    "all-e": {"E": 1.0},
    "all-f": {"F": 1.0},  # not in the paper
}


def assign_options(
    rng: np.random.Generator,
    count: int,
    shares: Mapping[str, float],
    options: Mapping[str, RecoveryOption] = WITH_PREEMPTION,
) -> tuple[RecoveryOption, ...]:
    """Draw an option for each of `count` jobs, each with probability proportional to its share.

    The draw for one job does not depend on the shares of the others, so that cases compared under
    one seed differ only where their options do.

    Parameters
    ----------
    rng : numpy.random.Generator
        One number is drawn per job.
    count : int
        Jobs.
    shares : mapping of str to float, [-]
        By name of option; >= 0, not all 0; only their ratios matter.
    options : mapping of str to RecoveryOption
        What each name means.

    Returns
    -------
    tuple of RecoveryOption
        One per job.

    Raises
    ------
    ValueError
        If a share is outside its range or names no option.
    """
    for name, share in shares.items():
        one_of("shares", name, options)
        if not 0.0 <= share < np.inf:
            raise ValueError(f"shares must be finite and >= 0, got {share!r} for {name}")
    total = sum(shares.values())
    if not total > 0.0:
        raise ValueError(f"shares must not all be 0, got {shown(dict(shares))}")
    names = list(shares)
    edges = np.cumsum([shares[name] / total for name in names])
    drawn = np.minimum(np.searchsorted(edges, rng.random(count), side="right"), len(names) - 1)
    chosen = [options[name] for name in names]
    return tuple(map(chosen.__getitem__, drawn.tolist()))


@dataclass(frozen=True, slots=True)
class RecoverByOption:
    """The recovery of a replay in which every job has an option, by its position in the workload.

    A job that waits for its old place is not in the queue: it is not overtaken, and blocks no
    other job. It starts at the first instant at which all of the place is up; if part of it will
    never be, the place is given back and the job stays unfinished.

    A job that preempts starts where it can before the next pass. Where nothing is free, those that
    started last, and whose own option does not preempt, are stopped until it fits; of them those
    that are not in its way go on. They come back at once, by their submission, with what their
    checkpoints saved; that is no failure. If even so it does not fit, none is stopped, and it
    waits at the head of the queue. Whom to stop, and what becomes of them, the paper leaves open.
    """

    options: Sequence[RecoveryOption] = field(repr=False)

    def begin(self, cluster: Cluster) -> Recover:
        """Return what resubmits the job of a failed attempt."""
        return _Returns(self.of(len(cluster.jobs)), cluster).recover

    def of(self, jobs: int) -> Sequence[RecoveryOption]:
        """Return the options of a workload of so many jobs, or raise ValueError."""
        if len(self.options) != jobs:
            raise ValueError(f"options must be one per job, got {len(self.options)} for {jobs}")
        return self.options


class _Returns:
    """Resubmits, and restarts on their old places the jobs that wait for them."""

    def __init__(self, options: Sequence[RecoveryOption], cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._waiting: list[tuple[Job, Any, float]] = []  # with their places, held until [s]
        self._urgent: list[Job] = []  # that preempt
        cluster.observe(self._restart)
        if any(option.preempts for option in options):
            cluster.observe(self._preempt)

    def recover(self, attempt: Attempt, repaired: float) -> None:
        job, option = attempt.job, self._options[attempt.job.index]
        if option.same_place and repaired < np.inf:
            until = repaired + job.planned
            self._cluster.machine.hold(attempt.placement, until)
            self._waiting.append((job, attempt.placement, until))
            return
        now = self._cluster.now
        at = {"at once": now, "walltime end": max(now, attempt.planned_end), "repair": repaired}
        returns = at[option.returns]
        queued_at = job.submit if option.stands_by == "submission" else returns
        self._cluster.resubmit(job, queued_at=queued_at, at=returns, band=option.band)
        if option.preempts:
            self._urgent.append(job)

    def _preempt(self, news: News) -> None:
        """Start each job that preempts and failed just now."""
        urgent, self._urgent = self._urgent, []
        for job in urgent:
            if (place := self._cluster.machine.place(job)) is None:
                place = self._cleared(job, news)
            if place is not None:
                self._cluster.start(job, place)

    def _cleared(self, job: Job, news: News) -> Any | None:
        """Return a place for the job from which others were stopped, or None and stop none."""
        machine, place = self._cluster.machine, None
        moved: list[Attempt] = []
        for attempt in reversed(self._cluster.running.values()):
            if not self._options[attempt.job.index].preempts:
                machine.give(attempt.placement)
                moved.append(attempt)
                if (place := machine.place(job)) is not None:
                    break
        if place is None:
            for attempt in moved:
                machine.take(attempt.placement)
            return None
        machine.take(place)
        stopped = [attempt for attempt in moved if not self._goes_on(attempt)]
        machine.give(place)
        for attempt in stopped:
            machine.take(attempt.placement)
            self._cluster.preempt(attempt)
            self._cluster.resubmit(attempt.job, queued_at=attempt.job.submit)
        news.failed.extend(stopped)
        return place

    def _goes_on(self, attempt: Attempt) -> bool:
        """Take the place of an attempt again if it is still free; return whether it was."""
        machine = self._cluster.machine
        if not machine.available(attempt.placement):
            return False
        machine.take(attempt.placement)
        return True

    def _restart(self, news: News) -> None:
        """Start each job whose place is free again; one whose place never comes back waits on."""
        if not (news.repaired or news.struck):
            return
        machine, out_until = self._cluster.machine, self._cluster.out_until
        waiting, self._waiting = self._waiting, []
        for job, place, until in waiting:
            machine.release(place)
            outs = (out for node, out in out_until.items() if machine.uses(place, node))
            back = max(outs, default=-NEVER)
            if back == NEVER:
                continue
            if machine.available(place):
                self._cluster.resubmit(job, queued_at=self._cluster.now, band=HEAD)
                self._cluster.start(job, place)
            else:
                later = max(until, back + job.planned)
                machine.hold(place, later)
                self._waiting.append((job, place, later))
