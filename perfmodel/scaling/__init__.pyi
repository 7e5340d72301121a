# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .optimum import optimal_nodes as optimal_nodes
from .speedup import SpeedupLaw

@overload
def optimal_nodes_first_order(
    *,
    sequential_share: Number,
    node_mtbf: Number,
    checkpoint_cost: Number = ...,
    checkpoint_cost_per_node: Number = ...,
) -> float: ...
@overload
def optimal_nodes_first_order(
    *,
    sequential_share: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike = ...,
    checkpoint_cost_per_node: ArrayLike = ...,
) -> FloatArray: ...
@overload
def expected_speedup(
    nodes: Number,
    *,
    sequential_share: Number,
    node_mtbf: Number,
    checkpoint_cost: Number,
    checkpoint_cost_per_node: Number = ...,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    law: SpeedupLaw = ...,
) -> float: ...
@overload
def expected_speedup(
    nodes: ArrayLike,
    *,
    sequential_share: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    checkpoint_cost_per_node: ArrayLike = ...,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    law: SpeedupLaw = ...,
) -> FloatArray: ...
