"""``perfmodel grid``: several clusters, with and without requirements and machine failures."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.answers import (
    GridAnswer,
    GridRequest,
    GridRun,
    StudyAnswer,
    grid_attempts,
)
from sim.answers import grid as answer

from ..figures import plot_option
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits, machine_limit
from ..options.types import OUTPUT_FILE
from ..options.use_out import refuse_idle_use_out
from ..options.use_out import use_out as use_out_option
from ..output.attempts import attempts_file
from ..output.clusters import show_clusters
from ..output.measures import engine_words, show_classes, show_percentiles, show_use
from ..output.progress import doing
from ..output.provenance import timing_flag, with_provenance
from ..output.scenarios import show_scenarios
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_facts, print_json, print_lines
from ..output.use_file import write_use
from ..output.watching import SHOWN
from ..output.whole_file import whole_file

if TYPE_CHECKING:
    from sim.cluster import Replay

_AFTERWARDS = {
    "drop": "given up",
    "original": "resubmitted at its old place",
    "new": "resubmitted as new",
}


@click.command(
    cls=Grouped,
    epilog=example("perfmodel grid jobs.swf --machines clusters.toml --mtbf 10h --mttr 1h"),
)
@options_of(GridRequest)
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
    refuse_with_study(request.study, timing=timing)
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

        with doing(f"reading {request.log.name}"):
            found = answer(request, each=keep, progress=SHOWN)
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json, plot=plot)
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
