"""A failure log as a history: its clock, and when its observation begins and ends."""

from dataclasses import replace

import pytest

from asking.refusals import Refused
from perfmodel.answers import ForecastRequest, forecast
from perfmodel.answers.logs.history import history_of

DAY = 86_400.0


def log_of(folder, rows):
    path = folder / "failures.csv"
    lines = [f"{node},{time:.0f},{repair:.0f}" for node, time, repair in rows]
    path.write_text("\n".join(["node,time,repair", *lines]) + "\n")
    return path


def asked(path, **more):
    return forecast(ForecastRequest(log=path, work=DAY, checkpoint_cost=300.0, futures=200, **more))


def test_failures_stay_where_they_are_when_the_observation_begins_before_the_first(tmp_path):
    times = [20.0 * DAY + DAY * each for each in range(40)]
    path = log_of(tmp_path, [(f"n{at % 5}", time, 60.0) for at, time in enumerate(times)])
    found = asked(path, since=10.0 * DAY, until=70.0 * DAY)
    history = found.outlook.history
    assert history.observed == 60.0 * DAY
    assert history.failures.tolist() == [time - 10.0 * DAY for time in times]
    # As of an MTBF, an observation that nothing begins does so with a failure.
    assert asked(path).outlook.history.failures[0] == DAY


def test_of_a_single_node_time_runs_while_it_is_up(tmp_path):
    rows = [("n1", 30.0 * DAY + 2.0 * DAY * each, DAY) for each in range(20)]
    log = asked(log_of(tmp_path, rows), since=0.0, until=70.0 * DAY).log
    assert history_of(replace(log, machine=5)).observed == 70.0 * DAY
    history = history_of(log)
    assert history.failures.tolist() == [30.0 * DAY + DAY * each for each in range(20)]
    assert history.observed == 30.0 * DAY + 20.0 * DAY


def test_a_past_that_is_too_short_leaves_a_constant_rate_uncertain(tmp_path):
    path = log_of(tmp_path, [(f"n{at}", 15.0 * DAY * at, 60.0) for at in range(6)])
    few = asked(path)
    assert few.to_dict()["law"] == "posterior"
    assert "needs 6 failures after the log begins, and has 5" in few.to_dict()["no_forecast"]
    enough = asked(path, since=-DAY)
    assert (enough.to_dict()["law"], enough.to_dict()["no_forecast"]) == ("forecast", None)


def test_repairs_that_nobody_recorded_cannot_be_waited_for(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("node,time\n" + "".join(f"n{at},{at * 5.0 * DAY:.0f}\n" for at in range(9)))
    with pytest.raises(Refused, match="wait_for_repair must have a log of repairs"):
        asked(path, wait_for_repair=True)
