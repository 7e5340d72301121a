"""``perfmodel qos``: which deadlines a site can promise with which probability."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

from ..options import log as log_options
from ..options.job import refuse_idle
from ..options.limits import log_limits, machine_limit
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FRACTION,
    LOG_FILE,
    OUTPUT_FILE,
    POSITIVE,
    Wanted,
    gone,
)
from ..output.finished import Finished
from ..output.progress import job_progress
from ..output.provenance import provenance, timing, without
from ..output.tables import (
    in_unit,
    percent,
    print_facts,
    print_json,
    print_lines,
    print_table,
    shared_unit,
)
from ..setups.replay import last_end, refuse_endless, setup
from ..units import human_duration
from .replay import replay as replay_command

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.forecasts import RiskForecaster
    from sim.cluster.promises import Promised

__all__ = ["qos"]

_YEAR = 365 * 86_400.0
_MOST_FRACTIONS = 1000


class _Scene(NamedTuple):
    """What every cell of a sweep shares."""

    processors: int
    workload: Workload
    failures: Failures
    notes: tuple[str, ...]


def _fractions(text: str) -> list[float]:
    """Read ``0.1,0.5`` or ``first:last:step``, both ends included."""
    if text.count(":") == 2:
        first, last, step = (float(part) for part in text.split(":"))
        if not (step > 0.0 and 0.0 <= first <= last <= 1.0):
            raise ValueError
        count = int((last - first) / step * (1.0 + 1e-12) + 1e-9) + 1
        if count > _MOST_FRACTIONS:
            raise ValueError
        return [round(first + place * step, 10) for place in range(count)]
    values = [float(part) for part in text.split(",")]
    if not all(0.0 <= value <= 1.0 for value in values):
        raise ValueError
    return values


def _plain_fractions(text: str) -> list[float]:
    try:
        if not text.isascii() or "_" in text:
            raise ValueError
        return list(dict.fromkeys(_fractions(text)))
    except ValueError:
        raise ValueError from None


FRACTIONS = Wanted(
    "fractions", "numbers in [0, 1], at most 1000, such as 0.1,0.5 or 0:1:0.1", _plain_fractions
)


@click.command()
@log_options.job_log
@log_options.job_format
@click.option("--processors", type=COUNT, help="Of the machine.  [default: the log's header]")
@click.option("--jobs", type=COUNT, default="10000", show_default=True, help="First jobs of LOG.")
@log_options.oversize
@click.option(
    "--accuracy", type=FRACTIONS, help="Of the predictor: 0:1:0.1 or 0.3,0.7.  [default: 0:1:0.1]"
)
@click.option(
    "--confidence",
    type=FRACTIONS,
    default="0.1,0.5,0.9",
    show_default=True,
    help="Probability of success that users ask for.",
)
@click.option(
    "--within-accuracy",
    is_flag=True,
    help="Users ask for nothing where --confidence is above the accuracy, as in the paper's plots.",
)
@gone("--risk", remedy="it is a probability of success: give --confidence")
@gone("--insist", flag=True, remedy="users always do, unless --within-accuracy is given")
@click.option(
    "--forecaster",
    type=click.Choice(["detectability", "stated", "rate"]),
    default="detectability",
    show_default=True,
    help="The predictor: of given accuracy, of sensitivity and specificity, or only a rate.",
)
@click.option("--sensitivity", type=FRACTION, default="0.6", show_default=True)
@click.option("--specificity", type=FRACTION, default="0.6", show_default=True)
@click.option("--node-mtbf", type=DURATION, help="For --forecaster rate.  [default: as they fail]")
@click.option("--failures", type=LOG_FILE, help="A failure log.  [default: drawn]")
@log_options.failure_format
@log_options.node_names
@log_options.failures_from_start
@click.option(
    "--failures-per-year", type=POSITIVE, help="Of the machine, in bursts.  [default: 1021]"
)
@click.option("--downtime", type=COST, help="Of a node.  [default: a log's own repairs, else 2min]")
@click.option("--checkpoint-interval", type=DURATION, default="1h", show_default=True)
@click.option("--checkpoint-cost", type=COST, default="12min", show_default=True)
@click.option(
    "--checkpoints",
    type=click.Choice(["risk", "all", "none"]),
    default="risk",
    show_default=True,
    help="Which requests are granted.",
)
@click.option(
    "--seed", type=EVENTS, default="0", show_default=True, help="Of failures and predictor."
)
@click.option(
    "--resume",
    type=OUTPUT_FILE,
    help="Keep finished cells in this file, and do not play those it has.",
)
@timing
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
def qos(log: Path, as_json: bool, **options: Any) -> None:
    """Promise the jobs of LOG deadlines, and see which are kept.

    Every job is offered its earliest end and the probability of meeting it, then later ones; its
    user accepts the first that reaches --confidence, or the likeliest where none does. Every cell
    of accuracy and confidence meets the same failures.
    """
    _refuse(options)
    scene = _scene(log, options)
    cells = [
        (accuracy, confidence)
        for accuracy in (options["accuracy"] or _accuracies(options))
        for confidence in options["confidence"]
    ]
    objects = []
    about = provenance({"log": log, **options}, scene.notes)
    if options["resume"] is not None and None in [file["sha256"] for file in about["inputs"]]:
        raise click.UsageError("--resume must be left out where a pipe is read")
    # All that decides about a cell, beside its own accuracy and confidence.
    shared = without(about["options"], "accuracy", "confidence")
    finished = Finished(options["resume"], about | {"options": shared})
    for accuracy, confidence in cells:
        row = finished.get([accuracy, confidence])
        if row is None:
            row = _play(options, scene, accuracy, confidence)
            finished.add([accuracy, confidence], row)
        objects.append(row)
    if as_json:
        rows = objects if options["timing"] else [without(row, "engine_s") for row in objects]
        print_json({"results": rows, **about})
    else:
        _show(scene, objects, timed=options["timing"])


def _refuse(options: dict[str, Any]) -> None:
    if options["forecaster"] != "detectability" and options["accuracy"] is not None:
        raise click.UsageError("--accuracy must be left out unless --forecaster is detectability")
    if options["forecaster"] != "rate" and options["node_mtbf"] is not None:
        raise click.UsageError("--node-mtbf must be left out unless --forecaster is rate")
    told = ("sensitivity", "specificity")
    refuse_idle(told, unless=options["forecaster"] == "stated", lead="--forecaster stated")
    if options["failures"] is not None and options["failures_per_year"] is not None:
        raise click.UsageError("--failures must be left out with --failures-per-year")


def _accuracies(options: dict[str, Any]) -> list[float | None]:
    return [*_fractions("0:1:0.1")] if options["forecaster"] == "detectability" else [None]


def _scene(log: Path, options: dict[str, Any]) -> _Scene:
    from sim.cluster import Failures
    from sim.cluster.failures import bursty_failures

    # What `replay` offers beyond these options stays at its default.
    ordinary = replay_command.make_context("replay", [str(log)]).params
    downtime = options["downtime"]
    repair = 120.0 if downtime is None else downtime
    parts = setup(log, {**ordinary, **options, "mttr": repair, "processors_per_node": 1})
    notes = (*parts.notes, "a node is a processor: a failure strikes one processor")
    workload = parts.workload.select(np.arange(len(parts.workload)) < options["jobs"])
    fits = parts.machine.fits(workload)
    if options["oversize"] == "skip":
        workload = workload.select(fits, rule="larger_than_machine")
    if len(workload) == 0:
        raise click.UsageError(f"{log.name} must hold jobs that fit the machine, got none")
    if parts.failures is not None:
        feed = parts.failures
        if downtime is not None:
            feed = Failures(feed.time, feed.node, np.full(len(feed), downtime))
        return _Scene(parts.machine.size, workload, feed, notes)
    first, last = float(workload.submit[0]), float(workload.submit[-1])
    end = last + 2.0 * (last - first) + _YEAR
    rate = options["failures_per_year"] or 1021.0
    refuse_endless("--failures-per-year", rate * (end - first) / _YEAR)
    feed = bursty_failures(
        nodes=parts.machine.nodes,
        per_year=rate,
        repair=repair,
        start=first,
        end=end,
        seed=options["seed"],
    )
    note = (
        f"failures drawn until {human_duration(end - first)} after the first submission: "
        f"{rate:g} a year in bursts, seed {options['seed']}"
    )
    return _Scene(parts.machine.size, workload, feed, (*notes, note))


def _play(
    options: dict[str, Any], scene: _Scene, accuracy: float | None, confidence: float
) -> dict[str, Any]:
    from sim.cluster.promises import replay_promises

    label = f"U={confidence:g}" if accuracy is None else f"a={accuracy:g} U={confidence:g}"
    with job_progress(len(scene.workload), label) as report:
        done = replay_promises(
            scene.workload,
            processors=scene.processors,
            forecaster=_forecaster(options, scene, accuracy),
            confidence=confidence,
            within_accuracy=options["within_accuracy"],
            failures=scene.failures,
            checkpoint_interval=options["checkpoint_interval"],
            checkpoint_cost=options["checkpoint_cost"],
            checkpointing=options["checkpoints"],
            progress=report,
        )
    row = _object(done, accuracy, confidence)
    if options["failures"] is None:
        end = last_end(done.replay)
        row["failures_drawn"] = int(np.searchsorted(scene.failures.time, end, side="right"))
    return row


def _forecaster(options: dict[str, Any], scene: _Scene, accuracy: float | None) -> RiskForecaster:
    from sim.cluster.forecasts import (
        DetectabilityForecaster,
        QsimForecaster,
        RateForecaster,
        StatedForecaster,
    )

    if accuracy is not None:
        return DetectabilityForecaster(accuracy, options["seed"])
    if options["forecaster"] == "stated":
        return StatedForecaster(QsimForecaster(options["sensitivity"], options["specificity"]))
    if options["node_mtbf"] is not None:
        return RateForecaster(1.0 / options["node_mtbf"])
    return RateForecaster(_rate(scene))


def _rate(scene: _Scene) -> float:
    times = scene.failures.time
    span = float(times[-1] - times[0]) if times.size else 0.0
    return (times.size - 1) / (span * scene.processors) if span > 0.0 else 0.0


def _object(done: Promised, accuracy: float | None, confidence: float) -> dict[str, Any]:
    from dataclasses import asdict

    from sim.metrics import calibration

    records = done.replay.job_records
    attempts = done.replay.attempt_records
    return {
        "accuracy": accuracy,
        "confidence": confidence,
        "qos": done.quality_of_service,
        "utilization": done.utilization,
        "lost_work_node_s": done.lost_work,
        "kept": float(np.mean(done.kept)),
        "mean_promised": float(np.mean(done.promised)),
        "mean_wait_s": float(np.nanmean(records.first_start - records.submit)),
        "failures": int(records.failures.sum()),
        "failures_drawn": None,
        "checkpoint_node_s": float((attempts.checkpoint * attempts.processors).sum()),
        "makespan_s": float(np.nanmax(records.end) - records.submit[0]),
        "jobs": int(records.job.size),
        "calibration": [asdict(row) for row in calibration(done.promised, done.kept)],
        "engine_s": done.replay.engine_s,
    }


def _show(scene: _Scene, objects: list[dict[str, Any]], *, timed: bool) -> None:
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(scene.notes)]
    facts.append(("machine", f"{scene.processors:,} processors"))
    took = f", computed in {sum(row['engine_s'] for row in objects):.1f} s" if timed else ""
    facts.append(("replayed", f"{len(scene.workload):,} jobs, {len(objects)} times{took}"))
    facts.extend(("", f"{n:,} left out: {rule}") for rule, n in scene.workload.dropped.items())
    last = max(row["makespan_s"] for row in objects) + float(scene.workload.submit[0])
    times = scene.failures.time
    if times.size == 0 or times[-1] < last:
        facts.append(("", "a replay goes on after the last failure: later jobs run in peace"))
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(row["mean_wait_s"] for row in objects)
    headings = [
        "accuracy",
        "confi-\ndence",
        "QoS",
        "in use\n[%]",
        "lost\n[node h]",
        "kept\n[%]",
        "promised\n[%]",
        f"mean wait\n[{unit}]",
    ]
    rows = [
        [
            "-" if row["accuracy"] is None else f"{row['accuracy']:g}",
            f"{row['confidence']:g}",
            f"{row['qos']:.4f}",
            percent(row["utilization"], 1),
            f"{row['lost_work_node_s'] / 3600.0:,.0f}",
            percent(row["kept"], 2),
            percent(row["mean_promised"], 2),
            in_unit(row["mean_wait_s"], factor),
        ]
        for row in objects
    ]
    print_table(headings, rows, words=0)
    print_lines(
        "",
        "QoS: work of the jobs that met their deadline, weighted by the probability promised. In "
        "use: execution without checkpoints. Lost: since the start of the last checkpoint.",
    )
