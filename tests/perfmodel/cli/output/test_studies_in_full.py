"""Studies and descriptions of job logs in full: tables, JSON, rows."""

import json
import math
from types import SimpleNamespace as Made

import click
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from perfmodel.cli.answers.replays.study import Factor, Measure, Plan, plain_numbers
from perfmodel.cli.output import job_log, study
from perfmodel.cli.requests.study import Seeds, StudyRequest
from sim.study import Study
from sim.traces import MEASURES
from tests.support.paper import printed

HOUR, DAY = 3600.0, 86400.0
VALUES = {  # cell -> seed -> wait [h], use [-]
    "easy 8h": {1: (2.0, 0.5), 2: (4.0, 0.75)},
    "fcfs 8h": {1: (5.0, 0.25), 2: (9.0, 0.5)},
}


def plan_of(**changes):
    cells = {
        f"{name} 8h": {"policy": Factor(name, name), "mtbf_s": Factor(28800.0, "8h")}
        for name in ("easy", "fcfs")
    }
    made = {
        "play": None,
        "cells": cells,
        "headings": {"policy": "policy", "mtbf_s": "MTBF"},
        "measures": (
            Measure("mean_wait_s", "mean wait", "time"),
            Measure("utilization", "in use", "share"),
            Measure("lost_node_s", "lost", "node_h"),
            Measure("slowdown", "slowdown", "number"),
        ),
        "baselines": {"fcfs 8h": "easy 8h"},
    }
    return Plan(**{**made, **changes})


def study_of(seeds=(1, 2), **options):
    rows = [
        {
            "cell": cell,
            "seed": seed,
            "mean_wait_s": wait * HOUR,
            "utilization": use,
            "lost_node_s": wait * HOUR * 1000,
            "slowdown": 3.0,
            "engine": "kernel" if cell[0] == "e" else "loop",
        }
        for cell, known in VALUES.items()
        for seed, (wait, use) in known.items()
        if seed in seeds
    ]
    return Study(pd.DataFrame(rows), **options)


HEADS = ["policy", "MTBF", "mean wait\n[h]", "in use\n[%]", "lost\n[node h]", "slowdown"]
# Of two values one apart, half a 95 % interval of Student is 12.7062 / 2.
HALF = float(student(1).ppf(0.975)) / 2.0


def test_means_and_differences_with_their_intervals():
    found = printed(study._show, plan_of(), study_of())
    # Means 3 and 7 h with half-widths 2 and 4 times HALF: two digits of the widest.
    assert found == [
        (
            "table",
            2,
            HEADS,
            [
                *("easy", "8h", f"3 ± {2 * HALF:.0f}", f"62 ± {25 * HALF:.0f}"),
                *(f"3,000 ± {2000 * HALF:,.0f}", "3.00 ± 0.00"),
            ],
            [
                *("fcfs", "8h", f"7 ± {4 * HALF:.0f}", f"38 ± {25 * HALF:.0f}"),
                *(f"7,000 ± {4000 * HALF:,.0f}", "3.00 ± 0.00"),
            ],
        ),
        ("line", "Means over the seeds, ± half of their 95 % intervals (Student)."),
        ("line", "Difference to easy, seed by seed:"),
        (
            "table",
            2,
            HEADS,
            [
                *("fcfs", "8h", f"+4 ± {2 * HALF:.0f}", "-25.00 ± 0.00"),
                *(f"+4,000 ± {2000 * HALF:,.0f}", "+0.00 ± 0.00"),
            ],
        ),
    ]


def test_one_seed_has_no_interval():
    found = printed(study._show, plan_of(baselines={}), study_of(seeds=(1,)))
    assert found == [
        (
            "table",
            2,
            HEADS,
            ["easy", "8h", "2.00", "50.00", "2,000.00", "3.00"],
            ["fcfs", "8h", "5.00", "25.00", "5,000.00", "3.00"],
        )
    ]


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


def asked(**changes):
    return StudyRequest(**{"seeds": Seeds((1, 2), "1:2"), **changes})


def test_the_course_of_a_study():
    made = plan_of()
    assert study._course(made, asked(), study_of()) == [("study", "2 cells x 2 seeds, 1 to 2")]
    one = plan_of(cells={"easy 8h": made.cells["easy 8h"]})
    assert study._course(one, asked(), study_of(seeds=(2,))) == [("study", "1 cell x 1 seed, 2")]
    broken = study_of(complete=False)
    kept = "interrupted: the table has the seeds that were complete"
    assert study._course(made, asked(), broken)[1:] == [("", kept)]
    none = Study(study_of().rows[:0], complete=False)
    assert study._course(made, asked(), none) == [
        ("study", "2 cells x 0 seeds"),
        ("", "interrupted: none of its seeds was complete"),
    ]
    reach = 4 * HALF / 7 if 4 / 7 > 2 / 3 else 2 * HALF / 3
    wait = f"mean_wait_s is known to {100 * reach:.3g} % of its mean in every cell"
    enough = asked(until=5.0)
    assert study._course(made, enough, study_of())[1:] == [("", wait)]
    more = study._course(made, asked(until=0.02), study_of())[1:]
    assert more == [("", f"{wait}; 2 % takes more seeds")]
    named = study._course(made, asked(until=0.02, metric="slowdown"), study_of())[1:]
    assert named == [("", "slowdown is known to 0 % of its mean in every cell")]
    unknown = study._course(made, enough, study_of(seeds=(1,)))[1:]
    assert unknown == [("", "mean_wait_s is unknown in a cell, or its mean is 0")]


