"""One replay of `grid`: a system, a scenario, a policy, a seed, and how clusters are ranked."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any
from zlib import compress, decompress

import numpy as np

from sim import metrics
from sim.cluster.grid import GridReplay, replay_grid
from sim.records import FloatArray, Outcome

from .systems import system

__all__ = ["Run", "play", "unpacked"]

_NOT_ENDED = -1


@dataclass(frozen=True, slots=True, order=True)
class Run:
    """The parameters; scenarios are BASIC, EXT-REQ, EXT-FAIL and EXT-ALL with a suffix.

    The stand-in systems have no ranking: their clusters are equally fast.
    """

    system: str
    scenario: str
    policy: str
    seed: int = 0
    ranking: str = ""


def play(run: Run) -> dict[str, Any]:
    """Return the metrics of one run, the kills by cluster, and MetaCentrum's waits job by job."""
    real = run.system == "metacentrum"
    of_run = {"ranking": run.ranking} if real else {"seed": run.seed}
    given = system(run.system, **of_run)
    kind = run.scenario.removesuffix("-L").removesuffix("-M")
    suffix = run.scenario[len(kind) :]
    suits = given.suitability if kind in ("EXT-REQ", "EXT-ALL") else None
    grid = given.grid.with_suitability(suits)
    result = replay_grid(
        given.workload,
        grid,
        policy=run.policy,
        seed=run.seed,
        failures=given.failures[suffix] if kind in ("EXT-FAIL", "EXT-ALL") else None,
    )
    found = {**result.metrics, "killed_by_cluster": result.killed_by_cluster}
    if real:
        found["waits"] = _packed(result, grid.fits(given.workload))
    return found


def _packed(result: GridReplay, suitable: Any) -> str:
    """Return the waits of all jobs as text: whole seconds, as all times of the log are."""
    jobs = result.replay.job_records
    waits = np.full(suitable.size, _NOT_ENDED, dtype="<i4")
    ended = jobs.outcome <= Outcome.KILLED
    waits[np.flatnonzero(suitable)[ended]] = np.rint(metrics.wait(jobs)[ended])
    return b64encode(compress(waits.tobytes())).decode("ascii")


def unpacked(text: str) -> FloatArray:
    """Return the waits of all jobs, [s]; nan where a job did not end successfully."""
    waits = np.frombuffer(decompress(b64decode(text)), dtype="<i4").astype(np.float64)
    waits[waits == _NOT_ENDED] = np.nan
    return waits
