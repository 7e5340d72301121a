"""Repairs whose law has its transform in closed form."""

from __future__ import annotations

from dataclasses import dataclass

from ..._checks import ComplexArray
from .._first_failures import UptimeAndRepair
from ._contour import ByContour
from ._fixed_point import BusyPeriod
from ._quadrature import ByQuadrature
from ._repair import LawRepair


@dataclass(frozen=True)
class AnalyticRepair(LawRepair):
    """A repair whose law itself has the transform.

    Parameters
    ----------
    law : Lifetime
        Of one repair.
    contour : bool
        Whether the transform has no singularity off the negative real axis, and falls slowly
        enough there, for Talbot's contour to give the cdf of two failures.
    """

    contour: bool

    def first_failures(self, rate: float) -> UptimeAndRepair:
        """Return what is known in time of uptimes that failures end at `rate`, [1/time]."""
        return self._known(rate, unstruck=False)

    def struck(self, mtbf: float) -> BusyPeriod:
        """Return this repair where failures, one in each `mtbf` [time], prolong it."""
        return BusyPeriod(self, mtbf, self._known(1.0 / mtbf, unstruck=True))

    def _known(self, rate: float, *, unstruck: bool) -> UptimeAndRepair:
        if self.contour:
            return ByContour(rate, self, unstruck)
        return ByQuadrature(rate, self.law, self, unstruck)

    def _complement(self, s: ComplexArray) -> ComplexArray:
        return self.law.laplace_complement(s)
