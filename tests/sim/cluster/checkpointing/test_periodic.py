import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Job, NoCheckpoints, Periodic, Workload, flat, replay
from tests.support.examples import examples


def job(attempts=0, processors=1, limit=float("inf")):
    return Job(
        limit=limit,
        index=0,
        submit=0.0,
        processors=processors,
        executed=1.0,
        request=1.0,
        killed=False,
        attempts=attempts,
    )


def walk(work, interval, cost, recovery, *, final):
    """Return (phase, begin, end, saved afterwards) of each phase, one after the other."""
    now, done, phases = 0.0, 0.0, []
    if recovery:
        phases.append(("recovery", 0.0, recovery, 0.0))
        now = recovery
    saved = 0.0
    while done < work:
        piece = min(interval, work - done)
        phases.append(("work", now, now + piece, saved))
        now, done = now + piece, done + piece
        if done < work or final:
            saved = done if done < work else saved
            phases.append(("checkpoint", now, now + cost, saved))
            now += cost
    return phases


def progress_by_walking(phases, elapsed):
    saved = checkpoint = recovery = lost = 0.0
    for phase, begin, end, saved_after in phases:
        spent = min(elapsed, end) - begin
        if spent < 0.0:
            break
        if phase == "recovery":
            recovery += spent
        elif phase == "work":
            lost += spent
        elif elapsed >= end and saved_after > saved:
            saved, checkpoint, lost = saved_after, checkpoint + spent, 0.0
        else:
            lost += spent
    return saved, lost, checkpoint, recovery


whole = st.integers(1, 40).map(float)


@settings(deadline=None, max_examples=examples(300))
@given(
    work=whole,
    interval=whole,
    cost=st.integers(0, 5).map(float),
    recovery=st.integers(0, 5).map(float),
    final=st.booleans(),
    share=st.floats(0.0, 0.999),
)
def test_a_timeline_is_what_walking_through_it_gives(
    *, work, interval, cost, recovery, final, share
):
    checkpointing = Periodic(interval, cost, recovery, final=final)
    retry = job(attempts=1)
    timeline = checkpointing.timeline(retry, work, 0.0, None)
    phases = walk(work, interval, cost, recovery, final=final)
    assert timeline.wall == phases[-1][2] == checkpointing.planned(retry, work)
    moments = [share * timeline.wall, *(end for _, _, end, _ in phases[:-1])]
    for elapsed in moments:
        expected = progress_by_walking(phases, elapsed)
        np.testing.assert_allclose(timeline.at(elapsed), expected, rtol=0, atol=1e-9)
        assert sum(timeline.at(elapsed)) == pytest.approx(elapsed, abs=1e-9)
    assert timeline.whole().saved == work
    assert sum(timeline.whole()) == pytest.approx(timeline.wall)


@settings(deadline=None, max_examples=examples(300))
@given(
    work=whole,
    interval=whole,
    cost=st.integers(0, 5).map(float),
    recovery=st.integers(0, 5).map(float),
    final=st.booleans(),
    limit=st.integers(1, 60).map(float),
    share=st.floats(0.0, 0.999),
)
def test_a_limit_ends_the_walk_where_it_is(*, work, interval, cost, recovery, final, limit, share):
    checkpointing = Periodic(interval, cost, recovery, final=final, in_walltime=True)
    retry = job(attempts=1, limit=limit)
    timeline = checkpointing.timeline(retry, work, 0.0, None)
    phases = walk(work, interval, cost, recovery, final=final)
    assert timeline.cut == (phases[-1][2] > limit)
    assert timeline.wall == min(phases[-1][2], limit) == checkpointing.planned(retry, work)
    spent = dict.fromkeys(("work", "checkpoint", "recovery"), 0.0)
    for phase, begin, end, _ in phases:
        spent[phase] += max(0.0, min(end, limit) - begin)
    expected = (spent["work"], 0.0, spent["checkpoint"], spent["recovery"])
    np.testing.assert_allclose(timeline.whole(), expected, rtol=0, atol=1e-9)
    elapsed = share * timeline.wall
    expected = progress_by_walking(phases, elapsed)
    np.testing.assert_allclose(timeline.at(elapsed), expected, rtol=0, atol=1e-9)


