from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.forecasts import DetectabilityForecaster, RateForecaster
from sim.cluster.promises import Negotiated, replay_promises
from sim.cluster.promises.calendar import Calendar
from sim.cluster.promises.replay import CHECKPOINTING
from sim.streams import DETECTABILITY, stream
from tests.support.examples import examples
from tests.support.workloads import random_failures, random_workload, seeds

PROCESSORS = 4
ACCURACIES = st.sampled_from((0.0, 0.3, 0.6, 1.0))


def play(rng, *, accuracy, confidence, checkpointing="risk", within=False, failures="some", seed=1):
    jobs = random_workload(rng, processors=PROCESSORS)
    feed = random_failures(rng, nodes=PROCESSORS) if failures == "some" else failures
    return replay_promises(
        jobs,
        processors=PROCESSORS,
        forecaster=DetectabilityForecaster(accuracy, seed),
        confidence=confidence,
        within_accuracy=within,
        failures=feed,
        checkpoint_interval=3.0,
        checkpoint_cost=1.0,
        checkpointing=checkpointing,
    )


def same(first, second):
    for name in ("promised", "deadline", "start", "kept"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert first.lost_work == second.lost_work
    assert first.utilization == second.utilization


@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds, checkpointing=st.sampled_from(CHECKPOINTING))
def test_perfect_prediction_and_users_who_ask_for_certainty_give_quality_one(rng, checkpointing):
    done = play(rng, accuracy=1.0, confidence=1.0, checkpointing=checkpointing)
    assert done.quality_of_service == 1.0
    assert done.kept.all()
    assert done.lost_work == 0.0


@settings(deadline=None, max_examples=examples(160))
@given(
    state=st.integers(0, 2**32 - 1),
    accuracy=st.sampled_from((0.0, 0.3, 0.5)),
    risks=st.tuples(st.floats(0.51, 1.0), st.floats(0.51, 1.0)),
)
def test_within_the_accuracy_nothing_depends_on_what_is_asked_above_it(state, accuracy, risks):
    first, second = (
        play(np.random.default_rng(state), accuracy=accuracy, confidence=c, within=True)
        for c in risks
    )
    same(first, second)


@settings(deadline=None, max_examples=examples(160))
@given(
    state=st.integers(0, 2**32 - 1),
    risks=st.tuples(st.floats(0.0, 0.6), st.floats(0.0, 0.6)),
)
def test_users_do_not_matter_where_no_promise_is_below_what_they_ask(state, risks):
    first, second = (play(np.random.default_rng(state), accuracy=0.4, confidence=c) for c in risks)
    same(first, second)


@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds, accuracy=ACCURACIES, confidence=st.floats(0.0, 1.0))
def test_no_promise_is_below_what_users_ask_for(rng, accuracy, confidence):
    # Failures end some time, so that a deadline late enough is certain.
    assert (play(rng, accuracy=accuracy, confidence=confidence).promised >= confidence).all()


def test_eq_3_is_the_rule_above_the_accuracy_too():
    # The one node fails once; the promise of the first deadline is 1 - detectability.
    seed = next(s for s in range(99) if 0.15 < stream(s, *DETECTABILITY).random() < 0.35)
    jobs = Workload(submit=[0], runtime=[10], walltime=[10], processors=[1])
    feed = Failures(np.array([5.0]), np.array([0]), np.array([2.0]))
    starts = [
        replay_promises(
            jobs,
            processors=1,
            forecaster=DetectabilityForecaster(0.4, seed),
            confidence=confidence,
            failures=feed,
        ).start[0]
        for confidence in (0.5, 0.9)
    ]
    assert starts == [0.0, 7.0]


@settings(deadline=None, max_examples=examples(120))
@given(rng=seeds, accuracy=ACCURACIES, confidence=st.floats(0.0, 1.0))
def test_without_failures_every_promise_is_certain_and_kept(rng, accuracy, confidence):
    done = play(rng, accuracy=accuracy, confidence=confidence, failures=None)
    assert done.quality_of_service == 1.0
    assert (done.promised == 1.0).all()
    np.testing.assert_array_equal(done.replay.job_records.start, done.start)


