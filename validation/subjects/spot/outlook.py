"""Spot machines of any law of life and gap: against simulated jobs, drawn ones and recorded ones.

Machines of Google that were started and lost in turn are a record of lives. What is promised from
the half of them whose names have an even sum is judged by the jobs that the other half would have
kept, started with each of its machines; gaps are drawn.

Sums of gamma laws are gamma laws: of these all is known in closed form, over the documented range.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.special import gammainc

from perfmodel.lifetimes import Empirical, Exponential, Lifetime
from perfmodel.registry import ranges_of
from perfmodel.spot import SpotOutlook, spot_outlook
from sim.application import simulate_spot_jobs
from sim.samplers import Exponential as Gaps
from sim.traces import locate
from sim.traces.parsing import Findings, open_source
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_at_most, compare_mean
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict
from validation.ranges import points
from validation.ranges.sweeps import Sweep, case

from ..laws import Law, predictable, sampler

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

Predict = Callable[..., SpotOutlook]

_FILE = "failures/google-preemptions/data.json"
_EVERY = 4  # machines of the record
_PROMISED = (0.8, 0.9, 0.95, 0.99)
_PRICES = {"spot_price": 1.2, "on_demand_price": 4.0}


def played(
    predict: Predict,
    budget: Budget,
    *,
    quantity: str,
    work: float,
    deadline: float,
    spot_life: Law,
    spot_gap: Law,
    start_time: float,
) -> Verdict:
    """Judge one number by simulated jobs."""
    job: dict[str, Any] = {"deadline": deadline, "start_time": start_time}
    found = predict(
        work, spot_life=predictable(spot_life), spot_gap=predictable(spot_gap), **job, **_PRICES
    )
    jobs = simulate_spot_jobs(
        work,
        spot_life=sampler(spot_life),
        spot_gap=sampler(spot_gap),
        **job,
        fall_back=quantity != "deadline_probability",
        replications=budget.replications,
        seed=budget.seed,
    )
    sample = _quantity(quantity, jobs, deadline)
    predicted = getattr(found, quantity)
    return compare_mean(predicted, sample, alpha=budget.alpha, tolerance=budget.tolerance)


def replayed(
    predict: Predict,
    budget: Budget,
    *,
    quantity: str,
    work: float,
    deadline: float,
    record: tuple[float, ...],
    age: float,
    gap: float,
) -> Verdict:
    """Judge one number by jobs that begin with each machine of a record that reaches an age."""
    job: dict[str, Any] = {"deadline": deadline, "start_time": 0.05}
    found = predict(
        work, spot_life=list(record), spot_gap=Exponential(gap), age=age, **job, **_PRICES
    )
    firsts = [place for place, life in enumerate(record) if life > age]
    each = max(budget.replications // len(firsts), 50)
    samples = []
    for place in firsts:
        lives = [*record[place:], *record[:place]] * 20
        jobs = simulate_spot_jobs(
            work,
            spot_life=[lives[0] - age, *lives[1:]],
            spot_gap=Gaps(gap),
            **job,
            fall_back=quantity != "deadline_probability",
            replications=each,
            seed=budget.seed + place,
        )
        samples.append(_quantity(quantity, jobs, deadline))
    sample = np.concatenate(samples)
    predicted = getattr(found, quantity)
    return compare_mean(predicted, sample, alpha=budget.alpha, tolerance=budget.tolerance)


def kept(predict: Predict, budget: Budget, *, work: float, gap: float, most: float) -> Verdict:
    """Judge by how far from what was promised is what jobs keep on recorded machines, [-]."""
    off = []
    for known, unseen in _records():
        job = {"spot_gap": Exponential(gap), "start_time": 0.02}
        for promised in _PROMISED:
            promise = partial(predict, work, spot_life=known, **job)
            deadline = _deadline(promise, promised, work)
            twice = np.tile(unseen, 2).tolist()
            ends = [
                simulate_spot_jobs(
                    work,
                    deadline=deadline,
                    spot_life=twice[place:],
                    spot_gap=Gaps(gap),
                    start_time=0.02,
                    fall_back=False,
                    replications=1,
                    seed=budget.seed + place,
                )[0, 0]
                for place in range(0, unseen.size, _EVERY)
            ]
            off.append(abs(float(np.mean(np.array(ends) <= deadline)) - promised))
    return compare_at_most(
        most, np.array(off), scale=1.0, alpha=budget.alpha, tolerance=budget.tolerance
    )


def summed(
    predict: Predict,
    budget: Budget,
    *,
    spot_life: Law,
    spot_gap: Law,
    age: float | None,
    **job: Any,
) -> Verdict:
    """Judge each number and its stated error by the gamma laws of sums of lives and of gaps."""
    found = predict(
        spot_life=predictable(spot_life), spot_gap=predictable(spot_gap), age=age, **job
    )
    exact = _of_gamma_laws(spot_life.parameters, spot_gap.parameters, aged=age is None, **job)
    dearest = job["work"] * max(job["spot_price"], job["on_demand_price"])
    return _as_stated(found, exact, dearest=dearest)


def counted(predict: Predict, budget: Budget, *, short: int, work: float) -> Verdict:
    """Judge the cost where one life is long, so many are nothing and every start is paid."""
    record = [0.0] * short + [1e3 * work]
    job = {"deadline": 3.0 * work, "start_time": work / (short + 1.0), "spot_price": 1.0}
    found = predict(work, spot_life=record, spot_gap=[0.0], **job)
    # The long life is any of the next with the same chance; every loss before takes a start.
    exact = (1.0, 1.0, work * (1.0 + 0.5 * (short + 2) / (short + 1)))
    return _as_stated(found, exact, dearest=work)


def _as_stated(found: SpotOutlook, exact: tuple[float, float, float], *, dearest: float) -> Verdict:
    """Reject a number that is further off than it states, and answer if that is little enough.

    Of a cost that is little beside `dearest`, the work on the dearer machine: a share of time on
    demand that hardly ever comes is known to a part of itself only, whatever its price.
    """
    values = (found.deadline_probability, found.spot_probability, found.cost)
    stated = (found.deadline_error, found.spot_error, found.cost_error)
    sizes = (1.0, 1.0, max(exact[2], dearest))
    off = [abs(value - true) for value, true in zip(values, exact, strict=True)]
    worst = max(range(3), key=lambda place: (off[place] - stated[place]) / sizes[place])
    # So written that nan is bad.
    good = all(away <= most for away, most in zip(off, stated, strict=True))
    coarsest = max(most / size for most, size in zip(stated, sizes, strict=True))
    return Verdict(
        "exact",
        values[worst],
        exact[worst],
        0.0,
        0.0 if good else float("inf"),
        coarsest,
        passed=good,
        note="" if good else f"off by {off[worst]:.3g}, stated {stated[worst]:.3g}",
    )


def _of_gamma_laws(
    life: tuple[float, ...],
    gap: tuple[float, ...],
    *,
    aged: bool,
    work: float,
    deadline: float,
    start_time: float,
    spot_price: float,
    on_demand_price: float,
) -> tuple[float, float, float]:
    """Return both probabilities and the cost; the first life begins at its start, or anywhere."""
    shape, scale = life
    count = int(6.0 * work / (shape * scale) + 60.0 / min(shape, 1.0)) + 2
    lives: FloatArray = np.arange(count).astype(np.float64) * shape
    # P(S_n < W), and its first and second integral over the work.
    below = _gamma_cdf(lives, work / scale)
    once = work * below - lives * scale * _gamma_cdf(lives + 1.0, work / scale)
    more, longer = below, once
    if aged:
        second = _gamma_cdf(lives + 2.0, work / scale)
        first = _gamma_cdf(lives + 1.0, work / scale)
        twice = work**2 * below - 2.0 * work * lives * scale * first
        twice = 0.5 * (twice + lives * (lives + 1.0) * scale**2 * second)
        mean = shape * scale
        more = np.append(1.0, -np.diff(once) / mean)
        longer = np.append(work, -np.diff(twice) / mean)
    slack = deadline - work - start_time
    alone, net = (_fits(slack - less, start_time, gap, len(more)) for less in (0.0, start_time))
    ended = more - np.append(more[1:], 0.0)
    meets, on_spot = float(alone @ ended), float(net @ ended)
    done = float(net @ (longer - np.append(longer[1:], 0.0)))
    spot = spot_price * (done + start_time * float(net @ more))
    dear = on_demand_price * (work - done + start_time * (1.0 - on_spot))
    return meets, on_spot, spot + dear


def _fits(slack: float, start: float, gap: tuple[float, ...], count: int) -> FloatArray:
    shape, scale = gap
    n: FloatArray = np.arange(count).astype(np.float64)
    spare = slack - n * start
    within = _gamma_cdf(n * shape, np.maximum(spare, 0.0) / scale)
    return np.where(spare >= 0.0, within, 0.0)


def _gamma_cdf(shape: FloatArray, at: Any) -> FloatArray:
    """Return the cdf of a sum of gamma times, 1 of no times."""
    found = gammainc(np.maximum(shape, 1e-300), at)
    return np.asarray(np.where(shape == 0.0, 1.0, found))


def _deadline(promise: Callable[..., SpotOutlook], promised: float, work: float) -> float:
    low, high = work, 30.0 * work
    while high > 1.01 * low:
        middle = (low * high) ** 0.5
        if promise(deadline=middle).deadline_probability < promised:
            low = middle
        else:
            high = middle
    return high


def _quantity(quantity: str, jobs: FloatArray, deadline: float) -> FloatArray:
    if quantity == "deadline_probability":
        return np.asarray((jobs[:, 0] <= deadline).astype(float))
    if quantity == "spot_probability":
        return np.asarray((jobs[:, 2] == 0.0).astype(float))
    return np.asarray(_PRICES["spot_price"] * jobs[:, 1] + _PRICES["on_demand_price"] * jobs[:, 2])


@cache
def _records() -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Return for each type of machine the lives of both halves, in order of their starts, [h]."""
    kinds: dict[str, list[tuple[datetime, float, int]]] = {}
    for name, kind, begun, life in _machines():
        kinds.setdefault(kind, []).append((begun, life, sum(map(ord, name)) % 2))
    found = []
    for rows in kinds.values():
        halves = tuple(
            np.array([life for _, life, own in sorted(rows) if own == half]) for half in (0, 1)
        )
        if min(each.size for each in halves) >= 100:
            found.append((halves[0], halves[1]))
    return tuple(found)


