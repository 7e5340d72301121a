# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .strikes import Placement as Placement

@overload
def effective_mtbf_bursts(
    nodes: Number,
    *,
    machine_nodes: Number,
    burst_mtbf: Number,
    burst_size: Number,
    node_mtbf: Number = ...,
    placement: Placement = ...,
) -> float: ...
@overload
def effective_mtbf_bursts(
    nodes: ArrayLike,
    *,
    machine_nodes: ArrayLike,
    burst_mtbf: ArrayLike,
    burst_size: ArrayLike,
    node_mtbf: ArrayLike = ...,
    placement: Placement = ...,
) -> FloatArray: ...
@overload
def pair_mtbf_bursts(
    distance: Number, *, machine_nodes: Number, burst_mtbf: Number, burst_size: Number
) -> float: ...
@overload
def pair_mtbf_bursts(
    distance: ArrayLike, *, machine_nodes: ArrayLike, burst_mtbf: ArrayLike, burst_size: ArrayLike
) -> FloatArray: ...
