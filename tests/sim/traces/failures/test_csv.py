import io

import numpy as np
import pytest

from sim.traces import Columns, failure_log, read_failures_csv


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
        "n1,2024-01-01T00:00:00Z,2024-01-01T01:00:00Z,power\n"
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
        ("1\nnoon\n", "bad-time", "line 2: time 'noon' is not seconds or a date"),
        ("1\nnan\n", "bad-time", "line 2: time 'nan' is not seconds or a date"),
        ("1\ninf\n", "bad-time", "line 2: time 'inf' is not seconds or a date"),
        ("1\n-5\n", "bad-time", "line 2: time '-5' is below 0"),
        ("time,node\n1,2\n-0.5,3\n", "bad-time", "line 3: time '-0.5' is below 0"),
        ("", "empty", "line 1: the file holds no failure"),
        ("time,node\n", "empty", "line 1: the file holds no failure"),
    ],
)
def test_what_cannot_be_used_is_dropped_and_reported(text, rule, reason):
    _, report = read(text)
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=f"^{reason}$"):
        read(text, strict=True)


def test_a_date_before_1970_is_a_time():
    frame, report = read("1969-12-31T23:59:59Z\n1970-01-01\n")
    assert frame["time"].tolist() == [-1.0, 0.0]
    assert report.dropped == {}


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


@pytest.mark.parametrize(
    "header",
    [
        "node,down,up",
        "Node,Down,Up",
        "hostname,start_time,end_time",
        "identifier,date,fixed",
        "Hardware Identifier,Date,returned",
        "hardware-id,Failure Date,up since",
        "server,went down,back up",
    ],
)
def test_columns_are_called_many_things(header):
    frame, report = read(f"{header}\nn1,100,130\nn2,200,260\n")
    assert frame["time"].tolist() == [100.0, 200.0]
    assert frame["repair"].tolist() == [30.0, 60.0]
    assert frame["node"].tolist() == ["n1", "n2"]
    assert report.problems == ()


def test_the_better_name_counts_and_columns_without_use_are_reported():
    frame, report = read("date,start,up,end,note\n1,2,9,3,x\n")
    assert (frame["time"].tolist(), frame["repair"].tolist()) == ([2.0], [1.0])
    assert [(p.line, p.rule, p.effect) for p in report.problems] == [
        (1, "ignored-columns", "noted")
    ]
    assert report.problems[0].reason == "columns that are not used: date, up, note"
    assert read("1,2,3\n").report.counts == {"ignored-columns": 1}


def test_a_day_and_a_time_of_day_are_one_time():
    text = "Date,Time,Node\n11/29/2003,7:00,a\n11/30/2003,19:30:15,b\n"
    frame, report = read(text)
    assert frame["time"].tolist() == [1_070_089_200.0, 1_070_220_615.0]
    assert report.counts == {"date-order": 1}
    assert read("date,time\nMonday,17\n").frame["time"].tolist() == [17.0]


PNNL = (
    "Date,Hardware Identifier,What Failed,Description Of Failure,Action Taken\n"
    "11/29/2003 7:00,node12,Disk,bad sectors,replaced\n"
    '1/2/2004 19:05,node7,Memory,"parity, twice",replaced\n'
)


def test_dates_of_an_operator_are_read_and_their_order_is_stated():
    frame, report = read(PNNL)
    assert frame["time"].tolist() == [1_070_089_200.0, 1_073_070_300.0]
    assert frame["node"].tolist() == ["node12", "node7"]
    assert frame["cause"].tolist() == ["Disk", "Memory"]
    reasons = {problem.rule: problem.reason for problem in report.problems}
    assert reasons["date-order"] == "dates are month/day/year, as 11/29/2003 7:00 shows"
    assert reasons["ignored-columns"].endswith("Description Of Failure, Action Taken")


@pytest.mark.parametrize(
    ("dates", "seconds", "words"),
    [
        (("1/2/2004", "29/11/2003"), 1_075_593_600.0, "day/month/year, as 29/11/2003 shows"),
        (("1/2/2004", "11/29/2003"), 1_073_001_600.0, "month/day/year, as 11/29/2003 shows"),
        (("1/2/2004", "2/1/2004"), 1_073_001_600.0, "taken as month/day/year: no day is above 12"),
        (("1.2.2004", "1.3.2004"), 1_075_593_600.0, "taken as day/month/year: no day is above 12"),
        (("1.2.2004", "1.30.2004"), 1_073_001_600.0, "month/day/year, as 1.30.2004 shows"),
        (("1-2-04 0:00:00", "1-30-04"), 1_073_001_600.0, "month/day/year, as 1-30-04 shows"),
    ],
)
def test_the_order_of_day_and_month_comes_from_the_file(dates, seconds, words):
    frame, report = read("date\n" + "\n".join(dates))
    assert frame["time"][0] == seconds
    (reason,) = [problem.reason for problem in report.problems if problem.rule == "date-order"]
    assert words in reason