def _machines() -> Iterator[tuple[str, str, datetime, float]]:
    path = locate(_FILE)
    assert path is not None
    whole = json.loads(open_source(path, Findings()).data)
    for name, told in whole.items():
        begun = datetime.fromisoformat(told["insert"]["insertTime"])
        kind = told["instance_data"]["MACHINE_TYPE"]
        yield name, kind, begun, max(float(told["time_in_sec"]) / 3600.0, 1e-3)


_QUANTITIES = ("deadline_probability", "cost", "spot_probability")
_SHORT = Law("LogNormal", (0.4, 1.3))
JOBS: tuple[Point, ...] = tuple(
    {
        "quantity": quantity,
        "work": 10.0,
        "deadline": 16.0,
        "spot_life": _SHORT,
        "spot_gap": Law("Weibull", (0.7, 0.8)),
        "start_time": 0.1,
    }
    for quantity in _QUANTITIES
)
_RECORD = (0.2, 0.3, 0.25, 6.0, 7.5, 4.0, 0.1, 0.4, 3.0, 5.0, 0.2, 0.6, 2.0, 9.0)
RECORDED: tuple[Point, ...] = tuple(
    {
        "quantity": quantity,
        "work": 8.0,
        "deadline": 11.0,
        "record": _RECORD,
        "age": age,
        "gap": 0.5,
    }
    for quantity, age in zip(_QUANTITIES, (0.5, 0.5, 0.0), strict=True)
)
PROMISES = table(("work", "gap", "most"), (6.0, 0.5, 0.05))


