"""Figures of replays and studies: what is drawn is what the records say."""

import numpy as np
import pytest

from sim.cluster import Workload, failures_from_frame, flat, replay
from sim.study import Study

pyplot = pytest.importorskip("matplotlib.pyplot", reason="figures need the extra plot")

JOBS = Workload(
    submit=[0, 1, 2], runtime=[9000, 5000, 4000], walltime=[9000, 5000, 8000], processors=[3, 4, 1]
)


@pytest.fixture(autouse=True)
def _closed():
    pyplot.switch_backend("Agg")
    yield
    pyplot.close("all")


def area(patch):
    values, edges, _ = patch.get_data()
    return float(np.sum(values * np.diff(edges)))


def test_the_area_in_use_is_the_node_time_of_all_attempts():
    result = replay(JOBS, flat(4), policy="easy", engine="general")
    axes = result.plot()
    (used,) = (patch for patch in axes.patches if patch.get_label() == "running")
    assert area(used) * 3600.0 == pytest.approx(3 * 9000 + 4 * 5000 + 4000, rel=1e-9)
    assert axes.get_xlabel() == "hours since the first submission"
    assert "3 jobs under easy" in axes.get_title()


def test_attempts_that_failed_have_a_colour_and_days_where_they_are_long():
    pd = pytest.importorskip("pandas")
    days = Workload(submit=[0], runtime=[86400 * 5], walltime=[86400 * 5], processors=[2])
    struck, _ = failures_from_frame(
        pd.DataFrame({"time": [86400.0 * 2], "node": [0], "repair": [3600.0]}), nodes=4
    )
    result = replay(days, flat(4), failures=struck, engine="general")
    axes = result.plot(pyplot.subplots()[1])
    areas = {patch.get_label(): area(patch) for patch in axes.patches}
    ended = result.attempt_records.end - result.attempt_records.start
    assert areas["until a failure"] == pytest.approx(2 * 2.0, rel=1e-9)
    assert areas["running"] == pytest.approx(2 * ended.sum() / 86400.0, rel=1e-9)
    assert axes.get_xlabel().startswith("days")


def test_no_job_is_an_empty_figure():
    none = replay(JOBS.select(np.zeros(3, dtype=bool), rule="none"), flat(4), engine="general")
    assert none.plot().get_ylim() == (0.0, 4.2)


def test_a_study_shows_means_and_intervals_of_its_cells():
    rows = [
        {"cell": cell, "seed": seed, "mean_wait": 10.0 * place + seed}
        for seed in range(3)
        for place, cell in enumerate(("easy", "fcfs"))
    ]
    study = Study.of(rows)
    axes = study.plot("mean_wait")
    assert [text.get_text() for text in axes.get_yticklabels()] == ["easy", "fcfs"]
    (bars,) = axes.containers
    x, y = bars.lines[0].get_data()
    assert x.tolist() == [1.0, 11.0]
    assert y.tolist() == [1, 0]
    ends = [path.vertices[:, 0] for path in bars.lines[2][0].get_paths()]
    half = study.means()["half_width"].tolist()
    assert [(b - a) / 2.0 for a, b in ends] == pytest.approx(half)
    with pytest.raises(ValueError, match="metric must be one of mean_wait, got 'wait'"):
        study.plot("wait")
