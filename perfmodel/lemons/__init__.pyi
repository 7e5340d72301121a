# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import Literal, overload

from .._checks import ArrayLike, FloatArray, Number
from .suspects import BadNodes as BadNodes
from .suspects import bad_nodes as bad_nodes

@overload
def effective_mtbf(
    nodes: Number, *, node_mtbf: Number, lemon_share: Number, lemon_factor: Number
) -> float: ...
@overload
def effective_mtbf(
    nodes: ArrayLike, *, node_mtbf: ArrayLike, lemon_share: ArrayLike, lemon_factor: ArrayLike
) -> FloatArray: ...
@overload
def effective_mtbf_gamma(nodes: Number, *, node_mtbf: Number, cv: Number) -> float: ...
@overload
def effective_mtbf_gamma(
    nodes: ArrayLike, *, node_mtbf: ArrayLike, cv: ArrayLike
) -> FloatArray: ...
@overload
def node_mtbf_without_worst(
    removed: Number,
    *,
    nodes: Number,
    observed: Number,
    node_mtbf: Number,
    lemon_share: Number,
    lemon_factor: Number,
) -> float: ...
@overload
def node_mtbf_without_worst(
    removed: ArrayLike,
    *,
    nodes: ArrayLike,
    observed: ArrayLike,
    node_mtbf: ArrayLike,
    lemon_share: ArrayLike,
    lemon_factor: ArrayLike,
) -> FloatArray: ...
@overload
def node_mtbf_without_worst_gamma(
    removed: Number, *, nodes: Number, observed: Number, node_mtbf: Number, cv: Number
) -> float: ...
@overload
def node_mtbf_without_worst_gamma(
    removed: ArrayLike,
    *,
    nodes: ArrayLike,
    observed: ArrayLike,
    node_mtbf: ArrayLike,
    cv: ArrayLike,
) -> FloatArray: ...
@overload
def expected_failures_lemons(
    time: Number,
    *,
    nodes: Number,
    node_mtbf: Number,
    lemon_share: Number,
    lemon_factor: Number,
    cured: Number,
) -> float: ...
@overload
def expected_failures_lemons(
    time: ArrayLike,
    *,
    nodes: ArrayLike,
    node_mtbf: ArrayLike,
    lemon_share: ArrayLike,
    lemon_factor: ArrayLike,
    cured: ArrayLike,
) -> FloatArray: ...
@overload
def bad_node_power(
    observed: Number,
    *,
    nodes: Number,
    node_mtbf: Number,
    lemon_factor: Number,
    lemons: Number = ...,
    false_alarm: Number = ...,
    baseline: Literal["known", "estimated"] = ...,
) -> float: ...
@overload
def bad_node_power(
    observed: ArrayLike,
    *,
    nodes: ArrayLike,
    node_mtbf: ArrayLike,
    lemon_factor: ArrayLike,
    lemons: ArrayLike = ...,
    false_alarm: ArrayLike = ...,
    baseline: Literal["known", "estimated"] = ...,
) -> FloatArray: ...
