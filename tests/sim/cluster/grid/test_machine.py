import numpy as np
import pytest

from sim.cluster import Job, Workload
from sim.cluster.grid import ClusterSpec, Grid
from sim.cluster.grid.machine import GridPlacement


def job_of(processors):
    return Job(0, 0.0, processors, 1.0, 1.0, False)


def grid(**more):
    return Grid(
        (
            ClusterSpec("a", 3, 2, speed=1.0),
            ClusterSpec("b", 2, (1, 4), speed=2.0),
            ClusterSpec("c", 4, 2, speed=1.0),
        ),
        **more,
    )


def test_sizes_and_ranking():
    machine = grid()
    assert (machine.size, machine.nodes) == (19, 9)
    assert machine.first_machines == [0, 3, 5, 9]
    assert machine.ranking == [1, 2, 0]


def test_equal_clusters_stand_as_listed():
    assert Grid((ClusterSpec("x", 2), ClusterSpec("y", 2))).ranking == [0, 1]


def test_a_job_takes_the_first_free_machines_of_one_cluster():
    state = grid().occupancy(numbered=True)
    assert state.place(job_of(3)) == GridPlacement(1, (3, 4), (1, 2))
    assert state.place(job_of(6)) == GridPlacement(2, (5, 6, 7), (2, 2, 2))
    state.take(GridPlacement(2, (5,), (1,)))
    assert state.place(job_of(7)) == GridPlacement(2, (5, 6, 7, 8), (1, 2, 2, 2))
    assert state.place(job_of(8)) is None
    assert state.idle == 18


def test_a_machine_that_is_out_holds_nothing():
    state = grid().occupancy(numbered=True)
    state.fail(4, 10.0, [])
    state.fail(4, 20.0, [])
    assert (state.idle, state.down, state.free(1), state.up(1)) == (15, 4, 1, 1)
    assert state.place_in(job_of(2), 1) is None
    assert state.available(GridPlacement(1, (3,), (1,)))
    assert not state.available(GridPlacement(1, (3, 4), (1, 1)))
    assert state.returns(1) == ()
    state.repair(4)
    assert (state.idle, state.down, state.free(1), state.up(1)) == (19, 0, 5, 5)


def test_planning_knows_of_repairs_where_the_grid_says_so():
    state = grid(repairs_known=True).occupancy(numbered=True)
    state.fail(4, 10.0, [])
    assert state.returns(1) == [(10.0, 4)]
    assert state.returns(0) == []


def test_more_than_is_free_cannot_be_taken():
    state = grid().occupancy(numbered=True)
    state.take(GridPlacement(0, (0,), (2,)))
    with pytest.raises(RuntimeError, match="machine 0 would have -1 processors free"):
        state.take(GridPlacement(0, (0,), (1,)))
    with pytest.raises(RuntimeError, match="machine 1 would have 3 processors free"):
        state.give(GridPlacement(0, (1,), (1,)))


def test_suitability_and_size_decide_where_jobs_may_run():
    jobs = Workload(submit=[0, 0], runtime=[1, 1], walltime=[1, 1], processors=[5, 7])
    allowed = np.array([[True, False, True], [True, True, False]])
    assert grid(suitability=allowed).suits(jobs).tolist() == [[True, False, True], [False] * 3]
    assert grid(suitability=allowed).fits(jobs).tolist() == [True, False]
    with pytest.raises(ValueError, match="suitability must have one row per job, got 1 rows"):
        grid(suitability=allowed[:1]).suits(jobs)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ClusterSpec("a", 0), "machines must be a whole number >= 1, got 0"),
        (lambda: ClusterSpec("a", 1, 0), "processors must be a whole number >= 1, got 0"),
        (lambda: ClusterSpec("a", 2, (1,)), "processors must have one entry per machine, got 1"),
        (lambda: ClusterSpec("a", 1, speed=0.0), "speed must be finite and > 0, got 0.0"),
        (lambda: ClusterSpec("a", 1, time_limit=0.0), "time_limit must be > 0, got 0.0"),
        (lambda: ClusterSpec("a", 1, queues={"q": -1.0}), "q must be > 0, got -1.0"),
        (lambda: Grid(()), "clusters must hold at least one cluster"),
        (
            lambda: Grid((ClusterSpec("a", 1), ClusterSpec("a", 1))),
            "clusters must have different names, got 'a' twice",
        ),
        (
            lambda: Grid((ClusterSpec("a", 1),), np.ones((1, 2), bool)),
            "suitability must have 1 columns",
        ),
    ],
)
def test_nonsense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
