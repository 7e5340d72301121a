import dataclasses
import math

import numpy as np
import pint
import pytest

import perfmodel
from perfmodel import plan
from perfmodel.units import DURATIONS

DAY, HOUR = DURATIONS["d"], DURATIONS["h"]
COUNTED = {
    "machine": {"nodes": 100},
    "failures": {"failures": 4, "observed": "20d"},
    "job": {"work": "10d", "recovery": "5min", "downtime": "10min"},
    "checkpoint": {"cost": "4min"},
}

KNOWN = {**COUNTED, "failures": {"mtbf": "5d"}}
STRUCK = {**COUNTED, "failures": {"mtbf": "9h"}}


COSTS = {"checkpoint_cost": 240.0, "recovery_cost": 300.0, "downtime": 600.0}


def efficiency(found):
    return found.job.work / found.completion.mean


def changed(tables=COUNTED, **sections):
    return {**tables, **{key: {**tables.get(key, {}), **more} for key, more in sections.items()}}


def test_it_is_what_the_functions_of_the_library_say():
    found = plan(changed(deadline={"time": "11d"}, questions={"percentiles": "90%"}))
    costs = {"checkpoint_cost": 240.0, "recovery_cost": 300.0, "downtime": 600.0}
    job = {"mtbf": 5.0 * DAY, **costs}
    best = perfmodel.recommend(10.0 * DAY, **job, quantity=None).best
    assert found.checkpoint.protocol == best.protocol == "synchronous"
    assert found.checkpoint.interval == best.interval
    assert found.completion.mean == best.expected_time
    assert found.goodput.value == pytest.approx(
        perfmodel.goodput(
            interval=best.interval,
            mtbf=5.0 * DAY,
            checkpoint_cost=240.0,
            restore=300.0,
            rescheduling=600.0,
        )
    )
    law = perfmodel.predictive_makespan(
        10.0 * DAY, failures=4, observed_time=20.0 * DAY, interval=best.interval, **costs
    )
    assert found.completion.predictive
    assert [each.time for each in found.completion.percentiles] == [
        law.ppf(each.q) for each in found.completion.percentiles
    ]
    assert found.completion.on_time == law.cdf(11.0 * DAY)
    posterior = perfmodel.mtbf_posterior(4, 20.0 * DAY)
    low, high = (float(posterior.ppf(q)) for q in (0.025, 0.975))
    assert found.mtbf.low == pytest.approx(low)
    ends = [
        float(perfmodel.exact_makespan(10.0 * DAY, interval=best.interval, **job).cdf(11.0 * DAY))
        for job in ({**costs, "mtbf": low}, {**costs, "mtbf": high})
    ]
    assert [found.completion.on_time_low, found.completion.on_time_high] == pytest.approx(ends)
    assert ends[0] < found.completion.on_time < ends[1]


def test_shares_add_up_and_limits_enclose():
    found = plan(COUNTED, brief=True)
    assert found.goodput.value + sum(found.goodput.losses.values()) == pytest.approx(1.0)
    assert found.goodput.low < found.goodput.value < found.goodput.high
    best = found.checkpoint
    assert best.interval_low < best.interval < best.interval_high
    for each in found.completion.percentiles:
        assert each.low < each.time < each.high


def test_forms_of_the_same_failures_give_the_same_mtbf():
    forms = [
        {"mtbf": "5d"},
        {"node_mtbf": "500d"},
        {"failure_rate": "2/1000node-days"},
        {"failures": 4, "observed": "20d"},
        {"failures": 4, "observed": "5d", "observed_nodes": 400},
    ]
    for form in forms:
        found = plan({**COUNTED, "failures": form}, brief=True)
        assert found.mtbf.value == pytest.approx(5.0 * DAY), form
    burst = {"burst_mtbf": "100d", "burst_size": 8, "node_mtbf": "1y", "placement": "contiguous"}
    found = plan(
        changed({**COUNTED, "failures": burst}, machine={"machine_nodes": 400}), brief=True
    )
    assert found.mtbf.value == perfmodel.effective_mtbf_bursts(
        100,
        machine_nodes=400,
        burst_mtbf=100.0 * DAY,
        burst_size=8,
        node_mtbf=365.25 * DAY,
        placement="contiguous",
    )


