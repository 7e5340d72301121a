"""Studies and descriptions of job logs in full: tables, JSON, rows."""

import math
from types import SimpleNamespace as Made

import numpy as np
import pandas as pd
import pytest

from perfmodel.cli.output import job_log, study
from sim.answers.studies.plan import plain_numbers
from sim.traces import MEASURES
from tests.support.paper import printed

HOUR, DAY = 3600.0, 86400.0


# Of two values one apart, half a 95 % interval of Student is 12.7062 / 2.


@pytest.mark.parametrize(
    ("means", "reaches", "expected"),
    [
        ([1.0], [math.nan], ["1.00"]),
        ([1.23456, 2.0], [0.0123, 0.5], ["1.23 ± 0.01", "2.00 ± 0.50"]),
        ([1234.5], [45.6], ["1,234 ± 46"]),
        ([1.0], [1e-7], ["1.0000 ± 0.0000"]),
        ([math.nan], [math.nan], ["-"]),
        ([1.0], [1e-10], ["1.00 ± 0.00"]),
        ([1.0], [math.inf], ["1.00 ± inf"]),
    ],
)
def test_numbers_are_shown_as_far_as_they_are_known(means, reaches, expected):
    assert study._cells(means, reaches, signed=False) == expected
    signed = study._cells(means, reaches, signed=True)
    assert signed == [text if text == "-" else f"+{text}" for text in expected]


def test_numbers_of_a_row():
    row = {"a": 1, "b": 2.5, "c": "x", "engine": "loop", "d": None, "seconds": 3.0}
    assert plain_numbers(row, "seconds") == {"a": 1, "b": 2.5, "engine": "loop"}


def described(weeks=2, processors=1024, left_out=1200):
    known = dict.fromkeys(MEASURES, 1.6) | {"jobs_per_day": 12345.6, "load": 0.5}
    known |= {"gap_mean_s": 2 * HOUR, "equal_size": 0.25, "gap_cv": math.nan}
    table = pd.DataFrame(
        [{name: value * (1 + week) for name, value in known.items()} for week in range(weeks)],
        columns=list(MEASURES),
    )
    days = {"jobs": [0.0, 1000.0, 2000.0, 3000.0, 4000.0], "load": [0.0, 0.1, 0.2, 0.3, 0.4]}
    sizes = {
        "processors": [1, 2, 4, 8, 16, 32, 64, 128, 1024],
        "share": [0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.04, 0.01],
        "load_share": [0.01, 0.02, 0.03, 0.04, 0.05, 0.05, 0.1, 0.2, 0.5],
    }
    return Made(
        jobs=5000,
        left_out=left_out,
        processors=processors,
        span=20 * DAY,
        measures=known,
        weeks=table.rename_axis("week"),
        by_hour=np.arange(24.0),
        by_weekday=np.arange(7.0) * 1000,
        days=pd.DataFrame(days),
        sizes=pd.DataFrame(sizes),
    )


def shown(name, factor):
    if name == "gap_cv":
        return "-"
    special = {"jobs_per_day": f"{12345.6 * factor:,.0f}", "load": f"{50 * factor:.1f}"}
    special |= {"gap_mean_s": f"{2 * factor:.4g} h", "equal_size": f"{25 * factor:.1f}"}
    if name in special:
        return special[name]
    if name.endswith("_s"):
        return f"{1.6 * factor:.4g} s"
    shares = {"equal_size_independent", "overrun", "equal_to_last", "accuracy_mean"}
    return f"{160 * factor:.1f}" if name in shares else f"{1.6 * factor:.3g}"


def words(name):
    shares = {"equal_size", "equal_size_independent", "overrun", "equal_to_last", "accuracy_mean"}
    return f"{MEASURES[name]} [%]" if name in {*shares, "load"} else MEASURES[name]


