import io

import numpy as np
import pytest

from sim.traces import read_fta, read_fta_table
from tests.support.logs import require

HEAD = (
    "# event_id component_id node_id platform_id node_name event_type"
    " event_start_time event_stop_time event_end_reason\n"
)
ROWS = (
    "0 0 0 5 n1 0 100 160 NULL\n"
    "1 0 0 5 n1 1 160 400 NULL\n"
    "2 0 0 5 n1 0 400 410 reboot\n"
    "3 0 9 5 n2 1 100 410 NULL\n"
)


def read(text, **options):
    return read_fta(io.StringIO(text), **options)


def test_unavailable_intervals_are_failures_and_their_repairs():
    trace = read(HEAD + ROWS)
    assert trace.frame["time"].tolist() == [100.0, 400.0]
    assert trace.frame["repair"].tolist() == [60.0, 10.0]
    assert trace.frame["cause"].tolist() == ["", "reboot"]
    assert trace.frame["line"].tolist() == [2, 4]
    assert trace.header == {"unavailable": "2", "available": "2"}
    assert (trace.report.records, trace.report.rows) == (4, 2)


def test_the_other_intervals_on_request():
    assert read(HEAD + ROWS, state="available").frame["node"].tolist() == ["n1", "n2"]
    both = read(HEAD + ROWS, state="both", node="n1").frame
    assert both["available"].tolist() == [False, True, False]
    with pytest.raises(ValueError, match=r"state must be .* got 'down'"):
        read(HEAD, state="down")


@pytest.mark.parametrize(
    ("row", "rule", "reason"),
    [
        ("4 0 0 5 n1 0 100", "wrong-columns", "7 columns instead of 9"),
        ("4 0 0 5 n1 2 1 2 NULL", "bad-type", "event type '2' is neither 0 nor 1"),
        ("4 0 0 5 n1 0 x 2 NULL", "not-a-number", "a numeric column holds 'x'"),
        ("4 0 0 5 n1 0 9 2 NULL", "negative-interval", "it ends at 2, before its start 9"),
    ],
)
def test_malformed_rows(row, rule, reason):
    frame, report = read(HEAD + ROWS + row + "\n")
    assert len(frame) == 2
    assert report.dropped == {rule: 1, "other-state": 2}
    with pytest.raises(ValueError, match=f"line 6: {reason}"):
        read(HEAD + ROWS + row + "\n", strict=True)


def test_empty_and_foreign_files():
    assert read("").report.counts == {"empty": 1}
    assert read(HEAD).report.records == 0
    with pytest.raises(ValueError, match="line 1: the header must name the columns"):
        read("a b c\n")


def test_other_tables_have_numbers_where_all_values_are():
    frame, report = read_fta_table(io.StringIO("# node_id mem name\n1 NULL a\n2 5 b\n3 x\n"))
    assert frame["node_id"].dtype == np.int64
    assert frame["mem"].tolist() == [None, "5"]
    assert report.dropped == {"wrong-columns": 1}


def test_blank_lines_of_a_table_are_not_records():
    frame, report = read_fta_table(io.StringIO("a b\n\n1 2\n \n3\n\n4 5\n\n"))
    assert (report.records, report.rows) == (3, 2)
    assert report.dropped == {"wrong-columns": 1}
    assert frame["line"].tolist() == [3, 7]


def test_columns_of_one_name_are_kept_apart():
    frame, report = read_fta_table(io.StringIO("a b a line a\n1 2 3 4 x\n"))
    assert list(frame.columns) == ["a", "b", "a.2", "line.3", "a.4", "line"]
    assert frame.iloc[0].tolist() == [1, 2, 3, 4, "x", 2]
    assert report.counts == {"repeated-column": 3}


def test_thousands_of_columns_are_read_in_one_pass():
    """Not timed: adding columns one by one took n^2 steps."""
    names = " ".join(f"c{n}" for n in range(2_000))
    assert read_fta_table(io.StringIO(f"{names}\n")).frame.shape == (0, 2_001)
    assert read_fta_table(io.StringIO("a " * 2_000 + "\n")).frame.shape == (0, 2_001)


@pytest.mark.slow
def test_the_published_grid5000_tables():
    """Counts of the archive, and the mean up and down intervals it prints: 32.41 and 7.41 h."""
    path = require("failures/grid5000-fta/event_trace.tab.xz")
    frame, report = read_fta(path.parent, state="both", strict=True)
    assert (report.records, report.problems) == (588_463, ())
    up, down = frame[frame["available"]], frame[~frame["available"]]
    assert (len(up), len(down)) == (294_318, 294_145)
    assert frame["node"].nunique() == 1_288
    assert down["repair"].mean() / 3600.0 == pytest.approx(7.41, abs=0.005)
    assert up["repair"].mean() / 3600.0 == pytest.approx(32.41, abs=0.005)
    nodes, report = read_fta_table(path.parent / "node.tab.xz")
    assert len(nodes) == 1_288
    assert report.problems == ()
