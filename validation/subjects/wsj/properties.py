"""Random points for the moments in the model of Wu, Sun and Jin."""

from __future__ import annotations

from perfmodel.makespan import wsj_mean, wsj_variance
from validation.judge.search import Property

from ..strategies import points_of
from .cases import mean, variance

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(wsj_mean, mean, points_of(wsj_mean)),
    Property(wsj_variance, variance, points_of(wsj_variance), 8.0),
)
