"""``perfmodel replay``: schedule the jobs of a log on a machine, with failures if there are any."""

from __future__ import annotations

from dataclasses import replace as changed
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ...answers.shown import in_unit, percent, shared_unit
from ...units import human_duration
from ..answers.replays import (
    cut_warnings,
    engine_words,
    measures_of,
    play,
    recorded_measures,
    study_of_replays,
)
from ..figures import plot_option
from ..options import log as log_options
from ..options.example import example
from ..options.filling import fills, option, refuse_idle, typed
from ..options.limits import log_limits, machine_limit
from ..options.reading import log_reading
from ..options.study import Several, refuse_idle_study, study_options
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FRACTION,
    LOG_FILE,
    OUTPUT_FILE,
    POSITIVE,
    OneOf,
)
from ..options.use_out import refuse_idle_use_out
from ..options.use_out import use_out as use_out_option
from ..output.attempts import write_attempts
from ..output.measures import show_classes, show_percentiles, show_use
from ..output.progress import job_progress
from ..output.provenance import provenance, timing_flag, without
from ..output.study import answer_study
from ..output.tables import print_facts, print_json, print_lines, print_table
from ..output.use_file import write_use
from ..output.whole_file import whole_file
from ..requests.replay import (
    DialectName,
    Estimates,
    EventOrder,
    MissingWalltime,
    OnFailure,
    ReplayRequest,
    Strikes,
    Ties,
)
from ..requests.study import StudyRequest
from ..setups.replays import Setup, last_end, setup

if TYPE_CHECKING:
    from sim.cluster import Replay

__all__ = ["replay"]


