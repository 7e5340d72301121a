# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from ..._checks import ArrayLike, FloatArray, Number
from ...lifetimes import Lifetime
from ._followed import followed as followed
from ._repair import Repair as Repair
from ._repair_of import repair_of as repair_of
from .busy_period import busy_period_transform as busy_period_transform

@overload
def busy_period_mean(*, mtbf: Number, downtime: Number | Lifetime) -> float: ...
@overload
def busy_period_mean(*, mtbf: ArrayLike, downtime: ArrayLike | Lifetime) -> FloatArray: ...
@overload
def busy_period_variance(*, mtbf: Number, downtime: Number | Lifetime) -> float: ...
@overload
def busy_period_variance(*, mtbf: ArrayLike, downtime: ArrayLike | Lifetime) -> FloatArray: ...
