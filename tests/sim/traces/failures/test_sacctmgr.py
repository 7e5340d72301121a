import io
import math

import pytest

from sim.traces import failure_log, read_sacctmgr, uptimes

HEAD = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n"
EVENT = "c1|n7|2024-01-01T00:00:00|2024-01-01T06:00:00|DOWN*|Not responding|slurm\n"


def read(text, **options):
    return read_sacctmgr(io.StringIO(text), **options)


def test_an_event_becomes_a_failure():
    frame, report = read(HEAD + EVENT, strict=True)
    record = frame.iloc[0].to_dict()
    assert (record["time"], record["repair"]) == (1_704_067_200.0, 21_600.0)
    assert (record["node"], record["system"]) == ("n7", "c1")
    assert record["cause"] == "DOWN*: Not responding"
    assert report.problems == ()


@pytest.mark.parametrize("state", ["DOWN", "down", "DRAIN", "IDLE+DRAIN", "FAIL", "DRAINED$"])
def test_states_of_nodes_out_of_service(state):
    assert len(read(HEAD + EVENT.replace("DOWN*", state)).frame) == 1


@pytest.mark.parametrize(("reason", "fails"), [("PM Jan 2026", 0), ("hung since 3 PM", 1)])
def test_a_drain_for_pm_is_planned(reason, fails):
    drain = EVENT.replace("DOWN*", "DRAIN").replace("Not responding", reason)
    text = HEAD + EVENT + drain.replace("n7", "n8")
    assert len(failure_log(io.StringIO(text), "sacctmgr").failures) == 1 + fails


@pytest.mark.parametrize("state", ["PLANNED", "IDLE", "ALLOCATED", ""])
def test_other_states_are_skipped_and_counted(state):
    frame, report = read(HEAD + EVENT + EVENT.replace("DOWN*", state))
    assert len(frame) == 1
    assert report.counts == {"in-service": 1}


def test_events_of_the_cluster_and_those_that_last():
    frame, report = read(
        HEAD + EVENT.replace("|n7|", "||") + EVENT.replace("2024-01-01T06:00:00", "Unknown")
    )
    assert math.isnan(frame["repair"].item())
    assert report.counts == {"cluster-event": 1}


@pytest.mark.parametrize(
    ("row", "rule"),
    [("c1|n7\n", "wrong-columns"), (EVENT.replace("2024-01-01T00", "today"), "bad-time")],
)
def test_malformed_events(row, rule):
    assert read(HEAD + EVENT + row).report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 3: "):
        read(HEAD + EVENT + row, strict=True)


def test_an_end_before_the_start_leaves_the_repair_unknown():
    frame, report = read(HEAD + EVENT.replace("2024-01-01T06", "2023-01-01T06"))
    assert math.isnan(frame["repair"].item())
    assert report.counts == {"negative-repair": 1}


def test_a_header_without_states_is_refused():
    with pytest.raises(ValueError, match=r"^line 1: the header must name State, got 'NodeName"):
        read("NodeName|TimeStart\n")


def test_a_node_that_is_drained_once_it_is_down_failed_once():
    drained = "c1|n7|2024-01-01T06:00:00|2024-01-02T00:00:00|DRAIN|bad memory|root\n"
    frame = read(HEAD + EVENT + drained).frame
    found = uptimes(frame, by="node", since="2023-12-31", until="2024-01-03")
    assert found.failures == 1
    assert found.observed == 2 * 86_400.0
