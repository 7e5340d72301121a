"""The claims of `grid` from made-up numbers: each can hold, and each can fail."""

import numpy as np
import pandas as pd
import pytest

from sim.cluster import Failures, Workload
from sim.cluster.grid import ClusterSpec, Grid
from validation.reproduction.grid import claims as grid_claims
from validation.reproduction.grid import main, systems
from validation.reproduction.grid import results as grid_results
from validation.reproduction.grid import runs as grid_runs
from validation.reproduction.grid.logs import installed
from validation.reproduction.grid.results import PLAYED, PROBLEMS, Results
from validation.reproduction.grid.runs import Run, play, unpacked
from validation.reproduction.grid.system import System, lasting
from validation.reproduction.grid.weekly import Weekly, ratio_of_sums
from validation.reproduction.shown import Shown

# Exaggerated results of the paper; larger is worse.
SCENARIO = {"BASIC": 1.0, "EXT-FAIL": 1.5, "EXT-REQ": 6.0, "EXT-ALL": 9.0}
FREE = {"fcfs": 1.5, "fcfs-lb": 1.4, "easy": 1.1, "cons": 1.2, "ls": 1.0}
REQUIRED = {"fcfs": 9.0, "fcfs-lb": 20.0, "easy": 1.6, "cons": 1.4, "ls": 1.0}
WEEKS, JOBS = 6, 4
# With runtimes that no cluster changes, response is wait plus a constant: who waits least also
# responds first, and the paper's two statements exclude each other.
IMPOSSIBLE = "without requirements local search does not have the best response"


def value(scenario, policy):
    kind = scenario.removesuffix("-L").removesuffix("-M")
    apart = REQUIRED if kind in ("EXT-REQ", "EXT-ALL") else FREE
    return 100.0 * SCENARIO[kind] * apart[policy] * (1.1 if scenario.endswith("-M") else 1.0)


def numbers(name, scenario, policy):
    kind = scenario.removesuffix("-L").removesuffix("-M")
    killed = {"BASIC": 0, "EXT-REQ": 0, "EXT-FAIL": 90, "EXT-ALL": 60}[kind]
    killed = killed // 2 if policy == "fcfs-lb" else killed
    killed += 10 * scenario.endswith("-M")
    response = value(scenario, policy)
    if name == "grid5000" and kind in ("EXT-FAIL", "EXT-ALL"):
        response = 50.0 * FREE[policy]
    return {
        "mean_slowdown": value(scenario, policy),
        "mean_response_s": response,
        "mean_wait_s": value(scenario, policy),
        "killed": killed,
        "cancelled": 0,
        "scheduler_s": 1.0,
        "mean_killed_length_s": 60_690.0,
        "mean_length_s": 2608.0,
        "killed_by_cluster": {"big": 19 * killed, "small": killed},
    }


def system(name, **_):
    if name == "metacentrum":
        many = np.ones(103_620)
        jobs = Workload(submit=many + systems.FIRST, runtime=many, walltime=many, processors=many)
        grid = Grid((*(ClusterSpec(f"c{n}", 1) for n in range(13)), ClusterSpec("big", 793)))
        return System(jobs, grid, None, {})
    big, small = ClusterSpec("big", 40), ClusterSpec("small", 10)
    jobs = Workload(submit=[0.0, 4 * 3600.0], runtime=[1, 1], walltime=[1, 1], processors=[1, 50])
    feed = Failures(time=np.arange(4.0), node=[0] * 4, repair=[1.0] * 4)
    failures = {"-L": feed, "-M": feed} if name == "das2" else {"": feed}
    return System(jobs, Grid((big, small)), np.ones((2, 2), bool), failures)


@pytest.fixture
def waits(monkeypatch):
    """Return the waits on MetaCentrum, to be changed: one row per seed."""
    week = np.repeat(np.arange(WEEKS), JOBS)
    jitter = 1.0 + 0.01 * (week % 3)
    found = {}
    for scenario in PROBLEMS["metacentrum"]:
        for policy in PLAYED["metacentrum"]:
            seeds = 2 if policy == "ls" else 1
            found[scenario, policy] = np.stack([value(scenario, policy) * jitter] * seeds)
    runs = Weekly(week, np.full(week.size, 100.0), found)
    monkeypatch.setattr(grid_claims, "weekly", lambda *_: runs)
    monkeypatch.setattr(grid_claims, "SPEEDS", ("mhz",))
    return found


