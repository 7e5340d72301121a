"""Where the use over time of replays is written."""

from __future__ import annotations

import click

from .filling import refuse_idle
from .types import OUTPUT_FILE

__all__ = ["refuse_idle_use_out", "use_out"]

use_out = click.option(
    "--use-out",
    type=OUTPUT_FILE,
    help="Write what --use-over-time asks for as CSV, a row per replay and period.",
)


def refuse_idle_use_out(step: float | None) -> None:
    """Refuse the file where no use over time is asked for."""
    refuse_idle("--use-out", unless=step is not None, lead="--use-over-time")
