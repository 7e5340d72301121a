import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import expected_head_delay, expected_rear_delay, expected_resubmission_delay
from tests.support.examples import examples

loads = st.floats(1e-6, 0.99)
times = st.floats(1e-3, 1e6)


def erlang_c(places, load):
    offered = places * load
    full = offered**places / math.factorial(places) / (1.0 - load)
    return full / (sum(offered**k / math.factorial(k) for k in range(places)) + full)


@settings(deadline=None, max_examples=examples(240))
@given(st.integers(1, 20), loads, times)
def test_the_wait_after_a_resubmission_is_that_of_erlang(places, load, service):
    found = expected_resubmission_delay(0.0, service_time=service, places=places, load=load)
    right = erlang_c(places, load) * service / (places * (1.0 - load))
    assert float(found) == pytest.approx(right, rel=1e-9)


def test_many_places_neither_overflow_nor_cancel():
    found = expected_resubmission_delay(0.0, service_time=1.0, places=[1, 2000], load=0.99)
    assert found[0] == pytest.approx(99.0)
    assert 0.0 < found[1] < 0.05
    assert expected_head_delay(1.0, places=2000, load=0.01, downtime=1.0) == pytest.approx(0.0)


@settings(deadline=None, max_examples=examples(240))
@given(st.integers(1, 30), loads, times, st.floats(0.0, 1e4))
def test_the_head_waits_no_longer_than_the_repair_nor_than_for_another_end(
    places, load, service, downtime
):
    found = float(expected_head_delay(service, places=places, load=load, downtime=downtime))
    assert found <= downtime * (1.0 + 1e-9)
    if places == 1:
        assert found == pytest.approx(downtime, rel=1e-9)
    else:
        assert found <= service / (places - 1) * (1.0 + 1e-9)


@settings(deadline=None, max_examples=examples(240))
@given(loads, times, st.floats(0.0, 1e4), st.floats(0.0, 10.0))
def test_the_rear_waits_longest(load, service, downtime, scv):
    rear = float(expected_rear_delay(service, load=load, downtime=downtime, scv=scv))
    head = float(expected_head_delay(service, places=1, load=load, downtime=downtime))
    assert rear >= head * (1.0 - 1e-9)
    if scv == 0.0:
        half = expected_rear_delay(service, load=load, downtime=0.0)
        assert expected_rear_delay(service, load=load, downtime=0.0, scv=0.0) == half / 2.0
    scaled = expected_rear_delay(8.0 * service, load=load, downtime=8.0 * downtime, scv=scv)
    assert scaled == 8.0 * rear
