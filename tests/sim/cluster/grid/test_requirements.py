import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from sim.cluster import Workload
from sim.cluster.grid import (
    ClusterSpec,
    Grid,
    reconstruct,
    requirements_from_frame,
    suitability,
    suitability_cdf,
)
from sim.cluster.grid.requirements import Requirement, partitions_in_order
from tests.support.examples import examples
from tests.support.workloads import seeds

GRID = Grid(
    (
        ClusterSpec("a", 3, properties={"xeon", "nfs"}, owners={"mu"}, queues={"short": 7200.0}),
        ClusterSpec("b", 1, properties={"xeon"}, queues={"short": 7200.0, "long": 86400.0}),
        ClusterSpec("c", 6, time_limit=100.0),
    )
)


def jobs_of(**columns):
    count = len(next(iter(columns.values())))
    ones = np.ones(count)
    return Workload(submit=np.zeros(count), runtime=ones, walltime=ones, processors=ones, **columns)


@pytest.mark.parametrize(
    ("asked", "suits"),
    [
        ({}, [True, True, True]),
        ({"properties": frozenset({"xeon"})}, [True, True, False]),
        ({"properties": frozenset({"xeon", "nfs"})}, [True, False, False]),
        ({"properties": frozenset({"arm"})}, [False, False, False]),
        ({"clusters": frozenset({"b", "c"})}, [False, True, True]),
        ({"owner": "mu"}, [True, False, False]),
        ({"queue": "long"}, [False, True, True]),  # c lets every queue in
        ({"queue": "short", "time_limit": 7200.0}, [True, True, False]),
        ({"queue": "long", "time_limit": 86401.0}, [False, False, False]),
        ({"time_limit": 100.0}, [True, True, True]),
        ({"time_limit": 101.0}, [True, True, False]),
    ],
)
def test_what_a_job_asks_for_and_who_gives_it(asked, suits):
    assert suitability([Requirement(**asked)], GRID).tolist() == [suits]


def test_a_table_is_matched_by_job_number():
    jobs = jobs_of(job=[7, 8, 9])
    table = pd.DataFrame(
        {
            "job": ["9", "7", "40"],
            "properties": ["xeon nfs", "", ""],
            "clusters": ["", "b", ""],
            "queue": ["", "short", ""],
            "time_limit": ["", "60", ""],
        }
    )
    found, counts = requirements_from_frame(table, jobs)
    assert found == [
        Requirement(clusters=frozenset({"b"}), queue="short", time_limit=60.0),
        Requirement(),
        Requirement(properties=frozenset({"xeon", "nfs"})),
    ]
    assert counts == {"without": 1, "unknown": 1}
    twice = pd.concat([table, table.iloc[:1].assign(properties="ssd")])
    found, counts = requirements_from_frame(twice, jobs)
    assert found[2] == Requirement(properties=frozenset({"ssd"}))
    assert counts == {"without": 1, "unknown": 1, "repeated": 1}
    with pytest.raises(ValueError, match="frame must have a column 'job'"):
        requirements_from_frame(table.drop(columns="job"), jobs)
    with pytest.raises(ValueError, match=r"time_limit must be >= 0, got -5\.0"):
        requirements_from_frame(table.assign(time_limit="-5"), jobs)


def test_history_shows_where_an_application_may_run():
    jobs = jobs_of(executable=[1, 1, 2, -1, 3], partition=[1, 3, 2, 2, -1])
    matrix, counts = reconstruct(jobs, {1: 0, 2: 1, 3: 2}, clusters=3)
    yes, no = True, False
    assert matrix.tolist() == [[yes, no, yes], [yes, no, yes], [no, yes, no], [yes] * 3, [yes] * 3]
    assert counts == {"no_history": 2}


def test_users_and_queues_stand_in_for_applications():
    jobs = jobs_of(user=[1, 1, 1], queue=[1, 2, 1], partition=[1, 2, 2])
    matrix, _ = reconstruct(jobs, {1: 0, 2: 1}, clusters=2, by=("user", "queue"))
    assert matrix.tolist() == [[True, True], [False, True], [True, True]]
    with pytest.raises(ValueError, match="by must be one of executable, user, group, queue"):
        reconstruct(jobs, {1: 0}, clusters=2, by=("shoe",))
    with pytest.raises(ValueError, match="by must name at least one column"):
        reconstruct(jobs, {1: 0}, clusters=2, by=())


@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds)
def test_every_job_suits_the_cluster_where_it_ran(rng):
    count = int(rng.integers(1, 40))
    jobs = jobs_of(executable=rng.integers(-1, 6, count), partition=rng.integers(1, 4, count))
    places = partitions_in_order(jobs.partition)
    matrix, _ = reconstruct(jobs, places, clusters=3)
    assert matrix[np.arange(count), jobs.partition - 1].all()
    # Jobs of one application suit the same clusters.
    for application in set(jobs.executable.tolist()):
        assert len({row.tobytes() for row in matrix[jobs.executable == application]}) == 1


def test_the_distribution_of_suitability_counts_machines():
    suits = np.array([[True, False, False], [True, True, True], [True, False, False]])
    share, cdf = suitability_cdf(suits, GRID)
    assert share.tolist() == [0.3, 1.0]
    assert cdf.tolist() == pytest.approx([2 / 3, 1.0])
