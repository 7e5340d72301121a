"""The table of scenarios and policies of a grid."""

from __future__ import annotations

from math import isfinite
from typing import Any

from ...answers.shown import in_unit, shared_unit, two_decimals
from .tables import print_table

_WIDEST = 1000.0  # ratio in a column of numbers that its unit suits


def show_scenarios(
    rows: list[dict[str, Any]], recorded: dict[str, Any] | None, *, kill: bool, timed: bool
) -> None:
    """Print a line for each row, one for its spread over the seeds, and what the log has."""
    told = [*rows, *([] if recorded is None else [recorded])]
    unit, factor = _unit([row["mean_response_s"] for row in told])
    wait_unit, wait_factor = _unit([row["mean_wait_s"] for row in told])
    counts = ["kills", "cancelled", *(["killed_at_walltime"] if kill else [])]

    def cells(row: dict[str, Any], decimals: int) -> list[str]:
        return [
            two_decimals(row["mean_slowdown"]),
            _shown(row["mean_response_s"], factor),
            _shown(row["mean_wait_s"], wait_factor),
            *(f"{row[name]:,.{decimals}f}" if name in row else "-" for name in counts),
            *([f"{row['scheduler_s']:,.2f}" if "scheduler_s" in row else "-"] if timed else []),
        ]

    table = []
    for row in rows:
        table.append([row["scenario"], row["policy"], *cells(row, 0)])
        if "sd" in row:
            table.append(["", f"± sd, {row['seeds']} seeds", *cells(row["sd"], 1)])
    if recorded is not None:
        table.append(["recorded", "", *cells(recorded, 0)])
    headings = [
        "scenario",
        "policy",
        "slowdown",
        f"response\n[{unit}]",
        f"wait\n[{wait_unit}]",
        "attempts\nkilled",
        "jobs\ncancelled",
        *(["killed at\nwalltime"] if kill else []),
        *(["scheduler\n[s]"] if timed else []),
    ]
    print_table(headings, table, words=2)


def _unit(seconds: list[float]) -> tuple[str, float]:
    """Return a unit for a column in which milliseconds may stand beside weeks."""
    most = max((value for value in seconds if isfinite(value)), default=0.0)
    return shared_unit(value for value in seconds if value >= most / _WIDEST)


def _shown(seconds: float, factor: float) -> str:
    text = in_unit(seconds, factor)
    return "<0.01" if text == "0.00" and seconds > 0.0 else text
