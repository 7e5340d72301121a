"""Each answer of a plan in full: its words, its units, and its numbers as the library has them."""

import dataclasses
import math

import numpy as np
import pytest

import perfmodel
from perfmodel import plan
from perfmodel.protocols.table import protocol_of
from perfmodel.units import DURATIONS

DAY, HOUR = DURATIONS["d"], DURATIONS["h"]
BASE = {
    "machine": {"nodes": 100},
    "failures": {"mtbf": "9h"},
    "job": {"work": "2d", "recovery": "5min", "downtime": "10min"},
    "checkpoint": {"cost": "4min"},
}
UNPAIRED = {**BASE, "machine": {}}  # without nodes that may work in pairs
COSTS = {"checkpoint_cost": 240.0, "recovery_cost": 300.0, "downtime": 600.0}
LOCAL = {"local_cost": "10s", "survived": "90%", "local_recovery": "7s"}
SNAPSHOT = {"snapshot_cost": "5s", "latency": "3min", "slowdown": 0.1}
PREDICTED = {"recall": 0.9, "precision": 0.8, "proactive_cost": "1s", "window": "2min"}


def changed(**sections):
    return {**BASE, **{key: {**BASE.get(key, {}), **more} for key, more in sections.items()}}


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("failures", "words"),
    [
        ({"mtbf": "9h"}, "as given"),
        ({"node_mtbf": "500d"}, "500 d per node / 1,200 nodes"),
        ({"failure_rate": "2/1000node-days"}, "a node fails every 500 d, 1,200 nodes"),
        ({"failures": 4321, "observed": "20d"}, "4,321 failures in 20 d"),
        (
            {"failures": 1, "observed": "5d", "observed_nodes": 1400},
            "1 failure in 5 d on 1,400 nodes",
        ),
        (
            {"failures": 12, "observed": "20d", "failures_per_burst": 3.456},
            "12 gaps between bursts of 3.46 failures in 20 d",
        ),
        ({"failures": 0, "observed": "20d"}, "no failure in 20 d: the lower limit at 80%"),
        ({"failures": 2, "observed": "20d", "law": "gamma", "cv": 2.0}, "2 failures in 20 d"),
        (
            {"burst_mtbf": "100d", "burst_size": 8.5, "node_mtbf": "1y"},
            "a burst of 8.5 nodes every 100 d",
        ),
    ],
)
def test_where_the_mtbf_is_from_is_said(failures, words):
    machine = {"nodes": 1200, "machine_nodes": 4000}
    asked = {"confidence": 0.8}
    found = plan({**BASE, "machine": machine, "failures": failures, "questions": asked}, brief=True)
    assert found.mtbf.words == words


def test_limits_are_those_of_the_confidence_asked_for():
    counted = {"failures": 3, "observed": "5d", "observed_nodes": 300}
    found = plan({**BASE, "failures": counted, "questions": {"confidence": "80%"}}, brief=True)
    posterior = perfmodel.mtbf_posterior(3, 15.0 * DAY)
    assert (found.mtbf.failures, found.mtbf.observed) == (3, 15.0 * DAY)
    assert found.mtbf.value == 5.0 * DAY
    ends = found.mtbf.low, found.mtbf.high
    assert ends == pytest.approx([float(posterior.ppf(q)) for q in (0.1, 0.9)], rel=1e-14)
    none = plan({**BASE, "failures": {**counted, "failures": 0}}, brief=True)
    limit = perfmodel.mtbf_confidence(0, 15.0 * DAY, confidence=0.95).lower
    assert (none.mtbf.value, none.mtbf.low) == (limit, limit)
    assert (none.mtbf.failures, none.mtbf.observed) == (0, 15.0 * DAY)


def test_bursts_strike_nodes_that_fail_alone_as_well_or_not():
    machine = {"nodes": 100, "machine_nodes": 400}
    burst = {"burst_mtbf": "100d", "burst_size": 8}
    for more, alone in (({}, math.inf), ({"node_mtbf": "50d"}, 50.0 * DAY)):
        for place in ("random", "contiguous", "strided"):
            failures = {**burst, **more, "placement": place}
            found = plan({**BASE, "machine": machine, "failures": failures}, brief=True)
            assert found.mtbf.value == perfmodel.effective_mtbf_bursts(
                100,
                machine_nodes=400,
                burst_mtbf=100.0 * DAY,
                burst_size=8.0,
                node_mtbf=alone,
                placement=place,
            )


