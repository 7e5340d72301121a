"""The MTBF of all nodes or blocks of a machine, and their repair, from what was seen."""

from __future__ import annotations

import click

from ..options.filling import given, typed
from ..options.reading import refuse_idle_reading
from ..requests.machines import SparesRequest
from .estimates import Mtbf, from_counts, from_log

__all__ = ["mean_repair", "refuse_two_mtbfs", "seen_failures"]


def refuse_two_mtbfs(request: SparesRequest, flag: str) -> None:
    """Refuse failures beside an MTBF, and half of what makes a count of failures."""
    refuse_idle_reading(unless=request.log is not None, lead="--log")
    if request.log is not None:
        for other in (flag, "--failures", "--observed"):
            if typed(other):
                raise click.UsageError(f"{other} must be left out with --log")
    elif request.format is not None:
        raise click.UsageError("--format must come with --log, got it alone")
    if (request.failures is None) != (request.observed is None):
        alone, other = "--failures", "--observed"
        if request.failures is None:
            alone, other = other, alone
        raise click.UsageError(f"{alone} must come with {other}, got it alone")
    if request.failures is not None and typed(flag):
        raise click.UsageError(f"{flag} must be left out with --failures")


def seen_failures(request: SparesRequest, units: int) -> Mtbf | None:
    """Return the MTBF of all `units` together by the failures that were seen, None without any."""
    if request.log is not None:
        return from_log(request.log, request.format, nodes=units, reading=request)
    if request.failures is None:
        return None
    return from_counts(request.failures, given(request.observed, "--observed"))


def mean_repair(request: SparesRequest, seen: Mtbf | None) -> float:
    """Return the mean time to repair one, [s], as given or as the log has it."""
    log = None if seen is None else seen.log
    if request.mttr is None and log is not None:
        repairs = log.uptimes.repairs
        if not repairs.size:
            raise click.UsageError(f"--mttr must be given, as {log.report.source} has no repairs")
        return float(repairs.mean())
    return given(request.mttr, "--mttr")
