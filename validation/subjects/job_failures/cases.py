"""The failures of one job, their probability, number and cost, against replayed jobs.

`CASES` belong to every run; `FULL` (only with ``--full``) has real jobs of Blue Gene/P, logged
failures, and classes of partition size and walltime. Only exponential failures can fail a
formula; for others the verdict is a distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from perfmodel.makespan import expected_makespan
from perfmodel.site import expected_failures, expected_lost_time, failure_probability
from sim.metrics import LENGTH_CLASSES, SCALE_CLASSES, length_class, scale_class
from validation.judge.chance import TIE, alpha_of
from validation.judge.compare import compare_mean, compare_number, compare_ratio, measure_distance
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict

from ..closed_forms.definitions import exactly
from ..closed_forms.definitions import expected_failures as failures_from_the_model
from ..makespan.cases import HARSH, OPEN, SHORT
from ..makespan.cases import play as makespans
from .logs import CHECKPOINT, RECOVERY, Played, at_hand, play

__all__ = ["CASES", "FULL"]

Predict = Callable[..., Any]
FloatArray = npt.NDArray[np.float64]

TOLERANCE = 0.2  # gate of whole replays: each has some thousand jobs, not millions


def probability_of_being_hit(
    predict: Predict, budget: Budget, *, part: str = "all", **replayed: Any
) -> Verdict:
    """Judge the share of replayed jobs that a failure strikes in their first attempt."""
    played = _play(budget, "once", replayed)
    chosen = _part(played, part)
    if not chosen.any():
        return _none()
    predictions = np.asarray(predict(played.work[chosen], mtbf=played.mtbf[chosen]))
    hit = played.failures[:, chosen] > 0.0
    return _judge(predictions, hit, budget, replayed, part=part != "all")


def number_of_failures(predict: Predict, budget: Budget, **replayed: Any) -> Verdict:
    """Judge the number of failures that strike a replayed job with checkpoints."""
    played = _play(budget, "checkpoints", replayed)
    return _judge(_ask(predict, played, recovery_cost=RECOVERY), played.failures, budget, replayed)


def replayed_makespan(predict: Predict, budget: Budget, **replayed: Any) -> Verdict:
    """Judge the time that a replayed job with checkpoints holds its partition."""
    played = _play(budget, "checkpoints", replayed)
    return _judge(_ask(predict, played, recovery_cost=RECOVERY), played.held, budget, replayed)


def replayed_makespan_without_checkpoints(
    predict: Predict, budget: Budget, **replayed: Any
) -> Verdict:
    """Judge the time that a replayed job without checkpoints holds partitions in all attempts."""
    played = _play(budget, "again", replayed)
    return _judge(_ask_plain(predict, played), played.held, budget, replayed)


def service_unit_loss(predict: Predict, budget: Budget, **replayed: Any) -> Verdict:
    """Judge the node-hours lost over the node-hours delivered, without checkpoints."""
    played = _play(budget, "again", replayed)
    nodes = played.nodes
    delivered = float(np.sum(nodes * _ask_plain(expected_makespan, played)))
    predicted = float(np.sum(nodes * _ask_plain(predict, played))) / delivered
    lost, held = played.lost @ nodes, played.held @ nodes
    if replayed["failures"] == "exponential":
        return compare_ratio(predicted, lost, held, alpha=budget.alpha, tolerance=budget.tolerance)
    ratio = float(lost.sum() / held.sum())
    return measure_distance(
        predicted, ratio + (lost - ratio * held) / held.mean(), alpha=budget.alpha
    )


def share_of_jobs_hit(predict: Predict, budget: Budget, *, work: float, mtbf: float) -> Verdict:
    """Judge the share of jobs without checkpoints that take longer than their work."""
    walls = makespans(
        budget.seed,
        budget.replications,
        work=work,
        interval=work,
        mtbf=mtbf,
        checkpoint_cost=0.0,
        downtime=0.0,
    )
    predicted = float(predict(work, mtbf=mtbf))
    hit = walls > work * (1.0 + TIE)
    return compare_mean(predicted, hit, alpha=budget.alpha, tolerance=budget.tolerance)


def failures_of_a_job(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the failures of one job by its simulated time without downtime, over the mtbf."""
    walls = makespans(budget.seed, budget.replications, **job, downtime=0.0)
    predicted = float(predict(job.pop("work"), **job))
    sample = walls / job["mtbf"]
    return compare_mean(predicted, sample, alpha=budget.alpha, tolerance=budget.tolerance)


def failures_where_recovery_seldom_succeeds(
    predict: Predict, budget: Budget, **job: float
) -> Verdict:
    """Judge a number of failures near the largest float, which no simulation reaches."""
    del budget
    costs = {name: value for name, value in job.items() if name != "work"}
    known = float(exactly(failures_from_the_model, job))
    return compare_number(float(predict(job["work"], **costs)), known, tolerance=1e-10)


