"""Families fitted to a record, how far they are from it, and whether its gaps are independent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..._checks import BoolArray, FloatArray
from ...estimate import CONFIDENCE
from ...fitting import LifetimeFit, LifetimeFits, fit_lifetime
from ...fitting.goodness import (
    correlation_limit,
    distance,
    distance_limit,
    quantiles,
    rank_correlation,
)
from ..logs import Log

FITTED = ("exponential", "weibull", "gamma", "lognormal")
QUANTILES = (5, 25, 50, 75, 95)  # in percent


@dataclass(frozen=True, slots=True)
class Fitted:
    """Families beside the record they were fitted to.

    `distances` are those of `perfmodel.fitting.goodness`, in the order of the families, and
    `limits` the largest that chance explains; `recorded` are the QUANTILES of the record, [s].
    """

    fits: LifetimeFits
    distances: tuple[float, ...]
    limits: tuple[float, ...]
    recorded: FloatArray
    mean_s: float | None

    @classmethod
    def of(
        cls,
        durations: FloatArray,
        censored: BoolArray,
        grid: float | None,
        step: Callable[[], None] = lambda: None,
    ) -> Fitted | None:
        """Fit all families; return None for fewer than two different values.

        `step` is called after each family.
        """
        ended, cut = durations[~censored], durations[censored]
        if np.unique(ended).size < 2:
            return None
        if grid is None and (ended == 0.0).any():
            grid = float(ended[ended > 0.0].min())
        fits = _one_by_one(durations, censored, grid, step)
        return cls(
            fits,
            tuple(distance(row.lifetime, ended, cut, 0.5 * (grid or 0.0)) for row in fits),
            tuple(distance_limit(row.family, ended.size) for row in fits),
            quantiles(ended, cut, 0.01 * np.array(QUANTILES)),
            None if cut.size else float(ended.mean()),
        )

    @property
    def families(self) -> tuple[str, ...]:
        """The families that differ from the record by no more than chance explains."""
        rows = zip(self.fits, self.distances, self.limits, strict=True)
        return tuple(row.family for row, far, limit in rows if far <= limit)


def _one_by_one(
    durations: FloatArray, censored: BoolArray, grid: float | None, step: Callable[[], None]
) -> LifetimeFits:
    """Return what `fit_lifetime` does of all families."""
    fit = partial(
        fit_lifetime, durations, censored=censored, resolution=grid, confidence=CONFIDENCE
    )
    rows: list[LifetimeFit] = []
    without: list[str] = []
    for family in FITTED:
        try:
            rows += fit(families=(family,)).rows
        except ValueError:
            without.append(family)
        step()
    # Without any, the reason is that of all together.
    return LifetimeFits(tuple(rows), CONFIDENCE, tuple(without)) if rows else fit(families=FITTED)


@dataclass(frozen=True, slots=True)
class Dependence:
    """Rank correlation of neighbouring gaps, and the largest that chance explains."""

    correlation: float
    limit: float

    @classmethod
    def of(cls, log: Log) -> Dependence | None:
        """Correlate the gaps of one system; return None where the order of gaps says nothing."""
        gaps = log.uptimes.durations[~log.uptimes.censored]
        if log.named is not None or log.systems > 1 or gaps.size < 3:
            return None
        return cls(rank_correlation(gaps), correlation_limit(gaps.size))

    @property
    def clustered(self) -> bool:
        """Whether short gaps follow short ones more often than chance explains."""
        return self.correlation > self.limit
