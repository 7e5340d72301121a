"""Utility functions: the score by which waiting jobs are tried, and how far one may fall back.

`qsim` Table II. A job's score says how urgent and important it is; when the job with the top
score cannot start, only jobs with a score above ``threshold * top score`` are tried next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import fraction
from ..._libm import log2, powers
from ...records import FloatArray
from .expression import Expression, by_time, parse_expression
from .program import Op, Program, program_of

__all__ = ["UTILITIES", "Utility", "Waiting", "utility_by_time", "utility_from_expression"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The waiting jobs, as a score sees them.

    Parameters
    ----------
    wait : ndarray, shape (Q,), [s]
        How long each job has waited.
    walltime : ndarray, shape (Q,), [s]
        What each job asks for.
    nodes : ndarray, shape (Q,), [node]
        The size of each job.
    smallest : float, [node]
        The smallest partition of the machine.
    user, project, queue : ndarray, shape (Q,), [-]
        Numbers of the log, the project is its group; -1 where unknown.
    time : float, [s]
        On the clock of the log.
    """

    wait: FloatArray
    walltime: FloatArray
    nodes: FloatArray
    smallest: float
    user: npt.ArrayLike = -1.0
    project: npt.ArrayLike = -1.0
    queue: npt.ArrayLike = -1.0
    time: float = 0.0

    @property
    def queue_length(self) -> int:
        """How many jobs wait, [-]."""
        return self.wait.size


Score: TypeAlias = Callable[[Waiting], FloatArray]


@dataclass(frozen=True, slots=True)
class Utility:
    """A named score with its fall-back threshold.

    Parameters
    ----------
    name : str
        What tables call it.
    score : callable
        Takes `Waiting`, returns a number for each job, [-]; the highest goes first.
    threshold : float, [-]
        Between 0 (every job may be tried) and 1 (only jobs that tie with the top score).
    """

    name: str
    score: Score
    threshold: float = 0.0

    def __post_init__(self) -> None:
        fraction("threshold", self.threshold)

    @property
    def program(self) -> Program | None:
        """The score as a program for compiled code; None where it is a Python function."""
        if isinstance(self.score, _Written):
            return self.score.expression.program
        for function, steps in _STEPS:
            if self.score is function:
                return program_of(
                    (step, 0.0) if isinstance(step, Op) else (Op.NUMBER, step) for step in steps
                )
        return None

    def with_threshold(self, threshold: float) -> Utility:
        """Return the utility with another threshold."""
        return replace(self, threshold=threshold)

    def eligible(self, descending: FloatArray) -> int:
        """Return how many of the scores, sorted in descending order, reach the fall-back score.

        That is ``threshold`` times the top score; a tie with it reaches it. Threshold 0 means
        every job, also where scores are negative or infinite.
        """
        if self.threshold == 0.0 or descending.size == 0:
            return descending.size
        # Below zero the product lies above the top score, which is always tried.
        fallback = min(self.threshold * descending[0], descending[0])
        return int(np.count_nonzero(descending >= fallback))

    def scores(self, jobs: Waiting) -> FloatArray:
        """Return the scores of all waiting jobs, [-]; raise if one is not a number."""
        with np.errstate(all="ignore"):
            scores = np.asarray(self.score(jobs), dtype=np.float64)
        scores = np.broadcast_to(scores, jobs.wait.shape)
        bad = np.isnan(scores)
        if bad.any():
            at = int(np.argmax(bad))
            raise ValueError(
                f"score of {self.name} must be a number, got nan for wait={jobs.wait[at]:g}, "
                f"walltime={jobs.walltime[at]:g}, nodes={jobs.nodes[at]:g}"
            )
        return scores


def fcfs(jobs: Waiting) -> FloatArray:
    """First come, first served: S = q."""
    return jobs.wait


def fat(jobs: Waiting) -> FloatArray:
    """Favour large jobs: S = (q / t) (n / n_s)^3."""
    return jobs.wait / jobs.walltime * powers(jobs.nodes / jobs.smallest, 3.0)


def wfp1(jobs: Waiting) -> FloatArray:
    """Favour old and short jobs without starving large ones: S = (q / t) n."""
    return jobs.wait / jobs.walltime * jobs.nodes


def wfp3(jobs: Waiting) -> FloatArray:
    """Favour old and short jobs more, without starving large ones: S = (q / t)^3 n."""
    return powers(jobs.wait / jobs.walltime, 3.0) * jobs.nodes


def fcsj(jobs: Waiting) -> FloatArray:
    """Favour old and short jobs whatever their size: S = q / t."""
    return jobs.wait / jobs.walltime


def unicef(jobs: Waiting) -> FloatArray:
    """Favour small jobs: S = q / (log2(n) t); at n = 1 infinite, but 0 for a job just submitted.

    The formula divides by log2(1) = 0 there. Its limit from above is infinite for q > 0; for
    q = 0 it has none, and 0 puts a job that has not waited behind all that have.
    """
    return np.where(jobs.wait > 0.0, jobs.wait / (log2(jobs.nodes) * jobs.walltime), 0.0)


