# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .shared import optimal_periods_shared as optimal_periods_shared

@overload
def contention_multiplier(
    *, nodes: Number, jobs: Number, checkpoint_cost: Number, node_mtbf: Number
) -> float: ...
@overload
def contention_multiplier(
    *, nodes: ArrayLike, jobs: ArrayLike, checkpoint_cost: ArrayLike, node_mtbf: ArrayLike
) -> FloatArray: ...
@overload
def waste_shared(
    period: Number,
    *,
    nodes: Number,
    jobs: Number,
    checkpoint_cost: Number,
    node_mtbf: Number,
    recovery_cost: Number | None = ...,
) -> float: ...
@overload
def waste_shared(
    period: ArrayLike,
    *,
    nodes: ArrayLike,
    jobs: ArrayLike,
    checkpoint_cost: ArrayLike,
    node_mtbf: ArrayLike,
    recovery_cost: ArrayLike | None = ...,
) -> FloatArray: ...
