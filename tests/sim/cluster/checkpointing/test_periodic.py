import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Job, NoCheckpoints, Periodic


def job(attempts=0, processors=1):
    return Job(
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


@settings(deadline=None, max_examples=300)
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, 1.0), "interval must be > 0, got 0.0"),
        ((float("nan"), 1.0), "interval must be > 0, got nan"),
        ((1.0, -1.0), "cost must be finite and >= 0, got -1.0"),
        ((1.0, 1.0, float("inf")), "recovery must be finite and >= 0, got inf"),
    ],
)
def test_bad_costs_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Periodic(*arguments)
