import numpy as np
import pytest
from scipy import stats

from perfmodel import (
    Exponential,
    Gamma,
    LogNormal,
    ValidityWarning,
    compare_extra_node,
    spares_needed,
    wsj_compound,
)


def test_the_vectors_of_the_formula_page():
    levels = [0.95, 0.99, 0.999]
    for law in ("poisson", "binomial"):
        assert spares_needed(2048, 6666.0, 48.0, levels, law=law).tolist() == [21, 24, 28]
    assert spares_needed(2048, 3692.0, 24.0, levels).tolist() == [20, 22, 26]


@pytest.mark.parametrize(
    ("nodes", "mtbf", "mttr"), [(1, 10.0, 0.0), (50, 5.0, 9.0), (10**6, 1e4, 3.0)]
)
def test_one_spare_less_would_not_do(nodes, mtbf, mttr):
    q = np.array([0.1, 0.9, 0.999999])
    poisson = stats.poisson(nodes * mttr / mtbf)
    binomial = stats.binom(nodes, mttr / (mtbf + mttr))
    for name, law in (("poisson", poisson), ("binomial", binomial)):
        k = spares_needed(nodes, mtbf, mttr, q, law=name)
        assert np.all(law.sf(k) <= 1.0 - q)
        assert np.all((k == 0) | (law.sf(k - 1) > 1.0 - q))


def test_more_confidence_never_needs_fewer():
    assert np.all(np.diff(spares_needed(500, 100.0, 3.0, np.linspace(0.0, 0.9999, 50))) >= 0.0)


@pytest.mark.parametrize("law", ["poisson", "binomial"])
def test_more_nodes_than_a_float_can_count_have_an_answer(law):
    fewest = {"poisson": 1e20, "binomial": 1e18 * 100.0 / 101.0}[law]
    assert spares_needed(1e18, 1.0, 100.0, [0.01, 0.99], law=law) == pytest.approx(fewest)


def test_nodes_that_hardly_ever_work_need_one_spare_less_than_all():
    # One of them is up with probability 1e-13.
    job = {"nodes": 1000, "mtbf": 1e-12, "mttr": 1e4, "law": "binomial"}
    assert spares_needed(**job, confidence=0.9e-13) == 999.0
    assert spares_needed(**job, confidence=1.1e-13) == 1000.0


EXAMPLE = {"mtbf": 512.0, "interval": 2.0, "checkpoint_cost": 0.2}


@pytest.mark.slow
def test_the_printed_example_with_ten_nodes():
    """The paper gives no deviation of the repair; 4.05 is what fits its figure 1."""
    repair = LogNormal.from_mean(0.5, cv=4.05)
    found = compare_extra_node(10, work=1280.0, downtime=repair, **EXAMPLE)
    assert found.best == "worker"
    for use, printed in {"worker": 128.60, "replica": 141.29, "spare": 140.83}.items():
        assert found.means[use] == pytest.approx(printed, rel=0.03)


def test_the_example_with_a_hundred_nodes():
    """The spare is worth more than printed: see `simulate_spare_makespans`."""
    repair = Gamma.from_mean(4.0, cv=4.05)
    found = compare_extra_node(100, work=6400.0, downtime=repair, **EXAMPLE)
    assert found.best == "spare"
    for use, printed in {"worker": 108.22, "replica": 109.01}.items():
        assert found.means[use] == pytest.approx(printed, rel=0.03)
    with pytest.warns(ValidityWarning):
        printed = compare_extra_node(100, work=6400.0, downtime=repair, printed=True, **EXAMPLE)
    assert found.means["spare"] < printed.means["spare"] < found.means["worker"]


@pytest.mark.slow
def test_a_spare_without_repairs_or_failures_changes_nothing():
    job = {"work": 60.0, "interval": 5.0, "checkpoint_cost": 0.5}
    found = compare_extra_node(6, mtbf=100.0, downtime=0.0, **job)
    alone = compare_extra_node(6, mtbf=100.0, downtime=1e-9, **job)
    assert found.spare.mean == pytest.approx(alone.spare.mean, rel=1e-9)
    assert found.replica.mean < found.spare.mean
    calm = compare_extra_node(6, mtbf=1e12, downtime=3.0, **job)
    assert calm.means["replica"] == pytest.approx(11.0)
    assert calm.means["spare"] == pytest.approx(11.0)


def test_percentiles_and_the_replica_as_products_of_cdfs():
    found = compare_extra_node(3, work=300.0, downtime=Exponential(2.0), **EXAMPLE)
    one = compare_extra_node(1, work=100.0, downtime=Exponential(2.0), **EXAMPLE)
    t = np.linspace(105.0, 130.0, 40)
    single = 1.0 - np.sqrt(one.replica.sf(t))
    known = single**2 * (1.0 - (1.0 - single) ** 2)
    np.testing.assert_allclose(found.replica.cdf(t), known, rtol=1e-10)
    q = np.array([0.8, 0.99])
    found_q = found.percentiles(q)
    assert set(found_q) == {"worker", "replica", "spare"}
    np.testing.assert_allclose(found.replica.cdf(found_q["replica"]), q, rtol=1e-8)


def test_a_replica_of_one_task_among_very_many_nodes_is_answered():
    found = compare_extra_node(10**12, work=1e12, mtbf=512.0, downtime=1e-10, interval=2.0)
    # Of so many tasks one replica more helps none but its own.
    assert found.replica.ppf(0.5) == pytest.approx(found.worker.ppf(0.5), rel=1e-6)


def test_one_node_with_a_replica_is_the_first_of_two():
    job = {"work": 100.0, "mtbf": 50.0, "downtime": Exponential(1.0), "interval": 5.0}
    alone, found = wsj_compound(**job), compare_extra_node(1, **job)
    t = alone.ppf([0.5, 0.9])
    np.testing.assert_allclose(found.replica.sf(t), alone.sf(t) ** 2, rtol=1e-9)
