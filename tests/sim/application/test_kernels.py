"""The compiled loops against the readable models: equal in distribution.

Two-sample Kolmogorov-Smirnov at a false alarm rate of 1e-6 per comparison, with fixed seeds. The
parameters are harsh (failures every few segments, costs comparable to them), because otherwise
most makespans are the failure-free one and a wrong rule would pass; the last tests show that
the comparison rejects wrong rules. Equal paths on recorded inputs are in the other two files.
"""

import math

import numpy as np
import pytest

from sim.application import simulate_durations, simulate_makespans, simulate_wsj_makespans
from sim.samplers import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)

FALSE_ALARM = 1e-6
EVENTS, KERNEL = 4_000, 100_000
BOUND = math.sqrt(0.5 * math.log(2.0 / FALSE_ALARM) * (1 / EVENTS + 1 / KERNEL))  # 0.044

JOB = {
    "work": 13.0,
    "interval": 4.0,
    "uptime": Exponential(6.0),
    "checkpoint_cost": 0.5,
    "recovery_cost": 1.0,
    "downtime": LogNormal(0.0, 1.0),
}
PROCESS = {
    "work": 40.0,
    "interval": 4.0,
    "mtbf": 6.0,
    "downtime": LogNormal(0.0, 1.0),
    "checkpoint_cost": 0.5,
}
LAWS = {
    "exponential": Exponential(6.0),
    "weibull": Weibull(0.7, 5.0),
    "gamma": Gamma(2.0, 3.0),
    "lognormal": LogNormal(1.5, 0.8),
    "hyperexponential": HyperExponential((0.5, 0.5), (2.0, 10.0)),
    "empirical": Empirical([1.0, 3.5, 6.0, 12.0]),
    "deterministic": Deterministic(6.25),
    "bathtub": Bathtub(0.45, 1.0, 0.8, 9.0),
}


def distance(first, second):
    """Largest distance between two empirical cdfs; rounding must not part equal atoms."""
    first, second = np.sort(np.round(first, 6)), np.sort(np.round(second, 6))
    points = np.concatenate([first, second])
    cdfs = (np.searchsorted(s, points, side="right") / s.size for s in (first, second))
    return np.abs(np.subtract(*cdfs)).max()


def events(simulate, terms):
    return simulate(**terms, replications=EVENTS, seed=1, method="events")


def kernel(simulate, terms):
    return simulate(**terms, replications=KERNEL, seed=2)


@pytest.fixture(scope="module")
def job_by_events():
    return events(simulate_makespans, JOB)


@pytest.fixture(scope="module")
def process_by_events():
    return events(simulate_wsj_makespans, PROCESS)


@pytest.mark.few(2)
@pytest.mark.parametrize("uptime", LAWS.values(), ids=LAWS.keys())
def test_the_job_is_the_same_for_every_law_of_uptimes(uptime):
    terms = JOB | {"uptime": uptime}
    assert distance(events(simulate_makespans, terms), kernel(simulate_makespans, terms)) < BOUND


@pytest.mark.few(2)
@pytest.mark.parametrize("downtime", LAWS.values(), ids=LAWS.keys())
def test_the_job_is_the_same_for_every_law_of_downtimes(downtime):
    terms = JOB | {"downtime": downtime, "final_checkpoint": False}
    assert distance(events(simulate_makespans, terms), kernel(simulate_makespans, terms)) < BOUND


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("downtime", "recovery"),
    [(1.5, None), (LogNormal(0.0, 1.0), None), (Gamma(0.5, 2.0), None), (1.5, Gamma(0.5, 2.0))],
)
def test_the_restart_process_is_the_same(downtime, recovery):
    terms = PROCESS | {"downtime": downtime, "recovery_cost": recovery}
    walls = [play(simulate_wsj_makespans, terms) for play in (events, kernel)]
    assert distance(*walls) < BOUND


def test_neighbouring_replications_of_the_kernel_are_independent():
    # What is left of an exponential uptime opens the next replication; that must not show.
    walls = kernel(simulate_makespans, JOB)
    ranks = np.argsort(np.argsort(walls)) / walls.size - 0.5
    correlation = 12.0 * np.mean(ranks[:-1] * ranks[1:])
    assert abs(correlation) < 5.0 / math.sqrt(walls.size)


@pytest.mark.parametrize("seed", [1, 2**53, 2**60])
def test_neighbouring_seeds_are_other_seeds_however_large(seed):
    first, second = (
        simulate_makespans(**JOB, replications=100, seed=number) for number in (seed, seed + 1)
    )
    assert not np.isin(first[first > first.min()], second).any()


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
def test_durations_are_the_same(law):
    drawn = simulate_durations(law, replications=KERNEL, seed=3)
    assert (
        distance(simulate_durations(law, replications=EVENTS, seed=4, method="events"), drawn)
        < BOUND
    )
    assert (
        distance(simulate_durations(LogNormal(0.0, 2.0), replications=EVENTS, seed=4), drawn)
        > BOUND
    )
    assert np.array_equal(simulate_durations(law, replications=KERNEL, seed=3, threads=3), drawn)


@pytest.mark.parametrize(
    "changes",
    [
        {"recovery_cost": 0.0},
        {"checkpoint_cost": 0.25},
        {"downtime": 0.0},
        {"final_checkpoint": False},
        {"interval": 3.0},
        {"uptime": Exponential(6.6)},
        {"uptime": Weibull(0.7, 4.74)},  # of the same mean
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_the_comparison_can_detect_a_job_with_another_rule(job_by_events, changes):
    wrong = kernel(simulate_makespans, JOB | changes)
    assert distance(job_by_events, wrong) > BOUND


@pytest.mark.parametrize(
    "changes",
    [{"interval": 2.5}, {"checkpoint_cost": 0.25}, {"mtbf": 6.6}, {"downtime": 1.65}],
    ids=lambda changes: next(iter(changes)),
)
def test_the_comparison_can_detect_a_restart_process_with_another_rule(process_by_events, changes):
    wrong = kernel(simulate_wsj_makespans, PROCESS | changes)
    assert distance(process_by_events, wrong) > BOUND
