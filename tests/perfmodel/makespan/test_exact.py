import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import efficiency, expected_makespan, makespan_variance, waste
from perfmodel.lifetimes import Deterministic, Exponential, LogNormal
from tests.support.examples import examples
from tests.support.strategies import in_other_units, jobs, scales

FUNCTIONS = [expected_makespan, makespan_variance, efficiency, waste]

# Computed apart from this code; a simulation apart from it gave a mean of 143.623, and 146.08.
VECTOR = {
    "work": 100.0,
    "interval": 100.0 / 30.0,
    "mtbf": 10.0,
    "checkpoint_cost": 0.3,
    "recovery_cost": 0.4,
    "downtime": 0.5,
}


def test_mean_and_variance_of_the_test_vector():
    assert float(expected_makespan(**VECTOR)) == pytest.approx(143.63842, rel=1e-6)
    assert float(makespan_variance(**VECTOR)) == pytest.approx(145.92423, rel=1e-6)


@pytest.mark.parametrize(
    ("mtbf", "published"), [(24.0, 547.9), (6.0, 610.2), (0.25, 2504.2)], ids="{}h".format
)
def test_minimum_wall_time_is_that_of_dalys_captions(mtbf, published):
    # Figs 3 to 5: 500 h of work, C = 5 min, R = 10 min; 117, 57 and 9.1 min between checkpoints.
    # They count segments as a real number, so compare the wall time per segment.
    interval = {24.0: 116.69, 6.0: 56.714, 0.25: 9.1665}[mtbf] / 60.0
    segment = expected_makespan(
        interval, interval=interval, mtbf=mtbf, checkpoint_cost=5 / 60, recovery_cost=10 / 60
    )
    assert float(segment) * 500.0 / interval == pytest.approx(published, abs=0.05)


@pytest.mark.parametrize("segments", [3, 7, 30, 49, 1000, 12345, 10**6])
@pytest.mark.parametrize("wobble", [-4e-16, 0.0, 4e-16])
def test_rounding_of_work_over_interval_makes_no_extra_segment(segments, wobble):
    found = expected_makespan(
        100.0, interval=100.0 / segments * (1.0 + wobble), mtbf=1e9, checkpoint_cost=1.0
    )
    segment = expected_makespan(100.0 / segments, interval=100.0, mtbf=1e9, checkpoint_cost=1.0)
    np.testing.assert_allclose(found, segments * segment, rtol=1e-11)


@pytest.mark.parametrize("function", [expected_makespan, makespan_variance])
@pytest.mark.parametrize("final_checkpoint", [True, False])
def test_a_shorter_last_segment_is_a_job_of_its_own(function, final_checkpoint):
    costs = {k: VECTOR[k] for k in ("mtbf", "checkpoint_cost", "recovery_cost", "downtime")}
    whole = function(9.0, interval=3.0, **costs)
    rest = function(1.0, interval=3.0, final_checkpoint=final_checkpoint, **costs)
    both = function(10.0, interval=3.0, final_checkpoint=final_checkpoint, **costs)
    np.testing.assert_allclose(both, whole + rest, rtol=1e-14)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_without_the_final_checkpoint_the_last_segment_costs_nothing_to_save(function):
    costs = {"mtbf": 5.0, "recovery_cost": 0.7, "downtime": 0.2}
    unsaved = function(4.0, interval=4.0, checkpoint_cost=2.0, final_checkpoint=False, **costs)
    np.testing.assert_array_equal(
        unsaved, function(4.0, interval=4.0, checkpoint_cost=0.0, **costs)
    )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_interval_beyond_the_work_is_one_segment(function):
    costs = {"mtbf": 5.0, "checkpoint_cost": 2.0, "recovery_cost": 0.7, "downtime": 0.2}
    at_work, beyond, far = function(4.0, interval=[4.0, 4.1, 1e300], **costs)
    assert at_work == beyond == far


@given(arguments=jobs)
@settings(deadline=None, max_examples=examples(100))
def test_tends_to_the_failure_free_time(arguments):
    arguments = {**arguments, "mtbf": 1e15}
    work, cost = arguments["work"], arguments["checkpoint_cost"]
    checkpoints = np.ceil(work / arguments["interval"] * (1 - 1e-12))
    free = work + cost * (checkpoints - (not arguments["final_checkpoint"]))
    np.testing.assert_allclose(expected_makespan(**arguments), free, rtol=1e-11)
    np.testing.assert_allclose(efficiency(**arguments), work / free, rtol=1e-11)
    assert float(makespan_variance(**arguments)) < 1e-6 * free**2


@given(arguments=jobs)
@settings(deadline=None, max_examples=examples(100))
def test_is_at_least_the_failure_free_time(arguments):
    work, cost = arguments["work"], arguments["checkpoint_cost"]
    checkpoints = np.ceil(work / arguments["interval"] * (1 - 1e-12))
    free = work + cost * (checkpoints - (not arguments["final_checkpoint"]))
    assert float(expected_makespan(**arguments)) >= free * (1 - 1e-14)