def test_seeds_that_do_not_follow_each_other_are_counted():
    rows = pd.DataFrame({"seed": [1, 5, 9] * 2})
    assert study._of_seeds(Study(rows)) == "3 seeds"
    assert study._engine(Study(rows)) == []
    assert study._engine(study_of()) == [
        ("engine", "the compiled core; the readable loop for fcfs 8h")
    ]


def test_the_json_of_a_study(capsys):
    about = {"options": {"mtbf_s": 28800.0, "seeds": None}, "version": "1"}
    request = asked(varied={"mtbf": (28800.0, 57600.0)}, until=0.02, metric="slowdown")
    study._print_json(plan_of(), request, study_of(), about)
    found = json.loads(capsys.readouterr().out)
    assert (found["seeds"], found["complete"], found["version"]) == (2, True, "1")
    assert found["options"] == {
        "mtbf_s": [28800.0, 57600.0],
        "seeds": "1:2",
        "until": 0.02,
        "metric": "slowdown",
    }

    def number(mean, reach):
        near = pytest.approx
        return {
            "mean": near(mean),
            "half_width": near(reach * HALF, rel=1e-9, abs=1e-9),
            "seeds": 2,
        }

    def metrics(wait, wait_reach, use, use_reach, slowdown):
        return {
            "mean_wait_s": number(wait * HOUR, wait_reach * HOUR),
            "utilization": number(use, use_reach),
            "lost_node_s": number(wait * HOUR * 1000, wait_reach * HOUR * 1000),
            "slowdown": number(slowdown, 0.0),
        }

    cell = {"policy": "easy", "mtbf_s": 28800.0}
    assert found["results"] == [
        {**cell, "engine": "kernel", "metrics": metrics(3.0, 2.0, 0.625, 0.25, 3.0)},
        {
            **cell,
            "policy": "fcfs",
            "engine": "loop",
            "metrics": metrics(7.0, 4.0, 0.375, 0.25, 3.0),
            "difference_to": cell,
            "differences": metrics(4.0, 2.0, -0.25, 0.0, 0.0),
        },
    ]


def test_the_json_of_a_study_that_was_interrupted_before_its_first_seed(capsys):
    about = {"options": {"on_failure": "new"}}
    request = StudyRequest(varied={"on_failure": ("new", "drop")})
    none = Study(study_of().rows[:0], complete=False)
    study._print_json(plan_of(), request, none, about)
    assert json.loads(capsys.readouterr().out) == {
        "results": [],
        "seeds": 0,
        "complete": False,
        "options": {
            "on_failure": ["new", "drop"],
            "seeds": None,
            "until": None,
            "metric": None,
        },
    }


def test_what_played_a_study_is_told_where_it_is_known(capsys):
    made = Study(study_of().rows.drop(columns="engine"))
    study._print_json(plan_of(), asked(), made, {"options": {}})
    found = json.loads(capsys.readouterr().out)["results"]
    assert [list(row)[:3] for row in found] == [["policy", "mtbf_s", "metrics"]] * 2


def test_rows_name_what_a_cell_is():
    found = study._rows(plan_of(), study_of())
    assert list(found.columns[:3]) == ["policy", "mtbf_s", "seed"]
    assert found["policy"].tolist() == ["easy", "easy", "fcfs", "fcfs"]
    assert found["mtbf_s"].tolist() == [28800.0] * 4
    assert "cell" not in found


@pytest.mark.parametrize("complete", [True, False])
def test_an_answer_of_a_study(complete, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "played", lambda *_, **__: study_of(complete=complete))
    out = tmp_path / "rows.csv"

    def answered():
        study.answer_study(
            plan_of(),
            asked(),
            request=Made(seed=1),
            facts=[("machine", "8 nodes")],
            notes=["read", "failures drawn, seed 1", "by seed 1: 5"],
            files=[],
            out=out,
            as_json=False,
        )

    def stopped():
        with pytest.raises(click.Abort):
            answered()

    found = printed(answered if complete else stopped)
    assert found[:5] == [
        ("fact", "log", "read"),
        ("fact", "", "failures drawn, seed 1 and each other anew"),
        ("fact", "", "by seed 1: 5"),
        ("fact", "machine", "8 nodes"),
        ("fact", "study", "2 cells x 2 seeds, 1 to 2"),
    ]
    assert len(pd.read_csv(out)) == 4


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
