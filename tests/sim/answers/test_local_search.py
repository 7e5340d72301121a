"""Settings of local search, as a request of a grid has them."""

import numpy as np
import pytest

from asking.refusals import Refused
from sim.answers import GridRequest, grid
from sim.cluster import Workload
from sim.cluster.grid import ClusterSpec, Grid, LocalSearch, replay_grid

MACHINES = "[[cluster]]\nname = 'a'\nmachines = 3\nprocessors_per_machine = 1\n"


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(5)
    submit = np.sort(rng.integers(0, 200, 30))
    runtime, size = rng.integers(50, 900, 30), rng.integers(1, 4, 30)
    rows = [
        f"{n} {s} -1 {r} {p} -1 -1 {p} {r} -1 1 1 1 1 1 1 -1 -1"
        for n, (s, r, p) in enumerate(zip(submit, runtime, size, strict=True), start=1)
    ]
    (tmp_path / "jobs.swf").write_text("\n".join(rows) + "\n")
    (tmp_path / "machines.toml").write_text(MACHINES)
    jobs = Workload(submit, runtime, runtime, size)
    return {"log": tmp_path / "jobs.swf", "machines": tmp_path / "machines.toml"}, jobs


def test_settings_are_those_of_the_search_that_is_played(files):
    asked, jobs = files
    waits = {}
    for rounds in (0, 2, 20):
        found = grid(GridRequest(**asked, policies=("ls",), runs=1, seed=3, search_rounds=rounds))
        (row,) = found.to_dict()["results"]
        machine = Grid((ClusterSpec("a", 3),))
        played = replay_grid(jobs, machine, policy=LocalSearch(3, rounds=rounds))
        waits[rounds] = row["mean_wait_s"]
        assert row["mean_wait_s"] == pytest.approx(played.metrics["mean_wait_s"])
    assert waits[20] < waits[0]


def test_settings_of_a_search_that_nobody_makes_are_refused(files):
    with pytest.raises(Refused, match="search_budget must come with policies ls"):
        grid(GridRequest(**files[0], policies=("cons",), search_budget=9))


def test_weights_of_gains_are_those_of_the_search(files):
    asked, jobs = files
    machine = Grid((ClusterSpec("a", 3),))
    found = {}
    for weights in ((1.0, 1.0, 1.0), (0.0, 1.0, 0.0)):
        (row,) = grid(
            GridRequest(**asked, policies=("ls",), runs=1, seed=3, search_weights=weights)
        ).to_dict()["results"]
        played = replay_grid(jobs, machine, policy=LocalSearch(3, weights=weights))
        assert row["mean_slowdown"] == pytest.approx(played.metrics["mean_slowdown"])
        found[weights] = row["mean_slowdown"]
    assert len(set(found.values())) == 2


@pytest.mark.parametrize("text", ["1,1", "0,0,0", "1,-1,1", "a,b,c", "inf,1,1"])
def test_weights_that_are_none_are_refused(files, text):
    with pytest.raises(Refused, match="search_weights must be three numbers >= 0, not all 0"):
        GridRequest(**files[0], search_weights=text)