def test_without_a_failure_the_lower_limit_is_planned_for():
    found = plan({**COUNTED, "failures": {"failures": 0, "observed": "20d"}}, brief=True)
    limit = perfmodel.mtbf_confidence(0, 20.0 * DAY)
    assert found.mtbf.value == found.mtbf.low == limit.lower
    assert math.isinf(found.mtbf.high)
    assert found.goodput.high is None


def test_intervals_are_whole_steps_of_the_least_mean():
    found = plan(changed(job={"step_time": "1h", "tokens_per_step": 1000.0}), brief=True)
    steps = found.checkpoint.steps
    assert found.checkpoint.interval == steps * HOUR
    assert found.checkpoint.tokens == steps * 1000.0
    means = [
        perfmodel.expected_makespan(
            10.0 * DAY,
            interval=count * HOUR,
            mtbf=5.0 * DAY,
            checkpoint_cost=240.0,
            recovery_cost=300.0,
            downtime=600.0,
        )
        for count in (steps - 1, steps, steps + 1)
    ]
    assert min(means) == means[1] == found.completion.mean


def test_on_a_machine_that_ages_the_better_of_two_numbers_of_steps_is_planned():
    # The best interval is 4.05 h, nearer to one step than to two, but too short costs more.
    law = {"law": "weibull", "shape": 0.7}
    found = plan(changed(job={"step_time": "166min"}, failures=law), brief=True).checkpoint
    uptime = perfmodel.lifetimes.Weibull(0.7, 5.0 * DAY / math.gamma(1.0 + 1.0 / 0.7))
    one, two, three = (
        perfmodel.useful_share_ageing(
            steps * 166.0 * 60.0,
            uptime=uptime,
            checkpoint_cost=240.0,
            recovery_cost=300.0,
            downtime=600.0,
        )
        for steps in (1, 2, 3)
    )
    assert two > max(one, three)
    assert found.steps == 2


def test_quantities_of_pint_are_taken():
    unit = pint.get_application_registry()
    text, given = (
        plan(changed(STRUCK, checkpoint=checkpoint), brief=True)
        for checkpoint in ({"snapshot_cost": "5s"}, {"snapshot_cost": 5.0 * unit.second})
    )
    assert given == text
    with pytest.raises(
        ValueError, match=r"checkpoint\.snapshot_cost must be a duration with a unit"
    ):
        plan(changed(STRUCK, checkpoint={"snapshot_cost": 5.0 * unit.meter}))


@pytest.mark.parametrize(
    ("more", "protocol"),
    [
        ({"snapshot_cost": "5s"}, "asynchronous"),
        ({"local_cost": "10s", "survived": "95%"}, "two_levels"),
        ({"recall": 0.9, "precision": 0.9, "proactive_cost": "1s"}, "predicted"),
        (
            {"recall": 0.9, "precision": 0.9, "proactive_cost": "1s", "window": "2min"},
            "predicted",
        ),
        ({"snapshot_cost": "5s", "protocol": "synchronous"}, "synchronous"),
    ],
)
def test_the_best_protocol_is_chosen_or_the_one_asked_for(more, protocol):
    found = plan(changed(STRUCK, checkpoint=more, questions={"percentiles": "50%"}), brief=True)
    assert found.checkpoint.protocol == protocol
    assert (found.completion.why_not is None) == (protocol != "predicted")
    assert found.completion.mean > 10.0 * DAY


def test_sensitivities_are_in_order_and_right():
    found = plan(KNOWN)
    swings = [each.swing for each in found.sensitivities]
    assert swings == sorted(swings, reverse=True)
    (row,) = [each for each in found.sensitivities if each.key == "checkpoint.cost"]
    assert (
        row.time_doubled
        == plan(changed(KNOWN, checkpoint={"cost": "8min"}), brief=True).completion.mean
    )
    assert (
        row.time_halved
        == plan(changed(KNOWN, checkpoint={"cost": "2min"}), brief=True).completion.mean
    )


