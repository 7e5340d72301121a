"""The claims of qsim on a machine that behaves as in the paper, and on one that does not."""

from zlib import crc32

import numpy as np
import pandas as pd
import pytest

from sim.traces import locate
from validation.reproduction.drawn import kept_frame
from validation.reproduction.qsim import results as qsim_results
from validation.reproduction.qsim import runs
from validation.reproduction.qsim.claims import claims
from validation.reproduction.qsim.results import PEACEFUL, STRUCK, Results, Setup, wanted
from validation.reproduction.qsim.runs import Run, play
from validation.reproduction.shown import AS_TABLES, Shown

WAITS = {
    "fcfs": (7000.0, 8000.0, 9000.0, 9500.0),
    "fat": (8576.0, 6124.0, 5193.0, 4115.0),
    "wfp1": (8650.0, 6200.0, 5500.0, 4800.0),
    "wfp3": (6000.0, 5500.0, 5300.0, 4900.0),
    "fcsj": (3000.0, 3500.0, 4400.0, 5500.0),
    "unicef": (1038.0, 3420.0, 4535.0, 11928.0),
}
MEANS = {"fcfs": 7882.0, "fat": 6090.0, "wfp1": 6826.0, "wfp3": 5856.0, "fcsj": 3560.0}
SEEDS = (1, 2, 3, 4)


@pytest.fixture(autouse=True)
def first_jobs(monkeypatch):
    monkeypatch.setattr(qsim_results, "has_first_jobs", lambda: True)


def as_printed(run):
    rng = np.random.default_rng(crc32(f"{run.seed} {run.utility} {run.mtbf}".encode()))
    noise = 1.0 + 0.001 * rng.random()
    mean = MEANS.get(run.utility, 4070.0)
    calm = np.isinf(run.mtbf)
    aware = 1.0 if run.allocation == "ordinary" else 0.8
    rate = 0.0 if calm else 3.5 / run.mtbf
    fcfs = run.utility == "fcfs"
    return {
        "wait": mean * noise,
        "response": (mean + 4457.0) * (1.0 + 0.14 * rate * aware) * noise,
        "slowdown": mean / 812.0 * (1.0 + 0.1 * rate * aware) * noise,
        "failed": 0.0105 * rate * aware * noise,
        "lost": 0.4 * rate * aware * noise,
        "lost_of_capacity": 0.148 * rate * aware * noise,
        "at_once": (0.5 if fcfs else 0.55) * noise,
        "long": (0.045 if fcfs else 0.03) * noise,
        "wait_by_scale": [noise * wait for wait in WAITS[run.utility]],
        "wait_by_length": [
            noise * w for w in ((9e3, 8e3, 7e3, 5e3) if fcfs else (5e3, 5e3, 7e3, 6e3))
        ],
        "slowdown_by_length": [noise * value for value in (20.0, 5.0, 2.0, 1.2)],
        "slowdown_by_scale": [noise] * 4,
        "surprise": rng.normal(size=2).tolist(),
    }


def judged(change=None, shown=AS_TABLES):
    runs = {run: as_printed(run) for run in dict.fromkeys(wanted(SEEDS, shown))}
    for run, numbers in runs.items():
        if change is not None:
            change(run, numbers)
    return {each.claim.says: each for each in claims(Results(runs, SEEDS), shown)}


def test_a_machine_like_the_papers_gets_every_claim():
    found = judged()
    assert len(found) == 21
    for says, each in found.items():
        assert each.words[0] == "yes", says
    (loss,) = [each for says, each in found.items() if "share of the jobs fails" in says]
    assert loss.verdict == "holds if lost, of the capacity"


def test_the_text_is_the_first_reading():
    assert PEACEFUL[0] == STRUCK[0] == Setup("month", "january-2009", 0.7, "requested")


def test_a_reversed_order_is_seen_under_its_scheduler_alone():
    def change(run, numbers):
        if run.scheduler == "june-2009" and run.utility == "fcfs":
            numbers["wait"] = 1.0

    found = judged(change, Shown(only="fig4"))
    worst = next(each for says, each in found.items() if "longest mean wait" in says)
    assert "june-2009" not in worst.verdict
    assert worst.verdict.startswith("holds if scheduler")


def test_fault_aware_allocation_that_loses_more_is_contradicted():
    def change(run, numbers):
        if run.allocation != "ordinary":
            numbers["failed"] *= 2.0

    found = judged(change, Shown(only="fig9"))
    assert (
        next(e for s, e in found.items() if "lowers the job failure rate" in s).verdict
        == "contradicted"
    )


@pytest.mark.parametrize(("place", "struck"), [("fig4", False), ("fig9", True)])
def test_of_one_figure_no_more_is_played_than_it_shows(place, struck):
    runs = set(wanted((1,), Shown(only=place)))
    assert len(runs) < len(set(wanted((1,))))
    assert any(np.isfinite(run.mtbf) for run in runs) is struck


@pytest.mark.slow
def test_runs_of_one_seed_meet_the_same_failures():
    ordinary, again = (play(Run("month", 3, "fcfs", 4.0, threshold=t)) for t in (0.0, 0.0))
    assert ordinary == again


def test_a_month_is_drawn_anew_when_its_search_changes(monkeypatch):
    asked = {}

    def kept(name, seed, sources, draw):
        asked[name, seed] = {f"{path.parent.name}/{path.name}" for path in sources}
        raise InterruptedError

    monkeypatch.setattr(runs, "kept_frame", kept)
    runs.month.cache_clear()
    if locate("jobs/intrepid/intrepid-first3000-nowalltime.txt.xz") is None:
        pytest.skip("the first 3,000 jobs are not at hand")
    with pytest.raises(InterruptedError):
        runs.month(77)
    code = {"generated/intrepid_month.py", "resampled/placing.py", "resampled/resample.py"}
    assert code <= asked["intrepid-month", 77]


def test_a_drawn_log_is_kept_until_what_draws_it_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFMODEL_DRAWN", str(tmp_path / "kept"))
    source, drawn = tmp_path / "code.py", []
    source.write_text("first")

    def draw():
        drawn.append(1)
        return pd.DataFrame({"submit": [0.1, 0.2], "processors": [1, 2]})

    frames = [kept_frame("log", 1, [source], draw) for _ in range(2)]
    pd.testing.assert_frame_equal(*frames)
    assert len(drawn) == 1
    kept_frame("log", 2, [source], draw)
    source.write_text("second")
    kept_frame("log", 1, [source], draw)
    assert len(drawn) == 3
