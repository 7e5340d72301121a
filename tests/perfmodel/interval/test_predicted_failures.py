import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import (
    ValidityWarning,
    optimal_interval_young,
    optimal_period_predicted,
    waste_predicted,
)
from tests.support.examples import examples

COSTS = {"mtbf": 1000.0, "checkpoint_cost": 10.0, "proactive_cost": 5.0}
PREDICTOR = {"recall": 0.7, "precision": 0.6}
POINTS = {
    "mtbf": st.floats(10.0, 1e6),
    "checkpoint_cost": st.floats(1e-3, 100.0),
    "proactive_cost": st.floats(0.0, 200.0),
    "recall": st.floats(0.0, 0.99),
    "precision": st.floats(0.05, 1.0),
}

pytestmark = pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")


def test_numbers_worked_out_elsewhere():
    best = optimal_period_predicted(**COSTS, **PREDICTOR)
    assert float(best) == pytest.approx(257.885, abs=5e-4)
    assert float(waste_predicted(best, **COSTS, **PREDICTOR, recovery_cost=10.0)) == pytest.approx(
        0.0932, abs=5e-5
    )
    young = optimal_period_predicted(**COSTS, recall=0.0, precision=1.0)
    assert float(waste_predicted(young, **COSTS, recall=0.0, precision=1.0)) == pytest.approx(
        0.1414, abs=5e-5
    )


def test_without_recall_it_is_youngs_rule_whatever_the_precision():
    found = optimal_period_predicted(**COSTS, recall=0.0, precision=[0.1, 0.9])
    young = optimal_interval_young(mtbf=1000.0, checkpoint_cost=10.0)
    np.testing.assert_allclose(found, young, rtol=1e-15)


@settings(deadline=None, max_examples=examples(320))
@given(st.fixed_dictionaries(POINTS), st.floats(0.05, 20.0))
def test_no_other_period_wastes_less(point, factor):
    best = optimal_period_predicted(**point)
    assert waste_predicted(best, **point) <= waste_predicted(factor * best, **point) * (1.0 + 1e-12)


@settings(deadline=None, max_examples=examples(240))
@given(st.fixed_dictionaries(POINTS), st.floats(1.0, 500.0), st.sampled_from((2.0, 1024.0)))
def test_the_unit_of_time_does_not_matter(point, period, scale):
    scaled = {name: value if name in PREDICTOR else scale * value for name, value in point.items()}
    assert waste_predicted(scale * period, **scaled) == waste_predicted(period, **point)
    assert optimal_period_predicted(**scaled) == pytest.approx(
        scale * float(optimal_period_predicted(**point)), rel=1e-15
    )


@settings(deadline=None, max_examples=examples(240))
@given(st.fixed_dictionaries(POINTS), st.floats(0.0, 1.0))
def test_a_better_predictor_never_wastes_more(point, part):
    def least(**better):
        used = point | better
        return float(waste_predicted(optimal_period_predicted(**used), **used))

    ours = least()
    assert least(recall=point["recall"] * part) >= ours * (1.0 - 1e-12)
    assert least(precision=point["precision"] * (0.1 + 0.9 * part)) >= ours * (1.0 - 1e-12)


def test_a_perfect_recall_needs_no_periodic_checkpoints_unless_predictions_are_not_worth_it():
    assert optimal_period_predicted(**COSTS, recall=1.0, precision=0.6) == np.inf
    dear = COSTS | {"proactive_cost": 100.0}
    assert float(optimal_period_predicted(**dear, recall=1.0, precision=0.6)) == pytest.approx(
        np.sqrt(2e4)
    )


@pytest.mark.filterwarnings("error")
def test_it_warns_beyond_its_range_only():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        waste_predicted(250.0, **COSTS, **PREDICTOR)
        optimal_period_predicted(**COSTS, **PREDICTOR)
    for changes in ({"recall": 0.96}, {"proactive_cost": 21.0}, {"precision": 0.2}):
        with pytest.warns(ValidityWarning, match="disturbances per period"):
            waste_predicted(250.0, **COSTS | PREDICTOR | changes)
        with pytest.warns(ValidityWarning, match="disturbances per best period"):
            optimal_period_predicted(**COSTS | PREDICTOR | changes)
