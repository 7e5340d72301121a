"""The options about a job log, its machine and its failures that several commands share."""

from __future__ import annotations

import click

from .params import COUNT, LOG_FILE, POSITIVE, SHAPE

__all__ = [
    "FAILURE_FORMATS",
    "JOB_FORMATS",
    "failure_format",
    "failures_from_start",
    "job_format",
    "job_log",
    "machine",
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
    help=f"Of --failures: {', '.join(FAILURE_FORMATS)}.",
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
