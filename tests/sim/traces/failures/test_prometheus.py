import io
import json
from collections import Counter

import numpy as np
import pytest

from sim.traces import read_prometheus

START = 1_767_225_600


def watched(trace):
    return trace.watch.start, trace.watch.end, trace.watch.nodes


def series(states, *, first=0, **labels):
    """One sample a minute, from minute `first` on; None where there is none."""
    values = [
        [START + 60 * (first + minute), str(state)]
        for minute, state in enumerate(states)
        if state is not None
    ]
    return {"metric": labels, "values": values}


def up(states, instance="n1:9100", **more):
    return series(states, __name__="up", instance=instance, **more)


def ready(states, status="true", node="n1", condition="Ready"):
    name = "kube_node_status_condition"
    return series(states, __name__=name, node=node, condition=condition, status=status)


def whole(*results):
    answer = {"status": "success", "data": {"resultType": "matrix", "result": list(results)}}
    return json.dumps(answer)


def read(*results, **options):
    return read_prometheus(io.StringIO(whole(*results)), **options)


def minutes(frame):
    return ((frame["time"] - START) / 60.0).tolist(), (frame["repair"] / 60.0).tolist()


ANSWER = (
    '{"status": "success", "data": {"resultType": "matrix", "result": [\n'
    f"{json.dumps(up([1, 0, 0, 1, 0]))},\n"
    f"{json.dumps(up([1, 1, 1, 1, 1], 'n2:9100'))}]}}}}\n"
)


def test_runs_of_zeros_are_outages():
    frame, report = read(up([1, 0, 0, 1, 1, 0]), up([1] * 6, "n2:9100"))
    starts, repairs = minutes(frame)
    assert starts == [1.0, 5.0]
    np.testing.assert_array_equal(repairs, [2.0, np.nan])
    assert frame["node"].tolist() == ["n1", "n1"]
    assert frame["cause"].tolist() == ["up", "up"]
    assert frame["fails"].tolist() == [True, True]
    assert report.records == 12
    assert report.counts == {"in-service": 9, "still-down": 1, "still-out": 1}


def test_nodes_that_were_never_down_and_the_window_are_known():
    trace = read(up([1, 0, 1]), up([1, 1, 1], "n2:9100"), up([1, 1, 1], "n3:9100"))
    assert watched(trace) == (START, START + 120, 3)


def test_the_list_of_results_alone_is_the_same():
    results = [up([1, 0, 1]), up([0, 1, 1], "n2:9100")]
    bare = read_prometheus(io.StringIO(json.dumps(results)), strict=True)
    assert bare.frame.equals(read(*results).frame)
    assert watched(bare) == watched(read(*results))


@pytest.mark.parametrize(
    ("labels", "down_at_one"),
    [
        ({"__name__": "up", "instance": "n1:9100"}, False),
        ({"__name__": "probe_success", "instance": "n1"}, False),
        ({"__name__": "job:node_ready:min", "node": "n1"}, False),
        ({"node": "n1"}, False),
        ({"__name__": "node_down", "host": "n1"}, True),
        ({"__name__": "node_not_ready", "nodename": "n1"}, True),
        ({"condition": "Ready", "status": "true", "node": "n1"}, False),
        ({"condition": "Ready", "status": "false", "node": "n1"}, True),
        ({"condition": "Ready", "status": "unknown", "node": "n1"}, True),
        ({"status": "unknown", "node": "n1"}, True),
    ],
)
def test_the_name_or_the_status_tells_what_a_one_means(labels, down_at_one):
    states = [0, 1, 1, 0] if down_at_one else [1, 0, 0, 1]
    frame = read(series(states, **labels)).frame
    assert minutes(frame) == ([1.0], [2.0])
    assert frame["node"].tolist() == ["n1"]


@pytest.mark.parametrize(
    ("labels", "rule"),
    [
        ({"__name__": "node_load1", "node": "n1"}, "unknown-metric"),
        ({"__name__": "kube_node_spec_unschedulable", "node": "n1"}, "unknown-metric"),
        (
            {"__name__": "x", "condition": "MemoryPressure", "status": "true", "node": "n1"},
            "other-condition",
        ),
    ],
)
def test_what_does_not_say_whether_a_node_is_up_is_left_out(labels, rule):
    trace = read(series([1, 0, 1], **labels), strict=True)
    assert len(trace.frame) == 0
    assert trace.report.dropped == {rule: 3}
    assert trace.watch is None


def test_an_exporter_that_stops_is_no_failure_of_its_node():
    both = up([1, 0, 0, 1], "n1:9100"), up([1, 1, 0, 1], "n1:9400")
    frame, report = read(*both)
    assert minutes(frame) == ([2.0], [1.0])
    assert report.counts == {"same-node": 4, "in-service": 3}


