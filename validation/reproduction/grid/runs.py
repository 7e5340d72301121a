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
    """Return the metrics of one run, the kills by cluster, and MetaCentrum's waits job by job.

    Where runtimes depend on the cluster, also how long each job ran.
    """
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
        scale=given.scale,
        failures=given.failures[suffix] if kind in ("EXT-FAIL", "EXT-ALL") else None,
    )
    found = {**result.metrics, "killed_by_cluster": result.killed_by_cluster}
    if real:
        suitable, jobs = grid.fits(given.workload), result.replay.job_records
        found["waits"] = _packed(metrics.wait(jobs), result, suitable)
        if given.scale is not None:
            found["lengths"] = _packed(jobs.executed, result, suitable)
    return found


def _packed(times: FloatArray, result: GridReplay, suitable: Any) -> str:
    """Return a time of each job as text; whole seconds of 190 days and less are kept exactly."""
    ended = result.replay.job_records.outcome <= Outcome.KILLED
    kept = np.full(suitable.size, np.nan, dtype="<f4")
    kept[np.flatnonzero(suitable)[ended]] = times[ended]
    return b64encode(compress(kept.tobytes())).decode("ascii")


def unpacked(text: str) -> FloatArray:
    """Return a time of all jobs, [s]; nan where a job did not end successfully."""
    return np.frombuffer(decompress(b64decode(text)), dtype="<f4").astype(np.float64)
