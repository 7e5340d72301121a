"""Wrong costs of recovery: each drops one thing that the replayed jobs do."""

from __future__ import annotations

from typing import Any

import numpy as np

from perfmodel.site import expected_failure_slowdown, expected_manual_wait, recovery_charge
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _no_repair(work: Any, *, downtime: Any, **job: Any) -> Any:
    del downtime
    return expected_failure_slowdown(work, downtime=0.0, **job)


def _over_all_jobs(work: Any, *, mtbf: Any, **job: Any) -> Any:
    return expected_failure_slowdown(work, mtbf=mtbf, **job) * -np.expm1(-work / mtbf)


def _fails_in_the_middle(duration: Any, *, walltime: Any, mtbf: Any) -> Any:
    del mtbf
    return walltime - duration / 2.0


def _whole_walltime(duration: Any, *, walltime: Any, mtbf: Any) -> Any:
    del duration, mtbf
    return walltime


def _without_allowance(runtime: Any, *, nodes: Any, price: Any, allowance: Any) -> Any:
    del allowance
    return price * runtime * nodes


MUTANTS = (
    Mutant(expected_failure_slowdown, "the repair takes no time", _no_repair),
    Mutant(expected_failure_slowdown, "averaged over all jobs", _over_all_jobs),
    Mutant(expected_manual_wait, "failures strike in the middle", _fails_in_the_middle),
    Mutant(expected_manual_wait, "failures strike at the start", _whole_walltime),
    Mutant(recovery_charge, "no allowance", _without_allowance),
)