@pytest.mark.slow
def test_at_a_break_even_the_goal_is_just_reached():
    wanted = changed(deadline={"time": "11d", "probability": 0.9}, questions={"goodput": 0.93})
    wanted["failures"] = {"mtbf": "5d"}
    rows = plan(wanted).break_evens
    values = {(row.key, row.goal): row.value for row in rows}
    mtbf = values["failures.mtbf", "the goodput is 93 %"]
    at = changed(wanted, failures={"mtbf": f"{mtbf!r}s"})
    assert efficiency(plan(at, brief=True)) == pytest.approx(0.93, abs=2e-4)
    cost = values["checkpoint.cost", "it ends within 11 d with 90 %"]
    at = changed(wanted, checkpoint={"cost": f"{cost!r}s"})
    assert plan(at, brief=True).completion.on_time == pytest.approx(0.9, abs=5e-3)


def test_on_two_levels_the_deadline_is_kept_on_average():
    levels = {"local_cost": "10s", "survived": "90%", "protocol": "two_levels"}
    wanted = changed(STRUCK, checkpoint=levels, deadline={"time": "11d"})
    (row,) = [each for each in plan(wanted).break_evens if each.key == "job.downtime"]
    assert row.goal == "it ends within 11 d on average"
    at = changed(wanted, job={"downtime": f"{row.value!r}s"})
    assert plan(at, brief=True).completion.mean == pytest.approx(11.0 * DAY, rel=1e-6)


def test_what_is_unknown_gets_its_break_even():
    sparse = changed(checkpoint={"cost": "unknown", "size": "1TB"}, questions={"goodput": 0.9})
    found = plan(sparse)
    assert found.checkpoint is None
    (row,) = found.break_evens
    assert (row.key, row.side, row.unknown) == ("machine.bandwidth", "at least", True)
    at = changed(sparse, machine={"bandwidth": f"{row.value!r}B/s"})
    assert efficiency(plan(at, brief=True)) == pytest.approx(0.9, abs=2e-4)
    found = plan({**COUNTED, "failures": {}})
    assert [row.key for row in found.break_evens] == ["failures.mtbf"] * 4
    assert np.all(np.diff([row.value for row in found.break_evens]) > 0.0)


def test_unknown_delays_copies_and_repairs_get_theirs():
    rows = plan(
        changed(
            KNOWN,
            job={"downtime": "unknown"},
            checkpoint={"local_cost": "10s", "survived": "unknown", "snapshot_cost": "unknown"},
            spares={"mttr": "unknown", "standbys": 3},
        )
    ).break_evens
    unknown = {row.key: row for row in rows if row.unknown}
    assert set(unknown) == {
        "job.downtime",
        "checkpoint.survived",
        "checkpoint.snapshot_cost",
        "spares.mttr",
    }
    longest = unknown["spares.mttr"].value
    needed = [
        float(perfmodel.spares_needed(100, 500.0 * DAY, factor * longest, 0.99))
        for factor in (0.999, 1.002)
    ]
    assert needed == [3.0, 4.0]


def test_spares_are_those_of_the_library_and_the_best_are_worth_their_price():
    found = plan(
        changed(spares={"mttr": "2d"}, prices={"node_hour": 2.0, "spare_node_year": 10_000.0}),
        brief=True,
    )
    spares = found.spares
    assert spares.needed == perfmodel.spares_needed(100, 500.0 * DAY, 2.0 * DAY, 0.99)
    goodput = [row.goodput for row in spares.table]
    expected = perfmodel.spares_goodput(
        100,
        np.arange(len(goodput)),
        block_mtbf=500.0 * DAY,
        mttr=2.0 * DAY,
        checkpoint_cost=240.0,
        recovery_cost=300.0,
        switch_time=600.0,
        interval=found.checkpoint.interval,
    )
    assert goodput == pytest.approx(list(expected))
    yearly = 2.0 * 100 * 8766.0
    net = [share * yearly - 10_000.0 * count for count, share in enumerate(goodput)]
    assert spares.best == int(np.argmax(net))


def test_no_number_of_spares_is_best_where_they_cost_nothing():
    found = plan(
        changed(spares={"mttr": "2d"}, prices={"node_hour": 2.0, "spare_node_year": 0.0}),
        brief=True,
    )
    assert found.spares.best is None
    assert found.spares.table[-1].worth_per_year > 0.0


