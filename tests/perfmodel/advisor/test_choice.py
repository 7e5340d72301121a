"""The interval that is chosen: free, held by a bound, or divided up to the end of an allocation."""

import math
from dataclasses import fields, replace

import pytest

from perfmodel import efficiency, optimal_interval
from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.belief import Belief
from perfmodel.advisor.survival import contradiction
from perfmodel.levels import Level, optimal_pattern_levels

HOUR = 3600.0
PRIOR = Prior(2.0, 20 * HOUR)
COST = 360.0


def advisor(**changes):
    return CheckpointAdvisor(**{"cost": COST, "prior": PRIOR, **changes})


def chosen(**changes):
    """Return what an advisor says when the job starts at 500 s."""
    one = advisor(**changes)
    one.started(500.0)
    told = one.recommendation(500.0)
    assert one.next_checkpoint() == told.next_checkpoint == 500.0 + told.interval
    return told.interval, told.bound


RATE = Belief.of(PRIOR).rate
FREE = float(optimal_interval(mtbf=1.0 / RATE, checkpoint_cost=COST))
NEAR = 1.0 + 1e-6


def test_without_a_bound_it_is_the_optimal_interval():
    assert chosen() == (pytest.approx(FREE, rel=1e-9), "")
    part = float(optimal_interval(mtbf=5.0 / RATE, checkpoint_cost=COST))
    assert chosen(share=0.2) == (pytest.approx(part, rel=1e-9), "")


def test_a_latency_holds_it_up_to_the_mtbf():
    assert chosen(latency=FREE / NEAR) == (pytest.approx(FREE), "")
    assert chosen(latency=FREE * NEAR) == (FREE * NEAR, "latency")
    assert chosen(latency=0.5 / RATE) == (0.5 / RATE, "latency")
    assert chosen(latency=3.0 / RATE) == (pytest.approx(1.0 / RATE), "latency")


def test_the_least_and_the_most_hold_it():
    assert chosen(least=FREE * NEAR) == (FREE * NEAR, "least")
    assert chosen(least=FREE / NEAR)[1] == ""
    assert chosen(most=FREE / NEAR) == (FREE / NEAR, "most")
    assert chosen(most=FREE * NEAR)[1] == ""
    assert chosen(least=100.0, most=100.0) == (2.0 * COST, "most")
    assert chosen(least=3.0 * FREE, most=3.0 * FREE) == (3.0 * FREE, "least")


def test_an_interval_is_at_least_two_costs():
    long = 3.0 / RATE
    assert chosen(cost=long) == (2.0 * long, "least")


def ended(left, **changes):
    """Return what is chosen where so much time is left until a checkpoint must begin."""
    return chosen(end=500.0 + left + 1.9 * COST, **changes)  # three deviations of a stated cost


@pytest.mark.parametrize("count", [1, 2, 3, 7])
@pytest.mark.parametrize("more", [0.0, 0.49, -0.49])
def test_the_time_until_the_end_is_divided_equally(count, more):
    left = count * FREE + (count - 1) * COST + more * (FREE + COST)
    equal = (left - (count - 1) * COST) / count
    assert ended(left) == (pytest.approx(equal, rel=1e-9), "end")


def test_only_the_last_64_intervals_are_divided():
    assert ended(64.0 * FREE / NEAR)[1] == "end"
    assert ended(64.0 * FREE * NEAR) == (pytest.approx(FREE), "")


def test_a_last_checkpoint_is_worth_it_from_the_least_interval_on():
    assert ended(60.0 * NEAR) == (pytest.approx(60.0, rel=1e-5), "end")
    assert ended(200.0 * NEAR, least=200.0) == (pytest.approx(200.0, rel=1e-5), "end")
    for left in (60.0 / NEAR, 1.0, -5.0, -1e9):
        assert ended(left) == (math.inf, "end")


def test_a_short_allocation_is_not_left_without_a_checkpoint():
    one = CheckpointAdvisor(cost=600.0, end=1860.0)
    one.started(0.0)
    assert one.next_checkpoint() == pytest.approx(1860.0 - 1.9 * 600.0)


@pytest.mark.parametrize("latency", [0.5, 100.0])
def test_a_snapshot_must_be_durable_before_the_end(latency):
    found, bound = chosen(latency=latency, end=500.0 + FREE + 1.9 * (COST + latency))
    assert (found, bound) == (pytest.approx(FREE, rel=1e-9), "end")


def test_all_that_is_told_of_a_running_job():
    one = advisor(recovery_cost=120.0)
    one.started(100.0)
    belief = Belief.of(PRIOR).after_silence(HOUR)
    told = one.recommendation(100.0 + HOUR)
    best = float(optimal_interval(mtbf=1.0 / belief.rate, checkpoint_cost=COST))
    job = {"mtbf": 1.0 / belief.rate, "checkpoint_cost": COST, "recovery_cost": 120.0}
    lost = 1.0 - float(efficiency(1e6 * FREE, interval=FREE, **job))

    def segment(work):
        return math.exp(belief.rate * 120.0) * math.expm1(belief.rate * (work + COST)) / belief.rate

    late = segment(best + FREE) - segment(best) * (1.0 + FREE / best)
    low, high = belief.mtbf_limits(0.9)
    known = {
        "interval": FREE,  # chosen when the segment began
        "next_checkpoint": 100.0 + FREE,
        "expected_loss": lost,
        "loss_of_waiting": late,
        "mtbf": 1.0 / belief.rate,
        "mtbf_lower": low,
        "mtbf_upper": high,
        "cost": COST,
        "failures": 0,
        "watched": HOUR,
        "level": 1,
        "periods": (FREE,),
        "survives": (1.0,),
        "contradiction": 1.0,
    }
    assert told.bound == ""
    assert {*known, "bound"} == {field.name for field in fields(told)}
    for name, value in known.items():
        assert getattr(told, name) == pytest.approx(value, rel=1e-9), name
    assert one.recommendation(100.0).watched == 0.0
    assert one.memory.watched == 0.0  # asking changes nothing


