"""Eq. (1) of qos from the two mean costs it compares."""

import sympy as sp


def test_the_rule_is_the_difference_of_the_costs_of_skipping_and_of_checkpointing():
    p, d, interval, cost = sp.symbols("p d I C", positive=True)
    skipping = p * ((d + 1) * interval + cost)
    performing = p * (interval + 2 * cost) + (1 - p) * cost
    assert sp.simplify(skipping - performing - (p * d * interval - cost)) == 0
