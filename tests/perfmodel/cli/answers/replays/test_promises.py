"""Whole rows of promised deadlines, and all that a cell hands on to its replay."""

import math
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Made

import numpy as np
import pandas as pd
import pytest

import sim.cluster
from perfmodel.cli.answers.replays import promises
from perfmodel.cli.answers.replays.study import Factor, Measure
from perfmodel.cli.requests.replay import PromisesRequest
from perfmodel.cli.setups.replays.promises import PromisesSetup, forecaster_of, with_seed
from sim.cluster import Failures, Workload

HOUR, DAY = 3600.0, 86400.0


def parts(**changes):
    jobs = Workload(
        np.array([100.0, 200.0, 300.0]),
        np.array([50.0, 60.0, 70.0]),
        np.array([55.0, 65.0, 75.0]),
        np.array([1, 2, 4]),
    )
    failing = Failures(np.array([150.0, 400.0, 1000.0]), np.array([0, 1, 2]), np.array([5.0] * 3))
    made = {"processors": 8, "workload": jobs, "failures": failing, "notes": (), "job_ids": {}}
    return PromisesSetup(**{**made, **changes})


def played(end=(160.0, 300.0, 400.0)):
    """Return three jobs, the first of which a failure struck and the last of which never began."""
    records = Made(
        job=np.array([7, 8, 9]),
        submit=np.array([100.0, 200.0, 300.0]),
        first_start=np.array([110.0, 250.0, math.nan]),
        end=np.array([260.0, 400.0, math.nan]),
        failures=np.array([1, 1, 0]),
    )
    attempts = Made(
        end=np.array(end), checkpoint=np.array([3.0, 0.0, 5.0]), processors=np.array([1, 1, 4])
    )
    replay = Made(job_records=records, attempt_records=attempts, engine="kernel", engine_s=0.25)
    return Made(
        replay=replay,
        promised=np.array([0.5, 0.75, 1.0]),
        kept=np.array([True, False, True]),
        deadline=np.array([500.0, 600.0, 700.0]),
        quality_of_service=0.625,
        utilization=0.875,
        lost_work=1234.0,
    )


def of_one(promised, kept):
    """Return the class of one job; with Wilson's interval of one trial."""
    z = 1.959963984540054**2
    low, high = (1 / (1 + z), 1.0) if kept else (0.0, z / (1 + z))
    ends = {"low": pytest.approx(low), "high": pytest.approx(high)}
    return {"jobs": 1, "promised": promised, "observed": kept, **ends}


def test_a_row_in_full():
    row = promises.promises_row(PromisesRequest(log=Path("jobs.swf")), parts(), played(), 0.4, 0.9)
    assert row == {
        "accuracy": 0.4,
        "confidence": 0.9,
        "qos": 0.625,
        "utilization": 0.875,
        "lost_work_node_s": 1234.0,
        "kept": pytest.approx(2 / 3),
        "mean_promised": 0.75,
        "brier": pytest.approx((0.5**2 + 0.75**2 + 0.0) / 3),
        "mean_wait_s": 30.0,  # of the two jobs that began
        "failures": 2,
        "failures_drawn": 2,  # one at the very end of the last attempt counts
        "checkpoint_node_s": 23.0,
        "makespan_s": 300.0,
        "jobs": 3,
        "calibration": [of_one(0.5, 1.0), of_one(0.75, 0.0), of_one(1.0, 1.0)],
        "engine": "kernel",
        "engine_s": 0.25,
    }
    read = PromisesRequest(log=Path("jobs.swf"), failures=Path("failures.csv"))
    of_read = promises.promises_row(read, parts(), played(), None, 0.9)
    assert (of_read["accuracy"], of_read["failures_drawn"]) == (None, None)


@pytest.mark.parametrize("within", [True, False])
def test_all_that_is_asked_of_a_cell_reaches_its_replay(within, monkeypatch):
    asked = []
    monkeypatch.setattr(
        sim.cluster, "replay_promises", lambda jobs, **how: asked.append((jobs, how)) or "done"
    )
    request = PromisesRequest(
        log=Path("jobs.swf"),
        within_accuracy=within,
        checkpoint_interval=1234.0,
        checkpoint_cost=56.0,
        checkpoints="all",
        seed=9,
    )
    of_all = parts()
    assert promises.promises_replay(request, of_all, 0.4, 0.9) == "done"
    ((jobs, how),) = asked
    assert jobs is of_all.workload
    assert how.pop("failures") is of_all.failures
    assert how == {
        "processors": 8,
        "forecaster": sim.cluster.DetectabilityForecaster(0.4, 9),
        "confidence": 0.9,
        "within_accuracy": within,
        "checkpoint_interval": 1234.0,
        "checkpoint_cost": 56.0,
        "checkpointing": "all",
        "progress": None,
    }


@pytest.mark.parametrize("watch", [{}, {"watch": True}, {"watch": False}])
def test_the_line_of_a_cell_says_which_it_is(watch, monkeypatch):
    asked = []

    @contextmanager
    def line(jobs, name, *, watch):
        asked.append((jobs, name, watch))
        yield "a line"

    monkeypatch.setattr(promises, "job_progress", line)
    monkeypatch.setattr(sim.cluster, "replay_promises", lambda _, **how: how["progress"])
    request = PromisesRequest(log=Path("jobs.swf"))
    assert promises.promises_replay(request, parts(), 0.4, 0.9, **watch) == "a line"
    assert asked == [(3, "a=0.4 U=0.9", watch.get("watch", True))]


