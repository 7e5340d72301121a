"""A completion time with an atom and a Gamma law beyond it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import FloatArray
from .law import AbstractCompletionTime

__all__ = ["GammaCompletionTime"]


@dataclass(frozen=True, slots=True)
class GammaCompletionTime(AbstractCompletionTime):
    """An atom at `start`, and beyond it a Gamma law.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure.
    failing : float, [-]
        Probability of any failure.
    shape, scale : float, [-], [time]
        Of the time lost, given any failure.
    """

    start: float
    failing: float
    shape: float
    scale: float

    @property
    def mean(self) -> float:
        """The mean, [time]."""
        return self.start + self.failing * self.shape * self.scale

    @property
    def variance(self) -> float:
        """The variance, [time^2]."""
        lost = self.shape * self.scale
        return self.failing * lost * (self.scale + (1.0 - self.failing) * lost)

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.start, 1.0 - self.failing

    @property
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]: that of the Gamma functions."""
        return 1e-12

    @property
    def seams(self) -> FloatArray:
        """None, [time]; shape (0,)."""
        return np.empty(0)

    @property
    def light(self) -> bool:
        """The sf keeps its digits however small it is, True."""
        return True

    def _lost(self, t: FloatArray) -> FloatArray:
        return np.maximum(t - self.start, 0.0) / self.scale

    def _cdf(self, t: FloatArray) -> FloatArray:
        beyond = self.failing * special.gammainc(self.shape, self._lost(t))
        return np.where(t < self.start, 0.0, 1.0 - self.failing + beyond)

    def _sf(self, t: FloatArray) -> FloatArray:
        beyond = self.failing * special.gammaincc(self.shape, self._lost(t))
        return np.where(t < self.start, 1.0, beyond)

    def _early(self, q: FloatArray) -> FloatArray:
        share = np.clip((q - (1.0 - self.failing)) / self.failing, 0.0, 1.0)
        return np.asarray(self.start + self.scale * special.gammaincinv(self.shape, share))

    def _late(self, p: FloatArray) -> FloatArray:
        share = np.clip(p / self.failing, 0.0, 1.0)
        return np.asarray(self.start + self.scale * special.gammainccinv(self.shape, share))
