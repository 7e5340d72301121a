"""Copies on levels: which is written next, what they cost, and when a pattern is searched anew."""

import itertools
import math
from dataclasses import replace

import pytest

from perfmodel.advisor.belief import Belief, Prior
from perfmodel.advisor.copies import Copies
from perfmodel.advisor.memory import Memory
from perfmodel.advisor.tracked import Tracked
from perfmodel.levels import Level, expected_pattern_time, optimal_pattern_levels

LEVELS = (Level(1.0, 1.0, 0.5), Level(4.0, 2.0, 0.8), Level(60.0, 60.0, 1.0))


def made(periods, **changes):
    return replace(Copies.of(LEVELS[:2]), periods=periods, **changes)


def test_what_is_known_at_first():
    known = Copies.of(LEVELS[:2])
    assert known.costs == (Tracked.stated(1.0), Tracked.stated(4.0))
    assert (known.read, known.work) == ((0.0, 0.0, 0.0), (0.0, 0.0))
    assert (known.level, known.writing, known.last, known.fallen) == (1, 1, 3, False)
    assert known.mean_cost(60.0) == 60.0  # before there is a pattern


@pytest.mark.parametrize(
    ("periods", "turn"),
    [
        ((10.0, 30.0, 60.0), (1, 1, 2, 1, 1, 3)),
        ((10.0, 10.0, 20.0), (2, 3)),
        ((10.0, 20.0, 20.0), (1, 3)),
        ((10.0, 10.0, 10.0), (3,)),
    ],
)
def test_checkpoints_follow_the_pattern_and_cost_its_mean(periods, turn):
    copies, found = made(periods), []
    for _ in range(2 * len(turn)):
        level = copies.placed(10.0)
        copies = replace(copies, writing=level, level=level).written(10.0, LEVELS[level - 1].cost)
        found.append(level)
    assert tuple(found) == 2 * turn
    mean = sum(LEVELS[level - 1].cost for level in turn) / len(turn)
    assert copies.mean_cost(60.0) == pytest.approx(mean)
    assert copies.mean_cost(60.0, 10.0) == pytest.approx(mean)
    assert copies.unused == (turn == (3,))


def test_another_interval_stretches_what_is_shorter_only():
    copies = made((10.0, 30.0, 60.0))
    assert copies.spans(10.0) == (10.0, 30.0, 60.0)
    assert copies.spans(5.0) == (5.0, 30.0, 60.0)
    assert copies.spans(45.0) == (45.0, 45.0, 60.0)
    assert copies.spans(99.0) == (99.0, 99.0, 99.0)
    assert made((10.0, 10.0, 60.0)).spans(5.0) == (5.0, 5.0, 60.0)
    assert copies.mean_cost(60.0, 5.0) == pytest.approx((10 * 1.0 + 4.0 + 60.0) / 12)
    assert copies.mean_cost(60.0, 99.0) == 60.0


def test_a_level_is_due_where_the_work_comes_nearest_to_its_period():
    for since, level in ((14.9, 1), (15.1, 2)):
        assert made((10.0, 30.0, 600.0), work=(since, since)).placed(10.0) == level
    assert made((10.0, 30.0, 60.0), work=(0.0, 45.1)).placed(10.0) == 3
    assert made((10.0, 30.0, 60.0), work=(0.0, math.inf)).placed(10.0) == 3


def test_the_loss_is_that_of_the_pattern():
    copies, rate = made((10.0, 30.0, 60.0)), 1e-3
    for interval, counts in ((10.0, (2, 1)), (14.0, (1, 1)), (58.0, (0, 0)), (4.9, (5, 1))):
        work = interval * math.prod(1 + count for count in counts)
        time = expected_pattern_time(LEVELS, interval=interval, counts=counts, mtbf=1e3)
        assert copies.expected_loss(LEVELS, rate, interval) == pytest.approx(1.0 - work / time)
    assert copies.expected_loss(LEVELS, rate, math.inf) == 1.0


def test_a_pattern_is_the_best_and_is_searched_anew_once_something_moved_by_a_twentieth():
    rate = 1e-4
    first = Copies.of(LEVELS[:2]).planned(LEVELS, rate)
    best = optimal_pattern_levels(LEVELS, mtbf=1e4)
    low, high = (1 + count for count in best.counts)
    assert first.periods == pytest.approx(
        (best.interval, low * best.interval, low * high * best.interval)
    )
    assert first.known == pytest.approx((rate, 1.0, 4.0, 60.0, 0.5, 0.3, 0.2))

    def changed(number, factor):
        levels, new = list(LEVELS), rate
        if number == 3:
            new *= factor
        else:
            levels[number] = replace(levels[number], cost=levels[number].cost * factor)
        return first.planned(levels, new)

    for number in range(4):
        for factor in (0.951, 1.049):
            assert changed(number, factor) is first
        for factor in (0.949, 1.051):
            assert changed(number, factor) is not first
    # Of the kinds of failures 0.5, 0.3 and 0.2 the smallest moves by more than a twentieth first.
    kinds = (LEVELS[0], replace(LEVELS[1], survives=0.809), LEVELS[2])
    assert first.planned(kinds, rate) is first
    kinds = (LEVELS[0], replace(LEVELS[1], survives=0.811), LEVELS[2])
    assert first.planned(kinds, rate) is not first


