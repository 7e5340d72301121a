"""Performance under failures: completion times, checkpoint intervals, partitions.

Each name is loaded from its module when it is first asked for, so that a command pays only for
what it uses. Numbers in, floats out; arrays in, arrays out, broadcast together; a pandas Series in,
a Series of the same index out. Quantities with units are refused, never stripped of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .completion import (
        AbstractCompletionTime,
        busy_period_mean,
        busy_period_transform,
        busy_period_variance,
        exact_makespan,
        gamma_error,
        wsj_compound,
        wsj_makespan,
    )
    from .fitting import LifetimeFit, LifetimeFits, MtbfConfidence, fit_lifetime, mtbf_confidence
    from .interval import (
        best_segments,
        optimal_interval,
        optimal_interval_daly,
        optimal_interval_daly_first_order,
        optimal_interval_wsj,
        optimal_interval_young,
        optimal_period_aupy,
        regret,
        waste_aupy,
    )
    from .lifetimes import (
        AbstractLifetime,
        Deterministic,
        Empirical,
        Exponential,
        Gamma,
        HyperExponential,
        LogNormal,
        Weibull,
    )
    from .makespan import (
        efficiency,
        expected_makespan,
        makespan_variance,
        waste,
        wsj_mean,
        wsj_variance,
    )
    from .parallel import (
        compare_extra_node,
        optimal_interval_parallel,
        slowest,
        slowest_of,
        spares_needed,
    )
    from .partition import (
        Machines,
        Schedule,
        equal_time_partition,
        evaluate_set,
        schedule_bisection,
        schedule_exhaustive,
        schedule_random,
        schedule_reliability,
        schedule_speed,
        schedule_speed_reliability,
    )
    from .registry import (
        FORMULAS,
        Evaluation,
        Formula,
        evaluate,
    )
    from .site import (
        checkpoint_gain,
        expected_failure_slowdown,
        expected_failures,
        expected_head_delay,
        expected_lost_time,
        expected_manual_wait,
        expected_rear_delay,
        expected_resubmission_delay,
        failure_probability,
        longest_promise,
        promised_probability,
        recovery_charge,
        risk_based_interval,
    )
    from .validity import (
        Range,
        ValidityWarning,
    )

__all__ = [
    "FORMULAS",
    "AbstractCompletionTime",
    "AbstractLifetime",
    "Deterministic",
    "Empirical",
    "Evaluation",
    "Exponential",
    "Formula",
    "Gamma",
    "HyperExponential",
    "LifetimeFit",
    "LifetimeFits",
    "LogNormal",
    "Machines",
    "MtbfConfidence",
    "Range",
    "Schedule",
    "ValidityWarning",
    "Weibull",
    "best_segments",
    "busy_period_mean",
    "busy_period_transform",
    "busy_period_variance",
    "checkpoint_gain",
    "compare_extra_node",
    "efficiency",
    "equal_time_partition",
    "evaluate",
    "evaluate_set",
    "exact_makespan",
    "expected_failure_slowdown",
    "expected_failures",
    "expected_head_delay",
    "expected_lost_time",
    "expected_makespan",
    "expected_manual_wait",
    "expected_rear_delay",
    "expected_resubmission_delay",
    "failure_probability",
    "fit_lifetime",
    "gamma_error",
    "longest_promise",
    "makespan_variance",
    "mtbf_confidence",
    "optimal_interval",
    "optimal_interval_daly",
    "optimal_interval_daly_first_order",
    "optimal_interval_parallel",
    "optimal_interval_wsj",
    "optimal_interval_young",
    "optimal_period_aupy",
    "promised_probability",
    "recovery_charge",
    "regret",
    "risk_based_interval",
    "schedule_bisection",
    "schedule_exhaustive",
    "schedule_random",
    "schedule_reliability",
    "schedule_speed",
    "schedule_speed_reliability",
    "slowest",
    "slowest_of",
    "spares_needed",
    "waste",
    "waste_aupy",
    "wsj_compound",
    "wsj_makespan",
    "wsj_mean",
    "wsj_variance",
]

# Module -> what it offers; a test compares it with the imports above.
_HOMES = {
    "completion": (
        "AbstractCompletionTime busy_period_mean busy_period_transform busy_period_variance "
        "exact_makespan gamma_error wsj_compound wsj_makespan"
    ),
    "fitting": ("LifetimeFit LifetimeFits MtbfConfidence fit_lifetime mtbf_confidence"),
    "interval": (
        "best_segments optimal_interval optimal_interval_daly "
        "optimal_interval_daly_first_order optimal_interval_wsj optimal_interval_young "
        "optimal_period_aupy regret waste_aupy"
    ),
    "lifetimes": (
        "AbstractLifetime Deterministic Empirical Exponential Gamma HyperExponential "
        "LogNormal Weibull"
    ),
    "makespan": ("efficiency expected_makespan makespan_variance waste wsj_mean wsj_variance"),
    "parallel": ("compare_extra_node optimal_interval_parallel slowest slowest_of spares_needed"),
    "partition": (
        "Machines Schedule equal_time_partition evaluate_set schedule_bisection "
        "schedule_exhaustive schedule_random schedule_reliability schedule_speed "
        "schedule_speed_reliability"
    ),
    "registry": ("Evaluation FORMULAS Formula evaluate"),
    "site": (
        "checkpoint_gain expected_failure_slowdown expected_failures expected_head_delay "
        "expected_lost_time expected_manual_wait expected_rear_delay "
        "expected_resubmission_delay failure_probability longest_promise "
        "promised_probability recovery_charge risk_based_interval"
    ),
    "validity": ("Range ValidityWarning"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:  # or every attribute would exist for the type checker

    def __getattr__(name: str) -> Any:
        if name in _HOME_OF:
            value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
        elif name in _HOMES:
            value = import_module(f".{name}", __name__)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
