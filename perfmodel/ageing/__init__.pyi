# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from ..lifetimes import Lifetime
from .law import RenewedCompletionTime as RenewedCompletionTime
from .law import exact_makespan_ageing as exact_makespan_ageing
from .plan import AgeingPlan as AgeingPlan
from .plan import optimal_plan_ageing as optimal_plan_ageing
from .platform import optimal_interval_rejuvenated as optimal_interval_rejuvenated
from .sequence import hazard_intervals as hazard_intervals
from .sequence import lazy_intervals as lazy_intervals
from .sequence import optimal_intervals_ageing as optimal_intervals_ageing
from .share import optimal_interval_ageing as optimal_interval_ageing
from .share import useful_share_ageing as useful_share_ageing

@overload
def expected_makespan_ageing(
    work: Number,
    *,
    interval: Number,
    uptime: Lifetime,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def expected_makespan_ageing(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    uptime: Lifetime,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def makespan_variance_ageing(
    work: Number,
    *,
    interval: Number,
    uptime: Lifetime,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def makespan_variance_ageing(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    uptime: Lifetime,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def expected_makespan_rejuvenated(
    work: Number,
    *,
    uptime: Lifetime,
    nodes: int,
    interval: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def expected_makespan_rejuvenated(
    work: ArrayLike,
    *,
    uptime: Lifetime,
    nodes: int,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def platform_failures_from_new(time: Number, *, uptime: Lifetime, nodes: int) -> float: ...
@overload
def platform_failures_from_new(time: ArrayLike, *, uptime: Lifetime, nodes: int) -> FloatArray: ...
@overload
def platform_failures_rejuvenated(time: Number, *, uptime: Lifetime, nodes: int) -> float: ...
@overload
def platform_failures_rejuvenated(
    time: ArrayLike, *, uptime: Lifetime, nodes: int
) -> FloatArray: ...
@overload
def platform_failures_stationary(time: Number, *, uptime: Lifetime, nodes: Number) -> float: ...
@overload
def platform_failures_stationary(
    time: ArrayLike, *, uptime: Lifetime, nodes: ArrayLike
) -> FloatArray: ...
