"""``perfmodel replay``: schedule the jobs of a log on a machine, with failures if there are any."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import get_args

import click

from sim.answers import (
    DialectName,
    Estimates,
    EventOrder,
    MissingWalltime,
    OnFailure,
    ReplayRequest,
    Strikes,
    StudyAnswer,
    Ties,
)
from sim.answers import replay as answer

from ..figures import plot_option
from ..options import log as log_options
from ..options.example import example
from ..options.filling import fills, option
from ..options.limits import log_limits, machine_limit
from ..options.reading import log_reading
from ..options.study import Several, study_options
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FRACTION,
    LOG_FILE,
    NAMES,
    OUTPUT_FILE,
    POSITIVE,
    OneOf,
)
from ..options.use_out import refuse_idle_use_out
from ..options.use_out import use_out as use_out_option
from ..output.attempts import write_attempts
from ..output.provenance import timing_flag, with_provenance
from ..output.replays import show_replays
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_json
from ..output.use_file import write_use
from ..output.watching import SHOWN
from ..output.whole_file import whole_file

__all__ = ["VARIED", "replay"]


_option = partial(option, ReplayRequest)
VARIED = ("mtbf", "checkpoint_interval", "scale_gaps", "on_failure")  # several of which are played


@click.command(epilog=example("perfmodel replay jobs.swf --compare fcfs,easy --mtbf 12h --mttr 1h"))
@log_options.job_log
@log_options.job_format
@_option("--strict", is_flag=True, help="Refuse a log with a malformed line.")
@log_options.processors
@log_options.machine
@_option(
    "--processors-per-node",
    type=COUNT,
    help="Jobs take whole nodes of so many.  [default: 4 on a Blue Gene, else 1]",
)
@_option(
    "--policy",
    help="fcfs, easy, conservative or conservative-compress, or your own: package.module:Name.",
)
@_option(
    "--order",
    help='Order of the queue on a plain machine, highest first: such as "-walltime" or '
    '"(wait/walltime)**3*nodes".',
)
@_option(
    "--event-order",
    type=OneOf(get_args(EventOrder)),
    help="Which events come first at one instant.",
)
@_option(
    "--dialect",
    type=OneOf(get_args(DialectName)),
    help="Play by the rules of another simulator: its event order, limits and policies.",
)
@_option(
    "--estimates",
    type=OneOf(get_args(Estimates)),
    help="Running times that the policy plans with.",
)
@_option("--no-kill", is_flag=True, help="Let jobs run past their walltime.")
@log_options.oversize
@_option(
    "--missing-walltime",
    type=OneOf(get_args(MissingWalltime)),
    help="Walltime of a job that has none, or drop it, or refuse the log.  [default: runtime]",
)
@log_options.walltime_factor
@_option(
    "--ties",
    type=OneOf(get_args(Ties)),
    help="Which of the jobs submitted at one instant is first: by place in LOG or by number.",
)
@_option("--since", type=COST, help="Leave out jobs submitted earlier than this after the first.")
@_option("--before", type=DURATION, help="Leave out jobs submitted this long after the first.")
@_option("--scale-gaps", type=Several(POSITIVE), help="Multiply the gaps between submissions.")
@_option("--failures", type=LOG_FILE, help="A failure log.")
@log_options.failure_format
@log_options.node_names
@log_options.failures_from_start
@log_reading
@log_options.maintenance
@_option("--log-start", type=EVENTS, help="Unix time of second 0 of LOG.  [default: its header's]")
@_option("--mtbf", type=Several(DURATION), help="Draw failures: MTBF of the whole machine.")
@log_options.weibull_shape
@log_options.new_nodes
@log_options.bursts_and_lemons
@_option("--mttr", type=COST, help="Time of a repair or reboot.")
@_option("--seed", type=EVENTS, help="Seed of the random numbers.")
@_option(
    "--strikes",
    type=OneOf(get_args(Strikes)),
    help="What a failure strikes: its node, or nothing unless a job runs there.",
)
@_option(
    "--on-failure",
    type=Several(OneOf(get_args(OnFailure))),
    help="Resubmit at the old place or as new, or drop.  [default: new on a Blue Gene]",
)
@_option("--checkpoint-interval", type=Several(DURATION), help="Work between two checkpoints.")
@_option("--checkpoint-cost", type=COST, help="To write one checkpoint.")
@_option("--recovery-cost", type=COST, help="To read one back.")
@_option(
    "--job-checkpoints",
    type=LOG_FILE,
    help="Checkpoints of single jobs: CSV of job, interval (or none), cost, recovery.",
)
@_option(
    "--checkpoints-in-walltime",
    is_flag=True,
    help="Checkpoints and recoveries count against the walltime of a job.",
)
@_option("--utility", help="fcfs, fat, wfp1, wfp3, fcsj or unicef.  [default: wfp3]")
@_option("--utility-expr", help='Such as "(wait/walltime)**3*nodes".')
@_option(
    "--threshold", type=FRACTION, help="Skip jobs below this share of the top score.  [default: 0]"
)
@log_options.partitions
@log_options.allocation
@_option(
    "--compare",
    type=NAMES,
    metavar="TEXT",
    help="Several policies or utilities, such as fcfs,wfp3,unicef.",
)
@_option("--by-class", is_flag=True, help="Also means by size and running time of the jobs.")
@_option(
    "--use-over-time", type=DURATION, help="Also use and queue, as means over periods this long."
)
@study_options(
    *VARIED,
    remedy="; --before leaves out jobs submitted so long after the first",
    seeds="Seeds of --mtbf, such as 7, 1:200 or 1,5,9: a table of means over them.",
)
@click.option(
    "--out",
    type=OUTPUT_FILE,
    help="Write one row per attempt of a job as CSV, with its place; of a study per cell and seed.",
)
@plot_option
@use_out_option
@timing_flag
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(ReplayRequest)
def replay(
    request: ReplayRequest,
    *,
    out: Path | None,
    plot: Path | None,
    use_out: Path | None,
    timing: bool,
    as_json: bool,
) -> None:
    """Schedule every job of LOG and print how long the jobs waited.

    With several --seeds, or several values of --mtbf, --checkpoint-interval, --scale-gaps or
    --on-failure, a study: every policy of --compare with every combination of the values, under the
    same failures for each seed; means with intervals, and differences to the first policy.
    """
    refuse_idle_use_out(use_out, request.use_over_time)
    refuse_with_study(request.study, plot=plot, timing=timing)
    found = answer(request, places=out is not None or plot is not None, progress=SHOWN)
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json)
        return
    compared, site = bool(request.compare), found.parts.site
    if out is not None:
        write_attempts(out, found.attempts(), column="policy" if compared else None)
    if plot is not None:
        from ..figures.gantt import draw

        with whole_file(plot) as part:
            draw(
                *(found.replays, site.machine, part),
                unit=site.unit,
                unix_start=found.parts.unix_start,
            )
    if use_out is not None:
        rows = found.rows.items()
        write_use(use_out, [({site.kind: name}, row["use_over_time"]) for name, row in rows])
    if as_json:
        answered = found.to_dict(timed=timing)
        print_json(with_provenance(answered, found.request, files=found.parts.files))
    else:
        show_replays(found, timed=timing)
