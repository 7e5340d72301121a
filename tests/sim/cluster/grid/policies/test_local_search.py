import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import ANY, Failures, Workload
from sim.cluster.grid import ClusterSpec, Grid, replay_grid
from sim.cluster.grid.kernels.plan import earliest_or_never, relative_gain, weight
from sim.cluster.grid.kernels.search import DUST, local_search
from sim.cluster.grid.policies.local_search import LocalSearch, _Search
from sim.cluster.kernels.structures import reserve
from tests.sim.cluster.grid.test_replay import random_case
from tests.support.examples import examples
from tests.support.workloads import seeds

ALIKE = np.ones(3)


def weight_by_hand(previous, new):
    """Eq. 2 from lists of (submit, start, planned), the zero cases as documented."""

    def means(schedule):
        waits = [start - submit for submit, start, _ in schedule]
        responses = [wait + job[2] for wait, job in zip(waits, schedule, strict=True)]
        slowdowns = [r / job[2] for r, job in zip(responses, schedule, strict=True)]
        return [np.mean(measure) for measure in (slowdowns, waits, responses)]

    total = 0.0
    for before, after in zip(means(previous), means(new), strict=True):
        if before > 0.0:
            total += (before - after) / before
        elif after > 0.0:
            total = -np.inf
    return total


def test_the_weight_and_its_zero_cases():
    fewer, more = np.array([2.0, 0.0, 8.0]), np.array([1.0, 0.1, 8.0])
    mixed = (np.array([2.0, 4.0, 8.0]), np.array([1.0, 3.0, 9.0]))
    assert weight(*mixed, ALIKE) == 0.5 + 0.25 - 0.125
    assert weight(*mixed, np.array([0.0, 1.0, 2.0])) == 0.25 - 0.25
    assert weight(fewer, np.array([1.0, 0.0, 8.0]), ALIKE) == 0.5
    assert weight(fewer, more, ALIKE) == -np.inf
    assert weight(fewer, more, np.array([2.0, 0.0, 1.0])) == 1.0
    assert relative_gain(0.0, 0.0) == 0.0
    assert relative_gain(1.0, 0.0) == 1.0


def test_a_place_in_a_profile_that_never_has_room():
    times, free = np.array([0.0, 5.0, 9.0]), np.array([1, 3, 2])
    assert earliest_or_never(times, free, 3, 3, 4.0) == 5.0
    assert earliest_or_never(times, free, 3, 3, 4.5) == np.inf
    assert earliest_or_never(times, free, 3, 2, 100.0) == 5.0


@settings(deadline=None, max_examples=examples(120))
@given(rng=seeds, rounds=st.sampled_from((1, 2, 30)))
def test_a_run_never_ends_worse_than_it_began(rng, rounds):
    workload, grid, failures = random_case(rng)
    runs = []

    class Watched(_Search):
        def improve(self):
            before = self.schedule_now()
            tried, accepted = super().improve()
            after = self.schedule_now()
            runs.append((tried, accepted))
            if before:
                assert tried <= rounds * len(before)
                assert set(before) == set(after)
                value = weight_by_hand(
                    [before[index] for index in before], [after[index] for index in before]
                )
                assert value > -1e-9
                if accepted:
                    assert value > 0.0 or before != after or value == pytest.approx(0.0, abs=1e-9)
                else:
                    assert before == after
            return tried, accepted

        def schedule_now(self):
            return {
                index: (job.submit, self.slots[index][1], job.planned)
                for listed in self.lists
                for index, job in listed.items()
            }

    class Policy:
        name = "watched"
        runs_on = (ANY,)

        def begin(self, cluster):
            return Watched(cluster, LocalSearch(seed=1, period=2.0, rounds=rounds)).schedule

    replay_grid(workload, grid, policy=Policy(), failures=failures)


def test_some_runs_do_improve():
    # One processor: the long job stands before short ones; any search worth its name swaps them.
    grid = Grid((ClusterSpec("a", 1),))
    jobs = Workload(
        submit=[0, 1, 1, 1, 1],
        runtime=[400, 1000, 1, 1, 1],
        walltime=[400, 1000, 1, 1, 1],
        processors=[1] * 5,
    )
    plain = replay_grid(jobs, grid, policy="cons").metrics
    better = replay_grid(jobs, grid, policy="ls", seed=4).metrics
    assert better["mean_wait_s"] < plain["mean_wait_s"]
    assert better["mean_slowdown"] < plain["mean_slowdown"]


