# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number

@overload
def expected_failures(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def expected_failures(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def expected_lost_time(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def expected_lost_time(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def failure_probability(duration: Number, *, mtbf: Number) -> float: ...
@overload
def failure_probability(duration: ArrayLike, *, mtbf: ArrayLike) -> FloatArray: ...
@overload
def checkpoint_gain(
    failure_probability: Number, *, unsaved: Number, checkpoint_cost: Number
) -> float: ...
@overload
def checkpoint_gain(
    failure_probability: ArrayLike, *, unsaved: ArrayLike, checkpoint_cost: ArrayLike
) -> FloatArray: ...
@overload
def longest_promise(probability: Number, *, nodes: Number, node_mtbf: Number) -> float: ...
@overload
def longest_promise(
    probability: ArrayLike, *, nodes: ArrayLike, node_mtbf: ArrayLike
) -> FloatArray: ...
@overload
def promised_probability(duration: Number, *, nodes: Number, node_mtbf: Number) -> float: ...
@overload
def promised_probability(
    duration: ArrayLike, *, nodes: ArrayLike, node_mtbf: ArrayLike
) -> FloatArray: ...
@overload
def risk_based_interval(interval: Number, *, mtbf: Number, checkpoint_cost: Number) -> float: ...
@overload
def risk_based_interval(
    interval: ArrayLike, *, mtbf: ArrayLike, checkpoint_cost: ArrayLike
) -> FloatArray: ...
@overload
def expected_head_delay(
    service_time: Number, *, places: Number, load: Number, downtime: Number
) -> float: ...
@overload
def expected_head_delay(
    service_time: ArrayLike, *, places: ArrayLike, load: ArrayLike, downtime: ArrayLike
) -> FloatArray: ...
@overload
def expected_rear_delay(
    service_time: Number, *, load: Number, downtime: Number, scv: Number = ...
) -> float: ...
@overload
def expected_rear_delay(
    service_time: ArrayLike, *, load: ArrayLike, downtime: ArrayLike, scv: ArrayLike = ...
) -> FloatArray: ...
@overload
def expected_resubmission_delay(
    remaining: Number, *, service_time: Number, places: Number, load: Number
) -> float: ...
@overload
def expected_resubmission_delay(
    remaining: ArrayLike, *, service_time: ArrayLike, places: ArrayLike, load: ArrayLike
) -> FloatArray: ...
@overload
def expected_failure_slowdown(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    downtime: Number,
    recovery_cost: Number = ...,
) -> float: ...
@overload
def expected_failure_slowdown(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    downtime: ArrayLike,
    recovery_cost: ArrayLike = ...,
) -> FloatArray: ...
@overload
def expected_manual_wait(duration: Number, *, walltime: Number, mtbf: Number) -> float: ...
@overload
def expected_manual_wait(
    duration: ArrayLike, *, walltime: ArrayLike, mtbf: ArrayLike
) -> FloatArray: ...
@overload
def recovery_charge(
    runtime: Number, *, nodes: Number, price: Number, allowance: Number = ...
) -> float: ...
@overload
def recovery_charge(
    runtime: ArrayLike, *, nodes: ArrayLike, price: ArrayLike, allowance: ArrayLike = ...
) -> FloatArray: ...
