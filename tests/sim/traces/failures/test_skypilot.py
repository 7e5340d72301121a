import io
import json

import numpy as np
import pytest

from sim.traces import read_skypilot

ABOUT = {"gap_seconds": 600, "start_time": "2026-01-01T00:00:00", "zone": "us-west-2a"}
TICKS = f'{{"metadata": {json.dumps(ABOUT)}, "data": [\n0, 0, 1, 1, 0, 1]}}\n'


def watched(trace):
    return trace.watch.start, trace.watch.end, trace.watch.nodes


def read(data, about=ABOUT, **options):
    return read_skypilot(io.StringIO(json.dumps({"metadata": about, "data": data})), **options)


def test_ones_are_preemptions_where_the_metadata_say_more():
    trace = read([0, 0, 1, 1, 0, 1])
    frame = trace.frame
    assert frame["time"].tolist() == [1_767_225_600.0 + 1_200.0, 1_767_225_600.0 + 3_000.0]
    np.testing.assert_array_equal(frame["repair"], [1_200.0, np.nan])
    assert frame["system"].tolist() == ["us-west-2a"] * 2
    assert frame["fails"].tolist() == [True, True]
    assert watched(trace) == (1_767_225_600.0, 1_767_229_200.0, 1)
    assert trace.report.counts == {"meaning": 1, "in-service": 3, "still-out": 1, "open-end": 1}


def test_ones_are_instances_where_the_metadata_say_no_more():
    frame = read([1, 1, 0, 0, 1, 0], {"gap_seconds": 600}).frame
    assert frame["time"].tolist() == [1_200.0, 3_000.0]


@pytest.mark.parametrize("about", [ABOUT, {"gap_seconds": 600}])
def test_the_meaning_can_be_given(about):
    preempted = read([0, 1, 1, 0], about, meaning="preempted")
    available = read([1, 0, 0, 1], about, meaning="available")
    assert preempted.frame.equals(available.frame)
    assert preempted.frame["repair"].tolist() == [1_200.0]
    assert "meaning" not in preempted.report.counts
    with pytest.raises(ValueError, match=r"meaning must be one of available, preempted, got 'up'"):
        read([0], meaning="up")


@pytest.mark.parametrize("about", [ABOUT, {"gap_seconds": 300}])
def test_larger_numbers_count_instances(about):
    trace = read([4, 4, 1, 2, 4], about)
    frame = trace.frame
    assert trace.watch.nodes == 4
    assert frame["node"].tolist() == ["2", "3", "4"]
    step = about["gap_seconds"]
    assert frame["repair"].tolist() == [step, 2 * step, 2 * step]
    missing = 4 * 5 - (4 + 4 + 1 + 2 + 4)
    assert frame["repair"].sum() == missing * step


def test_an_instance_that_is_missing_from_the_beginning_did_not_fail():
    frame, report = read([1, 0, 0, 1, 0])
    assert frame["fails"].tolist() == [False, True]
    assert report.counts["out-from-start"] == 1


@pytest.mark.parametrize("number", [-1, 0.5, "1", None, True, [1], 10**400])
def test_a_spoiled_number_is_as_the_one_before(number):
    frame, report = read([0, 1, number, 0])
    assert frame["repair"].tolist() == [1_200.0]
    assert report.counts["bad-number"] == 1
    with pytest.raises(ValueError, match=r"^line 1: "):
        read([0, 1, number, 0], strict=True)


@pytest.mark.parametrize("gap", [None, 0, -5, "600", float("nan"), True])
def test_the_length_of_an_interval_must_be_known(gap):
    with pytest.raises(ValueError, match=r"line 1: the header must name gap_seconds > 0"):
        read([0, 1], {"gap_seconds": gap})


def test_a_trace_must_have_data():
    with pytest.raises(ValueError, match=r"line 1: the header must name data, a list, got keys m"):
        read_skypilot(io.StringIO('{"metadata": {"gap_seconds": 600}}'))


@pytest.mark.parametrize("start", ["soon", "1e999", 7e300])
def test_a_start_that_is_no_date_is_noted(start):
    frame, report = read([0, 1], ABOUT | {"start_time": start})
    assert frame["time"].tolist() == [600.0]
    assert report.counts["bad-start"] == 1


def test_lines_are_those_of_the_numbers():
    text = json.dumps({"metadata": ABOUT, "data": [0, 1, 1, 0]}, indent=1)
    frame, report = read_skypilot(io.StringIO(text))
    assert frame["line"].tolist() == [text[: text.index("1,")].count("\n") + 1]
    assert report.lines("merged").tolist() == [frame["line"].iloc[0] + 1]


def test_a_trace_without_intervals():
    trace = read([])
    assert (len(trace.frame), trace.report.dropped) == (0, {"empty": 1})
