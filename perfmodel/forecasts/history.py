"""What a failure log tells until now: when failures came, on which nodes, and their repairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._checks import ArrayLike, FloatArray, IntArray, nonnegative, positive, scalar, whole

LEAST_FAILURES = 6  # from which on forecasts did better than a count on the open logs


@dataclass(frozen=True, slots=True, eq=False)
class FailureHistory:
    """Failures of a machine since its observation began.

    Parameters
    ----------
    failures : ndarray, [s], shape (n,)
        Ascending times since the observation began.
    observed : float, [s]
        From its beginning until now.
    repairs : ndarray, [s], shape (n,)
        How long the repair of each took; nan where that is not known.
    nodes : ndarray, [-], shape (n,)
        Number of the node that failed, from 0 on; -1 where that is not known.
    machine : int, [-]
        Nodes that there are, failed or not; 0 where that is not known.
    """

    failures: FloatArray
    observed: float
    repairs: FloatArray
    nodes: IntArray
    machine: int = 0

    @classmethod
    def of(
        cls,
        failures: ArrayLike,
        observed: float,
        *,
        repairs: ArrayLike | None = None,
        nodes: ArrayLike | None = None,
        machine: int = 0,
    ) -> FailureHistory:
        """Return the history of failures in any order.

        Raises
        ------
        ValueError
            If a failure is later than `observed`, or there are more nodes than the machine has.
        """
        times: FloatArray = np.ravel(np.asarray(failures, dtype=np.float64))
        if times.size:
            times = np.asarray(nonnegative("failures", times))
        now = scalar(positive, "observed_time", observed)
        if times.size and times.max() > now:
            raise ValueError(f"failures must be <= observed_time, got {times.max():g} of {now:g}")
        order = np.argsort(times, kind="stable")
        took = np.full(times.shape, np.nan) if repairs is None else np.asarray(repairs, np.float64)
        which: Any = np.full(times.shape, -1) if nodes is None else np.asarray(nodes, np.int64)
        size = int(scalar(lambda name, value: whole(name, value, least=0), "machine", machine))
        if size and which.size and which.max() >= size:
            raise ValueError(f"machine must be > the largest of nodes, got {size}")
        return cls(times[order], now, took[order], which[order], size)

    @property
    def named(self) -> bool:
        """Whether it is known which node failed, of each failure."""
        return bool(self.nodes.size) and bool((self.nodes >= 0).all())

    @property
    def interruptions(self) -> int:
        """How often a job on all nodes would have been struck: failures at one instant are one."""
        return int(np.unique(self.failures).size)

    @property
    def truncation(self) -> Literal["time", "failure"]:
        """What ended the observation: the last failure, or a time."""
        last = self.failures.size and self.failures[-1] == self.observed
        return "failure" if last else "time"

    @property
    def ended_repairs(self) -> FloatArray:
        """Repairs that have ended by now, [s]."""
        ended = self.failures + self.repairs <= self.observed  # nan is not
        return np.asarray(self.repairs[ended])

    def until(self, time: float) -> FailureHistory:
        """Return what was known at a `time` [s] since the observation began."""
        return replace(self._where(self.failures <= time), observed=time)

    def since(self, time: float) -> FailureHistory:
        """Return what came after a `time` [s], with times from then on."""
        later = self._where(self.failures > time)
        return replace(later, failures=later.failures - time, observed=self.observed - time)

    def on(self, nodes: npt.NDArray[np.bool_]) -> FailureHistory:
        """Return what is known of some nodes, those that are True; shape (machine,)."""
        return self._where(nodes[self.nodes])

    def _where(self, kept: npt.NDArray[np.bool_]) -> FailureHistory:
        return replace(
            self,
            failures=self.failures[kept],
            repairs=self.repairs[kept],
            nodes=self.nodes[kept],
        )
