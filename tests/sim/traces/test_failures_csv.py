import io

import numpy as np
import pytest

from sim.traces import read_failures_csv


def read(text, **options):
    return read_failures_csv(io.StringIO(text), **options)


def test_bare_times_without_a_header():
    frame, report = read("10\n20.5\n\n# a remark\n40\n")
    assert frame["time"].tolist() == [10.0, 20.5, 40.0]
    assert frame["line"].tolist() == [1, 2, 5]
    assert frame["repair"].isna().all()
    assert frame["node"].tolist() == [-1, -1, -1]
    assert report.problems == ()


def test_the_second_bare_column_is_the_repair():
    assert read("10,3\n20,4\n").frame["repair"].tolist() == [3.0, 4.0]


def test_columns_are_found_by_name_and_synonym():
    frame, _ = read(
        "Host,Started,Fixed,Reason\n"
        "n1,2024-01-01T00:00:00,2024-01-01T01:00:00,power\n"
        "n2,2024-01-02 00:00:00+02:00,,\n"
    )
    assert frame["time"].tolist() == [1_704_067_200.0, 1_704_146_400.0]
    np.testing.assert_array_equal(frame["repair"], [3600.0, np.nan])
    assert frame["node"].tolist() == ["n1", "n2"]
    assert frame["cause"].tolist() == ["power", ""]


def test_whole_numbered_nodes_are_integers():
    frame, _ = read("time_s,node,repair_s\n1,7,2\n3,7,2\n")
    assert frame["node"].dtype == np.int64
    assert len(read("time,node\n1,7\n3,8\n", node=7).frame) == 1


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
        ("1,2\n3\n", "wrong-columns", "line 2: 1 columns instead of 2"),
        ("1\nnoon\n", "bad-time", "line 2: time 'noon' is not seconds or an ISO date"),
        ("1\nnan\n", "bad-time", "line 2: time 'nan' is not seconds or an ISO date"),
        ("1\ninf\n", "bad-time", "line 2: time 'inf' is not seconds or an ISO date"),
        ("", "empty", "line 1: the file holds no failure"),
        ("time,node\n", "empty", "line 1: the file holds no failure"),
    ],
)
def test_what_cannot_be_used_is_dropped_and_told(text, rule, reason):
    _, report = read(text)
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=f"^{reason}$"):
        read(text, strict=True)


@pytest.mark.parametrize(
    ("repair", "rule"),
    [("-3", "negative-repair"), ("long", "bad-repair"), ("nan", "bad-repair")],
)
def test_a_bad_repair_becomes_unknown_and_the_failure_stays(repair, rule):
    frame, report = read(f"1,2\n5,{repair}\n")
    np.testing.assert_array_equal(frame["repair"], [2.0, np.nan])
    assert report.counts == {rule: 1}
    assert report.dropped == {}
    with pytest.raises(ValueError, match="line 2: repair"):
        read(f"1,2\n5,{repair}\n", strict=True)


def test_disorder_is_noted_and_left_alone():
    frame, report = read("5\n3\n4\n", strict=True)
    assert frame["time"].tolist() == [5.0, 3.0, 4.0]
    assert [(p.line, p.rule) for p in report.problems] == [(2, "unsorted")]


def test_a_header_without_a_time_is_refused():
    with pytest.raises(ValueError, match="line 1: the header must name a column 'time'"):
        read("node,cause\n1,x\n")
    with pytest.raises(ValueError, match="line 1: the header must name a column 'time'"):
        read("moment\n1\n")


def test_what_is_no_text_is_refused_and_not_taken_for_seconds():
    with pytest.raises(ValueError, match=r"must be text, got binary data$"):
        read("\x7fELF\0\0\n12\n34\n")


@pytest.mark.parametrize("delimiter", ["", ", ", None, 3])
def test_a_delimiter_is_one_character(delimiter):
    with pytest.raises(ValueError, match=r"^delimiter must be one character, got "):
        read("1\n", delimiter=delimiter)


def test_semicolons_on_request():
    assert read("time;node\n1;2\n", delimiter=";").frame["node"].tolist() == [2]