@pytest.fixture
def results(monkeypatch, waits):
    monkeypatch.setattr(grid_results, "system", system)
    runs = {}
    for name in PROBLEMS:
        for scenario in PROBLEMS[name]:
            for policy in PLAYED[name]:
                for seed in (1, 2):
                    real = name == "metacentrum"
                    if not real or policy == "ls" or seed == 1:
                        run = Run(name, scenario, policy, seed, "mhz" if real else "")
                        runs[run] = numbers(name, scenario, policy)
    return Results(runs)


def words(results):
    """Return the words of each claim by its statement: these jobs, other weeks, drawn systems."""
    return {judged.claim.says: judged.words for judged in grid_claims.claims(results)}


def of(found, says):
    (one,) = [judged for what, judged in found.items() if says in what]
    return one


def test_what_the_paper_says_holds_but_for_what_excludes_itself(results):
    found = words(results)
    assert len(found) == 19
    assert {says for says, each in found.items() if set(each) != {"yes"}} == {IMPOSSIBLE}
    assert set(found[IMPOSSIBLE]) == {"no"}


@pytest.mark.parametrize(
    ("where", "factor", "says"),
    [
        (("BASIC", "fcfs"), 3.0, "in BASIC the policies are close"),
        (("EXT-ALL", "fcfs"), 0.05, "FCFS is worst by far"),
        (("EXT-ALL", "cons"), 2.0, "CONS has the better slowdown"),
        (("EXT-REQ", "cons"), 2.0, "CONS has the slightly better response"),
        (("BASIC", "cons"), 0.8, "CONS is worse than EASY or equal"),
        (("EXT-FAIL", "easy"), 2.0, "EASY has the better response"),
        (("EXT-ALL", "ls"), 5.0, "local search is better than CONS"),
        (("EXT-FAIL", "ls"), 1.15, "local search is the best policy"),
    ],
)
def test_each_claim_on_metacentrum_can_fail_of_these_jobs_and_of_others(
    results, waits, where, factor, says
):
    waits[where] = factor * waits[where]
    for run, found in results.runs.items():
        if (run.system, run.scenario, run.policy) == ("metacentrum", *where):
            for metric in ("mean_slowdown", "mean_response_s", "mean_wait_s"):
                found[metric] *= factor
    assert of(words(results), says)[:2] == ["no", "no"]


def test_usually_is_more_than_half(results, waits):
    says = "requirements usually hurt more"
    assert of(words(results), says)[1] == "yes"
    waits["EXT-REQ", "fcfs"] = 0.1 * waits["EXT-FAIL", "fcfs"]
    assert of(words(results), says)[1] == "yes"
    waits["EXT-REQ", "easy"] = 0.1 * waits["EXT-FAIL", "easy"]
    assert of(words(results), says)[1] == "no"


def test_a_difference_within_its_weeks_is_one_of_these_jobs_alone(results, waits):
    week = np.repeat(np.arange(WEEKS), JOBS)
    waits["EXT-REQ", "cons"] = waits["EXT-REQ", "easy"] + np.where(week % 2, 900.0, -1000.0)
    assert of(words(results), "CONS has the better slowdown") == ["yes", "open"]


