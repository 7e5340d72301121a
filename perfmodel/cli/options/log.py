"""Options about a job log, its machine and its failures that several commands share."""

from __future__ import annotations

from functools import partial
from typing import get_args

import click

from sim.answers import (
    Allocation,
    BurstWithin,
    Oversize,
    Reboots,
    SchedulerName,
    SiteRequest,
)

from ...answers.logs.formats import CSV_LAYOUT, FAILURE_FORMATS
from .filling import option
from .types import (
    COST,
    COUNT,
    FRACTION,
    FROM_ONE,
    LOG_FILE,
    POSITIVE,
    SHAPE,
    SHARE,
    WEIGHT,
    F,
    OneOf,
)

__all__ = [
    "JOB_FORMATS",
    "allocation",
    "bursts_and_lemons",
    "failure_format",
    "failures_from_start",
    "job_format",
    "job_log",
    "machine",
    "maintenance",
    "new_nodes",
    "node_names",
    "oversize",
    "partitions",
    "processors",
    "scale_gaps",
    "walltime_factor",
    "weibull_shape",
]

# As `sim.traces` knows them; a test compares, for sim must not be imported here.
_FORMATS = (
    *("swf", "gwf", "mwf", "sacct", "sacct-json", "pbs", "lsf", "batsim"),
    *("table", "acme", "helios", "alibaba-gpu", "philly"),
)
_DIALECTS = ("standard", "walltime-in-6", "placement", "row-number", "no-walltime")
JOB_FORMATS = (*_FORMATS, *_DIALECTS)
_option = partial(option, SiteRequest)
job_log = click.argument("log", type=LOG_FILE)
job_format = _option(
    "--format",
    "job_format",
    type=OneOf(JOB_FORMATS),
    metavar="NAME",
    help=f"Format of LOG: {', '.join(_FORMATS)}, or a dialect of swf: {', '.join(_DIALECTS)}.  "
    "[default: by its first lines] perfmodel traces formats shows a sample of each.",
)
processors = _option(
    "--processors", type=COUNT, help="Processors of a plain machine.  [default: the log's header]"
)
machine = _option(
    "--machine",
    help="intrepid, intrepid:XML, bluegene:RxC (rows x racks) or flat:N (N processors).",
)
oversize = _option(
    "--oversize",
    type=OneOf(get_args(Oversize)),
    help="What to do with jobs larger than the machine.",
)
scale_gaps = _option("--scale-gaps", type=POSITIVE, help="Multiply the gaps between submissions.")
walltime_factor = _option(
    "--walltime-factor", type=POSITIVE, help="Missing walltimes: this times the runtime."
)
failure_format = _option(
    "--failure-format",
    type=OneOf(FAILURE_FORMATS),
    metavar="NAME",
    help=f"Format of --failures: {', '.join(FAILURE_FORMATS)}. {CSV_LAYOUT}  "
    "[default: by its first lines]",
)
node_names = _option(
    "--node-names",
    type=LOG_FILE,
    help="Names of the nodes in --failures, one a line, in the order of the machine."
    "  [default: node N is the name that ends in N]",
)
failures_from_start = _option(
    "--failures-from-start",
    is_flag=True,
    help="Shift the failure log so that it begins with the jobs.",
)
weibull_shape = _option(
    "--weibull-shape",
    type=SHAPE,
    help="Shape of the times between failures of a node; below 1 failures come in clusters.",
)
new_nodes = _option(
    "--new-nodes",
    is_flag=True,
    help="With --mtbf: every node starts new, not at the age of one long in use.",
)


maintenance = _option(
    "--maintenance",
    type=LOG_FILE,
    help="CSV of windows in which nodes are out: start, end (seconds of LOG or dates), kind, and "
    "nodes (such as 0-15 32; empty for all). kind planned: no job is started that would reach "
    "into it, on a plain machine; outage: strikes what runs there.",
)


def bursts_and_lemons(command: F) -> F:
    """Add the options of drawn failures that are not alike and alone on every node."""
    options = (
        _option(
            "--stationary",
            is_flag=True,
            help="With --mtbf: some nodes are out at first, as many as usually; else all are up.",
        ),
        _option(
            "--burst-size",
            type=FROM_ONE,
            help="Mean number of failures in a burst, geometric. The MTBF stays that of all "
            "failures together: bursts come so many times more rarely.",
        ),
        _option(
            "--burst-span",
            type=COST,
            help="All failures of a burst come within this time after its first.",
        ),
        _option(
            "--burst-within",
            type=OneOf(get_args(BurstWithin)),
            help="What a burst strikes after its first node: that node again, any of its rack, or "
            "any of the machine.",
        ),
        _option(
            "--rack-size",
            type=COUNT,
            help="Nodes of a rack, numbered one after the other.  [default: the 2 midplanes of "
            "a rack on a Blue Gene]",
        ),
        _option(
            "--lemon-share",
            type=SHARE,
            help="Share of the nodes, drawn by --seed, that fail more often than the others; the "
            "MTBF of the machine is kept.",
        ),
        _option(
            "--lemon-factor",
            type=POSITIVE,
            help="How many times as often those of --lemon-share fail.",
        ),
    )
    for add in reversed(options):
        command = add(command)
    return command


def partitions(command: F) -> F:
    """Add the options that say how a Blue Gene schedules and reboots its partitions."""
    options = (
        _option(
            "--scheduler",
            type=OneOf(get_args(SchedulerName)),
            help="Of a Blue Gene: who drains partitions and who is backfilled, in a version of "
            "Cobalt.  [default: separate-drains]",
        ),
        _option(
            "--reboots",
            type=OneOf(get_args(Reboots)),
            help="What a failure under a job of a Blue Gene takes out: its midplanes or only its "
            "partition.  [default: midplanes]",
        ),
    )
    for add in reversed(options):
        command = add(command)
    return command


def allocation(command: F) -> F:
    """Add the options that say which partition of a Blue Gene a job gets."""
    options = (
        _option(
            "--allocation",
            type=OneOf(get_args(Allocation)),
            help="Partition that blocks fewest others, or also by a forecaster: with the weights "
            "printed in the paper or those of its simulator.  [default: least-blocking, with "
            "--fault-aware released]",
        ),
        _option("--fault-aware", is_flag=True, help="Choose partitions by a forecaster."),
        _option(
            "--alpha",
            type=WEIGHT,
            help="With --allocation printed: weight of blocking.  [default: 1]",
        ),
        _option(
            "--beta", type=WEIGHT, help="With --allocation printed: weight of risk.  [default: 1]"
        ),
        _option("--sensitivity", type=FRACTION, help="Risk stated for a place that will fail."),
        _option(
            "--specificity", type=FRACTION, help="1 minus the risk stated for any other place."
        ),
    )
    for add in reversed(options):
        command = add(command)
    return command
