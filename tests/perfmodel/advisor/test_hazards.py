"""Failure rates that depend on the time since the last failure: by a Weibull law, in two phases."""

import math
from functools import partial

import numpy as np
import pytest

from perfmodel import (
    Weibull,
    hazard_intervals,
    optimal_interval,
    optimal_interval_ageing,
    optimal_intervals_ageing,
    useful_share_ageing,
)
from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.belief import MTBFS, Belief
from perfmodel.advisor.rule import best_interval, interval_by_age
from sim.application import simulate_advised_job

HOUR = 3600.0
MTBF = 24.0 * HOUR
LIKELY = Prior(2.0, 2.0 * MTBF)


def risk_of(shape, mtbf=MTBF):
    return (math.gamma(1.0 + 1.0 / shape) / mtbf) ** shape


def sequence(shape, cost, recovery, count):
    """Return the first intervals after a failure, each chosen when the one before is done."""
    age, found = recovery, []
    for _ in range(count):
        found.append(interval_by_age(risk_of(shape), shape, age, cost)[0])
        age += found[-1] + cost
    return np.array(found)


@pytest.mark.few(3)
@pytest.mark.parametrize("shape", [0.3, 0.5, 0.7, 1.5, 3.0])
@pytest.mark.parametrize("cost", [0.003 * MTBF, 0.04 * MTBF])
@pytest.mark.parametrize("recovery", [0.0, 0.01 * MTBF])
def test_intervals_by_age_are_nearly_those_of_the_best_sequence(shape, cost, recovery):
    law = Weibull(shape, MTBF / math.gamma(1.0 + 1.0 / shape))
    job = {"uptime": law, "checkpoint_cost": cost, "recovery_cost": recovery}
    best = optimal_intervals_ageing(**job)
    found = sequence(shape, cost, recovery, best.size + 50)
    constant = np.full(found.size, float(optimal_interval_ageing(**job)))
    most = useful_share_ageing(best, **job)
    missed = most - useful_share_ageing(found, **job)
    assert -1e-9 < missed < 0.75 * (most - useful_share_ageing(constant, **job))
    assert missed < 0.0013 or shape > 1.5


@pytest.mark.parametrize("shape", [0.5, 1.5])
def test_for_cheap_checkpoints_they_are_those_of_the_hazard(shape):
    law = Weibull(shape, MTBF / math.gamma(1.0 + 1.0 / shape))
    cost = 1e-3 * MTBF
    known = hazard_intervals(uptime=law, checkpoint_cost=cost, recovery_cost=0.05 * MTBF)[:20]
    assert sequence(shape, cost, 0.05 * MTBF, 20) == pytest.approx(known, rel=0.03)


@pytest.mark.parametrize("age", [0.0, 1.0, 1e7])
def test_memoryless_failures_have_one_interval(age):
    interval, rate = interval_by_age(1.0 / MTBF, 1.0, age, 60.0)
    assert interval == pytest.approx(best_interval(1.0 / MTBF, 60.0), rel=1e-12)
    assert rate == pytest.approx(1.0 / MTBF)


@pytest.mark.parametrize("shape", [0.5, 1.0, 2.0])
def test_gaps_and_silence_weigh_as_by_bayes(shape):
    """Against the likelihood of the gaps; that rates may change flattens it a little."""
    rng = np.random.default_rng(7)
    gaps = MTBF / math.gamma(1.0 + 1.0 / shape) * rng.weibull(shape, 12)
    belief, logs = Belief.of(LIKELY, shape), np.log(Belief.of(LIKELY, shape).weights)
    scales = MTBFS / math.gamma(1.0 + 1.0 / shape)
    for gap in gaps.tolist():
        belief = belief.after_silence(0.4 * gap).after_silence(0.6 * gap, 0.4 * gap).after_failure()
        logs += -((gap / scales) ** shape) - shape * np.log(scales)
    known = np.exp(logs - logs.max())
    known /= known.sum()
    middle = np.exp(belief.weights @ np.log(MTBFS))
    assert middle == pytest.approx(np.exp(known @ np.log(MTBFS)), rel=0.35)
    low, high = belief.mtbf_limits(0.9)
    assert low < middle < high


def test_a_prior_is_the_same_mtbf_whatever_the_shape():
    for shape in (0.5, 1.0, 2.0):
        belief = Belief.of(Prior(50.0, 50.0 * MTBF), shape)
        assert np.median(belief.mtbf_limits(0.02)) == pytest.approx(MTBF, rel=0.2)


def test_intervals_grow_with_the_time_since_a_failure_and_shrink_after_one():
    one = CheckpointAdvisor(cost=360.0, prior=LIKELY, shape=0.6)
    one.started(0.0)
    one.failed(HOUR)
    one.started(HOUR)
    now, spans = HOUR, []
    for _ in range(6):
        due = one.next_checkpoint()
        spans.append(due - now)
        one.checkpoint_begun(due)
        one.checkpoint_done(due + 360.0)
        now = due + 360.0
    assert (np.diff(spans) > 0.0).all()
    assert one.memory.age == pytest.approx(now - HOUR)
    one.failed(now)
    one.started(now + 5 * HOUR)
    assert one.memory.age == 0.0
    assert one.next_checkpoint() - now - 5 * HOUR < 0.6 * spans[-1]


