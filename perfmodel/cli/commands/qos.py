"""``perfmodel qos``: which deadlines a site can promise with which probability."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from sim.answers import (
    PromisesRequest,
    PromisesSetup,
    StudyAnswer,
    promises,
)

from ..figures import plot_option
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits, machine_limit
from ..options.types import OUTPUT_FILE, gone
from ..output.attempts import attempts_file
from ..output.finished import Finished
from ..output.progress import doing
from ..output.promises import show_promises
from ..output.provenance import provenance, timing_flag, with_provenance
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_json
from ..output.watching import SHOWN


@click.command(
    cls=Grouped, epilog=example("perfmodel qos jobs.swf --processors 512 --accuracy 0.3,0.9")
)
@options_of(PromisesRequest)
@gone("--risk", remedy="it is a probability of success: give --confidence")
@gone("--insist", flag=True, remedy="users always do, unless --within-accuracy is given")
@click.option(
    "--resume",
    type=OUTPUT_FILE,
    help="Keep finished cells in this file; those that it has are not played again.",
)
@click.option(
    "--out",
    type=OUTPUT_FILE,
    help="Write one row per attempt of a job and cell as CSV, with its place; of a study per cell "
    "and seed.",
)
@plot_option
@timing_flag
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(PromisesRequest)
def qos(
    request: PromisesRequest,
    *,
    resume: Path | None,
    out: Path | None,
    plot: Path | None,
    timing: bool,
    as_json: bool,
) -> None:
    """Promise the jobs of LOG deadlines, and count which are kept.

    Every job is offered its earliest end and the probability of meeting it, then later ones; its
    user accepts the first that reaches --confidence, or the likeliest where none does. Every cell
    of accuracy and confidence meets the same failures. With --seeds each seed draws failures and
    forecasts anew.
    """
    refuse_with_study(request.study, resume=resume, timing=timing)
    if out is not None and resume is not None:
        raise click.UsageError(
            "--out must be left out with --resume: finished cells are not played"
        )
    with ExitStack() as files:
        files.enter_context(doing(f"reading {request.log.name}"))
        single = out is not None and not request.study.wanted
        found = promises(
            request,
            each=files.enter_context(attempts_file(out)) if out is not None and single else None,
            finished=partial(_finished, resume),
            progress=SHOWN,
        )
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json, plot=plot)
        return
    if plot is not None:
        from ..figures.replays import plot_promises

        plot_promises(found.rows, plot)
    if as_json:
        print_json(with_provenance(found.to_dict(timed=timing), found.request))
    else:
        show_promises(found, timed=timing)


def _finished(
    resume: Path | None, request: PromisesRequest, parts: PromisesSetup
) -> Finished | None:
    """Return the cells that a file has."""
    if resume is None:
        return None
    about = provenance(request, parts.notes)
    if None in [file["sha256"] for file in about["inputs"]]:
        raise click.UsageError("--resume must be left out where a pipe is read")
    # All that a cell depends on, apart from its own accuracy and confidence.
    own = ("accuracy", "confidence")
    shared = {name: value for name, value in about["options"].items() if name not in own}
    return Finished(resume, about | {"options": shared})
