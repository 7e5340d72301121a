"""Cycles and groups worked out by hand."""

import numpy as np

from sim.application import simulate_buddy_cycles, simulate_failures_to_loss
from sim.application.buddies import groups, job


class Scripted:
    """A generator whose draws are listed."""

    def __init__(self, *draws, shares=()):
        self._left, self._shares = list(draws), list(shares)

    def standard_exponential(self, shape):
        count = int(np.prod(shape))
        drawn, self._left = self._left[:count], self._left[count:]
        return np.reshape(drawn, shape)

    def random(self, count):
        drawn, self._shares = self._shares[:count], self._shares[count:]
        return np.array(drawn)


def kept(uptime, protocol):
    # Reading back 2, sending 2 + 3 * 1 = 5 of which 4 is work, making an image 0.5.
    played = job.Buddies(6.0, 1.0, 2.0, 1.0, 3.0, 0.5, 7.0, protocol)
    time, work = job.play(Scripted(uptime), 1, job=played)[0]
    assert time == 7.0 + uptime
    return work


def test_an_image_counts_when_the_first_buddy_has_it():
    # 2 to read, 5 + 2 until the next image, 0.5 to make it, 5 to send it; a period is 7.5.
    assert [kept(t, "double") for t in (14.49, 14.5, 21.99, 22.0)] == [0.0, 6.0, 6.0, 12.0]


def test_the_job_waits_for_what_is_sent_again():
    # 2 to read, 2 to send, 6 to work, 0.5 and 5.
    assert [kept(t, "double_blocking") for t in (15.49, 15.5, 23.0)] == [0.0, 6.0, 12.0]


def test_two_buddies_get_it_one_after_the_other():
    # 2 to read, twice 5 of which 8 is work, more than the interval; 0.5 and the first 5.
    assert [kept(t, "triple") for t in (17.49, 17.5, 27.99, 28.0)] == [0.0, 6.0, 6.0, 12.0]


def seen(draws, shares, *, group=2, risk=1.0):
    scripted = Scripted(*draws, shares=shares)
    return groups.play(scripted, 1, node_mtbf=1.0, risk=risk, together=0.5, group=group)[0]


def test_an_image_is_lost_when_both_fail_in_one_recovery():
    assert seen((1.0, 1.9, 5.0, 5.0), (0.9, 0.9)) == 2.0
    # Too late; then the first node fails again in time.
    assert seen((1.0, 2.0, 1.5, 9.0, 9.0), (0.9, 0.9, 0.9)) == 3.0


def test_a_node_that_fails_twice_counts_once_and_recovery_begins_anew():
    assert seen((1.0, 2.6, 0.8, 9.0, 9.0), (0.9, 0.9, 0.9)) == 3.0


def test_three_nodes():
    assert seen((1.0, 1.9, 2.8, 9.0, 9.0, 9.0), (0.9, 0.9, 0.9), group=3) == 3.0


def test_a_failure_of_all_at_once():
    assert seen((1.0, 5.0, 9.0), (0.4,)) == 1.0


def test_the_seed_alone_decides():
    machine = {"mtbf": 9.0, "transfer_time": 0.1, "overhead": 0.1}
    few = simulate_buddy_cycles(1.0, **machine, replications=10, seed=2)
    more = simulate_buddy_cycles(1.0, **machine, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
    few = simulate_failures_to_loss(node_mtbf=1.0, risk=1.0, replications=10, seed=2)
    more = simulate_failures_to_loss(node_mtbf=1.0, risk=1.0, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
