import numpy as np
import pytest

from perfmodel import spares_goodput, two_stage_goodput

JOB = {
    "block_mtbf": 60.0,
    "checkpoint_cost": 0.1,
    "interval": 1.0,
    "recovery_cost": 0.2,
    "switch_time": 0.3,
    "standby_hazard": 0.4,
}


@pytest.mark.parametrize("standbys", [0, 1, 4])
def test_without_a_second_stage_it_is_the_goodput_of_one(standbys):
    repair = {"automatic_time": 9.0, "manual_time": 1.0, "escalated": 0.0}
    found = two_stage_goodput(8, standbys, **repair, **JOB)
    assert found == pytest.approx(spares_goodput(8, standbys, mttr=9.0, **JOB), rel=1e-12)


def test_a_first_stage_that_takes_no_time_leaves_the_second():
    repair = {"automatic_time": 1e-9, "manual_time": 9.0, "escalated": 1.0, "crews": 2}
    found = two_stage_goodput(8, 3, **repair, **JOB)
    assert found == pytest.approx(spares_goodput(8, 3, mttr=9.0, crews=2, **JOB), rel=1e-7)


def test_a_repair_that_is_false_costs_a_switch_and_another_repair():
    # Without wait: half the blocks that come back fail at once, so two switches a failure.
    repair = {"automatic_time": 1e-9, "manual_time": 1.0, "escalated": 0.0}
    job = {**JOB, "standby_hazard": 0.0}
    found = two_stage_goodput(1, 0, **repair, **job, automatic_false=0.5)
    slow = spares_goodput(1, 0, mttr=1e-9, **{**job, "switch_time": 0.6})
    assert found == pytest.approx(slow, rel=1e-7)


def test_a_job_that_mostly_waits_for_its_one_technician():
    # A thousand simulated jobs took 12.234 +- 0.089 times their work.
    repair = {"automatic_time": 10.0, "manual_time": 100.0, "escalated": 1.0, "crews": 1}
    job = {**JOB, "block_mtbf": 40.0, "standby_hazard": 0.5}
    found = 1.0 / two_stage_goodput(4, 1, **repair, **job, automatic_false=0.6)
    assert abs(found - 12.234) < 3.0 * 0.089


def test_arrays_are_broadcast_together():
    repair = {"automatic_time": 1.0, "manual_time": [[5.0], [20.0]], "escalated": 0.5}
    found = two_stage_goodput(8, [0, 1, 2], **repair, **JOB)
    assert found.shape == (2, 3)
    assert (np.diff(found, axis=1) > 0.0).all()
    assert (np.diff(found, axis=0) < 0.0).all()
