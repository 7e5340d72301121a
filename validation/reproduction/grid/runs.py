"""One replay of `grid`: a system, a scenario, a policy, a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim.cluster.grid import replay_grid

from .systems import system

__all__ = ["Run", "play"]


@dataclass(frozen=True, slots=True, order=True)
class Run:
    """The parameters; scenarios are BASIC, EXT-REQ, EXT-FAIL and EXT-ALL with a suffix."""

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
    result = replay_grid(
        given.workload,
        given.grid.with_suitability(suits),
        policy=run.policy,
        seed=run.seed,
        failures=given.failures[suffix] if kind in ("EXT-FAIL", "EXT-ALL") else None,
    )
    return {**result.metrics, "killed_by_cluster": result.killed_by_cluster}
