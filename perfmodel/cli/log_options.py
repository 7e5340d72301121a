"""The options about a job log, its machine and its failures that several commands share."""

from __future__ import annotations

import click

from .params import COUNT, LOG_FILE, POSITIVE, SHAPE

__all__ = [
    "CSV_LAYOUT",
    "FAILURE_FORMATS",
    "JOB_FORMATS",
    "failure_format",
    "failures_from_start",
    "job_format",
    "job_log",
    "machine",
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

CSV_LAYOUT = (
    "csv: a header names time (or down), node, and repair or end (or up), in seconds or dates."
)

job_log = click.argument("log", type=LOG_FILE)
job_format = click.option(
    "--format",
    "job_format",
    type=click.Choice(JOB_FORMATS),
    default="swf",
    show_default=True,
    help="Of LOG: swf and its dialects, gwf, mwf or sacct.",
)
processors = click.option(
    "--processors", type=COUNT, help="Of a plain machine.  [default: the log's header]"
)
machine = click.option(
    "--machine", help="intrepid, intrepid:XML, bluegene:RxC (rows x racks) or flat:N."
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
    default="csv",
    show_default=True,
    help=f"Of --failures; {CSV_LAYOUT}",
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
    help="Of the times between failures of a node.",
)
