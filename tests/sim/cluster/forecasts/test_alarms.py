import itertools

import numpy as np
import pytest

from sim.cluster import Failures, Workload
from sim.cluster.forecasts import CalibratedForecaster, DetectabilityForecaster
from sim.cluster.promises import replay_promises
from sim.metrics import brier_score
from sim.samplers import Deterministic, Exponential

NODES, MTBF = 8, 300.0


def poisson(seed, end=40_000.0):
    return Failures.sampled(
        nodes=NODES, uptime=Exponential(MTBF), repair=Deterministic(0.0), end=end, seed=seed
    )


def excess(promised, kept):
    """Return for each tenth of promises how many more were kept, in standard deviations."""
    place = np.minimum((promised * 10.0).astype(int), 9)
    extra = np.bincount(place, kept - promised, 10)
    return extra / np.sqrt(np.maximum(np.bincount(place, promised * (1.0 - promised), 10), 1.0))


def answers(forecaster, seed):
    """Return the promises for windows that do not overlap, and whether they were kept."""
    failures = poisson(seed)
    outlook, rng = forecaster.outlook(failures, NODES), np.random.default_rng(seed)
    edges = np.arange(0.0, failures.time[-1], 40.0)
    found = []
    for start, end in itertools.pairwise(edges):
        nodes = rng.permutation(NODES)[: rng.integers(1, 5)]
        within = (failures.time > start) & (failures.time <= end)
        found.append(
            (1.0 - outlook.risk(nodes, start, end), not np.isin(failures.node[within], nodes).any())
        )
    return np.array(found).T


@pytest.mark.few(2)
@pytest.mark.parametrize(("recall", "precision"), [(0.7, 0.5), (0.9, 0.8), (0.3, 0.2), (0.0, 0.5)])
def test_of_windows_promised_with_p_a_share_p_stays_without_failure(recall, precision):
    found = np.hstack(
        [
            answers(CalibratedForecaster(recall, precision, 1.0 / MTBF, seed), seed)
            for seed in range(6)
        ]
    )
    assert np.abs(excess(*found)).max() < 4.0


def test_the_forecaster_of_the_paper_keeps_fewer_than_it_says():
    found = np.hstack([answers(DetectabilityForecaster(0.7, seed), seed) for seed in range(6)])
    assert excess(*found).min() < -10.0


def replayed(forecaster, seed, confidence):
    rng, jobs = np.random.default_rng(seed), 600
    runtime = rng.exponential(25.0, jobs) + 1.0
    workload = Workload(
        submit=np.sort(rng.uniform(0.0, 12.0 * jobs, jobs)),
        runtime=runtime,
        walltime=runtime,
        processors=rng.integers(1, 5, jobs),
    )
    return replay_promises(
        workload,
        processors=NODES,
        forecaster=forecaster,
        confidence=confidence,
        failures=poisson(seed),
        checkpoint_interval=10.0,
        checkpoint_cost=1.0,
        checkpointing="all",
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("confidence", [0.1, 0.9])
def test_of_promises_of_p_negotiated_by_users_a_share_p_is_kept(confidence):
    done = [
        replayed(CalibratedForecaster(0.9, 0.8, 1.0 / MTBF, seed), seed, confidence)
        for seed in range(3)
    ]
    promised = np.concatenate([each.promised for each in done])
    kept = np.concatenate([each.kept for each in done])
    assert np.abs(excess(promised, kept)).max() < 4.0


def test_the_nodes_chosen_have_the_least_probability_of_all():
    outlook = CalibratedForecaster(0.9, 0.5, 1.0 / MTBF, 3).outlook(poisson(3), NODES)
    free = np.array([0, 2, 3, 5, 6])
    for start, count in itertools.product(np.arange(0.0, 4000.0, 200.0), range(1, 6)):
        nodes, chance = outlook.choose(free, count, start, start + 150.0)
        least = min(
            outlook.risk(np.array(some), start, start + 150.0)
            for some in itertools.combinations(free, count)
        )
        assert chance == pytest.approx(least, abs=1e-12)
        assert outlook.risk(nodes, start, start + 150.0) == pytest.approx(chance, abs=1e-12)


def test_a_precision_of_one_announces_only_what_comes():
    failures = poisson(1)
    outlook = CalibratedForecaster(1.0, 1.0, 1.0 / MTBF).outlook(failures, NODES)
    np.testing.assert_array_equal(outlook.time, failures.time)
    assert outlook.risk(failures.node[:1], 0.0, failures.time[0]) == 1.0


def test_half_the_alarms_come_true_and_the_recall_is_that_stated():
    failures = poisson(2, end=400_000.0)
    outlook = CalibratedForecaster(0.7, 0.5, 1.0 / MTBF, 2).outlook(failures, NODES)
    true = np.isin(outlook.time, failures.time)
    assert true.sum() / len(failures) == pytest.approx(0.7, abs=0.03)
    assert true.mean() == pytest.approx(0.5, abs=0.03)


def test_without_failures_nothing_is_announced():
    outlook = CalibratedForecaster(0.5, 0.5).outlook(None, NODES)
    assert outlook.risk(np.arange(3), 0.0, 9.0) == 0.0


def test_the_brier_score_by_hand():
    assert brier_score(np.array([1.0, 0.5]), np.array([False, True])) == 0.625
    assert np.isnan(brier_score(np.empty(0), np.empty(0, bool)))
