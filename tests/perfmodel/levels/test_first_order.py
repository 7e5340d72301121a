import pytest

from perfmodel import Level, ValidityWarning, optimal_interval_young, optimal_pattern_levels
from perfmodel.levels import optimal_pattern_levels_first_order as first_order

RATES = (7.78e-6, 5.19e-7, 3e-8)
LEVELS = [
    Level(9.0, 9.0, RATES[0] / sum(RATES)),
    Level(50.0, 50.0, (RATES[0] + RATES[1]) / sum(RATES)),
    Level(438.0, 438.0, 1.0),
]


def test_one_level_is_youngs_interval():
    found = first_order([Level(5.0, 5.0, 1.0)], mtbf=1e4)
    assert found.counts == ()
    assert found.interval == pytest.approx(
        float(optimal_interval_young(mtbf=1e4, checkpoint_cost=5.0))
    )


def test_three_levels_are_near_the_best_pattern():
    job = {"mtbf": 1 / sum(RATES), "downtime": 60.0}
    found, best = first_order(LEVELS, **job), optimal_pattern_levels(LEVELS, **job)
    assert found.counts[0] == pytest.approx(best.counts[0], abs=1)
    assert found.counts[1] == pytest.approx(best.counts[1], abs=1)
    assert 0.0 <= best.efficiency / found.efficiency - 1.0 < 1e-4


def test_a_level_that_does_not_pay_is_left_out():
    dear = [LEVELS[0], Level(430.0, 50.0, LEVELS[1].survives), LEVELS[2]]
    assert first_order(dear, mtbf=1 / sum(RATES)).counts[1] == 0
    useless = [LEVELS[0], Level(50.0, 50.0, LEVELS[0].survives), LEVELS[2]]
    assert first_order(useless, mtbf=1 / sum(RATES)).counts[1] == 0
    nothing = [Level(9.0, 9.0, 0.0), LEVELS[2]]
    assert first_order(nothing, mtbf=1 / sum(RATES)).counts == (0,)


def test_beyond_its_range_it_warns():
    with pytest.warns(ValidityWarning, match="up to which optimal_pattern_levels_first_order"):
        first_order([Level(1.0, 5.0, 1.0)], mtbf=400.0)
