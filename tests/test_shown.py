"""What a session or a notebook shows of results: short, and as tables whose text is escaped."""

import re
import warnings
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from perfmodel import completion, fitting, lifetimes, partition, planning
from perfmodel.validity import ValidityWarning
from sim import cluster, study, traces
from sim.cluster import bluegene
from validation.judge.verdict import Verdict

_LONGEST = 500
JOB = {"mtbf": 8.0, "checkpoint_cost": 0.1, "interval": 2.0}
JOBS = cluster.Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
TABLE = bluegene.regular(1, 1)
HOSTILE = "<script>alert(1)</script>"
GRID = cluster.Grid((cluster.ClusterSpec(HOSTILE, 4),))
_HOSTILE = {"grid", "study", "trace", "verdict"}  # that have it in a text of theirs


def results():
    rng = np.random.default_rng(1)
    yield "law", completion.exact_makespan(9.0, downtime=1.0, **JOB)
    yield "gamma", completion.wsj_makespan(9.0, downtime=1.0, **JOB)
    yield "lifetime", lifetimes.Weibull(0.7, 3.0)
    yield "record", lifetimes.Empirical(rng.exponential(size=100_000))
    fits = fitting.fit_lifetime(rng.exponential(size=50))
    yield "fits", fits
    yield "fit", fits.best
    yield "machines", partition.Machines(rng.uniform(1, 2, 500), rng.uniform(7, 9, 500))
    yield "schedule", partition.schedule_bisection(9.0, partition.Machines([1.0, 2.0], [9.0, 8.0]))
    yield (
        "plan",
        planning.plan(
            {"failures": {"mtbf": "8h"}, "job": {"work": "7d"}, "checkpoint": {"cost": "6min"}}
        ),
    )
    yield "workload", JOBS
    yield "flat", cluster.flat(4)
    yield "blue gene", cluster.BlueGene(TABLE)
    yield "grid", GRID
    yield "failures", cluster.Failures(np.arange(1.0, 5001.0), np.zeros(5000, int), np.ones(5000))
    strike = cluster.Failures([3.0], [0], [2.0])
    yield "replay", cluster.replay(JOBS, cluster.flat(4), failures=strike)
    yield "grid replay", cluster.replay_grid(JOBS, GRID, policy="easy", seed=1)
    yield (
        "promises",
        cluster.replay_promises(
            JOBS,
            processors=4,
            forecaster=cluster.DetectabilityForecaster(0.5, 1),
            confidence=0.5,
            failures=strike,
        ),
    )
    cells = {HOSTILE: study.Cell("easy", study.DrawnFailures(4.0))}
    yield "study", study.play_study(JOBS, cluster.flat(4), cells, seeds=[1, 2])
    yield "trace", traces.Trace(pd.DataFrame({"job": [1]}), traces.Report(HOSTILE, 3, 2, ()), {})
    numbers = {"z": 1.0, "resolution": 0.1, "passed": True}
    yield "verdict", Verdict("exact", 1.0, 1.1, 0.1, **numbers, point=HOSTILE)


@pytest.fixture(scope="module")
def every():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return dict(results())


def test_they_are_short_in_a_session(every):
    long = {name: len(repr(result)) for name, result in every.items()}
    assert {name: length for name, length in long.items() if length > _LONGEST} == {}
    assert {name for name, result in every.items() if "\n" in repr(result)} <= {"record"}


class Tables(HTMLParser):
    """Which elements a text has, and whether each was closed."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_they_are_tables_in_a_notebook(every):
    for name, result in every.items():
        text = result._repr_html_()
        page = Tables()
        page.feed(text)
        assert page.open == [], name
        assert page.seen >= {"table", "tbody", "tr", "td"}, name
        assert page.seen <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "div"}, name
        assert len(text) < 20_000, name
        assert (HOSTILE in "".join(page.text)) == (name in _HOSTILE), name


def test_no_number_in_a_notebook_has_more_than_six_digits(every):
    for name, result in every.items():
        numbers = re.findall(r"[0-9]+\.[0-9]+", result._repr_html_())
        assert [each for each in numbers if len(each.replace(".", "").lstrip("0")) > 6] == [], name


def test_a_law_says_what_it_is():
    shown = completion.exact_makespan(9.0, downtime=1.0, **JOB)._repr_html_()
    law = completion.exact_makespan(9.0, downtime=1.0, **JOB)
    for value in (law.mean, law.std, *law.ppf([0.5, 0.9, 0.99])):
        assert f"{value:.6g}" in shown


def test_a_long_table_says_how_much_is_left_out(every):
    assert "and 470 more" in every["machines"]._repr_html_()


def test_fits_name_the_best_first(every):
    assert repr(every["fits"]).startswith(f"<fits of 50 durations: {every['fits'].best.family}")
