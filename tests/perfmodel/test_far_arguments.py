"""Numbers far apart are answered without a warning, or refused by their names."""

import re
import warnings
from contextlib import suppress
from inspect import signature
from itertools import combinations, product

import numpy as np
import pytest

from perfmodel import (
    FORMULAS,
    ValidityWarning,
    best_window_segments,
    goodput,
    optimal_checkpoints_chain,
)

TRIED = [row for row in FORMULAS if row.domain]


def call(row, **arguments):
    """Call a formula in the middle of its domain but for `arguments`."""
    middle = {name: float(np.sqrt(low * high)) for name, (low, high) in row.domain.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return row.function(**{**middle, **arguments})


@pytest.mark.few(13)
@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_tiny_and_huge_numbers_are_answered_quietly_or_refused(row):
    given = signature(row.function).parameters
    names = [name for name in row.domain if "ArrayLike" in str(given[name].annotation)]
    for pair in combinations(names, 2):
        for ends in product((1e-250, 1e250), repeat=2):
            try:  # warnings of NumPy are errors here
                assert not np.isnan(call(row, **dict(zip(pair, ends, strict=True)))).any()
            except ValueError as error:
                assert re.match(r"^\w+(, \w+)* must ", str(error)), error  # noqa: PT017


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_each_element_is_answered_as_it_is_alone(row):
    rng = np.random.default_rng(5)
    drawn = [
        {name: low * (high / low) ** rng.random() for name, (low, high) in row.domain.items()}
        for _ in range(4)
    ]
    ends = [{**drawn[0], name: end} for name in row.domain for end in (0.0, 1.0, 1e-9, np.inf)]
    points, alone = [], []
    for point in [ends[0], *drawn, *ends[1:]]:
        with suppress(ValueError):
            alone.append(float(call(row, **point)))
            points.append(point)
    together = call(row, **{name: np.array([p[name] for p in points]) for name in row.domain})
    assert together.shape == (len(points),)
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    backwards = call(
        row, **{name: np.array([p[name] for p in points[::-1]]) for name in row.domain}
    )
    np.testing.assert_allclose(backwards[::-1], alone, rtol=1e-12)


@pytest.mark.parametrize("unit", [2.0**-900, 2.0**-400, 2.0**300, 2.0**900])
def test_an_answer_without_a_unit_is_the_same_in_each(unit):
    run = {"interval": 3.0, "mtbf": 0.5, "checkpoint_cost": 0.5, "warm_up": 53.0, "queue": 0.8}
    known = goodput(**run)
    assert 0.0 < known < 1e-40
    far = {name: unit * time for name, time in run.items()}
    assert goodput(**far) == pytest.approx(known, rel=1e-12, abs=0.0)
    tasks = np.array([300.0, 20.0, 100.0, 30.0, 250.0])
    chain = {"mtbf": 1.0, "checkpoint_costs": 0.4, "recovery_costs": 0.1}
    plan = optimal_checkpoints_chain(tasks, **chain)
    moved = {name: unit * time for name, time in chain.items()}
    after = optimal_checkpoints_chain(unit * tasks, **moved).checkpoint_after
    assert after.tolist() == plan.checkpoint_after.tolist()
    windows = {"mtbf": 1000.0, "checkpoint_cost": 3.0, "proactive_cost": 3.0, "window": 40.0}
    predictor = {"recall": 0.5, "precision": 0.3}
    segments = best_window_segments(**windows, **predictor)
    moved = {name: unit * time for name, time in windows.items()}
    assert best_window_segments(**moved, **predictor) == segments == 2.0
    far = {"mtbf": 1e306, "checkpoint_cost": 1e308, "proactive_cost": 1e307, "window": 1e306}
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", ValidityWarning)
        assert best_window_segments(**far, recall=0.99, precision=1e-17) >= 0.0
