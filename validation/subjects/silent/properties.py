"""Random points for the mean and the waste of jobs with silent errors."""

from __future__ import annotations

from perfmodel.silent import expected_makespan_silent, waste_silent
from validation.judge.search import Property

from ..strategies import points_of
from .cases import mean, share_lost

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(expected_makespan_silent, mean, points_of(expected_makespan_silent), 0.5),
    Property(waste_silent, share_lost, points_of(waste_silent), 0.5),
)
