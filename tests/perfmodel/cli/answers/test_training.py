"""Whole answers for a training run, against the formulas called directly."""

import math
from dataclasses import asdict, replace

import pytest

from perfmodel.answers.known.job import job_of
from perfmodel.answers.parts.training import Change, Memory, Training, train
from perfmodel.answers.requests.training import GoodputRequest
from perfmodel.interval import optimal_interval, optimal_interval_async
from perfmodel.levels import optimal_pattern_two_levels
from perfmodel.training import (
    ettr_first_order,
    goodput,
    training_shares,
    training_shares_memory,
)
from perfmodel.validity import ValidityWarning

HOUR, DAY = 3600.0, 86400.0
REQUEST = GoodputRequest(
    mtbf=8 * HOUR,
    checkpoint_cost=300.0,
    recovery_cost=240.0,
    downtime=600.0,
    warm_up=60.0,
    detection=120.0,
    queue=180.0,
)
STOPS = {
    "restore": 240.0,
    "warm_up": 60.0,
    "detection": 120.0,
    "queue": 180.0,
    "rescheduling": 600.0,
}
RUN = {"mtbf": 8 * HOUR, "checkpoint_cost": 300.0, "latency": 0.0, **STOPS}
SAVED = "spares that take over at once"


def trained(request=REQUEST, **causes):
    return train(job_of(request), request, causes)


def near(value, rel=1e-9):
    return pytest.approx(float(value), rel=rel)


def change(name, interval, **of_run):
    at = float(interval)
    value = goodput(interval=at, **{**RUN, **of_run})
    return Change(name, near(at, 1e-6), near(value))


def test_every_number_has_its_name():
    job = job_of(REQUEST)
    found = Training(
        job=job,
        interval_s=1.0,
        steps=2,
        goodput=0.5,
        losses={"queue": 0.5},
        goodput_low=0.25,
        goodput_high=0.75,
        ettr_first_order=0.4,
        lost_to={"a": 0.1},
        changes=(Change("as it is", 3.0, 0.625),),
        memory=Memory(4.0, 5, 6.0, 0.7, {"queue": 0.3}),
        tokens_per_step=7.0,
    )
    plain = {
        "goodput": 0.5,
        "losses": {"queue": 0.5},
        "goodput_low": 0.25,
        "goodput_high": 0.75,
        "ettr_first_order": 0.4,
        "interval_s": 1.0,
        "interval_steps": 2,
        "tokens_per_day": None,
        "lost_to": {"a": 0.1},
        "changes": [{"change": "as it is", "interval_s": 3.0, "goodput": 0.625}],
        "measured": None,
        "memory": {
            "interval_s": 4.0,
            "steps": 5,
            "durable_every": 6.0,
            "goodput": 0.7,
            "losses": {"queue": 0.3},
        },
        **job.plain(),
    }
    assert found.to_dict() == plain
    stepped = replace(found, job=replace(job, step_time=10.0), memory=None)
    assert stepped.to_dict() == {
        **plain,
        "memory": None,
        "step_time_s": 10.0,
        "tokens_per_day": pytest.approx(0.5 * 7.0 * 8640.0),
    }
    assert replace(stepped, tokens_per_step=None).tokens_per_day is None


def test_a_run_at_its_best_interval():
    found = trained()
    best = optimal_interval(mtbf=8 * HOUR, checkpoint_cost=300.0)
    shares = training_shares(interval=best, **RUN)
    assert found.interval_s == near(best, 1e-6)
    assert found.goodput == near(shares.goodput)
    assert found.losses == {name: near(value, 1e-6) for name, value in shares.losses().items()}
    with pytest.warns(ValidityWarning):  # beyond its range, and told all the same
        first = ettr_first_order(
            interval=found.interval_s,
            mtbf=8 * HOUR,
            checkpoint_cost=300.0,
            restore=sum(STOPS.values()),
        )
    assert found.ettr_first_order == near(first)
    assert (found.steps, found.goodput_low, found.goodput_high) == (None, None, None)
    assert (found.memory, found.lost_to, found.tokens_per_step) == (None, {}, None)
    assert found.changes == (
        Change("as it is", found.interval_s, found.goodput),
        change("failures noticed at once", best, detection=0.0),
        change(SAVED, best, queue=0.0, rescheduling=0.0),
        change(
            "half as many failures",
            optimal_interval(mtbf=16 * HOUR, checkpoint_cost=300.0),
            mtbf=16 * HOUR,
        ),
    )


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"detection": 0.0}, [SAVED]),
        ({"queue": 0.0}, ["failures noticed at once", SAVED]),
        ({"downtime": 0.0}, ["failures noticed at once", SAVED]),
        ({"queue": 0.0, "downtime": 0.0}, ["failures noticed at once"]),
        (
            {"snapshot_cost": 5.0},
            ["failures noticed at once", SAVED, "asynchronous writes"],
        ),
        (
            {"memory_cost": 5.0},
            ["failures noticed at once", SAVED, "copies in memory as well"],
        ),
    ],
)
def test_only_what_can_be_changed_is(changes, named):
    found = trained(replace(REQUEST, **changes))
    names = [each.change for each in found.changes]
    assert names == ["as it is", *named, "half as many failures"]


