import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import (
    checkpoint_gain,
    failure_probability,
    longest_promise,
    optimal_interval_young,
    promised_probability,
    regret,
    risk_based_interval,
)
from tests.support.examples import examples

times = st.floats(1e-3, 1e3)


@settings(deadline=None, max_examples=examples(200))
@given(probability=st.floats(1e-6, 1.0), nodes=st.integers(1, 10_000), node_mtbf=times)
def test_the_longest_promise_is_promised_with_just_that_probability(probability, nodes, node_mtbf):
    longest = longest_promise(probability, nodes=nodes, node_mtbf=node_mtbf)
    found = promised_probability(longest, nodes=nodes, node_mtbf=node_mtbf)
    np.testing.assert_allclose(found, probability, rtol=1e-12)


@settings(deadline=None, max_examples=examples(200))
@given(duration=times, nodes=st.integers(1, 100), node_mtbf=times, scale=times)
def test_a_promise_depends_on_node_time_over_mtbf_only(duration, nodes, node_mtbf, scale):
    base = promised_probability(duration, nodes=nodes, node_mtbf=node_mtbf)
    scaled = promised_probability(scale * duration, nodes=nodes, node_mtbf=scale * node_mtbf)
    np.testing.assert_allclose(scaled, base, rtol=1e-9)
    missed = failure_probability(duration, mtbf=node_mtbf / nodes)
    np.testing.assert_allclose(base + missed, 1.0, rtol=1e-12)


def test_limits_of_promises():
    assert promised_probability(0.0, nodes=5, node_mtbf=1.0) == 1.0
    assert longest_promise(0.0, nodes=5, node_mtbf=1.0) == np.inf
    assert longest_promise(1.0, nodes=5, node_mtbf=1.0) == 0.0
    with mpmath.workdps(40):
        exact = mpmath.exp(-mpmath.mpf(3) * mpmath.mpf("1e-9") / 7)
    found = promised_probability(1e-9, nodes=3, node_mtbf=7.0)
    assert float(found) == pytest.approx(float(exact), rel=1e-16)


@settings(deadline=None, max_examples=examples(240))
@given(interval=times, mtbf=times, cost=st.floats(1e-3, 10.0), scale=st.sampled_from((2.0, 1024.0)))
def test_the_granted_interval_is_the_first_multiple_with_a_gain(interval, mtbf, cost, scale):
    granted = float(risk_based_interval(interval, mtbf=mtbf, checkpoint_cost=cost))
    chance = failure_probability(interval + 2.0 * cost, mtbf=mtbf)
    count = granted / interval
    assert count >= 1.0
    assert count == pytest.approx(round(count), rel=1e-12)
    tiny = 1e-9 * (granted + cost)
    assert checkpoint_gain(chance, unsaved=granted, checkpoint_cost=cost) >= -tiny
    if count > 1.0:
        before = granted - interval
        assert checkpoint_gain(chance, unsaved=before, checkpoint_cost=cost) < tiny
    # Powers of two change no digit.
    scaled = risk_based_interval(scale * interval, mtbf=scale * mtbf, checkpoint_cost=scale * cost)
    assert scaled == scale * granted


def test_the_shortest_interval_whose_every_request_is_granted_is_too_short():
    # p I = C with p ~ I/mu: sqrt(mu C), where Young has sqrt(2 mu C).
    mtbf, cost = 1e6, 1.0
    young = float(optimal_interval_young(mtbf=mtbf, checkpoint_cost=cost))
    spans = np.linspace(0.5 * young, young, 2001)
    every = risk_based_interval(spans, mtbf=mtbf, checkpoint_cost=cost) == spans
    assert spans[every].min() / young == pytest.approx(np.sqrt(0.5), rel=2e-3)
    # And frequent requests are granted far too rarely.
    rare = risk_based_interval(1.0, mtbf=mtbf, checkpoint_cost=cost)
    assert regret(rare, mtbf=mtbf, checkpoint_cost=cost) > 0.1
