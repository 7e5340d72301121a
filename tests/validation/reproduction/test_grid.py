"""The rows of `grid` from made-up numbers: each can hold, and each can fail."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sim.cluster import Failures
from sim.cluster.grid import ClusterSpec, Grid
from validation.reproduction.grid import rows as grid_rows
from validation.reproduction.grid import runs as grid_runs
from validation.reproduction.grid.rows import PROBLEMS, Results, rows
from validation.reproduction.grid.runs import Run, play
from validation.reproduction.grid.systems import System, installed

POLICIES = ("fcfs", "easy", "cons", "ls")
# Exaggerated results of the paper; larger is worse.
SCENARIO = {"BASIC": 1.0, "EXT-FAIL": 2.0, "EXT-REQ": 6.0, "EXT-ALL": 9.0}
POLICY = {"fcfs": 9.0, "fcfs-lb": 1.0, "easy": 3.0, "cons": 2.0, "ls": 1.0}


def numbers(name, scenario, policy):
    kind = scenario.removesuffix("-L").removesuffix("-M")
    apart = POLICY[policy] if kind in ("EXT-REQ", "EXT-ALL") else 1.0
    if name == "metacentrum" and policy == "cons" and kind in ("BASIC", "EXT-FAIL"):
        apart = 1.1
    value = 100.0 * SCENARIO[kind] * apart
    if name == "grid5000" and policy == "fcfs-lb":
        value *= 20.0 if kind in ("EXT-REQ", "EXT-ALL") else 0.9
    killed = {"BASIC": 0, "EXT-REQ": 0, "EXT-FAIL": 90, "EXT-ALL": 60}[kind]
    killed = killed // 2 if policy == "fcfs-lb" else killed
    killed += 10 * scenario.endswith("-M")
    response = value
    if name == "grid5000" and kind == "EXT-FAIL":
        response = 50.0
    return {
        "mean_slowdown": value,
        "mean_response_s": response,
        "mean_wait_s": value,
        "killed": killed,
        "cancelled": 0,
        "scheduler_s": 1.0,
        "mean_killed_length_s": 60_690.0,
        "mean_length_s": 2608.0,
        "killed_by_cluster": {"big": 9 * killed, "small": killed},
    }


def system(name):
    big, small = ClusterSpec("big", 40), ClusterSpec("small", 10)
    from sim.cluster import Workload

    # Twice 4 h on 50 machines: 400 machine hours, at 0.24 a day 4 failures.
    jobs = Workload(submit=[0.0, 4 * 3600.0], runtime=[1, 1], walltime=[1, 1], processors=[1, 50])
    feed = Failures(time=np.arange(4.0), node=[0] * 4, repair=[1.0] * 4)
    failures = {"-L": feed, "-M": feed} if name == "das2" else {"": feed}
    return System(jobs, Grid((big, small)), np.ones((2, 2), bool), failures)


@pytest.fixture
def results(monkeypatch):
    monkeypatch.setattr(grid_rows, "system", system)
    monkeypatch.setattr(grid_rows, "afc_table", lambda: {"LANL": 0.24, "MetaCentrum": 0.24})
    runs = {}
    for name, scenarios in PROBLEMS.items():
        for scenario in scenarios:
            for policy in (*POLICIES, "fcfs-lb"):
                for seed in (1, 2):
                    runs[Run(name, scenario, policy, seed)] = numbers(name, scenario, policy)
    return Results(runs)


def verdicts(results):
    return {row.what: row.verdict for row in rows(results)}


def test_what_the_paper_says_holds(results):
    assert {what: word for what, word in verdicts(results).items() if word != "holds"} == {}


@pytest.mark.parametrize(
    ("where", "metric", "value", "fails"),
    [
        (("metacentrum", "EXT-ALL", "fcfs"), "mean_wait_s", 1.0, "policies close"),
        (("metacentrum", "EXT-REQ", "easy"), "mean_wait_s", 1.0, "MetaCentrum: requirements"),
        (("metacentrum", "BASIC", "cons"), "mean_slowdown", 99.0, "CONS has the better"),
        (("metacentrum", "EXT-FAIL", "cons"), "mean_response_s", 9.0, "EASY has the better"),
        (("metacentrum", "EXT-ALL", "ls"), "mean_wait_s", 1e6, "local search never worse"),
        (("grid5000", "EXT-FAIL", "fcfs-lb"), "killed", 91, "most kills on the largest"),
        (("grid5000", "EXT-ALL", "fcfs-lb"), "killed", 61, "most kills on the largest"),
        (("grid5000", "BASIC", "fcfs-lb"), "mean_wait_s", 101.0, "FCFS-LB has the better"),
        (("grid5000", "EXT-REQ", "fcfs-lb"), "mean_slowdown", 10.0, "FCFS-LB has the better"),
        (("grid5000", "EXT-FAIL", "fcfs"), "mean_killed_length_s", 2608.0, "far longer"),
        (("grid5000", "EXT-ALL", "ls"), "killed", 90, "fewer are killed"),
        (("grid5000", "EXT-FAIL", "cons"), "mean_response_s", 1e6, "response falls"),
        (("das2", "EXT-FAIL-L", "easy"), "killed", 100, "kill more than LANL's"),
        (("das2", "EXT-ALL-L", "ls"), "mean_wait_s", 1e6, "DAS-2-like: FCFS worst"),
    ],
)
def test_each_row_can_fail(results, where, metric, value, fails):
    for run, numbers in results.runs.items():
        if (run.system, run.scenario, run.policy) == where:
            numbers[metric] = value
    found = verdicts(results)
    assert [word for what, word in found.items() if fails in what] == ["fails"]


def test_what_lies_within_its_noise_is_not_resolved(results):
    what = "Grid'5000-like, first fit: most kills on the largest cluster; FCFS-LB kills fewer"
    for seed, killed in ((1, 20), (2, 90)):
        results.runs[Run("grid5000", "EXT-ALL", "fcfs-lb", seed)]["killed"] = killed
    assert verdicts(results)[what] == "unresolved"


def test_machines_that_were_not_there_yet_are_no_failures(results, monkeypatch):
    late = replace(system("das2"), late=1)
    monkeypatch.setattr(grid_rows, "system", lambda name: late if name == "das2" else system(name))
    assert verdicts(results)["F = N D AFC failures (DAS-2-L, DAS-2-M)"] == "fails"


def test_the_number_of_failures_is_counted(results, monkeypatch):
    monkeypatch.setattr(grid_rows, "afc_table", lambda: {"LANL": 0.24, "MetaCentrum": 0.36})
    assert verdicts(results)["F = N D AFC failures (DAS-2-L, DAS-2-M)"] == "fails"


def test_one_run_is_a_replay_of_its_scenario(monkeypatch):
    monkeypatch.setattr(grid_runs, "system", system)
    found = play(Run("das2", "EXT-FAIL-M", "fcfs"))
    assert found["cancelled"] == 1  # 50 processors fit no cluster
    assert set(found["killed_by_cluster"]) == {"big", "small"}


def test_a_cluster_that_is_not_there_yet_has_not_failed():
    day = 86_400.0
    rows = [
        (0.0, "a", 0, 10 * day),  # the whole of a, from the first instant
        (0.0, "a", 1, 10 * day),
        (0.0, "b", 0, 10 * day),  # one of b only: a failure
        (50 * day, "a", 0, day),
        (50 * day, "a", 1, day),  # the whole of a, but later
        (100 * day, "b", 1, day),
    ]
    log = pd.DataFrame(rows, columns=["time", "system", "node", "repair"])
    found, machine_days = installed(log, pd.Series({"a": 2, "b": 3}))
    assert found.index.tolist() == [2, 3, 4, 5]
    assert machine_days == 5 * 100 - 2 * 10