_option = partial(option, ReplayRequest)


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
@_option("--compare", help="Several policies or utilities, such as fcfs,wfp3,unicef.")
@_option("--by-class", is_flag=True, help="Also means by size and running time of the jobs.")
@_option(
    "--use-over-time", type=DURATION, help="Also use and queue, as means over periods this long."
)
@study_options(
    "mtbf",
    "checkpoint_interval",
    "scale_gaps",
    "on_failure",
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
    study: StudyRequest,
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
    log_options.refuse_idle_forecaster(request)
    log_options.refuse_idle_options(request)
    request = _spoken(request)
    fails = request.mtbf is not None or request.failures is not None
    refuse_idle("--strikes", unless=fails, lead="--mtbf or --failures")
    if request.no_kill and request.checkpoints_in_walltime:
        raise click.UsageError("--no-kill must be left out with --checkpoints-in-walltime")
    refuse_idle_study(study)
    refuse_idle_use_out(request.use_over_time)
    request = study.of_first_seed(request)
    if study.wanted:
        plan, parts = study_of_replays(request, study)
        facts = [("machine", f"{parts.machine.size:,} {parts.unit}")]
        facts.append(("jobs", f"{len(parts.workload):,}"))
        answer_study(
            plan,
            study,
            request=request,
            facts=facts,
            notes=parts.notes,
            files=parts.files,
            out=out,
            as_json=as_json,
        )
        return
    parts = setup(request)
    placed = out is not None or plot is not None
    results = {name: _run(parts, name, request, placed=placed) for name in parts.policies}
    if out is not None:
        write_attempts(
            out,
            {name: parts.attempts(result) for name, result in results.items()},
            column=None if request.compare is None else "policy",
        )
    if plot is not None:
        from ..figures.gantt import draw

        with whole_file(plot) as part:
            draw(results, parts.machine, part, unit=parts.unit, unix_start=parts.unix_start)
    objects = [
        _plain(parts, name, result) | measures_of(result, request)
        for name, result in results.items()
    ]
    if use_out is not None:
        kind = "utility" if parts.bluegene else "policy"
        named = zip(results, objects, strict=True)
        write_use(use_out, [({kind: name}, row["use_over_time"]) for name, row in named])
    played = next(iter(results.values()))
    recorded = recorded_measures(parts.recorded, played.workload, size=played.size)
    if as_json:
        rows = objects if timing else [without(row, "engine_s") for row in objects]
        answer = {"results": rows} if request.compare is not None else rows[0]
        answer = answer if recorded is None else {**answer, "recorded": recorded}
        notes = (*parts.notes, *cut_warnings(dict(zip(results, objects, strict=True))))
        print_json({**answer, **provenance(request, notes, files=parts.files)})
    else:
        _show(parts, results, objects, recorded, timed=timing)
        _show_measures(parts, dict(zip(results, objects, strict=True)), recorded, request)


def _left_waiting(result: Replay) -> int:
    from sim.records import Outcome

    return int((result.job_records.outcome == Outcome.UNFINISHED).sum())


def _spoken(request: ReplayRequest) -> ReplayRequest:
    """Return the request with the event order and the limits of its dialect."""
    from sim.cluster.dialects import DIALECTS

    if request.dialect is None:
        return request
    dialect = DIALECTS[request.dialect]
    if request.no_kill and dialect.kill_at_walltime:
        raise click.UsageError(f"--no-kill must be left out with --dialect {dialect.name}")
    order = request.event_order if typed("--event-order") else dialect.event_order
    return changed(request, event_order=order, no_kill=not dialect.kill_at_walltime)


def _run(parts: Setup, name: str, request: ReplayRequest, *, placed: bool) -> Replay:
    if placed:
        parts = changed(parts, failures=parts.numbering())
    with job_progress(len(parts.workload), name) as report:
        return play(parts, name, request, report)


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
    parts: Setup,
    results: dict[str, Replay],
    objects: list[dict[str, Any]],
    recorded: dict[str, Any] | None,
    *,
    timed: bool,
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
        beside = "of which" if parts.failures is parts.feed else "and with the windows"
        among = "" if drawn is None else f"{drawn:,} drawn until the last job ended, {beside} "
        facts.append(("failures", f"{among}{first['failures']:,} ended an attempt of a job"))
        if _outlasts(parts, results):
            facts.append(
                ("", "the replay lasts beyond the last failure: later jobs run without failures")
            )
    facts += [
        ("", f"{waiting:,} jobs were still waiting at the end under {name}")
        for name, result in results.items()
        if (waiting := _left_waiting(result))
    ]
    facts.append(("engine", engine_words(objects)))
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(
        value
        for row in (*objects, *([] if recorded is None else [recorded]))
        for value in (row["mean_wait_s"], row["mean_response_s"])
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
    if recorded is not None:
        rows.append(
            [
                "recorded",
                in_unit(recorded["mean_wait_s"], factor),
                in_unit(recorded["mean_response_s"], factor),
                in_unit(recorded["mean_bounded_slowdown"], 1.0),
                percent(recorded["utilization"], 1),
                "-",
                "-",
            ]
        )
    print_table(headings, rows)
    if parts.failures is not None:
        print_lines(
            "", "Struck: jobs that a failure ended at least once. Lost: of the time in use."
        )
    if parts.bluegene:
        _show_classes(results, objects)


def _show_measures(
    parts: Setup,
    objects: dict[str, dict[str, Any]],
    recorded: dict[str, Any] | None,
    request: ReplayRequest,
) -> None:
    heading = "utility" if parts.bluegene else "policy"
    for warning in cut_warnings(objects):
        print_lines("", warning)
    if recorded is not None:
        jobs = next(iter(objects.values()))["jobs"]
        share = "all" if recorded["jobs"] == jobs else f"{recorded['jobs']:,} of the {jobs:,}"
        print_lines("", f"Recorded: waits that LOG has, of {share} jobs.")
    show_percentiles(heading, objects | ({} if recorded is None else {"recorded": recorded}))
    if request.by_class:
        show_classes({name: row["by_class"] for name, row in objects.items()}, unit=parts.unit)
    if request.use_over_time is not None:
        found = {name: row["use_over_time"] for name, row in objects.items()}
        show_use(heading, found, request.use_over_time)


def _outlasts(parts: Setup, results: dict[str, Replay]) -> bool:
    if parts.feed is None or len(parts.feed) == 0:
        return False
    return any(last_end(result) > parts.feed.time[-1] for result in results.values())


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
