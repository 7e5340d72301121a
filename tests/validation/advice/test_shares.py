"""Means over logs, targets, and the failure logs where they are at hand."""

import numpy as np
import pytest

from perfmodel.advisor import CheckpointAdvisor
from validation.advice import shares, targets
from validation.advice.logs import FILES, FailureLog, absent, logs
from validation.advice.report import differences, losses, of_each_log
from validation.advice.report import targets as table_of_targets
from validation.advice.shares import Mean, Span, mean_over_logs
from validation.advice.targets import TARGETS, Target
from validation.subjects.advisor.mutants import TOLD_APART
from validation.subjects.advisor.regrets import OPTIONS

DAY = 86400.0


def test_the_interval_over_logs_is_that_of_a_mean():
    rng = np.random.default_rng(1)
    values = {str(k): value for k, value in enumerate(rng.normal(2.0, 1.0, 50))}
    found = mean_over_logs(values)
    half = 1.96 / 50**0.5
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half), abs=0.1)
    assert values[found.where] == found.worst == max(values.values())
    assert found.below == sum(value < 0.0 for value in values.values())


def mean(value, worst):
    return Mean(value, value, value, {"w": worst - 1.0, "x": worst}, 0)


def test_a_target_holds_the_mean_and_the_worst():
    target = Target(Span(7, "days"), "history", "a", 0.75, 1.5)
    assert target.met(mean(0.75, 1.5))
    assert not target.met(mean(0.76, 1.0))
    assert not target.met(mean(0.1, 1.6))
    assert "worst +1.60 on x, at most 1.5" in target.said(mean(0.1, 1.6))
    assert len({each.name for each in TARGETS}) == len(TARGETS)


def test_a_log_that_is_known_to_miss_a_target_excuses_no_other():
    target = Target(Span(30, "MTBFs"), "history", "own", 2.0, 6.0, ("x",))
    assert target.met(mean(1.0, 6.5))
    assert not target.met(mean(1.0, 7.5))
    assert not target.met(mean(2.5, 6.5))
    assert target.said(mean(1.0, 6.5)).endswith("known to be above on x")


@pytest.fixture
def two_logs(monkeypatch):
    rng = np.random.default_rng(3)
    made = [
        FailureLog(f"drawn {days}", DAY * np.cumsum(rng.exponential(days, 300)))
        for days in (0.4, 1.5)
    ]
    monkeypatch.setattr(shares, "logs", lambda: made)
    monkeypatch.setattr("validation.advice.report.logs", lambda: made)
    for cached in (shares.advisor_shares, shares._rivals):
        cached.cache_clear()
    yield made
    for cached in (shares.advisor_shares, shares._rivals):
        cached.cache_clear()


def test_shares_are_those_of_each_log(two_logs):
    span = Span(7, "days")
    mine = shares.advisor_shares(CheckpointAdvisor, "history", span)
    assert list(mine) == [log.name for log in two_logs]
    assert 0.0 < mine["drawn 1.5"] < mine["drawn 0.4"] < 0.5
    above = targets.compared(CheckpointAdvisor, "history", "a", span)
    best = shares.rival_shares("a", span)
    assert above == {log: pytest.approx(100.0 * (mine[log] - best[log])) for log in mine}
    over = targets.compared(CheckpointAdvisor, "history", "own", span)
    own = shares.rival_shares("own", span)
    assert over == {log: pytest.approx(100.0 * (mine[log] / own[log] - 1.0)) for log in mine}


@pytest.mark.slow
def test_tables_have_a_row_for_each_span_and_log(two_logs, monkeypatch):
    short = (Span(7, "days"), Span(3, "MTBFs"))
    monkeypatch.setattr("validation.advice.report.SPANS", short)
    lost = list(losses(CheckpointAdvisor, OPTIONS, TOLD_APART))
    assert len(lost) == 4
    assert lost[2].startswith("| 7 days | 2 |")
    assert len({line.count("|") for line in lost}) == 1
    assert len(list(differences(CheckpointAdvisor))) == 4
    each = list(of_each_log(CheckpointAdvisor))
    assert [line.split(" | ")[0] for line in each[2:]] == ["| drawn 0.4", "| drawn 1.5"]
    rows = list(table_of_targets([(TARGETS[0], mean(99.0, 99.0)), (TARGETS[0], mean(0.0, 0.0))]))
    assert rows[2].endswith("| **no** |")
    assert rows[3].endswith("| yes |")
    known = Target(Span(30, "MTBFs"), "history", "own", 2.0, 6.0, ("x",))
    assert list(table_of_targets([(known, mean(1.0, 6.5))]))[2].endswith("| **not on x** |")


@pytest.fixture(scope="module")
def recorded():
    if missing := absent():
        pytest.skip(f"not in $PERFMODEL_TRACES nor ../shared/traces: {', '.join(missing)}")
    return logs()


@pytest.mark.slow
def test_there_are_34_machines(recorded):
    assert len(recorded) == 34
    assert len(FILES) == 10
    for log in recorded:
        assert (np.diff(log.times) > 120.0).all()
        assert 5.0 < log.mtbf / 3600.0 < 400.0


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_target_is_met(recorded, target):
    found = target.found(CheckpointAdvisor)
    assert target.met(found), target.said(found)
    assert set(found.above(target.worst)) == set(target.missed)


@pytest.mark.slow
@pytest.mark.parametrize("fault", TOLD_APART)
def test_a_worse_advisor_misses_a_target(recorded, fault):
    chosen = [target for target in TARGETS if target.span in (Span(3, "MTBFs"), Span(7, "days"))]
    make = TOLD_APART[fault]
    assert not all(target.met(target.found(make)) for target in chosen)
