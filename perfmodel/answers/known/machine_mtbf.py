"""The MTBF of all nodes or blocks of a machine, and their repair, from what was seen."""

from __future__ import annotations

from asking.refusals import Field, Refused, given

from ..requests.machines import SparesRequest
from .estimates import Mtbf, from_counts, from_log


def seen_failures(request: SparesRequest, units: int) -> Mtbf | None:
    """Return the MTBF of all `units` together by the failures that were seen, None without any."""
    if request.log is not None:
        return from_log(request, nodes=units)
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
