"""The options that `interval`, `completion` and `simulate` share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from ...answers.logs.formats import LAYOUTS
from ...answers.requests.job import JobRequest
from ...answers.requests.presets import PRESETS
from .filling import option
from .limits import log_limits
from .log import CSV_LAYOUT
from .reading import log_reading
from .types import (
    BANDWIDTH,
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FAILURE_RATE,
    INSTANT,
    LOG_FILE,
    PRICE,
    SIZE,
    F,
    OneOf,
    completed_by,
)

__all__ = ["job_options"]
T = TypeVar("T")


def job_options(command: F) -> F:
    """Add the shared options, in the order in which the help shows them."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


_option = partial(option, JobRequest)
_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    _option(
        "--mtbf",
        type=DURATION,
        help="MTBF of the whole machine (or of your part).",
    ),
    _option("--node-mtbf", type=DURATION, help="MTBF of one node; needs --nodes."),
    _option(
        "--failure-rate",
        type=FAILURE_RATE,
        help="Failures per node-time, such as 6.5/1000node-days; needs --nodes.",
    ),
    _option(
        "--nodes",
        type=COUNT,
        help="Number of nodes that must all be up; with --log, those of the job.",
    ),
    _option("--failures", type=EVENTS, help="Failures seen (may be 0); needs --observed."),
    _option("--observed", type=DURATION, help="Time in which the --failures were seen."),
    _option("--log", type=LOG_FILE, help="Failure log."),
    _option(
        "--format",
        metavar="NAME",
        shell_complete=completed_by(*LAYOUTS),
        help=f"Layout of the --log, as traces formats lists.  [default: by its first lines] "
        f"{CSV_LAYOUT}",
    ),
    _option("--system", metavar="NAME", help="System of the --log."),
    _option("--since", type=INSTANT, help="Use the --log from this date on."),
    _option("--until", type=INSTANT, help="Use the --log up to this date."),
    _option(
        "--log-nodes",
        type=COUNT,
        help="Nodes that the --log is of, failed or not, for a job on --nodes of them.  "
        "[default: as it says, else those it names]",
    ),
    _option(
        "--bursts",
        type=OneOf(("merge", "count")),
        metavar="merge|count",
        help="Count each burst in the --log once, or every failure of it.  [default: once where "
        "bursts are found that are over before the next checkpoint]",
    ),
    log_reading,
    _option("--strict", is_flag=True, help="Refuse a --log with malformed lines."),
    log_limits,
    _option("--checkpoint-cost", type=DURATION, help="Time to write one checkpoint."),
    _option("--checkpoint-size", type=SIZE, help="Size of one; needs --bandwidth."),
    _option("--bandwidth", type=BANDWIDTH, help="Rate at which checkpoints are written."),
    _option(
        "--recovery-cost",
        type=COST,
        help="Time to read a checkpoint back after a failure.",
    ),
    _option(
        "--downtime",
        type=COST,
        help="Dead time after a failure, before recovery starts.",
    ),
    _option("--work", type=DURATION, help="Failure-free run time."),
    _option("--step-time", type=DURATION, help="Time of one iteration of the job."),
    _option("--price", type=PRICE, help="Of one node-hour; of one hour without --nodes."),
    _option(
        "--preset",
        metavar="NAME",
        help=f"Known job that fills in what is not given: {', '.join(PRESETS)}.",
    ),
)
