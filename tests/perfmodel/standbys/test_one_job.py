import numpy as np
import pytest

from perfmodel import expected_makespan, expected_makespan_standbys, spares_goodput

MACHINE = {"blocks": 16, "block_mtbf": 200.0, "mttr": 20.0}
COSTS = {"interval": 1.5, "checkpoint_cost": 0.1, "recovery_cost": 0.2, "switch_time": 0.3}


@pytest.mark.parametrize("pool", [{"standbys": np.inf}, {"standbys": 60}, {"standbys": 40}])
def test_with_standbys_without_limit_failures_are_poisson(pool):
    found = expected_makespan_standbys(31.0, **{**MACHINE, **pool}, **COSTS)
    times = {name: COSTS[name] for name in ("interval", "checkpoint_cost", "recovery_cost")}
    known = expected_makespan(31.0, mtbf=12.5, downtime=0.3, **times)
    assert found == pytest.approx(float(known), rel=1e-12)


def test_repairs_that_take_no_time_need_no_standby():
    at_once = expected_makespan_standbys(31.0, **{**MACHINE, "mttr": 0.0}, **COSTS, standbys=0)
    assert at_once == expected_makespan_standbys(31.0, **MACHINE, **COSTS, standbys=np.inf)


def test_a_long_job_tends_to_its_work_over_the_goodput():
    pool = {**MACHINE, **COSTS, "standbys": 2, "stopped_hazard": 0.5, "crews": 3}
    means = expected_makespan_standbys([3e6, 6e6], **pool)
    assert np.diff(means) / 3e6 == pytest.approx(1.0 / float(spares_goodput(**pool)), rel=1e-9)


def test_each_standby_under_repair_costs_time_and_none_twice():
    means = expected_makespan_standbys(
        30.0, **MACHINE, **COSTS, standbys=4, under_repair=np.arange(5)
    )
    assert np.all(np.diff(means) > 0.0)
    assert means[-1] < expected_makespan_standbys(30.0, **MACHINE, **COSTS, standbys=0)


def test_without_repair_it_may_never_end():
    endless = {**MACHINE, "mttr": np.inf}
    assert expected_makespan_standbys(30.0, **endless, **COSTS, standbys=2) == np.inf


def test_a_job_that_hardly_gets_through_a_segment():
    slow = {**COSTS, "interval": 1e5}
    assert expected_makespan_standbys(1e5, **MACHINE, **slow, standbys=2) == np.inf
