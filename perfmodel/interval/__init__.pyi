# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from ..makespan.asynchronous import InFlight
from .reservation import expected_saved_work as expected_saved_work
from .reservation import optimal_checkpoint_margin as optimal_checkpoint_margin

@overload
def optimal_interval_async(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    latency: Number,
    slowdown: Number = ...,
    in_flight: InFlight = ...,
) -> float: ...
@overload
def optimal_interval_async(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    slowdown: ArrayLike = ...,
    in_flight: InFlight = ...,
) -> FloatArray: ...
@overload
def best_segments(
    work: Number, *, mtbf: Number, checkpoint_cost: Number, final_checkpoint: bool = ...
) -> float: ...
@overload
def best_segments(
    work: ArrayLike, *, mtbf: ArrayLike, checkpoint_cost: ArrayLike, final_checkpoint: bool = ...
) -> FloatArray: ...
@overload
def optimal_interval(*, mtbf: Number, checkpoint_cost: Number) -> float: ...
@overload
def optimal_interval(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray: ...
@overload
def regret(
    interval: Number,
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    work: Number | None = ...,
) -> float: ...
@overload
def regret(
    interval: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    work: ArrayLike | None = ...,
) -> FloatArray: ...
@overload
def optimal_period_predicted(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    proactive_cost: Number,
    recall: Number,
    precision: Number,
) -> float: ...
@overload
def optimal_period_predicted(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
) -> FloatArray: ...
@overload
def waste_predicted(
    period: Number,
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    proactive_cost: Number,
    recall: Number,
    precision: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
) -> float: ...
@overload
def waste_predicted(
    period: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
) -> FloatArray: ...
@overload
def optimal_interval_closed_form(*, mtbf: Number, checkpoint_cost: Number) -> float: ...
@overload
def optimal_interval_closed_form(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray: ...
@overload
def optimal_interval_daly(*, mtbf: Number, checkpoint_cost: Number) -> float: ...
@overload
def optimal_interval_daly(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray: ...
@overload
def optimal_interval_daly_first_order(
    *, mtbf: Number, checkpoint_cost: Number, recovery_cost: Number = ...
) -> float: ...
@overload
def optimal_interval_daly_first_order(
    *, mtbf: ArrayLike, checkpoint_cost: ArrayLike, recovery_cost: ArrayLike = ...
) -> FloatArray: ...
@overload
def optimal_interval_wsj(*, mtbf: Number, checkpoint_cost: Number) -> float: ...
@overload
def optimal_interval_wsj(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray: ...
@overload
def optimal_interval_young(*, mtbf: Number, checkpoint_cost: Number) -> float: ...
@overload
def optimal_interval_young(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray: ...