def test_delays_add_up_and_unknown_ones_are_zero():
    delays = {"downtime": "1s", "detection": "2s", "queue": "4s", "recovery": "8s", "warm_up": "9s"}
    job = plan(changed(job=delays), brief=True).job
    assert (job.downtime, job.recovery_cost) == (7.0, 17.0)
    job = plan(changed(job=dict.fromkeys(delays, "unknown")), brief=True).job
    assert (job.downtime, job.recovery_cost) == (0.0, 0.0)
    bare = {**BASE, "job": {"work": "2d"}}
    assert plan(bare, brief=True).job == job
    found = plan({**BASE, "job": {"node_work": "200d"}}, brief=True).job
    assert found == job


def test_a_snapshot_drains_in_the_time_of_a_checkpoint_unless_more_is_said():
    assert plan(changed(checkpoint={"snapshot_cost": "5s"}), brief=True).job.latency == 240.0
    assert plan(changed(checkpoint=SNAPSHOT), brief=True).job.latency == 180.0
    # Without a snapshot nothing drains, and what is unknown stays so.
    assert plan(changed(checkpoint={"latency": "3min"}), brief=True).job.latency is None
    unsaid = {"snapshot_cost": "5s", "latency": "unknown"}
    assert plan(changed(checkpoint=unsaid), brief=True).job.latency is None


def mean_time(job, protocol, interval, durable_every=1.0):
    """Return the mean time of a job at an interval, [s]."""
    return float(protocol_of(protocol).means(job, np.array([interval]), durable_every)[0])


