import io
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.traces import Columns, failure_log, read_failures_csv, read_lanl, uptimes
from tests.sim.traces.failures.test_lanl import LOG
from tests.support.examples import examples
from tests.support.logs import require


def frame(text):
    return read_failures_csv(io.StringIO(text)).frame


def test_gaps_run_from_the_first_failure_to_the_last():
    result = uptimes(frame("100\n300\n600\n"))
    assert result.durations.tolist() == [200.0, 300.0]
    assert not result.censored.any()
    assert (result.failures, result.observed) == (2, 500.0)


def test_the_observation_censors_at_both_ends():
    log = frame("100\n300\n600\n")
    result = uptimes(log, since=0, until=1000)
    assert result.durations.tolist() == [200.0, 300.0, 400.0]
    assert result.censored.tolist() == [False, False, True]
    assert (result.failures, result.observed) == (3, 1000.0)
    assert result.counts == {"age-unknown": 1}
    censored = uptimes(log, since=0, until=1000, first="censored")
    assert censored.durations.tolist() == [100.0, 200.0, 300.0, 400.0]
    assert censored.censored.tolist() == [True, False, False, True]
    complete = uptimes(log, since=0, until=1000, first="complete")
    assert complete.censored.tolist() == [False, False, False, True]


def test_a_node_is_up_only_after_its_repair():
    log = frame("time,node,repair\n0,1,10\n50,1,5\n60,2,0\n100,1,0\n")
    result = uptimes(log, by="node", until=120)
    assert sorted(result.durations) == [20.0, 40.0, 45.0, 60.0]
    assert sorted(result.durations[result.censored]) == [20.0, 60.0]
    assert result.counts == {"age-unknown": 1}  # node 2, watched from 0 on
    assert result.observed == 40 + 45 + 20 + 60 + 60
    assert result.repairs.tolist() == [10.0, 5.0, 0.0, 0.0]
    kept = uptimes(log, by="node", until=120, exclude_repair=False)
    assert kept.observed == 240.0


def test_a_failure_during_repair_lengthens_it_and_ends_no_uptime():
    result = uptimes(frame("time,node,repair\n0,1,10\n4,1,20\n50,1,0\n"), by="node")
    assert result.durations.tolist() == [26.0]
    assert result.counts == {"merged-rows": 1}
    assert result.repairs.tolist() == [24.0, 0.0]


def test_simultaneous_failures_are_one_and_counted():
    result = uptimes(frame("time,node\n0,a\n5,a\n5,b\n5,c\n9,a\n"))
    assert result.durations.tolist() == [5.0, 4.0]
    assert result.counts == {"simultaneous": 2}
    assert uptimes(frame("0\n5\n5\n5\n9\n")).counts == {"merged-rows": 2}


def test_failures_of_one_day_both_count_in_a_log_without_times_of_day():
    log = frame("date,node\n2026-01-01,a\n2026-01-05,b\n2026-01-05,c\n2026-01-09,a\n")
    result = uptimes(log)
    assert (result.failures, result.observed) == (3, 8 * 86_400.0)
    assert result.durations.size == 3
    assert result.durations.sum() == pytest.approx(8 * 86_400.0)
    assert result.durations[1] < 86_400.0
    assert result.counts == {"same-day": 1}
    assert uptimes(log).durations.tolist() == result.durations.tolist()


def dated(form, count=400, days=60, *, zone="", node=True, seed=3):
    """Return a log of failures at random, as so many dates tell it, and their mean gap, [s]."""
    times = np.sort(np.random.default_rng(seed).uniform(0.0, 86_400.0 * days, count))
    texts = [f"{datetime.fromtimestamp(1.7e9 + t, UTC):{form}}{zone}" for t in times]
    rows = [f"{text},n{row % 97}" if node else text for row, text in enumerate(texts)]
    return ["date,node" if node else "date", *rows], (times[-1] - times[0]) / (count - 1)


@pytest.mark.parametrize(
    ("form", "more"),
    [
        ("%Y-%m-%d", {}),
        ("%Y-%m-%d", {"node": False}),
        ("%Y-%m-%d", {"zone": "T00:00:00+05:30"}),
        ("%Y-%m-%d", {"zone": " 08:00"}),
        ("%Y-%m-%d %H:00", {}),
        ("%Y-%m-%d %H:00", {"zone": "+05:30"}),
    ],
)
def test_times_rounded_to_days_or_hours_give_the_mtbf_and_law_of_exact_ones(form, more):
    lines, mean = dated(form, **more)
    found = uptimes(frame("\n".join(lines)))
    assert found.failures >= 390  # a node may fail twice in one of its days
    assert found.observed / found.failures == pytest.approx(mean, rel=0.03)
    # Gaps of failures at random scatter as their mean; of days or hours they do not.
    assert found.durations.std() == pytest.approx(found.durations.mean(), rel=0.15)


def test_failures_of_one_date_alone_have_no_gaps():
    found = uptimes(frame("date,node\n2026-01-01,a\n2026-01-01,b\n2026-01-01,c\n"))
    assert (found.failures, found.observed, found.durations.size) == (0, 0.0, 0)


def test_dates_know_no_time_zone():
    lines, mean = dated("%Y-%m-%d", days=300)  # over a change of summer time
    columns = Columns(timezone="Europe/Berlin")
    found = failure_log(io.StringIO("\n".join(lines)), "csv", columns=columns).uptimes()
    assert found.observed / found.failures == pytest.approx(mean, rel=0.03)


