"""Definitions of closed forms: they agree with right formulas and reject lost digits."""

import math

import mpmath as mp
import numpy as np
import pytest

from perfmodel.completion import busy_period_variance
from perfmodel.registry import FORMULAS
from perfmodel.site import failure_probability
from validation.judge.run import Tier, judge
from validation.judge.trial import Budget, trials
from validation.ranges.sweeps import case
from validation.subjects.closed_forms.cases import SWEEPS, distance, second_road
from validation.subjects.closed_forms.definitions import ROADS, exactly

TIER = Tier("test", seed=1, replications=1, comparisons=1)
GRANT = Budget(1, 1, 0.1)


def swept(name, wrong):
    sweep = next(sweep for sweep in SWEEPS if sweep.function.__name__ == name)
    (trial,) = trials([case(sweep)])
    return judge(trial, TIER, wrong)


def test_a_closed_form_that_loses_digits_is_seen():
    def naive(mtbf, downtime):
        load = downtime / mtbf
        second = downtime**2 / (1.0 - load) ** 3
        return second - (downtime / (1.0 - load)) ** 2

    verdict = swept("busy_period_variance", naive)
    assert verdict.rejected
    assert "busy_period_variance(" in verdict.note
    assert swept("busy_period_variance", busy_period_variance).passed


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("failure_probability", lambda duration, *, mtbf: 1.0 - np.exp(-duration / mtbf)),
        ("promised_probability", lambda t, *, nodes, node_mtbf: np.exp(-t / node_mtbf)),
        (
            "optimal_interval",
            lambda *, mtbf, checkpoint_cost: (2.0 * mtbf * checkpoint_cost) ** 0.5,
        ),
    ],
)
def test_wrong_closed_forms_are_rejected(name, wrong):
    assert swept(name, wrong).rejected


def test_an_exception_is_a_rejection_and_a_slip_of_a_mutant_is_none():
    def raises(duration, *, mtbf):
        raise ZeroDivisionError(f"{duration} by {mtbf}")

    verdict = second_road(raises, GRANT, formula="failure_probability", duration=1.0, mtbf=2.0)
    assert verdict.rejected
    assert "ZeroDivisionError" in verdict.note
    with pytest.raises(TypeError):
        second_road(lambda: 0.0, GRANT, formula="failure_probability", duration=1.0, mtbf=2.0)


def test_what_no_float_holds_may_be_inf_or_nothing_but_not_a_number_between():
    assert distance(math.inf, mp.mpf(10) ** 400) == 0.0
    assert distance(1e200, mp.mpf(10) ** 400) == math.inf
    assert distance(0.0, mp.mpf(10) ** -400) == 0.0
    assert distance(1e-200, mp.mpf(10) ** -400) == math.inf
    assert distance(math.nan, mp.mpf(1)) == math.inf
    assert distance(1.5, mp.mpf(1)) == 0.5


def test_a_road_is_exact_where_the_closed_form_cancels():
    road = exactly(ROADS["failure_probability"], {"duration": 1e-30, "mtbf": 1.0})
    assert float(road) == pytest.approx(1e-30, rel=1e-15)
    assert failure_probability(1e-30, mtbf=1.0) == pytest.approx(1e-30, rel=1e-15)


def test_every_closed_form_with_a_road_is_in_the_catalogue():
    assert set(ROADS) <= {row.name for row in FORMULAS}
