"""Performance under failures: completion times, checkpoint intervals, partitions.

Each name is loaded from its module when it is first asked for, so that a command pays only for
what it uses. Functions take numbers and return floats, take arrays and return arrays (broadcast
together), take a pandas Series and return a Series of the same index. A quantity with a unit is
refused, because its unit would be dropped in silence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._doors import loading

if TYPE_CHECKING:
    from .completion import AbstractCompletionTime as AbstractCompletionTime
    from .completion import busy_period_mean as busy_period_mean
    from .completion import busy_period_transform as busy_period_transform
    from .completion import busy_period_variance as busy_period_variance
    from .completion import exact_makespan as exact_makespan
    from .completion import gamma_error as gamma_error
    from .completion import wsj_compound as wsj_compound
    from .completion import wsj_makespan as wsj_makespan
    from .fitting import LifetimeFit as LifetimeFit
    from .fitting import LifetimeFits as LifetimeFits
    from .fitting import MtbfConfidence as MtbfConfidence
    from .fitting import fit_lifetime as fit_lifetime
    from .fitting import mtbf_confidence as mtbf_confidence
    from .formula import Formula as Formula
    from .interval import best_segments as best_segments
    from .interval import optimal_interval as optimal_interval
    from .interval import optimal_interval_closed_form as optimal_interval_closed_form
    from .interval import optimal_interval_daly as optimal_interval_daly
    from .interval import optimal_interval_daly_first_order as optimal_interval_daly_first_order
    from .interval import optimal_interval_wsj as optimal_interval_wsj
    from .interval import optimal_interval_young as optimal_interval_young
    from .interval import optimal_period_aupy as optimal_period_aupy
    from .interval import regret as regret
    from .interval import waste_aupy as waste_aupy
    from .lifetimes import AbstractLifetime as AbstractLifetime
    from .lifetimes import Deterministic as Deterministic
    from .lifetimes import Empirical as Empirical
    from .lifetimes import Exponential as Exponential
    from .lifetimes import Gamma as Gamma
    from .lifetimes import HyperExponential as HyperExponential
    from .lifetimes import LogNormal as LogNormal
    from .lifetimes import Weibull as Weibull
    from .makespan import efficiency as efficiency
    from .makespan import expected_makespan as expected_makespan
    from .makespan import makespan_variance as makespan_variance
    from .makespan import waste as waste
    from .makespan import wsj_mean as wsj_mean
    from .makespan import wsj_variance as wsj_variance
    from .parallel import compare_extra_node as compare_extra_node
    from .parallel import optimal_interval_parallel as optimal_interval_parallel
    from .parallel import slowest as slowest
    from .parallel import slowest_of as slowest_of
    from .parallel import spares_needed as spares_needed
    from .partition import Machines as Machines
    from .partition import Schedule as Schedule
    from .partition import equal_time_partition as equal_time_partition
    from .partition import evaluate_set as evaluate_set
    from .partition import schedule_bisection as schedule_bisection
    from .partition import schedule_exhaustive as schedule_exhaustive
    from .partition import schedule_random as schedule_random
    from .partition import schedule_reliability as schedule_reliability
    from .partition import schedule_speed as schedule_speed
    from .partition import schedule_speed_reliability as schedule_speed_reliability
    from .registry import FORMULAS as FORMULAS
    from .registry import Evaluation as Evaluation
    from .registry import evaluate as evaluate
    from .site import checkpoint_gain as checkpoint_gain
    from .site import expected_failure_slowdown as expected_failure_slowdown
    from .site import expected_failures as expected_failures
    from .site import expected_head_delay as expected_head_delay
    from .site import expected_lost_time as expected_lost_time
    from .site import expected_manual_wait as expected_manual_wait
    from .site import expected_rear_delay as expected_rear_delay
    from .site import expected_resubmission_delay as expected_resubmission_delay
    from .site import failure_probability as failure_probability
    from .site import longest_promise as longest_promise
    from .site import promised_probability as promised_probability
    from .site import recovery_charge as recovery_charge
    from .site import risk_based_interval as risk_based_interval
    from .validity import Range as Range
    from .validity import ValidityWarning as ValidityWarning

# Module -> what it offers, loaded when first asked for; a test compares it with the imports above.
_HOMES = {
    "completion": (
        "AbstractCompletionTime",
        "busy_period_mean",
        "busy_period_transform",
        "busy_period_variance",
        "exact_makespan",
        "gamma_error",
        "wsj_compound",
        "wsj_makespan",
    ),
    "fitting": (
        "LifetimeFit",
        "LifetimeFits",
        "MtbfConfidence",
        "fit_lifetime",
        "mtbf_confidence",
    ),
    "formula": ("Formula",),
    "interval": (
        "best_segments",
        "optimal_interval",
        "optimal_interval_closed_form",
        "optimal_interval_daly",
        "optimal_interval_daly_first_order",
        "optimal_interval_wsj",
        "optimal_interval_young",
        "optimal_period_aupy",
        "regret",
        "waste_aupy",
    ),
    "lifetimes": (
        "AbstractLifetime",
        "Deterministic",
        "Empirical",
        "Exponential",
        "Gamma",
        "HyperExponential",
        "LogNormal",
        "Weibull",
    ),
    "makespan": (
        "efficiency",
        "expected_makespan",
        "makespan_variance",
        "waste",
        "wsj_mean",
        "wsj_variance",
    ),
    "parallel": (
        "compare_extra_node",
        "optimal_interval_parallel",
        "slowest",
        "slowest_of",
        "spares_needed",
    ),
    "partition": (
        "Machines",
        "Schedule",
        "equal_time_partition",
        "evaluate_set",
        "schedule_bisection",
        "schedule_exhaustive",
        "schedule_random",
        "schedule_reliability",
        "schedule_speed",
        "schedule_speed_reliability",
    ),
    "registry": (
        "Evaluation",
        "FORMULAS",
        "evaluate",
    ),
    "site": (
        "checkpoint_gain",
        "expected_failure_slowdown",
        "expected_failures",
        "expected_head_delay",
        "expected_lost_time",
        "expected_manual_wait",
        "expected_rear_delay",
        "expected_resubmission_delay",
        "failure_probability",
        "longest_promise",
        "promised_probability",
        "recovery_charge",
        "risk_based_interval",
    ),
    "validity": (
        "Range",
        "ValidityWarning",
    ),
}
__all__ = [name for names in _HOMES.values() for name in names]

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __getattr__, __dir__ = loading(__name__, _HOMES)