def test_money_and_energy_follow_the_time():
    found = plan(
        changed(
            machine={"static_power": "100W", "compute_power": "200W"},
            prices={"node_hour": 2.0, "kwh": 0.5},
        ),
        brief=True,
    )
    costs = found.costs
    assert costs.job == pytest.approx(200.0 * found.completion.mean / HOUR)
    assert costs.lost_per_year == pytest.approx((1.0 - found.goodput.value) * 200.0 * 8766.0)
    assert costs.energy == pytest.approx(
        perfmodel.expected_energy(
            10.0 * DAY,
            interval=found.checkpoint.interval,
            mtbf=5.0 * DAY,
            checkpoint_cost=240.0,
            recovery_cost=300.0,
            downtime=600.0,
            static_power=1e4,
            compute_power=2e4,
        )
    )
    assert costs.energy_cost == pytest.approx(0.5 * costs.energy / 3.6e6)


def test_taking_lemons_out_is_worth_what_their_failures_cost():
    lemons = {"lemon_share": "5%", "lemon_factor": 10.0, "lemons_watched": "1y"}
    found = plan({**COUNTED, "failures": {"node_mtbf": "200d", **lemons}})
    (row,) = [each for each in found.worth if "worst" in each.change]
    assert row.change == "without the 5 worst nodes"
    better = perfmodel.node_mtbf_without_worst(
        5,
        nodes=100,
        observed=365.25 * DAY,
        node_mtbf=200.0 * DAY,
        lemon_share=0.05,
        lemon_factor=10.0,
    )
    without = plan({**COUNTED, "failures": {"node_mtbf": f"{float(better)!r}s"}}, brief=True)
    gain = efficiency(without) - efficiency(found)
    assert row.gain == pytest.approx(gain)


@pytest.mark.slow
def test_under_ageing_the_interval_is_that_of_the_law():
    tables = {**COUNTED, "failures": {"mtbf": "5d", "law": "weibull", "shape": 0.6}}
    found = plan(tables)
    law = perfmodel.Weibull(0.6, 5.0 * DAY / perfmodel.Weibull(0.6, 1.0).mean)
    best = perfmodel.optimal_interval_ageing(uptime=law, checkpoint_cost=240.0, recovery_cost=300.0)
    assert found.checkpoint.interval == best
    assert found.goodput.losses is None
    assert "no law is known" in found.completion.why_not
    found = plan({**COUNTED, "failures": {"mtbf": "5d", "law": "lognormal", "cv": 2.0}}, brief=True)
    assert found.completion.mean > 10.0 * DAY


def test_counts_have_limits_under_poisson_failures_only():
    law = {"law": "weibull", "shape": 0.7}
    found = plan(changed(failures=law), brief=True)
    assert (found.mtbf.value, found.mtbf.low, found.mtbf.failures) == (5.0 * DAY, None, None)
    assert found.goodput.value == pytest.approx(
        perfmodel.useful_share_ageing(
            found.checkpoint.interval,
            uptime=found.job.uptime,
            checkpoint_cost=240.0,
            recovery_cost=300.0,
            downtime=600.0,
        )
    )
    with pytest.raises(ValueError, match=r"failures.failures must be at least 1 with failures.law"):
        plan(changed(failures={**law, "failures": 0}))


def test_the_present_interval_is_compared():
    now = {"present_interval": "1h"}
    found = plan(changed(checkpoint=now), brief=True)
    assert found.checkpoint.present_loss == pytest.approx(
        float(perfmodel.expected_makespan(10.0 * DAY, interval=HOUR, mtbf=5.0 * DAY, **COSTS))
        / found.completion.mean
        - 1.0
    )
    law = {"law": "weibull", "shape": 0.7}
    best = plan(changed(failures=law), brief=True).checkpoint.interval
    now = {"present_interval": f"{best!r}s"}
    assert plan(changed(failures=law, checkpoint=now), brief=True).checkpoint.present_loss == 0.0


def test_answers_are_frozen():
    found = plan(COUNTED, brief=True)
    for each in (found, found.checkpoint, found.goodput, found.completion, found.mtbf, found.job):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(each, dataclasses.fields(each)[0].name, None)
