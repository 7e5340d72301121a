import numpy as np
import pytest
from scipy import special, stats

from perfmodel import efficiency, mean_stop, optimal_interval, spares_goodput
from sim.application import simulate_standby_makespans

POOL = {
    "block_mtbf": 300.0,
    "mttr": 15.0,
    "crews": 3,
    "standby_hazard": 1.0,
    "stopped_hazard": 1.0,
    "switch_time": 0.5,
}
COSTS = {"interval": 1.0, "checkpoint_cost": 0.05, "recovery_cost": 0.2}


def erlang_b(servers, load):
    return stats.poisson.pmf(servers, load) / stats.poisson.cdf(servers, load)


def test_two_points_computed_otherwise_to_fourteen_digits():
    # A Markov renewal process over segments, recoveries and stops.
    assert mean_stop(32, 4, **POOL) == pytest.approx(1.4142865612664606, rel=1e-13)
    found = spares_goodput(32, 4, **POOL, **COSTS)
    assert found == pytest.approx(0.7655557836172399, rel=1e-13)
    found = mean_stop(16, 2, block_mtbf=200.0, mttr=20.0)
    assert found == pytest.approx(2.199312714776632, rel=1e-13)


@pytest.mark.parametrize("standbys", [0, 1, 3, 12])
@pytest.mark.parametrize("load", [0.01, 1.0, 20.0])
def test_without_a_switch_the_share_of_time_waiting_is_erlangs(standbys, load):
    # While the job waits no block fails: the down blocks are calls in service, S + 1 lines.
    stop = mean_stop(10, standbys, block_mtbf=10.0, mttr=load)
    waiting = stop / (1.0 + stop)
    assert waiting == pytest.approx(erlang_b(standbys + 1, load), rel=1e-12)


@pytest.mark.parametrize("standbys", [1, 4])
def test_where_blocks_fail_whatever_they_do_each_is_down_by_itself(standbys):
    # Without a switch a stop is a wait; the job runs while at most S of B + S are down.
    machine = {"block_mtbf": 50.0, "mttr": 7.0, "standby_hazard": 1.0, "stopped_hazard": 1.0}
    stop = mean_stop(6, standbys, **machine)
    running = stats.binom.cdf(standbys, 6 + standbys, 7.0 / 57.0)
    assert 1.0 / (1.0 + 6 / 50.0 * stop) == pytest.approx(running, rel=1e-12)


def test_with_standbys_without_end_every_stop_is_a_switch():
    pool = {"block_mtbf": 200.0, "standby_hazard": 0.5, "switch_time": 0.25}
    costs = {"interval": 1.5, "checkpoint_cost": 0.1, "recovery_cost": 0.3}
    for hazard, share in ((0.0, 0.8411176616838507), (1.0, 0.8409516644639385 + 2.25e-10)):
        machine = {**pool, "stopped_hazard": hazard}
        found = spares_goodput(16, np.inf, mttr=33.0, **machine, **costs)
        assert found == pytest.approx(share, rel=1e-9)
        # So it is where repairs take no time, and nearly so with many standbys.
        assert spares_goodput(16, 1, mttr=0.0, **machine, **costs) == found
        assert spares_goodput(16, 60, mttr=33.0, **machine, **costs) == pytest.approx(found)


def test_the_goodput_is_that_of_a_job_whose_every_failure_costs_the_mean_stop():
    stop = mean_stop(32, 4, **POOL)
    costs = {**COSTS, "mtbf": 300.0 / 32, "downtime": stop}
    assert spares_goodput(32, 4, **POOL, **COSTS) == efficiency(1.0, **costs)


def test_the_best_interval_does_not_depend_on_the_pool():
    best = optimal_interval(mtbf=300.0 / 32, checkpoint_cost=0.05)
    for standbys in (0, 3):
        given = {**POOL, **COSTS, "interval": best}
        top = spares_goodput(32, standbys, **given)
        assert spares_goodput(32, standbys, **{**given, "interval": None}) == top
        for factor in (0.99, 1.01):
            assert spares_goodput(32, standbys, **{**given, "interval": factor * best}) < top


