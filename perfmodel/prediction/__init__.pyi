# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number

@overload
def best_window_segments(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    proactive_cost: Number,
    recall: Number,
    precision: Number,
    window: Number,
) -> float: ...
@overload
def best_window_segments(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    window: ArrayLike,
) -> FloatArray: ...
@overload
def optimal_period_windows(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    proactive_cost: Number,
    recall: Number,
    precision: Number,
    window: Number,
    window_segments: Number = ...,
) -> float: ...
@overload
def optimal_period_windows(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    window: ArrayLike,
    window_segments: ArrayLike = ...,
) -> FloatArray: ...
@overload
def waste_windows(
    period: Number,
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    proactive_cost: Number,
    recall: Number,
    precision: Number,
    window: Number,
    window_segments: Number = ...,
    recovery_cost: Number = ...,
    downtime: Number = ...,
) -> float: ...
@overload
def waste_windows(
    period: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    window: ArrayLike,
    window_segments: ArrayLike = ...,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
) -> FloatArray: ...
