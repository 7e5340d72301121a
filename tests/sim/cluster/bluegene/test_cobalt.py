from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import ANY, Workload, replay
from sim.cluster.bluegene import BlueGene, Cobalt, FaultAware, regular
from sim.cluster.bluegene.kernels.neighbours import Walk
from sim.cluster.bluegene.machine import size_classes
from sim.cluster.bluegene.schedulers.separate import choose
from sim.cluster.failures import Failures
from sim.cluster.order import UTILITIES, Waiting
from tests.support.examples import examples
from tests.support.partitions import figure_one

TABLE = figure_one()
FIGURE_ONE = BlueGene(TABLE)
SMALL = BlueGene(regular(1, 4))
SIZES = [64, 128, 256, 512, 1024, 2048, 4096]


@st.composite
def workloads(draw, *, exact=False, sizes=tuple(SIZES), most=25):
    count = draw(st.integers(1, most))
    gaps = draw(st.lists(st.integers(0, 400), min_size=count, max_size=count))
    runtime = draw(st.lists(st.integers(1, 2000), min_size=count, max_size=count))
    slack = [0] * count
    if not exact:
        slack = draw(st.lists(st.integers(0, 1500), min_size=count, max_size=count))
    nodes = draw(st.lists(st.sampled_from(sizes), min_size=count, max_size=count))
    return Workload(
        submit=np.cumsum(gaps),
        runtime=runtime,
        walltime=np.add(runtime, slack),
        processors=nodes,
    )


def failures(seed, nodes):
    rng = np.random.default_rng(seed)
    return Failures(
        time=np.sort(rng.uniform(0.0, 8000.0, 12)),
        node=rng.integers(0, nodes, 12),
        repair=np.full(12, 1200.0),
    )


@settings(deadline=None, max_examples=examples(240))
@given(workloads(), st.sampled_from(sorted(UTILITIES)), st.integers(0, 99))
def test_two_running_jobs_never_conflict(workload, name, seed):
    feed = failures(seed, SMALL.nodes)
    policy = Cobalt(UTILITIES[name].with_threshold(0.5), FaultAware())
    result = replay(workload, SMALL, policy=policy, failures=feed, recovery="new")
    records = result.attempt_records
    rows = list(zip(records.start, records.end, records.placement, strict=True))
    for i, (start, end, placement) in enumerate(rows):
        for start_, end_, placement_ in rows[:i]:
            if start < end_ and start_ < end:
                assert not SMALL.table.conflicts[int(placement), int(placement_)]


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(240))
@given(workloads(exact=True))
def test_the_head_of_the_queue_is_never_delayed_by_backfilling(workload):
    # At the first pass that leaves a job waiting at the head, its place is announced.
    announced = {}

    @dataclass(frozen=True)
    class Watched:
        name = "watched"
        runs_on = (ANY,)

        def begin(self, cluster):
            inner = Cobalt(UTILITIES["fcfs"], least_drain=0.0).begin(cluster)

            def run(news):
                inner(news)
                if cluster.queue:
                    head, now = cluster.queue[0], cluster.now
                    free = cluster.machine.free_at(cluster.running.values(), now, now)
                    places = cluster.machine.table.fitting(head.processors)
                    announced.setdefault(head.index, float(free[places].min()))

            return run

    starts = replay(workload, SMALL, policy=Watched()).jobs["start"].to_numpy()
    for index, promised in announced.items():
        assert starts[index] <= promised


