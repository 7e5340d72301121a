# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number

@overload
def expected_makespan_detected_late(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    detection_latency: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
) -> float: ...
@overload
def expected_makespan_detected_late(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
) -> FloatArray: ...
@overload
def waste_detected_late(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    detection_latency: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
) -> float: ...
@overload
def waste_detected_late(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
) -> FloatArray: ...
@overload
def optimal_interval_detected_late(
    *,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    detection_latency: Number,
    recovery_cost: Number = ...,
) -> float: ...
@overload
def optimal_interval_detected_late(
    *,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike = ...,
) -> FloatArray: ...
@overload
def optimal_interval_silent(
    *,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    verification_cost: Number,
    recovery_cost: Number = ...,
) -> float: ...
@overload
def optimal_interval_silent(
    *,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
) -> FloatArray: ...
@overload
def optimal_interval_silent_first_order(
    *,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    verification_cost: Number,
    recovery_cost: Number = ...,
) -> float: ...
@overload
def optimal_interval_silent_first_order(
    *,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
) -> FloatArray: ...
@overload
def expected_makespan_silent(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    verification_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
) -> float: ...
@overload
def expected_makespan_silent(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
) -> FloatArray: ...
@overload
def waste_silent(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    verification_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
) -> float: ...
@overload
def waste_silent(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
) -> FloatArray: ...
