"""Plans of a machine whose nodes may work in pairs, against the formulas and played runs."""

import numpy as np
import pytest

import perfmodel
from perfmodel import plan
from perfmodel.replication.pairs import shares_of_pairs
from sim.application import simulate_replicated_cycles

YEAR, DAY, HOUR = 365.25 * 86400.0, 86400.0, 3600.0
LARGE = {
    "machine": {"nodes": 100_001},
    "failures": {"node_mtbf": "5y"},
    "job": {"work": "10d", "recovery": "10min", "warm_up": "3min", "downtime": "10min"},
    "checkpoint": {"cost": "10min"},
}
MACHINE = {"pairs": 50_000, "node_mtbf": 5.0 * YEAR, "checkpoint_cost": 600.0}
STOPS = {"recovery_cost": 780.0, "downtime": 600.0}
TWICE = 100_001 / 50_000  # computing time on half of the nodes, one of which is idle


def changed(**sections):
    return {**LARGE, **{key: {**LARGE.get(key, {}), **more} for key, more in sections.items()}}


def test_a_large_machine_is_to_work_in_pairs():
    found = plan(LARGE, brief=True)
    best = found.checkpoint
    assert best.protocol == "pairs"
    waste = float(perfmodel.waste_of_pairs(best.interval, **MACHINE, **STOPS))
    assert found.completion.mean == pytest.approx(10.0 * DAY * TWICE / (1.0 - waste), rel=1e-12)
    assert found.goodput.value == pytest.approx((1.0 - waste) / TWICE, rel=1e-12)
    long = perfmodel.optimal_interval_pairs(**MACHINE, **STOPS)
    assert best.interval == pytest.approx(long, rel=0.1)
    assert found.completion.why_not == "no law is known of pairs of nodes"
    assert found.law() is None


def test_half_of_the_nodes_are_copies_and_no_failures():
    stages = {"detection": "2min", "queue": "3min"}
    found = plan(changed(job=stages), brief=True).goodput
    losses = found.losses
    assert found.value + sum(losses.values()) == pytest.approx(1.0, rel=1e-12)
    assert losses["redundancy"] == pytest.approx(found.value * (TWICE - 1.0), rel=1e-12)
    stops = [losses[name] for name in ("detection", "queue", "rescheduling")]
    np.testing.assert_allclose(np.array(stops) / stops[0], [1.0, 1.5, 5.0])
    plain = plan(changed(prices={"node_hour": 1.0}), brief=True)
    assert plain.costs.job_lost > 0.5 * plain.costs.job


def test_a_step_takes_twice_as_long_on_half_of_the_nodes():
    job = {"step_time": "10s", "tokens_per_step": 50.0}
    found = plan(changed(job=job), brief=True)
    best = found.checkpoint
    assert best.interval == pytest.approx(10.0 * TWICE * best.steps, rel=1e-12)
    assert best.tokens == 50.0 * best.steps
    assert found.goodput.tokens_per_day == pytest.approx(found.goodput.value * 50.0 * 8640.0)


@pytest.mark.parametrize(
    "failures",
    [
        {"burst_mtbf": "1h", "burst_size": 4.0},
        {"failures": 90, "observed": "10d", "failures_per_burst": 3.0},
    ],
)
def test_where_bursts_take_several_nodes_at_once_pairs_are_not_compared(failures):
    tables = changed(machine={"machine_nodes": 200_000}) | {"failures": failures}
    found = plan(tables, brief=True)
    assert "pairs" not in {row.protocol for row in found.checkpoint.protocols}
    tables["checkpoint"] = {"cost": "10min", "protocol": "pairs"}
    with pytest.raises(ValueError, match=r"checkpoint.protocol must not be pairs where failures"):
        plan(tables, brief=True)


@pytest.mark.parametrize("machine", [{"nodes": 1}, {}])
def test_a_single_node_has_no_pair(machine):
    tables = {**LARGE, "machine": machine, "failures": {"mtbf": "9h"}}
    assert plan(tables, brief=True).job.nodes is None
    tables["checkpoint"] = {"cost": "10min", "protocol": "pairs"}
    with pytest.raises(ValueError, match=r"checkpoint.protocol must come with nodes, got 'pairs'"):
        plan(tables, brief=True)


@pytest.mark.parametrize("interval", [1.0, 10.0, 200.0])
def test_the_shares_of_pairs_are_their_waste(interval):
    machine = {"pairs": 3, "node_mtbf": 50.0, "checkpoint_cost": 1.0, "downtime": 3.0}
    shares = shares_of_pairs(interval, restore=1.5, warm_up=0.5, **machine)
    waste = float(perfmodel.waste_of_pairs(interval, recovery_cost=2.0, **machine))
    assert sum(shares.values()) == pytest.approx(1.0, rel=1e-12)
    assert shares["computing"] == pytest.approx(1.0 - waste, rel=1e-12)
    assert shares["checkpoint"] == pytest.approx(shares["computing"] / interval, rel=1e-12)
    without = shares_of_pairs(interval, restore=2.0, warm_up=0.0, **machine)
    assert without["warm_up"] == 0.0
    back = shares["recovery"] + shares["warm_up"]
    assert without["recovery"] == pytest.approx(back, rel=1e-12)


def test_runs_that_do_what_the_plan_says_have_its_goodput():
    """A false alarm comes once in 10,000 seeds: 3.9 standard errors of a ratio."""
    small = {
        "machine": {"nodes": 20},
        "failures": {"node_mtbf": "40h"},
        "job": {"work": "30d", "recovery": "10min", "downtime": "30min"},
        "checkpoint": {"cost": "20min", "protocol": "pairs"},
    }
    found = plan(small, brief=True)
    time, kept = simulate_replicated_cycles(
        found.checkpoint.interval,
        pairs=10,
        node_mtbf=40.0 * HOUR,
        checkpoint_cost=1200.0,
        recovery_cost=600.0,
        downtime=1800.0,
        restart=True,
        replications=20_000,
        seed=5,
    ).T
    goodput = 0.5 * kept.sum() / time.sum()
    error = 0.5 * np.std(kept - 2.0 * goodput * time) / time.mean() / len(time) ** 0.5
    assert abs(found.goodput.value - goodput) < 3.9 * error
    assert error < 0.003 * goodput
