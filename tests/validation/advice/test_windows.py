"""Windows cut out of a log, and drawn ones."""

import numpy as np
import pytest

from validation.advice.drawn import MTBF, drawn_windows
from validation.advice.logs import FailureLog
from validation.advice.plays import PRIORS, lost_by, lost_by_advisor, lost_without_state
from validation.advice.windows import COST, cut_out

DAY = 86400.0
JOB = {"cost": 360.0, "recovery": 720.0}


def regular(days=400):
    return FailureLog("every day", DAY * np.arange(float(days)))


def test_windows_spread_over_the_log_and_know_what_was_before():
    windows = cut_out(regular(), 30 * DAY)
    assert len(windows) == 40
    for window in windows:
        assert window.struck.size in (29, 30, 31)
        assert window.struck.min() >= 0.0
        assert window.struck.max() < 30 * DAY
        assert window.history(0.0) == (pytest.approx(90, abs=1), 90 * DAY)
        assert window.history(10 * DAY) == (pytest.approx(90, abs=1), 90 * DAY)
    begins = [window.struck[0] for window in windows]
    assert len(set(begins)) > 10


def test_a_log_that_is_too_short_has_no_window():
    assert cut_out(regular(30), 30 * DAY) == []
    (first, *_) = cut_out(regular(40), 20 * DAY)
    assert first.lead == pytest.approx(0.25 * 39 * DAY)


def test_gaps_are_what_work_lives_through():
    window = drawn_windows(1, 1, record="bursts", units=30, **JOB)[0]
    begins, ends = window.gaps()
    assert begins[0] == 0.0
    assert (ends >= begins).all()
    assert set(ends.tolist()) <= {*window.struck.tolist(), window.duration}
    assert set((begins[1:] - 720.0).round(6)) <= set(window.struck.round(6))


@pytest.mark.parametrize("record", ["steady", "bursts"])
def test_drawn_failures_have_the_rate_that_is_said(record):
    windows = drawn_windows(2, 400, record=record, units=30, **JOB)
    counts = np.array([window.struck.size for window in windows])
    assert counts.mean() == pytest.approx(30.0, abs=4.0 * counts.std() / 20.0)
    assert bool(counts.var() > 2.0 * counts.mean()) is (record == "bursts")


def test_a_rate_that_changes_does_so_at_half_time():
    for record, early, late in (("ten times as often", 15, 150), ("a tenth as often", 150, 15)):
        windows = drawn_windows(3, 100, record=record, units=30, **JOB)
        halves = [(w.struck < 15 * MTBF).sum() for w in windows]
        assert np.mean(halves) == pytest.approx(early, rel=0.1)
        assert np.mean([w.struck.size for w in windows]) == pytest.approx(early + late, rel=0.1)


def test_the_first_failure_comes_late():
    for window in drawn_windows(4, 9, record="first at five", units=10, **JOB):
        assert window.struck[0] == 5 * MTBF


def test_costs_have_their_mean_and_grow():
    (window,) = drawn_windows(5, 1, record="steady", units=300, growth=3.0, **JOB)
    assert window.costs.mean() == pytest.approx(360.0, rel=0.01)
    assert window.costs.std() == pytest.approx(0.3 * 360.0, rel=0.03)
    assert (window.dearer(0.0), window.dearer(window.duration)) == (1.0, 3.0)


class Counting:
    """An advisor that notes when it was made, and what it heard."""

    made = 0

    def __init__(self, *, cost, prior):
        assert cost == COST
        Counting.made += 1
        self.prior, self.begin = prior, 0.0

    def next_checkpoint(self):
        return self.begin + 7200.0

    def started(self, now):
        self.begin = now

    restored = checkpoint_done = started

    def failed(self, now):
        pass

    checkpoint_begun = failed


def test_without_state_each_restart_makes_another():
    window = cut_out(regular(), 30 * DAY)[0]
    Counting.made = 0
    without = lost_without_state(Counting, window)
    assert Counting.made == window.struck.size + 2
    assert without == lost_by_advisor(Counting, window, prior="history")
    assert without == lost_by(Counting(cost=COST, prior=None), window)


def test_priors_are_those_of_the_window():
    window = cut_out(regular(), 30 * DAY)[0]
    assert PRIORS["history"](window).shape == 2.0
    assert PRIORS["right"](window).observed_time == 2.0 * window.mtbf
    assert PRIORS["nothing"](window).shape == 0.5