def planned_anew(profile, listed, processors, planned):
    """Plan a list from nothing; return job -> start."""
    times, free, size = profile[0].copy(), profile[1].copy(), profile[2]
    found = {}
    for job in listed:
        found[job] = earliest_or_never(times, free, size, processors[job], planned[job])
        end = found[job] + planned[job]
        size = reserve(times, free, size, found[job], end, processors[job])
    return found


def plain_search(profiles, lists, processors, planned, submit, allowed, draws, weights):  # noqa: PLR0917
    """Do what the search does without its shortcuts; return lists, starts, and those accepted."""

    def plan(wanted):
        found = {}
        for pool, listed in enumerate(wanted):
            found |= planned_anew(profiles[pool], listed, processors, planned[pool])
        return found

    def sums(wanted, starts):
        lengths = {job: planned[pool, job] for pool, listed in enumerate(wanted) for job in listed}
        waits = {job: start - submit[job] for job, start in starts.items()}
        responses = {job: wait + lengths[job] for job, wait in waits.items()}
        slowdowns = sum(response / lengths[job] for job, response in responses.items())
        return np.array([slowdowns, sum(waits.values()), sum(responses.values())])

    begun, starts, accepted = lists, plan(lists), 0
    for first, second, third in draws:
        job = int(first * len(submit))
        choices = np.flatnonzero(allowed[job])
        target = int(choices[int(second * choices.size)])
        trial = [[other for other in listed if other != job] for listed in lists]
        trial[target].insert(int(third * (len(trial[target]) + 1)), job)
        moved = plan(trial)
        if weight(sums(lists, starts), sums(trial, moved), weights) > DUST:
            lists, starts, accepted = trial, moved, accepted + 1
    # Gains that add up to a loss.
    if weight(sums(begun, plan(begun)), sums(lists, starts), weights) < 0.0:
        return begun, plan(begun), 0
    return lists, starts, accepted


@settings(deadline=None, max_examples=examples(320))
@given(
    rng=seeds,
    wide=st.sampled_from((0.0, 0.1, 1.0)),
    last=st.booleans(),
    falls=st.booleans(),
    scaled=st.booleans(),
    weights=st.sampled_from(((1.0, 1.0, 1.0), (0.5, 2.5, 0.0), (0.0, 0.0, 3.0), (2.9, 0.0, 0.1))),
)
def test_the_shortcuts_change_nothing(rng, wide, last, *, falls, scaled, weights):
    # Jobs alike, almost alike and mixed; profiles in which the room only grows, and others. Wide
    # jobs behind many alike may start earlier for one job more.
    count, pools = int(rng.integers(2, 45)), 2
    processors = np.where(rng.random(count) < wide, rng.integers(1, 4, count), rng.integers(1, 3))
    planned = np.tile(rng.integers(1, 30, count).astype(float), (pools, 1))
    if scaled:  # lengths that depend on the pool
        planned *= rng.choice([0.5, 1.0, 2.0, 8.0], (pools, count))
    submit = -rng.integers(0, 20, count).astype(float)
    width = 2 * count + 8
    times, free = np.zeros((pools, width)), np.zeros((pools, width), np.int64)
    times[:, 1], times[:, 2] = 5.0, 9.0
    free[:, 0], free[:, 1], free[:, 2] = rng.integers(0, 3, pools), 3, rng.integers(3, 6, pools)
    free[:, 0] += 3 * falls
    profiles = [(times[pool], free[pool], 3) for pool in range(pools)]
    pool_of = rng.integers(0, pools, count)
    begun = [np.flatnonzero(pool_of == pool).tolist() for pool in range(pools)]
    if last:
        begun = [sorted(listed, key=processors.__getitem__) for listed in begun]
    lists, start = np.zeros((pools, count), np.int64), np.empty(count)
    for pool, listed in enumerate(begun):
        lists[pool, : len(listed)] = listed
        for job, at in planned_anew(profiles[pool], listed, processors, planned[pool]).items():
            start[job] = at
    counts = np.array([len(listed) for listed in begun])
    allowed = rng.random((count, pools)) < 0.7
    allowed[np.arange(count), pool_of] = True
    draws = rng.random((60, 3))
    expected, begins, accepted = plain_search(
        profiles, begun, processors, planned, submit, allowed, draws, np.array(weights)
    )
    found = local_search(
        times,
        free,
        np.array([3, 3]),
        lists,
        counts,
        pool_of.copy(),
        start,
        processors,
        planned,
        submit,
        allowed,
        draws,
        np.array(weights),
        10**9,
    )
    assert found == (60, accepted)
    assert [lists[p, : counts[p]].tolist() for p in range(pools)] == expected
    assert start.tolist() == [begins[job] for job in range(count)]