def test_costs_beyond_what_patterns_are_searched_for_count_as_the_farthest():
    mtbf = 1e4
    free, slow = replace(LEVELS[0], cost=0.0), Level(80.0 * mtbf, 70.0 * mtbf, 1.0)
    found = Copies.of(LEVELS[:2]).planned((free, LEVELS[1], slow), 1.0 / mtbf)
    held = (
        replace(free, cost=2e-8 * mtbf),
        LEVELS[1],
        Level(50.0 * mtbf, 50.0 * mtbf, 1.0),
    )
    best = optimal_pattern_levels(held, mtbf=mtbf)
    every = itertools.accumulate((1 + n for n in best.counts), lambda a, b: a * b, initial=1)
    assert found.periods == pytest.approx(tuple(best.interval * n for n in every), rel=1e-6)


def test_what_a_copy_leaves_and_what_is_learnt_of_its_cost():
    copies = made((10.0, 30.0, 60.0), work=(5.0, 7.0), fallen=True)
    one = replace(copies, writing=1).written(2.0, 3.0)
    assert (one.work, one.costs) == (
        (7.0, 9.0),
        (Tracked.stated(1.0).seen(3.0), Tracked.stated(4.0)),
    )
    two = replace(copies, writing=2).written(2.0, 3.0)
    assert (two.work, two.costs) == (
        (0.0, 9.0),
        (Tracked.stated(1.0), Tracked.stated(4.0).seen(3.0)),
    )
    three = replace(copies, writing=3).written(2.0, 3.0)
    assert (three.work, three.costs) == ((0.0, 0.0), (Tracked.stated(1.0), Tracked.stated(4.0)))
    assert not any(each.fallen for each in (one, two, three))


def test_what_a_failure_and_a_recovery_leave():
    copies = made((10.0, 30.0, 60.0), work=(5.0, 7.0))
    assert copies.struck(draining=False) == replace(copies, fallen=True)
    assert copies.struck(draining=True) == replace(copies, work=(5.0, math.inf), fallen=True)
    read = []
    for level in (1, 2, 3):
        told = copies.struck(draining=False).resumed(level)
        assert told.work == ((5.0, 7.0), (0.0, 2.0), (0.0, 0.0))[level - 1]
        assert not told.fallen
        read.append(told.read)
        quiet = copies.resumed(level)  # nothing failed: nothing is learnt
        assert (quiet.work, quiet.read) == (told.work, (0.0, 0.0, 0.0))
    assert read == [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]


def test_of_many_failures_the_newest_counts_a_fiftieth():
    copies = made((10.0, 30.0, 60.0), read=(30.0, 12.0, 6.0))
    for sum_ in (49.0, 50.0, 50.0):
        copies = copies.struck(draining=False).resumed(2)
        assert math.fsum(copies.read) == pytest.approx(sum_)
    assert copies.read[0] == pytest.approx(30.0 * 0.98)


def test_what_memory_says_of_the_next_checkpoint():
    plain = Memory(Belief.of(Prior.unknown()), Tracked(60.0), Tracked(5.0))
    assert (plain.level, plain.cost_next, plain.cost_of(), plain.waits) == (1, 60.0, 60.0, False)
    assert plain._replace(draining=4.0).waits
    for level, cost in ((1, 1.0), (2, 4.0), (3, 60.0)):
        one = plain._replace(copies=made((10.0, 30.0, 60.0), level=level))
        assert (one.level, one.cost_next) == (level, cost)
        assert one.cost_of() == pytest.approx((4 * 1.0 + 4.0 + 60.0) / 6)
        assert one.cost_of(5.0) == pytest.approx((10 * 1.0 + 4.0 + 60.0) / 12)
        assert plain.cost_of(5.0) == 60.0
        assert one._replace(draining=4.0).waits == (level == 3)
        assert not one.waits


def test_which_belief_holds():
    late, early = Belief.of(Prior.unknown()), Belief.of(Prior(3.0, 100.0))
    one = Memory(late, Tracked(1.0), Tracked(1.0))
    assert one.present == one._replace(struck=True).present == late
    both = one._replace(early=early)
    assert both.present == late
    assert both._replace(struck=True).present == early
    for memory, name in ((one, "belief"), (both, "belief"), (both._replace(struck=True), "early")):
        assert list(memory.learnt(9.0, failed=True)) == [name]
