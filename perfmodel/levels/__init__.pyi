# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .first_order import optimal_pattern_levels_first_order as optimal_pattern_levels_first_order
from .law import exact_makespan_two_levels as exact_makespan_two_levels
from .many import Level as Level
from .many import expected_pattern_time as expected_pattern_time
from .optimum import TwoLevelPattern as TwoLevelPattern
from .optimum import optimal_pattern_two_levels as optimal_pattern_two_levels
from .pattern import LevelPattern as LevelPattern
from .pattern import optimal_pattern_levels as optimal_pattern_levels
from .two import LevelRule

@overload
def expected_makespan_two_levels(
    work: Number,
    *,
    interval: Number,
    durable_every: Number,
    mtbf: Number,
    survived: Number,
    local_cost: Number,
    durable_cost: Number,
    local_recovery: Number = ...,
    durable_recovery: Number = ...,
    downtime: Number = ...,
    rule: LevelRule = ...,
) -> float: ...
@overload
def expected_makespan_two_levels(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    durable_every: ArrayLike,
    mtbf: ArrayLike,
    survived: ArrayLike,
    local_cost: ArrayLike,
    durable_cost: ArrayLike,
    local_recovery: ArrayLike = ...,
    durable_recovery: ArrayLike = ...,
    downtime: ArrayLike = ...,
    rule: LevelRule = ...,
) -> FloatArray: ...
@overload
def makespan_variance_two_levels(
    work: Number,
    *,
    interval: Number,
    durable_every: Number,
    mtbf: Number,
    survived: Number,
    local_cost: Number,
    durable_cost: Number,
    local_recovery: Number = ...,
    durable_recovery: Number = ...,
    downtime: Number = ...,
    rule: LevelRule = ...,
) -> float: ...
@overload
def makespan_variance_two_levels(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    durable_every: ArrayLike,
    mtbf: ArrayLike,
    survived: ArrayLike,
    local_cost: ArrayLike,
    durable_cost: ArrayLike,
    local_recovery: ArrayLike = ...,
    durable_recovery: ArrayLike = ...,
    downtime: ArrayLike = ...,
    rule: LevelRule = ...,
) -> FloatArray: ...