LAWS = {
    "synchronous": (perfmodel.expected_makespan, perfmodel.exact_makespan, COSTS),
    "single_segment": (perfmodel.expected_makespan, perfmodel.exact_makespan, COSTS),
    "asynchronous": (
        perfmodel.expected_makespan_async,
        perfmodel.exact_makespan_async,
        {**COSTS, "checkpoint_cost": 5.0, "latency": 180.0, "slowdown": 0.1},
    ),
    "two_levels": (
        perfmodel.expected_makespan_two_levels,
        perfmodel.exact_makespan_two_levels,
        {
            "survived": 0.9,
            "local_cost": 10.0,
            "durable_cost": 240.0,
            "local_recovery": 7.0,
            "durable_recovery": 300.0,
            "downtime": 600.0,
        },
    ),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("protocol", LAWS)
def test_each_protocol_has_the_mean_and_the_law_of_the_library(protocol):
    mean, law, costs = LAWS[protocol]
    found = plan(changed(checkpoint={**LOCAL, **SNAPSHOT, "protocol": protocol}), brief=True)
    best, job = found.checkpoint, found.job
    assert best.protocol == protocol
    more = {"durable_every": best.durable_every} if protocol == "two_levels" else {}
    for interval in (best.interval, 3.0 * HOUR, 9.0 * DAY):
        cut = {"interval": min(interval, 2.0 * DAY), "mtbf": 9.0 * HOUR, **costs, **more}
        at = mean_time(job, protocol, interval, best.durable_every)
        assert at == pytest.approx(float(mean(2.0 * DAY, **cut)), rel=1e-14)
    assert found.completion.mean == pytest.approx(
        mean_time(job, protocol, best.interval, best.durable_every), rel=1e-12
    )
    cut = {"interval": min(best.interval, 2.0 * DAY), **costs, **more}
    known = law(2.0 * DAY, mtbf=9.0 * HOUR, **cut)
    assert found.law().mean == pytest.approx(known.mean, rel=1e-13)
    assert [each.q for each in found.completion.percentiles] == [0.5, 0.9, 0.99]
    for each in found.completion.percentiles:
        assert each.time == pytest.approx(float(known.ppf(each.q)), rel=1e-12)
        assert each.low is each.high is None
    assert found.law(uncertain=True) is None
    at = dataclasses.replace(found, job=dataclasses.replace(job, mtbf=5.0 * HOUR)).law()
    assert at.mean == pytest.approx(law(2.0 * DAY, mtbf=5.0 * HOUR, **cut).mean, rel=1e-13)


def test_a_job_warms_up_after_a_local_copy_too():
    levels = {**LOCAL, "protocol": "two_levels"}
    warm, slow = {"work": "5h", "warm_up": "90s"}, {"work": "5h", "recovery": "390s"}
    found = plan(changed(job=warm, checkpoint=levels), brief=True)
    longer = {"local_recovery": "97s", "protocol": "two_levels"}
    same = plan(changed(job=slow, checkpoint={**LOCAL, **longer}), brief=True)
    assert found.completion.mean == same.completion.mean


def test_a_job_that_acts_on_predictions_has_a_mean_alone():
    found = plan(changed(checkpoint={**PREDICTED, "protocol": "predicted"}), brief=True)
    assert found.law() is None
    assert found.law(uncertain=True) is None
    assert found.completion.percentiles == ()
    assert found.completion.why_not == "no law is known of a job that acts on predictions"
    (row,) = (row for row in found.checkpoint.protocols if row.protocol == "predicted")
    assert found.completion.mean == row.expected_time
    assert found.goodput.value == pytest.approx(row.efficiency, rel=1e-15)
    assert found.goodput.losses is None


def waste_of_predicted(interval, mtbf, window):
    """Return the first-order waste of `PREDICTED` on the machine of `BASE`."""
    predictor = {"recall": 0.9, "precision": 0.8, "proactive_cost": 1.0}
    job = {"mtbf": mtbf, "checkpoint_cost": 240.0, **predictor}
    later = {"recovery_cost": 300.0, "downtime": 600.0}
    if not window:
        return float(perfmodel.waste_predicted(interval + 240.0, **job, **later))
    job["window"] = window
    segments = perfmodel.best_window_segments(**job)
    return float(
        perfmodel.waste_windows(interval + 240.0, window_segments=segments, **job, **later)
    )


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("window", [0.0, 120.0])
def test_a_job_that_acts_on_predictions_checkpoints_after_whole_steps(window):
    job = {"work": "20d", "step_time": "40min", "tokens_per_step": 10.0}
    asked = {**PREDICTED, "window": f"{window}s", "protocol": "predicted"}
    found = plan(changed(job=job, checkpoint=asked), brief=True)
    steps = found.checkpoint.steps
    assert found.checkpoint.interval == steps * 2400.0
    assert found.checkpoint.tokens == 10.0 * steps
    wastes = [
        waste_of_predicted(count * 2400.0, 9.0 * HOUR, window)
        for count in (steps - 1, steps, steps + 1)
    ]
    assert min(wastes) == wastes[1]
    assert found.completion.mean == pytest.approx(20.0 * DAY / (1.0 - wastes[1]), rel=1e-14)
    assert found.goodput.value == pytest.approx(1.0 - wastes[1], rel=1e-14)


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("window", [0.0, 120.0])
def test_the_goodput_of_a_job_that_acts_on_predictions_has_the_limits_of_its_mtbf(window):
    counted = {"failures": 30, "observed": "12d", "observed_nodes": 100}
    asked = {**PREDICTED, "window": f"{window}s", "protocol": "predicted"}
    found = plan({**BASE, "failures": counted, "checkpoint": {"cost": "4min", **asked}}, brief=True)
    for value, mtbf in (
        (found.goodput.low, found.mtbf.low),
        (found.goodput.high, found.mtbf.high),
    ):
        waste = waste_of_predicted(found.checkpoint.interval, mtbf, window)
        assert value == pytest.approx(1.0 - waste, rel=1e-14)
    assert found.goodput.low < found.goodput.value < found.goodput.high


@pytest.mark.parametrize(
    ("given", "law"),
    [
        ({"law": "weibull", "shape": 0.5}, perfmodel.Weibull(0.5, 4.5 * HOUR)),
        ({"law": "gamma", "shape": 0.7}, perfmodel.Gamma(0.7, 9.0 * HOUR / 0.7)),
        ({"law": "gamma", "cv": 2.0}, perfmodel.Gamma(0.25, 36.0 * HOUR)),
        ({"law": "weibull", "cv": 2.0}, perfmodel.Weibull.from_mean(9.0 * HOUR, cv=2.0)),
        ({"law": "lognormal", "cv": 2.0}, perfmodel.LogNormal.from_mean(9.0 * HOUR, cv=2.0)),
        ({}, perfmodel.Exponential(9.0 * HOUR)),
    ],
)  # fmt: skip
def test_the_law_of_uptimes_is_the_one_asked_for_with_the_mean_of_the_mtbf(given, law):
    job = plan(changed(failures=given), brief=True).job
    assert type(job.uptime) is type(law)
    assert job.uptime.mean == pytest.approx(9.0 * HOUR, rel=1e-12)
    np.testing.assert_allclose(job.uptime.ppf([0.1, 0.9]), law.ppf([0.1, 0.9]), rtol=1e-12)


def test_on_a_machine_that_ages_all_is_by_the_useful_share():
    found = plan(changed(failures={"law": "weibull", "shape": 0.7}), brief=True)
    best, job = found.checkpoint, found.job
    assert (best.protocol, best.durable_every, best.protocols) == ("synchronous", 1.0, ())
    for interval in (HOUR, 9.0 * DAY):
        share = perfmodel.useful_share_ageing(min(interval, 2.0 * DAY), uptime=job.uptime, **COSTS)
        assert mean_time(job, "synchronous", interval) == pytest.approx(2.0 * DAY / share)
    count = round(2.0 * DAY / best.interval)
    assert found.completion.mean == pytest.approx(
        float(
            perfmodel.expected_makespan_ageing(
                2.0 * DAY, interval=2.0 * DAY / count, uptime=job.uptime, **COSTS
            )
        ),
        rel=1e-14,
    )
    assert found.law() is None
    assert found.completion.why_not == (
        "no law is known of a job whose failures depend on the time since the last one"
    )
    # So many segments that the mean of the whole job is not computed.
    long = plan(changed(failures={"law": "weibull", "shape": 0.7}, job={"work": "9y"}), brief=True)
    assert long.completion.mean == pytest.approx(
        mean_time(long.job, "synchronous", long.checkpoint.interval), rel=1e-14
    )


def test_the_losses_of_each_class_are_those_of_a_long_run():
    delays = {"detection": "20s", "queue": "40s", "warm_up": "90s"}
    for more, saved in (
        ({"protocol": "synchronous"}, {"checkpoint_cost": 240.0}),
        (
            {"snapshot_cost": "5s", "latency": "3min", "protocol": "asynchronous"},
            {"checkpoint_cost": 5.0, "latency": 180.0},
        ),
    ):
        found = plan(changed(job=delays, checkpoint=more), brief=True)
        shares = perfmodel.training_shares(
            interval=found.checkpoint.interval,
            mtbf=9.0 * HOUR,
            restore=300.0,
            warm_up=90.0,
            detection=20.0,
            queue=40.0,
            rescheduling=600.0,
            **saved,
        )
        assert found.goodput.value == pytest.approx(float(shares.goodput), rel=1e-14)
        losses = {name: float(share) for name, share in shares.losses().items() if share}
        assert found.goodput.losses == pytest.approx(losses)
        assert found.goodput.tokens_per_day is None
    # A snapshot that slows the job has no such classes: the mean of the job is told.
    slow = plan(changed(checkpoint={**SNAPSHOT, "protocol": "asynchronous"}), brief=True)
    assert slow.goodput.losses is None
    assert slow.goodput.value == pytest.approx(2.0 * DAY / slow.completion.mean, rel=1e-14)


def test_tokens_follow_the_steps():
    steps = {"step_time": "10min", "tokens_per_step": 50.0}
    found = plan(changed(job=steps), brief=True)
    assert found.checkpoint.interval == 600.0 * found.checkpoint.steps
    assert found.checkpoint.tokens == 50.0 * found.checkpoint.steps
    assert found.goodput.tokens_per_day == pytest.approx(found.goodput.value * 50.0 * 144.0)
    bare = plan(changed(job={"step_time": "10min"}), brief=True)
    assert bare.checkpoint.steps == found.checkpoint.steps
    assert bare.checkpoint.tokens is bare.goodput.tokens_per_day is None


def test_prices_are_told_as_far_as_they_are_known():
    powers = {"static_power": "100W", "compute_power": "200W", "io_power": "50W"}
    energy = perfmodel.expected_energy
    found = plan(changed(prices={"node_hour": 2.0}), brief=True)
    costs, time = found.costs, found.completion.mean
    assert costs.job == pytest.approx(200.0 * time / HOUR)
    assert costs.job_lost == pytest.approx(200.0 * (time - 2.0 * DAY) / HOUR)
    assert (costs.per_hour, costs.per_year) == pytest.approx((200.0, 200.0 * 8766.0))
    assert costs.lost_per_year == pytest.approx((1.0 - found.goodput.value) * 200.0 * 8766.0)
    assert costs.energy is costs.energy_cost is None
    found = plan(changed(machine=powers), brief=True)
    assert found.costs.energy == pytest.approx(
        energy(
            2.0 * DAY,
            interval=found.checkpoint.interval,
            mtbf=9.0 * HOUR,
            static_power=1e4,
            compute_power=2e4,
            io_power=5e3,
            **COSTS,
        )
    )
    unpriced = ("job", "job_lost", "per_hour", "per_year", "lost_per_year", "energy_cost")
    assert [getattr(found.costs, name) for name in unpriced] == [None] * 6
    billed = plan(changed(machine=powers, prices={"kwh": 0.5}), brief=True).costs
    assert billed.energy_cost == pytest.approx(0.5 * billed.energy / 3.6e6)
    alone = plan(changed(machine={"static_power": "100W"}), brief=True).costs.energy
    assert alone == pytest.approx(1e4 * found.completion.mean)


def test_spare_blocks_are_counted_in_blocks_and_worth_what_they_gain():
    spares = {"mttr": "2d", "block_nodes": 8, "confidence": 0.9, "standby_hazard": 0.5}
    made = plan(
        changed(failures={"mtbf": "5d"}, spares=spares, prices={"node_hour": 2.0}), brief=True
    )
    found = made.spares
    blocks = 13  # of 8 nodes for 100
    assert (found.block_nodes, found.confidence) == (8, 0.9)
    assert found.needed == perfmodel.spares_needed(blocks, 5.0 * blocks * DAY, 2.0 * DAY, 0.9)
    assert [row.standbys for row in found.table] == [*range(found.needed + 9)]
    goodputs = perfmodel.spares_goodput(
        blocks,
        np.arange(found.needed + 9),
        block_mtbf=5.0 * blocks * DAY,
        mttr=2.0 * DAY,
        checkpoint_cost=240.0,
        recovery_cost=300.0,
        interval=made.checkpoint.interval,
        switch_time=600.0,
        standby_hazard=0.5,
    )
    assert [row.goodput for row in found.table] == pytest.approx(list(goodputs))
    yearly = 200.0 * 8766.0
    gains = [row.worth_per_year for row in found.table]
    assert gains[0] is None
    assert gains[1:] == pytest.approx(list(np.diff(goodputs) * yearly))
    net = [row.goodput * yearly - row.standbys * 8.0 * 2.0 * 8766.0 for row in found.table]
    assert found.best == int(np.argmax(net))


def test_the_spares_that_there_are_decide_how_long_a_failure_stops_the_job():
    spares = {"mttr": "2d", "block_nodes": 8, "standby_hazard": 0.5}
    asked = {"failures": {"mtbf": "5d"}, "deadline": {"time": "4d"}}
    always = plan(changed(**asked, spares=spares))
    pool = {"block_mtbf": 65.0 * DAY, "mttr": 2.0 * DAY, "switch_time": 600.0}
    for standbys in (0, 1, 40):
        made = plan(changed(**asked, spares={**spares, "standbys": standbys}))
        stop = float(perfmodel.mean_stop(13, standbys, **pool, standby_hazard=0.5))
        assert made.job.downtime == pytest.approx(stop, rel=1e-12)
        assert made.job.wait == pytest.approx(stop - 600.0, rel=1e-9, abs=1e-6)
        (row,) = (row for row in made.spares.table if row.standbys == standbys)
        assert made.goodput.value == pytest.approx(row.goodput, rel=1e-12)
        losses = made.goodput.losses
        assert sum(losses.values()) + made.goodput.value == pytest.approx(1.0)
        changes = {row.change: row for row in made.worth}
        keys = {row.key for row in made.sensitivities}
        if standbys == 40:
            assert made.completion == always.completion
            assert made.goodput == always.goodput
            assert "always a spare" not in changes
            assert "spares.mttr" not in keys or "spare_wait" not in losses
        else:
            share = losses["spare_wait"] / losses["rescheduling"]
            assert share == pytest.approx(made.job.wait / 600.0)
            then = made.goodput.value + changes["always a spare"].gain
            assert then == pytest.approx(always.goodput.value, rel=1e-3)
            assert "spares.mttr" in keys
            assert made.law() is None
            assert made.completion.on_time is None
            assert made.completion.why_not == "no law is known of a job that waits for spares"
            assert "it ends within 4 d on average" in {row.goal for row in made.break_evens}


def test_a_local_copy_is_read_back_like_any_other_unless_more_is_said():
    copies = {"local_cost": "10s", "survived": "90%", "protocol": "two_levels"}
    silent, said, quick = (
        plan(changed(checkpoint={**copies, **more}, job={"work": "5h"}), brief=True)
        for more in ({}, {"local_recovery": "5min"}, {"local_recovery": "0s"})
    )
    assert silent.completion == said.completion
    assert silent.completion.mean > quick.completion.mean


def test_a_machine_of_many_nodes_has_its_spares():
    machine = {"nodes": 20_000}
    many = {"node_mtbf": "3y"}
    prices = {"node_hour": 1.5}
    asked = {**BASE, "machine": machine, "failures": many, "prices": prices}
    found = plan({**asked, "spares": {"mttr": "3d"}}, brief=True).spares
    assert found.needed == 73
    about = [row for row in found.table if row.worth_per_year is not None]
    dear = [row.standbys for row in about if row.worth_per_year >= 1.5 * 8766.0]
    assert found.best == max(dear)
    assert {found.best, found.best + 1} <= {row.standbys for row in about}
    far = plan({**asked, "spares": {"mttr": "60d"}}, brief=True).spares
    assert (far.table, far.best) == ((), None)
    assert far.why_not.startswith("it is computed for up to 500 spare blocks, and 1,1")


def test_a_share_of_time_that_is_unknown_is_taken_as_where_none_is_given():
    given = changed(failures={"mtbf": "5d"}, spares={"mttr": "2d", "confidence": "unknown"})
    silent = changed(failures={"mtbf": "5d"}, spares={"mttr": "2d"})
    assert plan(given, brief=True).spares == plan(silent, brief=True).spares


def test_more_spares_than_suffice_are_in_the_table_and_need_no_price():
    spares = {"mttr": "2d", "standbys": 20, "switch_time": "1s"}
    made = plan(changed(failures={"mtbf": "5d"}, spares=spares), brief=True)
    found = made.spares
    assert (found.confidence, found.block_nodes, found.best) == (0.99, 1, None)
    assert [row.standbys for row in found.table] == [*range(29)]
    assert {row.worth_per_year for row in found.table} == {None}
    assert found.table[0].goodput == pytest.approx(
        float(
            perfmodel.spares_goodput(
                100,
                0,
                block_mtbf=500.0 * DAY,
                mttr=2.0 * DAY,
                checkpoint_cost=240.0,
                recovery_cost=300.0,
                switch_time=1.0,
                interval=made.checkpoint.interval,
            )
        )
    )
    assert plan(changed(spares={"standbys": 3}), brief=True).spares is None


def efficiency(found):
    return found.job.work / found.completion.mean


def _worths(tables, per_hour=None):
    prices = {} if per_hour is None else {"node_hour": per_hour / 100}
    found = plan({**tables, "prices": prices})
    return found, found.worth


def test_changes_are_worth_what_they_gain_and_their_words_say_which():
    sized = {"machine": {"nodes": 100, "bandwidth": "1GB/s"}, "checkpoint": {"size": "240GB"}}
    halved = changed(checkpoint={"cost": "2min"})
    for tables, words in (
        (BASE, "checkpoints in half the time"),
        ({**BASE, **sized}, "twice the bandwidth"),
    ):
        found, rows = _worths(tables, 3.0)
        now = efficiency(found)
        others = {
            words: halved,
            "half as many failures": changed(failures={"mtbf": "18h"}),
            "restart without delay": changed(job={"downtime": "0s"}),
        }
        assert {row.change for row in rows} == set(others)
        for row in rows:
            gain = efficiency(plan(others[row.change], brief=True)) - now
            assert row.gain == pytest.approx(gain, rel=1e-9)
            assert (row.per_hour, row.per_year) == pytest.approx((3.0 * gain, 3.0 * 8766.0 * gain))
        gains = [row.gain for row in rows]
        assert gains == sorted(gains, reverse=True)
    _, rows = _worths(changed(job={"downtime": "0s"}))
    assert {row.change for row in rows} == {
        "checkpoints in half the time",
        "half as many failures",
    }
    assert {(row.per_hour, row.per_year) for row in rows} == {(None, None)}


def test_worths_and_costs_are_parts_of_a_whole_plan():
    found = plan(changed(prices={"node_hour": 2.0}))
    assert [row.per_hour / row.gain for row in found.worth] == pytest.approx([200.0] * 3)
    bare = plan(BASE)
    assert {row.per_hour for row in bare.worth} == {None}
    brief = plan(BASE, brief=True)
    assert (brief.worth, brief.sensitivities, brief.break_evens) == ((), (), ())


def test_every_input_that_matters_is_halved_and_doubled():
    job = {"detection": "20s", "queue": "40s", "warm_up": "90s"}
    asked = changed(job=job, checkpoint={**LOCAL, **SNAPSHOT})
    found = plan(asked)
    rows = found.sensitivities
    values = {row.key: row.value for row in rows}
    known = {
        "failures.mtbf": 9.0 * HOUR,
        "checkpoint.cost": 240.0,
        "checkpoint.snapshot_cost": 5.0,
        "checkpoint.latency": 180.0,
        "checkpoint.local_cost": 10.0,
        "checkpoint.local_recovery": 7.0,
        "job.detection": 20.0,
        "job.queue": 40.0,
        "job.downtime": 600.0,
        "job.recovery": 300.0,
        "job.warm_up": 90.0,
    }
    assert values.items() <= known.items()
    # What belongs to the protocol that is not the best moves nothing.
    unused = {"snapshot_cost", "latency"}
    if found.checkpoint.protocol == "asynchronous":
        unused = {"local_cost", "local_recovery"}
    assert set(known) - set(values) == {f"checkpoint.{name}" for name in unused}
    assert {row.unit for row in rows} == {"s"}
    swings = [row.swing for row in rows]
    assert swings == sorted(swings, reverse=True)
    assert min(swings) > 0.0
    (row,) = (row for row in rows if row.key == "failures.mtbf")
    for factor, time in ((0.5, row.time_halved), (2.0, row.time_doubled)):
        at = {**asked, "failures": {"mtbf": f"{9.0 * factor}h"}}
        assert time == plan(at, brief=True).completion.mean
    sized = {"machine": {"nodes": 100, "bandwidth": "1GB/s"}, "checkpoint": {"size": "240GB"}}
    rows = plan({**BASE, **sized}).sensitivities
    (row,) = (row for row in rows if row.key == "machine.bandwidth")
    assert (row.value, row.unit) == (1e9, "bytes/s")


def test_goals_are_in_the_words_of_the_scenario():
    goals = {"deadline": {"time": "3d", "probability": 0.75}, "questions": {"goodput": 0.6}}
    rows = plan({**UNPAIRED, **goals}).break_evens
    goals = ("the goodput is 60 %", "it ends within 3 d with 75 %")
    keys = [("failures.mtbf", "at least"), ("checkpoint.cost", "at most")]
    keys += [("job.downtime", "at most")]
    assert [(row.key, row.side, row.goal, row.unit, row.unknown) for row in rows] == [
        (*key, goal, "s", False) for goal in goals for key in keys
    ]
    for row in rows:
        assert row.value > 0.0
    assert plan(UNPAIRED).break_evens == ()
    usual = plan({**UNPAIRED, "deadline": {"time": "3d"}})
    assert {row.goal for row in usual.break_evens} == {"it ends within 3 d with 90 %"}


def test_goals_that_are_always_or_never_reached_have_ends_for_values():
    def found(wanted, **more):
        rows = plan(changed(questions={"goodput": wanted}, **more)).break_evens
        return {row.key: row.value for row in rows if "goodput" in row.goal}

    # Beside a downtime of many mtbfs nothing helps but rarer failures.
    never = found(0.9, job={"downtime": "90h"})
    assert never["checkpoint.cost"] is None
    assert never["failures.mtbf"] > 90.0 * HOUR
    never = found(1.0)
    assert set(never.values()) == {None}
    always = found(1e-300, job={"work": "1h"})
    assert always == {"failures.mtbf": 0.0, "checkpoint.cost": math.inf, "job.downtime": math.inf}


def test_another_protocol_is_better_from_its_crossover_on():
    short = {**changed(job={"work": "1h"}), "machine": {}}
    (row,) = plan(short).break_evens
    assert (row.key, row.side, row.unit) == ("failures.mtbf", "at most", "s")
    assert row.goal == "synchronous before one segment"
    for factor, best in ((0.999, "synchronous"), (1.001, "single_segment")):
        at = {**short, "failures": {"mtbf": f"{factor * row.value!r}s"}}
        assert plan(at, brief=True).checkpoint.protocol == best
    asked = {**short, "checkpoint": {**short["checkpoint"], "protocol": "single_segment"}}
    assert plan(asked).break_evens == ()
    rare = {**short, "failures": {"mtbf": f"{0.5 * row.value!r}s"}}
    assert plan(rare).break_evens == ()


def test_what_is_unknown_is_asked_for_at_the_usual_goals():
    usual = [f"the goodput is {share} %" for share in (50, 80, 90, 95)]
    for missing, key, side in (
        ({"failures": {}}, "failures.mtbf", "at least"),
        ({"checkpoint": {}}, "checkpoint.cost", "at most"),
    ):
        rows = plan({**BASE, **missing}).break_evens
        assert [(r.key, r.side, r.goal, r.unit, r.unknown) for r in rows] == [
            (key, side, goal, "s", True) for goal in usual
        ]
        values = [row.value for row in rows]
        assert values == sorted(values, reverse=side == "at most")
    rows = plan({**BASE, "checkpoint": {"size": "1TB"}}).break_evens
    assert {(r.key, r.side, r.unit) for r in rows} == {("machine.bandwidth", "at least", "bytes/s")}


def test_each_unknown_input_has_its_own_words():
    local = {"local_cost": "10s", "survived": "unknown", "snapshot_cost": "unknown"}
    asked = changed(
        job={"queue": "unknown"}, checkpoint=local, spares={"mttr": "unknown", "standbys": 3}
    )
    rows = [row for row in plan(asked).break_evens if row.unknown]
    assert [(row.key, row.side, row.goal, row.unit) for row in rows] == [
        ("job.queue", "at most", "the goodput is 90 %", "s"),
        ("checkpoint.survived", "at least", "two levels are the best", "-"),
        ("checkpoint.snapshot_cost", "at most", "asynchronous writes are the best", "s"),
        ("spares.mttr", "at most", "3 spares suffice in 99 % of the time", "s"),
    ]
    assert all(row.unknown for row in rows)


@pytest.mark.parametrize(("local_cost", "some"), [("10s", True), ("10min", False)])
def test_no_share_makes_local_copies_best_that_are_dearer_than_durable_ones(local_cost, some):
    local = {"local_cost": local_cost, "survived": "unknown", "local_recovery": "5min"}
    rows = plan(changed(checkpoint=local)).break_evens
    ((key, value),) = [(row.key, row.value) for row in rows if row.unknown]
    assert key == "checkpoint.survived"
    assert (value is not None and 0.0 < value < 0.5) if some else value is None


def test_a_plan_is_shown_in_one_line_and_as_a_table():
    found = plan(
        changed(
            spares={"mttr": "1h"}, prices={"node_hour": 2.0}, deadline={"time": "3d"}
        ),
        brief=True,
    )  # fmt: skip
    facts = {
        "MTBF": "9 h",
        "protocol": "synchronous",
        "interval": perfmodel.units.human_duration(found.checkpoint.interval),
        "goodput": f"{100 * found.goodput.value:.4g} %",
        "mean completion": perfmodel.units.human_duration(found.completion.mean),
        "in time": f"{100 * found.completion.on_time:.4g} %",
        "spares": f"{found.spares.needed}",
        "nodes per year": "1,753,200 units",
    }
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    assert repr(found) == f"<plan: {said}>"
    cells = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts.items())
    assert found._repr_html_() == (f"<table><caption>Plan</caption><tbody>{cells}</tbody></table>")
    assert repr(plan({**BASE, "failures": {}})) == "<plan: too little is known>"
    assert repr(plan({**BASE, "checkpoint": {}})) == "<plan: MTBF 9 h>"
    assert plan({**BASE, "failures": {}}).law() is None