@dataclass(frozen=True, slots=True)
class _Written:
    """The score that a text says."""

    expression: Expression

    def __call__(self, jobs: Waiting) -> FloatArray:
        return self.expression(
            {
                "wait": jobs.wait,
                "walltime": jobs.walltime,
                "nodes": jobs.nodes,
                "smallest": np.asarray(float(jobs.smallest)),
                "queue_length": np.asarray(float(jobs.queue_length)),
                "user": np.asarray(jobs.user, np.float64),
                "project": np.asarray(jobs.project, np.float64),
                "queue": np.asarray(jobs.queue, np.float64),
                "time": np.asarray(float(jobs.time)),
            }
        )


UTILITIES: dict[str, Utility] = {
    name: Utility(name, score)
    for name, score in (
        ("fcfs", fcfs),
        ("fat", fat),
        ("wfp1", wfp1),
        ("wfp3", wfp3),
        ("fcsj", fcsj),
        ("unicef", unicef),
    )
}


# The same as texts; `zero_if_new` of UNICEF as a condition.
_WRITTEN = {
    "fcfs": "wait",
    "fat": "wait/walltime*(nodes/smallest)**3",
    "wfp1": "wait/walltime*nodes",
    "wfp3": "(wait/walltime)**3*nodes",
    "fcsj": "wait/walltime",
    "unicef": "where(wait > 0, wait/(log2(nodes)*walltime), 0)",
}
# What the functions above compute, for compiled code.
_RATIO = (Op.WAIT, Op.WALLTIME, Op.DIVIDE)
_STEPS: tuple[tuple[Score, tuple[Op | float, ...]], ...] = (
    (fcfs, (Op.WAIT,)),
    (fat, (*_RATIO, Op.NODES, Op.SMALLEST, Op.DIVIDE, 3.0, Op.POWER_FOR_ALL, Op.MULTIPLY)),
    (wfp1, (*_RATIO, Op.NODES, Op.MULTIPLY)),
    (wfp3, (*_RATIO, 3.0, Op.POWER_FOR_ALL, Op.NODES, Op.MULTIPLY)),
    (fcsj, _RATIO),
    (unicef, (Op.WAIT, Op.LOG_NODES, Op.WALLTIME, Op.MULTIPLY, Op.DIVIDE, Op.ZERO_IF_NEW)),
)


def utility_from_expression(text: str, *, threshold: float = 0.0) -> Utility:
    """Return the utility that a site writes as arithmetic, e.g. ``(wait/walltime)**3*nodes``.

    Parameters
    ----------
    text : str
        Over `wait`, `walltime`, `time` [s], `nodes`, `smallest` [node], `queue_length`, `user`,
        `project`, `queue` [-]; see `parse_expression`.
    threshold : float, [-]
        See `Utility`; in [0, 1].

    Returns
    -------
    Utility
        Named by its text.

    Raises
    ------
    ValueError
        If `text` is not plain arithmetic over these names, or `threshold` is outside [0, 1].

    Examples
    --------
    >>> unicef = utility_from_expression("wait/(log2(nodes)*walltime)")
    >>> unicef.scores(Waiting(np.array([60.0]), np.array([600.0]), np.array([64.0]), 64.0)).round(6)
    array([0.016667])
    """
    return Utility(text, _Written(parse_expression(text)), threshold)


def utility_by_time(
    first: str, later: Sequence[tuple[float, str]], *, threshold: float = 0.0
) -> Utility:
    """Return a utility that changes at stated times, as a site may change it on the fly.

    Parameters
    ----------
    first : str
        Of `UTILITIES`, or an expression: until the first change.
    later : sequence of (float, str)
        From when on [s], on the clock of the log, which utility; times rise.
    threshold : float, [-]
        See `Utility`; in [0, 1], the same at all times.

    Returns
    -------
    Utility
        Named by all of them. A change starts no job by itself: the next pass has new scores.

    Raises
    ------
    ValueError
        If a text is not an expression, or times do not rise.

    Examples
    --------
    >>> both = utility_by_time("wait", [(3600.0, "-nodes")])
    >>> jobs = np.array([60.0]), np.array([600.0]), np.array([64.0]), 64.0
    >>> [float(both.scores(Waiting(*jobs, time=at))[0]) for at in (3599.0, 3600.0)]
    [60.0, -64.0]
    """
    times = [time for time, _ in later]
    if any(after <= before for before, after in pairwise(times)):
        raise ValueError(f"times of later utilities must rise, got {times!r}")
    texts = [first, *(text for _, text in later)]
    name = "; ".join([first, *(f"{time:g} s: {text}" for time, text in later)])
    scores = [parse_expression(_WRITTEN.get(text, text)) for text in texts]
    return Utility(name, _Written(by_time(scores, times)), threshold)
