"""Studies: common failures, intervals that hold, the same table with any number of processes."""

import pickle

import numpy as np
import pytest
from scipy import stats

from sim.cluster import Periodic, Workload, flat, replay
from sim.estimators import student_quantile
from sim.study import Cell, DrawnFailures, Study, play_cells, play_study

RNG = np.random.default_rng(3)
COUNT = 60
RUNTIME = RNG.integers(20, 300, COUNT).astype(float)
JOBS = Workload(
    submit=np.sort(RNG.integers(0, 3000, COUNT)),
    runtime=RUNTIME,
    walltime=RUNTIME * RNG.uniform(1.0, 3.0, COUNT),
    processors=RNG.integers(1, 9, COUNT),
)
FAILING = DrawnFailures(mtbf=400.0, mttr=30.0)
CELLS = {
    "easy": Cell("easy", FAILING),
    "fcfs": Cell("fcfs", FAILING),
    "saving": Cell("easy", FAILING, checkpointing=Periodic(50.0, 1.0, 1.0)),
}


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 10, 33, 1000])
@pytest.mark.parametrize("probability", [0.01, 0.5, 0.6, 0.975, 0.9999])
def test_student_quantile(probability, degrees):
    expected = stats.t.ppf(probability, degrees)
    assert student_quantile(probability, degrees) == pytest.approx(expected, rel=1e-11, abs=1e-15)


def test_student_quantile_of_many_degrees_is_nearly_normal():
    for probability in (0.6, 0.975, 0.9999):
        z = stats.norm.ppf(probability)
        near = stats.t.ppf(probability, 100_000) - student_quantile(probability, 100_000)
        assert near == pytest.approx((z**3 + z) / 4e5, rel=1e-3)


def test_each_row_is_one_replay_under_the_failures_of_its_seed():
    study = play_study(JOBS, flat(8), CELLS, seeds=[4, 7])
    assert study.rows[["cell", "seed"]].to_numpy().tolist() == [
        [cell, seed] for seed in (4, 7) for cell in CELLS
    ]
    assert set(study.rows["engine"]) == {"kernel"}
    assert "engine" not in set(study.means()["metric"])
    row = study.rows.iloc[4]
    failures = FAILING.of(flat(8), JOBS, 7)
    alone = replay(JOBS, flat(8), policy="fcfs", failures=failures).metrics
    assert row["failures_drawn"] == len(failures)
    for name in ("mean_wait_s", "failures", "lost_node_h", "down_node_h"):
        assert row[name] == alone[name]


def test_the_table_is_the_same_with_one_and_two_processes():
    one, two = (play_study(JOBS, flat(8), CELLS, seeds=range(9), workers=n) for n in (1, 2))
    assert one.rows.to_csv() == two.rows.to_csv()
    assert one.complete
    assert two.complete


def test_means_and_paired_differences():
    study = play_study(JOBS, flat(8), CELLS, seeds=range(12))
    means = study.means().set_index(["cell", "metric"])
    lost = study.rows[study.rows["cell"] == "saving"]["lost_node_h"]
    row = means.loc[("saving", "lost_node_h")]
    low, high = stats.t.interval(0.95, 11, lost.mean(), stats.sem(lost))
    assert row["mean"] == pytest.approx(lost.mean())
    assert row["half_width"] == pytest.approx((high - low) / 2.0)
    gaps = study.differences("easy").set_index(["cell", "metric"])
    # Checkpoints save work under the same failures: seen by pairs.
    gap = gaps.loc[("saving", "lost_node_h")]
    assert gap["mean"] + gap["half_width"] < 0.0
    unpaired = np.hypot(row["half_width"], means.loc[("easy", "lost_node_h")]["half_width"])
    assert gap["half_width"] < unpaired
    with pytest.raises(ValueError, match="baseline must be one of easy, fcfs, saving, got 'sjf'"):
        study.differences("sjf")


def test_wrong_intervals_are_refused():
    study = play_study(JOBS, flat(8), {"calm": Cell()}, seeds=[0])
    with pytest.raises(
        ValueError, match="interval must be one of student, bootstrap, got 'normal'"
    ):
        study.means(interval="normal")
    with pytest.raises(ValueError, match=r"confidence must be in \(0, 1\), got 1.0"):
        study.means(confidence=1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "true", "stated"), [("normal", 0.0, 0.95), ("exponential", 1.0, 0.92)]
)
def test_bootstrap_intervals_hold_the_mean_as_often_as_stated(law, true, stated):
    """A false alarm once in 10,000 choices of the seed, by the binomial law of the count."""
    samples, size = 500, 20
    values = getattr(np.random.default_rng(8), law)(size=(samples, size))
    study = Study.of(
        [
            {"cell": str(cell), "seed": seed, "x": value}
            for cell, sample in enumerate(values)
            for seed, value in enumerate(sample)
        ]
    )
    found = study.means(interval="bootstrap", seed=1)
    held = int(((found["low"] <= true) & (true <= found["high"])).sum())
    low, high = stats.binom.ppf([5e-5, 1.0 - 5e-5], samples, stated)
    assert low <= held <= high
    assert (found["half_width"] == (found["high"] - found["low"]) / 2.0).all()
    # Seeded: equal seeds give equal intervals, other seeds others.
    assert found.equals(study.means(interval="bootstrap", seed=1))
    assert not found.equals(study.means(interval="bootstrap", seed=2))
    if law == "normal":  # as wide as Student's
        student = study.means()["half_width"]
        assert found["half_width"].mean() == pytest.approx(student.mean(), rel=0.02)


