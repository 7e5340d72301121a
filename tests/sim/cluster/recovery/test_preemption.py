"""The sixth option: a failed job starts again at once, on nodes of jobs that run."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Easy, Failures, Fcfs, Periodic, Workload, flat, replay
from sim.cluster.bluegene import BlueGene, Cobalt
from sim.cluster.recovery import (
    WITH_PREEMPTION,
    Prices,
    RecoverByOption,
    replay_credits,
)
from sim.records import Outcome
from tests.support.examples import examples
from tests.support.partitions import figure_one


def options(letters):
    return RecoverByOption([WITH_PREEMPTION[letter] for letter in letters])


# Jobs 1 to 4 fill six nodes; node 0, where job 1 is, fails at 10 for good.
JOBS = Workload(
    submit=[0, 1, 2, 3],
    runtime=[50, 60, 70, 80],
    walltime=[50, 60, 70, 80],
    processors=[2, 1, 2, 1],
)
STRUCK = Failures(time=[10.0], node=[0], repair=[1000.0])


@pytest.mark.parametrize("policy", [Fcfs(), Easy(), "conservative", "conservative-compress"])
def test_those_that_started_last_make_room_and_one_that_is_not_in_the_way_goes_on(policy):
    # Node 1 is free: one more is needed. Job 4, the last, gives it; job 3 and job 2 go on.
    found = replay(JOBS, flat(6), policy=policy, failures=STRUCK, recovery=options("FAAA"))
    assert found.engine == "general"
    jobs = found.jobs.set_index("job")
    assert jobs.loc[1, "end"] == 10.0 + 50.0
    assert (jobs.loc[2, "end"], jobs.loc[3, "end"]) == (61.0, 72.0)
    assert jobs.loc[4, "end"] == 60.0 + 80.0  # from the start, when job 1 has ended
    attempts = found.attempts.sort_values("end")
    assert attempts["outcome"].tolist()[:2] == ["failed", "preempted"]
    assert jobs["failures"].tolist() == [1, 0, 0, 0]
    assert found.attempt_records.lost.sum() == 10.0 + (10.0 - 3.0)


def test_what_is_stopped_keeps_its_checkpoints_and_comes_back_by_its_submission():
    saves = Periodic(interval=2.0, cost=0.0, recovery=0.0)
    found = replay(
        JOBS, flat(6), policy=Fcfs(), failures=STRUCK, recovery=options("FAAA"), checkpointing=saves
    )
    jobs = found.jobs.set_index("job")
    assert jobs.loc[1, "end"] == 50.0  # saved until 10
    assert jobs.loc[4, "end"] == 50.0 + 80.0 - 6.0  # of 7 s three checkpoints


def test_nobody_is_stopped_where_that_would_not_do():
    # The failed job needs six nodes of the five that are left, and others preempt, too.
    whole = Workload(submit=[0, 1], runtime=[50, 9], walltime=[50, 9], processors=[6, 1])
    broken = Failures(time=[10.0], node=[0], repair=[100.0])
    found = replay(whole, flat(6), policy=Fcfs(), failures=broken, recovery=options("FA"))
    assert found.jobs["end"].tolist() == [160.0, 169.0]
    both = Workload(submit=[0, 1], runtime=[50, 50], walltime=[50, 50], processors=[3, 3])
    found = replay(both, flat(6), policy=Fcfs(), failures=broken, recovery=options("FF"))
    assert found.jobs["end"].tolist() == [51.0 + 50.0, 51.0]
    assert "preempted" not in set(found.attempts["outcome"])


def test_a_partition_of_a_blue_gene_is_cleared():
    table = figure_one()
    machine = BlueGene(table)
    jobs = Workload(
        submit=[0, 1, 2], runtime=[50, 60, 70], walltime=[50, 60, 70], processors=[2048, 1024, 1024]
    )
    found = replay(
        jobs,
        machine,
        policy=Cobalt(),
        failures=Failures(time=[10.0], node=[0], repair=[1e6]),
        recovery=options("FAA"),
    )
    ends = found.jobs.set_index("job")["end"]
    placed = found.attempt_records.placement
    assert ends[1] == 60.0
    assert sorted(found.attempts["outcome"]) == ["completed"] * 3 + ["failed"] + ["preempted"] * 2
    assert len(set(placed)) > 1


def test_users_may_pay_for_it_and_are_asked_once():
    prices = Prices({"A": 0.0, "F": 5.0}, 5.0, 1e9, 0.0)
    jobs = Workload(**{name: getattr(JOBS, name) for name in _NAMES}, user=[1, 2, 3, 4])
    paid = replay_credits(
        jobs, flat(6), wanted=["F", "A", "A", "A"], prices=prices, policy="fcfs", failures=STRUCK
    )
    assert paid.granted == ("F", "A", "A", "A")
    assert len(paid.charges) == 4
    assert paid.replay.jobs["end"].tolist() == [60.0, 61.0, 72.0, 140.0]


_NAMES = ("submit", "runtime", "walltime", "processors")


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(0, 10**6), st.sampled_from(["fcfs", "easy", "conservative"]))
def test_no_two_jobs_share_a_node_and_all_work_is_done(seed, policy):
    rng = np.random.default_rng(seed)
    count = 25
    submit = np.sort(rng.integers(0, 60, count)).astype(float)
    runtime = rng.integers(1, 30, count).astype(float)
    jobs = Workload(submit, runtime, 1.5 * runtime, rng.integers(1, 6, count))
    times = np.sort(rng.uniform(0.0, 120.0, 12))
    failures = Failures(times, rng.integers(0, 6, 12), rng.exponential(9.0, 12))
    chosen = options(rng.choice(list("ABCDEF"), count, p=[0.1, 0.1, 0.1, 0.1, 0.1, 0.5]))
    found = replay(jobs, flat(6), policy=policy, failures=failures, recovery=chosen)
    records = found.attempt_records
    by_node = {}
    for start, end, places in zip(records.start, records.end, records.placement, strict=True):
        for node in places:
            by_node.setdefault(node, []).append((start, end))
    for spans in by_node.values():
        spans.sort()
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert (found.job_records.outcome == Outcome.COMPLETED).all()
    done = np.bincount(records.position[records.outcome == Outcome.COMPLETED], minlength=count)
    assert (done == 1).all()
    struck = np.bincount(records.position[records.outcome == Outcome.FAILED], minlength=count)
    np.testing.assert_array_equal(found.job_records.failures, struck)
