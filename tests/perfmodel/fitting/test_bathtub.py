"""Bathtub laws from the lives of machines."""

import json
import lzma

import numpy as np
import pytest

from perfmodel import Bathtub, credible_interval, fit_bathtub
from tests.support.logs import require

LIVES = [0.1, 0.3, 0.4, 0.9, 2.0, 23.1, 23.6, 23.9, 24.0]


def test_no_neighbour_is_more_likely():
    found = fit_bathtub(LIVES, censored=[3.0, 12.0])
    best = found.parameters
    end = 24.0 * (1.0 + 1e-9)

    def value(share, early, late):
        turn = end - late * np.log(1.0 / share - 1.0 + np.exp(-end / early))
        law = Bathtub(share, early, late, turn)
        return np.log(law.pdf(np.array(LIVES))).sum() + np.log(law.sf([3.0, 12.0])).sum()

    point = [best[name] for name in ("share", "early", "late")]
    top = value(*point)
    assert top == pytest.approx(found.log_likelihood, rel=1e-9)
    for place in range(3):
        for factor in (0.99, 1.01):
            other = point.copy()
            other[place] *= factor
            assert value(*other) < top


@pytest.mark.parametrize("unit", [1e-100, 3600.0, 1e100])
def test_any_unit_of_time(unit):
    known = fit_bathtub(LIVES, censored=[3.0, 12.0])
    found = fit_bathtub(unit * np.array(LIVES), censored=unit * np.array([3.0, 12.0]))
    assert found.mean == pytest.approx(unit * known.mean, rel=1e-6)
    assert found.parameters["share"] == pytest.approx(known.parameters["share"], rel=1e-6)
    assert found.intervals["late"][1] == pytest.approx(unit * known.intervals["late"][1], rel=1e-5)


def test_a_known_end_is_kept():
    found = fit_bathtub(LIVES, longest=24.5)
    assert found.lifetime.end == pytest.approx(24.5, rel=1e-8)


def test_the_posterior_is_one_of_bathtubs():
    found = fit_bathtub(LIVES, censored=[3.0, 12.0])
    limits = credible_interval(lambda uptime: uptime.early, {"uptime": found.posterior})
    low, high = found.intervals["early"]
    assert (limits.lower, limits.upper) == pytest.approx((low, high), rel=0.02)


@pytest.mark.parametrize(
    ("machine", "seen", "early", "late"),
    [("n1-highcpu-16", 132, 3.58, 0.543), ("n1-highcpu-8", 90, 4.19, 0.433)],
)
def test_preempted_machines_of_one_type(machine, seen, early, late):
    path = require("failures/google-preemptions/data.json.xz")
    with lzma.open(path) as file:
        records = json.load(file).values()
    own = [r for r in records if r["instance_data"]["MACHINE_TYPE"] == machine]
    hours = np.array([r["time_in_sec"] for r in own]) / 3600.0
    taken = np.array(["compute.instances.preempted" in r for r in own])
    found = fit_bathtub(hours, censored=~taken)
    assert found.observed == seen
    assert found.parameters["early"] == pytest.approx(early, abs=0.01)
    assert found.parameters["late"] == pytest.approx(late, abs=0.001)
    assert 24.0 < found.lifetime.end < 25.0
