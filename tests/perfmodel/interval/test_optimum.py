import warnings

import numpy as np
import pytest
from hypothesis import given, settings

from perfmodel import (
    ValidityWarning,
    best_segments,
    expected_makespan,
    optimal_interval,
    optimal_interval_closed_form,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_wsj,
    optimal_interval_young,
    regret,
)
from perfmodel.interval.rules import (
    CLOSED_FORM_RANGE,
    DALY_FIRST_ORDER_RANGE,
    DALY_RANGE,
    YOUNG_RANGE,
)
from tests.support.examples import examples
from tests.support.strategies import log_uniform, mtbfs, ratios, scales

RULES = [
    optimal_interval,
    optimal_interval_young,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_closed_form,
    optimal_interval_wsj,
]
ALWAYS = pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")


@given(mtbf=mtbfs, ratio=ratios)
@settings(deadline=None, max_examples=examples(200))
def test_optimal_interval_solves_its_equation(mtbf, ratio):
    # (1 - x) e^(x + C/mu) = 1 in logarithms, with a residue in ulp of what enters.
    x = float(optimal_interval(mtbf=mtbf, checkpoint_cost=ratio * mtbf)) / mtbf
    if 1e-4 < x < 1 - 1e-4:
        assert np.log1p(-x) + x + ratio == pytest.approx(0.0, abs=1e-14 * (x + ratio / (1 - x)))
    else:
        assert 0.0 < x <= 1.0


def test_values_of_daly_and_values_computed_apart_from_this_code():
    # In minutes, of which Daly prints 117, 57 and 9.1.
    minutes = {"mtbf": np.array([24.0, 6.0, 0.25]) * 60.0, "checkpoint_cost": 5.0}
    np.testing.assert_allclose(optimal_interval_daly(**minutes), [116.69, 56.71, 9.141], atol=5e-3)
    np.testing.assert_allclose(optimal_interval(**minutes)[2], 9.167, atol=5e-4)
    np.testing.assert_allclose(optimal_interval_daly(**minutes), [117.0, 57.0, 9.1], atol=0.5)
    vector = {"mtbf": 10.0, "checkpoint_cost": 0.3}
    np.testing.assert_allclose(optimal_interval(**vector), 2.253707, atol=5e-7)
    np.testing.assert_allclose(optimal_interval_daly(**vector), 2.253572, atol=5e-7)
    np.testing.assert_allclose(optimal_interval_young(**vector), 2.449490, atol=5e-7)
    np.testing.assert_allclose(100.0 / optimal_interval(**vector), 44.371, atol=5e-4)
    assert best_segments(100.0, **vector) == 44.0


def test_published_values_of_wsj():
    found = optimal_interval_wsj(mtbf=1.0, checkpoint_cost=[0.01, 0.1, 0.5])
    np.testing.assert_allclose(found, [0.1449646676, 0.4883901611, 1.3032535474], rtol=1e-9)
    defaults = {"mtbf": 512.0, "checkpoint_cost": 0.2}
    np.testing.assert_allclose(optimal_interval_wsj(**defaults), 14.378, atol=5e-4)
    np.testing.assert_allclose(optimal_interval_young(**defaults), 14.311, atol=5e-4)
    np.testing.assert_allclose(optimal_interval(**defaults), 14.178, atol=5e-4)


@given(mtbf=mtbfs, ratio=log_uniform(1e-12, 0.6))
@settings(deadline=None, max_examples=examples(100))
@ALWAYS
def test_the_rules_are_ordered(mtbf, ratio):
    costs = {"mtbf": mtbf, "checkpoint_cost": ratio * mtbf}
    closed, exact, young, wsj = (
        float(rule(**costs))
        for rule in (
            optimal_interval_closed_form,
            optimal_interval,
            optimal_interval_young,
            optimal_interval_wsj,
        )
    )
    assert closed <= exact < young < wsj


