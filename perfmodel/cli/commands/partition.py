"""``perfmodel partition``: which machines to use for a parallel job, and how much work for each."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ...answers.questions.partition import partition as answer
from ...answers.refusals import Field, Refused
from ...answers.requests.machines import Algorithm, PartitionRequest
from ...answers.shown import in_unit, percent, shared_unit
from ...units import human_duration
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import machine_limit
from ..options.types import Wanted
from ..output.tables import print_facts, print_json, print_lines, print_table

if TYPE_CHECKING:
    from ...partition import Schedule

__all__ = ["partition"]

MOST_ROWS = 50
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)


def _algorithm(text: str) -> str:
    if text not in ALGORITHMS:
        raise ValueError
    return text


ALGORITHM = Wanted("name", f"one of {', '.join(ALGORITHMS)}", _algorithm)


def _headline(answer: Mapping[str, Any]) -> Headline:
    return Headline(
        {"machines": Number("count", answer["processes"])}, time=answer["expected_time_s"]
    )


@takes_lists(PartitionRequest, lambda request: answer(request).to_dict(), _headline, per_year=False)
@click.command(epilog=example("perfmodel partition machines.csv --work 1e5h"))
@options_of(PartitionRequest)
@machine_limit
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the shares as CSV, in seconds.")
@fills(PartitionRequest)
def partition(request: PartitionRequest, *, plot: Path | None, as_json: bool, as_csv: bool) -> None:
    """Share a parallel job out among unequal machines.

    They differ in speed and reliability. MACHINES is a CSV with columns speed and mtbf, and if
    you have them mttr, mttr_cv (or mttr_std), interval, checkpoint_cost and name. Durations have
    a unit in each cell (500h) or in the header (mtbf [h]).
    """
    if as_json and as_csv:
        raise Refused("{} must come without {}, got both", Field("json"), Field("csv"))
    found = answer(request)
    rows = [asdict(row) for row in found.machines]
    if plot is not None:
        from ..figures.answers import plot_schedule

        plot_schedule(found.schedule, found.names, plot)
    if as_csv:
        writer = csv.DictWriter(sys.stdout, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return
    if as_json:
        print_json(found.to_dict())
        return
    facts = [
        ("work", f"{human_duration(found.work)} at speed 1"),
        ("machines", f"{len(rows):,} of {len(found.names):,}"),
        ("search", f"{found.algorithm}, {found.schedule.sets_evaluated:,} sets evaluated"),
        *(("note", note) for note in found.notes),
    ]
    _show(found.schedule, facts, rows)


def _show(found: Schedule, facts: list[tuple[str, str]], rows: list[dict[str, Any]]) -> None:
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(row["share_s"] for row in rows)
    table = [
        [
            row["machine"],
            in_unit(row["share_s"], factor),
            percent(row["share"], 2),
            in_unit(row["compute_time_s"], factor),
        ]
        for row in rows[:MOST_ROWS]
    ]
    print_table(
        ["machine", f"share\n[{unit}]", "share\n[%]", f"failure-free\ntime [{unit}]"], table
    )
    lines = [
        f"Done after {human_duration(found.expected_time)} on average, standard deviation "
        f"{human_duration(found.std)}; each subtask takes {human_duration(found.subtask_time)} "
        "on average."
    ]
    if len(rows) > MOST_ROWS:
        lines.insert(0, f"... and {len(rows) - MOST_ROWS:,} more machines: --csv shows all.")
    if found.missed:
        lines.append(
            f"Bisection alone would have stopped at {found.plain_processes:,} machines, which is "
            "worse than what the scan found."
        )
    print_lines("", *lines)