def test_a_machine_that_ran_for_long_before_is_not_taken_for_a_new_one():
    new, old = (
        CheckpointAdvisor(cost=360.0, prior=LIKELY, shape=0.6, age=age) for age in (0.0, 9 * MTBF)
    )
    for one in (new, old):
        one.started(0.0)
    assert old.next_checkpoint() > 1.5 * new.next_checkpoint()


def lost(make, gaps_of, runs, cost, days=30.0):
    """Return the hours lost in each of some windows."""
    found = []
    for seed in range(runs):
        rng = np.random.default_rng([seed, 5])
        struck = np.cumsum(gaps_of(rng))
        duration = days * MTBF
        played = simulate_advised_job(
            make(cost=cost, prior=LIKELY),
            failures=struck[struck < duration],
            duration=duration,
            checkpoint_costs=iter(lambda: cost, None),
            recovery_cost=0.2 * HOUR,
        )
        found.append((duration - played.useful) / HOUR)
    return np.array(found)


def weibull_gaps(rng):
    return MTBF / math.gamma(3.0) * rng.weibull(0.5, 400)


def bursts(rng):
    """Return gaps of which a third are an hour, and others two days, on average."""
    return np.where(rng.random(400) < 0.35, HOUR, 1.5 * MTBF) * rng.standard_exponential(400)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "gaps_of"), [({"shape": 0.5}, weibull_gaps), ({"two_phases": True}, bursts)]
)
def test_the_option_loses_less_where_its_failures_are(option, gaps_of):
    # Left to itself an advisor looks for two phases.
    plain = lost(partial(CheckpointAdvisor, two_phases=False), gaps_of, 400, HOUR)
    apart = lost(partial(CheckpointAdvisor, **option), gaps_of, 400, HOUR)
    gain = plain - apart
    assert gain.mean() > 3.0 * gain.std() / 400**0.5


def test_two_rates_are_learnt_apart():
    """After a failure the next comes within an hour in a third of the cases, else within days."""
    rng = np.random.default_rng(2)
    one = CheckpointAdvisor(cost=360.0, prior=LIKELY, two_phases=True)
    now = 0.0
    one.started(now)
    exposed, counts = {True: 0.0, False: 0.0}, {True: 0, False: 0}
    for gap in bursts(rng).tolist():
        fails = now + gap
        while one.next_checkpoint() + 360.0 < fails:
            due, struck = one.next_checkpoint(), one.memory.struck
            one.checkpoint_begun(due)
            one.checkpoint_done(due + 360.0)
            exposed[struck] += due + 360.0 - now
            now = due + 360.0
        exposed[one.memory.struck] += fails - now
        counts[one.memory.struck] += 1
        one.failed(fails)
        one.started(fails)
        now = fails
    for struck, belief in ((True, one.memory.early), (False, one.memory.belief)):
        assert 1.0 / belief.rate == pytest.approx(exposed[struck] / counts[struck], rel=0.5)
    assert one.memory.early.rate > 5.0 * one.memory.belief.rate
    early = float(optimal_interval(mtbf=1.0 / one.memory.early.rate, checkpoint_cost=360.0))
    assert one.next_checkpoint() - now == pytest.approx(early)
    assert one.recommendation(now).mtbf == pytest.approx(1.0 / one.memory.early.rate)


@pytest.mark.parametrize("option", [{"shape": 0.6, "age": 50.0}, {"two_phases": True}])
def test_saving_and_loading_keeps_the_option(option, tmp_path):
    one = CheckpointAdvisor(cost=360.0, prior=LIKELY, **option)
    one.started(0.0)
    one.failed(5 * HOUR)
    one.started(6 * HOUR)
    one.save(tmp_path / "state.json")
    again = CheckpointAdvisor.load(tmp_path / "state.json")
    for each in (one, again):
        each.checkpoint_begun(7 * HOUR)
        each.checkpoint_done(7.1 * HOUR)
    assert again.recommendation(8 * HOUR) == one.recommendation(8 * HOUR)
    assert again.memory.age == one.memory.age == pytest.approx(1.1 * HOUR)
    assert again.shape == one.shape


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shape": 0.2}, r"shape must be in \[0.3, 3\], got 0.2"),
        ({"shape": math.nan}, "shape must be"),
        ({"age": -1.0}, "age must be finite and >= 0, got -1"),
        (
            {"share": 0.5, "shape": 0.7},
            "^share must be 1 where the failure rate depends on the last failure of the job, "
            "got 0.5: leave out shape and two_phases$",
        ),
        ({"share": 0.5, "two_phases": True}, "share must be 1 where"),
    ],
)
def test_options_out_of_range_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        CheckpointAdvisor(cost=1.0, **changes)


def test_phases_are_a_truth_value():
    with pytest.raises(TypeError, match="two_phases must be True, False or None"):
        CheckpointAdvisor(cost=1.0, two_phases=2)
