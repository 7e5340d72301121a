# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from ..lifetimes import Lifetime
from .asynchronous import InFlight
from .iterations import Redone
from .random_cost import Drawn

@overload
def expected_makespan_async(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    latency: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    slowdown: Number = ...,
    in_flight: InFlight = ...,
) -> float: ...
@overload
def expected_makespan_async(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    slowdown: ArrayLike = ...,
    in_flight: InFlight = ...,
) -> FloatArray: ...
@overload
def makespan_variance_async(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    latency: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    slowdown: Number = ...,
    in_flight: InFlight = ...,
) -> float: ...
@overload
def makespan_variance_async(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    slowdown: ArrayLike = ...,
    in_flight: InFlight = ...,
) -> FloatArray: ...
@overload
def expected_makespan(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def expected_makespan(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def makespan_variance(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def makespan_variance(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def expected_makespan_iterations(
    iterations: Number,
    *,
    every: Number,
    iteration_time: Number | Lifetime,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number = ...,
    redone: Redone = ...,
) -> float: ...
@overload
def expected_makespan_iterations(
    iterations: ArrayLike,
    *,
    every: ArrayLike,
    iteration_time: ArrayLike | Lifetime,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike = ...,
    redone: Redone = ...,
) -> FloatArray: ...
@overload
def optimal_iterations(
    *,
    iteration_time: Number | Lifetime,
    mtbf: Number,
    checkpoint_cost: Number,
    redone: Redone = ...,
) -> float: ...
@overload
def optimal_iterations(
    *,
    iteration_time: ArrayLike | Lifetime,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    redone: Redone = ...,
) -> FloatArray: ...
@overload
def effective_checkpoint_cost(
    checkpoint_cost: Number | Lifetime, *, mtbf: Number, drawn: Drawn = ...
) -> float: ...
@overload
def effective_checkpoint_cost(
    checkpoint_cost: ArrayLike | Lifetime, *, mtbf: ArrayLike, drawn: Drawn = ...
) -> FloatArray: ...
@overload
def efficiency(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def efficiency(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def waste(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = ...,
    downtime: Number | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> float: ...
@overload
def waste(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = ...,
    downtime: ArrayLike | Lifetime = ...,
    final_checkpoint: bool = ...,
) -> FloatArray: ...
@overload
def wsj_mean(
    work: Number,
    *,
    mtbf: Number,
    downtime: Number | Lifetime,
    interval: Number,
    checkpoint_cost: Number = ...,
    recovery_cost: Number | Lifetime | None = ...,
) -> float: ...
@overload
def wsj_mean(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike = ...,
    recovery_cost: ArrayLike | Lifetime | None = ...,
) -> FloatArray: ...
@overload
def wsj_variance(
    work: Number,
    *,
    mtbf: Number,
    downtime: Number | Lifetime,
    interval: Number,
    checkpoint_cost: Number = ...,
    recovery_cost: Number | Lifetime | None = ...,
) -> float: ...
@overload
def wsj_variance(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike = ...,
    recovery_cost: ArrayLike | Lifetime | None = ...,
) -> FloatArray: ...