@settings(deadline=None, max_examples=examples(120))
@given(rng=seeds)
def test_without_failures_one_node_runs_the_plan_of_conservative_backfilling(rng):
    jobs = random_workload(rng, processors=1)
    done = replay_promises(
        jobs,
        processors=1,
        forecaster=DetectabilityForecaster(0.5),
        confidence=0.5,
        checkpointing="none",
    )
    plan = replay(jobs, flat(1), policy="conservative", estimates="runtime", kill_at_walltime=False)
    np.testing.assert_array_equal(done.start, plan.job_records.start)


@settings(deadline=None, max_examples=examples(200))
@given(
    rng=seeds,
    accuracy=ACCURACIES,
    confidence=st.floats(0.0, 1.0),
    checkpointing=st.sampled_from(CHECKPOINTING),
)
def test_what_holds_in_every_replay(rng, accuracy, confidence, checkpointing):
    done = play(rng, accuracy=accuracy, confidence=confidence, checkpointing=checkpointing)
    attempts, jobs = done.replay.attempt_records, done.replay.job_records
    busy = sorted(
        (node, start, end)
        for start, end, placement in zip(
            attempts.start, attempts.end, attempts.placement, strict=True
        )
        for node in placement.tolist()
    )
    for (node, _, end), (other, start, _) in pairwise(busy):
        assert node != other or start >= end  # a node never runs two jobs
    assert (jobs.outcome == 0).all()
    assert (jobs.first_start >= done.start).all()  # reservations never move forward
    assert ((1.0 - done.promised) <= accuracy + 1e-15).all()
    assert 0.0 <= done.quality_of_service <= 1.0
    failed = attempts.outcome == 2
    if checkpointing == "all":  # an interval, its checkpoint, and the one before
        assert (attempts.lost[failed] < 3.0 + 1.0 + 1e-9).all()
    assert (attempts.lost <= attempts.end - attempts.start + 1e-9).all()
    executed = np.bincount(attempts.position, attempts.useful, minlength=len(jobs.job))
    np.testing.assert_allclose(executed, jobs.executed)


def test_a_job_struck_on_its_reserved_nodes_is_reserved_again_and_moves_nobody():
    # Both nodes until 10; the second job is reserved for 10; node 0 fails at 4 until 6.
    jobs = Workload(submit=[0, 1], runtime=[10, 5], walltime=[10, 5], processors=[2, 2])
    feed = Failures(np.array([4.0]), np.array([0]), np.array([2.0]))
    done = replay_promises(
        jobs,
        processors=2,
        forecaster=DetectabilityForecaster(0.0),
        confidence=0.5,
        failures=feed,
        checkpointing="none",
    )
    records = done.replay.job_records
    assert records.start.tolist() == [15.0, 10.0]
    assert records.end.tolist() == [25.0, 15.0]
    assert done.deadline.tolist() == [10.0, 15.0]
    assert done.kept.tolist() == [False, True]
    assert done.promised.tolist() == [1.0, 1.0]
    assert done.lost_work == 4.0 * 2
    assert done.quality_of_service == 10.0 / 30.0
    assert done.utilization == 30.0 / (2 * 25.0)


def test_a_reservation_whose_node_is_down_starts_when_it_is_up_and_before_later_ones():
    # Node 0 is down 9..12 when the second job, reserved for 10, is due; the third waits for it.
    jobs = Workload(submit=[0, 1, 2], runtime=[10, 5, 4], walltime=[10, 5, 4], processors=[1, 2, 2])
    feed = Failures(np.array([9.0]), np.array([1]), np.array([3.0]))
    done = replay_promises(
        jobs,
        processors=2,
        forecaster=DetectabilityForecaster(0.0),
        confidence=0.5,
        failures=feed,
        checkpointing="none",
    )
    assert done.start.tolist() == [0.0, 10.0, 15.0]
    assert done.replay.job_records.start.tolist() == [0.0, 12.0, 17.0]
    assert done.kept.tolist() == [True, False, False]


def test_a_rate_that_never_satisfies_the_user_gives_the_earliest_of_the_best():
    jobs = Workload(submit=[0, 1], runtime=[10, 5], walltime=[10, 5], processors=[1, 1])
    done = replay_promises(
        jobs, processors=1, forecaster=RateForecaster(0.1), confidence=1.0, checkpointing="none"
    )
    assert done.start.tolist() == [0.0, 10.0]
    np.testing.assert_allclose(done.promised, np.exp([-1.0, -0.5]))


