# Written from the sources by `python -m tests.support.stubs`, not by hand.
# Numbers are among what an array is made of: the first of two overloads that fit is meant.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from typing import overload

from .._checks import ArrayLike, FloatArray, Number
from ..lifetimes import Lifetime
from .asynchronous import exact_makespan_async as exact_makespan_async
from .compound import wsj_compound as wsj_compound
from .exact import exact_makespan as exact_makespan
from .law import CompletionTime as CompletionTime
from .predictive import PredictiveCompletionTime as PredictiveCompletionTime
from .predictive import predictive_makespan as predictive_makespan
from .repairs.busy_period import busy_period_transform as busy_period_transform
from .wsj import gamma_error as gamma_error
from .wsj import wsj_makespan as wsj_makespan

@overload
def busy_period_mean(*, mtbf: Number, downtime: Number | Lifetime) -> float: ...
@overload
def busy_period_mean(*, mtbf: ArrayLike, downtime: ArrayLike | Lifetime) -> FloatArray: ...
@overload
def busy_period_variance(*, mtbf: Number, downtime: Number | Lifetime) -> float: ...
@overload
def busy_period_variance(*, mtbf: ArrayLike, downtime: ArrayLike | Lifetime) -> FloatArray: ...
