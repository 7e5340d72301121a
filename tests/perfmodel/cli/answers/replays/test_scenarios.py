"""Whole rows of scenarios on a grid, and all that a scenario hands on to its replay."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace as Made

import numpy as np
import pandas as pd
import pytest

import sim.cluster
from perfmodel.answers.logs.recorded import Recorded
from perfmodel.cli.answers.replays import grid_study, scenarios
from perfmodel.cli.answers.replays.study import Factor, Measure
from perfmodel.cli.requests.grid import GridRequest
from perfmodel.cli.setups.grid.setup import GridSetup
from sim.cluster import Workload

HOUR = 3600.0
REQUEST = GridRequest(log=Path("jobs.swf"), machines=Path("two.toml"))


class Grid(Made):
    """A grid that remembers which requirements it has."""

    def with_suitability(self, suitability):
        return (self, suitability)


def parts(**changes):
    named = ("workload", "windows", "suitability", "scale", "order", "failures")
    made = {name: f"the {name}" for name in named}
    rest = {"grid": Grid(size=8), "requirements": "none", "unix_start": None, "recorded": "waits"}
    return GridSetup(**{**made, **rest, "notes": (), "files": (), **changes})


@pytest.mark.parametrize(
    ("scenario", "required", "failing"),
    [
        ("BASIC", False, False),
        ("EXT-FAIL", False, True),
        ("EXT-REQ", True, False),
        ("EXT-ALL", True, True),
    ],
)
def test_all_that_is_asked_reaches_the_replay(scenario, required, failing, monkeypatch):
    asked = []
    monkeypatch.setattr(
        sim.cluster, "replay_grid", lambda *what, **how: asked.append((what, how)) or "done"
    )
    request = replace(
        REQUEST, event_order="ends-first", estimates="walltime", kill=True, on_failure="new"
    )
    known = parts()
    assert scenarios.grid_replay(known, scenario, "ls", 7, request) == "done"
    ((what, how),) = asked
    assert what == ("the workload", (known.grid, "the suitability" if required else None))
    assert how == {
        "policy": "ls",
        "seed": 7,
        "order": "the order",
        "event_order": "ends-first",
        "estimates": "walltime",
        "kill_at_walltime": True,
        "scale": "the scale",
        "failures": "the failures" if failing else None,
        "recovery": "new",
        "cancel_stranded": True,
    }
    scenarios.grid_replay(known, scenario, "ls", 7, replace(request, keep_stranded=True))
    assert asked[1][1]["cancel_stranded"] is False


@dataclass
class Use:
    utilization: float
    kills: int


MEASURED = {
    "mean_slowdown": 1.5,
    "mean_response_s": 100.0,
    "mean_wait_s": 50.0,
    "completed": 3,
    "killed": 1,
    "killed_at_walltime": 2,
    "cancelled": 4,
    "unfinished": 5,
    "mean_killed_length_s": 6.0,
    "utilization": 0.5,
    "scheduler_s": 0.125,
}


def played():
    """Return three jobs, of which the last never came to its end."""
    jobs = pd.DataFrame(
        {
            "processors": [1, 4, 4],
            "executed": [60.0, 60.0, 7200.0],
            "wait": [0.0, 30.0, 90.0],
            "response": [60.0, 90.0, math.nan],
            "bounded_slowdown": [1.0, 1.5, math.nan],
        }
    )
    return Made(
        metrics={**MEASURED, "failures": 9, "mean_length_s": 8.0},
        use_by_cluster={"a": Use(0.25, 3), "b": Use(0.75, 4)},
        replay=Made(engine="kernel", jobs=jobs, job_records="the records"),
    )


def test_measures_of_a_replay_in_full(monkeypatch):
    monkeypatch.setattr("sim.metrics.wait", lambda jobs: np.array([0.0, 30.0, 90.0]))
    slow = np.array([1.0, 1.5, math.nan])
    monkeypatch.setattr("sim.metrics.bounded_slowdown", lambda jobs: slow)
    known = {
        "engine": "kernel",
        **MEASURED,
        "kills": 7,
        "wait_percentiles_s": {"50": 15.0, "90": 27.0, "99": pytest.approx(29.7)},
        "bounded_slowdown_percentiles": {
            "50": 1.25,
            "90": pytest.approx(1.45),
            "99": pytest.approx(1.495),
        },
        "by_cluster": {
            "a": {"utilization": 0.25, "kills": 3},
            "b": {"utilization": 0.75, "kills": 4},
        },
    }
    found = scenarios.grid_measures(played(), REQUEST)
    assert found == known
    monkeypatch.setattr(scenarios, "use", lambda result, step: (result.engine, step))
    more = scenarios.grid_measures(played(), replace(REQUEST, by_class=True, use_over_time=60.0))
    classes = more.pop("by_class")
    assert more == {**known, "use_over_time": ("kernel", 60.0)}
    assert sum(row["jobs"] for row in classes if row["size"] == row["length"] == "all") == 2
    (one,) = (row for row in classes if (row["size"], row["length"]) == ("2 - 8", "all"))
    assert one == {
        "size": "2 - 8",
        "length": "all",
        "jobs": 1,
        "mean_wait_s": 30.0,
        "mean_response_s": 90.0,
        "mean_bounded_slowdown": 1.5,
    }


def of_a_seed(**changes):
    known = {"engine": "kernel", **MEASURED, "kills": 7}
    return {**known, "by_cluster": {"a": {"kills": 3}, "b": {"kills": 1}}, **changes}


def test_a_row_of_one_seed_has_no_spread():
    row = scenarios.grid_row("BASIC", "easy", [of_a_seed()], REQUEST)
    assert row == {"scenario": "BASIC", "policy": "easy", "seeds": 1, **of_a_seed()}


def test_a_row_of_several_seeds_has_means_and_their_spread():
    use = {"from_s": [0.0], "utilization": [0.5]}
    longer = {"from_s": [0.0, 60.0], "utilization": [0.5, 0.25]}
    few = [{"size": "1", "jobs": 0}, {"size": "all", "jobs": 2}]
    none = [{"size": "1", "jobs": 0}, {"size": "all", "jobs": 4}]
    seeds = [
        of_a_seed(use_over_time=use, by_class=few, mean_killed_length_s=math.nan),
        of_a_seed(
            use_over_time=longer,
            by_class=none,
            mean_wait_s=56.0,
            kills=9,
            by_cluster={"a": {"kills": 6}, "b": {"kills": 2}},
        ),
    ]
    request = replace(REQUEST, by_class=True, use_over_time=60.0)
    row = scenarios.grid_row("EXT-FAIL", "easy", seeds, request)
    spread = row.pop("sd")
    assert row == {
        "scenario": "EXT-FAIL",
        "policy": "easy",
        "seeds": 2,
        **of_a_seed(mean_wait_s=53.0, kills=8.0),
        "by_cluster": {"a": {"kills": 4.5}, "b": {"kills": 1.5}},
        "by_class": [{"size": "all", "jobs": 3.0}],
        "use_over_time": use,
        "killed_share": {"a": 0.75, "b": 0.25},
    }
    # Of two numbers it is their difference over the root of two; of one nothing is known.
    assert math.isnan(spread.pop("mean_killed_length_s"))
    steady = dict.fromkeys(set(MEASURED) - {"mean_killed_length_s"}, 0.0)
    varied = {"mean_wait_s": 6.0 / math.sqrt(2.0), "kills": math.sqrt(2.0)}
    assert spread == pytest.approx({**steady, **varied})


def test_a_cluster_has_no_share_of_no_kills():
    quiet = of_a_seed(by_cluster={"a": {"kills": 0}, "b": {"kills": 0}})
    shares = scenarios.grid_row("EXT-ALL", "easy", [quiet], REQUEST)["killed_share"]
    assert list(shares) == ["a", "b"]
    assert all(map(math.isnan, shares.values()))
    one = of_a_seed(by_cluster={"a": {"kills": 1}, "b": {"kills": 0}})
    shares = scenarios.grid_row("EXT-ALL", "easy", [one], REQUEST)["killed_share"]
    assert shares == {"a": 1.0, "b": 0.0}
    assert "killed_share" not in scenarios.grid_row("EXT-REQ", "easy", [quiet], REQUEST)


def test_what_the_log_says_has_a_slowdown_of_its_own():
    jobs = Workload(
        submit=np.array([0.0, 10.0]),
        runtime=np.array([5.0, 20.0]),
        walltime=np.array([5.0, 20.0]),
        processors=np.array([1, 2]),
        line=np.array([3, 5]),
    )
    grid = Made(size=8)
    known = Recorded(np.array([3, 5]), np.array([10.0, 0.0]))
    row = scenarios.recorded_row(known, jobs, grid)
    assert row["mean_slowdown"] == 2.0  # of 15 s over 5 s, and of 20 s over 20 s
    assert row["mean_bounded_slowdown"] == 1.25  # of 15 s over 10 s
    assert row["utilization"] == pytest.approx((5 + 40) / (8 * 30))
    assert row["jobs"] == 2
    some = Recorded(np.array([3]), np.array([10.0]))
    assert scenarios.recorded_row(some, jobs, grid)["mean_slowdown"] == 3.0
    assert scenarios.recorded_row(None, jobs, grid) is None
    other = Recorded(np.array([4]), np.array([10.0]))
    assert scenarios.recorded_row(other, jobs, grid) is None


def test_a_plan_of_scenarios(monkeypatch):
    pairs = [("BASIC", "fcfs"), ("BASIC", "easy"), ("EXT-FAIL", "easy"), ("EXT-FAIL", "ls")]
    plan = grid_study.plan_of_scenarios(REQUEST, parts(), pairs)
    assert plan.cells == {
        f"{scenario} {policy}": {
            "scenario": Factor(scenario, scenario),
            "policy": Factor(policy, policy),
        }
        for scenario, policy in pairs
    }
    assert plan.headings == {"scenario": "scenario", "policy": "policy"}
    assert plan.measures == (
        Measure("mean_slowdown", "slowdown", "number"),
        Measure("mean_response_s", "response", "time"),
        Measure("mean_wait_s", "wait", "time"),
        Measure("kills", "attempts\nkilled", "number"),
        Measure("cancelled", "jobs\ncancelled", "number"),
    )
    assert plan.baselines == {"BASIC easy": "BASIC fcfs", "EXT-FAIL ls": "EXT-FAIL easy"}
    asked = []
    monkeypatch.setattr(grid_study, "of_seed", lambda parts, request: (parts, request.seed))
    monkeypatch.setattr(grid_study, "grid_replay", lambda *what: asked.append(what) or "result")
    monkeypatch.setattr(
        grid_study,
        "grid_measures",
        lambda result, request: of_a_seed(engine="loop") if result == "result" else None,
    )
    row = plan.play("EXT-FAIL ls", 4)
    ((of_all, seed), *rest) = asked[0]
    assert (of_all, seed) == (parts(recorded=None), 4)
    assert rest == ["EXT-FAIL", "ls", 4, replace(REQUEST, seed=4)]
    left = {name: value for name, value in MEASURED.items() if name != "scheduler_s"}
    assert row == {"engine": "loop", **left, "kills": 7}
