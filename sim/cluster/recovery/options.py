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

__all__ = ["CASES", "OPTIONS", "RecoverByOption", "RecoveryOption", "assign_options"]

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
    """

    name: str
    band: int = MIDDLE
    stands_by: Literal["submission", "return"] = "return"
    returns: Literal["at once", "walltime end", "repair"] = "at once"
    same_place: bool = False

    def __post_init__(self) -> None:
        for name, choices in (("stands_by", _STANDS_BY), ("returns", _RETURNS)):
            one_of(name, getattr(self, name), choices)
        if self.same_place and self.returns != "repair":
            raise ValueError(f"returns must be 'repair' with same_place, got {shown(self.returns)}")


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
}


def assign_options(
    rng: np.random.Generator,
    count: int,
    shares: Mapping[str, float],
    options: Mapping[str, RecoveryOption] = OPTIONS,
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
        cluster.observe(self._restart)

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