def one_pool(runtimes, *, draws, budget=10_000):
    """Search the plan of one processor; return (tried, accepted, order of start)."""
    count = len(runtimes)
    planned = np.array(runtimes, dtype=np.float64)
    start = np.concatenate([[0.0], np.cumsum(planned)[:-1]]) + 10.0
    width = 2 * count + 8
    times, free = np.zeros((1, width)), np.zeros((1, width), np.int64)
    times[0, 1], free[0, 1] = 10.0, 1
    tried, accepted = local_search(
        times,
        free,
        np.array([2]),
        np.arange(count)[None, :].copy(),
        np.array([count]),
        np.zeros(count, np.int64),
        start,
        np.ones(count, np.int64),
        planned[None, :].copy(),
        np.zeros(count),
        np.ones((count, 1), dtype=np.bool_),
        np.array(draws, dtype=np.float64).reshape(-1, 3),
        ALIKE,
        budget,
    )
    return tried, accepted, np.argsort(start).tolist()


def test_a_move_by_hand():
    # Job 1 (of 2) to place 0: the short one goes first, all three measures gain.
    assert one_pool([100, 1], draws=[[0.9, 0.0, 0.0]]) == (1, 1, [1, 0])
    # The short one to the end: all lose.
    assert one_pool([1, 100], draws=[[0.0, 0.0, 0.9]]) == (1, 0, [0, 1])
    # To where it is: nothing to weigh.
    assert one_pool([1, 100], draws=[[0.0, 0.0, 0.1]]) == (1, 0, [0, 1])


def test_enough_draws_find_the_shortest_first():
    rng = np.random.default_rng(2)
    tried, _, order = one_pool([50, 7, 300, 20], draws=rng.random((400, 3)))
    assert (tried, order) == (400, [1, 3, 0, 2])


def test_the_budget_ends_a_run():
    rng = np.random.default_rng(2)
    tried, _, _ = one_pool([50, 7, 300, 20], draws=rng.random((400, 3)), budget=10)
    assert tried < 20


def test_gains_of_many_steps_may_add_up_to_a_loss():
    # Why a run is weighed against its beginning too: each step has W > 0, all of them not.
    steps = [np.array([1.0, 1.0, 1.0])]
    for factors in ([1.9, 0.5, 0.5], [1.9, 0.99, 0.1]):
        steps.append(steps[-1] * factors)
    assert all(weight(a, b, ALIKE) > 0.0 for a, b in itertools.pairwise(steps))
    assert weight(steps[0], steps[-1], ALIKE) < 0.0


def test_failures_only_feed_is_not_needed():
    grid = Grid((ClusterSpec("a", 1),))
    jobs = Workload(submit=[0], runtime=[1], walltime=[1], processors=[1])
    result = replay_grid(jobs, grid, policy="ls", failures=Failures([], [], []))
    assert result.metrics["completed"] == 1


def test_a_job_moves_to_the_cluster_where_it_is_done_sooner():
    # The search at 300 s finds job 3 planned for slow at 310, where it runs 200 s. On fast it would
    # start at 312 and run 50: W is -0.09 - 0.06 + 0.34. Were it as long on both, W would be < 0.
    grid = Grid(tuple(ClusterSpec(name, 1) for name in ("slow", "fast", "other")))
    jobs = Workload([0, 0, 0, 299, 299], *[[310, 312, 320, 200, 200]] * 2, [1] * 5)
    suits = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 0, 1]], dtype=np.bool_)
    scale, searching, found = np.ones((5, 3)), LocalSearch(rounds=50), []
    for on_fast in (0.25, 1.0):
        scale[3, 1] = on_fast
        result = replay_grid(jobs, grid.with_suitability(suits), policy=searching, scale=scale)
        found.append(result.replay.job_records.end[3])
    assert found == [312 + 50, 310 + 200]
