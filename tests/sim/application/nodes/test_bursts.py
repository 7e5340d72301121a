"""Bursts worked out by hand."""

import numpy as np

from sim.application import simulate_burst_interruptions
from sim.application.nodes import bursts


class Scripted:
    """A generator whose draws are listed."""

    def __init__(self, gaps, sizes, firsts, alone=(), orders=()):
        self._gaps, self._sizes, self._firsts = list(gaps), list(sizes), list(firsts)
        self._alone, self._orders = list(alone), list(orders)

    def standard_exponential(self, shape):
        if isinstance(shape, tuple):
            return np.reshape(self._alone, shape)
        return np.array([self._gaps.pop(0)])

    def geometric(self, p, count):
        assert p == 0.25
        return np.array([self._sizes.pop(0)])

    def integers(self, most, size):
        assert most == 10
        return np.array([self._firsts.pop(0)])

    def random(self, shape):
        return np.reshape(self._orders.pop(0), shape)


def play(*places, node_mtbf=np.inf, anywhere=False, all_at_once=False, **draws):
    job = bursts.Struck(places, 10, 2.0, 4.0, node_mtbf, anywhere, all_at_once)
    return bursts.play(Scripted(**draws), 1, job=job).item()


def test_the_first_burst_that_reaches_a_node_of_the_job():
    # Nodes 7 and 8, then 9, 0 and 1; bursts at 2, 5.
    assert play(0, 4, gaps=[1.0, 1.5], sizes=[2, 3], firsts=[7, 9]) == 5.0


def test_a_burst_larger_than_the_machine_strikes_all():
    assert play(4, gaps=[1.0], sizes=[11], firsts=[5]) == 2.0


def test_a_pair_is_lost_when_one_burst_takes_both():
    assert play(0, 4, all_at_once=True, gaps=[1.0, 1.5], sizes=[3, 5], firsts=[9, 0]) == 5.0


def test_a_node_fails_alone_before_a_burst():
    given = {"gaps": [1.0, 1.5], "sizes": [1, 1], "firsts": [5, 4]}
    assert play(0, 4, node_mtbf=3.0, alone=[2.0, 1.0], **given) == 3.0
    assert play(0, 4, node_mtbf=9.0, alone=[2.0, 1.0], **given) == 5.0


def test_a_job_anywhere_is_drawn_for_each_burst():
    # The least two of the drawn numbers are the places: 8 and 9, then 3 and 0.
    orders = [[9, 8, 7, 6, 5, 4, 3, 2, 1, 0], [1, 9, 9, 0, 9, 9, 9, 9, 9, 9]]
    draws = {"gaps": [1.0, 1.0], "sizes": [2, 1], "firsts": [0, 3]}
    assert play(0, 1, anywhere=True, orders=orders, **draws) == 4.0


def test_the_seed_alone_decides():
    machine = {"machine_nodes": 9, "burst_mtbf": 1.0, "burst_size": 2.0}
    few = simulate_burst_interruptions((0, 3), **machine, replications=10, seed=2)
    more = simulate_burst_interruptions((0, 3), **machine, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