def test_all_that_is_told_of_a_share_of_a_machine():
    one = advisor(share=0.25)
    one.started(0.0)
    told, belief = one.recommendation(0.0), Belief.of(PRIOR)
    low, high = belief.mtbf_limits(0.9)
    assert (told.mtbf, told.mtbf_lower, told.mtbf_upper) == pytest.approx(
        (4.0 / belief.rate, 4.0 * low, 4.0 * high)
    )
    one.machine_failed(HOUR)
    assert one.memory.running
    assert one.recommendation(HOUR).failures == 1
    assert one.memory.belief.weights.tolist() == (
        belief.after_silence(HOUR).after_failure().weights.tolist()
    )


def test_what_is_told_of_a_job_that_does_not_run():
    one = advisor()
    new = one.recommendation(7.0)
    assert (new.interval, new.next_checkpoint, new.bound) == (pytest.approx(FREE), math.inf, "")
    assert (new.failures, new.watched, new.cost) == (0, 0.0, COST)
    one.started(0.0)
    one.stopped(HOUR)
    later = one.recommendation(50 * HOUR)
    silent = Belief.of(PRIOR).after_silence(HOUR)
    best = float(optimal_interval(mtbf=1.0 / silent.rate, checkpoint_cost=COST))
    assert (later.interval, later.next_checkpoint) == (pytest.approx(best), math.inf)
    assert (later.watched, later.mtbf) == (HOUR, pytest.approx(1.0 / silent.rate))
    assert not one.due(1e9)


def test_without_a_checkpoint_any_more_all_is_lost():
    one = advisor(end=COST)
    one.started(0.0)
    told = one.recommendation(0.0)
    assert (told.interval, told.next_checkpoint) == (math.inf, math.inf)
    assert (told.expected_loss, told.loss_of_waiting) == (1.0, math.inf)
    levelled = advisor(end=COST, levels=[Level(10.0, 5.0, 0.5)])
    levelled.started(0.0)
    assert levelled.recommendation(0.0).expected_loss == 1.0


LOCAL = Level(20.0, 15.0, 0.8)


def levelled(**changes):
    one = advisor(levels=[LOCAL], recovery_cost=300.0, **changes)
    one.started(0.0)
    return one


def test_all_that_is_told_of_levels():
    one = levelled()
    belief, survives = Belief.of(PRIOR), 0.9 * 0.8 + 0.1 * 0.8
    every = (replace(LOCAL, survives=survives), Level(COST, 300.0, 1.0))
    best = optimal_pattern_levels(every, mtbf=1.0 / belief.rate)
    told = one.recommendation(0.0)
    assert told.interval == pytest.approx(best.interval)
    assert told.periods == pytest.approx((best.interval, best.interval * (1 + best.counts[0])))
    assert told.survives == pytest.approx((survives, 1.0))
    assert (told.level, told.cost, told.contradiction) == (1, 20.0, 1.0)
    assert told.expected_loss == pytest.approx(1.0 - best.efficiency)
    rate, often = belief.rate, 1.0 / (1 + best.counts[0])
    cost = (1.0 - often) * 20.0 + often * COST
    assert one.memory.cost_of(told.interval) == pytest.approx(cost)

    def segment(work):  # as if all checkpoints cost their mean, and recoveries the lowest
        return math.exp(rate * 15.0) * math.expm1(rate * (work + cost)) / rate

    # Beyond the interval, where the loss has its slope 0: the second order on.
    free = told.interval
    factor = math.exp(rate * (free + cost + 15.0)) / rate
    late = factor * (math.expm1(rate * free) - rate * free)
    assert told.loss_of_waiting == pytest.approx(late)
    assert late == pytest.approx(
        segment(2.0 * free) - segment(free) - math.exp(rate * (free + cost + 15.0)) * free
    )


def test_with_levels_two_mean_costs_are_the_least():
    one = levelled(least=1e-3)
    assert one.recommendation(0.0).interval > 2.0 * one.memory.cost_of(math.inf)
    dear = advisor(levels=[Level(3.0 / RATE, 1.0, 0.9)], cost=4.0 / RATE, least=1.0)
    dear.started(0.0)
    told = dear.recommendation(0.0)
    assert told.bound == "least"
    assert told.interval == pytest.approx(2.0 * dear.memory.cost_of(dear.memory.copies.periods[0]))


def test_the_last_checkpoint_of_levels_counts_the_work_that_no_durable_copy_holds():
    for held, left, worth in ((0.0, 59.0, False), (0.0, 61.0, True), (500.0, 1.0, True)):
        one = levelled(end=math.inf)
        if held:
            one.checkpoint_begun(held)
            one.checkpoint_done(held + 20.0)
        now = held + 20.0 if held else 0.0
        one.ends(now + left + 1.9 * COST)
        assert one.memory.bound == "end"
        assert (one.next_checkpoint() < math.inf) == worth
        if worth:
            assert (one.next_checkpoint(), one.next_level()) == (pytest.approx(now + left), 2)


def test_what_speaks_against_the_stated_share_is_told():
    one, now = levelled(), 0.0
    for _ in range(6):
        now += 900.0
        one.failed(now)
        one.started(now + 60.0)
        now += 120.0
        one.restored(now, level=2)  # the copy below was lost, of which a fifth was expected
    told = one.recommendation(now)
    assert told.contradiction == contradiction([LOCAL.survives], (0.0, 6.0))
    assert told.contradiction > 100.0
