"""How far above the least an objective along an order may be."""

from dataclasses import replace

import pytest

from perfmodel.partition import Machines, schedule_bisection, schedule_exhaustive
from validation.judge.trial import Budget
from validation.subjects.machine_sets.cases import near_the_least

pytestmark = pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")

BUDGET = Budget(seed=1, replications=1, alpha=0.01)
# The interval of the first is its mtbf: 19 % above the least.
WORK = 2016.396
FLEET = (
    (3.42, 817.0, 2.59806, 2.18, 817.0, 245.1),
    (1.06, 300.0, 0.405, 0.875, 2.1, 0.18753),
    (5.0, 336.0, 0.69216, 0.673, 0.39648, 0.006700512),
)


def test_beyond_the_stated_range_the_bound_for_any_machines_counts():
    assert near_the_least(schedule_bisection, BUDGET, work=WORK, fleet=FLEET).passed

    def worse(work, machines):
        found = schedule_exhaustive(work, machines)
        return replace(found, expected_time=3.0 * found.expected_time)

    assert near_the_least(worse, BUDGET, work=WORK, fleet=FLEET).rejected


def test_within_it_the_stated_error_counts():
    fleet = FLEET[1:]

    def above(by):
        best = schedule_exhaustive(WORK, Machines(*zip(*fleet, strict=True)))
        return lambda *_: replace(best, expected_time=best.expected_time + by * best.objective)

    assert near_the_least(above(0.14), BUDGET, work=WORK, fleet=fleet).passed
    assert near_the_least(above(0.16), BUDGET, work=WORK, fleet=fleet).rejected
