import numpy as np

from perfmodel import exact_makespan, expected_makespan, expected_makespan_phases, slowest_of

JOB = {"mtbf": 5.0, "checkpoint_cost": 0.5, "recovery_cost": 0.6, "downtime": 0.8}


def test_one_task_waits_for_nobody():
    found = expected_makespan_phases(6.0, phases=3, tasks=1, interval=1.0, **JOB)
    np.testing.assert_allclose(found, expected_makespan(6.0, interval=1.0, **JOB), rtol=1e-9)


def test_one_phase_is_the_slowest_task():
    found = expected_makespan_phases(6.0, phases=1, tasks=7, interval=2.0, **JOB)
    task = exact_makespan(6.0, interval=2.0, **JOB)
    np.testing.assert_allclose(found, slowest_of(task, 7).mean, rtol=1e-12)


def test_more_barriers_with_as_many_checkpoints_mean_more_waits():
    walls = [
        expected_makespan_phases(6.0, phases=phases, tasks=7, interval=1.0, **JOB)
        for phases in (1, 2, 3, 6)
    ]
    assert (np.diff(walls) > 0.0).all()


def test_without_failures_nobody_waits():
    job = {"mtbf": np.inf, "checkpoint_cost": 0.5}
    assert expected_makespan_phases(6.0, phases=3, tasks=9, interval=np.inf, **job) == 7.5