def test_a_date_beside_an_end_with_its_time_is_a_midnight_of_its_zone():
    text = "start,end,node\n2024-07-05,2024-07-05 00:30,a\n2024-07-09,2024-07-09 14:00,b\n"
    columns = Columns(timezone="Europe/Berlin")
    found = failure_log(io.StringIO(text), "csv", columns=columns).failures
    assert found["repair"].tolist() == [1800.0, 14 * 3600.0]


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_second_copy_of_dates_without_nodes_adds_no_failure(newest_first):
    lines, _ = dated("%Y-%m-%d", node=False)
    rows = lines[:0:-1] if newest_first else lines[1:]
    once = uptimes(frame("\n".join(["date", *rows])))
    twice = uptimes(frame("\n".join(["date", *rows, *rows])))
    assert twice.durations.tolist() == once.durations.tolist()
    assert once.failures == 399
    assert twice.counts["merged-rows"] == 400


def test_more_failures_of_one_hour_than_chance_explains_are_one_interruption():
    hours = [24 * day for day in range(40) for _ in range(5)] + [24 * day + 7 for day in range(40)]
    rows = [f"{1.7e9 + 3600.0 * hour:.0f},n{row}" for row, hour in enumerate(sorted(hours))]
    found = uptimes(frame("\n".join(["time,node", *rows])))
    assert found.failures == 79
    assert found.counts == {"simultaneous": 160}


def test_nodes_that_never_failed_are_watched_too():
    log = frame("time,node\n0,1\n10,1\n")
    result = uptimes(log, by="node", nodes=3, until=20, first="censored")
    assert sorted(result.durations) == [10.0, 10.0, 20.0, 20.0]
    assert result.censored.sum() == 3
    with pytest.raises(ValueError, match="nodes must be >= those that failed"):
        uptimes(log, by="node", nodes=0)


def test_a_repair_that_reaches_into_the_observation_delays_its_start():
    result = uptimes(frame("time,node,repair\n0,1,30\n100,1,0\n"), by="node", since=20, until=100)
    assert result.durations.tolist() == [70.0]
    assert result.counts == {"outside": 1}


def test_systems_are_kept_apart():
    result = uptimes(frame("time,system\n0,a\n1,b\n10,a\n31,b\n"))
    assert result.durations.tolist() == [10.0, 30.0]


def test_an_empty_frame_has_no_gaps():
    result = uptimes(frame(""))
    assert result.durations.size == result.censored.size == result.failures == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "rack"}, "by must be one of system, node, got 'rack'"),
        ({"first": "guess"}, "first must be .* got 'guess'"),
        ({"since": 5, "until": 5}, "until must be > since"),
        ({"nodes": 2.5}, "nodes must be a whole number >= 0, got 2.5"),
    ],
)
def test_domain(options, message):
    with pytest.raises(ValueError, match=message):
        uptimes(frame("1\n2\n"), **options)


def test_the_wrong_kind_is_refused():
    with pytest.raises(TypeError, match=r"^frame must be a failure frame, got \[1\.0\]$"):
        uptimes([1.0])
    with pytest.raises(TypeError, match=r"^nodes must be a number, got '4'$"):
        uptimes(frame("1\n2\n"), nodes="4")
    with pytest.raises(TypeError, match=r"^exclude_repair must be True or False, got 'no'$"):
        uptimes(frame("1\n2\n"), exclude_repair="no")


@settings(deadline=None, max_examples=examples(240))
@given(
    records=st.lists(
        st.tuples(st.integers(0, 200), st.integers(0, 3), st.integers(0, 40)), min_size=1
    ),
    since=st.integers(0, 100),
    length=st.integers(1, 150),
)
def test_up_and_down_time_fill_the_observation(records, since, length):
    """An oracle on a grid of whole seconds: a second is up unless some repair covers it."""
    until = since + length
    text = "time,node,repair\n" + "\n".join(f"{t},{n},{r}" for t, n, r in records)
    up = 0
    for node in {n for _, n, _ in records}:
        down = np.zeros(400, dtype=bool)
        for start, _, repair in (r for r in records if r[1] == node):
            if start <= until:
                down[start : start + repair] = True
        up += int((~down[since:until]).sum())
    result = uptimes(frame(text), by="node", since=since, until=until, first="censored")
    assert result.observed == up == result.durations.sum()
    assert (result.durations > 0.0).all()


def test_the_published_log_per_node():
    """System 20 alone: 2,478 records, each an end of an uptime or counted under a rule."""
    log = read_lanl(require(LOG), system=20).frame
    result = uptimes(log, by="node")
    first = 1  # the record that opens the observation
    assert result.failures + result.counts["merged-rows"] + first == 2478


def test_each_unit_has_its_own_failures_and_uptime():
    log = frame("time,node,repair\n0,1,10\n50,1,5\n60,2,0\n100,1,0\n")
    found = [(u.node, u.failures, u.observed) for u in uptimes(log, by="node", until=120).units]
    # Node 1 fails at 0 as the watch begins, which ends no uptime.
    assert found == [("1", 2, 105.0), ("2", 1, 120.0)]
    found = uptimes(log, by="node", until=120, nodes=4)
    assert [(u.node, u.failures, u.observed) for u in found.units[2:]] == 2 * [("", 0, 120.0)]
    assert sum(u.failures for u in found.units) == found.failures
    assert sum(u.observed for u in found.units) == found.observed
    assert [u.node for u in uptimes(log).units] == [""]
