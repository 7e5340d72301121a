"""Where the use over time of replays is written."""

from __future__ import annotations

from pathlib import Path

import click

from .types import OUTPUT_FILE

use_out = click.option(
    "--use-out",
    type=OUTPUT_FILE,
    help="Write what --use-over-time asks for as CSV, a row per replay and period.",
)


def refuse_idle_use_out(path: Path | None, step: float | None) -> None:
    """Refuse the file where no use over time is asked for."""
    if path is not None and step is None:
        raise click.UsageError("--use-out must come with --use-over-time, got it alone")
