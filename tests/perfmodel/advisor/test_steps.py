"""A job that can write a checkpoint only at the end of a step."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.rule import best_interval, expected_loss
from perfmodel.advisor.steps import Pace, waiting_loses, waiting_loses_by_interval
from perfmodel.advisor.tracked import Tracked
from tests.support.examples import examples

HOUR = 3600.0


def advisor(**changes):
    prior = Prior.of_history(90, 900 * HOUR)
    return CheckpointAdvisor(**{"cost": 0.1 * HOUR, "prior": prior, **changes})


def steps_until_due(one, now, length):
    """Return how many steps it takes from `now` on, and when the last of them ends."""
    for count in range(1, 100_000):
        if one.stepped(now + count * length):
            return count, now + count * length
    raise AssertionError("never due")


def written(one, begin, cost):
    one.checkpoint_begun(begin)
    one.checkpoint_done(begin + cost)
    return begin + cost


@settings(deadline=None, max_examples=examples(200))
@given(
    cost=st.floats(1.0, 3000.0),
    length=st.floats(0.2, 20_000.0),
    mtbf=st.floats(2.0 * HOUR, 2000.0 * HOUR),
)
@example(cost=2683.4452517773484, length=2683.4452517773484, mtbf=2.0 * HOUR)  # two steps, rounded
def test_the_step_is_the_one_that_loses_least(cost, length, mtbf):
    one = CheckpointAdvisor(cost=cost, prior=Prior(20.0, 20.0 * mtbf), least=1e-3, most=1e9)
    one.started(0.0)
    if one.next_checkpoint() / length > 2000.0:
        length = one.next_checkpoint() / 2000.0
    one.stepped(length)
    now = written(one, 2.0 * length + 0.0 * one.stepped(2.0 * length), cost)
    rate, tracked = one.memory.rate, one.memory.cost.mean
    if one.memory.bound:  # the bound of two costs: no step ends before it
        best = math.ceil(one.memory.interval / length - 1e-9)
    else:
        counts = np.arange(1, int(one.memory.interval / length) + 3)
        losses = [expected_loss(count * length, rate, tracked, 0.0) for count in counts]
        best = counts[int(np.argmin(losses))]
    count, end = steps_until_due(one, now, length)
    assert count == best or losses[count - 1] <= min(losses) * (1.0 + 1e-12)
    assert abs(end - one.next_checkpoint()) <= length


@pytest.mark.parametrize("length", [0.3, 0.7, 1.1])
def test_waiting_loses_from_the_best_multiple_on(length):
    rate, cost = 1e-5, 120.0
    step = length * best_interval(rate, cost)
    losses = [expected_loss(count * step, rate, cost, 0.0) for count in range(1, 9)]
    answers = [waiting_loses(count * step, step, rate, cost) for count in range(1, 8)]
    assert answers.index(True) == losses.index(min(losses))
    assert answers == sorted(answers)


def test_the_better_step_loses_a_third_of_what_the_later_one_does():
    rate, cost = 1.0 / (100.0 * HOUR), 360.0
    best = best_interval(rate, cost)

    def excess(count, step):
        return expected_loss(count * step, rate, cost, 0.0) / least - 1.0

    least, ours, later = expected_loss(best, rate, cost, 0.0), [], []
    for step in np.linspace(0.2, 0.6, 401) * best:
        last = math.ceil(best / step)
        ends = [n for n in range(1, last) if waiting_loses(n * step, step, rate, cost)]
        ours.append(excess(min([*ends, last]), step))
        later.append(excess(last, step))
    assert np.mean(ours) == pytest.approx(0.005, abs=0.0003)  # docs/how-to/advisor.md has both
    assert np.mean(later) == pytest.approx(0.0174, abs=0.0005)


def test_until_the_length_of_a_step_is_known_it_is_due_after_the_interval():
    one = advisor()
    one.started(0.0)
    due = one.next_checkpoint()
    assert not one.stepped(0.99 * due, 100)
    assert one.memory.pace == Pace(100.0, 0.99 * due)
    other = advisor()
    other.started(0.0)
    assert other.stepped(due)


def test_the_time_of_a_checkpoint_is_not_that_of_a_step():
    one = advisor()
    one.started(0.0)
    for end in (10.0, 20.0, 30.0):
        one.stepped(end)
    now = written(one, 30.0, 500.0)
    one.stepped(now + 10.0)
    assert one.memory.pace.time.mean == pytest.approx(10.0)
    assert one.memory.pace.step == 4.0


def test_one_that_asks_every_tenth_step_looks_ten_steps_ahead():
    one = advisor()
    one.started(0.0)
    one.stepped(100.0, 10)
    one.stepped(200.0, 20)
    assert one.memory.pace.time.mean == pytest.approx(10.0)
    assert one.memory.pace.ahead == pytest.approx(100.0)


def test_steps_that_are_done_again_count_from_the_first_of_them():
    one = advisor()
    one.started(0.0)
    one.stepped(10.0, 1)
    one.stepped(20.0, 2)
    one.failed(25.0)
    one.started(1000.0)
    one.stepped(1090.0, 1)  # slower than all that follow: the job warms up
    one.stepped(1100.0, 2)
    assert one.memory.pace.time.mean == pytest.approx(10.0)


def test_a_run_that_ended_without_a_word_failed_half_a_step_later():
    silent, told = advisor(), advisor()
    for one in (silent, told):
        one.started(0.0)
        one.stepped(10.0)
        one.stepped(20.0)
    told.failed(25.0)
    for one in (silent, told):
        one.started(9 * HOUR)
    assert silent.recommendation(9 * HOUR) == told.recommendation(9 * HOUR)


def test_nothing_is_due_while_a_snapshot_is_on_its_way():
    one = advisor(latency=HOUR)
    one.started(0.0)
    one.stepped(100.0)
    now = written(one, 200.0 + 0.0 * one.stepped(200.0), 360.0)
    assert not one.stepped(now + 50 * HOUR)
    one.checkpoint_durable(now + 50 * HOUR)
    assert one.stepped(now + 50 * HOUR + 100.0)


def test_the_most_is_not_exceeded_and_the_least_is_reached():
    often = advisor(most=100.0, cost=1.0)
    often.started(0.0)
    ends = [end for end in (30.0, 60.0, 90.0) if often.stepped(end)]
    assert ends == [90.0]
    seldom = advisor(least=20 * HOUR)
    seldom.started(0.0)
    count, _ = steps_until_due(seldom, 0.0, 7 * HOUR)
    assert count == 3


def test_the_last_checkpoint_before_the_end_is_not_a_step_late():
    def ends(length):
        one, now, found = advisor(end=10 * HOUR), 0.0, []
        one.started(now)
        while one.next_checkpoint() < math.inf and now + (length or 0.0) <= 9.9 * HOUR:
            due = one.next_checkpoint()
            end = due if length is None else steps_until_due(one, now, length)[1]
            now = written(one, end, 0.1 * HOUR)
            found.append(now)
        return found

    free = ends(None)
    for length in (0.05 * HOUR, 0.37 * HOUR, 0.6 * HOUR):
        stepping = ends(length)
        assert 9.9 * HOUR - length <= stepping[-1] <= 10 * HOUR
        assert abs(len(stepping) - len(free)) <= 1


def test_a_signal_makes_a_checkpoint_due_at_the_next_step():
    one = advisor()
    one.started(0.0)
    one.stepped(1.0)
    one.requested(1.5)
    assert one.stepped(2.0)


def test_saving_keeps_the_pace(tmp_path):
    one = advisor()
    one.started(0.0)
    for end in (0.0, 10.0, 21.0):
        one.save(tmp_path / "state.json")
        assert repr(CheckpointAdvisor.load(tmp_path / "state.json").memory.pace) == repr(
            one.memory.pace
        )
        one.stepped(end)


def test_steps_of_a_job_that_does_not_run_are_refused():
    one = advisor()
    with pytest.raises(ValueError, match="stepped must follow started, got it at 3"):
        one.stepped(3.0)
    one.started(5.0)
    one.stepped(6.0)
    for now in (4.0, 5.5, math.nan):
        with pytest.raises(ValueError, match="now must be finite and no earlier than"):
            one.stepped(now)
    with pytest.raises(ValueError, match=r"no earlier than the last event at 6, got 5\.5"):
        one.failed(5.5)


def test_a_pace_is_what_was_seen_of_steps_that_followed_each_other():
    first = Pace().after(10.0, None, 0.0)
    assert first == Pace(1.0, 10.0, 1.0, None)
    assert (first.ahead, first.most_ahead) == (0.0, 0.0)
    second = first.after(25.0, None, 0.0)
    assert second == Pace(2.0, 25.0, 1.0, Tracked(15.0))
    third = second.after(100.0, 5.0, 70.0)  # three steps, which began to work at 70
    assert third == Pace(5.0, 100.0, 3.0, Tracked(15.0).seen(10.0))
    assert third.ahead == pytest.approx(3.0 * 14.5)
    assert third.most_ahead == pytest.approx(3.0 * (14.5 + 3.0 * 1.5))
    for again in (5.0, 4.0):
        assert third.after(130.0, again, 0.0) == Pace(again, 130.0, 3.0, third.time)
    anew = third.anew()
    assert math.isnan(anew.step)
    assert math.isnan(anew.ended)
    assert (anew.stride, anew.time) == (3.0, third.time)
    assert anew.after(9.0, 80.0, 0.0) == Pace(80.0, 9.0, 3.0, third.time)


def test_the_first_order_loss_says_the_same():
    def loss(work):
        return 300.0**2 / work + work

    for worked in np.arange(10.0, 700.0, 7.0):
        for ahead in (1.0, 90.0, 400.0):
            waits = loss(worked) > loss(worked + ahead)
            assert waiting_loses_by_interval(worked, ahead, 300.0) == (not waits)
    assert waiting_loses_by_interval(200.0, 250.0, 300.0)  # both lose the same


def at_pace(length, **changes):
    """Return an advisor that has seen two steps of that length, which has just saved, and when."""
    one = advisor(**changes)
    one.started(0.0)
    one.stepped(length)
    one.stepped(2.0 * length)
    return one, written(one, 2.0 * length, 360.0)


def test_steps_of_a_long_run_save_at_the_multiple_that_loses_least():
    for length in (700.0, 1500.0, 3500.0):
        one, now = at_pace(length)
        rate, cost = one.memory.rate, one.memory.cost.mean
        losses = [expected_loss(count * length, rate, cost, 0.0) for count in range(1, 40)]
        assert steps_until_due(one, now, length)[0] == 1 + losses.index(min(losses))


def test_before_an_end_steps_save_as_near_as_they_can_to_equal_intervals():
    for length in (700.0, 1100.0, 1900.0):
        one, now = at_pace(length, end=8 * HOUR)
        due = one.next_checkpoint()
        assert one.memory.bound == "end"
        ends = now + length * np.arange(1.0, 40.0)
        nearest = ends[np.argmin(np.abs(ends - due))]
        assert steps_until_due(one, now, length)[1] == pytest.approx(nearest)


@pytest.mark.parametrize("room", [-1.0, 1.0])
def test_the_last_step_before_the_end_is_the_last_that_surely_leaves_time(room):
    one, now = at_pace(1000.0, end=1e5)
    cost = one.memory.cost.most
    assert one.memory.pace.most_ahead == 1000.0  # all were equal
    one.ends(now + 4000.0 + room + cost)
    assert steps_until_due(one, now, 1000.0)[0] == (4 if room > 0.0 else 3)


def test_where_no_checkpoint_pays_any_more_no_step_asks_for_one():
    one, now = at_pace(100.0, end=1e5)
    one.ends(one.memory.segment + 500.0)
    assert one.next_checkpoint() == math.inf
    assert not any(one.stepped(now + 100.0 * count) for count in range(1, 6))


def test_the_least_is_reached_and_the_most_not_passed_by_steps():
    one, now = at_pace(1000.0, least=4 * HOUR)
    assert one.memory.bound == "least"
    assert steps_until_due(one, now, 1000.0)[0] == 15  # 4 hours are 14.4 steps
    one, now = at_pace(1000.0, most=2500.0)
    assert one.memory.bound == "most"
    assert steps_until_due(one, now, 1000.0)[0] == 2
    one, now = at_pace(1000.0, most=3000.0)
    assert steps_until_due(one, now, 1000.0)[0] == 3


def test_a_killed_run_failed_no_later_than_it_started_again():
    one = advisor(most=1e9)
    one.started(0.0)
    one.stepped(100.0)
    one.stepped(200.0)
    one.started(210.0)  # half a step would end at 250
    assert (one.memory.watched, one.memory.failures, one.memory.last) == (210.0, 1, 210.0)
    other = advisor(end=300.0)
    other.started(0.0)
    assert other.memory.interval == math.inf
    other.started(90 * HOUR)  # without an interval, half of the most
    assert other.memory.watched == 12 * HOUR
