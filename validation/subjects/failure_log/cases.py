"""Names in a failure log mapped to nodes of a machine, judged by a log with known nodes.

`predict` is here the function of `sim` that builds the failure feed, or a wrong one; no formula
of `perfmodel` is judged. The logs are constructed without random numbers, so that the node of
each failure and the jobs that it ends are known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.cluster import Workload, flat, replay
from sim.cluster.failures import failures_from_frame
from validation.judge.compare import compare_number
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CASES"]

Predict = Callable[..., Any]

NODES, FAILURES = 512, 25
JOB, HOUR = 128, 3600.0
# The nodes that fail, scattered over the machine.
STRUCK = (37 + 61 * np.arange(FAILURES) ** 2) % NODES


def nodes_struck(predict: Predict, budget: Budget, *, called: str) -> Verdict:
    """Judge which nodes the failures of a log strike, in their order."""
    del budget
    feed, _ = predict(_log(called), nodes=NODES, names=_names(called))
    order = np.arange(1.0, FAILURES + 1.0)
    # If a failure is missing, the weighted sum is wrong as well.
    found = float(feed.node @ order[: len(feed)])
    return compare_number(float(STRUCK @ order), found, tolerance=0.0)


def jobs_struck(predict: Predict, budget: Budget, *, called: str) -> Verdict:
    """Judge how many jobs, one per hour on the first quarter of the machine, a failure ends."""
    del budget
    feed, _ = predict(_log(called), nodes=NODES, names=_names(called))
    jobs = Workload(
        submit=HOUR * np.arange(FAILURES, dtype=np.float64),
        runtime=np.full(FAILURES, HOUR),
        walltime=np.full(FAILURES, HOUR),
        processors=np.full(FAILURES, JOB),
    )
    played = replay(jobs, flat(NODES), policy="fcfs", failures=feed, recovery="drop")
    return compare_number(
        float(np.sum(STRUCK < JOB)), float(np.sum(played.job_records.failures > 0)), tolerance=0.0
    )


def _names(called: str) -> tuple[str, ...]:
    """Return the list of names, not sorted, or none if names end in their node numbers."""
    if called == "by its number":
        return ()
    return tuple(f"host{(193 * node + 7) % NODES}" for node in range(NODES))


def _log(called: str) -> pd.DataFrame:
    import pandas as pd

    names = _names(called) or tuple(f"nid{node:04d}" for node in range(NODES))
    return pd.DataFrame(
        {
            "time": HOUR * (np.arange(FAILURES) + 0.5),
            "node": [names[node] for node in STRUCK],
            "repair": np.ones(FAILURES),
        }
    )


POINTS = ({"called": "by its number"}, {"called": "by a list"})
CASES = (
    Case(failures_from_frame, nodes_struck, POINTS, chance=False),
    Case(failures_from_frame, jobs_struck, POINTS, chance=False),
)
