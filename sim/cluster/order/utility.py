"""Utility functions: the score by which waiting jobs are tried, and how far one may fall back.

`qsim` Table II. A job's score says how urgent and important it is; when the job with the top
score cannot start, only jobs with a score above ``threshold * top score`` are tried next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..._libm import log2, powers
from .expression import parse_expression

__all__ = ["UTILITIES", "Utility", "utility_from_expression"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
Score: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray, float, int], FloatArray]


@dataclass(frozen=True, slots=True)
class Utility:
    """A named score with its fall-back threshold.

    Parameters
    ----------
    name : str
        What tables call it.
    score : callable
        ``score(wait, walltime, nodes, smallest, queue_length)``: three float64 arrays of one
        shape, [s], [s], [node]; the smallest partition size, [node]; the number of waiting jobs.
        Returns an array of that shape; higher goes first.
    threshold : float, [-]
        Between 0 (every job may be tried) and 1 (only jobs that tie with the top score).
    """

    name: str
    score: Score
    threshold: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 1.0:
            raise ValueError(f"threshold must be in [0, 1], got {self.threshold!r}")

    def with_threshold(self, threshold: float) -> Utility:
        """Return the same score with another threshold."""
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

    def scores(
        self, wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float
    ) -> FloatArray:
        """Return the scores of all waiting jobs, [-]; raise if one is not a number."""
        with np.errstate(all="ignore"):
            scores = np.asarray(
                self.score(wait, walltime, nodes, smallest, wait.size), dtype=np.float64
            )
        scores = np.broadcast_to(scores, wait.shape)
        bad = np.isnan(scores)
        if bad.any():
            at = int(np.argmax(bad))
            raise ValueError(
                f"score of {self.name} must be a number, got nan for wait={wait[at]:g}, "
                f"walltime={walltime[at]:g}, nodes={nodes[at]:g}"
            )
        return scores


def fcfs(
    wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float, queue_length: int
) -> FloatArray:
    """First come, first served: S = q."""
    del walltime, nodes, smallest, queue_length
    return wait


def fat(
    wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float, queue_length: int
) -> FloatArray:
    """Favour large jobs: S = (q / t) (n / n_s)^3."""
    del queue_length
    return wait / walltime * powers(nodes / smallest, 3.0)


def wfp1(
    wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float, queue_length: int
) -> FloatArray:
    """Favour old and short jobs without starving large ones: S = (q / t) n."""
    del smallest, queue_length
    return wait / walltime * nodes


def wfp3(
    wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float, queue_length: int
) -> FloatArray:
    """Favour old and short jobs more, without starving large ones: S = (q / t)^3 n."""
    del smallest, queue_length
    return powers(wait / walltime, 3.0) * nodes


def fcsj(
    wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float, queue_length: int
) -> FloatArray:
    """Favour old and short jobs whatever their size: S = q / t."""
    del nodes, smallest, queue_length
    return wait / walltime


def unicef(
    wait: FloatArray, walltime: FloatArray, nodes: FloatArray, smallest: float, queue_length: int
) -> FloatArray:
    """Favour small jobs: S = q / (log2(n) t); at n = 1 infinite, but 0 for a job just submitted.

    The formula divides by log2(1) = 0 there. Its limit from above is infinite for q > 0; for
    q = 0 it has none, and 0 keeps a job that has not waited behind all that have.
    """
    del smallest, queue_length
    return np.where(wait > 0.0, wait / (log2(nodes) * walltime), 0.0)


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


def utility_from_expression(text: str, *, threshold: float = 0.0) -> Utility:
    """Return the utility that a site writes as arithmetic, e.g. ``(wait/walltime)**3*nodes``.

    Parameters
    ----------
    text : str
        Arithmetic over `wait`, `walltime` [s], `nodes`, `smallest` [node], `queue_length` [-].
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
    """
    expression = parse_expression(text)

    def score(
        wait: FloatArray,
        walltime: FloatArray,
        nodes: FloatArray,
        smallest: float,
        queue_length: int,
    ) -> FloatArray:
        return expression(
            {
                "wait": wait,
                "walltime": walltime,
                "nodes": nodes,
                "smallest": np.asarray(float(smallest)),
                "queue_length": np.asarray(float(queue_length)),
            }
        )

    return Utility(text, score, threshold)