@pytest.mark.parametrize(
    ("where", "metric", "value", "says"),
    [
        (("grid5000", "EXT-FAIL", "fcfs"), "killed_by_cluster", {"big": 1, "small": 9}, "largest"),
        (("grid5000", "EXT-FAIL", "fcfs-lb"), "killed", 91, "fewer jobs are killed"),
        (("grid5000", "EXT-ALL", "ls"), "killed", 91, "fewer jobs are killed"),
        (("grid5000", "BASIC", "fcfs-lb"), "mean_wait_s", 1e3, "choice at random has"),
        (("grid5000", "EXT-REQ", "fcfs-lb"), "mean_slowdown", 10.0, "choice at random has"),
        (("grid5000", "EXT-FAIL", "fcfs"), "mean_killed_length_s", 2608.0, "far longer"),
        (("grid5000", "EXT-ALL", "cons"), "mean_response_s", 1e6, "response falls"),
        (("grid5000", "BASIC", "ls"), "mean_wait_s", 10.0, "hardly change"),
        (("das2", "EXT-FAIL-L", "easy"), "killed", 101, "more jobs are killed"),
        (("das2", "EXT-ALL-L", "ls"), "mean_wait_s", 1e6, "best results in all cases"),
        (("das2", "BASIC", "fcfs"), "mean_slowdown", 1e6, "in BASIC the policies are close"),
        (("das2", "EXT-ALL-M", "cons"), "mean_wait_s", 1.0, "waits and responses are longer"),
    ],
)
def test_each_claim_on_the_drawn_systems_can_fail(results, where, metric, value, says):
    for run, found in results.runs.items():
        if (run.system, run.scenario, run.policy) == where:
            found[metric] = value
    assert of(words(results), says)[-1] == "no"


def test_what_lies_within_its_noise_is_open(results):
    for seed, killed in ((1, 20), (2, 90)):
        results.runs[Run("grid5000", "EXT-ALL", "fcfs-lb", seed)]["killed"] = killed
    assert of(words(results), "fewer jobs are killed") == ["open"]


def test_only_jobs_that_ended_under_both_are_compared():
    nan = np.nan
    waits = {
        ("BASIC", "easy"): np.array([[1.0, 2.0, nan, 4.0]]),
        ("BASIC", "ls"): np.array([[2.0, 4.0, 9.0, nan], [4.0, 4.0, 9.0, 5.0]]),
    }
    runs = Weekly(np.array([0, 0, 1, 1]), np.ones(4), waits)
    # Seed 1: 1 + 2 in week 0; seed 2: 3 + 2 in week 0, 1 in week 1.
    found = runs.ratio("mean_wait_s", ("BASIC", "ls"), ("BASIC", "easy"))
    assert found.mean == pytest.approx((2 + 4 + 4 + 4 + 5) / (1 + 2 + 1 + 2 + 4))


def test_where_runtimes_scale_response_is_over_what_was_run():
    easy, ls = ("BASIC", "easy"), ("BASIC", "ls")
    waits = {easy: np.array([[1.0, 2.0]]), ls: np.array([[3.0, 4.0]])}
    lengths = {easy: np.array([[10.0, 8.0]]), ls: np.array([[5.0, 2.0]])}
    runs = Weekly(np.array([0, 1]), np.ones(2), waits, lengths)
    assert runs.ratio("mean_wait_s", ls, easy).mean == 7 / 3
    assert runs.ratio("mean_response_s", ls, easy).mean == (8 + 6) / (11 + 10)
    assert runs.ratio("mean_slowdown", ls, easy).mean == pytest.approx(
        (8 / 5 + 6 / 2) / (11 / 10 + 10 / 8)
    )


def test_batches_of_equal_size_give_students_interval_of_their_means():
    found = ratio_of_sums(np.array([2.0, 4.0, 6.0]), np.array([2.0, 2.0, 2.0]))
    assert found.mean == 2.0
    assert found.half == pytest.approx(4.3027 * 1.0 / np.sqrt(3.0), rel=1e-4)


def test_one_figure_plays_its_system_alone(monkeypatch):
    monkeypatch.setattr(main, "at_hand", list)
    asked = []

    def sweep(runs, *_, **__):
        asked.extend({run.system for run in runs})
        raise InterruptedError

    monkeypatch.setattr(main, "sweep", sweep)
    with pytest.raises(InterruptedError):
        main.main(seeds=2, out=None, shown=Shown(only="fig4"))
    assert asked == ["grid5000"]


