"""``perfmodel replay``: schedule the jobs of a log on a machine, with failures if there are any."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ..errors import needing
from ..options import log as log_options
from ..options.filling import fills, option
from ..options.limits import log_limits, machine_limit
from ..options.types import COST, COUNT, DURATION, EVENTS, FRACTION, LOG_FILE, OUTPUT_FILE, OneOf
from ..output.progress import job_progress
from ..output.provenance import provenance, timing_flag, without
from ..output.tables import (
    in_unit,
    percent,
    print_facts,
    print_json,
    print_lines,
    print_table,
    shared_unit,
)
from ..output.whole_file import whole_file
from ..requests.replay import (
    Estimates,
    EventOrder,
    MissingWalltime,
    OnFailure,
    ReplayRequest,
    Ties,
)
from ..setups.replay import Setup, last_end, setup
from ..units import human_duration

if TYPE_CHECKING:
    from sim.cluster import Replay

__all__ = ["replay"]


_option = partial(option, ReplayRequest)


@click.command()
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
@_option("--policy", help="fcfs, easy, conservative or conservative-compress.")
@_option(
    "--event-order",
    type=OneOf(get_args(EventOrder)),
    help="Which events come first at one instant.",
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
@_option("--until", type=DURATION, help="Leave out jobs submitted this long after the first.")
@log_options.scale_gaps
@_option("--failures", type=LOG_FILE, help="A failure log.")
@log_options.failure_format
@log_options.node_names
@log_options.failures_from_start
@_option("--log-start", type=EVENTS, help="Unix time of second 0 of LOG.  [default: its header's]")
@_option("--mtbf", type=DURATION, help="Draw failures: MTBF of the whole machine.")
@log_options.weibull_shape
@log_options.new_nodes
@_option("--mttr", type=COST, help="Time of a repair or reboot.")
@_option("--seed", type=EVENTS, help="Seed of the random numbers.")
@_option(
    "--on-failure",
    type=OneOf(get_args(OnFailure)),
    help="Resubmit at the old place or as new, or drop.  [default: new on a Blue Gene]",
)
@_option("--checkpoint-interval", type=DURATION, help="Work between two checkpoints.")
@_option("--checkpoint-cost", type=COST, help="To write one checkpoint.")
@_option("--recovery-cost", type=COST, help="To read one back.")
@_option("--utility", help="fcfs, fat, wfp1, wfp3, fcsj or unicef.  [default: wfp3]")
@_option("--utility-expr", help='Such as "(wait/walltime)**3*nodes".')
@_option(
    "--threshold", type=FRACTION, help="Skip jobs below this share of the top score.  [default: 0]"
)
@log_options.allocation
@_option("--compare", help="Several policies or utilities, such as fcfs,wfp3,unicef.")
@click.option("--out", type=OUTPUT_FILE, help="Write one row per job as CSV.")
@click.option("--plot", type=OUTPUT_FILE, help="Draw which job ran where and when, as PNG.")
@timing_flag
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(ReplayRequest)
def replay(
    request: ReplayRequest, *, out: Path | None, plot: Path | None, timing: bool, as_json: bool
) -> None:
    """Schedule every job of LOG and print how long the jobs waited."""
    if plot is not None:
        _check_drawable(plot)  # now, not after an hour of replays
    log_options.refuse_idle_forecaster(request)
    log_options.refuse_idle_options(request)
    parts = setup(request)
    if len(parts.policies) > 1 and (out is not None or plot is not None):
        raise click.UsageError("--out and --plot must be left out with --compare")
    results = {name: _run(parts, name, request) for name in parts.policies}
    if out is not None:
        with whole_file(out) as part:
            parts.jobs(next(iter(results.values()))).to_csv(part, index=False)
    if plot is not None:
        from ..output.gantt import draw

        with whole_file(plot) as part:
            draw(next(iter(results.values())), parts.machine, part, unit=parts.unit)
    objects = [_plain(parts, name, result) for name, result in results.items()]
    if as_json:
        rows = objects if timing else [without(row, "engine_s") for row in objects]
        answer = {"results": rows} if request.compare is not None else rows[0]
        print_json({**answer, **provenance(request, parts.notes, files=parts.files)})
    else:
        _show(parts, results, objects, timed=timing)


def _check_drawable(plot: Path) -> None:
    with needing("--plot"):
        from matplotlib.backend_bases import FigureCanvasBase
    if plot.suffix.lstrip(".").lower() not in FigureCanvasBase.get_supported_filetypes():
        raise click.UsageError(f"--plot must end in .png, .pdf or .svg, got {str(plot)!r}")


def _run(parts: Setup, name: str, request: ReplayRequest) -> Replay:
    from sim.cluster import replay as play

    with job_progress(len(parts.workload), name) as report:
        return play(
            parts.workload,
            parts.machine,
            policy=parts.policies[name],
            event_order=request.event_order,
            estimates=request.estimates,
            kill_at_walltime=not request.no_kill,
            oversize=request.oversize,
            failures=parts.failures,
            checkpointing=parts.checkpointing,
            recovery=parts.recovery,
            progress=report,
        )


def _plain(parts: Setup, name: str, result: Replay) -> dict[str, Any]:
    metrics = {**result.metrics, "failures_drawn": parts.failures_drawn(last_end(result))}
    if not parts.bluegene:
        return metrics
    from sim.metrics import length_class, mean_by_class, scale_class
    from sim.metrics import replay as measures

    records = result.job_records
    return {
        "utility": name,
        **metrics,
        "mean_wait_by_scale_s": mean_by_class(
            measures.wait(records), scale_class(records.processors)
        ),
        "mean_slowdown_by_length": mean_by_class(
            measures.bounded_slowdown(records), length_class(records.executed)
        ),
    }


def _show(
    parts: Setup, results: dict[str, Replay], objects: list[dict[str, Any]], *, timed: bool
) -> None:
    first = objects[0]
    span = human_duration(first["makespan_s"])
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(parts.notes)]
    facts.append(("machine", f"{parts.machine.size:,} {parts.unit}"))
    took = f", computed in {sum(row['engine_s'] for row in objects):.3f} s" if timed else ""
    facts.append(("replayed", f"{first['jobs']:,} jobs in {span}{took}"))
    facts.extend(("", f"{n:,} left out: {rule}") for rule, n in first["dropped"].items())
    facts.extend(("", f"{n:,} repaired: {rule}") for rule, n in first["repaired"].items())
    if parts.failures is not None:
        drawn = first["failures_drawn"]
        among = "" if drawn is None else f"{drawn:,} drawn until the last job ended, of which "
        facts.append(("failures", f"{among}{first['failures']:,} ended an attempt of a job"))
        if _outlasts(parts, results):
            facts.append(
                ("", "the replay lasts beyond the last failure: later jobs run without failures")
            )
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(
        value for row in objects for value in (row["mean_wait_s"], row["mean_response_s"])
    )
    headings = [
        "utility" if parts.bluegene else "policy",
        f"mean wait\n[{unit}]",
        f"response\n[{unit}]",
        "bounded\nslowdown",
        "in use\n[%]",
        "struck\n[%]",
        "lost\n[%]",
    ]
    rows = [
        [
            name,
            in_unit(row["mean_wait_s"], factor),
            in_unit(row["mean_response_s"], factor),
            in_unit(row["mean_bounded_slowdown"], 1.0),
            percent(row["utilization"], 1),
            percent(row["job_failure_rate"], 2),
            percent(row["service_unit_loss"], 2),
        ]
        for name, row in zip(results, objects, strict=True)
    ]
    print_table(headings, rows)
    if parts.failures is not None:
        print_lines(
            "", "Struck: jobs that a failure ended at least once. Lost: of the time in use."
        )
    if parts.bluegene:
        _show_classes(results, objects)


def _outlasts(parts: Setup, results: dict[str, Replay]) -> bool:
    if parts.failures is None or len(parts.failures) == 0:
        return False
    return any(last_end(result) > parts.failures.time[-1] for result in results.values())


def _show_classes(results: dict[str, Replay], objects: list[dict[str, Any]]) -> None:
    from sim.metrics import LENGTH_CLASSES, SCALE_CLASSES

    scale = [row["mean_wait_by_scale_s"] for row in objects]
    unit, factor = shared_unit(value for row in scale for value in row)
    print_lines("", f"Mean wait [{unit}] by nodes of the partition:", "")
    print_table(
        ["utility", *SCALE_CLASSES],
        [[n, *(in_unit(v, factor) for v in row)] for n, row in zip(results, scale, strict=True)],
    )
    print_lines("", "Mean bounded slowdown by running time:", "")
    length = [row["mean_slowdown_by_length"] for row in objects]
    print_table(
        ["utility", *LENGTH_CLASSES],
        [[n, *(in_unit(v, 1.0) for v in row)] for n, row in zip(results, length, strict=True)],
    )
