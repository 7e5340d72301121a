"""The options about a job log, its machine and its failures that several commands share."""

from __future__ import annotations

import click

from .types import COUNT, FRACTION, LOG_FILE, POSITIVE, SHAPE, WEIGHT, F

__all__ = [
    "ALLOCATIONS",
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
    "scale_gaps",
    "walltime_factor",
    "weibull_shape",
]

# As `sim.traces` knows them; a test compares, for sim must not be imported here.
JOB_FORMATS = (
    *("swf", "gwf", "mwf", "sacct"),
    *("standard", "walltime-in-6", "placement", "row-number", "no-walltime"),
)
FAILURE_FORMATS = ("csv", "lanl", "mira-ras", "bgl-ras", "fta", "metacentrum", "infinitehbd")

ALLOCATIONS = ("least-blocking", "printed", "released")
CSV_LAYOUT = (
    "csv: a header names time (or down), node, and repair or end (or up), in seconds or dates."
)

job_log = click.argument("log", type=LOG_FILE)
job_format = click.option(
    "--format",
    "job_format",
    type=click.Choice(JOB_FORMATS),
    metavar="NAME",
    default="swf",
    show_default=True,
    help=f"Of LOG: {', '.join(JOB_FORMATS[:4])}, or a dialect of swf: "
    f"{', '.join(JOB_FORMATS[4:])}.",
)
processors = click.option(
    "--processors", type=COUNT, help="Of a plain machine.  [default: the log's header]"
)
machine = click.option(
    "--machine",
    help="intrepid, intrepid:XML, bluegene:RxC (rows x racks) or flat:N (N processors).",
)
oversize = click.option(
    "--oversize",
    type=click.Choice(["refuse", "skip"]),
    default="refuse",
    show_default=True,
    help="Jobs larger than the machine.",
)
scale_gaps = click.option(
    "--scale-gaps", type=POSITIVE, help="Multiply the gaps between submissions."
)
walltime_factor = click.option(
    "--walltime-factor", type=POSITIVE, help="Missing walltimes: this times the runtime."
)
failure_format = click.option(
    "--failure-format",
    type=click.Choice(FAILURE_FORMATS),
    metavar="NAME",
    default="csv",
    show_default=True,
    help=f"Of --failures: {', '.join(FAILURE_FORMATS)}. {CSV_LAYOUT}",
)
node_names = click.option(
    "--node-names",
    type=LOG_FILE,
    help="Names of the nodes in --failures, one a line, in the order of the machine."
    "  [default: node N is the name that ends in N]",
)
failures_from_start = click.option(
    "--failures-from-start", is_flag=True, help="Move the failure log to begin with the jobs."
)
weibull_shape = click.option(
    "--weibull-shape",
    type=SHAPE,
    default="1",
    show_default=True,
    help="Of the times between failures of a node; below 1 they come in clusters.",
)
new_nodes = click.option(
    "--new-nodes",
    is_flag=True,
    help="With --mtbf: every node begins new, not at the age of one long in use.",
)


def allocation(command: F) -> F:
    """Add the options that say which partition of a Blue Gene a job gets."""
    options = (
        click.option(
            "--allocation",
            type=click.Choice(ALLOCATIONS),
            help="Partition that blocks fewest others, or also by a forecaster: with the weights "
            "printed in the paper or those of its simulator.  [default: least-blocking, with "
            "--fault-aware released]",
        ),
        click.option("--fault-aware", is_flag=True, help="Choose partitions by a forecaster."),
        click.option("--alpha", type=WEIGHT, help="Of printed: weight of blocking.  [default: 1]"),
        click.option("--beta", type=WEIGHT, help="Of printed: weight of risk.  [default: 1]"),
        click.option("--sensitivity", type=FRACTION, default="0.6", show_default=True),
        click.option("--specificity", type=FRACTION, default="0.6", show_default=True),
    )
    for option in reversed(options):
        command = option(command)
    return command
