"""The test for bad nodes, by all the counts that a few nodes can have."""

from itertools import product
from math import comb, exp, factorial

import numpy as np
import pytest

from perfmodel import bad_node_power, bad_nodes

MOST = 15  # failures of one node: more have a probability below 1e-11


def poisson(mean):
    return [exp(-mean) * mean**x / factorial(x) for x in range(MOST)]


@pytest.mark.parametrize("known", [True, False])
def test_power_and_alarms_of_three_nodes(known):
    # Two nodes that fail twice as often as the third; tails are sums of their terms.
    alpha, mean, factor = 0.3, 0.4, 2.0
    bad, good = poisson(factor * mean), poisson(mean)

    def tail(count, total):
        if known:
            return 1.0 - sum(good[:count])
        terms = (comb(total, x) * 2.0 ** (total - x) / 3.0**total for x in range(count, total + 1))
        return sum(terms)

    power, alarm = 0.0, 0.0
    for counts in product(range(MOST), repeat=3):
        called = [tail(count, sum(counts)) <= alpha / 3.0 for count in counts]
        power += called[0] * bad[counts[0]] * bad[counts[1]] * good[counts[2]]
        alarm += any(called) * good[counts[0]] * good[counts[1]] * good[counts[2]]
    found = bad_node_power(
        0.8,
        nodes=3,
        node_mtbf=2.0,
        lemon_factor=factor,
        lemons=2,
        false_alarm=alpha,
        baseline="known" if known else "estimated",
    )
    assert found == pytest.approx(power, rel=1e-9)
    assert 0.01 < alarm <= alpha


@pytest.mark.parametrize("mtbf", [None, 1.0])
def test_the_tails_of_one_record(mtbf):
    counts, times = np.array([3, 0, 2]), np.array([1.0, 2.0, 0.5])
    found = bad_nodes(counts, observed=times, node_mtbf=mtbf)
    for count, time, chance in zip(counts, times, found.probability, strict=True):
        if mtbf is None:
            share = time / times.sum()
            rest = [comb(5, x) * share**x * (1.0 - share) ** (5 - x) for x in range(count)]
        else:
            rest = poisson(time)[:count]
        assert chance == pytest.approx(min(1.0, 3.0 * (1.0 - sum(rest))), rel=1e-12)