@settings(deadline=None, max_examples=examples(100))
@given(rng=seeds, engine=st.sampled_from(("kernel", "general")))
def test_the_earliest_of_the_best_is_not_decided_by_rounding(rng, engine):
    # Equal rates: every deadline of a job has the same probability, but for the last digits.
    jobs = random_workload(rng, processors=PROCESSORS)
    submit, runtime = np.sort(rng.random(len(jobs))) * 4.0, jobs.runtime * rng.random()
    jobs = Workload(submit, runtime, runtime, jobs.processors)
    first, second = (
        replay_promises(
            jobs,
            processors=PROCESSORS,
            forecaster=RateForecaster(0.01),
            confidence=confidence,
            checkpointing="none",
            engine=engine,
        ).start.tolist()
        for confidence in (0.0, 1.0)
    )
    assert first == second


def test_the_same_seed_gives_the_same_promises():
    first, second = (play(np.random.default_rng(5), accuracy=0.6, confidence=0.5) for _ in range(2))
    same(first, second)


def test_a_confidence_outside_its_range_is_refused():
    outlook = RateForecaster(0.0).outlook(None, 1)
    with pytest.raises(ValueError, match=r"confidence must be in \[0, 1\], got 1.1"):
        Negotiated(outlook, 1.1)
    with pytest.raises(ValueError, match="checkpointing must be one of risk, all, none, got 'x'"):
        play(np.random.default_rng(0), accuracy=0.0, confidence=0.0, checkpointing="x")


def test_a_job_too_short_for_the_clock_is_not_promised_the_instant_of_another():
    # Both nodes until 10, then the second job on node 0; 1e9 + 10 + 1e-8 is 1e9 + 10.
    jobs = Workload(
        1e9 + np.arange(3.0), [10.0, 10.0, 1e-8], [10.0, 10.0, 1e-8], processors=[2, 1, 1]
    )
    done = replay_promises(
        jobs, processors=2, forecaster=DetectabilityForecaster(0.0), confidence=0.0
    )
    assert (done.start - 1e9).tolist() == [0.0, 10.0, 10.0]
    assert done.kept.all()


def test_more_requests_than_can_be_counted_are_refused():
    jobs = Workload([0.0], [1e9], [1e9], [1])
    with pytest.raises(ValueError, match=r"interval must be at least 1/1e\+09 of a job, got 1e-12"):
        replay_promises(
            jobs,
            processors=1,
            forecaster=RateForecaster(0.0),
            confidence=0.5,
            checkpoint_interval=1e-12,
        )


def clash(first, second):
    shared = set(first[0].tolist()) & set(second[0].tolist())
    return bool(shared) and first[1] < second[2] and second[1] < first[2]


@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds)
def test_openings_are_those_found_slot_by_slot(rng):
    nodes, calendar, slots, alone = 5, Calendar(5), {}, set()
    for key in range(int(rng.integers(0, 90))):
        held = np.flatnonzero(rng.random(nodes) < 0.5)
        start = float(rng.integers(0, 30))
        slots[key] = (held, start, start + float(rng.integers(0, 9)))
        calendar.hold(key, *slots[key], alone=not any(clash(slots[key], slots[k]) for k in alone))
        if not any(clash(slots[key], slots[k]) for k in alone):
            alone.add(key)
        if rng.random() < 0.4:
            gone = list(slots)[int(rng.integers(0, len(slots)))]
            calendar.release(gone)
            del slots[gone]
            alone.discard(gone)
    calendar.release("nobody")
    now, count, length = 3.0, int(rng.integers(1, 6)), float(rng.integers(0, 6))
    changes = np.unique(rng.integers(0, 40, 5).astype(float))
    times = sorted({now, *(t for t in changes if t > now), *(e for *_, e in slots.values())})
    expected = []
    for time in (t for t in times if t >= now):
        taken = {
            node
            for held, start, end in slots.values()
            if (start < time + length or start <= time) and end > time
            for node in held.tolist()
        }
        free = [node for node in range(nodes) if node not in taken]
        if len(free) >= count:
            expected.append((time, free))
    found = [(t, free.tolist()) for t, free in calendar.openings(now, count, length, changes)]
    assert found == expected
