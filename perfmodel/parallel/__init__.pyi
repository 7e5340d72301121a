# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import Literal, overload

from .._checks import ArrayLike, FloatArray, Number
from ..lifetimes import Lifetime
from .extremes import FirstCompletionTime as FirstCompletionTime
from .phases import expected_makespan_phases as expected_makespan_phases
from .spares import ExtraNode as ExtraNode
from .spares import compare_extra_node as compare_extra_node
from .tasks import slowest as slowest
from .tasks import slowest_of as slowest_of

@overload
def spares_needed(
    nodes: Number,
    mtbf: Number,
    mttr: Number,
    confidence: Number,
    *,
    law: Literal["poisson", "binomial"] = ...,
) -> float: ...
@overload
def spares_needed(
    nodes: ArrayLike,
    mtbf: ArrayLike,
    mttr: ArrayLike,
    confidence: ArrayLike,
    *,
    law: Literal["poisson", "binomial"] = ...,
) -> FloatArray: ...
@overload
def optimal_interval_parallel(
    tasks: Number,
    *,
    work: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: float | Lifetime = ...,
    quantile: float | None = ...,
) -> float: ...
@overload
def optimal_interval_parallel(
    tasks: ArrayLike,
    *,
    work: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: float | Lifetime = ...,
    quantile: float | None = ...,
) -> FloatArray: ...
