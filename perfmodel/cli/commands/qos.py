"""``perfmodel qos``: which deadlines a site can promise with which probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import click
import numpy as np

from ...units import human_duration
from ..answers.replay_measures import engine_words
from ..answers.study import Factor, Measure, Plan, plain_numbers
from ..options import log as log_options
from ..options.filling import fills, option, refuse_idle
from ..options.limits import log_limits, machine_limit
from ..options.study import refuse_idle_study, refuse_with_study, study_options
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
    Wanted,
    gone,
)
from ..output.finished import Finished
from ..output.progress import job_progress
from ..output.provenance import provenance, timing_flag, without
from ..output.study import answer_study
from ..output.tables import (
    in_unit,
    percent,
    print_facts,
    print_json,
    print_lines,
    print_table,
    shared_unit,
)
from ..requests.replay import Checkpoints, Forecaster, PromisesRequest
from ..requests.study import StudyRequest
from ..setups.failures import refuse_endless
from ..setups.replay import last_end, setup

if TYPE_CHECKING:
    from sim.cluster import Failures, PromiseReplay, RiskForecaster, Workload

__all__ = ["qos"]

_YEAR = 365 * 86_400.0
_MOST_FRACTIONS = 1000
_MEASURES = (
    Measure("qos", "QoS", "number"),
    Measure("utilization", "in use", "share"),
    Measure("lost_work_node_s", "lost", "node_h"),
    Measure("kept", "kept", "share"),
    Measure("mean_wait_s", "mean wait", "time"),
)


class _Scene(NamedTuple):
    """What all cells of a sweep have in common."""

    processors: int
    workload: Workload
    failures: Failures
    notes: tuple[str, ...]


def _fractions(text: str) -> tuple[float, ...]:
    """Read ``0.1,0.5`` or ``first:last:step``, both ends included."""
    if text.count(":") == 2:
        first, last, step = (float(part) for part in text.split(":"))
        if not (step > 0.0 and 0.0 <= first <= last <= 1.0):
            raise ValueError
        count = int((last - first) / step * (1.0 + 1e-12) + 1e-9) + 1
        if count > _MOST_FRACTIONS:
            raise ValueError
        return tuple(round(first + place * step, 10) for place in range(count))
    values = tuple(float(part) for part in text.split(","))
    if not all(0.0 <= value <= 1.0 for value in values):
        raise ValueError
    return values


def _plain_fractions(text: str) -> tuple[float, ...]:
    try:
        if not text.isascii() or "_" in text:
            raise ValueError
        return tuple(dict.fromkeys(_fractions(text)))
    except ValueError:
        raise ValueError from None


FRACTIONS = Wanted(
    "fractions", "numbers in [0, 1], at most 1000, such as 0.1,0.5 or 0:1:0.1", _plain_fractions
)


_option = partial(option, PromisesRequest)


@click.command()
@log_options.job_log
@log_options.job_format
@_option("--processors", type=COUNT, help="Processors of the machine.  [default: the log's header]")
@_option("--jobs", type=COUNT, help="Use so many of the first jobs of LOG.")
@log_options.oversize
@_option(
    "--accuracy",
    type=FRACTIONS,
    help="Accuracy of the predictor: 0:1:0.1 or 0.3,0.7.  [default: 0:1:0.1]",
)
@_option("--confidence", type=FRACTIONS, help="Probability of success that users ask for.")
@_option(
    "--within-accuracy",
    is_flag=True,
    help="Users ask for nothing where --confidence is above the accuracy, as in the paper's plots.",
)
@gone("--risk", remedy="it is a probability of success: give --confidence")
@gone("--insist", flag=True, remedy="users always do, unless --within-accuracy is given")
@_option(
    "--forecaster",
    type=OneOf(get_args(Forecaster)),
    help="The predictor: of given accuracy, of sensitivity and specificity, or only a rate.",
)
@_option(
    "--sensitivity",
    type=FRACTION,
    help="With --forecaster stated: risk stated for a node that will fail.",
)
@_option("--specificity", type=FRACTION, help="1 minus the risk stated for any other node.")
@_option(
    "--node-mtbf",
    type=DURATION,
    help="With --forecaster rate: MTBF of a node.  [default: as nodes fail]",
)
@_option("--failures", type=LOG_FILE, help="A failure log.  [default: drawn]")
@log_options.failure_format
@log_options.node_names
@log_options.failures_from_start
@_option(
    "--failures-per-year",
    type=POSITIVE,
    help="Failures of the machine, drawn in bursts.  [default: 1021]",
)
@_option(
    "--downtime",
    type=COST,
    help="Downtime of a node after a failure.  [default: a log's own repairs, else 2min]",
)
@_option("--checkpoint-interval", type=DURATION, help="Work between two checkpoints.")
@_option("--checkpoint-cost", type=COST, help="To write one checkpoint.")
@_option(
    "--checkpoints",
    type=OneOf(get_args(Checkpoints)),
    help="Which checkpoints are written: by risk, all or none.",
)
@_option("--seed", type=EVENTS, help="Seed of failures and predictor.")
@click.option(
    "--resume",
    type=OUTPUT_FILE,
    help="Keep finished cells in this file; those that it has are not played again.",
)
@study_options(seeds="Seeds of failures and predictor, such as 1:200: a table of means over them.")
@click.option("--out", type=OUTPUT_FILE, help="Write one row per cell and seed as CSV.")
@timing_flag
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(PromisesRequest)
def qos(
    request: PromisesRequest,
    *,
    study: StudyRequest,
    resume: Path | None,
    out: Path | None,
    timing: bool,
    as_json: bool,
) -> None:
    """Promise the jobs of LOG deadlines, and count which are kept.

    Every job is offered its earliest end and the probability of meeting it, then later ones; its
    user accepts the first that reaches --confidence, or the likeliest where none does. Every cell
    of accuracy and confidence meets the same failures. With --seeds each seed draws failures and
    forecasts anew.
    """
    _refuse(request)
    refuse_idle_study(study, "--out")
    refuse_with_study(study, "--resume", "--timing")
    request = study.of_first_seed(request)
    scene = _scene(request)
    cells = [
        (accuracy, confidence)
        for accuracy in request.accuracy or _accuracies(request)
        for confidence in request.confidence
    ]
    if study.wanted:
        answer_study(
            _plan(request, scene, cells),
            study,
            request=request,
            facts=[
                ("machine", f"{scene.processors:,} processors"),
                ("jobs", f"{len(scene.workload):,}"),
            ],
            notes=scene.notes,
            files=(),
            out=out,
            as_json=as_json,
        )
        return
    objects = []
    about = provenance(request, scene.notes)
    if resume is not None and None in [file["sha256"] for file in about["inputs"]]:
        raise click.UsageError("--resume must be left out where a pipe is read")
    # All that a cell depends on, apart from its own accuracy and confidence.
    shared = without(about["options"], "accuracy", "confidence")
    finished = Finished(resume, about | {"options": shared})
    for accuracy, confidence in cells:
        row = finished.get([accuracy, confidence])
        if row is None:
            row = _play(request, scene, accuracy, confidence)
            finished.add([accuracy, confidence], row)
        objects.append(row)
    if as_json:
        rows = objects if timing else [without(row, "engine_s") for row in objects]
        print_json({"results": rows, **about})
    else:
        _show(scene, objects, timed=timing)


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a cell with the failures and the forecasts of a seed."""

    request: PromisesRequest
    scene: _Scene
    cells: Mapping[str, tuple[float | None, float]]

    def __call__(self, cell: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        request, scene = replace(self.request, seed=seed), self.scene
        if request.failures is None:
            scene = scene._replace(failures=_drawn(request, scene.processors, scene.workload))
        row = _play(request, scene, *self.cells[cell], watch=False)
        return plain_numbers(row, "accuracy", "confidence", "engine_s")


def _plan(
    request: PromisesRequest, scene: _Scene, pairs: Sequence[tuple[float | None, float]]
) -> Plan:
    cells = {_label(*pair): pair for pair in pairs}
    return Plan(
        play=_Replays(request, scene, cells),
        cells={
            name: {
                "accuracy": Factor(accuracy, "-" if accuracy is None else f"{accuracy:g}"),
                "confidence": Factor(confidence, f"{confidence:g}"),
            }
            for name, (accuracy, confidence) in cells.items()
        },
        headings={"accuracy": "accuracy", "confidence": "confi-\ndence"},
        measures=_MEASURES,
    )


def _label(accuracy: float | None, confidence: float) -> str:
    return f"U={confidence:g}" if accuracy is None else f"a={accuracy:g} U={confidence:g}"


def _refuse(request: PromisesRequest) -> None:
    if request.forecaster != "detectability" and request.accuracy is not None:
        raise click.UsageError("--accuracy must be left out unless --forecaster is detectability")
    if request.forecaster != "rate" and request.node_mtbf is not None:
        raise click.UsageError("--node-mtbf must be left out unless --forecaster is rate")
    stated = request.forecaster == "stated"
    refuse_idle("--sensitivity", "--specificity", unless=stated, lead="--forecaster stated")
    if request.failures is not None and request.failures_per_year is not None:
        raise click.UsageError("--failures must be left out with --failures-per-year")
    log_options.refuse_idle_options(request.site())


def _accuracies(request: PromisesRequest) -> Sequence[float | None]:
    return _fractions("0:1:0.1") if request.forecaster == "detectability" else [None]


def _scene(request: PromisesRequest) -> _Scene:
    from sim.cluster import Failures

    parts = setup(request.site())
    notes = (*parts.notes, "a node is a processor: a failure strikes one processor")
    workload = parts.workload.select(np.arange(len(parts.workload)) < request.jobs)
    fits = parts.machine.fits(workload)
    if request.oversize == "skip":
        workload = workload.select(fits, rule="larger_than_machine")
    if len(workload) == 0:
        raise click.UsageError(f"{request.log.name} must hold jobs that fit the machine, got none")
    if parts.failures is not None:
        feed = parts.failures
        if request.downtime is not None:
            feed = Failures(feed.time, feed.node, np.full(len(feed), request.downtime))
        return _Scene(parts.machine.size, workload, feed, notes)
    feed = _drawn(request, parts.machine.nodes, workload)
    first, end, rate = _drawing(request, workload)
    note = (
        f"failures drawn until {human_duration(end - first)} after the first submission: "
        f"{rate:g} a year in bursts, seed {request.seed}"
    )
    return _Scene(parts.machine.size, workload, feed, (*notes, note))


def _drawing(request: PromisesRequest, workload: Workload) -> tuple[float, float, float]:
    """Return from when until when failures are drawn, [s], and how many a year."""
    first, last = float(workload.submit[0]), float(workload.submit[-1])
    return first, last + 2.0 * (last - first) + _YEAR, request.failures_per_year or 1021.0


def _drawn(request: PromisesRequest, nodes: int, workload: Workload) -> Failures:
    from sim.cluster import bursty_failures

    first, end, rate = _drawing(request, workload)
    refuse_endless("--failures-per-year", rate * (end - first) / _YEAR)
    return bursty_failures(
        nodes=nodes,
        per_year=rate,
        repair=request.repair,
        start=first,
        end=end,
        seed=request.seed,
    )


def _play(
    request: PromisesRequest,
    scene: _Scene,
    accuracy: float | None,
    confidence: float,
    *,
    watch: bool = True,
) -> dict[str, Any]:
    from sim.cluster import replay_promises

    label = _label(accuracy, confidence)
    with job_progress(len(scene.workload), label, watch=watch) as report:
        done = replay_promises(
            scene.workload,
            processors=scene.processors,
            forecaster=_forecaster(request, scene, accuracy),
            confidence=confidence,
            within_accuracy=request.within_accuracy,
            failures=scene.failures,
            checkpoint_interval=request.checkpoint_interval,
            checkpoint_cost=request.checkpoint_cost,
            checkpointing=request.checkpoints,
            progress=report,
        )
    row = _object(done, accuracy, confidence)
    if request.failures is None:
        end = last_end(done.replay)
        row["failures_drawn"] = int(np.searchsorted(scene.failures.time, end, side="right"))
    return row


def _forecaster(request: PromisesRequest, scene: _Scene, accuracy: float | None) -> RiskForecaster:
    from sim.cluster import (
        DetectabilityForecaster,
        QsimForecaster,
        RateForecaster,
        StatedForecaster,
    )

    if accuracy is not None:
        return DetectabilityForecaster(accuracy, request.seed)
    if request.forecaster == "stated":
        return StatedForecaster(QsimForecaster(request.sensitivity, request.specificity))
    if request.node_mtbf is not None:
        return RateForecaster(1.0 / request.node_mtbf)
    return RateForecaster(_rate(scene))


def _rate(scene: _Scene) -> float:
    times = scene.failures.time
    span = float(times[-1] - times[0]) if times.size else 0.0
    return (times.size - 1) / (span * scene.processors) if span > 0.0 else 0.0


def _object(done: PromiseReplay, accuracy: float | None, confidence: float) -> dict[str, Any]:
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
        "engine": done.replay.engine,
        "engine_s": done.replay.engine_s,
    }


def _show(scene: _Scene, objects: list[dict[str, Any]], *, timed: bool) -> None:
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(scene.notes)]
    facts.append(("machine", f"{scene.processors:,} processors"))
    took = f", computed in {sum(row['engine_s'] for row in objects):.3f} s" if timed else ""
    facts.append(("replayed", f"{len(scene.workload):,} jobs, {len(objects)} times{took}"))
    facts.extend(("", f"{n:,} left out: {rule}") for rule, n in scene.workload.dropped.items())
    last = max(row["makespan_s"] for row in objects) + float(scene.workload.submit[0])
    times = scene.failures.time
    if times.size == 0 or times[-1] < last:
        facts.append(
            ("", "a replay lasts beyond the last failure: later jobs run without failures")
        )
    cells = [{**row, "policy": _label(row["accuracy"], row["confidence"])} for row in objects]
    print_facts([*facts, ("engine", engine_words(cells))])
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
