"""One replay of `grid`: a system, a scenario, a policy, a seed; and many of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from sim.cluster.grid_replay import grid_replay

from .grid_systems import system

__all__ = ["Run", "play", "play_all"]


@dataclass(frozen=True, slots=True, order=True)
class Run:
    """What is asked for; scenarios are BASIC, EXT-REQ, EXT-FAIL and EXT-ALL with a suffix."""

    system: str
    scenario: str
    policy: str
    seed: int = 0


def play(run: Run) -> dict[str, Any]:
    """Return the metrics of one run, with the kills by cluster."""
    given = system(run.system)
    kind = run.scenario.removesuffix("-L").removesuffix("-M")
    suffix = run.scenario[len(kind) :]
    suits = given.suitability if kind in ("EXT-REQ", "EXT-ALL") else None
    result = grid_replay(
        given.workload,
        given.grid.with_suitability(suits),
        policy=run.policy,
        seed=run.seed,
        failures=given.failures[suffix] if kind in ("EXT-FAIL", "EXT-ALL") else None,
    )
    return {**result.metrics, "killed_by_cluster": result.killed_by_cluster}


def play_all(runs: Iterable[Run], *, workers: int) -> dict[Run, dict[str, Any]]:
    """Return the metrics of every run, whatever the number of processes."""
    asked = sorted(set(runs))
    if workers == 1:
        return {run: play(run) for run in asked}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return dict(zip(asked, pool.map(play, asked), strict=True))