@pytest.mark.parametrize(
    ("options", "accuracy", "expected"),
    [
        ({}, 0.25, ("DetectabilityForecaster", (0.25, 9))),
        ({"forecaster": "rate", "node_mtbf": 50.0}, None, ("RateForecaster", (0.02,))),
        # Three failures bound two gaps, of eight processors in 850 s.
        ({"forecaster": "rate"}, None, ("RateForecaster", (2 / (850.0 * 8),))),
        (
            {"forecaster": "calibrated", "recall": 0.8, "precision": 0.3, "node_mtbf": 50.0},
            None,
            ("CalibratedForecaster", (0.8, 0.3, 0.02, 9)),
        ),
    ],
)
def test_what_is_known_of_failures_to_come(options, accuracy, expected):
    request = PromisesRequest(log=Path("jobs.swf"), seed=9, **options)
    name, arguments = expected
    known = forecaster_of(request, parts(), accuracy)
    assert known == getattr(sim.cluster, name)(*arguments)


def test_a_stated_forecast_has_the_sensitivity_and_the_specificity_asked_for():
    request = PromisesRequest(
        log=Path("jobs.swf"), forecaster="stated", sensitivity=0.8, specificity=0.3
    )
    known = sim.cluster.QsimForecaster(0.8, 0.3)
    assert forecaster_of(request, parts(), None) == sim.cluster.StatedForecaster(known)


@pytest.mark.parametrize("times", [[], [5.0], [5.0, 5.0]])
def test_failures_without_a_span_have_no_rate(times):
    feed = Failures(np.array(times), np.zeros(len(times), np.int64), np.ones(len(times)))
    request = PromisesRequest(log=Path("jobs.swf"), forecaster="rate")
    assert forecaster_of(request, parts(failures=feed), None) == sim.cluster.RateForecaster(0.0)


def test_a_plan_of_all_cells(monkeypatch):
    request = PromisesRequest(log=Path("jobs.swf"))
    of_all = parts(job_ids={1: "a"})
    plan = promises.plan_of_promises(request, of_all, [(0.5, 0.9), (None, 0.25)])
    assert plan.cells == {
        "a=0.5 U=0.9": {"accuracy": Factor(0.5, "0.5"), "confidence": Factor(0.9, "0.9")},
        "U=0.25": {"accuracy": Factor(None, "-"), "confidence": Factor(0.25, "0.25")},
    }
    assert plan.headings == {"accuracy": "accuracy", "confidence": "confi-\ndence"}
    assert plan.measures == (
        Measure("qos", "QoS", "number"),
        Measure("utilization", "in use", "share"),
        Measure("lost_work_node_s", "lost", "node_h"),
        Measure("kept", "kept", "share"),
        Measure("mean_wait_s", "mean wait", "time"),
    )
    assert plan.baselines == {}
    asked = []

    def replay(request, parts, accuracy, confidence, *, watch):
        asked.append((request.seed, parts.job_ids, accuracy, confidence, watch))
        return played()

    monkeypatch.setattr(promises, "promises_replay", replay)
    monkeypatch.setattr(
        promises, "with_seed", lambda request, parts, seed: (replace(request, seed=seed), parts)
    )
    row = plan.play("a=0.5 U=0.9", 4)
    assert asked == [(4, {}, 0.5, 0.9, False)]
    assert row == {
        name: value
        for name, value in promises.promises_row(request, of_all, played(), 0.5, 0.9).items()
        if name not in {"accuracy", "confidence", "engine_s", "calibration"}
    }
    plan.play("U=0.25", 5)
    assert asked[1:] == [(5, {}, None, 0.25, False)]


def test_another_seed_draws_other_failures_and_reads_the_same():
    request = PromisesRequest(log=Path("jobs.swf"), failures_per_year=500.0, downtime=77.0)
    drawn, again, other = (with_seed(request, parts(), seed) for seed in (3, 3, 4))
    assert [one.seed for one, _ in (drawn, other)] == [3, 4]
    feeds = [made.failures for _, made in (drawn, again, other)]
    np.testing.assert_array_equal(feeds[0].time, feeds[1].time)
    assert not np.array_equal(feeds[0].time[:5], feeds[2].time[:5])
    assert set(feeds[0].repair) == {77.0}
    assert 0 <= feeds[0].node.min() <= feeds[0].node.max() < 8
    assert 100.0 <= feeds[0].time.min() <= feeds[0].time.max() <= 700.0 + 365 * DAY
    read = replace(request, failures=Path("failures.csv"))
    of_all = parts()
    assert with_seed(read, of_all, 3) == (replace(read, seed=3), of_all)


def test_the_promise_of_its_job_stands_at_each_attempt(monkeypatch):
    table = pd.DataFrame({"job": [7, 7, 8, 9], "attempt": [1, 2, 1, 0]})
    asked = []

    def tabled(*arguments):
        asked.append(arguments)
        return table

    monkeypatch.setattr(promises, "attempt_table", tabled)
    done = played()
    found = promises.promises_attempts(parts(job_ids={1: "a"}), done)
    assert found.to_dict("list") == {
        "job": [7, 7, 8, 9],
        "attempt": [1, 2, 1, 0],
        "promised": [0.5, 0.5, 0.75, 1.0],
        "deadline": [500.0, 500.0, 600.0, 700.0],
        "kept": [True, True, False, True],
    }
    assert asked == [(done.replay, promises.ranges, {1: "a"})]
