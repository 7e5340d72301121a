"""Random points for the mean and the waste of jobs whose silent errors show late."""

from __future__ import annotations

from perfmodel.silent import expected_makespan_detected_late, waste_detected_late
from validation.judge.search import Property

from ..strategies import points_of
from .cases import mean, share_lost

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(
        expected_makespan_detected_late, mean, points_of(expected_makespan_detected_late), 0.5
    ),
    Property(waste_detected_late, share_lost, points_of(waste_detected_late), 0.5),
)
