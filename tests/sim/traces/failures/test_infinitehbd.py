import io
import json

import numpy as np
import pytest

from sim.traces import read_infinitehbd
from tests.support.logs import require


def event(time, kind, node="a", desc="lost"):
    return {
        "node_id": node,
        "event_time": time,
        "event_type": f"fault_{kind}",
        "fault_type": {"Level": "Hardware Failure", "Class": "GPU", "Desc": desc},
    }


def read(entries, **options):
    return read_infinitehbd(io.StringIO(json.dumps(entries, indent=1)), **options)


def test_starts_and_ends_are_paired():
    frame, report = read(
        [event(1.0, "start"), event(1.5, "start", "b"), event(3.0, "end"), event(3.5, "end", "b")],
        strict=True,
    )
    assert frame["time"].tolist() == [86_400.0, 129_600.0]
    assert frame["repair"].tolist() == [172_800.0, 172_800.0]
    assert frame["cause"].tolist() == ["Hardware Failure"] * 2
    assert frame["line"].tolist() == [2, 12]
    assert (report.records, report.problems) == (4, ())


def test_overlaps_are_served_in_order_and_noted():
    frame, report = read(
        [event(1.0, "start"), event(2.0, "start"), event(4.0, "end"), event(5.0, "start")]
    )
    np.testing.assert_array_equal(frame["repair"], [3 * 86_400.0, np.nan, np.nan])
    assert report.counts == {"already-open": 2, "never-ends": 2, "fault-end": 1}
    assert report.lines("merged").size == 1


def test_an_end_without_a_start_is_dropped():
    assert read([event(1.0, "end")]).report.dropped == {"end-without-start": 1}


@pytest.mark.parametrize(
    "entry",
    [
        {},
        7,
        event("noon", "start"),
        event("1_0", "start"),
        event(True, "start"),
        event(None, "start"),
        event(10**400, "start"),
        event(-(10**400), "end"),
        event(1.0, "pause"),
        event(-1.0, "start"),
        event(float("nan"), "start"),
        event(1.0, "start", node=None),
        event(1.0, "start", node=["a"]),
        event(1.0, "start", desc={"a": 1}),
    ],
)
def test_spoiled_records_are_dropped_and_reported(entry):
    text = [event(1.0, "start"), entry, event(2.0, "end")]
    frame, report = read(text)
    assert len(frame) == 1
    assert report.dropped == {"bad-record": 1}
    with pytest.raises(ValueError, match=r"^line 12: the record lacks or spoils"):
        read(text, strict=True)


def test_a_fault_that_ends_before_it_starts_has_an_unknown_repair():
    frame, report = read([event(3.0, "start"), event(1.0, "end")])
    assert frame["time"].tolist() == [259_200.0]
    assert np.isnan(frame["repair"]).tolist() == [True]
    (problem,) = report.problems
    assert (problem.line, problem.rule, problem.effect) == (12, "negative-repair", "repaired")


def test_a_broken_record_spoils_itself_only():
    text = json.dumps([event(float(day), "start", f"n{day}") for day in range(4)], indent=1)
    for broken in (
        text.replace('"event_time": 1.0', '"event_time": 1.0.0'),
        text.replace('"n1"', '"n1'),
        text.replace('"node_id": "n1"', '"node_id" "n1"'),
        text.replace('"event_time": 1.0', f'"event_time": {"9" * 5_000}x'),
    ):
        frame, report = read_infinitehbd(io.StringIO(broken))
        assert frame["node"].tolist() == ["n0", "n2", "n3"]
        assert report.dropped == {"bad-json": 1}
        assert 12 <= report.problems[1].line <= 20


def test_a_number_too_long_to_convert_spoils_its_record_only():
    text = json.dumps([event(1.0, "start"), event(2.0, "end")])
    frame, report = read_infinitehbd(io.StringIO(text.replace("2.0", "9" * 5_000)))
    assert len(frame) == 1
    assert report.dropped == {"bad-record": 1}


@pytest.mark.parametrize("text", ["[" * 100_000, '[{"a":' * 100_000, "{" * 100_000])
def test_nesting_without_end_is_a_problem_not_a_traceback(text):
    report = read_infinitehbd(io.StringIO(text)).report
    assert "bad-json" in report.dropped


@pytest.mark.parametrize("more", ["\n[]", "\n[{}]", "}", "\n,{}"])
def test_what_follows_the_list_is_reported(more):
    text = json.dumps([event(1.0, "start"), event(2.0, "end")], indent=1)
    frame, report = read_infinitehbd(io.StringIO(text + more))
    assert len(frame) == 1
    assert report.dropped == {"bad-json": 1}
    assert read_infinitehbd(io.StringIO(text + "\n\n")).report.problems == ()


@pytest.mark.parametrize("before", ["events: ", '{"events": '])
def test_what_stands_before_the_list_is_reported(before):
    text = before + json.dumps([event(1.0, "start"), event(2.0, "end")])
    report = read_infinitehbd(io.StringIO(text)).report
    assert "bad-json" in report.dropped
    assert report.problems[0].line == 1


def test_records_line_by_line_are_read_and_the_missing_list_is_reported():
    text = "\n".join(json.dumps(event(day, "start", f"n{day}")) for day in (1.0, 2.0))
    frame, report = read_infinitehbd(io.StringIO(text))
    assert len(frame) == 2
    assert "bad-json" in report.dropped


def test_a_cut_file_yields_its_beginning():
    text = json.dumps([event(1.0, "start"), event(2.0, "end"), event(3.0, "start")], indent=1)
    frame, report = read_infinitehbd(io.StringIO(text[:-40]))
    assert frame["repair"].tolist() == [86_400.0]
    assert report.dropped == {"bad-json": 1}
    assert read_infinitehbd(io.StringIO(text[:-2])).report.counts == {
        "bad-json": 1,
        "fault-end": 1,
        "never-ends": 1,
    }


@pytest.mark.parametrize("text", ["", "[]", "nonsense"])
def test_files_without_records(text):
    frame, report = read_infinitehbd(io.StringIO(text))
    assert len(frame) == 0
    assert "empty" in report.dropped


def test_the_published_log():
    path = require("failures/infinitehbd-gpu-servers/fault_trace.json.xz")
    frame, report = read_infinitehbd(path, strict=True)
    assert (len(frame), frame["node"].nunique()) == (584, 231)
    assert frame["time"].iloc[0] == pytest.approx(3.8955 * 86_400.0)
    assert frame["repair"].median() / 86_400.0 == pytest.approx(0.85, abs=0.005)
    assert frame["repair"].mean() / 86_400.0 == pytest.approx(5.5, abs=0.05)
    assert report.problems == ()


@pytest.mark.parametrize("entry", [7, None, {"node_id": "a", "fault_type": "lost"}])
def test_an_element_that_is_not_a_record_is_shown(entry):
    report = read([entry, event(2.0, "start")]).report
    assert report.problems[0].reason == f"the record lacks or spoils its fields: it is {entry}"
