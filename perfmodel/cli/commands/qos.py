"""``perfmodel qos``: which deadlines a site can promise with which probability."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import get_args

import click

from sim.answers import (
    Checkpoints,
    Forecaster,
    PromisesRequest,
    PromisesSetup,
    StudyAnswer,
    promises,
)

from ..figures import plot_option
from ..options import log as log_options
from ..options.example import example
from ..options.filling import fills, option
from ..options.limits import log_limits, machine_limit
from ..options.reading import log_reading
from ..options.study import study_options
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FRACTION,
    LOG_FILE,
    OUTPUT_FILE,
    POSITIVE,
    OneOf,
    gone,
)
from ..options.unit_fractions import UNIT_FRACTIONS
from ..output.attempts import attempts_file
from ..output.finished import Finished
from ..output.promises import show_promises
from ..output.provenance import provenance, timing_flag, with_provenance
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_json
from ..output.watching import SHOWN

__all__ = ["qos"]

_option = partial(option, PromisesRequest)


@click.command(epilog=example("perfmodel qos jobs.swf --processors 512 --accuracy 0.3,0.9"))
@log_options.job_log
@log_options.job_format
@_option("--processors", type=COUNT, help="Processors of the machine.  [default: the log's header]")
@_option("--jobs", type=COUNT, help="Use so many of the first jobs of LOG.")
@log_options.oversize
@_option(
    "--accuracy",
    type=UNIT_FRACTIONS,
    help="Accuracy of the predictor: 0:1:0.1 or 0.3,0.7.  [default: 0:1:0.1]",
)
@_option("--confidence", type=UNIT_FRACTIONS, help="Probability of success that users ask for.")
@_option(
    "--within-accuracy",
    is_flag=True,
    help="Users ask for nothing where --confidence is above the accuracy, as in the paper's plots.",
)
@gone("--risk", remedy="it is a probability of success: give --confidence")
@gone("--insist", flag=True, remedy="users always do, unless --within-accuracy is given")
@_option(
    "--forecaster",
    type=OneOf(get_args(Forecaster)),
    help="The predictor: of given accuracy, of true probabilities, of sensitivity and "
    "specificity, or only a rate.",
)
@_option(
    "--recall",
    type=FRACTION,
    help="With --forecaster calibrated: share of the failures that are announced.",
)
@_option("--precision", type=FRACTION, help="Share of the announced that come.")
@_option(
    "--sensitivity",
    type=FRACTION,
    help="With --forecaster stated: risk stated for a node that will fail.",
)
@_option("--specificity", type=FRACTION, help="1 minus the risk stated for any other node.")
@_option(
    "--node-mtbf",
    type=DURATION,
    help="With --forecaster rate or calibrated: MTBF of a node.  [default: as nodes fail]",
)
@_option("--failures", type=LOG_FILE, help="A failure log.  [default: drawn]")
@log_options.failure_format
@log_options.node_names
@log_options.failures_from_start
@log_reading
@_option(
    "--failures-per-year",
    type=POSITIVE,
    help="Failures of the machine, drawn in bursts.  [default: 1021]",
)
@_option(
    "--downtime",
    type=COST,
    help="Downtime of a node after a failure.  [default: a log's own repairs, else 2min]",
)
@_option("--checkpoint-interval", type=DURATION, help="Work between two checkpoints.")
@_option("--checkpoint-cost", type=COST, help="To write one checkpoint.")
@_option(
    "--checkpoints",
    type=OneOf(get_args(Checkpoints)),
    help="Which checkpoints are written: by risk, all or none.",
)
@_option("--seed", type=EVENTS, help="Seed of failures and predictor.")
@click.option(
    "--resume",
    type=OUTPUT_FILE,
    help="Keep finished cells in this file; those that it has are not played again.",
)
@study_options(seeds="Seeds of failures and predictor, such as 1:200: a table of means over them.")
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
    refuse_with_study(request.study, plot=plot, resume=resume, timing=timing)
    if out is not None and resume is not None:
        raise click.UsageError(
            "--out must be left out with --resume: finished cells are not played"
        )
    with ExitStack() as files:
        single = out is not None and not request.study.wanted
        found = promises(
            request,
            each=files.enter_context(attempts_file(out)) if out is not None and single else None,
            finished=partial(_finished, resume),
            progress=SHOWN,
        )
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json)
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