def test_claims_on_a_system_that_was_not_played_are_left_out(results):
    alone = {run: found for run, found in results.runs.items() if run.system == "das2"}
    says = " ".join(words(Results(alone)))
    assert "DAS-2" in says
    assert "Grid'5000" not in says


@pytest.mark.slow
def test_figures_are_those_of_what_was_played(results, monkeypatch, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
    from validation.reproduction.grid import figures

    monkeypatch.setattr(figures, "SPEEDS", ("mhz",))
    monkeypatch.setattr(figures, "system", system)
    figures.draw(results, tmp_path)
    drawn = {path.stem: path.read_text() for path in tmp_path.glob("*.svg")}
    assert sorted(drawn) == [f"grid-fig{number}" for number in range(2, 6)]
    assert [name for name, text in drawn.items() if "FCFS, printed" in text] == [
        "grid-fig3",
        "grid-fig4",
    ]


def test_one_run_is_a_replay_of_its_scenario(monkeypatch):
    monkeypatch.setattr(grid_runs, "system", system)
    found = play(Run("das2", "EXT-FAIL-M", "fcfs"))
    assert found["cancelled"] == 1  # 50 processors fit no cluster
    assert set(found["killed_by_cluster"]) == {"big", "small"}


def test_waits_are_kept_job_by_job(monkeypatch):
    jobs = Workload(
        submit=[0, 0, 1, 2], runtime=[9, 9, 5, 5], walltime=[9] * 4, processors=[1, 7, 1, 1]
    )
    grid = Grid((ClusterSpec("a", 2),))
    feed = Failures(time=[7.0], node=[0], repair=[1.0])
    one = System(jobs, grid, None, {"": feed})
    monkeypatch.setattr(grid_runs, "system", lambda name, **_: one)
    found = play(Run("metacentrum", "EXT-FAIL", "fcfs", ranking="mhz"))
    # The first is struck, the second fits nowhere, the fourth waits for the third.
    np.testing.assert_array_equal(unpacked(found["waits"]), [np.nan, np.nan, 0.0, 4.0])


def test_what_was_run_is_kept_where_runtimes_scale(monkeypatch):
    jobs = Workload(submit=[0, 0], runtime=[8, 9], walltime=[8, 9], processors=[1, 7])
    grid = Grid((ClusterSpec("a", 1, speed=4.0),))
    one = System(jobs, grid, None, {}, scale=np.array([[0.25], [0.5]]))
    monkeypatch.setattr(grid_runs, "system", lambda name, **_: one)
    found = play(Run("metacentrum", "BASIC", "ls", 1, "mhz, runtimes scaled"))
    np.testing.assert_array_equal(unpacked(found["lengths"]), [2.0, np.nan])
    assert found["mean_response_s"] == 2.0


def test_failures_of_less_than_a_minute_are_left_out():
    feed = Failures(time=[0.0, 1.0, 2.0], node=[0, 1, 2], repair=[59.0, 60.0, 61.0])
    assert lasting(feed).node.tolist() == [1, 2]


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


@pytest.mark.parametrize(
    ("ranking", "first"),
    [
        ("mhz", "cluster_2"),
        ("ratings", "cluster_0"),
        ("none", "cluster_11"),
        ("ratings, runtimes scaled", "cluster_0"),
    ],
)
def test_the_jobs_of_the_paper_and_the_fastest_cluster(ranking, first):
    try:
        one = systems.metacentrum(ranking)
    except FileNotFoundError as missing:
        pytest.skip(f"{missing}; the Parallel Workloads Archive publishes it")
    assert len(one.workload) == 103_620
    assert one.workload.runtime.min() == 1.0
    assert one.grid.clusters[one.grid.ranking[0]].name == first
    assert one.failures[""].repair.min() >= 60.0
    assert (one.scale is not None) == ("scaled" in ranking)
    if one.scale is not None:  # 1 where the job ran in the log, less where clusters are faster
        fastest = one.scale[:, one.grid.ranking[0]]
        assert (one.scale == 1.0).any(axis=1).all()
        assert (fastest == one.scale.min(axis=1)).all()
