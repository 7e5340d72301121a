"""Levels that make no machine are refused, and the message says why."""

import pytest

from perfmodel import optimal_interval, optimal_pattern_levels
from perfmodel.levels.many import Level, checked_for_a_pattern, checked_levels

LOCAL = Level(cost=1.0, recovery=1.0, survives=0.5)
GLOBAL = Level(cost=5.0, recovery=5.0, survives=1.0)
MACHINE = {"mtbf": 100.0, "downtime": 1.0, "rule": "escalate"}


@pytest.mark.parametrize(
    ("levels", "kind", "error"),
    [
        ([], ValueError, "levels must be one or more, got none"),
        ([LOCAL, 3.0], TypeError, r"levels must be of class Level, got 3\.0"),
        ([GLOBAL, LOCAL], ValueError, r"sorted by the share that they survive, got \[1\.0, 0\.5\]"),
        ([LOCAL], ValueError, r"one that survives all failures, got survives=0\.5"),
    ],
)
def test_levels_that_make_no_machine(levels, kind, error):
    with pytest.raises(kind, match=error):
        checked_levels(levels, **MACHINE)


def test_a_rule_that_is_not_there():
    with pytest.raises(ValueError, match=r"rule must be one of .*, got 'nobody'"):
        checked_levels([GLOBAL], **MACHINE | {"rule": "nobody"})


def test_each_level_answers_for_the_failures_that_the_one_before_does_not_survive():
    machine = checked_levels([LOCAL, GLOBAL], **MACHINE)
    assert (machine.kinds, machine.rate, machine.downtime) == ((0.5, 0.5), 0.01, 1.0)


@pytest.mark.parametrize(
    ("levels", "error"),
    [
        ([GLOBAL, GLOBAL], "must end with one that alone survives some failures"),
        ([Level(cost=1e-7, recovery=1.0, survives=1.0)], "cost/mtbf of a level must be from 1e-08"),
        ([Level(cost=2e4, recovery=1.0, survives=1.0)], "cost/mtbf of a level .*, got 200"),
        ([Level(cost=1.0, recovery=2e4, survives=1.0)], "recovery/mtbf of a level must be <= 100"),
    ],
)
def test_levels_among_which_no_pattern_is_sought(levels, error):
    with pytest.raises(ValueError, match=error):
        checked_for_a_pattern(levels, **MACHINE)


@pytest.mark.parametrize(("cost", "recovery"), [(1e-8, 0.0), (100.0, 1.0), (1.0, 100.0)])
def test_costs_at_their_limits_have_a_pattern(cost, recovery):
    found = optimal_pattern_levels([Level(cost, recovery, 1.0)], mtbf=1.0)
    assert found.interval == pytest.approx(
        float(optimal_interval(mtbf=1.0, checkpoint_cost=cost)), rel=1e-6
    )
