"""The advisor of a file, or a new one of what is known at first; and the time."""

from __future__ import annotations

import time
from pathlib import Path

import click

from ...advisor import CheckpointAdvisor, Prior
from ...levels import Level
from ..options.filling import given
from ..requests.advise import AdviseRequest

__all__ = ["advisor_of", "now_of"]

_PAIRS = (("--node-mtbf", "--nodes"), ("--failures", "--observed"))


def advisor_of(request: AdviseRequest) -> tuple[CheckpointAdvisor, bool]:
    """Return the advisor, and whether it is new."""
    path, prior = given(request.state, "--state"), _prior_of(request)
    if path.exists():
        return CheckpointAdvisor.load(path), False
    if request.cost is None:
        raise click.UsageError(
            f"--cost must be given where {path.name} is not there yet, got none: the time for "
            "which a checkpoint stops the job"
        )
    copies = sorted(request.levels, key=lambda copy: (copy.survives, copy.cost))
    return CheckpointAdvisor(
        cost=request.cost,
        prior=prior,
        latency=request.latency,
        recovery_cost=request.recovery_cost,
        least=request.least,
        levels=[Level(copy.cost, copy.recovery, copy.survives) for copy in copies],
    ), True


def now_of(request: AdviseRequest, advisor: CheckpointAdvisor) -> float:
    """Return the time of the call, [s], on the clock of the last event."""
    return advisor.clocked(time.time() if request.now is None else request.now)


def _prior_of(request: AdviseRequest) -> Prior:
    """Return what is known of the failures before the first event."""
    if isinstance(request.failures, Path):
        raise click.UsageError(
            f"--failures must be a number without --sacct, got {request.failures.name}"
        )
    forms = {
        "--mtbf": request.mtbf,
        "--node-mtbf": request.node_mtbf,
        "--failures": request.failures,
    }
    values = {**forms, "--nodes": request.nodes, "--observed": request.observed}
    for pair in _PAIRS:
        alone = [flag for flag in pair if values[flag] is not None]
        if len(alone) == 1:
            other = next(flag for flag in pair if flag not in alone)
            raise click.UsageError(f"{alone[0]} must come with {other}, got it alone")
    got = [flag for flag, value in forms.items() if value is not None]
    if len(got) > 1:
        raise click.UsageError(
            "the MTBF must come in at most one form (--mtbf, --node-mtbf with --nodes, --failures "
            f"with --observed), got {' and '.join(got)}"
        )
    if request.mtbf is not None:
        return Prior.of_nodes(1, request.mtbf)
    if request.node_mtbf is not None and request.nodes is not None:
        return Prior.of_nodes(request.nodes, request.node_mtbf)
    if request.failures is not None and request.observed is not None:
        return Prior.of_history(request.failures, request.observed)
    return Prior.unknown()
