"""What replays of a log tell: facts, a row for each policy, percentiles, classes, use over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asking.units import human_count, human_duration

from ...answers.shown import in_unit, percent, shared_unit, two_decimals
from .measures import engine_words, show_classes, show_percentiles, show_use
from .tables import print_facts, print_lines, print_table

if TYPE_CHECKING:
    from sim.answers import ReplayAnswer
    from sim.cluster import Replay


def _left_waiting(result: Replay) -> int:
    from sim.records import Outcome

    return int((result.job_records.outcome == Outcome.UNFINISHED).sum())


def show_replays(found: ReplayAnswer, *, timed: bool = False) -> None:
    """Print what was replayed, and a row for each policy; with `timed` how long computing took."""
    _show_means(found, timed=timed)
    _show_measures(found)


def _show_means(found: ReplayAnswer, *, timed: bool) -> None:
    parts, results, recorded = found.parts, found.replays, found.recorded
    objects, site = list(found.rows.values()), parts.site
    first = objects[0]
    span = human_duration(first["makespan_s"])
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(parts.notes)]
    facts.append(("machine", f"{site.machine.size:,} {site.unit}"))
    took = f", computed in {sum(row['engine_s'] for row in objects):.3f} s" if timed else ""
    facts.append(("replayed", f"{human_count(first['jobs'], 'job')} in {span}{took}"))
    facts.extend(("", f"{n:,} left out: {rule}") for rule, n in first["dropped"].items())
    facts.extend(("", f"{n:,} repaired: {rule}") for rule, n in first["repaired"].items())
    if parts.feeds.every is not None:
        drawn = first["failures_drawn"]
        beside = "of which" if parts.feeds.windows is None else "and with the windows"
        among = "" if drawn is None else f"{drawn:,} drawn until the last job ended, {beside} "
        facts.append(("failures", f"{among}{first['failures']:,} ended an attempt of a job"))
        if found.outlasts_failures:
            facts.append(
                ("", "the replay lasts beyond the last failure: later jobs run without failures")
            )
    facts += [
        ("", f"{waiting:,} jobs were still waiting at the end under {name}")
        for name, result in results.items()
        if (waiting := _left_waiting(result))
    ]
    played = [{"policy": name, **row} for name, row in found.rows.items()]
    facts.append(("engine", engine_words(played)))
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(
        value
        for row in (*objects, *([] if recorded is None else [recorded]))
        for value in (row["mean_wait_s"], row["mean_response_s"])
    )
    headings = [
        site.kind,
        f"mean wait\n[{unit}]",
        f"response\n[{unit}]",
        "bounded\nslowdown",
        "in use\n[%]",
        "struck\n[%]",
        "lost\n[%]",
        "of all\n[%]",
    ]
    rows = [
        [
            name,
            in_unit(row["mean_wait_s"], factor),
            in_unit(row["mean_response_s"], factor),
            two_decimals(row["mean_bounded_slowdown"]),
            percent(row["utilization"], 1),
            percent(row["job_failure_rate"], 2),
            percent(row["service_unit_loss"], 2),
            percent(row["capacity_loss"], 2),
        ]
        for name, row in zip(results, objects, strict=True)
    ]
    if recorded is not None:
        rows.append(
            [
                "recorded",
                in_unit(recorded["mean_wait_s"], factor),
                in_unit(recorded["mean_response_s"], factor),
                two_decimals(recorded["mean_bounded_slowdown"]),
                percent(recorded["utilization"], 1),
                *("-", "-", "-"),
            ]
        )
    print_table(headings, rows)
    if parts.feeds.every is not None:
        print_lines(
            "",
            "Struck: jobs that a failure ended at least once. Lost: of the time in use, and of all "
            "time of all nodes.",
        )
    if "mean_wait_by_scale_s" in first:
        _show_classes(found)


def _show_measures(found: ReplayAnswer) -> None:
    objects, recorded, request = found.rows, found.recorded, found.request
    site = found.parts.site
    heading = site.kind
    for warning in found.warnings:
        print_lines("", warning)
    if recorded is not None:
        jobs = next(iter(objects.values()))["jobs"]
        share = "all" if recorded["jobs"] == jobs else f"{recorded['jobs']:,} of the {jobs:,}"
        print_lines("", f"Recorded: waits that LOG has, of {share} jobs.")
    show_percentiles(heading, {**objects, **({} if recorded is None else {"recorded": recorded})})
    if request.by_class:
        show_classes({name: row["by_class"] for name, row in objects.items()}, unit=site.unit)
    if request.use_over_time is not None:
        used = {name: row["use_over_time"] for name, row in objects.items()}
        show_use(heading, used, request.use_over_time)


def _show_classes(found: ReplayAnswer) -> None:
    from sim.metrics import LENGTH_CLASSES, SCALE_CLASSES

    objects, results = found.rows.values(), found.replays
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
        [[n, *(two_decimals(v) for v in row)] for n, row in zip(results, length, strict=True)],
    )
