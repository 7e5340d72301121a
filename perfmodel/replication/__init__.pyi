# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .optimum import optimal_interval_pairs as optimal_interval_pairs
from .optimum import pairs_crossover as pairs_crossover

@overload
def optimal_interval_pairs_first_order(
    *, pairs: Number, node_mtbf: Number, checkpoint_cost: Number, restart: bool = ...
) -> float: ...
@overload
def optimal_interval_pairs_first_order(
    *, pairs: ArrayLike, node_mtbf: ArrayLike, checkpoint_cost: ArrayLike, restart: bool = ...
) -> FloatArray: ...
@overload
def failures_to_interruption(pairs: Number) -> float: ...
@overload
def failures_to_interruption(pairs: ArrayLike) -> FloatArray: ...
@overload
def mtti_of_pairs(pairs: Number, node_mtbf: Number) -> float: ...
@overload
def mtti_of_pairs(pairs: ArrayLike, node_mtbf: ArrayLike) -> FloatArray: ...
@overload
def waste_of_pairs(
    interval: Number,
    *,
    pairs: Number,
    node_mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    restart: bool = ...,
) -> float: ...
@overload
def waste_of_pairs(
    interval: ArrayLike,
    *,
    pairs: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    restart: bool = ...,
) -> FloatArray: ...
