"""``perfmodel sweep``: many cells of a study, in a ledger that survives whatever ends the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from asking.refusals import given
from asking.units import human_count

from ...answers.sweeps.question import SweepAnswer
from ...answers.sweeps.question import sweep as answer
from ...answers.sweeps.request import SweepRequest
from ...answers.sweeps.study_file import read_study
from ..errors import going_on
from ..figures import plot_option
from ..figures.cells import plot_cells
from ..options.example import example as example_of
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.kept_tables import words_of_ends
from ..output.progress import sweep_progress
from ..plain import echo
from ..sweeps import EXAMPLE, write_table
from ..sweeps.cells import cells_of_sweep, measures_of_sweep, varied_of
from ..sweeps.table_file import ENDS, MOST_ON_A_PAGE, WHOLE, write_shown


@click.command(epilog=example_of("perfmodel sweep --example"))
@click.option("--example", is_flag=True, help="Print a study to start from.")
@options_of(SweepRequest)
@plot_option
@log_limits
@fills(SweepRequest)
def sweep(request: SweepRequest, *, example: bool, plot: Path | None) -> None:
    """Compute formulas, simulated jobs or replays for many parameters.

    STUDY is a TOML file: what is computed, for which grid or sample of parameters, and how often.
    What is done is kept in the ledger: after Ctrl-C, a crash or a full disk the same command goes
    on, and several at once share the work. The table does not depend on how it was computed.
    """
    if example:
        if request.says("study", "ledger", "table"):
            raise click.UsageError("--example must come alone, got more")
        click.echo(EXAMPLE, nl=False)
        return
    path = given(request.study, "study")
    ledger = given(request.ledger, "ledger").name
    table = given(request.table, "table")
    if table.suffix not in ENDS:
        ends = words_of_ends(ENDS)
        raise click.UsageError(f"--table must end with {ends}, got {table.name!r}")
    size = read_study(path, allow_code=request.allow_code).size
    if table.suffix not in WHOLE and size > MOST_ON_A_PAGE:
        raise click.UsageError(
            f"--table must be .csv or .parquet for more than {MOST_ON_A_PAGE:,} cells, got {size:,}"
        )
    failed = [0]
    with going_on(f"what was computed is kept in {ledger}, from which the same command goes on"):
        found = answer(request, progress=sweep_progress, warn=lambda words: echo(words, err=True))
        if table.suffix in WHOLE:
            write_table(table, _counted(found, failed))
        else:
            write_shown(table, _counted(found, failed), found.study)
        if plot is not None:
            cells = cells_of_sweep(found.study, found.rows())
            plot_cells(cells, varied_of(found.study), measures_of_sweep(found.study, cells), plot)
    echo(f"{table}: {human_count(size, 'cell')}")
    if failed[0]:
        click.echo(f"{failed[0]:,} cells could not be computed: see their remark", err=True)
        raise click.exceptions.Exit(1)


def _counted(found: SweepAnswer, failed: list[int]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows, and count those without numbers."""
    for row in found.rows():
        failed[0] += found.failed(row)
        yield row