@given(
    arguments=jobs,
    name=st.sampled_from(["work", "checkpoint_cost", "recovery_cost", "downtime"]),
    factor=st.floats(1.0, 3.0),
)
@settings(deadline=None, max_examples=examples(200))
def test_grows_with_work_costs_and_failure_rate(arguments, name, factor):
    more = {**arguments, name: arguments[name] * factor}
    harsher = {**arguments, "mtbf": arguments["mtbf"] / factor}
    for function in (expected_makespan, makespan_variance):
        least = float(function(**arguments)) * (1 - 1e-13)
        assert float(function(**more)) >= least
        assert float(function(**harsher)) >= least


@given(arguments=jobs, scale=scales)
@settings(deadline=None, max_examples=examples(200))
def test_is_homogeneous_in_time(arguments, scale):
    scaled = in_other_units(arguments, scale)
    for function, power in zip(FUNCTIONS, (1, 2, 0, 0), strict=True):
        np.testing.assert_allclose(
            function(**scaled), function(**arguments) * scale**power, rtol=1e-11
        )


@given(arguments=jobs)
@settings(deadline=None, max_examples=examples(100))
def test_efficiency_and_waste_agree_with_the_mean(arguments):
    mean = expected_makespan(**arguments)
    np.testing.assert_allclose(efficiency(**arguments), arguments["work"] / mean, rtol=1e-12)
    np.testing.assert_allclose(waste(**arguments) + efficiency(**arguments), 1.0, rtol=1e-15)


def test_a_law_of_downtimes_enters_by_mean_and_variance():
    costs = {k: v for k, v in VECTOR.items() if k != "downtime"}
    for law in (Exponential(0.5), LogNormal(-1.0, 1.0)):
        fixed = {**costs, "downtime": law.mean}
        assert expected_makespan(downtime=law, **costs) == expected_makespan(**fixed)
        assert makespan_variance(downtime=law, **costs) > makespan_variance(**fixed)
    point = {**costs, "downtime": Deterministic(0.5)}
    assert makespan_variance(**point) == makespan_variance(**VECTOR)


def test_the_variance_of_a_downtime_counts_once_per_failure():
    # No recovery: each failure brings one downtime, and expm1((w + C)/mtbf) failures a segment.
    costs = {"interval": 2.0, "mtbf": 4.0, "checkpoint_cost": 0.5}
    law = Exponential(3.0)
    extra = makespan_variance(6.0, downtime=law, **costs) - makespan_variance(
        6.0, downtime=3.0, **costs
    )
    np.testing.assert_allclose(extra, 3 * np.expm1(2.5 / 4.0) * 9.0, rtol=1e-13)


def test_a_downtime_without_variance_or_mean_gives_inf_and_never_nan():
    heavy = LogNormal(0.0, 30.0)  # the moments overflow
    arguments = {"interval": 2.0, "mtbf": 4.0, "checkpoint_cost": 0.5, "downtime": heavy}
    for recovery_cost in (0.0, 1.0):
        assert makespan_variance(6.0, recovery_cost=recovery_cost, **arguments) == np.inf


@pytest.mark.parametrize(
    "arguments",
    [
        {"work": 1.0, "interval": 1e300, "mtbf": 1e-3},
        {"work": 1e308, "interval": 1e-300, "mtbf": 1e-3},
        {"work": 1e308, "interval": 1e308, "mtbf": 1e-300},
        {"work": 1.0, "interval": 1.0, "mtbf": 1.0, "recovery_cost": 1e300},
        {"work": 1.0, "interval": 1.0, "mtbf": 1.0, "checkpoint_cost": 1e300},
    ],
)
def test_overflow_is_an_infinite_makespan(arguments):
    arguments = {"checkpoint_cost": 0.1, **arguments}
    assert expected_makespan(**arguments) == np.inf
    assert makespan_variance(**arguments) == np.inf
    assert efficiency(**arguments) == 0.0
    assert waste(**arguments) == 1.0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_broadcast(function):
    found = function(
        np.array([1.0, 10.0]),
        interval=np.array([[0.5], [2.0], [20.0]]),
        mtbf=3.0,
        checkpoint_cost=0.1,
        recovery_cost=0.2,
        downtime=Exponential(0.3),
    )
    assert found.shape == (3, 2)
    assert found.dtype == np.float64
    one = function(
        10.0,
        interval=2.0,
        mtbf=3.0,
        checkpoint_cost=0.1,
        recovery_cost=0.2,
        downtime=Exponential(0.3),
    )
    assert np.shape(one) == ()
    assert one.shape == ()
    assert one == found[1, 1]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_flag_must_be_a_flag(function):
    with pytest.raises(TypeError, match=r"^final_checkpoint must be True or False, got 'no'$"):
        function(1.0, interval=1.0, mtbf=1.0, checkpoint_cost=0.0, final_checkpoint="no")
