# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import Literal, overload

from .._checks import ArrayLike, FloatArray, Number
from .images import BuddyProtocol

@overload
def optimal_interval_buddies(
    *,
    mtbf: Number,
    transfer_time: Number,
    overhead: Number,
    overlap_factor: Number = ...,
    local_cost: Number = ...,
    protocol: BuddyProtocol = ...,
) -> float: ...
@overload
def optimal_interval_buddies(
    *,
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike = ...,
    local_cost: ArrayLike = ...,
    protocol: BuddyProtocol = ...,
) -> FloatArray: ...
@overload
def waste_of_buddies(
    interval: Number,
    *,
    mtbf: Number,
    transfer_time: Number,
    overhead: Number,
    overlap_factor: Number = ...,
    local_cost: Number = ...,
    downtime: Number = ...,
    protocol: BuddyProtocol = ...,
) -> float: ...
@overload
def waste_of_buddies(
    interval: ArrayLike,
    *,
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike = ...,
    local_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    protocol: BuddyProtocol = ...,
) -> FloatArray: ...
@overload
def waste_of_buddies_first_order(
    interval: Number,
    *,
    mtbf: Number,
    transfer_time: Number,
    overhead: Number,
    overlap_factor: Number = ...,
    local_cost: Number = ...,
    downtime: Number = ...,
    protocol: BuddyProtocol = ...,
) -> float: ...
@overload
def waste_of_buddies_first_order(
    interval: ArrayLike,
    *,
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike = ...,
    local_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    protocol: BuddyProtocol = ...,
) -> FloatArray: ...
@overload
def share_lost_with_buddies(
    *, node_mtbf: Number, risk: Number, together: Number = ..., group: Literal[2, 3] = ...
) -> float: ...
@overload
def share_lost_with_buddies(
    *, node_mtbf: ArrayLike, risk: ArrayLike, together: ArrayLike = ..., group: Literal[2, 3] = ...
) -> FloatArray: ...
