"""Cycles worked out by hand."""

import numpy as np
import pytest

from sim.application import simulate_replicated_cycles
from sim.application.parallel import replicated_job


class Scripted:
    """A generator whose exponential draws are listed."""

    def __init__(self, *draws):
        self._left = list(draws)

    def standard_exponential(self, shape):
        count = int(np.prod(shape))
        drawn, self._left = self._left[:count], self._left[count:]
        return np.reshape(drawn, shape)


def play(*draws, restart):
    # Downtime 3, recovery 0.5, then segments of 2 + 1: checkpoints end at 6.5, 9.5, 12.5.
    job = replicated_job.Pairs(2, 1.0, 2.0, 1.0, 0.5, 3.0, restart)
    return replicated_job.play(Scripted(*draws), 1, job=job)[0].tolist()


@pytest.mark.parametrize("restart", [True, False])
def test_a_cycle_ends_when_both_nodes_of_a_pair_are_down(restart):
    assert play(1.0, 2.0, 9.0, 9.0, restart=restart) == [5.0, 0.0]


def test_without_restart_a_node_stays_down():
    assert play(1.0, 5.0, 2.0, 9.0, restart=False) == [8.0, 2.0]


def test_with_restart_it_is_up_again_after_the_checkpoint():
    # Nodes 1 and 3 come back at 6.5 and last for 1 and for 10; node 2 fails at 8.
    assert play(1.0, 5.0, 2.0, 9.0, 1.0, 10.0, restart=True) == [8.0, 2.0]
    # Node 1 comes back at 6.5 until 10.5; node 2 fails at 8, comes back at 9.5, fails at 10.
    assert play(1.0, 5.0, 9.0, 9.0, 4.0, 0.5, restart=True) == [10.5, 4.0]


def test_the_seed_alone_decides():
    job = {"pairs": 2, "node_mtbf": 9.0, "checkpoint_cost": 0.1}
    few = simulate_replicated_cycles(1.0, **job, replications=10, seed=2)
    more = simulate_replicated_cycles(1.0, **job, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
