"""``perfmodel sweep``: many cells of a study, in a ledger that survives whatever ends the run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from asking.refusals import Field, Refused, given
from asking.requests import refuse_idle

from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.progress import sweep_progress
from ..plain import echo
from ..requests.slurm import slurm_settings
from ..requests.sweep import SweepRequest
from ..sweeps import EXAMPLE, StudyFile, read_study, write_table
from ..sweeps.table_file import ENDS, MOST_ON_A_PAGE

if TYPE_CHECKING:
    from sim.sweep import Engine, Ledger

__all__ = ["sweep"]


@click.command(epilog=example("perfmodel sweep --example"))
@options_of(SweepRequest)
@log_limits
@fills(SweepRequest)
def sweep(request: SweepRequest) -> None:
    """Compute formulas, simulated jobs or replays for many parameters.

    STUDY is a TOML file: what is computed, for which grid or sample of parameters, and how often.
    What is done is kept in the ledger: after Ctrl-C, a crash or a full disk the same command goes
    on, and several at once share the work. The table does not depend on how it was computed.
    """
    if request.example:
        if request.study is not None or request.ledger is not None or request.table is not None:
            raise click.UsageError("--example must come alone, got more")
        click.echo(EXAMPLE, nl=False)
        return
    path = given(request.study, "study")
    where, table = given(request.ledger, "ledger"), given(request.table, "table")
    if table.suffix not in ENDS:
        ends = f"{', '.join(ENDS[:-1])} or {ENDS[-1]}"
        raise click.UsageError(f"--table must end with {ends}, got {table.name!r}")
    study = read_study(path, allow_code=request.allow_code)
    if table.suffix == ".html" and study.size > MOST_ON_A_PAGE:
        raise click.UsageError(
            f"--table must be .csv or .parquet for more than {MOST_ON_A_PAGE:,} cells, "
            f"got {study.size:,}"
        )
    play = study.play()  # refuses what is wrong before there is a ledger, as the next line does
    engine = _engine(play, request)
    with _opened(where, study) as ledger:
        _play(study, ledger, engine)
        failed = _write(study, ledger, table)
    echo(f"{table}: {study.size:,} cells")
    if failed:
        click.echo(f"{failed:,} cells could not be computed: see their remark", err=True)
        raise click.exceptions.Exit(1)


@contextmanager
def _opened(path: Path, study: StudyFile) -> Iterator[Ledger]:
    from sim.sweep import open_ledger

    with closing(open_ledger(path, study.about())) as ledger:
        ahead = ledger.latest() - time.time()
        if ahead > 1.0:
            echo(
                f"the clock must have been set back: {path.name} has results from {ahead:,.0f} s "
                "ahead of it; only the times noted there are affected",
                err=True,
            )
        yield ledger


def _play(study: StudyFile, ledger: Ledger, opening: AbstractContextManager[Engine]) -> None:
    from sim.sweep import sweep as swept

    with sweep_progress(study.size) as report, ExitStack() as stack:
        try:
            engine = stack.enter_context(opening)
        except ImportError as error:  # of an extra, which it names
            raise click.UsageError(str(error)) from None
        swept(
            study.cells(),
            rule=study.rule,
            seed=study.seed,
            ledger=ledger,
            engine=engine,
            progress=report,
        )


def _engine(play: Any, request: SweepRequest) -> AbstractContextManager[Engine]:
    from sim.sweep import cluster, processes, slurm

    leads = [name for name in ("cluster", "slurm") if request.says(name)]
    if len(leads) > 1:
        raise Refused("{} must be left out with {}, got both", Field("slurm"), Field("cluster"))
    if leads and request.says("workers"):
        raise Refused(
            "{} must be left out with {}, which has its own", Field("workers"), Field(leads[0])
        )
    refuse_idle(request, "cluster_tls", unless=request.cluster is not None, lead=Field("cluster"))
    if request.cluster is not None:
        return cluster(play, request.cluster, tls=request.cluster_tls)
    if request.slurm:
        table = given(request.table, "table")
        return slurm(play, **slurm_settings(request.slurm, table.with_suffix(".jobs")))
    return processes(play, request.workers)


def _write(study: StudyFile, ledger: Ledger, table: Path) -> int:
    """Write the table; return how many cells have no numbers."""
    from sim.sweep import sweep_rows

    failed = 0

    def counted() -> Iterator[dict[str, Any]]:
        nonlocal failed
        for row in sweep_rows(study.cells, rule=study.rule, ledger=ledger):
            known = row.keys() - study.values.keys() - {law.name for law in study.drawn}
            failed += all(row[name] == "" for name in known - {"remark"})
            yield row

    write_table(table, counted(), study.about())
    return failed
