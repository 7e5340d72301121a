"""The advisor of a file, or a new one of what is known at first; and the time."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from asking.moments import Moment, moment_on
from asking.refusals import Field, Refused, given, joined

from ...advisor import CheckpointAdvisor, Prior
from ...levels import Level
from ..requests.advise import AdviseRequest

_PAIRS = (("node_mtbf", "nodes"), ("failures", "observed"))


def advisor_of(request: AdviseRequest) -> tuple[CheckpointAdvisor, bool]:
    """Return the advisor, and whether it is new."""
    path, prior = given(request.state, "state"), _prior_of(request)
    if path.exists():
        return CheckpointAdvisor.load(path), False
    if request.cost is None:
        raise Refused(
            "{} must be given where {} is not there yet, got none: the time for which a "
            "checkpoint stops the job",
            Field("cost"),
            path.name,
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
    clock = time.time()
    return advisor.clocked(clock if request.now is None else _on_clock(request.now, clock))


def end_of(request: AdviseRequest, now: float) -> float | None:
    """Return when the allocation ends, [s] on the clock of `now`; None where it is not said."""
    return None if request.end is None else _on_clock(request.end, now)


def _on_clock(moment: Moment, now: float) -> float:
    """Return a moment in seconds; a date is one of this machine, a duration counts from `now`."""
    return moment.timestamp() if isinstance(moment, datetime) else moment_on(moment, now, now)


def _prior_of(request: AdviseRequest) -> Prior:
    """Return what is known of the failures before the first event."""
    if isinstance(request.failures, Path):
        raise Refused(
            "{} must be a number without {}, got {}",
            Field("failures"),
            Field("sacct"),
            request.failures.name,
        )
    forms = {
        "mtbf": request.mtbf,
        "node_mtbf": request.node_mtbf,
        "failures": request.failures,
    }
    values = {**forms, "nodes": request.nodes, "observed": request.observed}
    for pair in _PAIRS:
        alone = [name for name in pair if values[name] is not None]
        if len(alone) == 1:
            other = next(name for name in pair if name not in alone)
            raise Refused("{} must come with {}, got it alone", Field(alone[0]), Field(other))
    got = [name for name, value in forms.items() if value is not None]
    if len(got) > 1:
        raise Refused(
            "the MTBF must come in at most one form ({}, {} with {}, {} with {}), got {}",
            *map(Field, ("mtbf", "node_mtbf", "nodes", "failures", "observed")),
            joined(" and ", map(Field, got)),
        )
    if request.mtbf is not None:
        return Prior.of_nodes(1, request.mtbf)
    if request.node_mtbf is not None and request.nodes is not None:
        return Prior.of_nodes(request.nodes, request.node_mtbf)
    if request.failures is not None and request.observed is not None:
        return Prior.of_history(request.failures, request.observed)
    return Prior.unknown()
