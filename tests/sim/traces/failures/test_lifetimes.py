import io

import numpy as np
import pytest

from sim.traces import read_lifetimes


def read(text, **options):
    return read_lifetimes(io.StringIO(text), **options)


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("event", "0"),
        ("observed", "0"),
        ("event_observed", "0"),
        ("failed", "0"),
        ("Dead", "0"),
        ("censored", "1"),
        ("right-censored", "1"),
        ("isCensored", "1"),
        ("alive", "1"),
    ],
)
def test_the_name_says_what_a_one_means(name, cut):
    frame, report = read(f"duration_s,{name}\n5,{cut}\n8,{1 - int(cut)}\n", strict=True)
    assert frame["duration"].tolist() == [5.0, 8.0]
    assert frame["censored"].tolist() == [True, False]
    assert frame["line"].tolist() == [2, 3]
    assert report.problems == ()


@pytest.mark.parametrize(
    ("yes", "no"), [("1", "0"), ("true", "false"), ("TRUE", "FALSE"), ("yes", "no")]
)
def test_flags_in_words(yes, no):
    frame = read(f"time,censored\n5,{yes}\n8,{no}\n").frame
    assert frame["censored"].tolist() == [True, False]


@pytest.mark.parametrize("name", ["status", "state", "outcome"])
@pytest.mark.parametrize(
    ("cut", "ended"), [("censored", "failed"), ("running", "dead"), ("S", "F"), ("alive", "ended")]
)
def test_words_say_it_whatever_the_name(name, cut, ended):
    trace = read(f"hours,{name}\n5,{cut}\n8,{ended}\n")
    assert trace.frame["censored"].tolist() == [True, False]
    assert trace.frame["duration"].tolist() == [18_000.0, 28_800.0]
    assert f'cut off where "{name}" is {cut.lower()}' in trace.understood


@pytest.mark.parametrize("values", [("0", "1"), ("1", "2"), ("a", "b"), ("true", "false")])
def test_what_the_name_does_not_tell_is_refused_with_both_readings(values):
    first, second = values
    text = f"duration,status\n5,{first}\n8,{second}\n"
    low, high = sorted(values)
    ways = rf"censored_column as status={low} or as status={high}"
    with pytest.raises(ValueError, match=rf"^line 1: the column status must say .* {ways}"):
        read(text)
    assert read(text, censored_column=f"status={first}").frame["censored"].tolist() == [True, False]
    assert read(text, censored_column=f"status={second}").frame["censored"].tolist() == [
        False,
        True,
    ]


def test_an_event_that_is_empty_has_not_come():
    trace = read("duration,event\n5,\n8,double bit error\n")
    assert trace.frame["censored"].tolist() == [True, False]
    assert read("duration,event\n5,\n8,x\n", censored_column="event=").frame["censored"].iloc[0]


@pytest.mark.parametrize(
    ("header", "unit", "seconds"),
    [
        ("duration", None, 1.0),
        ("duration_h", None, 3_600.0),
        ("days", None, 86_400.0),
        ("lifetime (min)", None, 60.0),
        ("duration", "h", 3_600.0),
        ("time_in_sec", None, 1.0),
    ],
)
def test_units(header, unit, seconds):
    trace = read(f"{header},censored\n5,0\n", unit=unit)
    assert trace.frame["duration"].tolist() == [5.0 * seconds]
    assert ("no-unit" in trace.report.counts) == (header == "duration" and unit is None)


def test_lifetimes_in_words_have_their_own_units():
    frame = read("uptime,censored\n4h 9m,0\n1 day,1\n").frame
    assert frame["duration"].tolist() == [14_940.0, 86_400.0]


def test_a_single_column_needs_no_header():
    trace = read("5\n8\n")
    assert trace.frame["duration"].tolist() == [5.0, 8.0]
    assert not trace.frame["censored"].any()
    assert trace.report.counts == {"all-ended": 1, "no-unit": 1}


def test_other_columns_of_numbers_may_be_there():
    frame = read("id,slot,duration,dead\n1,4,50,1\n2,5,80,0\n").frame
    assert frame["duration"].tolist() == [50.0, 80.0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("days,hours\n1,24\n", "several columns can be the lifetimes: .*one of days, hours"),
        ("a,b\n3,4\n", "several columns can be the lifetimes: .*one of a, b"),
        ("node,cause\nn1,disk\n", "no column holds lifetimes: .*one of node, cause"),
        ("5,1\n8,0\n", "the header must name the columns, got none"),
        ("duration,dead,alive\n5,1,0\n", "several columns can say what was cut off, dead, alive"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(text, words):
    with pytest.raises(ValueError, match=rf"^line 1: {words}"):
        read(text)


def test_columns_can_be_named():
    text = "days,years,dead,alive\n365,1,0,1\n"
    frame = read(text, duration_column="days", censored_column="alive").frame
    assert (frame["duration"].iloc[0], frame["censored"].iloc[0]) == (365 * 86_400.0, True)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"duration_column": "age"}, "duration_column must be one of time, status, got 'age'"),
        ({"censored_column": "cut"}, "censored_column must be one of time, status, got 'cut'"),
        ({"censored_column": "status=2"}, "censored_column must be status= and a value of it"),
        ({"unit": "y"}, "unit must be one of"),
    ],
)
def test_what_is_not_there_is_refused(option, words):
    with pytest.raises(ValueError, match=words):
        read("time,status\n5,1\n8,0\n", **option)


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("soon,1", "bad-duration"),
        ("-5,1", "bad-duration"),
        ("1e999,1", "bad-duration"),
        ("5,", "bad-flag"),
        ("5", "wrong-columns"),
    ],
)
def test_malformed_rows(row, rule):
    rows = "".join(f"{number},{number % 2}\n" for number in range(1, 30))
    frame, report = read(f"duration,event\n{rows}{row}\n")
    assert len(frame) == 29
    assert report.dropped == {rule: 1}
    with pytest.raises(ValueError, match=r"^line 31: "):
        read(f"duration,event\n{rows}{row}\n", strict=True)


def test_a_life_that_was_cut_off_at_its_beginning_tells_nothing():
    frame, report = read("duration_s,event\n0,0\n0,1\n5,1\n")
    assert frame["duration"].tolist() == [0.0, 5.0]
    assert report.dropped == {"no-time": 1}


@pytest.mark.parametrize("text", ["", "duration,event\n"])
def test_an_empty_table(text):
    frame, report = read(text)
    assert (len(frame), report.dropped) == (0, {"empty": 1})
    assert frame["censored"].dtype == np.bool_
