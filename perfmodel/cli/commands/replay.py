"""``perfmodel replay``: schedule the jobs of a log on a machine, with failures if there are any."""

from __future__ import annotations

from pathlib import Path

import click

from sim.answers import (
    ReplayRequest,
    StudyAnswer,
)
from sim.answers import replay as answer

from ..figures import plot_option
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits, machine_limit
from ..options.types import OUTPUT_FILE
from ..options.use_out import refuse_idle_use_out
from ..options.use_out import use_out as use_out_option
from ..output.attempts import write_attempts
from ..output.progress import doing
from ..output.provenance import timing_flag, with_provenance
from ..output.replays import show_replays
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_json
from ..output.use_file import write_use
from ..output.watching import SHOWN
from ..output.whole_file import whole_file


@click.command(
    cls=Grouped,
    epilog=example("perfmodel replay jobs.swf --compare fcfs,easy --mtbf 12h --mttr 1h"),
)
@options_of(ReplayRequest)
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
    refuse_with_study(request.study, timing=timing)
    with doing(f"reading {request.log.name}"):
        found = answer(request, places=out is not None or plot is not None, progress=SHOWN)
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json, plot=plot)
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
