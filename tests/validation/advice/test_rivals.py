"""Constant intervals: the search for each gap against the played job, the best one against all."""

import numpy as np
import pytest

from perfmodel.advisor.rule import best_interval
from validation.advice.drawn import MTBF, RECORDS, drawn_windows, half_time_mtbfs
from validation.advice.plays import lost_by
from validation.advice.rivals import RIVALS, Constant, Knowing, best_smoothed, lost_by_constant

HOUR = 3600.0
JOB = {"units": 12.0, "cost": 0.2 * HOUR, "recovery": 0.3 * HOUR}


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("interval", [0.5 * HOUR, 7.3 * HOUR, 1000.0 * HOUR])
def test_a_constant_interval_loses_what_the_played_job_loses(record, interval):
    for window in drawn_windows(3, 8, record=record, **JOB):
        played = lost_by(Constant(interval), window)
        assert lost_by_constant(window, interval) == pytest.approx(played, rel=1e-9)


def test_the_best_constant_loses_less_than_others_in_the_mean():
    windows = drawn_windows(4, 60, record="steady", **JOB)
    best = np.mean([lost_by_constant(w, best_smoothed(w)) for w in windows])
    for rival in set(RIVALS) - {"a"}:
        assert best < np.mean([lost_by_constant(w, RIVALS[rival](w)) for w in windows])


def smeared_loss(window, interval):
    """Return the mean loss over gaps that are each up to a fifth longer or shorter, by sums."""
    begins, ends = window.gaps()
    period, kept = interval + window.cost, 0.0
    for begin, end in zip(begins, ends, strict=True):
        if end == window.duration:
            rest = (end - begin) % period
            kept += (end - begin) // period * interval + min(rest, interval)
        else:
            spread = (end - begin) * np.linspace(0.8, 1.2, 40_001)
            kept += np.mean(spread // period) * interval
    return window.duration - kept


@pytest.mark.parametrize("record", ["steady", "bursts", "a tenth as often"])
def test_the_best_constant_is_that_of_smeared_gaps(record):
    (window,) = drawn_windows(5, 1, record=record, **JOB)
    best = best_smoothed(window)
    least = smeared_loss(window, best)
    for factor in (0.7, 1.0 / 1.12, 1.12, 1.4):
        assert least <= smeared_loss(window, factor * best) * (1.0 + 1e-6)


def test_those_who_know_follow_rate_and_cost():
    (window,) = drawn_windows(6, 1, record="ten times as often", growth=3.0, **JOB)
    knowing = Knowing(window, half_time_mtbfs("ten times as often"))
    for now, mtbf, cost in ((0.0, MTBF, 0.2), (0.5 * window.duration, 0.1 * MTBF, 0.4)):
        knowing.started(now)
        known = best_interval(1.0 / mtbf, cost * HOUR)
        assert knowing.next_checkpoint() - now == pytest.approx(known)


def test_the_rules_of_logs_know_what_they_are_said_to_know():
    window = drawn_windows(7, 1, record="steady", **JOB)[0]
    assert RIVALS["d"](window) == HOUR
    assert RIVALS["c"](window) == pytest.approx((2.0 * 0.2 * HOUR * MTBF) ** 0.5)
    assert RIVALS["b"](window) < RIVALS["c"](window)
    more = window.struck.size > 12
    assert bool(RIVALS["own"](window) < RIVALS["b"](window)) is more