def loss_of_a_job(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the time one job loses by its simulated time less its work and checkpoints."""
    walls = makespans(budget.seed, budget.replications, **job, recovery_cost=0.0, downtime=0.0)
    work, cost = job.pop("work"), job["checkpoint_cost"]
    pieces = math.ceil(work / job["interval"] * (1.0 - 2.0**-48))
    checkpoints = pieces if job.get("final_checkpoint", True) else pieces - 1
    predicted = float(predict(work, **job))
    sample = walls - (work + checkpoints * cost)
    return compare_mean(predicted, sample, alpha=budget.alpha, tolerance=budget.tolerance)


def _play(budget: Budget, how: str, replayed: Point) -> Played:
    """Replay the sets of failures of a point, or as many times more as the budget asks."""
    return play(budget.seed, how=how, **{**replayed, "seeds": budget.more * replayed["seeds"]})


def _ask(predict: Predict, played: Played, **costs: float) -> FloatArray:
    return np.asarray(
        predict(
            played.work,
            interval=played.interval,
            mtbf=played.mtbf,
            checkpoint_cost=CHECKPOINT,
            final_checkpoint=False,
            **costs,
        )
    )


def _ask_plain(predict: Predict, played: Played) -> FloatArray:
    return np.asarray(
        predict(
            played.work,
            interval=played.work,
            mtbf=played.mtbf,
            checkpoint_cost=0.0,
            final_checkpoint=False,
        )
    )


def _judge(
    predictions: FloatArray,
    seen: npt.NDArray[Any],
    budget: Budget,
    replayed: Point,
    *,
    part: bool = False,
) -> Verdict:
    """Compare means over jobs, with each set of failures as one replication.

    A class of jobs may be too small for an answer; then its distance is measured.
    """
    predicted, sample = float(predictions.mean()), seen.mean(axis=1)
    if not sample.any():
        return _none()
    if replayed["failures"] == "exponential":
        verdict = compare_mean(
            predicted, sample, alpha=_alpha(budget, sample), tolerance=budget.tolerance
        )
        if verdict.answered or not part:
            return verdict
    return measure_distance(predicted, sample, alpha=_alpha(budget, sample))


def _alpha(budget: Budget, sample: FloatArray) -> float:
    """Return the alpha whose normal limit is that of Student's t, because sets are few."""
    return alpha_of(float(stdtrit(sample.size - 1, 1.0 - budget.alpha / 2.0)))


def _none() -> Verdict:
    nan = float("nan")
    return Verdict("distance", nan, nan, nan, nan, nan, passed=True, note="no such jobs hit")


def _part(played: Played, part: str) -> npt.NDArray[np.bool_]:
    if part == "all":
        return np.ones(played.work.size, dtype=np.bool_)
    if part in SCALE_CLASSES:
        return np.asarray(scale_class(played.nodes.astype(np.int64)) == SCALE_CLASSES.index(part))
    return np.asarray(length_class(played.work) == LENGTH_CLASSES.index(part))


# Failures every few minutes, so that some jobs are hit in every class.
_QUICK = {"jobs": "month", "count": 80, "mtbf": 0.1, "seeds": 24}
_EXPONENTIAL = {**_QUICK, "failures": "exponential"}
_MANY = {**_EXPONENTIAL, "count": 320}  # of fewer jobs 24 sets resolve just the gate
_AGAIN = {**_EXPONENTIAL, "count": 120, "seeds": 48}
_PLAYED = tuple(
    {key: value for key, value in job.items() if key != "downtime"}
    for job in HARSH[1:] + SHORT + OPEN
)
_UNREAD = tuple(
    {key: value for key, value in job.items() if key not in ("recovery_cost", "downtime")}
    for job in HARSH[1:] + SHORT + OPEN
)

# Numbers from 1e290, which the sweep of closed forms does not compare, to 1e308.
_SELDOM = table(
    ("work", "interval", "mtbf", "checkpoint_cost", "recovery_cost"),
    (3.0, 1.0, 1.0, 0.0, 701.0),
    (0.002, 0.001, 1.0, 0.0, 705.0),
    (4.0, 4.0, 1.0, 0.5, 699.0),
    (1e-7, 1e-8, 1.0, 1e-9, 720.0),
)

_WORKS = tuple({"work": work, "mtbf": 10.0} for work in (20.0, 5.0))

CASES = (
    Case(failure_probability, share_of_jobs_hit, _WORKS),
    Case(failure_probability, probability_of_being_hit, (_EXPONENTIAL,), gate=TOLERANCE),
    Case(expected_failures, failures_of_a_job, _PLAYED),
    Case(expected_failures, failures_where_recovery_seldom_succeeds, _SELDOM, chance=False),
    Case(expected_failures, number_of_failures, (_MANY,), gate=TOLERANCE),
    Case(expected_makespan, replayed_makespan, (_MANY,), gate=TOLERANCE),
    Case(expected_makespan, replayed_makespan_without_checkpoints, (_AGAIN,), gate=TOLERANCE),
    Case(expected_lost_time, loss_of_a_job, _UNREAD, effort=2.0),
    Case(expected_lost_time, service_unit_loss, (_AGAIN,), gate=TOLERANCE),
)


def _replays() -> tuple[Point, ...]:
    sets = (
        {"jobs": "month", "count": 7630, "mtbf": 0.25, "seeds": 10},
        {"jobs": "first 1200", "count": 1200, "mtbf": 0.25, "seeds": 25},
        {"jobs": "first 3000", "count": 3000, "mtbf": 0.25, "seeds": 25},
        {"jobs": "mira 2018", "count": 1000, "mtbf": 0.25, "seeds": 25},
    )
    kinds = ("exponential", "weibull 0.5", "logged")
    points = ({**chosen, "failures": kind} for chosen in sets for kind in kinds)
    return tuple(p for p in points if at_hand(str(p["jobs"]), str(p["failures"])))


def _parts(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple(
        {**point, "part": part} for point in points for part in (*SCALE_CLASSES, *LENGTH_CLASSES)
    )


FULL = (
    Case(
        failure_probability,
        probability_of_being_hit,
        _replays() + _parts(_replays()),
        gate=TOLERANCE,
    ),
    Case(expected_failures, number_of_failures, _replays(), gate=TOLERANCE),
    Case(expected_makespan, replayed_makespan, _replays(), gate=TOLERANCE),
    Case(expected_makespan, replayed_makespan_without_checkpoints, _replays(), gate=TOLERANCE),
    Case(expected_lost_time, service_unit_loss, _replays(), gate=TOLERANCE),
)