def test_every_status_of_a_condition_tells_that_a_node_is_down():
    states = [
        ready([1, 0, 0, 1, 1]),
        ready([0, 1, 0, 0, 0], "false"),
        ready([0, 0, 1, 0, 0], "unknown"),
    ]
    for some in (states, states[::-1], states[:1]):
        assert minutes(read(*some).frame) == ([1.0], [2.0])


def test_a_node_that_comes_late_or_goes_early_was_not_watched():
    frame, report = read(up([1] * 10), up([1, 0, 1], "n2:9100", first=4))
    starts, repairs = minutes(frame)
    assert (starts, repairs) == ([0.0, 5.0, 7.0], [4.0, 1.0, 2.0])
    assert frame["fails"].tolist() == [False, True, False]
    assert frame["cause"].tolist() == ["not watched", "up", "not watched"]
    assert report.counts["not-watched"] == 1
    assert report.counts["in-service"] == 10


def test_a_node_with_one_sample_is_one_row():
    frame = read(up([1] * 10), up([1], "n2:9100", first=4)).frame
    assert minutes(frame) == ([0.0], [9.0])
    assert frame["fails"].tolist() == [False]


def test_a_node_that_was_down_when_first_seen_did_not_fail_then():
    frame, report = read(up([1] * 6), up([0, 0, 1], "n2:9100", first=3))
    assert minutes(frame) == ([0.0], [5.0])
    assert frame["fails"].tolist() == [False]
    assert report.counts["down-from-start"] == 1


def test_missing_samples_are_noted_and_change_nothing():
    frame, report = read(up([1, 0, None, None, 0, 1, None, 1, 1, 1, 1]))
    assert minutes(frame) == ([1.0], [4.0])
    (gap,) = [problem for problem in report.problems if problem.rule == "gap"]
    assert gap.reason == "2 gaps, the longest of 180 s: taken as before each"


def test_clusters_are_systems():
    trace = read(
        ready([1, 0, 1]) | {"metric": ready([])["metric"] | {"cluster": "a"}},
        ready([1, 1, 0]) | {"metric": ready([])["metric"] | {"cluster": "b"}},
    )
    assert trace.frame["system"].tolist() == ["a", "b"]
    assert watched(trace) == (START, START + 120, None)
    assert len(read(up([1, 0, 1], cluster="a"), system="a").frame) == 1


def test_a_series_without_a_node_is_one_thing():
    frame, report = read(series([1, 0, 1], __name__="up", job="web"))
    assert frame["node"].tolist() == [""]
    assert report.counts["no-node"] == 1


@pytest.mark.parametrize(
    "pair", [[START, "NaN"], [START, "0.5"], [START, "-1"], ["x", "1"], [START], 7, [START, None]]
)
def test_a_spoiled_sample_is_dropped(pair):
    one = up([1, 0, 1])
    one["values"].append(pair)
    frame, report = read(one)
    assert len(frame) == 1
    assert report.lines("dropped").tolist() == [1]
    with pytest.raises(ValueError, match=r"^line 1: no time with 0, 1 or more: "):
        read(one, strict=True)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"metric": {}, "value": [START, "1"]}, "an instant query has one time only"),
        ({"values": []}, "no metric with values over time"),
        (7, "no metric with values over time: 7"),
    ],
)
def test_what_is_no_series_is_dropped(entry, reason):
    frame, report = read(entry, up([1, 0, 1]))
    assert len(frame) == 1
    (problem,) = report.problems
    assert (problem.rule, problem.effect) == ("bad-series", "dropped")
    assert reason in problem.reason


def test_an_answer_that_is_cut_yields_its_beginning():
    text = whole(up([1, 0, 1]), up([1, 0, 1], "n2:9100"))
    frame, report = read_prometheus(io.StringIO(text[:-30]))
    assert frame["node"].tolist() == ["n1"]
    assert report.counts["bad-json"] == 1


@pytest.mark.parametrize("text", ["", "{}", '{"status": "error", "error": "timeout"}', "[]"])
def test_answers_without_a_series(text):
    trace = read_prometheus(io.StringIO(text))
    assert len(trace.frame) == 0
    assert "empty" in trace.report.dropped


def test_all_samples_are_accounted_for():
    rng = np.random.default_rng(1)
    results = [
        up(rng.integers(0, 2, size=20).tolist(), f"n{place % 5}:{place}", first=place % 3)
        for place in range(12)
    ]
    frame, report = read(*results, series([1, 0], __name__="node_load1"))
    away = Counter(one.effect for one in report.problems if one.effect == "dropped")
    for one in report.several:
        away[one.effect] += one.lines.size
    assert report.records == 242
    assert len(frame) + away.total() == report.records