@pytest.mark.parametrize("nodes", [1, 8])
def test_what_a_block_is_made_of_does_not_matter_where_standbys_do_not_fail(nodes):
    # 64 nodes in blocks: the same failures, and one repair each.
    found = mean_stop(64 // nodes, 3, block_mtbf=640.0 / nodes, mttr=9.0, switch_time=0.5)
    assert found == pytest.approx(mean_stop(64, 3, block_mtbf=640.0, mttr=9.0, switch_time=0.5))


def test_without_repair_the_standbys_run_out():
    assert mean_stop(4, 3, block_mtbf=9.0, mttr=np.inf) == np.inf
    assert spares_goodput(4, 3, block_mtbf=9.0, mttr=np.inf, checkpoint_cost=0.1) == 0.0


@pytest.mark.parametrize("standbys", [0, 1, 20, 50, 500])
def test_a_stop_too_long_for_a_float_is_endless(standbys):
    machine = {"block_mtbf": 7.65e-4, "mttr": 127.0, "switch_time": 2.47e-3, "crews": 4}
    hazards = {"standby_hazard": 0.614, "stopped_hazard": 0.99}
    assert mean_stop(51, standbys, **machine, **hazards) == np.inf
    assert spares_goodput(51, standbys, **machine, **hazards, checkpoint_cost=1e-5) == 0.0


def test_a_wait_in_which_ever_more_blocks_fail_never_ends():
    machine = {"block_mtbf": 1.0, "mttr": 1e-3, "crews": 1, "switch_time": 1e-6}
    hazards = {"standby_hazard": 0.4, "stopped_hazard": 0.5}
    assert mean_stop(10_000, 40, **machine, **hazards) == np.inf
    found = spares_goodput(10_000, 40, **machine, **hazards, checkpoint_cost=1e-7)
    assert found == 0.0


def test_rare_waits_keep_their_digits():
    # One in 1e31 failures waits. With Erlang's formula as the tail of a gamma function.
    load, standbys = 1e-3, 9
    known = np.exp(10 * np.log(load) - load - special.gammaln(11))
    stop = mean_stop(10, standbys, block_mtbf=10.0, mttr=load)
    assert stop == pytest.approx(known / (1 + 0.0), rel=1e-12)
    assert 0.0 < stop < 1e-35


def test_few_crews_keep_up_with_so_many_failures():
    endless = {"block_mtbf": 100.0, "mttr": 5.0, "switch_time": 0.5}
    assert mean_stop(16, np.inf, **endless, crews=1) == 0.5
    with pytest.raises(ValueError, match="standbys must be finite where crews cannot repair"):
        mean_stop(30, np.inf, **endless, crews=1)
    # Below that the crew is never idle, and sets the pace.
    stop = mean_stop(30, 400, **endless, crews=1)
    assert 1.0 / (100.0 / 30 + stop) == pytest.approx(0.2, rel=1e-9)


def test_arrays_are_broadcast_together():
    stops = mean_stop([[8], [16]], [0, 1, 2], block_mtbf=100.0, mttr=3.0)
    assert stops.shape == (2, 3)
    assert stops[1, 2] == mean_stop(16, 2, block_mtbf=100.0, mttr=3.0)
    shares = spares_goodput(8, [0, 1], block_mtbf=100.0, mttr=3.0, checkpoint_cost=[[0.1], [0.2]])
    assert shares.shape == (2, 2)
    assert (np.diff(shares, axis=1) > 0.0).all()


def test_a_long_job_has_this_goodput():
    job = {**POOL, **COSTS, "blocks": 32, "standbys": 4}
    walls = simulate_standby_makespans(200.0, **job, warm_up=100.0, replications=1000, seed=5)
    shares = 200.0 / walls.mean()
    # Three in 1e5 runs of a right formula would fail, were the seed not fixed.
    assert abs(shares / spares_goodput(**job) - 1.0) < 4.2 * walls.std() / walls.mean() / 1000**0.5
