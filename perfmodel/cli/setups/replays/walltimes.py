"""What stands in for the walltimes that a log does not have."""

from __future__ import annotations

import click

from ...requests.replay import MissingWalltime

__all__ = ["missing_walltimes"]


def missing_walltimes(
    missing: MissingWalltime | None, factor: float | None
) -> tuple[MissingWalltime, float]:
    """Return the rule and its factor, as `Workload.from_frame` takes them."""
    if factor is not None and missing not in (None, "factor"):
        raise click.UsageError(
            f"--walltime-factor must be left out with --missing-walltime {missing}"
        )
    if factor is None and missing == "factor":
        raise click.UsageError("--missing-walltime factor must have a --walltime-factor")
    return missing or ("runtime" if factor is None else "factor"), factor or 1.0
