"""Every approximation: inside its stated range silent and within its error, beyond it a warning.

Each row of the catalogue has an entry here: arguments at a share of the limit of its range, and
the error there, where an exact counterpart is quick. The others are judged by simulated jobs in
`validation/subjects`, and here by their warnings alone.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from perfmodel import (
    FORMULAS,
    Gamma,
    Level,
    Machines,
    ValidityWarning,
    energy_per_work,
    expected_makespan_silent,
    expected_speedup,
    gamma_error,
    goodput,
    optimal_interval,
    optimal_interval_energy,
    optimal_interval_pairs,
    optimal_interval_silent,
    optimal_nodes,
    optimal_pattern_levels,
    regret,
    schedule_exhaustive,
    slowest,
    waste_of_buddies,
    waste_of_pairs,
    wsj_compound,
)

APPROXIMATIONS = {row.name: row for row in FORMULAS if row.kind == "approximation"}
INSIDE = (1e-6, 1e-3, 0.03, 0.3, 0.7, 0.97, 1.0)
BEYOND = (1.0 + 1e-9, 1.001, 1.5, 10.0)
Call = dict[str, Any]


@dataclass(frozen=True)
class Stated:
    """Arguments at a share of the limit of a range, and the error of the value there."""

    at: Callable[[Any, float], Iterator[Call]]
    error: Callable[[Call, Any], Any] | None = None
    inside: tuple[float, ...] = INSIDE
    beyond: tuple[float, ...] = BEYOND


def of_mtbf(limit, part):
    yield {"mtbf": np.array([1.0, 1e-7]), "checkpoint_cost": limit * part * np.array([1.0, 1e-7])}


def of_two_costs(limit, part):
    share = np.linspace(0.0, 1.0, 41)[1:]
    costs = {"checkpoint_cost": share, "recovery_cost": 1.0 - share}
    yield {"mtbf": 1.0, **{name: limit * part * value for name, value in costs.items()}}


def of_training(limit, part):
    parts = np.random.default_rng(1).dirichlet((0.3, 0.3, 0.3), 400).T * limit * part
    names = ("interval", "checkpoint_cost", "restore")
    yield {"mtbf": 1.0, **dict(zip(names, np.maximum(parts, 1e-300), strict=True))}


def of_silent(limit, part):
    costs = np.random.default_rng(2).dirichlet((0.3, 0.3, 0.3), 100).T[:, :, None] * limit * part
    rare = np.geomspace(1e-9, 1e9, 25)
    names = ("checkpoint_cost", "verification_cost", "recovery_cost")
    rates = {"mtbf": 1.0 + 1.0 / rare, "silent_mtbf": 1.0 + rare}
    # Errors of either kind come at the rate 1 together.
    yield {**rates, **dict(zip(names, costs, strict=True))}


def of_pairs(limit, part):
    for pairs in (1, 30, 100_000):
        for restart in (True, False):
            cost = limit * part / pairs**0.5
            yield {"pairs": pairs, "node_mtbf": 1.0, "checkpoint_cost": cost, "restart": restart}


def of_nodes(limit, part):
    edge = (limit * part) ** 2
    for share in (1e-6, 1e-3, 0.1):
        for fixed in (1.0, 0.76, 0.3, 0.0):
            ratio, spans = (1.0 - share) / share, []
            if fixed:
                spans.append((2.0 / (fixed * edge)) ** 0.5)
            if fixed < 1.0:
                spans.append((0.5 / ((1.0 - fixed) * edge)) ** 0.5)
            nodes = ratio * min(spans)
            if nodes < 1e6:  # more nodes than are tried
                yield {
                    "sequential_share": share,
                    "node_mtbf": 1.0,
                    "checkpoint_cost": fixed * edge / nodes,
                    "checkpoint_cost_per_node": (1.0 - fixed) * edge / nodes**2,
                }


def of_predictions(limit, part):
    for recall, precision, repair in ((0.1, 1.0, 0.1), (0.9, 0.3, 0.0), (0.95, 0.1, 2.0)):
        job = {"checkpoint_cost": 0.1, "recall": recall, "precision": precision}
        disturbed = (1.0 - recall + recall / precision) * (1.0 + 6.0 * repair)
        more = {"recovery_cost": repair, "downtime": repair, "proactive_cost": 0.2}
        yield {"period": 1.0, "mtbf": disturbed / (limit * part), **job, **more}


def of_windows(limit, part):
    for recall, precision, repair in ((0.1, 1.0, 0.1), (0.9, 0.3, 0.0)):
        span = limit * part / (1.0 - recall + recall / precision)
        yield {
            "period": (0.9 - 3.0 * repair) * span,
            "mtbf": 1.0,
            "checkpoint_cost": 0.01 * span,
            "proactive_cost": 0.01 * span,
            "recall": recall,
            "precision": precision,
            "window": 0.1 * span,
            "recovery_cost": 0.5 * repair * span,
            "downtime": 0.5 * repair * span,
        }


def of_best_windows(name):
    measure = APPROXIMATIONS[name].range.of

    def at(limit, part):
        for recall, precision in ((0.1, 1.0), (0.9, 0.3), (0.5, 0.1)):

            def job(log_cost, recall=recall, precision=precision):
                cost = np.exp(log_cost)
                predictor = {"recall": recall, "precision": precision, "window": 0.01 * cost}
                found = {"mtbf": 1.0, "checkpoint_cost": cost, "proactive_cost": 0.5 * cost}
                counted = {} if name == "best_window_segments" else {"window_segments": 1}
                return {**found, **predictor, **counted}

            def beyond(log_cost, job=job):
                arrays = {name: np.asarray(value) for name, value in job(log_cost).items()}
                return float(np.log(measure(**arrays) / (limit * part)))

            yield job(brentq(beyond, -60.0, 10.0, xtol=1e-13))

    return at


def of_best_periods(limit, part):
    measure = APPROXIMATIONS["optimal_period_predicted"].range.of
    for recall, precision in ((0.1, 1.0), (0.9, 0.3), (0.5, 0.1)):

        def job(log_cost, recall=recall, precision=precision):
            cost = np.exp(log_cost)
            predictor = {"recall": recall, "precision": precision, "proactive_cost": 0.5 * cost}
            return {"mtbf": 1.0, "checkpoint_cost": cost, **predictor}

        def beyond(log_cost, job=job):
            arrays = {name: np.asarray(value) for name, value in job(log_cost).items()}
            return float(np.log(measure(**arrays) / (limit * part)))

        yield job(brentq(beyond, -60.0, 10.0, xtol=1e-13))


def powers(rng, count):
    names = ("static_power", "compute_power", "io_power", "down_power")
    return {name: 10.0 ** rng.uniform(-1.0, 1.0, count) for name in names}


def of_images(limit, part):
    """Yield periods of all protocols whose interval and costs add up to a part of the limit."""
    for protocol in ("double", "double_blocking", "triple"):
        for work, transfer, down in ((1.0, 0.1, 0.1), (0.1, 1.0, 0.0), (0.3, 0.1, 1.0)):
            buddies = 2.0 if protocol == "triple" else 1.0
            unit = part * limit / (work + transfer + 1.2 * buddies * transfer + down)
            yield {
                "interval": unit * work,
                "mtbf": 1.0,
                "transfer_time": unit * transfer,
                "overhead": 0.9 * unit * transfer,
                "overlap_factor": 2.0,
                "downtime": unit * down,
                "protocol": protocol,
            }


def from_the_exact_images(call, found):
    return found / waste_of_buddies(**call) - 1.0


def of_levels(limit, part):
    """Yield machines whose largest cost or recovery is a part of the limit."""
    far = limit * part
    for survives in (0.1, 0.5, 0.9):
        for cost, recovery in ((0.1, 1.0), (0.5, 0.1)):
            low = Level(cost * far, recovery * far, survives)
            yield {"levels": [low, Level(far, 0.3 * far, 1.0)], "mtbf": 1.0}


def from_the_best_pattern(call, found):
    return optimal_pattern_levels(**call).efficiency / found.efficiency - 1.0


def of_energies(limit, part):
    rng = np.random.default_rng(3)
    names = ("interval", "checkpoint_cost", "recovery_cost", "downtime")
    spans = dict(zip(names, rng.dirichlet((0.6,) * 4, 300).T * limit * part, strict=True))
    overlap = np.minimum(rng.random(300), spans["interval"] / spans["checkpoint_cost"])
    yield {"mtbf": 1.0, **spans, "overlap": overlap, **powers(rng, 300)}


def of_energy_periods(limit, part):
    measure = APPROXIMATIONS["optimal_interval_energy_first_order"].range.of
    rng = np.random.default_rng(4)
    for shares in rng.dirichlet((0.6,) * 3, 20):
        more = {"overlap": rng.random(), **{name: p[0] for name, p in powers(rng, 1).items()}}

        def job(log_cost, shares=shares, more=more):
            names = ("checkpoint_cost", "recovery_cost", "downtime")
            spans = dict(zip(names, np.exp(log_cost) * shares, strict=True))
            return {"mtbf": 1.0, **spans, **more}

        def beyond(log_cost, job=job):
            arrays = {name: np.asarray(value) for name, value in job(log_cost).items()}
            return float(np.log(measure(**arrays) / (limit * part)))

        yield job(brentq(beyond, -60.0, np.log(limit * part), xtol=1e-13))


def of_tasks(limit, part):
    """Work of which the time lost has that relative deviation, which falls with the work."""
    predict = APPROXIMATIONS["wsj_makespan"].function
    job = {"mtbf": 1.0, "downtime": Gamma.from_mean(0.1, cv=2.0), "interval": 0.01}

    def beyond(log_work):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)
            return predict(np.exp(log_work), **job).shape ** -0.5 - limit * part

    yield {"work": float(np.exp(brentq(beyond, -5.0, 10.0, xtol=1e-12))), **job}


def of_extra_nodes(limit, part):
    for nodes in (1, 20):
        down = limit * part / max(nodes, 10)
        if down < 1.0:
            job = {"work": 0.3 * nodes, "mtbf": 1.0, "interval": 0.1, "checkpoint_cost": 0.01}
            yield {"nodes": nodes, "downtime": down, **job}


def of_sets(limit, part):
    """Many equal machines; how far the slowest is behind falls with the work of each."""
    machines = Machines([1.0] * 30, 100.0, 1.0, mttr_cv=4.0, interval=2.0, checkpoint_cost=0.02)
    evaluate = APPROXIMATIONS["evaluate_set"].function

    def beyond(log_work):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)
            found = evaluate(np.exp(log_work), machines)
        return found.expected_time / found.subtask_time - 1.0 - limit * part

    yield {"work": np.exp(brentq(beyond, np.log(1e3), np.log(1e9))), "machines": machines}


def of_fleets(limit, part):
    mtbf = np.array([300.0, 500.0, 1000.0, 400.0])
    repairs = {"mttr": mtbf * limit * part, "mttr_cv": [0.5, 4.0, 1.0, 2.0]}
    spans = {"interval": mtbf * 1e-3, "checkpoint_cost": mtbf * 1e-5}
    machines = Machines(np.array([1.0, 5.0, 2.0, 3.0]), mtbf, **repairs, **spans)
    for processes in (None, 2):
        yield {"work": 1e4, "machines": machines, "processes": processes}


def from_the_exact_interval(call, found):
    costs = {name: call[name] for name in ("mtbf", "checkpoint_cost")}
    return found / optimal_interval(**costs) - 1.0


def of_the_job(call, found):
    return regret(found, **call)


def from_goodput(call, found):
    return found / goodput(**call) - 1.0


def of_a_silent_job(call, found):
    def pace(interval):
        return expected_makespan_silent(interval, interval=interval, **call) / interval

    return pace(found) / pace(optimal_interval_silent(**call)) - 1.0


def of_paired_jobs(call, found):
    best, rule = (1.0 - waste_of_pairs(w, **call) for w in (optimal_interval_pairs(**call), found))
    return best / rule - 1.0


def of_speedup(call, found):
    best, near = optimal_nodes(**call), max(round(float(found)), 1)
    return expected_speedup(best, **call) / expected_speedup(near, **call) - 1.0


def from_the_exact_energy(call, found):
    return found / energy_per_work(**call) - 1.0


def of_an_energy(call, found):
    best, near = (
        energy_per_work(interval=interval, **call)
        for interval in (optimal_interval_energy(**call), found)
    )
    return near / best - 1.0


def of_the_law(call, found):
    del found
    return gamma_error(**call)


def of_the_slowest(call, found):
    speed, mtbf, mttr, cv, interval, cost = (column[0] for column in call["machines"].columns)
    law = wsj_compound(
        float(found.shares[0] / speed),
        mtbf=mtbf,
        downtime=Gamma.from_mean(mttr, cv=cv),
        interval=interval,
        checkpoint_cost=cost,
    )
    last = slowest([law] * len(call["machines"]))
    return max(
        abs(found.expected_time / last.mean - 1.0),
        abs(found.objective / (last.mean + last.std) - 1.0),
    )


def of_the_set(call, found):
    return found.objective / schedule_exhaustive(**call).objective - 1.0


FEW = (0.3, 1.0 - 1e-6)
JUST = (1.0 + 1e-6, 1.5)
STATED = {
    "optimal_interval_young": Stated(of_mtbf, from_the_exact_interval),
    "optimal_interval_daly": Stated(of_mtbf, from_the_exact_interval),
    "optimal_interval_daly_first_order": Stated(of_two_costs, from_the_exact_interval),
    "optimal_interval_closed_form": Stated(of_mtbf, of_the_job),
    "ettr_first_order": Stated(of_training, from_goodput),
    "optimal_interval_silent_first_order": Stated(of_silent, of_a_silent_job),
    "optimal_interval_pairs_first_order": Stated(of_pairs, of_paired_jobs),
    "energy_per_work_first_order": Stated(
        of_energies, from_the_exact_energy, inside=FEW, beyond=JUST
    ),
    "optimal_interval_energy_first_order": Stated(
        of_energy_periods, of_an_energy, inside=FEW, beyond=JUST
    ),
    "optimal_pattern_levels_first_order": Stated(
        of_levels, from_the_best_pattern, inside=FEW, beyond=JUST
    ),
    "waste_of_buddies_first_order": Stated(
        of_images, from_the_exact_images, inside=FEW, beyond=JUST
    ),
    "optimal_nodes_first_order": Stated(of_nodes, of_speedup),
    "waste_predicted": Stated(of_predictions),
    "optimal_period_predicted": Stated(of_best_periods, inside=(0.01, *FEW), beyond=JUST),
    "waste_windows": Stated(of_windows),
    "optimal_period_windows": Stated(
        of_best_windows("optimal_period_windows"), inside=(0.01, *FEW), beyond=JUST
    ),
    "best_window_segments": Stated(
        of_best_windows("best_window_segments"), inside=(0.01, *FEW), beyond=JUST
    ),
    "wsj_makespan": Stated(of_tasks, of_the_law, inside=FEW, beyond=JUST),
    "compare_extra_node": Stated(of_extra_nodes, inside=FEW, beyond=JUST),
    "evaluate_set": Stated(of_sets, of_the_slowest, inside=FEW, beyond=JUST),
    "schedule_bisection": Stated(of_fleets, of_the_set, inside=FEW, beyond=JUST),
    "schedule_local": Stated(of_fleets, of_the_set, inside=FEW, beyond=JUST),
}
EACH = [pytest.param(row, STATED[name], id=name) for name, row in APPROXIMATIONS.items()]


def test_every_approximation_has_an_entry_here():
    assert STATED.keys() == APPROXIMATIONS.keys()


@pytest.mark.parametrize(("row", "stated"), EACH)
def test_inside_it_is_silent_and_within_its_error(row, stated):
    worst, calls = 0.0, 0
    for part in stated.inside:
        for call in stated.at(row.range.limit, part):
            with warnings.catch_warnings():
                warnings.simplefilter("error", ValidityWarning)
                found = row.function(**call)
            calls += 1
            if stated.error is not None:
                worst = max(worst, float(np.max(np.abs(stated.error(call, found)))))
    assert calls
    assert worst <= row.range.error


@pytest.mark.parametrize(("row", "stated"), EACH)
def test_beyond_it_warns(row, stated):
    calls = 0
    for part in stated.beyond:
        for call in stated.at(row.range.limit, part):
            with pytest.warns(ValidityWarning, match=f"up to which {row.name} is"):
                row.function(**call)
            calls += 1
    assert calls
