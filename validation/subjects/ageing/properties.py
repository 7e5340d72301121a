"""Random jobs on machines that age."""

from __future__ import annotations

from functools import partial

from perfmodel.ageing import (
    exact_makespan_ageing,
    expected_makespan_ageing,
    makespan_variance_ageing,
)
from validation.judge.search import Property
from validation.ranges.points import strategy

from .cases import drawn_job, law, mean, variance

__all__ = ["PROPERTIES"]

_PLAYED = 30.0  # segments at most: a failure early in a long job costs no more


PROPERTIES = tuple(
    Property(function, judge, strategy(partial(drawn_job, function, most)), effort)
    for function, judge, most, effort in (
        (expected_makespan_ageing, mean, _PLAYED, 1.0),
        (makespan_variance_ageing, variance, _PLAYED, 4.0),
        (exact_makespan_ageing, law, 50.0, 1.0),
    )
)
