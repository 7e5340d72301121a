"""``perfmodel grid``: several clusters, with and without requirements and machine failures."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from sim.answers import (
    Estimates,
    EventOrder,
    FailureFormat,
    GridAnswer,
    GridRequest,
    GridRun,
    MissingWalltime,
    OnFailure,
    StudyAnswer,
    grid_attempts,
)
from sim.answers import grid as answer

from ...answers.logs.formats import CSV_LAYOUT
from ..figures import plot_option
from ..options import log as log_options
from ..options.example import example
from ..options.filling import fills, option
from ..options.limits import log_limits, machine_limit
from ..options.reading import job_log_reading
from ..options.study import study_options
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    LOG_FILE,
    NAMES,
    OUTPUT_FILE,
    POSITIVE,
    SHARE,
    OneOf,
    Wanted,
)
from ..options.use_out import refuse_idle_use_out
from ..options.use_out import use_out as use_out_option
from ..output.attempts import attempts_file
from ..output.clusters import show_clusters
from ..output.measures import engine_words, show_classes, show_percentiles, show_use
from ..output.provenance import timing_flag, with_provenance
from ..output.scenarios import show_scenarios
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_facts, print_json, print_lines
from ..output.use_file import write_use
from ..output.watching import SHOWN
from ..output.whole_file import whole_file

if TYPE_CHECKING:
    from sim.cluster import Replay

__all__ = ["grid"]


_AFTERWARDS = {
    "drop": "given up",
    "original": "resubmitted at its old place",
    "new": "resubmitted as new",
}


def _unix(text: str) -> float:
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise ValueError
    return float(text)


_ORIGIN = Wanted("seconds", "a Unix time in whole seconds", _unix)


_option = partial(option, GridRequest)


@click.command(
    epilog=example("perfmodel grid jobs.swf --machines clusters.toml --mtbf 10h --mttr 1h")
)
@log_options.job_log
@_option(
    "--format",
    "job_format",
    type=OneOf(log_options.JOB_FORMATS),
    metavar="NAME",
    help="Format of LOG, as for replay.  [default: by its first lines]",
)
@job_log_reading
@_option("--machines", type=LOG_FILE, required=True, help="Clusters: TOML, or MetaCentrum's.")
@_option("--failures", type=LOG_FILE, help="A log of machine failures.")
@_option(
    "--failure-format",
    type=OneOf(get_args(FailureFormat)),
    help=f"Format of --failures; {CSV_LAYOUT} "
    "Here also cluster, and node from 0 in it.  [default: by its first lines]",
)
@_option("--unknown-repair", type=COST, help="Repair time where the log has none.")
@_option("--mtbf", type=DURATION, help="Draw failures: MTBF of all machines together.")
@_option("--weibull-shape", type=POSITIVE, help="Shape of the times between bursts of failures.")
@_option(
    "--burst-size", type=POSITIVE, help="Mean number of failures in a burst, all on one cluster."
)
@_option(
    "--burst-span", type=COST, help="All failures of a burst come within this time after its first."
)
@_option(
    "--lemon-share",
    type=SHARE,
    help="Share of the machines, drawn by --seed, that fail more often than the others; the MTBF "
    "of all is kept.",
)
@_option(
    "--lemon-factor",
    type=POSITIVE,
    help="How many times as often those of --lemon-share fail, other than inside a burst.",
)
@_option("--mttr", type=COST, help="Mean time to repair a machine.")
@_option(
    "--maintenance",
    type=LOG_FILE,
    help="CSV of outages: start, end (seconds of LOG or dates), kind (outage), and nodes (such as "
    "0-15 32, over all clusters in their order; empty for all).",
)
@_option("--origin", type=_ORIGIN, help="Unix time of second 0 of LOG, if it does not say.")
@_option("--requirements", help="A CSV file, 'reconstruct' (from history), or 'log' (mwf, gwf).")
@_option(
    "--reconstruct-by",
    type=NAMES,
    metavar="TEXT",
    help="What makes jobs alike.  [default: executable, or user,queue where unknown]",
)
@_option(
    "--partitions",
    metavar="PAIRS",
    help="Where the partitions of LOG were: 1=a,2=b.  [default: by name, or order if as many]",
)
@_option(
    "--partition-map",
    type=LOG_FILE,
    help="The same as a CSV file: partition (or queue) and cluster.",
)
@_option(
    "--scale-runtimes",
    is_flag=True,
    help="Let a job run longer or shorter by the speed of its cluster in LOG over that of another.",
)
@_option(
    "--estimates",
    type=OneOf(get_args(Estimates)),
    help="Running times that the policies plan with.",
)
@_option(
    "--kill/--no-kill",
    "kill",
    is_flag=True,
    help="End jobs at their walltime, or let them run past it.  [default: no-kill]",
)
@_option(
    "--missing-walltime",
    type=OneOf(get_args(MissingWalltime)),
    help="Walltime of a job that has none, or drop it, or refuse the log.  [default: runtime]",
)
@log_options.walltime_factor
@_option(
    "--event-order",
    type=OneOf(get_args(EventOrder)),
    help="Which events come first at one instant.",
)
@_option(
    "--policies",
    type=NAMES,
    metavar="TEXT",
    help="Policies to compare; fcfs-lb (random) is another.  [default: fcfs,easy,cons,ls; without "
    "ls where --order is given]",
)
@_option(
    "--order",
    help='Order of the queue, highest first: such as "-walltime" or "(wait/walltime)**3*nodes".',
)
@_option(
    "--scenarios",
    type=NAMES,
    metavar="TEXT",
    help="Scenarios to compare.  [default: all of BASIC,EXT-FAIL,EXT-REQ,EXT-ALL that apply]",
)
@_option("--runs", type=COUNT, help="Runs of each random policy, ls and fcfs-lb, without --seeds.")
@_option("--seed", type=EVENTS, help="The first of the runs; also the seed of --mtbf.")
@_option(
    "--on-failure",
    type=OneOf(get_args(OnFailure)),
    help="Give killed jobs up, or resubmit them.",
)
@_option(
    "--keep-stranded", is_flag=True, help="Do not cancel jobs for which too few machines are up."
)
@_option("--by-class", is_flag=True, help="Also means by size and running time of the jobs.")
@_option(
    "--use-over-time",
    type=DURATION,
    help="Also use and queue, as means over periods this long; of a random policy the first run.",
)
@_option("--jobs", type=COUNT, help="Use so many of the first jobs of LOG.")
@_option("--strict", is_flag=True, help="Refuse files with a malformed line.")
@study_options(
    seeds="Seeds of --mtbf and of random policies, such as 1:200: a table of means over them."
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
@fills(GridRequest)
def grid(
    request: GridRequest,
    *,
    out: Path | None,
    plot: Path | None,
    use_out: Path | None,
    timing: bool,
    as_json: bool,
) -> None:
    """Replay the jobs of LOG on several clusters.

    With and without job requirements and machine failures, so that one sees what a simpler
    simulation would miss. With --seeds each seed draws failures, and what random policies draw,
    anew.
    """
    refuse_with_study(request.study, plot=plot, timing=timing)
    refuse_idle_use_out(use_out, request.use_over_time)
    drawn: dict[str, Replay] = {}
    with ExitStack() as files:
        single = out is not None and not request.study.wanted
        write = files.enter_context(attempts_file(out)) if out is not None and single else None

        def keep(run: GridRun) -> None:
            if write is not None:
                cell = {"scenario": run.scenario, "policy": run.policy, "seed": run.seed}
                write(grid_attempts(run.result.replay, run.parts.grid), cell)
            if plot is not None:
                drawn.setdefault(f"{run.scenario} {run.policy}", run.result.replay)

        found = answer(request, each=keep, progress=SHOWN)
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json)
        return
    if plot is not None:
        from ..figures.gantt import draw

        with whole_file(plot) as part:
            draw(drawn, found.parts.grid, part, unix_start=found.parts.unix_start)
    if use_out is not None:
        cells = [({name: row[name] for name in ("scenario", "policy")}, row) for row in found.rows]
        write_use(use_out, [(cell, row["use_over_time"]) for cell, row in cells])
    if as_json:
        answered = found.to_dict(timed=timing)
        print_json(with_provenance(answered, found.request, files=found.parts.files))
    else:
        _show(found, timed=timing)


def _show(answered: GridAnswer, *, timed: bool) -> None:
    parts, recorded, request = answered.parts, answered.recorded, answered.request
    rows = list(answered.rows)
    files = [("files" if not index else "", note) for index, note in enumerate(parts.notes)]
    facts, failures = parts.facts, parts.feeds.every
    if failures is not None:
        facts.insert(2, ("failures", f"{len(failures):,} of machines"))
    print_facts([*files, *facts, ("engine", engine_words(rows))])
    print_lines("")
    show_scenarios(rows, recorded, kill=request.kill, timed=timed)
    print_lines(
        "",
        "Means over jobs that ended. Killed attempts are those that a failure ended, "
        f"after which the job was {_AFTERWARDS[request.on_failure]}.",
        *(["Scheduler: processor time of one replay."] if timed else []),
    )
    if any(row["unfinished"] for row in rows):
        print_lines(
            "Some jobs were still waiting at the end: machines that they need were never repaired."
        )
    if recorded is not None:
        jobs = len(parts.workload)
        share = "all" if recorded["jobs"] == jobs else f"{recorded['jobs']:,} of the {jobs:,}"
        print_lines(f"Recorded: waits that LOG has, of {share} jobs.")
    show_percentiles(
        "scenario, policy",
        {f"{row['scenario']} {row['policy']}": row for row in rows}
        | ({} if recorded is None else {"recorded": recorded}),
    )
    if request.by_class:
        show_classes({f"{row['scenario']} {row['policy']}": row["by_class"] for row in rows})
    show_clusters(rows)
    if request.use_over_time is not None:
        found = {f"{row['scenario']} {row['policy']}": row["use_over_time"] for row in rows}
        show_use("scenario, policy", found, request.use_over_time)