@pytest.mark.parametrize(
    "date",
    [
        "2004-02-01 7:05",
        "2004/2/1 07:05",
        "1 Feb 2004 7:05",
        "1-Feb-2004 7:05 AM",
        "Feb 1, 2004 07:05:00",
        "February 1 2004, 7:05am",
        "Sun Feb  1 07:05:00 2004",
        "2004-02-01T07:05:00Z",
    ],
)
def test_dates_that_leave_nothing_in_doubt(date):
    frame, report = read(f'time,node\n"{date}",7\n')
    assert frame["time"].tolist() == [1_075_619_100.0]
    assert report.problems == ()


JANUARY_8 = 1_041_984_000.0


@pytest.mark.parametrize("column", ["date", "Failure Date", "start_date"])
def test_eight_digits_in_a_column_of_dates_are_dates(column):
    frame, report = read(f"{column},node\n20030108,1\n20030109,2\n")
    assert frame["time"].tolist() == [JANUARY_8, JANUARY_8 + 86_400.0]
    (problem,) = report.problems
    assert (problem.rule, problem.line) == ("compact-dates", 2)
    assert problem.reason == "dates are yyyymmdd, as 20030108 shows"


def test_eight_digits_beside_other_dates_are_dates_too():
    frame, _ = read("time,end\n2003-01-08,20030109\n20030112,1/13/2003\n")
    assert frame["time"].tolist() == [JANUARY_8, JANUARY_8 + 4 * 86_400.0]
    assert frame["repair"].tolist() == [86_400.0, 86_400.0]


def test_eight_digits_and_a_time_of_day_are_one_time():
    frame, _ = read("date,time\n20030108,07:30\n")
    assert frame["time"].tolist() == [JANUARY_8 + 7.5 * 3600.0]


def test_eight_digits_that_no_calendar_has_are_dropped_from_a_column_of_dates():
    frame, report = read("date\n20030108\n20031301\n20030230\n")
    assert frame["time"].tolist() == [JANUARY_8]
    assert report.dropped == {"bad-time": 2}


@pytest.mark.parametrize("header", ["time\n", ""])
def test_several_times_that_are_all_days_are_dates(header):
    frame, _ = read(f"{header}20030108\n20030109\n")
    assert frame["time"].tolist() == [JANUARY_8, JANUARY_8 + 86_400.0]


@pytest.mark.parametrize("header", ["time\n", ""])
def test_seconds_that_could_be_dates_are_noted(header):
    frame, report = read(f"{header}20030108\n")
    assert frame["time"].tolist() == [20_030_108.0]
    (problem,) = report.problems
    assert problem.rule == "compact-dates"
    assert problem.reason == (
        "20030108 is taken as seconds; for a date (yyyymmdd) name the column 'date'"
    )


@pytest.mark.parametrize(("column", "noted"), [("time", 0), ("date", 1)])
def test_seconds_of_several_lengths_are_seconds(column, noted):
    frame, report = read(f"{column}\n9999999\n20030108\n")
    assert frame["time"].tolist() == [9_999_999.0, 20_030_108.0]
    assert [problem.rule for problem in report.problems] == ["compact-dates"] * noted


def test_dates_against_the_order_of_the_others_are_dropped_and_reported():
    frame, report = read("date\n1/30/2004\n1/31/2004\n31/1/2004\n2/30/2004\n")
    assert len(frame) == 2
    assert report.dropped == {"bad-time": 2}
    reasons = [problem.reason for problem in report.problems]
    assert reasons[0].endswith("as 1/30/2004 shows; 1 of 4 cannot be")
    assert reasons[1] == "time '31/1/2004' is not seconds or a date"


@pytest.mark.parametrize("date", ["1/2/2004 25:00", "1/2/2004 7:60", "1/2/2004 13:00 PM", "1/2/2"])
def test_times_that_no_clock_shows_are_dropped(date):
    assert read(f"time\n5\n{date}\n").report.dropped == {"bad-time": 1}


