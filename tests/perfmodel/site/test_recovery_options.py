import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import expected_failure_slowdown, expected_manual_wait, recovery_charge
from tests.support.examples import examples

JOB = {"interval": 4.0, "mtbf": 8.0, "checkpoint_cost": 1.0, "downtime": 6.0}


def test_the_example_of_the_paper():
    """Prices 0 to 4 with the allowance of the middle one: C is free, A earns what E costs."""
    found = recovery_charge(3.0, nodes=512, price=[0, 1, 2, 3, 4], allowance=2)
    assert found.tolist() == [-3072.0, -1536.0, 0.0, 1536.0, 3072.0]


@settings(deadline=None, max_examples=examples(200))
@given(st.floats(1e-9, 50.0), st.floats(1.0, 5.0), st.floats(1e-3, 1e6))
def test_the_manual_wait_is_the_mean_of_its_definition(duration, factor, mtbf):
    walltime = duration * factor
    found = float(expected_manual_wait(duration, walltime=walltime, mtbf=mtbf))
    with mpmath.workdps(50):
        t, mu = mpmath.mpf(duration), mpmath.mpf(mtbf)
        mean = mu - t / mpmath.expm1(t / mu)
        # What is subtracted is never lost in what it is subtracted from.
        assert abs(walltime - mean - found) <= 1e-9 * walltime
    assert walltime - duration / 2 <= found * (1 + 1e-9)
    assert found <= walltime


def test_slowdown_of_rare_failures_is_half_an_interval_and_the_repair():
    """One piece, no checkpoint: half of the work is lost on average, and the repair is waited."""
    found = float(
        expected_failure_slowdown(1.0, interval=9.0, mtbf=1e7, checkpoint_cost=0.5, downtime=3.0)
    )
    assert found == pytest.approx(0.5 + 3.0, rel=1e-5)


@settings(deadline=None, max_examples=examples(200))
@given(st.floats(0.1, 20.0), st.floats(0.0, 10.0), st.floats(1e-3, 1e3))
def test_slowdown_grows_with_the_repair_and_has_no_unit(work, more, scale):
    base = float(expected_failure_slowdown(work, **JOB))
    longer = float(expected_failure_slowdown(work, **{**JOB, "downtime": 6.0 + more}))
    assert longer >= base
    scaled = {name: scale * value for name, value in JOB.items()}
    assert float(expected_failure_slowdown(scale * work, **scaled)) == pytest.approx(base, rel=1e-9)


def test_a_repair_of_more_mtbf_than_a_float_holds_gives_inf():
    job = {"interval": 1.0, "mtbf": 1e-15, "checkpoint_cost": 0.0, "downtime": 3e293}
    assert expected_failure_slowdown(1e-23, **job) == np.inf


@pytest.mark.parametrize("checkpoint_cost", [0.0, 1e-10])
def test_segments_beyond_the_largest_float_lose_nothing(checkpoint_cost):
    slowdown = expected_failure_slowdown(
        5e297, interval=1e-11, mtbf=np.inf, checkpoint_cost=checkpoint_cost, downtime=1.0
    )
    # Of the struck: half a segment and the repair, over the time without failures.
    segment = 1e-11 + checkpoint_cost
    assert slowdown == pytest.approx((0.5 * segment + 1.0) / (5e297 / 1e-11 * segment), rel=1e-9)


@pytest.mark.parametrize("load", [1e-12, 5e-9, 0.99e-8, 1.01e-8, 1e-7, 0.3])
def test_the_slowdown_of_a_job_that_is_struck_keeps_its_digits_where_failures_are_rare(load):
    work, downtime, recovery = 2.0, 1000.0, 3.0
    mtbf = work / load
    found = expected_failure_slowdown(
        work,
        interval=work,
        mtbf=mtbf,
        checkpoint_cost=0.0,
        recovery_cost=recovery,
        downtime=downtime,
    )
    with mpmath.workdps(50):
        rate = 1 / mpmath.mpf(mtbf)
        whole = (1 / rate + downtime) * mpmath.exp(rate * recovery) * mpmath.expm1(rate * work)
        known = (whole - work) / work / -mpmath.expm1(-rate * work)
    assert float(found) == pytest.approx(float(known), rel=1e-14)
