"""``perfmodel report``: answers as one page of HTML."""

from __future__ import annotations

from pathlib import Path

import click

from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits, machine_limit
from ..output.whole_file import whole_file
from ..plain import echo
from ..report.sources import KINDS, reported
from ..requests.report import ReportRequest


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=example("perfmodel report failures.csv --out failures.html"),
)
@options_of(ReportRequest)
@click.argument("further", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF ANOTHER]...")
@log_limits
@machine_limit
@fills(ReportRequest)
def report(request: ReportRequest) -> None:
    """Write a page of HTML to send, print or archive.

    SOURCE is a scenario (as of perfmodel plan), a failure log, a job log, the ledger of a sweep
    followed by its STUDY.toml, the --state of perfmodel advise, or the JSON that a command or
    python -m validation has printed.
    Further options are those of perfmodel fit or replay, which read a log.
    """
    path = Path(f"{request.source.stem}.html") if request.out is None else request.out
    kind = next((each for each in KINDS if each == request.kind), None)
    page = reported(request.source, kind, request.further)
    with whole_file(path) as part:
        part.write_text(page, "utf-8")
    echo(f"{path}: {path.stat().st_size / 1000.0:,.0f} kB")