def test_a_node_below_zero_is_unknown():
    frame, report = read("time,node\n1,-5\n2,3\n3,-1\n")
    assert frame["node"].tolist() == [-1, 3, -1]
    assert report.counts == {"bad-node": 1}


def test_disorder_is_noted_and_left_alone():
    frame, report = read("5\n3\n4\n", strict=True)
    assert frame["time"].tolist() == [5.0, 3.0, 4.0]
    assert [(p.line, p.rule) for p in report.problems] == [(2, "unsorted")]


def test_a_header_without_a_time_is_refused():
    with pytest.raises(ValueError, match="line 1: the header must name a column 'time'"):
        read("node,cause\n1,x\n")
    with pytest.raises(ValueError, match="line 1: the header must name a column 'time'"):
        read("moment\n1\n")


def test_when_nodes_came_back_is_not_taken_for_when_they_failed():
    text = "node,what,up\nn1,disk,2026-01-01\nn2,disk,2026-01-05\n"
    with pytest.raises(ValueError, match=r"^line 1: the time must be when nodes failed, got only"):
        read(text)
    assert len(read(text, columns=Columns(time="up")).frame) == 2


def test_what_is_not_text_is_refused_and_not_taken_for_seconds():
    with pytest.raises(ValueError, match=r"must be text, got binary data$"):
        read("\x7fELF\0\0\n12\n34\n")


@pytest.mark.parametrize("delimiter", ["", "x" * 9, 3])
def test_a_delimiter_is_a_character_or_a_few(delimiter):
    with pytest.raises(ValueError, match=r"^delimiter must be one character, got "):
        read("1\n", delimiter=delimiter)


def test_semicolons_on_request():
    assert read("time;node\n1;2\n", delimiter=";").frame["node"].tolist() == [2]


def test_a_repair_that_is_not_from_down_to_up_is_reported():
    trace = read("time,repair,up\n0,3600,3600\n5000,2,12200\n20000,,20060\n")
    assert trace.frame["repair"].tolist() == [3600.0, 2.0, 60.0]
    (problem,) = trace.report.problems
    assert (problem.line, problem.rule, problem.effect) == (3, "repair-differs", "noted")
    assert problem.reason == "repair 2 s, but 7200 s until the end, which is not used"


@pytest.mark.parametrize("name", ["finish", "finished", "finish_time", "resolved"])
def test_when_a_node_came_back_has_many_names(name):
    assert read(f"host,begin,{name}\na,100,160\n").frame["repair"].tolist() == [60.0]


@pytest.mark.parametrize("mark", [";", "\t", "|", ","])
def test_the_separator_is_found_out(mark):
    text = 'node,down,up\n1,20,30\n"2",40,40.5\n'.replace(",", mark)
    frame = read(text).frame
    assert frame["node"].tolist() == [1, 2]
    assert frame["repair"].tolist() == [10.0, 0.5]


@pytest.mark.parametrize("column", ["system", "node"])
def test_what_the_log_does_not_name_cannot_be_chosen(column):
    message = f"^{column} must be left out for a log that names none, got '3'$"
    with pytest.raises(ValueError, match=message):
        read_failures_csv(io.StringIO("time,repair\n1,5\n2,5\n"), **{column: "3"})


def test_causes_are_left_out_of_a_log_with_planned_work():
    text = "node,down,up,cause\nn1,1,2,disk\nn1,5,6,planned maintenance\nn2,8,9,power\n"
    log = failure_log(io.StringIO(text), "csv", not_cause=["power"])
    assert (log.used.tolist(), log.filtered.tolist()) == ([2], [3, 4])


@pytest.mark.parametrize(
    ("rows", "taken", "days"),
    [
        ("2026-01-01,2\n2026-01-02,1\n2026-01-05,3\n2026-01-06,1\n", "taken to be without", 6.0),
        ("2026-01-01,2\n2026-01-02,0\n2026-01-05,3\n2026-01-06,1\n", "not counted in", 4.0),
        ("2026-01-01,2\n2026-01-02,0\n2026-01-03,3\n", None, 3.0),
    ],
)
def test_days_of_counts_without_a_row_are_told(rows, taken, days):
    found = read_failures_csv(io.StringIO("date,failures\n" + rows))
    said = [words for words in found.report.words if words.startswith("times-left-out")]
    assert found.watch.time == days * 86_400.0
    if taken is None:
        assert said == []
    else:
        assert len(said) == 1
        assert f"2 times of that length without a row are {taken}" in said[0]