@st.composite
def situations(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = SMALL.table
    waiting = draw(st.integers(1, 30))
    idle = np.ones(len(table), dtype=bool)
    free_at = np.full(len(table), 100.0)
    for _ in range(draw(st.integers(0, 12))):
        options = np.flatnonzero(idle)
        if options.size == 0:
            break
        taken = table.conflicts[rng.choice(options)]
        idle &= ~taken
        free_at[taken] = np.maximum(free_at[taken], rng.integers(101, 2000))
    sizes, members = size_classes(table)
    size_class = rng.integers(0, sizes.size, waiting)
    planned = rng.integers(1, 1500, waiting).astype(float)
    order = rng.permutation(waiting)
    eligible = draw(st.integers(1, waiting))
    walk = {"eligible": eligible, "size_class": size_class, "planned": planned}
    return members, order, walk | {"idle": idle, "free_at": free_at, "now": 100.0}


@settings(deadline=None, max_examples=examples(200))
@given(situations())
def test_the_kernel_chooses_what_the_readable_walk_chooses(situation):
    members, order, walk = situation
    conflicts = SMALL.table.conflicts
    ours = Walk(members, conflicts).choose(order, **walk)
    plain = choose(order, members=members, conflicts=conflicts, **walk)
    if plain is None:
        assert ours is None
    else:
        assert ours is not None
        assert ours[0] == plain.waiting
        np.testing.assert_array_equal(ours[1], plain.candidates)


@settings(deadline=None, max_examples=examples(200))
@given(situations())
def test_backfilled_jobs_end_before_the_drain_of_the_top_job(situation):
    members, order, walk = situation
    conflicts = SMALL.table.conflicts
    choice = choose(order, members=members, conflicts=conflicts, **walk)
    if choice is None:
        return
    if not choice.backfilled:
        assert choice.waiting in order[: walk["eligible"]]
        return
    fitting = members[walk["size_class"][order[0]]]
    drain = fitting[np.argmin(walk["free_at"][fitting])]
    if conflicts[drain][choice.candidates].any():
        assert 100.0 + walk["planned"][choice.waiting] <= walk["free_at"][drain]


@settings(deadline=None, max_examples=examples(200))
@given(situations())
def test_who_starts_on_a_drained_partition_ends_before_its_drain(situation):
    # The drains in force, worked out job by job from the front of the queue.
    members, order, walk = situation
    idle, free_at, conflicts = walk["idle"], walk["free_at"], SMALL.table.conflicts
    choice = choose(order, members=members, conflicts=conflicts, **walk)
    drains = []
    for waiting in order[: walk["eligible"]]:
        if choice is not None and not choice.backfilled and waiting == choice.waiting:
            break
        open_ = [
            p
            for p in members[walk["size_class"][waiting]]
            if not any(conflicts[p, drain] for drain in drains)
        ]
        assert not any(idle[p] for p in open_)  # else it would have been the one to start
        if open_:
            drains.append(min(open_, key=lambda p: free_at[p]))
    if choice is None:
        return
    end = walk["now"] + walk["planned"][choice.waiting]
    for candidate in choice.candidates:
        assert idle[candidate]
        for drain in drains:
            if conflicts[candidate, drain]:
                assert choice.backfilled
                assert end <= free_at[drain]


@settings(deadline=None, max_examples=examples(160))
@given(workloads(), st.sampled_from(sorted(UTILITIES)))
def test_with_threshold_one_only_top_scores_start_outside_backfilling(workload, name):
    class Watched:
        name = "watched"
        runs_on = (ANY,)

        def begin(self, cluster):
            inner = Cobalt(UTILITIES[name].with_threshold(1.0), least_drain=0.0)
            run, start = inner.begin(cluster), cluster.start

            def judged(job, placement):
                now, queue = cluster.now, list(cluster.queue)
                scores = inner.utility.scores(
                    Waiting(
                        now - np.array([j.queued_at for j in queue]),
                        np.array([j.planned for j in queue]),
                        np.array([float(j.processors) for j in queue]),
                        64.0,
                    )
                )
                if scores[queue.index(job)] < scores.max():
                    # Backfilling: it ends before the top job's partition can be free.
                    top = queue[int(np.argmax(scores))]
                    free = cluster.machine.free_at(cluster.running.values(), now, now)
                    fitting = cluster.machine.table.fitting(top.processors)
                    drain = fitting[np.argmin(free[fitting])]
                    if cluster.machine.table.conflicts[placement, drain]:
                        assert now + job.planned <= free[drain]
                return start(job, placement)

            cluster.start = judged
            return run

    replay(workload, SMALL, policy=Watched())


def test_threshold_one_lets_only_top_scores_start_before_backfilling():
    # One 512 job holds A; the 4096 job drains the machine; the small one outlasts the drain.
    workload = Workload(
        submit=[0, 1, 2],
        runtime=[1000, 100, 5000],
        walltime=[1000, 100, 5000],
        processors=[512, 4096, 512],
    )
    strict = (
        replay(workload, FIGURE_ONE, policy=Cobalt(UTILITIES["fcfs"].with_threshold(1.0)))
        .jobs["start"]
        .tolist()
    )
    assert strict == [0.0, 1000.0, 1100.0]


def test_a_failed_partition_reboots_as_a_whole():
    # The job holds AB; A fails at 10; both midplanes are out until 1210.
    workload = Workload(
        submit=[0, 11], runtime=[100, 50], walltime=[100, 50], processors=[1024, 4096]
    )
    feed = Failures(time=[10.0], node=[0], repair=[1200.0])
    result = replay(
        workload, FIGURE_ONE, policy=Cobalt(UTILITIES["fcfs"]), failures=feed, recovery="drop"
    )
    assert result.attempts["end"].tolist()[0] == 10.0
    assert result.jobs["start"].tolist()[1] == 1210.0
    time = result.node_time
    assert time.down == 1024 * 1200.0


@settings(deadline=None, max_examples=examples(160))
@given(workloads(), st.integers(0, 99))
def test_node_time_is_conserved(workload, seed):
    result = replay(
        workload,
        SMALL,
        policy=Cobalt(),
        failures=failures(seed, SMALL.nodes),
        recovery="new",
    )
    time = result.node_time
    parts = (time.useful, time.lost, time.checkpoint, time.recovery, time.down, time.idle)
    assert sum(parts) == pytest.approx(time.capacity, rel=1e-12)


def test_a_workload_is_rounded_up_to_partition_sizes():
    workload = Workload(
        submit=[0, 0, 0], runtime=[1, 1, 1], walltime=[1, 1, 1], processors=[1, 65, 513]
    )
    assert SMALL.sized(workload).processors.tolist() == [64, 128, 1024]
    huge = Workload(submit=[0], runtime=[1], walltime=[1], processors=[5000])
    with pytest.raises(ValueError, match="processors must be <= 4096, got 5000"):
        SMALL.sized(huge)


def test_a_score_decides_who_goes_first():
    # At 1000 the machine frees: WFP3 prefers the short job, FCFS the earlier one.
    workload = Workload(
        submit=[0, 10, 20],
        runtime=[1000, 4000, 100],
        walltime=[1000, 4000, 100],
        processors=[4096, 4096, 4096],
    )
    starts = {
        name: replay(workload, FIGURE_ONE, policy=Cobalt(UTILITIES[name])).jobs["start"].tolist()
        for name in ("fcfs", "wfp3")
    }
    assert starts["fcfs"] == [0.0, 1000.0, 5000.0]
    assert starts["wfp3"] == [0.0, 1100.0, 1000.0]
    assert all(a <= b for a, b in pairwise(sorted(starts["fcfs"])))
