"""The MTBF of all nodes or blocks of a machine, and their repair, from what was seen."""

from __future__ import annotations

from dataclasses import replace

from asking.refusals import Field, Refused, given

from ..requests.machines import SparesRequest
from .estimates import Mtbf, from_counts, from_log


def seen_failures(request: SparesRequest, units: int) -> Mtbf | None:
    """Return the MTBF of all `units` together by the failures that were seen, None without any.

    Of nodes that fail at one instant each counts, as each has to be replaced.
    """
    from ..logs.history import history_of

    if request.log is not None:
        size = request.log_nodes or units
        seen = from_log(request, nodes=units, machine=size)
        log, failures, observed = seen.log, seen.failures, seen.observed
        assert log is not None
        assert failures is not None
        assert observed is not None
        if request.log_nodes is not None:
            if log.of_jobs:
                raise Refused("{} must be left out with a log of jobs", Field("log_nodes"))
            log.refuse_fewer(size)
        history = None if log.of_jobs else history_of(log)
        if history is not None and history.failures.size > failures:
            failures, observed = history.failures.size, history.observed
            seen = from_counts(failures, observed, log=log, truncation=history.truncation)
        if size == units:
            return seen
        found = from_counts(failures, observed * size / units, log=log, truncation=seen.truncation)
        return replace(found, words=f"{seen.words} of {size:,} nodes, as given")
    if request.failures is None:
        return None
    return from_counts(request.failures, given(request.observed, "observed"))


def mean_repair(request: SparesRequest, seen: Mtbf | None) -> float:
    """Return the mean time to repair one, [s], as given or as the log has it."""
    log = None if seen is None else seen.log
    if request.mttr is None and log is not None:
        repairs = log.uptimes.repairs
        if not repairs.size:
            raise Refused(
                "{} must be given, as {} has no repairs", Field("mttr"), log.report.source
            )
        return float(repairs.mean())
    return given(request.mttr, "mttr")


def spares_at(nodes: int, node_mtbf: float, mttr: float, probability: float) -> int:
    """Return the spares that suffice with a probability at a constant rate; times in [s]."""
    from ...parallel import spares_needed

    return int(spares_needed(nodes, node_mtbf, mttr, probability))
