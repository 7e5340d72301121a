"""What is left out takes no time, never happens or is not asked for, in every formula alike."""

from inspect import Parameter, signature

import numpy as np
import pytest

from perfmodel import FORMULAS
from perfmodel.forecasts.mixture import HALF_LIVES, SPREADS

NO_TIME = (
    *(
        "age",
        "detection",
        "downtime",
        "durable_recovery",
        "input_recovery",
        "latency",
        "local_cost",
    ),
    *("local_recovery", "memory_restore", "queue", "recovery_cost", "recovery_costs"),
    *("rescheduling", "resize_time", "restore", "start_time", "switch_time", "warm_up"),
    *("checkpoint_cost", "checkpoint_cost_per_node", "window"),
)
NEVER = (
    *("allowance", "automatic_false", "down_power", "io_power", "manual_false", "overlap"),
    *("overlap_factor", "slowdown", "standby_hazard", "stopped_hazard", "together"),
    *("on_demand_price", "spot_price", "under_repair"),
)
NOT_ASKED = (
    *("censored", "chosen", "entered", "interval", "longest", "processes", "quantile"),
    *("resolution", "work"),
)
USUAL = {
    **dict.fromkeys(NO_TIME, 0.0),
    **dict.fromkeys(NEVER, 0.0),
    **dict.fromkeys(NOT_ASKED, None),
    "baseline": "estimated",
    "confidence": 0.95,
    "crews": np.inf,
    "downtime_at_risk": False,
    "drawn": "attempt",
    "false_alarm": 0.05,
    "families": ("exponential", "weibull", "gamma", "lognormal"),
    "final_checkpoint": True,
    "group": 2,
    "in_flight": "overlap",
    "law": "amdahl",
    "lemons": 1,
    "most": 1_000_000,
    "most_sets": 200_000,
    "node_mtbf": np.inf,
    "observed": 1.0,
    "placement": "random",
    "points": 11,
    "printed": False,
    "protocol": "double",
    "quantity": "mtbf",
    "redone": "anew",
    "restart": True,
    "rule": "reinstated",
    "scv": 1.0,
    "truncation": "time",
    "window_segments": 1,
}
# A protocol that is not described is not compared; a recovery reads what a checkpoint wrote.
OWN = {
    "recommend": dict.fromkeys(
        (
            *("latency", "local_cost", "nodes", "precision", "proactive_cost", "recall"),
            *("snapshot_cost", "survived"),
        )
    ),
    "waste_shared": {"recovery_cost": None},
    # What has to be done again is redone, unless a failure costs something else.
    **{
        name: {"recovery_cost": None}
        for name in ("gamma_error", "wsj_compound", "wsj_makespan", "wsj_mean", "wsj_variance")
    },
    "bad_nodes": {"node_mtbf": None},
    "spares_needed": {"law": "poisson"},
    # Nothing is known of repairs, and clusters end after the usual gap.
    "forecast_failures": {
        "repairs": (),
        "cluster_gap": None,
        "half_lives": (*HALF_LIVES, np.inf),
        "spreads": SPREADS,
    },
}


@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: row.name)
def test_what_is_left_out_is_the_same_everywhere(row):
    given = signature(row.function).parameters.values()
    needed = [each.name for each in given if each.default is Parameter.empty]
    with pytest.raises((TypeError, ValueError), match=" must "):
        row.function(**dict.fromkeys(needed, "x"))
    found = {each.name: each.default for each in given if each.default is not Parameter.empty}
    known = {**USUAL, **OWN.get(row.name, {})}
    assert found == {name: known[name] for name in found}
    assert {name: type(value) for name, value in found.items()} == {
        name: type(known[name]) for name in found
    }
