"""Predicted windows: reductions, least waste, and when predictions are ignored."""

import warnings

import numpy as np
import pytest

from perfmodel import (
    ValidityWarning,
    best_window_segments,
    optimal_period_predicted,
    optimal_period_windows,
    waste_predicted,
    waste_windows,
)

COSTS = {"mtbf": 1000.0, "checkpoint_cost": 3.0, "proactive_cost": 1.5}
PREDICTOR = {**COSTS, "recall": 0.6, "precision": 0.6}
SPANS = np.geomspace(20.0, 300.0, 2001)


def test_a_window_of_no_length_is_an_exact_prediction():
    for period in (2.0, 60.0, 150.0):
        given = {**PREDICTOR, "recovery_cost": 5.0, "downtime": 7.0}
        found = waste_windows(period, window=0.0, **given)
        np.testing.assert_allclose(found, waste_predicted(period, **given), rtol=1e-14)
    best = optimal_period_windows(window=0.0, **PREDICTOR)
    np.testing.assert_allclose(best, optimal_period_predicted(**PREDICTOR), rtol=1e-14)


def test_ignored_windows_are_no_windows():
    found = waste_windows(80.0, window=60.0, window_segments=0, **PREDICTOR)
    np.testing.assert_allclose(found, 3.0 / 80.0 + 80.0 / 2000.0, rtol=1e-14)
    best = optimal_period_windows(window=60.0, window_segments=0, **PREDICTOR)
    np.testing.assert_allclose(best, np.sqrt(6000.0), rtol=1e-14)


def test_without_failures_only_checkpoints_are_waste():
    found = waste_windows(80.0, window=60.0, **{**PREDICTOR, "mtbf": np.inf})
    np.testing.assert_allclose(found, 3.0 / 80.0, rtol=1e-14)


@pytest.mark.parametrize("window", [0.0, 10.0, 80.0, 200.0])
@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("recall", [0.0, 0.3, 0.8])
def test_no_period_wastes_less_than_the_best(window, count, recall):
    job = {**PREDICTOR, "recall": recall, "window": window, "window_segments": count}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        best = optimal_period_windows(**job)
        wasted = waste_windows(np.append(SPANS, best), **job)
    assert wasted[-1] <= wasted.min() * (1.0 + 1e-14)
    assert 20.0 < best < 300.0


def test_no_other_number_of_segments_wastes_less():
    job = {**PREDICTOR, "window": 60.0}
    count = int(best_window_segments(**job))
    assert count == 4
    wasted = [
        float(
            waste_windows(
                optimal_period_windows(window_segments=n, **job), window_segments=n, **job
            )
        )
        for n in range(9)
    ]
    assert min(wasted) == wasted[count]


def test_imprecise_predictions_of_costly_checkpoints_are_ignored():
    job = {"mtbf": 1000.0, "checkpoint_cost": 1.0, "recall": 0.3, "proactive_cost": 2.0}
    found = best_window_segments(precision=[0.9, 0.15], window=100.0, **job)
    assert found[0] > 0.0
    assert found[1] == 0.0


def test_warns_beyond_its_range():
    with pytest.warns(ValidityWarning, match=r"per period and window = inf is beyond 0\.45"):
        waste_windows(80.0, window=4.0, window_segments=3, **PREDICTOR)
    with pytest.warns(ValidityWarning, match="beyond 0.45"):
        best_window_segments(window=400.0, **PREDICTOR)


@pytest.mark.filterwarnings("ignore::perfmodel.validity.ValidityWarning")
def test_a_predictor_that_names_nothing_is_ignored_in_any_unit():
    for unit in (1.0, 3.43597e10, 7.27596e-12):
        job = {"mtbf": unit, "checkpoint_cost": 0.5 * unit, "proactive_cost": unit}
        assert best_window_segments(**job, recall=0.0, precision=1.0, window=0.1 * unit) == 0.0


@pytest.mark.filterwarnings("ignore::perfmodel.validity.ValidityWarning")
def test_windows_without_end():
    job = {"mtbf": 1.0, "checkpoint_cost": 1.0, "proactive_cost": 1e-38, "recall": 0.5}
    too_long = r"window must be at most 1e[+]100 proactive_cost, got 1e[+]271 with 1e-38"
    with pytest.raises(ValueError, match=too_long):
        best_window_segments(**job, precision=1e-39, window=1e271)
    several = {**job, "mtbf": 1000.0, "proactive_cost": [1e-300, 1.0]}
    with pytest.raises(ValueError, match=r"proactive_cost, got 1[.]0 with 1e-300"):
        best_window_segments(**several, precision=0.3, window=[1.0, 1e5])
    free = {"mtbf": 1e-63, "checkpoint_cost": 0.0, "proactive_cost": 0.0, "recall": 1.0}
    assert waste_windows(period=1.0, **free, precision=1e-246, window=1.0) == np.inf


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
def test_the_best_period_may_be_just_too_short_for_any_prediction():
    job = {"mtbf": 1000.0, "checkpoint_cost": 1.03, "proactive_cost": 1.92, "recall": 0.294}
    job |= {"precision": 0.1, "window": 200.0, "window_segments": 1}
    best = float(optimal_period_windows(**job))
    assert best < 19.2 <= np.nextafter(best, 20.0)
    periods = np.geomspace(5.0, 500.0, 4001)
    least = float(np.min(waste_windows(periods, **job)))
    assert float(waste_windows(best, **job)) <= least * (1.0 + 1e-12)
