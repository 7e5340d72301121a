import numpy as np

from sim.application import simulate_spare_makespans, simulate_wsj_makespans
from sim.application.spare_job import _Job
from sim.samplers import Recorded

JOB = {"interval": 100.0, "mtbf": 10.0, "downtime": 4.0}


class Scripted:
    """Exponential draws and numbers of failures during repairs, from lists."""

    def __init__(self, gaps, strikes=()):
        self.gaps, self.strikes = iter(gaps), iter(strikes)

    def standard_exponential(self):
        return next(self.gaps)

    def poisson(self, mean):
        return next(self.strikes)


def play(tasks, share, gaps, repairs, strikes):
    job = _Job(
        tasks,
        share=share,
        interval=100.0,
        mtbf=10.0,
        downtime=Recorded(repairs),
        rng=Scripted([gap / 10.0 for gap in gaps], strikes),
    )
    return job.run()


def test_a_task_moves_to_the_spare_at_once():
    # Struck at 3, rework of 2, 5 of 8 left: 10, whatever the repair takes.
    assert play(1, 8.0, [3.0, 2.0, 99.0], [50.0], [0]) == 10.0


def test_the_second_to_fail_waits_for_the_first_node_that_comes_back():
    # Struck at 3 and 4; the spare serves the first; at 3 + 6 its node serves the second, whose
    # own node is away until 54. Rework 2 and 1: ends at 10 and 9 + 1 + 4.
    gaps = [3.0, 4.0, 2.0, 99.0, 1.0, 99.0]
    assert play(2, 8.0, gaps, [6.0, 50.0], [0, 0]) == 14.0


def test_a_node_that_has_nothing_to_do_takes_a_task_over():
    # Both nodes and the spare: struck at 1 and 2, never repaired in time; the third task ends
    # at 8 and leaves its node to the second: 8 + rework 1 + 6 left.
    gaps = [1.0, 2.0, 99.0, 1.0, 99.0, 1.0, 99.0]
    assert play(3, 8.0, gaps, [500.0, 500.0], [0, 0]) == 15.0


def test_failures_prolong_repairs():
    # One failure during the first repair adds a second: away 2 + 3 from 1 on, as long as waited.
    gaps = [1.0, 1.5, 0.5, 99.0, 0.5, 99.0]
    assert play(2, 8.0, gaps, [2.0, 3.0, 50.0], [1, 0, 0]) == 6.0 + 0.5 + 6.5


def test_free_repairs_cost_rework_only():
    walls = simulate_spare_makespans(1, 40.0, **{**JOB, "downtime": 0.0}, replications=2000, seed=3)
    alone = simulate_wsj_makespans(40.0, **{**JOB, "downtime": 0.0}, replications=2000, seed=4)
    spread = np.hypot(walls.std(), alone.std()) / np.sqrt(2000)
    assert abs(walls.mean() - alone.mean()) < 4.5 * spread


def test_same_seed_same_bytes_and_more_only_append():
    few = simulate_spare_makespans(3, 20.0, **JOB, replications=5, seed=7)
    many = simulate_spare_makespans(3, 20.0, **JOB, replications=9, seed=7)
    np.testing.assert_array_equal(many[:5], few)