def test_until_goes_on_until_the_interval_is_tight_enough():
    cells = {"easy": CELLS["easy"]}
    few = play_study(JOBS, flat(8), cells)
    assert len(few.rows) == 8
    reach = few.reach("mean_wait_s")
    more = play_study(JOBS, flat(8), cells, until=reach / 2.0, metric="mean_wait_s")
    assert more.reach("mean_wait_s") <= reach / 2.0
    assert len(more.rows) > 8
    assert more.rows.head(8).equals(few.rows)


def test_progress_counts_replays_and_those_that_a_goal_will_take():
    cells = {"easy": CELLS["easy"]}
    calls = []
    play_study(JOBS, flat(8), cells, seeds=[1, 2, 3], progress=lambda *call: calls.append(call))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    calls.clear()
    few = play_study(JOBS, flat(8), cells)
    reach = few.reach("mean_wait_s")
    sought = {"until": reach / 2.0, "metric": "mean_wait_s"}
    study = play_study(JOBS, flat(8), cells, progress=lambda *call: calls.append(call), **sought)
    assert [done for done, _ in calls] == list(range(1, len(study.rows) + 1))
    assert {of for _, of in calls[:8]} == {10_000}
    assert {of for _, of in calls[8:16]} == {32}  # intervals shrink with the root of the seeds


def test_a_study_has_a_baseline_for_each_cell():
    study = play_study(JOBS, flat(8), CELLS, seeds=range(4))
    gaps = study.differences({"saving": "easy", "easy": "fcfs"}).set_index(["cell", "metric"])
    means = study.means().set_index(["cell", "metric"])["mean"]
    gap = gaps.loc[("easy", "mean_wait_s"), "mean"]
    expected = means["easy", "mean_wait_s"] - means["fcfs", "mean_wait_s"]
    assert gap == pytest.approx(expected)
    assert gaps.index.get_level_values("cell").unique().tolist() == ["saving", "easy"]
    with pytest.raises(ValueError, match="baseline must be one of easy, fcfs, saving, got 'sjf'"):
        study.differences({"easy": "sjf"})


def test_nothing_that_fails_gives_nan_and_no_count():
    study = play_study(JOBS, flat(8), {"calm": Cell()}, seeds=range(2))
    row = study.means().set_index("metric").loc["failure_slowdown"]
    assert np.isnan(row["mean"])
    assert row["seeds"] == 0
    assert study.reach("mean_wait_s") == 0.0


def test_a_cell_may_have_a_machine_of_its_own():
    drawn = DrawnFailures(mtbf=40.0, mttr=5.0)
    sizes = {"small": flat(8), "large": flat(16, processors_per_node=2)}
    cells = {name: Cell("easy", drawn, machine=machine) for name, machine in sizes.items()}
    rows = play_study(JOBS, flat(12), cells, seeds=[3]).rows.set_index("cell")
    for name, machine in sizes.items():
        failures = drawn.of(machine, JOBS, 3)
        played = replay(JOBS, machine, policy="easy", failures=failures)
        assert rows.loc[name, "mean_wait_s"] == played.metrics["mean_wait_s"]
        assert rows.loc[name, "failures_drawn"] == len(failures)


def test_half_the_gaps_double_the_load():
    study = play_study(JOBS, flat(8), {"once": Cell(), "twice": Cell(gaps=0.5)}, seeds=[0])
    once, twice = study.rows["mean_wait_s"]
    alone = replay(JOBS.scale_gaps(0.5), flat(8)).metrics
    assert twice == alone["mean_wait_s"] > once


def test_wrong_studies_are_refused():
    with pytest.raises(ValueError, match="cells must be one at least, got none"):
        play_study(JOBS, flat(8), {})
    with pytest.raises(TypeError, match="cells must be"):
        play_study(JOBS, flat(8), {"easy": "easy"})
    with pytest.raises(ValueError, match="workers must be a whole number >= 1, got 0"):
        play_study(JOBS, flat(8), CELLS, workers=0)
    with pytest.raises(ValueError, match="seeds must be one at least, got none"):
        play_study(JOBS, flat(8), CELLS, seeds=[])
    with pytest.raises(ValueError, match="seeds must be different, got 3 twice"):
        play_study(JOBS, flat(8), CELLS, seeds=[3, 4, 3])
    with pytest.raises(ValueError, match="metric must be given with until, got None"):
        play_cells(lambda cell, seed: {}, ["one"], until=0.1)
    with pytest.raises(ValueError, match=r"until must be in \[0, 1\], got 2.0"):
        play_study(JOBS, flat(8), CELLS, until=2.0)
    with pytest.raises(ValueError, match="metric must be one of"):
        play_study(JOBS, flat(8), CELLS, until=0.1, metric="speed")
    with pytest.raises(ValueError, match=r"mtbf must be finite and > 0, got 0\.0"):
        DrawnFailures(0.0)


def test_studies_and_what_they_are_made_of_pickle():
    study = play_study(JOBS, flat(8), CELLS, seeds=[1])
    again = pickle.loads(pickle.dumps(study))
    assert isinstance(again, Study)
    assert again.rows.equals(study.rows)
    assert pickle.loads(pickle.dumps(CELLS["easy"])) == CELLS["easy"]
