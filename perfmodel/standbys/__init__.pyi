# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number

@overload
def degraded_goodput(
    blocks: Number,
    standbys: Number,
    *,
    may_miss: Number,
    block_mtbf: Number,
    mttr: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    interval: Number | None = ...,
    switch_time: Number = ...,
    resize_time: Number = ...,
    crews: Number = ...,
    standby_hazard: Number = ...,
    stopped_hazard: Number = ...,
) -> float: ...
@overload
def degraded_goodput(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    may_miss: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    interval: ArrayLike | None = ...,
    switch_time: ArrayLike = ...,
    resize_time: ArrayLike = ...,
    crews: ArrayLike = ...,
    standby_hazard: ArrayLike = ...,
    stopped_hazard: ArrayLike = ...,
) -> FloatArray: ...
@overload
def spares_for(
    goodput: Number,
    *,
    blocks: Number,
    block_mtbf: Number,
    mttr: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    interval: Number | None = ...,
    switch_time: Number = ...,
    crews: Number = ...,
    standby_hazard: Number = ...,
    stopped_hazard: Number = ...,
) -> float: ...
@overload
def spares_for(
    goodput: ArrayLike,
    *,
    blocks: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    interval: ArrayLike | None = ...,
    switch_time: ArrayLike = ...,
    crews: ArrayLike = ...,
    standby_hazard: ArrayLike = ...,
    stopped_hazard: ArrayLike = ...,
) -> FloatArray: ...
@overload
def expected_makespan_standbys(
    work: Number,
    *,
    blocks: Number,
    standbys: Number,
    interval: Number,
    block_mtbf: Number,
    mttr: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    switch_time: Number = ...,
    crews: Number = ...,
    standby_hazard: Number = ...,
    stopped_hazard: Number = ...,
    under_repair: Number = ...,
) -> float: ...
@overload
def expected_makespan_standbys(
    work: ArrayLike,
    *,
    blocks: ArrayLike,
    standbys: ArrayLike,
    interval: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    switch_time: ArrayLike = ...,
    crews: ArrayLike = ...,
    standby_hazard: ArrayLike = ...,
    stopped_hazard: ArrayLike = ...,
    under_repair: ArrayLike = ...,
) -> FloatArray: ...
@overload
def two_stage_goodput(
    blocks: Number,
    standbys: Number,
    *,
    block_mtbf: Number,
    automatic_time: Number,
    manual_time: Number,
    escalated: Number,
    checkpoint_cost: Number,
    automatic_false: Number = ...,
    manual_false: Number = ...,
    recovery_cost: Number = ...,
    interval: Number | None = ...,
    switch_time: Number = ...,
    crews: Number = ...,
    standby_hazard: Number = ...,
) -> float: ...
@overload
def two_stage_goodput(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    block_mtbf: ArrayLike,
    automatic_time: ArrayLike,
    manual_time: ArrayLike,
    escalated: ArrayLike,
    checkpoint_cost: ArrayLike,
    automatic_false: ArrayLike = ...,
    manual_false: ArrayLike = ...,
    recovery_cost: ArrayLike = ...,
    interval: ArrayLike | None = ...,
    switch_time: ArrayLike = ...,
    crews: ArrayLike = ...,
    standby_hazard: ArrayLike = ...,
) -> FloatArray: ...
@overload
def mean_stop(
    blocks: Number,
    standbys: Number,
    *,
    block_mtbf: Number,
    mttr: Number,
    switch_time: Number = ...,
    crews: Number = ...,
    standby_hazard: Number = ...,
    stopped_hazard: Number = ...,
) -> float: ...
@overload
def mean_stop(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    switch_time: ArrayLike = ...,
    crews: ArrayLike = ...,
    standby_hazard: ArrayLike = ...,
    stopped_hazard: ArrayLike = ...,
) -> FloatArray: ...
@overload
def spares_goodput(
    blocks: Number,
    standbys: Number,
    *,
    block_mtbf: Number,
    mttr: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    interval: Number | None = ...,
    switch_time: Number = ...,
    crews: Number = ...,
    standby_hazard: Number = ...,
    stopped_hazard: Number = ...,
) -> float: ...
@overload
def spares_goodput(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    interval: ArrayLike | None = ...,
    switch_time: ArrayLike = ...,
    crews: ArrayLike = ...,
    standby_hazard: ArrayLike = ...,
    stopped_hazard: ArrayLike = ...,
) -> FloatArray: ...
