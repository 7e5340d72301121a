"""Points drawn from the documented range of a formula, and the ratios of points."""

import math
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings

from perfmodel import expected_makespan, spares_needed
from perfmodel.completion import busy_period_transform
from perfmodel.formula import ANY
from perfmodel.registry import FORMULAS
from perfmodel.validity import ValidityWarning
from tests.support.examples import examples
from validation.ranges.points import drawn, points_over
from validation.ranges.ratios import ratios_of
from validation.ranges.sweeps import Sweep
from validation.ranges.sweeps import drawn as drawn_by
from validation.subjects import SWEEPS
from validation.subjects.closed_forms.definitions import ROADS
from validation.subjects.laws import Law

CLOSED = [row for row in FORMULAS if row.name in ROADS]


def within(value, ends):
    return ends[0] * (1.0 - 1e-6) <= value <= ends[1] * (1.0 + 1e-6)


@pytest.mark.few(9)
@pytest.mark.parametrize("row", CLOSED, ids=lambda row: row.name)
def test_every_point_lies_in_the_documented_range_and_the_formula_takes_it(row):
    rng = np.random.default_rng(1)
    for _ in range(50):
        point = drawn(row.function, rng.random)
        for ratio, ends in row.ranges.items():
            values = list(ratios_of(ratio, point))
            assert values
            assert all(within(value, ends) for value in values), (ratio, point)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)
            assert not np.isnan(row.function(**point)).any()


@pytest.mark.parametrize("end", [0.0, 1.0])
@pytest.mark.parametrize("row", CLOSED, ids=lambda row: row.name)
def test_the_ends_of_the_fractions_are_the_ends_of_the_range(row, end):
    point = drawn(row.function, lambda: end)
    for ratio, ends in row.ranges.items():
        (value,) = ratios_of(ratio, point)
        assert value == pytest.approx(ends[int(end)], rel=1e-6)


def test_a_factor_follows_from_its_product():
    point = drawn(busy_period_transform, lambda: 0.5)
    assert point["s"] * point["mtbf"] == pytest.approx(1.0)


def test_a_share_is_drawn_evenly_in_its_odds():
    shares = [drawn(spares_needed, lambda q=q: q)["confidence"] for q in (0.0, 0.6, 1.0)]
    assert shares[0] == 1e-3
    assert 0.9 < shares[1] < 0.999 < shares[2] == 0.999999


def test_ratios_of_laws_fleets_and_unknown_arguments():
    point = {"downtime": Law("Gamma", (0.25, 8.0)), "mtbf": 20.0, "downtime_at_risk": True}
    assert list(ratios_of("downtime/mtbf", point)) == [0.1]
    assert list(ratios_of("downtime/mtbf at risk", point)) == [0.1]
    assert list(ratios_of("downtime/mtbf at risk", {**point, "downtime_at_risk": False})) == []
    assert list(ratios_of("cv of downtime", point)) == [2.0]
    assert list(ratios_of("cv of downtime", {"downtime": 3.0})) == [0.0]
    assert list(ratios_of("interval/mtbf", point)) == []
    fleet = ((1.0, 20.0, 4.0, 1.0, 8.0, 0.5), (3.0, 10.0, 0.5, 2.0, 16.0, 0.1))
    machines = {"work": 40.0, "fleet": fleet}
    assert list(ratios_of("mttr/mtbf", machines)) == [0.2, 0.05]
    assert list(ratios_of("share/mtbf", machines)) == [0.5, 1.0]


@settings(max_examples=examples(200), deadline=None)
@given(points_over(expected_makespan))
def test_hypothesis_draws_from_the_same_range(point):
    (value,) = ratios_of("interval/mtbf", point)
    assert within(value, ANY)


def test_a_run_draws_its_ends_now_and_then_and_the_same_points_again():
    sweep = Sweep(expected_makespan, expected_makespan, partial(drawn, expected_makespan))
    points = [drawn_by(sweep, 5, index) for index in range(200)]
    values = [next(ratios_of("interval/mtbf", point)) for point in points]
    assert min(values) == pytest.approx(ANY[0])
    assert max(values) == pytest.approx(ANY[1])
    assert points[7] == drawn_by(sweep, 5, 7)
    assert points[7] != drawn_by(sweep, 6, 7)


def test_sweeps_have_names_of_their_own():
    names = [sweep.name for sweep in SWEEPS]
    assert len(set(names)) == len(names)


def test_drawn_laws_have_about_the_spread_that_was_drawn():
    spreads = []
    for sweep in SWEEPS:
        if sweep.name.startswith("exact_makespan"):
            points = (drawn_by(sweep, 1, index) for index in range(20))
            spreads += [next(ratios_of("cv of downtime", point)) for point in points]
    assert min(spreads) == 0.0
    assert sum(spread > 1.0 for spread in spreads) > len(spreads) // 5
    assert all(math.isfinite(spread) and spread <= 31.0 for spread in spreads)
