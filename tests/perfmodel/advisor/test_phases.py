"""One rate or two, learnt from the failures."""

import math

import numpy as np
import pytest

from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.belief import Belief
from perfmodel.advisor.phases import Phases

HOUR = 3600.0
BELIEF = Belief.of(Prior(2.0, 48.0 * HOUR))


def phases():
    return Phases.of((BELIEF, BELIEF, BELIEF))


def test_each_rate_is_learnt_as_a_belief_of_its_own():
    one = early = late = BELIEF
    both = phases()
    rng = np.random.default_rng(3)
    for step in range(300):
        time, struck, failed = rng.exponential(2.0 * HOUR), step % 3 == 0, step % 8 == 0
        both = both.after(time, struck, failed=failed)
        one = one.after_silence(time)
        two = (early if struck else late).after_silence(time)
        if failed:
            one, two = one.after_failure(), two.after_failure()
        early, late = (two, late) if struck else (early, two)
    for found, exact, rate in zip(both.beliefs, (one, early, late), both.rates, strict=True):
        assert rate == pytest.approx(found.rate, rel=1e-9)
        # The share that spreads in silence is that of the one rate for both, and it spreads after
        # a failure, not before: twice a few thousandths of the belief.
        assert found.rate == pytest.approx(exact.rate, rel=0.03)
    two = 1.0 / (1.0 + math.exp(-both.odds))
    mixed = (1.0 - two) * both.rates[0] + two * both.rates[1]
    assert both.rate(True) == pytest.approx(mixed, rel=1e-12)
    assert both.now(True).rate == pytest.approx(mixed, rel=1e-9)


def test_the_odds_are_those_of_what_was_seen():
    time, rates = 5.0 * HOUR, 1.0 / np.array([1.0, 50.0]) / HOUR
    seen = phases().after(time, True).after(0.0, True, failed=True)
    # As long as nothing was seen apart, both say the same.
    assert seen.odds == pytest.approx(0.0, abs=1e-12)
    for _ in range(12):
        seen = seen.after(0.5 * HOUR, True, failed=True)
        for _ in range(30):
            seen = seen.after(2.0 * HOUR, False)
        seen = seen.after(0.0, False, failed=True)
    assert seen.odds > 3.0
    assert seen.rate(True) > 0.5 * rates[0]
    assert seen.rate(False) < 3.0 * rates[1]


@pytest.mark.parametrize("seed", range(3))
def test_failures_without_bursts_speak_for_one_rate(seed):
    rng, both, struck = np.random.default_rng(seed), phases(), False
    for _ in range(150):
        # A checkpoint three hours after each failure.
        left = rng.exponential(24.0 * HOUR)
        if left > 3.0 * HOUR:
            both, left, struck = both.after(3.0 * HOUR, True), left - 3.0 * HOUR, False
        both = both.after(left, struck, failed=True)
        struck = True
    assert both.odds < 1.0
    assert both.rate(True) < 3.0 * both.rate(False)


def test_long_silence_and_many_failures_leave_numbers():
    both = phases()
    for time in (1e12, 0.0, 1e3):
        for _ in range(400):
            both = both.after(time, time == 0.0, failed=time == 0.0)
            assert np.isfinite(both.weights).all()
            assert 0.0 < both.rate(False) < 1.0
    both.check()


def test_it_is_learnt_by_default_and_not_where_one_rate_is_asked_for():
    one = CheckpointAdvisor(cost=60.0)
    assert isinstance(one.memory.belief, Phases)
    for settings in ({"two_phases": False}, {"two_phases": True}, {"share": 0.5}, {"shape": 0.7}):
        one = CheckpointAdvisor(cost=60.0, **settings)
        assert isinstance(one.memory.belief, Belief)
        assert (one.memory.early is None) == (settings.get("two_phases") is not True)


@pytest.mark.parametrize(
    ("name", "value"), [("sums", [1.0, 2.0, 1.0]), ("rates", [1.0] * 3), ("odds", 99.0)]
)
def test_what_contradicts_itself_is_refused(name, value):
    known = phases()
    changed = {"weights": known.weights, "sums": known.sums, "rates": known.rates, name: value}
    with pytest.raises(ValueError, match=f"{name} must be"):
        Phases(**changed).check()