def test_two_are_equal_where_what_they_were_given_is():
    one, two = (Periodic(np.array([1.0, 2.0]), 0.5, [0.0, 1.0]) for _ in range(2))
    assert one == two
    assert len({one, two, Periodic(1.0, 0.5), Periodic(1.0, 0.5)}) == 2
    for other in (
        Periodic(np.array([1.0, 3.0]), 0.5, [0.0, 1.0]),
        Periodic(np.array([1.0, 2.0]), 0.5),
        Periodic(np.array([1.0, 2.0]), 0.5, [0.0, 1.0], final=True),
        Periodic(np.array([1.0, 2.0]), 0.5, [0.0, 1.0], in_walltime=True),
        Periodic(1.0, 0.5),
    ):
        assert one != other
    assert one != "Periodic"
    assert pickle.loads(pickle.dumps(one)) == one
    assert replace(one, cost=0.25) == Periodic([1.0, 2.0], 0.25, [0.0, 1.0])


def test_arrays_stay_as_they_were_given():
    intervals = np.array([1.0, 2.0])
    mine = Periodic(intervals, 0.5)
    intervals[0] = 9.0
    assert mine.interval.tolist() == [1.0, 2.0]
    for each in (mine, pickle.loads(pickle.dumps(mine))):
        with pytest.raises(ValueError, match="read-only"):
            each.interval[0] = 9.0


def test_a_slack_of_one_percent_is_lost_to_dumps_of_three():
    jobs = Workload([0.0, 0.0], [10_000.0, 900.0], [10_100.0, 1000.0], [1, 1])
    hourly = Periodic(3600.0, 108.0, in_walltime=True)
    done = replay(jobs, flat(2), checkpointing=hourly)
    assert done.jobs["outcome"].tolist() == ["killed", "completed"]
    assert done.jobs["end"].tolist() == [10_100.0, 900.0]
    assert done.jobs["executed"].tolist() == [10_100.0 - 2 * 108.0, 900.0]
    assert done.jobs["undisturbed"].tolist() == [10_100.0, 900.0]
    assert done.metrics["cut_by_checkpoints"] == 1
    assert replay(jobs, flat(2), checkpointing=Periodic(3600.0, 108.0)).metrics["killed"] == 0


def test_each_attempt_has_the_whole_walltime():
    jobs = Workload([0.0], [10.0], [8.0], [1])
    hourly = Periodic(2.0, 0.5, 0.25, in_walltime=True)
    for engine in ("kernel", "general"):
        done = replay(
            jobs, flat(1), checkpointing=hourly, failures=Failures([6.0], [0], [0]), engine=engine
        )
        # Two checkpoints by 5; then 0.25 to read, and 6 of work with two dumps: all of it.
        assert done.jobs["end"].tolist() == [6.0 + 0.25 + 6.0 + 1.0]
        assert done.jobs["outcome"].tolist() == ["completed"]
        assert done.jobs["executed"].tolist() == [8.0 - 3 * 0.5]


def test_walltimes_that_end_no_job_have_no_room_for_checkpoints():
    jobs, within = Workload([0.0], [10.0], [8.0], [1]), Periodic(2.0, 0.5, in_walltime=True)
    with pytest.raises(ValueError, match="kill_at_walltime must be True with in_walltime"):
        replay(jobs, flat(1), checkpointing=within, kill_at_walltime=False)


def test_the_first_attempt_recovers_nothing():
    checkpointing = Periodic(10.0, 1.0, 5.0)
    assert checkpointing.planned(job(), 25.0) == 27.0
    assert checkpointing.planned(job(attempts=1), 25.0) == 32.0


def test_no_checkpoint_is_written_at_the_end_unless_asked():
    assert Periodic(10.0, 1.0).planned(job(), 20.0) == 21.0
    assert Periodic(10.0, 1.0, final=True).planned(job(), 20.0) == 22.0
    assert Periodic(20.0, 1.0).planned(job(), 20.0) == 20.0


def test_without_checkpoints_everything_is_lost():
    timeline = NoCheckpoints().timeline(job(), 7.0, 0.0, None)
    assert (timeline.wall, timeline.at(3.0)) == (7.0, (0.0, 3.0, 0.0, 0.0))


def test_an_interval_may_depend_on_the_job():
    checkpointing = Periodic(lambda job: 10.0 / job.processors, 1.0)
    assert checkpointing.planned(job(processors=2), 10.0) == 11.0
    assert checkpointing.planned(job(processors=5), 10.0) == 14.0
    with pytest.raises(ValueError, match=r"interval must be > 0, got 0.0 for job 0"):
        Periodic(lambda job: 0.0, 1.0).planned(job(), 10.0)
