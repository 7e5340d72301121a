import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import expected_makespan
from perfmodel.site import expected_failures, expected_lost_time, failure_probability
from tests.support.examples import examples

times = st.floats(1e-3, 1e3)
ratios = st.floats(1e-2, 10.0)
JOB = {"interval": 2.0, "mtbf": 8.0, "checkpoint_cost": 0.25}


@settings(deadline=None, max_examples=examples(240))
@given(duration=times, mtbf=times)
def test_the_probability_is_one_and_grows_with_the_duration(duration, mtbf):
    hit = float(failure_probability(duration, mtbf=mtbf))
    assert 0.0 <= hit <= 1.0
    assert hit <= float(failure_probability(2.0 * duration, mtbf=mtbf))
    # Two halves are survived one after the other.
    half = float(failure_probability(duration / 2.0, mtbf=mtbf))
    assert 1.0 - hit == pytest.approx((1.0 - half) ** 2, rel=1e-12, abs=1e-15)


def test_small_probabilities_keep_their_digits():
    with mp.workdps(50):
        for ratio in (1e-18, 1e-9, 1e-3, 1.0, 40.0):
            exact = -mp.expm1(-mp.mpf(ratio))
            assert float(failure_probability(ratio, mtbf=1.0)) == pytest.approx(
                float(exact), rel=1e-15
            )


@settings(deadline=None, max_examples=examples(240))
@given(work=ratios, interval=ratios, mtbf=ratios, cost=st.floats(0.0, 1.0), final=st.booleans())
def test_time_is_work_checkpoints_and_loss(work, interval, mtbf, cost, final):
    job = {"interval": interval, "mtbf": mtbf, "checkpoint_cost": cost, "final_checkpoint": final}
    pieces = np.ceil(work / interval * (1.0 - 1e-12))
    checkpoints = (pieces - (not final)) * cost
    lost = float(expected_lost_time(work, **job))
    assert lost >= 0.0
    whole = float(expected_makespan(work, **job))
    assert whole == pytest.approx(work + checkpoints + lost, rel=1e-9)


def test_nothing_is_lost_where_nothing_fails():
    rare = {**JOB, "mtbf": 1e12}
    assert float(expected_lost_time(4.0, **rare)) == pytest.approx(2 * 2.25**2 / 2e12, rel=1e-9)
    assert float(expected_failures(4.0, **rare)) == pytest.approx(4.5e-12, rel=1e-9)
    assert float(failure_probability(0.0, mtbf=1.0)) == 0.0


@settings(deadline=None, max_examples=examples(120))
@given(scale=st.floats(1e-3, 1e3))
def test_units_do_not_matter(scale):
    scaled = {name: scale * value for name, value in JOB.items()}
    assert float(expected_lost_time(4.0 * scale, **scaled)) == pytest.approx(
        scale * float(expected_lost_time(4.0, **JOB)), rel=1e-12
    )
    assert float(expected_failures(4.0 * scale, **scaled)) == pytest.approx(
        float(expected_failures(4.0, **JOB)), rel=1e-12
    )


def test_arguments_broadcast():
    mtbf = np.array([[1.0], [10.0]])
    assert failure_probability([1.0, 2.0, 3.0], mtbf=mtbf).shape == (2, 3)
    assert expected_failures(4.0, **{**JOB, "mtbf": mtbf}).shape == (2, 1)
    assert expected_lost_time([4.0, 5.0], **{**JOB, "mtbf": mtbf}).shape == (2, 2)


def test_what_never_fails_is_never_struck():
    assert failure_probability(1e300, mtbf=np.inf) == 0.0


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_values_are_refused(bad):
    with pytest.raises(ValueError, match=r"^duration must be "):
        failure_probability(bad, mtbf=1.0)
    if bad != np.inf:
        with pytest.raises(ValueError, match=r"^mtbf must be "):
            failure_probability(1.0, mtbf=bad)
    for formula in (expected_failures, expected_lost_time):
        # An endless interval is none, an endless mtbf no failure.
        for name in JOB if bad != np.inf else ["checkpoint_cost"]:
            with pytest.raises(ValueError, match=rf"^{name} must be "):
                formula(4.0, **{**JOB, name: bad})
        with pytest.raises(ValueError, match=r"^work must be "):
            formula(bad, **JOB)


@pytest.mark.parametrize("reading", [699.0, 700.5, 704.2])
@pytest.mark.parametrize("segment", [1e-300, 1e-3, 0.1, 1.0, 4.0])
def test_failures_are_counted_where_recovery_hardly_ever_succeeds(segment, reading):
    mtbf = 1420.0
    found = expected_failures(
        segment * mtbf,
        interval=segment * mtbf,
        mtbf=mtbf,
        checkpoint_cost=0.0,
        recovery_cost=reading * mtbf,
    )
    with mp.workdps(40):
        count = mp.exp(mp.mpf(reading * mtbf) / mtbf) * mp.expm1(mp.mpf(segment * mtbf) / mtbf)
        assert found == pytest.approx(float(count), rel=1e-11)
