"""Objectives of many sets by tables, against those of each set on its own."""

import numpy as np
import pytest

from perfmodel.partition import Machines, schedule_exhaustive
from perfmodel.partition._slowest import slowest_moments
from perfmodel.partition._sweep import objectives
from perfmodel.partition.machines import Subtasks


def fleet(seed, count):
    rng = np.random.default_rng(seed)
    mtbf = 10.0 ** rng.uniform(1.5, 3.5, count)
    return Machines(
        rng.uniform(1.0, 5.0, count),
        mtbf,
        mtbf * rng.uniform(0.0, 0.4, count),
        rng.uniform(0.0, 4.0, count),
        rng.uniform(0.5, 20.0, count),
        rng.uniform(0.0, 0.5, count),
    )


def every_set(count):
    return np.asarray(np.arange(1, 2**count)[:, None] >> np.arange(count) & 1, dtype=bool)


def one_by_one(machines, members, times):
    found = []
    for flags, time in zip(members, times, strict=True):
        some = machines.take(np.flatnonzero(flags))
        mean, std = slowest_moments(some.subtasks(time * some.effective_speed))
        found.append(float(mean + std))
    return np.array(found)


@pytest.mark.few(3)
@pytest.mark.parametrize("work", [3.0, 300.0, 30_000.0])
@pytest.mark.parametrize("seed", range(3))
def test_tables_give_what_each_set_gives(seed, work):
    machines, members = fleet(seed, 7), every_set(7)
    times = work / (members @ machines.effective_speed)
    known = one_by_one(machines, members, times)
    np.testing.assert_allclose(objectives(machines, members, times), known, rtol=3e-6)


def test_machines_that_never_fail_and_machines_alike():
    calm = Machines([1.0, 2.0, 2.0], 1e12, 0.0, 1.0, 2.0, [0.1, 0.2, 0.2])
    members = every_set(3)
    times = 60.0 / (members @ calm.effective_speed)
    known = one_by_one(calm, members, times)
    np.testing.assert_allclose(objectives(calm, members, times), known, rtol=1e-9)


@pytest.mark.slow
def test_the_best_of_thousands_is_the_best_of_each_on_its_own():
    machines, members = fleet(5, 10), every_set(10)
    times = 900.0 / (members @ machines.effective_speed)
    known = one_by_one(machines, members, times)
    found = schedule_exhaustive(900.0, machines)
    assert found.objective == pytest.approx(known.min(), rel=1e-12)
    np.testing.assert_array_equal(found.chosen, np.flatnonzero(members[known.argmin()]))


@pytest.mark.parametrize("work", [300.0, 30_000.0, 3e6, 3e8])
@pytest.mark.parametrize("seed", range(2))
def test_large_sets_are_summed_at_fewer_points_for_the_same_result(seed, work):
    machines = fleet(seed, 400)
    tasks = machines.subtasks(work / 400 * machines.effective_speed)
    found = slowest_moments(tasks)
    every = Subtasks(
        *(column[None] for column in (tasks.start, tasks.failing, tasks.shape, tasks.scale))
    )
    known = slowest_moments(every)  # of many sets all points are
    np.testing.assert_allclose(found, np.ravel(known), rtol=1e-7)
