"""The arguments in which each public function rises or falls, from theory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["TRENDS", "Trend"]


@dataclass(frozen=True, slots=True)
class Trend:
    """Arguments in which every time or number of the result rises, and those in which it falls.

    Parameters
    ----------
    rising, falling : tuple of str
        Names of arguments. Others have no direction, or none that was proved.
    """

    rising: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()


_JOB = Trend(("work", "checkpoint_cost", "recovery_cost", "downtime"), ("mtbf",))
_TASK = Trend(("work", "checkpoint_cost", "downtime"), ("mtbf",))
_LATER = Trend(("work",))

TRENDS: Mapping[str, Trend] = {
    "Deterministic": Trend(("value",)),
    "Empirical": Trend(),
    "Exponential": Trend(("mean",)),
    "Gamma": Trend(("scale",)),
    "HyperExponential": Trend(),
    "LogNormal": Trend(("mu",)),
    "Weibull": Trend(("scale",)),
    "Machines": Trend(),
    "best_segments": Trend(("work",), ("mtbf", "checkpoint_cost")),
    "busy_period_mean": Trend(("downtime",), ("mtbf",)),
    "busy_period_transform": Trend(),
    "busy_period_variance": Trend(("downtime",), ("mtbf",)),
    "checkpoint_gain": Trend(("failure_probability", "unsaved"), ("checkpoint_cost",)),
    "compare_extra_node": _LATER,
    "efficiency": Trend(("mtbf",), ("checkpoint_cost", "recovery_cost", "downtime")),
    "equal_time_partition": Trend(("work",)),
    "evaluate_set": _LATER,
    "exact_makespan": _JOB,
    "expected_failure_slowdown": Trend(("downtime", "recovery_cost")),
    "expected_failures": Trend(("work", "checkpoint_cost", "recovery_cost"), ("mtbf",)),
    "expected_head_delay": Trend(("service_time", "load", "downtime")),
    "expected_lost_time": Trend(("work", "checkpoint_cost"), ("mtbf",)),
    "expected_makespan": _JOB,
    "expected_manual_wait": Trend(("walltime",), ("duration", "mtbf")),
    "expected_rear_delay": Trend(("service_time", "load", "downtime", "scv")),
    "expected_resubmission_delay": Trend(("remaining", "service_time", "load"), ("places",)),
    "failure_probability": Trend(("duration",), ("mtbf",)),
    "fit_lifetime": Trend(),
    "gamma_error": Trend(),
    "longest_promise": Trend(("node_mtbf",), ("probability", "nodes")),
    "makespan_variance": _JOB,
    "mtbf_confidence": Trend(("observed_time",), ("failures",)),
    "optimal_interval": Trend(("mtbf", "checkpoint_cost")),
    "optimal_interval_closed_form": Trend(("mtbf", "checkpoint_cost")),
    "optimal_interval_daly": Trend(("checkpoint_cost",)),  # falls at mtbf = C/2, as published
    "optimal_interval_daly_first_order": Trend(("mtbf", "recovery_cost")),
    "optimal_interval_parallel": Trend(),
    "optimal_interval_wsj": Trend(("checkpoint_cost",)),
    "optimal_interval_young": Trend(("mtbf", "checkpoint_cost")),
    "optimal_period_aupy": Trend(("mtbf", "checkpoint_cost", "recall")),
    "promised_probability": Trend(("node_mtbf",), ("duration", "nodes")),
    "recovery_charge": Trend(("price",), ("allowance",)),
    "regret": Trend(),
    "risk_based_interval": Trend(("mtbf", "checkpoint_cost")),
    "schedule_bisection": Trend(),
    "schedule_exhaustive": Trend(),
    "schedule_random": Trend(),
    "schedule_reliability": Trend(),
    "schedule_speed": Trend(),
    "schedule_speed_reliability": Trend(),
    "slowest": Trend(),
    "slowest_of": Trend(("count",)),
    "spares_needed": Trend(("nodes", "mttr", "confidence"), ("mtbf",)),
    "waste": Trend(("checkpoint_cost", "recovery_cost", "downtime"), ("mtbf",)),
    "waste_aupy": Trend(
        ("checkpoint_cost", "proactive_cost", "recovery_cost", "downtime"),
        ("mtbf", "recall", "precision"),
    ),
    "wsj_compound": _TASK,
    "wsj_makespan": _TASK,
    "wsj_mean": _TASK,
    "wsj_variance": Trend(("work", "downtime", "interval")),
}
