"""Options about a job log, its machine and its failures that several commands share."""

from __future__ import annotations

from functools import partial
from typing import get_args

import click

from ..requests.replay import Allocation, Oversize, SiteRequest
from .filling import option, refuse_idle
from .types import COUNT, FRACTION, LOG_FILE, POSITIVE, SHAPE, WEIGHT, F, OneOf

__all__ = [
    "CSV_LAYOUT",
    "FAILURE_FORMATS",
    "JOB_FORMATS",
    "allocation",
    "failure_format",
    "failures_from_start",
    "job_format",
    "job_log",
    "machine",
    "new_nodes",
    "node_names",
    "oversize",
    "processors",
    "refuse_idle_forecaster",
    "refuse_idle_options",
    "scale_gaps",
    "walltime_factor",
    "weibull_shape",
]

# As `sim.traces` knows them; a test compares, for sim must not be imported here.
_FORMATS = ("swf", "gwf", "mwf", "sacct")
_DIALECTS = ("standard", "walltime-in-6", "placement", "row-number", "no-walltime")
JOB_FORMATS = (*_FORMATS, *_DIALECTS)
FAILURE_FORMATS = ("csv", "lanl", "mira-ras", "bgl-ras", "fta", "metacentrum", "infinitehbd")

CSV_LAYOUT = (
    "csv: a header names time (or down), node, and repair or end (or up), in seconds or dates."
)

_option = partial(option, SiteRequest)
job_log = click.argument("log", type=LOG_FILE)
job_format = _option(
    "--format",
    "job_format",
    type=OneOf(JOB_FORMATS),
    metavar="NAME",
    help=f"Format of LOG: {', '.join(_FORMATS)}, or a dialect of swf: {', '.join(_DIALECTS)}.",
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
    help=f"Format of --failures: {', '.join(FAILURE_FORMATS)}. {CSV_LAYOUT}",
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


def refuse_idle_forecaster(request: SiteRequest) -> None:
    """Refuse options of a forecaster where nothing asks one."""
    asked = request.fault_aware or request.allocation in ("printed", "released")
    refuse_idle("--sensitivity", "--specificity", unless=asked, lead="--fault-aware")


def refuse_idle_options(request: SiteRequest) -> None:
    """Refuse options of failures and checkpoints that the replay does not have."""
    drawn, read = request.mtbf is not None, request.failures is not None
    refuse_idle("--weibull-shape", "--new-nodes", unless=drawn, lead="--mtbf")
    of_a_log = ("--failure-format", "--node-names", "--failures-from-start", "--log-start")
    refuse_idle(*of_a_log, unless=read, lead="--failures")
    refuse_idle("--mttr", unless=drawn or read, lead="--mtbf or --failures")
    checkpoints = request.checkpoint_interval is not None
    refuse_idle("--recovery-cost", unless=checkpoints, lead="--checkpoint-interval")
