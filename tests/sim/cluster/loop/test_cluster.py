"""Paths worked out by hand: what happens at one instant, and what failures do."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import ANY, Easy, Failures, Periodic, Workload, flat, replay
from sim.cluster.recovery.simple import RECOVERIES
from tests.support.examples import examples
from tests.support.workloads import ORDERS, POLICIES, random_failures, random_workload, seeds


def one_job(runtime=10.0, processors=1, walltime=None):
    return Workload([0.0], [runtime], [walltime or runtime], [processors])


def attempts(result):
    columns = ["job", "start", "end", "outcome"]
    return [tuple(row) for row in result.attempts[columns].itertuples(index=False)]


def test_a_failure_costs_everything_since_the_start():
    failures = Failures([4.0], [0], [3.0])
    result = replay(one_job(), flat(1), failures=failures)
    assert attempts(result) == [(1, 0.0, 4.0, "failed"), (1, 7.0, 17.0, "completed")]
    time = result.node_time
    assert (time.useful, time.lost, time.down, time.idle) == (10.0, 4.0, 3.0, 0.0)
    metrics = result.metrics
    assert metrics["job_failure_rate"] == 1.0
    assert metrics["service_unit_loss"] == pytest.approx(4.0 / 14.0)
    assert metrics["makespan_s"] == 17.0
    assert metrics["mean_wait_s"] == 0.0
    assert metrics["mean_response_s"] == 17.0


def test_a_checkpoint_keeps_what_it_holds():
    # 3 s of work, 1 s of checkpoint: at 9 s two checkpoints hold 6 s, and 1 s of work is lost.
    failures = Failures([9.0], [0], [3.0])
    checkpointing = Periodic(3.0, 1.0, recovery=0.5)
    result = replay(one_job(), flat(1), failures=failures, checkpointing=checkpointing)
    assert attempts(result) == [(1, 0.0, 9.0, "failed"), (1, 12.0, 17.5, "completed")]
    time = result.node_time
    assert (time.useful, time.lost, time.checkpoint, time.recovery) == (10.0, 1.0, 3.0, 0.5)


def test_only_jobs_on_the_node_are_struck():
    workload = Workload([0.0, 0.0], [10.0, 10.0], [10.0, 10.0], [2, 2])
    result = replay(workload, flat(4), failures=Failures([5.0], [2], [1.0]))
    assert attempts(result) == [
        (2, 0.0, 5.0, "failed"),
        (1, 0.0, 10.0, "completed"),
        (2, 6.0, 16.0, "completed"),
    ]


def test_a_failure_of_an_idle_node_takes_it_out_of_planning():
    workload = Workload([0.0, 2.0], [10.0, 4.0], [10.0, 4.0], [1, 2])
    result = replay(workload, flat(3), failures=Failures([1.0], [2], [20.0]))
    assert result.jobs["start"].tolist() == [0.0, 10.0]


def test_a_second_failure_prolongs_an_outage_but_never_shortens_it():
    for second, back in (
        (Failures([4.0, 5.0], [0, 0], [3.0, 9.0]), 14.0),
        (Failures([4.0, 5.0], [0, 0], [3.0, 1.0]), 7.0),
    ):
        result = replay(one_job(), flat(1), failures=second)
        assert attempts(result)[1][1] == back


def test_a_repair_of_no_length_costs_only_the_attempt():
    result = replay(one_job(), flat(1), failures=Failures([4.0], [0], [0.0]))
    assert attempts(result)[1] == (1, 4.0, 14.0, "completed")
    assert result.node_time.down == 0.0


def test_a_job_that_ends_as_the_failure_comes_is_safe():
    result = replay(one_job(), flat(1), failures=Failures([10.0], [0], [5.0]))
    assert attempts(result) == [(1, 0.0, 10.0, "completed")]
    assert result.node_time.down == 0.0


def test_a_node_that_never_returns_leaves_jobs_unfinished():
    result = replay(one_job(), flat(1), failures=Failures([4.0], [0], [np.inf]))
    assert result.jobs["outcome"].tolist() == ["unfinished"]
    assert result.metrics["unsuccessful"] == 1
    assert result.node_time.lost == 4.0


def test_nodes_of_several_processors_fail_whole():
    workload = Workload([0.0] * 3, [10.0] * 3, [10.0] * 3, [1, 1, 1])
    machine = flat(3, processors_per_node=2)
    result = replay(workload, machine, failures=Failures([1.0], [0], [1.0]))
    assert result.jobs["failures"].tolist() == [1, 1, 0]
    assert result.jobs["start"].tolist() == [2.0, 2.0, 0.0]


def test_recovery_decides_where_a_failed_job_stands():
    # Job 1 fails at 5; jobs 2 and 3 wait, each as large as the machine.
    workload = Workload([0.0, 1.0, 5.0], [10.0, 10.0, 10.0], [10.0] * 3, [1, 1, 1])
    order = {}
    for recovery in RECOVERIES:
        result = replay(workload, flat(1), failures=Failures([5.0], [0], [1.0]), recovery=recovery)
        order[recovery] = [row[0] for row in attempts(result)][1:]
    assert order == {"original": [1, 2, 3], "new": [2, 1, 3], "drop": [2, 3]}


def test_a_dropped_job_has_no_response_and_its_saved_work_is_lost():
    result = replay(
        one_job(),
        flat(1),
        failures=Failures([9.0], [0], [3.0]),
        checkpointing=Periodic(3.0, 1.0),
        recovery="drop",
    )
    assert result.jobs["outcome"].tolist() == ["dropped"]
    assert np.isnan(result.jobs["response"][0])
    assert (result.node_time.useful, result.node_time.lost) == (0.0, 7.0)


def test_checkpoints_stretch_the_walltime_too():
    # Killed when it has executed its walltime of 6 s, which takes one checkpoint of 1 s.
    result = replay(one_job(10.0, walltime=6.0), flat(1), checkpointing=Periodic(4.0, 1.0))
    assert attempts(result) == [(1, 0.0, 7.0, "killed")]


@pytest.mark.parametrize(
    ("event_order", "starts"),
    [("batch", [0, 0, 5, 5]), ("ends-first", [0, 0, 5, 5]), ("submissions-first", [0, 0, 5, 5])],
)
def test_planned_ends_free_processors_in_every_order(event_order, starts):
    workload = Workload([0, 0, 1, 5], [5, 5, 2, 2], [5, 5, 2, 2], [1, 1, 1, 1])
    result = replay(workload, flat(2), event_order=event_order, engine="general")
    assert result.jobs["start"].tolist() == starts


@pytest.mark.parametrize(
    ("event_order", "starts"),
    [
        # Jobs 1 and 2 end early at 5; 3 needs both processors, 4 (short) only one.
        ("batch", [0, 0, 5, 7]),  # both are free when the pass comes: the head starts
        ("ends-first", [0, 0, 6, 5]),  # one is free when the first pass comes: 4 slips in
        ("submissions-first", [0, 0, 6, 5]),
    ],
)
def test_passes_between_events_of_one_instant_change_the_schedule(event_order, starts):
    workload = Workload([0, 0, 1, 2], [5, 5, 2, 1], [9, 9, 2, 1], [1, 1, 2, 1])
    result = replay(workload, flat(2), event_order=event_order, engine="general")
    assert result.jobs["start"].tolist() == starts


@settings(deadline=None, max_examples=examples(200))
@given(rng=seeds, policy=st.sampled_from(POLICIES), event_order=st.sampled_from(ORDERS))
def test_no_processor_serves_two_jobs_or_works_while_out(rng, policy, event_order):
    processors = int(rng.integers(1, 7))
    workload = random_workload(rng, processors=processors)
    failures = random_failures(rng, nodes=processors)
    result = replay(
        workload,
        flat(processors),
        policy=policy,
        event_order=event_order,
        failures=failures,
        checkpointing=Periodic(4.0, 1.0, 0.5),
    )
    spans = [[] for _ in range(processors)]
    placements = result.attempt_records.placement
    for row, placement in zip(result.attempts.itertuples(), placements, strict=True):
        assert len(placement) == row.processors
        for processor in placement:
            spans[processor].append((row.start, row.end))
    for strike, node, repair in zip(failures.time, failures.node, failures.repair, strict=True):
        for start, end in spans[node]:
            assert end <= strike or start >= strike + repair
    for taken in spans:
        taken.sort()
        assert all(one[1] <= other[0] for one, other in pairwise(taken))


@settings(deadline=None, max_examples=examples(200))
@given(rng=seeds, policy=st.sampled_from(POLICIES))
def test_the_same_input_gives_the_same_bytes(rng, policy):
    workload, failures = random_workload(rng, processors=4), random_failures(rng, nodes=4)
    one, other = (
        replay(workload, flat(4), policy=policy, failures=failures).attempts for _ in range(2)
    )
    assert one.equals(other)


@dataclass(frozen=True)
class LargestFirst:
    """A policy of a user: the largest waiting job that fits, again and again."""

    name: str = "largest-first"
    runs_on = (ANY,)

    def begin(self, cluster):
        def schedule(news):
            del news
            for job in sorted(cluster.queue, key=lambda job: -job.processors):
                placement = cluster.machine.place(job)
                if placement is not None:
                    cluster.start(job, placement)

        return schedule


def test_a_policy_of_ones_own_plugs_in():
    workload = Workload([0, 1, 1], [5, 5, 5], [5, 5, 5], [2, 1, 2])
    result = replay(workload, flat(2), policy=LargestFirst())
    assert result.jobs["start"].tolist() == [0.0, 10.0, 5.0]
    assert result.metrics["policy"] == "largest-first"


@dataclass(frozen=True)
class WhileIterating:
    """Starts all that fits while it walks along the queue, and one job more after that."""

    name: str = "while iterating"
    runs_on = (ANY,)

    def begin(self, cluster):
        def schedule(news):
            del news
            before = cluster.queue
            listed = list(before)
            started = []
            for job in before:
                placement = cluster.machine.place(job)
                if placement is not None:
                    cluster.start(job, placement)
                    started.append(job)
            assert list(before) == listed
            assert list(cluster.queue) == [job for job in listed if job not in started]
            assert cluster.head is (cluster.queue[0] if cluster.queue else None)

        return schedule


@pytest.mark.parametrize("event_order", ORDERS)
@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds)
def test_the_queue_that_a_policy_read_stays_as_it_was(rng, event_order):
    workload = random_workload(rng, processors=4)
    failures = random_failures(rng, nodes=4)

    def in_order(cluster):
        return sorted(cluster.queue, key=lambda job: job.key)

    @dataclass(frozen=True)
    class FirstFit:
        name: str = "first fit"
        runs_on = (ANY,)

        def begin(self, cluster):
            def schedule(news):
                del news
                for job in in_order(cluster):
                    placement = cluster.machine.place(job)
                    if placement is not None:
                        cluster.start(job, placement)

            return schedule

    found, expected = (
        replay(workload, flat(4), policy=policy, failures=failures, event_order=event_order)
        for policy in (WhileIterating(), FirstFit())
    )
    np.testing.assert_array_equal(found.job_records.start, expected.job_records.start)


def test_an_order_of_ones_own_plugs_into_easy():
    def shortest_first(cluster):
        return sorted(cluster.queue, key=lambda job: job.planned)

    workload = Workload([0, 1, 2], [5, 9, 3], [5, 9, 3], [1, 1, 1])
    result = replay(workload, flat(1), policy=Easy(order=shortest_first))
    assert result.jobs["start"].tolist() == [0.0, 8.0, 5.0]


@dataclass(frozen=True)
class Patient:
    """Starts the first job only when woken, and cancels jobs of more than one processor."""

    name: str = "patient"
    runs_on = (ANY,)

    def begin(self, cluster):
        seen = []
        cluster.observe(lambda news: seen.extend(job.index for job in news.submitted))

        def schedule(news):
            for job in news.submitted:
                if job.processors > 1:
                    cluster.cancel(job)
            cluster.wake(7.0)
            if cluster.now == 7.0:
                assert seen == [0, 1]
                cluster.start(cluster.queue[0], cluster.machine.place(cluster.queue[0]))

        return schedule


@pytest.mark.parametrize("event_order", ORDERS)
def test_a_policy_may_wake_cancel_and_observe(event_order):
    workload = Workload([0, 1], [5, 5], [5, 5], [1, 2])
    result = replay(workload, flat(2), policy=Patient(), event_order=event_order)
    assert result.jobs["outcome"].tolist() == ["completed", "cancelled"]
    assert result.jobs["start"][0] == 7.0


@dataclass(frozen=True)
class Later:
    """A recovery of a user: back after an hour, before all others."""

    def begin(self, cluster):
        return lambda attempt, _: cluster.resubmit(
            attempt.job, queued_at=cluster.now, at=cluster.now + 3600.0, band=-1
        )


def test_a_recovery_of_ones_own_plugs_in():
    workload = Workload([0, 1, 2], [5000] * 3, [5000] * 3, [1] * 3)
    result = replay(workload, flat(1), failures=Failures([10.0], [0], [0.0]), recovery=Later())
    assert result.jobs["start"].tolist() == [5010.0, 10.0, 10010.0]


def test_only_waiting_jobs_can_start():
    @dataclass(frozen=True)
    class Twice:
        name: str = "twice"
        runs_on = (ANY,)

        def begin(self, cluster):
            def schedule(news):
                for job in news.submitted:
                    cluster.start(job, 1)
                    cluster.start(job, 1)

            return schedule

    with pytest.raises(RuntimeError, match="job must be waiting to start, got job 0"):
        replay(one_job(), flat(2), policy=Twice())


def test_progress_counts_jobs_at_their_end():
    counts = []
    workload = Workload([0, 1], [5, 5], [5, 5], [1, 1])
    replay(workload, flat(1), engine="general", progress=counts.append)
    assert counts == [1, 2]
    replay(workload, flat(1), engine="kernel", progress=counts.append)
    assert counts == [1, 2, 2]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_no_jobs_give_no_records(policy, engine):
    empty = Workload([], [], [], [])
    result = replay(empty, flat(1), policy=policy, engine=engine)
    assert len(result.jobs) == len(result.attempts) == 0
    assert result.metrics["jobs"] == result.metrics["makespan_s"] == 0
