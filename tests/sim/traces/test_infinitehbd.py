import io
import json

import numpy as np
import pytest

from sim.traces import read_infinitehbd
from tests.traces import require


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
    assert report.counts == {"already-open": 2, "never-ends": 2}


def test_an_end_without_a_start_is_dropped():
    assert read([event(1.0, "end")]).report.dropped == {"end-without-start": 1}


@pytest.mark.parametrize(
    "entry", [{}, 7, event("noon", "start"), event(1.0, "pause"), event(float("nan"), "start")]
)
def test_spoiled_records_are_dropped_and_told(entry):
    text = [event(1.0, "start"), entry, event(2.0, "end")]
    frame, report = read(text)
    assert len(frame) == 1
    assert report.dropped == {"bad-record": 1}
    with pytest.raises(ValueError, match=r"^line 12: the record lacks or spoils"):
        read(text, strict=True)


def test_a_cut_file_yields_its_beginning():
    text = json.dumps([event(1.0, "start"), event(2.0, "end"), event(3.0, "start")], indent=1)
    frame, report = read_infinitehbd(io.StringIO(text[:-40]))
    assert frame["repair"].tolist() == [86_400.0]
    assert report.dropped == {"bad-json": 1}
    assert read_infinitehbd(io.StringIO(text[:-2])).report.counts == {
        "bad-json": 1,
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
def test_an_element_that_is_no_record_is_shown(entry):
    report = read([entry, event(2.0, "start")]).report
    assert report.problems[0].reason == f"the record lacks or spoils its fields: it is {entry}"