@pytest.mark.parametrize("rule", RULES[1:])
def test_the_rules_meet_when_checkpoints_are_cheap(rule):
    # All but Young's first term agree to O(sqrt(C/mtbf)).
    costs = np.array([1e-6, 1e-10, 1e-14])
    gap = np.abs(
        rule(mtbf=1.0, checkpoint_cost=costs) / optimal_interval(mtbf=1.0, checkpoint_cost=costs)
        - 1.0
    )
    assert (gap <= np.sqrt(costs)).all()


@pytest.mark.few(2)
@pytest.mark.parametrize("rule", RULES)
@given(scale=scales, ratio=log_uniform(1e-10, 0.6))
@settings(deadline=None, max_examples=examples(240))
@ALWAYS
def test_is_homogeneous_in_time(rule, scale, ratio):
    base = rule(mtbf=1.0, checkpoint_cost=ratio)
    scaled = rule(mtbf=scale, checkpoint_cost=ratio * scale)
    np.testing.assert_allclose(scaled, scale * base, rtol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_a_free_checkpoint_gives_no_interval(rule):
    found = rule(mtbf=[1e-12, 1.0, 1e12], checkpoint_cost=0.0)
    np.testing.assert_array_equal(found, [0.0, 0.0, 0.0])


@pytest.mark.parametrize("rule", RULES)
@ALWAYS
def test_arguments_broadcast(rule):
    found = rule(mtbf=[[1.0], [2.0]], checkpoint_cost=[0.01, 0.1, 0.2])
    assert found.shape == (2, 3)
    assert found.dtype == np.float64
    one = rule(mtbf=2.0, checkpoint_cost=0.1)
    assert isinstance(one, float)
    assert one.shape == ()
    assert one == found[1, 1]


def test_optimal_interval_at_the_ends():
    np.testing.assert_array_equal(optimal_interval(mtbf=3.0, checkpoint_cost=3e3), 3.0)
    np.testing.assert_array_equal(optimal_interval(mtbf=1e-300, checkpoint_cost=1e300), 1e-300)
    np.testing.assert_allclose(
        optimal_interval(mtbf=1e300, checkpoint_cost=1e-300), np.sqrt(2.0), rtol=1e-15
    )


@pytest.mark.parametrize(
    ("rule", "stated"), [(optimal_interval_young, YOUNG_RANGE), (optimal_interval_daly, DALY_RANGE)]
)
def test_stated_error_is_the_measured_one(rule, stated):
    costs = {"mtbf": 1.0, "checkpoint_cost": stated.limit * np.logspace(-8, 0, 4001)}
    worst = np.abs(rule(**costs) / optimal_interval(**costs) - 1.0).max()
    assert 0.95 * stated.error < worst <= stated.error


def test_stated_error_of_dalys_first_order_rule_is_the_measured_one():
    stated = DALY_FIRST_ORDER_RANGE
    total = stated.limit * np.logspace(-8, 0, 401)[:, None]
    share = np.linspace(1e-3, 1.0, 400)
    costs = {"mtbf": 1.0, "checkpoint_cost": share * total}
    found = optimal_interval_daly_first_order(recovery_cost=(1.0 - share) * total, **costs)
    worst = np.abs(found / optimal_interval(**costs) - 1.0).max()
    assert 0.95 * stated.error < worst <= stated.error


def test_stated_regret_of_the_closed_form_is_the_measured_one():
    stated = CLOSED_FORM_RANGE
    costs = {"mtbf": 1.0, "checkpoint_cost": stated.limit * np.logspace(-8, 0, 4001)}
    worst = regret(optimal_interval_closed_form(**costs), **costs).max()
    assert 0.95 * stated.error < worst <= stated.error


@ALWAYS
def test_the_closed_form_is_never_off_by_more_than_its_notes_say():
    costs = {"mtbf": 1.0, "checkpoint_cost": np.logspace(-8, 8, 20001)}
    found = optimal_interval_closed_form(**costs)
    longer = regret(found, **costs)
    assert 0.00859 < longer.max() < 0.0086
    assert costs["checkpoint_cost"][longer.argmax()] == pytest.approx(1.52, abs=5e-3)
    short = 1.0 - found / optimal_interval(**costs)
    assert short.min() > -1e-12
    assert 0.131 < short.max() < 0.132


@ALWAYS
def test_the_closed_form_at_the_ends():
    ends = {
        "mtbf": [1e-300, 1e300, 5e-324, 1e308],
        "checkpoint_cost": [1e300, 1e-300, 1e308, 1e-320],
    }
    root = np.sqrt(2.0) * np.sqrt(1e308) * np.sqrt(1e-320)
    np.testing.assert_allclose(
        optimal_interval_closed_form(**ends), [1e-300, np.sqrt(2.0), 5e-324, root], rtol=1e-12
    )


def test_daly_is_never_off_by_more_than_its_notes_say():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        costs = {"mtbf": 1.0, "checkpoint_cost": np.logspace(-8, 4, 20001)}
        worst = np.abs(optimal_interval_daly(**costs) / optimal_interval(**costs) - 1.0).max()
    assert 0.061 < worst < 0.062


@pytest.mark.parametrize(
    ("rule", "cost", "message"),
    [
        (
            optimal_interval_young,
            0.06,
            r"^checkpoint_cost/mtbf = 0\.06 is beyond 0\.05, up to which ",
        ),
        (
            optimal_interval_daly,
            0.51,
            r"^checkpoint_cost/mtbf = 0\.51 is beyond 0\.5, up to which ",
        ),
        (
            optimal_interval_daly_first_order,
            0.2,
            r"^\(checkpoint_cost \+ recovery_cost\)/mtbf = 0\.2 is beyond 0\.1, up to which ",
        ),
        (
            optimal_interval_closed_form,
            2.1,
            r"^checkpoint_cost/mtbf = 2\.1 is beyond 2, up to which ",
        ),
    ],
)
def test_a_rule_speaks_beyond_its_range(rule, cost, message):
    with pytest.warns(ValidityWarning, match=message + f"{rule.__name__} is within") as caught:
        rule(mtbf=1.0, checkpoint_cost=[0.01, cost])
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("cost", [0.6477, 0.9, 1.02, 50.0])
def test_wsj_never_checkpoints_and_says_that_this_is_no_advice(cost):
    with pytest.warns(ValidityWarning, match="artefact of that model, .* not advice") as caught:
        found = optimal_interval_wsj(mtbf=10.0, checkpoint_cost=[1.0, 10.0 * cost])
    assert np.isfinite(found[0])
    assert found[1] == np.inf
    assert caught[0].filename == __file__


def test_wsj_just_inside_its_limit_is_finite_and_silent():
    np.testing.assert_allclose(
        optimal_interval_wsj(mtbf=1.0, checkpoint_cost=0.64761), 1.59362, atol=1e-4
    )


@given(work=log_uniform(1e-2, 1e3), cost=log_uniform(1e-3, 3.0))
@settings(deadline=None, max_examples=examples(100))
def test_no_other_number_of_segments_is_better(work, cost):
    costs = {"mtbf": 1.0, "checkpoint_cost": cost}
    best = best_segments(work, **costs)
    assert best >= 1.0
    assert best == np.floor(best)
    counts = np.maximum(best + np.arange(-3, 4), 1.0)
    means = expected_makespan(work, interval=work / counts, **costs)
    assert expected_makespan(work, interval=work / best, **costs) <= means.min() * (1 + 1e-13)


def test_best_segments_at_the_ends():
    assert best_segments(1.0, mtbf=1.0, checkpoint_cost=0.0) == np.inf
    free = {"checkpoint_cost": [0.0, 0.1], "final_checkpoint": False}
    found = best_segments(1.0, mtbf=1.0, **free)
    assert found[0] == np.inf
    assert found[1] == best_segments(1.0, mtbf=1.0, checkpoint_cost=0.1, final_checkpoint=False)
    assert best_segments(1e-9, mtbf=1.0, checkpoint_cost=1.0) == 1.0
    assert best_segments(1e300, mtbf=1e-300, checkpoint_cost=1.0) == np.inf
    assert best_segments([1.0, 100.0], mtbf=1.0, checkpoint_cost=[[0.1], [1.0], [900.0]]).shape == (
        3,
        2,
    )
