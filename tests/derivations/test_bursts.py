"""Bursts on a ring: every burst of every size at every place, with exact fractions."""

from fractions import Fraction
from itertools import combinations

import pytest
import sympy as sp

from perfmodel import effective_mtbf_bursts, pair_mtbf_bursts

TOTAL, MEAN = 6, Fraction(5, 2)
U = 1 - 1 / MEAN


def bursts():
    """Return sets of nodes and their probabilities."""
    for first in range(TOTAL):
        for size in range(1, TOTAL + 1):
            chance = U ** (size - 1) / MEAN if size < TOTAL else U ** (TOTAL - 1)
            yield {(first + i) % TOTAL for i in range(size)}, chance / TOTAL


def struck(job):
    return sum(chance for burst, chance in bursts() if burst & set(job))


MACHINE = {"machine_nodes": TOTAL, "burst_mtbf": 1.0, "burst_size": float(MEAN)}


@pytest.mark.parametrize("nodes", range(1, TOTAL + 1))
def test_neighbours(nodes):
    found = 1.0 / effective_mtbf_bursts(nodes, **MACHINE, placement="contiguous")
    assert found == pytest.approx(float(struck(range(nodes))), rel=1e-13)


@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_every_third_node_and_so_on(nodes):
    found = 1.0 / effective_mtbf_bursts(nodes, **MACHINE, placement="strided")
    assert found == pytest.approx(float(struck(range(0, TOTAL, TOTAL // nodes))), rel=1e-13)


@pytest.mark.parametrize("nodes", range(1, TOTAL + 1))
def test_any_set(nodes):
    sets = list(combinations(range(TOTAL), nodes))
    mean = sum(struck(job) for job in sets) / len(sets)
    found = 1.0 / effective_mtbf_bursts(nodes, **MACHINE)
    assert found == pytest.approx(float(mean), rel=1e-13)


@pytest.mark.parametrize("distance", range(1, TOTAL))
def test_pairs(distance):
    both = sum(chance for burst, chance in bursts() if {0, distance} <= burst)
    assert 1.0 / pair_mtbf_bursts(distance, **MACHINE) == pytest.approx(float(both), rel=1e-13)


def test_the_closed_form_of_pairs_for_any_size():
    u = sp.symbols("u", positive=True)
    d, total = 3, 8
    m = 1 / (1 - u)
    chance = [u ** (k - 1) / m for k in range(1, total)]
    places = [max(k - d, 0) + max(k - total + d, 0) for k in range(1, total)]
    counted = sum(p * n for p, n in zip(chance, places, strict=True)) / total + u ** (total - 1)
    claimed = m * (u**d + u ** (total - d) - 2 * u**total) / total
    assert sp.simplify(counted - claimed) == 0
