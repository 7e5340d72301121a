"""The JSON of a plan: every number has the name of its field, durations with the unit."""

from dataclasses import fields
from types import SimpleNamespace as Made

from perfmodel.answers.parts.plan import plain
from perfmodel.planning import Variant, plan
from perfmodel.planning.answers import (
    BreakEven,
    CheckpointPlan,
    Completion,
    ConstantRate,
    Costs,
    Foretold,
    Goodput,
    Percentile,
    Sensitivity,
    SparePlan,
    Standbys,
    Worth,
)
from perfmodel.planning.composed import Plan
from perfmodel.planning.estimate import Estimate
from perfmodel.protocols import ProtocolTime

TABLES = {
    "failures": {"mtbf": "8h"},
    "checkpoint": {"cost": "6min", "recall": 0.8, "precision": 0.5, "proactive_cost": "1min"},
    "job": {"work": "10d"},
}
JOB = plan({**TABLES, "checkpoint": {**TABLES["checkpoint"], "window": "2min"}}, brief=True).job


def numbered(kind):
    """Return an answer each of whose fields holds its own name."""
    return kind(**{field.name: field.name for field in fields(kind)})


def everything():
    best = numbered(CheckpointPlan)
    when = numbered(Completion)
    spares = numbered(SparePlan)
    goodput = numbered(Goodput)
    for one, name, inside in (
        (best, "protocols", (numbered(ProtocolTime),) * 2),
        (when, "percentiles", (numbered(Percentile),)),
        (spares, "table", (numbered(Standbys),)),
        (when, "foretold", numbered(Foretold)),
        (when, "constant_rate", numbered(ConstantRate)),
        (goodput, "losses", {"queue": 0.25}),
    ):
        object.__setattr__(one, name, inside)
    return Plan(
        scenario=Made(name="left out"),
        mtbf=numbered(Estimate),
        job=JOB,
        checkpoint=best,
        goodput=goodput,
        completion=when,
        spares=spares,
        costs=numbered(Costs),
        worth=(numbered(Worth),),
        sensitivities=(numbered(Sensitivity),),
        break_evens=(numbered(BreakEven),),
    )


def names(*of):
    """Return names with the fields that they show, the unit left out."""
    return {name: name.removesuffix("_s").removesuffix("_j") for name in of}


OF_A_JOB = {
    "work_s": 864000.0,
    "mtbf_s": 28800.0,
    "checkpoint_cost_s": 360.0,
    "recovery_cost_s": 0.0,
    "downtime_s": 0.0,
    "wait_s": 0.0,
    "snapshot_cost_s": None,
    "latency_s": None,
    "slowdown": JOB.slowdown,
    "local_cost_s": None,
    "survived": None,
    "local_recovery_s": 0.0,
    "recall": 0.8,
    "precision": 0.5,
    "proactive_cost_s": 60.0,
    "window_s": 120.0,
    "protocol": JOB.protocol,
    "step_time_s": None,
    "law": "exponential",
    "shape": None,
    "cv": None,
    "in_flight": "overlap",
    "nodes": None,
}
WHOLE = {
    "mtbf": {
        **names("value_s", "words", "low_s", "high_s", "failures", "observed_s"),
        **names("failures_per_burst", "truncation"),
    },
    "job": OF_A_JOB,
    "checkpoint": {
        **names("protocol", "interval_s", "interval_low_s", "interval_high_s", "steps", "tokens"),
        **names("durable_every", "present_interval_s", "present_loss"),
        "protocols": [
            {
                **names("protocol", "interval_s", "segments", "durable_every", "expected_time_s"),
                **names("overhead", "efficiency", "regret", "error", "crossover_s"),
            }
        ]
        * 2,
    },
    "goodput": {
        **names("value", "low", "high", "tokens_per_day", "why_not"),
        "losses": {"queue": 0.25},
    },
    "completion": {
        **names("mean_s", "predictive", "deadline_s", "on_time", "on_time_low", "on_time_high"),
        "why_not": "why_not",
        "foretold": names("law", "no_forecast", "error_of_probabilities", "past", "mtbf_s"),
        "constant_rate": names("interval_s", "mean_s", "goodput", "percentiles", "on_time"),
        "percentiles": [names("q", "time_s", "low_s", "high_s")],
    },
    "spares": {
        **names("block_nodes", "confidence", "needed", "best", "standbys", "why_not"),
        "table": [names("standbys", "goodput", "worth_per_year")],
    },
    "costs": names(
        *("job", "job_lost", "per_hour", "per_year", "lost_per_year", "energy_j", "energy_cost"),
        *("spares_per_year", "energy_per_year", "all_per_year"),
        *("energy_law", "why_no_energy"),
    ),
    "worth": [names("change", "gain", "per_hour", "per_year")],
    "sensitivities": [names("key", "value", "unit", "time_halved_s", "time_doubled_s")],
    "break_evens": [names("key", "side", "value", "unit", "goal", "unknown")],
}


def test_every_field_of_a_plan_has_its_name():
    assert plain((Variant({}, everything()),)) == WHOLE


def test_several_plans_stand_with_the_values_by_which_they_differ():
    variants = tuple(Variant({"machine.nodes": n}, everything()) for n in (4, 8))
    assert plain(variants) == {
        "variants": [{"values": {"machine.nodes": n}, **WHOLE} for n in (4, 8)]
    }
    assert plain(variants[:1]) == {"variants": [{"values": {"machine.nodes": 4}, **WHOLE}]}


def test_what_is_not_known_is_null():
    unknown = plan({**TABLES, "checkpoint": {"cost": "unknown"}, "questions": {"goodput": "90%"}})
    found = plain((Variant({}, unknown),))
    assert list(found) == list(WHOLE)
    nothing = ("job", "checkpoint", "goodput", "completion", "spares", "costs")
    assert [found[name] for name in nothing] == [None] * 6
    assert (found["worth"], found["sensitivities"]) == ([], [])
    (row,) = found["break_evens"]
    assert row == {
        "key": unknown.break_evens[0].key,
        "side": "at most",
        "value": unknown.break_evens[0].value,
        "unit": "s",
        "goal": unknown.break_evens[0].goal,
        "unknown": True,
    }
    assert found["mtbf"] == {
        "value_s": 28800.0,
        "words": "as given",
        "low_s": None,
        "high_s": None,
        "failures": None,
        "observed_s": None,
        "failures_per_burst": None,
        "truncation": "time",
    }
