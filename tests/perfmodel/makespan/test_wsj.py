import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import expected_makespan, makespan_variance, wsj_mean, wsj_variance
from perfmodel.lifetimes import Exponential, Gamma, LogNormal
from tests.support.examples import examples
from tests.support.strategies import in_other_units, scales, tasks

FUNCTIONS = [wsj_mean, wsj_variance]


def test_values_computed_apart_from_this_code():
    # 1/lambda = 64, exponential repair of 2, gamma = 4, w = 128; simulated: 136.07 and 44.19.
    task = {"mtbf": 64.0, "downtime": Exponential(2.0), "interval": 4.0}
    np.testing.assert_allclose(wsj_mean(128.0, **task), 136.09, atol=5e-3)
    np.testing.assert_allclose(wsj_variance(128.0, **task), 44.44, atol=5e-3)


@pytest.mark.parametrize(
    ("mtbf", "interval", "model", "physical"),
    [(8.0, 8.0, (207.8, 20.7), (277.0, 46.1)), (16.0, 4.0, (167.9, 9.6), (177.4, 13.2))],
)
def test_what_ignoring_failed_rework_costs(mtbf, interval, model, physical):
    # Mean and standard deviation for alpha = 0.5, exponential repair of 1,
    # w = 128; the paper's model, and the physical process with repairs that may be hit again.
    task = {"mtbf": mtbf, "interval": interval, "checkpoint_cost": 0.5}
    repair = Exponential(1.0)
    found = wsj_mean(128.0, downtime=repair, **task), wsj_variance(128.0, downtime=repair, **task)
    assert (float(found[0]), float(found[1]) ** 0.5) == pytest.approx(model, abs=0.05)
    up = 1.0 - 1.0 / mtbf
    busy_mean, busy_second = 1.0 / up, 2.0 / up**3
    hit = Gamma.from_mean(busy_mean, cv=(busy_second / busy_mean**2 - 1.0) ** 0.5)
    true = (
        float(expected_makespan(128.0, downtime=hit, **task)),
        float(makespan_variance(128.0, downtime=hit, **task)) ** 0.5,
    )
    assert true == pytest.approx(physical, abs=0.06)


def test_at_the_papers_defaults_the_difference_is_harmless():
    task = {"mtbf": 512.0, "interval": 2.0, "checkpoint_cost": 0.2, "downtime": 2.0}
    assert float(wsj_mean(128.0, **task)) == pytest.approx(141.55, abs=5e-3)
    assert float(expected_makespan(128.0, **task)) == pytest.approx(141.65, abs=0.01)


@given(arguments=tasks)
@settings(deadline=None, max_examples=examples(100))
def test_tends_to_the_failure_free_time(arguments):
    arguments = {**arguments, "mtbf": 1e15}
    work, cost = arguments["work"], arguments["checkpoint_cost"]
    free = work * (1.0 + cost / arguments["interval"])
    np.testing.assert_allclose(wsj_mean(**arguments), free, rtol=1e-12)
    assert float(wsj_variance(**arguments)) < 1e-6 * free**2


@given(arguments=tasks, factor=st.floats(1.0, 2.0))
@settings(deadline=None, max_examples=examples(100))
def test_grows_with_costs_and_failure_rate_and_is_proportional_to_work(arguments, factor):
    for function in FUNCTIONS:
        base = float(function(**arguments))
        # Not so the variance: long rework is cut short by more frequent failures.
        if function is wsj_mean:
            assert float(function(**{**arguments, "mtbf": 1.0 / factor})) >= base * (1 - 1e-13)
        more = {**arguments, "downtime": arguments["downtime"] * factor}
        assert float(function(**more)) >= base * (1 - 1e-13)
        longer = {**arguments, "work": arguments["work"] * factor}
        np.testing.assert_allclose(function(**longer), base * factor, rtol=1e-13)


