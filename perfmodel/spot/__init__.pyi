# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from .laws import SpotOutlook as SpotOutlook
from .laws import spot_outlook as spot_outlook

@overload
def deadline_probability_spot(
    work: Number, *, deadline: Number, spot_life: Number, spot_gap: Number, start_time: Number = ...
) -> float: ...
@overload
def deadline_probability_spot(
    work: ArrayLike,
    *,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike = ...,
) -> FloatArray: ...
@overload
def expected_cost_safety_net(
    work: Number,
    *,
    deadline: Number,
    spot_life: Number,
    spot_gap: Number,
    start_time: Number = ...,
    spot_price: Number,
    on_demand_price: Number,
) -> float: ...
@overload
def expected_cost_safety_net(
    work: ArrayLike,
    *,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike = ...,
    spot_price: ArrayLike,
    on_demand_price: ArrayLike,
) -> FloatArray: ...
@overload
def spot_probability_safety_net(
    work: Number, *, deadline: Number, spot_life: Number, spot_gap: Number, start_time: Number = ...
) -> float: ...
@overload
def spot_probability_safety_net(
    work: ArrayLike,
    *,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike = ...,
) -> FloatArray: ...