def _drawn(fraction: Callable[[], float]) -> Point:
    """Draw a job of the documented range, with gamma laws and prices."""
    job = points.drawn(spot_outlook, fraction)
    wide, gaps = ranges_of("spot_outlook")["cv of spot_life"], (0.3, 2.0)
    for name, ends in (("spot_life", wide), ("spot_gap", gaps)):
        shape = points.between("cv", ends, fraction()) ** -2.0
        job[name] = Law("Gamma", (shape, job[name] / shape))
    job["age"] = None if fraction() < 0.3 else 0.0
    for name in ("spot_price", "on_demand_price"):
        job[name] = points.between(name, (1e-6, 1e3), fraction())
    return job


SWEEPS = (Sweep(spot_outlook, summed, _drawn, quick=20, full=400),)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(spot_outlook, played, JOBS, effort=0.3),
    Case(spot_outlook, replayed, RECORDED, effort=0.3),
)
# Minutes, and nothing to compare without the record.
_KEPT = () if locate(_FILE) is None else (Case(spot_outlook, kept, PROMISES, gate=0.05),)
FULL = (
    *_KEPT,
    *(case(sweep, full=True) for sweep in SWEEPS),
    Case(spot_outlook, counted, table(("short", "work"), (5020, 3000.0)), chance=False),
)


def _changed(**how: Callable[[Any], Any]) -> Predict:
    """Return the prediction for other arguments."""

    def wrong(work: float, **job: Any) -> SpotOutlook:
        job.setdefault("age", 0.0)
        return spot_outlook(
            work, **{**job, **{name: make(job[name]) for name, make in how.items()}}
        )

    return wrong


def _surer(work: float, **job: Any) -> SpotOutlook:
    found = spot_outlook(work, **job)
    names = ("deadline_error", "spot_error", "cost_error")
    return replace(found, **{name: 0.2 * getattr(found, name) for name in names})


def _exponential(life: Any) -> Lifetime:
    return Exponential(life.mean if isinstance(life, Lifetime) else float(np.mean(life)))


def _independent(life: Any) -> Lifetime:
    return life if isinstance(life, Lifetime) else Empirical(life)


MUTANTS = (
    Mutant(spot_outlook, "exponential lives", _changed(spot_life=_exponential)),
    Mutant(spot_outlook, "exponential gaps", _changed(spot_gap=_exponential)),
    Mutant(spot_outlook, "recorded lives in any order", _changed(spot_life=_independent)),
    Mutant(spot_outlook, "every machine is new", _changed(age=lambda age: 0.0)),
    Mutant(spot_outlook, "a first life that is like any", _changed(age=lambda age: None)),
    Mutant(spot_outlook, "a fifth of the error", _surer),
    Mutant(spot_outlook, "starts take no time", _changed(start_time=lambda time: 0.0)),
)