@pytest.mark.parametrize("latency", [0.0, 900.0, 3 * HOUR])
def test_checkpoints_that_are_durable_later(latency):
    """A snapshot is durable before the next is due."""
    found = trained(replace(REQUEST, latency=latency, snapshot_cost=5.0))
    run = {**RUN, "latency": latency}

    def best(cost, latency, mtbf=8 * HOUR):
        free = float(optimal_interval_async(mtbf=mtbf, checkpoint_cost=cost, latency=latency))
        return max(free, latency - cost)

    assert found.interval_s == near(best(300.0, latency), 1e-6)
    assert found.goodput == near(goodput(interval=found.interval_s, **run))
    later = found.changes[3]
    assert later.change == "asynchronous writes"
    assert later.interval_s == near(best(5.0, latency + 300.0), 1e-6)
    known = {**run, "checkpoint_cost": 5.0, "latency": latency + 300.0}
    assert later.goodput == near(goodput(interval=later.interval_s, **known))
    rare = found.changes[-1]
    assert rare.interval_s == near(best(300.0, latency, 16 * HOUR), 1e-6)


@pytest.mark.parametrize("latency", [0.0, 900.0, 901.0, 3 * HOUR])
@pytest.mark.parametrize("step", [7.0, 420.0, 600.0])
def test_whole_steps_that_a_drain_fits_into(latency, step):
    """No other whole number of steps into which the drain fits has a larger goodput."""
    found = trained(replace(REQUEST, latency=latency, step_time=step))
    assert found.interval_s == found.steps * step
    least = max(1, math.ceil((latency - 300.0) / step))
    assert found.steps >= least
    run = {**RUN, "latency": latency}
    for other in range(max(least, found.steps - 2), found.steps + 3):
        assert goodput(interval=other * step, **run) <= found.goodput * (1.0 + 1e-12)


def test_an_interval_that_is_asked_for_stays():
    found = trained(replace(REQUEST, interval=HOUR, step_time=7.0, latency=60.0))
    assert (found.interval_s, found.steps) == (HOUR, None)
    assert found.goodput == near(goodput(interval=HOUR, **{**RUN, "latency": 60.0}))


def test_limits_of_the_mtbf_are_those_of_the_goodput():
    seen = replace(REQUEST, mtbf=None, failures=30, observed=240 * HOUR)
    found = trained(seen)
    ends = job_of(seen).mtbf
    for value, mtbf in ((found.goodput_low, ends.low), (found.goodput_high, ends.high)):
        assert value == near(goodput(interval=found.interval_s, **{**RUN, "mtbf": mtbf}))
    assert found.goodput_low < found.goodput < found.goodput_high


def test_failures_cost_the_same_whatever_their_cause():
    found = trained(faulty=6, network=2)
    lost = 1.0 - found.goodput - found.losses["checkpoint_save"]
    assert found.lost_to == {"faulty": near(0.75 * lost), "network": near(0.25 * lost)}


@pytest.mark.parametrize("cost", [5.0, 400.0])
@pytest.mark.parametrize("survived", [0.5, 0.99])
def test_copies_in_memory(cost, survived):
    """A durable checkpoint takes at least as long as a copy."""
    asked = {"memory_cost": cost, "memory_recovery": 20.0, "survived": survived}
    found = trained(replace(REQUEST, **asked))
    durable = max(300.0, cost)
    pattern = optimal_pattern_two_levels(
        mtbf=8 * HOUR,
        survived=survived,
        local_cost=cost,
        durable_cost=durable,
        local_recovery=80.0,  # and the warm-up
    )
    shares = training_shares_memory(
        interval=pattern.interval,
        durable_every=pattern.durable_every,
        mtbf=8 * HOUR,
        survived=survived,
        memory_cost=cost,
        checkpoint_cost=durable,
        memory_restore=20.0,
        **STOPS,
    )
    assert asdict(found.memory) == {
        "interval_s": near(pattern.interval),
        "steps": None,
        "durable_every": pattern.durable_every,
        "goodput": near(shares.goodput),
        "losses": {name: near(value) for name, value in shares.losses().items()},
    }
    in_memory = found.changes[-2]
    assert in_memory == Change(
        "copies in memory as well", found.memory.interval_s, found.memory.goodput
    )


def test_copies_in_memory_keep_to_whole_steps():
    asked = {"memory_cost": 5.0, "memory_recovery": 20.0, "survived": 0.9, "step_time": 420.0}
    found = trained(replace(REQUEST, **asked)).memory
    assert found.interval_s == found.steps * 420.0
    how = {
        "durable_every": found.durable_every,
        "mtbf": 8 * HOUR,
        "survived": 0.9,
        "memory_cost": 5.0,
        "checkpoint_cost": 300.0,
        "memory_restore": 20.0,
        **STOPS,
    }
    for other in range(max(1, found.steps - 2), found.steps + 3):
        shares = training_shares_memory(interval=other * 420.0, **how)
        assert float(shares.goodput) <= found.goodput * (1.0 + 1e-12)


def test_copies_that_all_failures_leave_need_no_durable_one():
    found = trained(replace(REQUEST, memory_cost=5.0, survived=1.0)).memory
    assert found.durable_every == math.inf
    assert found.losses["checkpoint_save"] < 1e-6
    assert found.goodput + sum(found.losses.values()) == pytest.approx(1.0, rel=1e-12)
