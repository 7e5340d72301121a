"""The MTBF of all nodes or blocks of a machine, from the failures that were seen."""

from __future__ import annotations

import click

from ..options.filling import given, typed
from ..requests.machines import SparesRequest
from .estimates import Mtbf, from_counts

__all__ = ["refuse_two_mtbfs", "seen_failures"]


def refuse_two_mtbfs(request: SparesRequest, flag: str) -> None:
    """Refuse failures beside an MTBF, and half of what makes a count of failures."""
    if (request.failures is None) != (request.observed is None):
        alone, other = "--failures", "--observed"
        if request.failures is None:
            alone, other = other, alone
        raise click.UsageError(f"{alone} must come with {other}, got it alone")
    if request.failures is not None and typed(flag):
        raise click.UsageError(f"{flag} must be left out with --failures")


def seen_failures(request: SparesRequest) -> Mtbf | None:
    """Return the MTBF of all together by the failures that were seen, None if none is given."""
    if request.failures is None:
        return None
    return from_counts(request.failures, given(request.observed, "--observed"))