@given(arguments=tasks, scale=scales)
@settings(deadline=None, max_examples=examples(100))
def test_is_homogeneous_in_time(arguments, scale):
    scaled = in_other_units(arguments, scale)
    for function, power in zip(FUNCTIONS, (1, 2), strict=True):
        np.testing.assert_allclose(
            function(**scaled), function(**arguments) * scale**power, rtol=1e-11
        )


def test_without_checkpoints_the_slowdown_saturates():
    # At most one more work, where the physical mean is exponential.
    task = {"mtbf": 1.0, "downtime": 0.0}
    np.testing.assert_allclose(wsj_mean(5.0, interval=1e300, **task), 10.0, rtol=1e-14)
    np.testing.assert_allclose(wsj_variance(5.0, interval=1e9, **task), 10.0, rtol=1e-14)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_downtimes_that_fill_all_time_give_inf(function):
    found = function(1.0, mtbf=2.0, downtime=[1.9, 2.0, 2.1, 1e300], interval=1.0)
    assert np.isfinite(found[0])
    assert (found[1:] == np.inf).all()


def test_a_variance_that_overflows_is_inf_without_a_downtime_too():
    task = {"mtbf": 1e-104, "interval": 1.0, "recovery_cost": 2.5e256}
    assert wsj_variance(1.0, downtime=0.0, **task) == np.inf


def test_a_downtime_without_a_finite_variance_gives_inf():
    wide = LogNormal(-500.0, 30.0)
    assert wide.mean < 1.0
    assert wide.variance == np.inf
    assert np.isfinite(wsj_mean(1.0, mtbf=2.0, downtime=wide, interval=1.0))
    assert wsj_variance(1.0, mtbf=2.0, downtime=wide, interval=1.0) == np.inf
    hopeless = LogNormal(0.0, 50.0)
    for function in FUNCTIONS:
        assert function(1.0, mtbf=1.0, downtime=hopeless, interval=1.0) == np.inf


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_broadcast(function):
    found = function(
        [1.0, 2.0], mtbf=[[3.0], [4.0], [5.0]], downtime=Exponential(0.5), interval=1.0
    )
    assert found.shape == (3, 2)
    one = function(2.0, mtbf=4.0, downtime=Exponential(0.5), interval=1.0)
    assert isinstance(one, float)
    assert one.shape == ()
    assert one == found[1, 1]


OWN = {"mtbf": 20.0, "downtime": Exponential(2.0), "interval": np.inf}


def test_a_recovery_cost_of_ones_own_is_in_equations_3_and_4():
    # By hand: busy periods of mean 20/9 and second moment 8/0.729; 5 failures on average.
    cost = Gamma(0.5, 6.0)
    busy, square = 2.0 / 0.9, 8.0 / 0.9**3
    mean = 100.0 + 5.0 * (busy + 3.0)
    assert wsj_mean(100.0, recovery_cost=cost, **OWN) == pytest.approx(mean)
    variance = 5.0 * (square + 9.0 + 18.0 + 2.0 * busy * 3.0)
    assert wsj_variance(100.0, recovery_cost=cost, **OWN) == pytest.approx(variance)
    # Checkpoints cost what they did; the rework that they bound is part of the recovery cost.
    stored = {**OWN, "interval": 4.0, "checkpoint_cost": 0.5}
    assert wsj_mean(100.0, recovery_cost=cost, **stored) == pytest.approx(mean + 12.5)


def test_recovery_costs_broadcast_and_may_have_no_variance():
    found = wsj_mean(100.0, recovery_cost=[0.0, 3.0], **OWN)
    assert np.diff(found) == pytest.approx(15.0)
    wild = LogNormal(-500.0, 30.0)
    assert np.isfinite(wsj_mean(100.0, recovery_cost=wild, **OWN))
    assert wsj_variance(100.0, recovery_cost=wild, **OWN) == np.inf
    with pytest.raises(ValueError, match="recovery_cost must be finite and >= 0"):
        wsj_mean(100.0, recovery_cost=-1.0, **OWN)
