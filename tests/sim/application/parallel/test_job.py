import numpy as np
import pytest

from sim.application import (
    Machine,
    simulate_makespans,
    simulate_parallel_makespans,
    simulate_wsj_makespans,
)
from sim.application.parallel.job import _seed_of
from sim.samplers import Exponential, Gamma, LogNormal, Recorded

FAST = Machine(speed=4.0, mtbf=30.0, downtime=LogNormal(0.0, 1.0), interval=2.0)
SLOW = Machine(mtbf=80.0, downtime=Gamma(0.5, 4.0), interval=3.0, checkpoint_cost=0.2)
MANY = {"replications": 70_000, "seed": 5}


@pytest.mark.parametrize("process", ["physical", "wsj"])
def test_the_makespan_is_that_of_the_slowest_task(process):
    walls = simulate_parallel_makespans([40.0, 10.0], [FAST, SLOW], process=process, **MANY)
    alone = [
        simulate_parallel_makespans(shares, [FAST, SLOW], process=process, **MANY)
        for shares in ([40.0, 0.0], [0.0, 10.0])
    ]
    np.testing.assert_array_equal(walls, np.maximum(*alone))
    assert (alone[0] > alone[1]).any()
    assert (alone[0] < alone[1]).any()


def test_a_task_is_played_by_the_rules_of_a_job_of_its_own():
    walls = simulate_parallel_makespans([0.0, 9.0], [FAST, SLOW], **MANY)
    own = {**MANY, "seed": _seed_of(5, 1)}
    costs = {"interval": 3.0, "checkpoint_cost": 0.2, "downtime": Gamma(0.5, 4.0)}
    np.testing.assert_array_equal(
        walls, simulate_makespans(9.0, uptime=Exponential(80.0), **costs, **own)
    )
    played = simulate_parallel_makespans([0.0, 9.0], [FAST, SLOW], process="wsj", **MANY)
    np.testing.assert_array_equal(played, simulate_wsj_makespans(9.0, mtbf=80.0, **costs, **own))


def test_recovery_is_paid_for_in_the_physical_process_only():
    # Fails never before 6; repair 1, recovery 2: the second segment starts again.
    machine = Machine(mtbf=1e9, interval=3.0, checkpoint_cost=1.0, recovery_cost=2.0)
    walls = simulate_parallel_makespans([6.0], [machine], replications=3, seed=1)
    assert walls.tolist() == [8.0, 8.0, 8.0]
    harsh = Machine(mtbf=10.0, interval=3.0, recovery_cost=2.0)
    without = Machine(mtbf=10.0, interval=3.0)
    with_cost = simulate_parallel_makespans([60.0], [harsh], **MANY).mean()
    assert with_cost > simulate_parallel_makespans([60.0], [without], **MANY).mean() + 5.0
    with pytest.raises(ValueError, match=r"recovery_cost must be 0 in the process of wsj, got 2"):
        simulate_parallel_makespans([6.0], [machine], process="wsj", **MANY)


def test_speed_divides_the_work():
    slow = Machine(mtbf=50.0, interval=2.0)
    fast = Machine(speed=8.0, mtbf=50.0, interval=2.0)
    np.testing.assert_array_equal(
        simulate_parallel_makespans([10.0], [slow], **MANY),
        simulate_parallel_makespans([80.0], [fast], **MANY),
    )


@pytest.mark.parametrize("process", ["physical", "wsj"])
def test_same_seed_same_bytes_whatever_the_threads_and_more_replications_append(process):
    play = {"shares": [40.0, 10.0], "machines": [FAST, SLOW], "process": process}
    one = simulate_parallel_makespans(**play, **MANY)
    assert one.tobytes() == simulate_parallel_makespans(**play, **MANY, threads=3).tobytes()
    few = simulate_parallel_makespans(**play, replications=1000, seed=5)
    np.testing.assert_array_equal(one[:1000], few)
    assert (one != simulate_parallel_makespans(**play, replications=70_000, seed=6)).mean() > 0.5


def test_another_machine_changes_nothing_for_those_there_are():
    alone = simulate_parallel_makespans([40.0], [FAST], **MANY)
    with_idle = simulate_parallel_makespans([40.0, 0.0], [FAST, SLOW], **MANY)
    np.testing.assert_array_equal(alone, with_idle)


def test_equal_machines_fail_independently():
    twins = simulate_parallel_makespans([40.0, 40.0], [FAST, FAST], **MANY)
    one = simulate_parallel_makespans([40.0], [FAST], **MANY)
    untouched = one.min()
    share = (one == untouched).mean()
    assert (twins == untouched).mean() == pytest.approx(share**2, abs=0.01)


def test_a_recorded_list_is_played_from_its_beginning_by_every_task():
    machine = Machine(mtbf=5.0, downtime=Recorded([1.0] * 5000), interval=1.0)
    fixed = Machine(mtbf=5.0, downtime=1.0, interval=1.0)
    np.testing.assert_array_equal(
        simulate_parallel_makespans([20.0, 20.0], [machine, machine], replications=50, seed=2),
        simulate_parallel_makespans([20.0, 20.0], [fixed, fixed], replications=50, seed=2),
    )


@pytest.mark.parametrize(
    ("shares", "machines", "more", "error", "message"),
    [
        ([1.0], [FAST, SLOW], {}, ValueError, "one per machine, got 1 for 2"),
        ([0.0, 0.0], [FAST, SLOW], {}, ValueError, "some work"),
        ([], [], {}, ValueError, "some work"),
        ([-1.0], [FAST], {}, ValueError, "shares must be finite and >= 0, got -1"),
        ([1.0], ["fast"], {}, TypeError, "machines must be of sim.application.Machine"),
        ([1.0], [FAST], {"process": "paper"}, ValueError, "process must be .* got 'paper'"),
        ([1.0], [FAST], {"replications": 0}, ValueError, "replications must be"),
        ([1.0], [FAST], {"seed": -1}, ValueError, "seed must be"),
        ([1.0], [FAST], {"threads": 0}, ValueError, "threads must be"),
    ],
)
def test_bad_arguments(shares, machines, more, error, message):
    with pytest.raises(error, match=message):
        simulate_parallel_makespans(shares, machines, **{**MANY, **more})


def test_the_first_copy_of_a_task_counts():
    both = simulate_parallel_makespans([40.0], [FAST], copies=[2], **MANY)
    first = simulate_parallel_makespans([40.0], [FAST], **MANY)
    second = simulate_makespans(
        10.0,
        uptime=Exponential(30.0),
        downtime=LogNormal(0.0, 1.0),
        interval=2.0,
        checkpoint_cost=0.0,
        replications=70_000,
        seed=_seed_of(5, 0, 1),
    )
    np.testing.assert_array_equal(both, np.minimum(first, second))
    assert (second < first).any()


def test_copies_are_counted():
    with pytest.raises(ValueError, match="copies must be one per machine, got 2 for 1 machines"):
        simulate_parallel_makespans([40.0], [FAST], copies=[1, 1], **MANY)
    with pytest.raises(ValueError, match="copies must be a whole number >= 1, got 0"):
        simulate_parallel_makespans([40.0], [FAST], copies=[0], **MANY)
