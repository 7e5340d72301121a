"""Performance under failures: completion times, checkpoint intervals, partitions."""

from __future__ import annotations

from .fitting import LifetimeFit, LifetimeFits, MtbfConfidence, fit_lifetime, mtbf_confidence
from .interval import (
    best_segments,
    optimal_interval,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_wsj,
    optimal_interval_young,
    regret,
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
from .registry import (
    FORMULAS,
    Evaluation,
    Formula,
    evaluate,
)
from .validity import (
    Range,
    ValidityWarning,
)

__all__ = [
    "FORMULAS",
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
    "MtbfConfidence",
    "Range",
    "ValidityWarning",
    "Weibull",
    "best_segments",
    "efficiency",
    "evaluate",
    "expected_makespan",
    "fit_lifetime",
    "makespan_variance",
    "mtbf_confidence",
    "optimal_interval",
    "optimal_interval_daly",
    "optimal_interval_daly_first_order",
    "optimal_interval_wsj",
    "optimal_interval_young",
    "regret",
    "waste",
    "wsj_mean",
    "wsj_variance",
]