def test_what_a_job_log_is_like():
    found = printed(job_log.show_description, described(), ("read", "told"), dated=True)
    assert found[:3] == [
        ("fact", "log", "read\ntold"),
        ("fact", "jobs", "5,000 that ran, 1,200 left out, over 20 d"),
        ("fact", "machine", "1,024 processors"),
    ]
    heads = ["", "log", "5 % of\nweeks", "median\nweek", "95 % of\nweeks"]
    factors = (1.0, 1.05, 1.5, 1.95)
    rows = [[words(name), *(shown(name, factor) for factor in factors)] for name in MEASURES]
    assert found[3] == ("table", 1, heads, *rows)
    assert found[4:] == [
        ("line", "2 whole weeks of 50 jobs or more."),
        ("line", "Jobs a day by hour, and by day of the week:"),
        (
            "table",
            1,
            ["", *(f"{at}-{at + 3} h" for at in range(0, 24, 3))],
            ["jobs", *(f"{3 * at + 3:.1f}" for at in range(0, 24, 3))],
        ),
        (
            "table",
            1,
            ["", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
            ["jobs", *(f"{1000 * day:,.1f}" for day in range(7))],
        ),
        ("line", "Of 5 days:"),
        (
            "table",
            1,
            ["", "least", "25 %", "median", "75 %", "most"],
            ["jobs", "0", "1,000", "2,000", "3,000", "4,000"],
            ["offered load [%]", "0.0", "10.0", "20.0", "30.0", "40.0"],
        ),
        ("line", "Sizes: 9 different ones; those most asked for:"),
        (
            "table",
            0,
            ["processors", "of jobs\n[%]", "of load\n[%]"],
            ["1", "30.0", "1.0"],
            ["2", "20.0", "2.0"],
            ["4", "10.0", "3.0"],
            ["8", "10.0", "4.0"],
            ["16", "10.0", "5.0"],
            ["32", "10.0", "5.0"],
            ["64", "5.0", "10.0"],
            ["128", "4.0", "20.0"],
        ),
    ]


def test_a_job_log_of_which_less_is_known():
    made = described(weeks=1, processors=None, left_out=0)
    found = printed(job_log.show_description, made, ("read",), dated=False)
    assert found[1:3] == [
        ("fact", "jobs", "5,000 that ran, over 20 d"),
        ("fact", "machine", "not known"),
    ]
    assert found[3][2] == ["", "log"]
    assert [part[1] for part in found if part[0] == "line"] == [
        "Of 5 days:",
        "Sizes: 9 different ones; those most asked for:",
    ]
    assert found[5][3:] == (["jobs", "0", "1,000", "2,000", "3,000", "4,000"],)


def test_a_log_beside_one_drawn_from_it():
    found = printed(job_log.show_comparison, described(), described(weeks=1))
    title = "The median week of the drawn log, and where 90 % of the weeks of LOG lie:"
    rows = [[words(name), *(shown(name, f) for f in (1.0, 1.05, 1.95))] for name in MEASURES]
    assert found == [
        ("line", title),
        ("table", 1, ["", "drawn", "LOG\nfrom", "to"], *rows),
    ]
    assert printed(job_log.show_comparison, described(weeks=1), described()) == []
    assert printed(job_log.show_comparison, described(), described(weeks=0)) == []


def test_the_json_of_a_description():
    made = described()
    found = job_log.plain_description(made)
    assert list(found) == [
        *("jobs", "left_out", "processors", "span_s", "measures", "weeks", "jobs_by_hour"),
        *("jobs_by_weekday", "days", "sizes"),
    ]
    assert (found["jobs"], found["left_out"], found["span_s"]) == (5000, 1200, 20 * DAY)
    assert found["measures"] is not made.measures
    assert found["jobs_by_hour"] == list(range(24))
    assert found["jobs_by_weekday"] == [1000.0 * day for day in range(7)]
    assert [row["week"] for row in found["weeks"]] == [0, 1]
    assert found["days"]["jobs"] == [0.0, 1000.0, 2000.0, 3000.0, 4000.0]
    assert found["sizes"]["processors"][-1] == 1024
