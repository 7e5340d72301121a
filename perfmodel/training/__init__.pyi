# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .losses import TrainingShares as TrainingShares
from .losses import training_shares as training_shares
from .memory import MemoryShares as MemoryShares
from .memory import training_shares_memory as training_shares_memory

@overload
def ettr_first_order(
    *, interval: Number, mtbf: Number, checkpoint_cost: Number, restore: Number = ...
) -> float: ...
@overload
def ettr_first_order(
    *, interval: ArrayLike, mtbf: ArrayLike, checkpoint_cost: ArrayLike, restore: ArrayLike = ...
) -> FloatArray: ...
@overload
def goodput(
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    latency: Number = ...,
    restore: Number = ...,
    warm_up: Number = ...,
    detection: Number = ...,
    queue: Number = ...,
    rescheduling: Number = ...,
) -> float: ...
@overload
def goodput(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike = ...,
    restore: ArrayLike = ...,
    warm_up: ArrayLike = ...,
    detection: ArrayLike = ...,
    queue: ArrayLike = ...,
    rescheduling: ArrayLike = ...,
) -> FloatArray: ...
