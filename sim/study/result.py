"""The rows of a study, and what they say with confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from .._checks import one_of
from ..estimators import Moments, student_quantile

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Row", "Study"]

Row: TypeAlias = "dict[str, str | int | float]"
_NAMES = ("cell", "seed")


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """One row per cell and seed, by seed and then in the order of the cells.

    Parameters
    ----------
    rows : DataFrame
        Columns ``cell``, ``seed``, ``failures_drawn`` and every metric of a replay.
    """

    rows: pd.DataFrame

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Study:
        """Return the study of these rows."""
        import pandas as pd

        return cls(pd.DataFrame(rows))

    def means(self, *, confidence: float = 0.95) -> pd.DataFrame:
        """Return mean, half width and number of seeds of each metric in each cell.

        Parameters
        ----------
        confidence : float, [-]
            Of the Student intervals ``mean`` +- ``half_width``, each alone; in (0, 1). They hold
            for means that are nearly normal.

        Returns
        -------
        DataFrame
            Columns cell, metric, mean, half_width (nan for one seed), seeds. Seeds whose metric
            is nan (the failure slowdown where nothing failed) do not count.
        """
        import pandas as pd

        table = [
            {"cell": cell, "metric": metric, **_estimate(part[metric], confidence)._asdict()}
            for cell, part in self.rows.groupby("cell", sort=False)
            for metric in self._metrics
        ]
        return pd.DataFrame(table)

    def differences(self, baseline: str, *, confidence: float = 0.95) -> pd.DataFrame:
        """Return how much each cell differs from `baseline`, seed by seed.

        The failures of a seed are the same in both, so that what they have in common cancels.

        Parameters
        ----------
        baseline : str
            Name of a cell.
        confidence : float, [-]
            Of the Student intervals ``mean`` +- ``half_width``, each alone; in (0, 1).

        Returns
        -------
        DataFrame
            As of `means`; cell minus baseline.

        Raises
        ------
        ValueError
            If no cell has that name.
        """
        import pandas as pd

        names = self.rows["cell"].drop_duplicates().tolist()
        one_of("baseline", baseline, names)
        by_seed = {name: self.rows[self.rows["cell"] == name].set_index("seed") for name in names}
        table = []
        for name in names:
            if name == baseline:
                continue
            gap = by_seed[name][self._metrics] - by_seed[baseline][self._metrics]
            for metric in self._metrics:
                estimate = _estimate(gap[metric], confidence)
                table.append({"cell": name, "metric": metric, **estimate._asdict()})
        return pd.DataFrame(table)

    def reach(self, metric: str, *, confidence: float = 0.95) -> float:
        """Return the largest half width of `metric` as a share of its mean, over the cells, [-].

        Raises
        ------
        ValueError
            If `metric` is not a column.
        """
        one_of("metric", metric, self._metrics)
        shares = []
        for _, part in self.rows.groupby("cell", sort=False):
            mean, half, _ = _estimate(part[metric], confidence)
            shares.append(0.0 if half == 0.0 else half / abs(mean) if mean else math.inf)
        return math.inf if any(math.isnan(share) for share in shares) else max(shares)

    @property
    def _metrics(self) -> list[str]:
        return [name for name in self.rows.columns if name not in _NAMES]


class _Estimate(NamedTuple):
    mean: float
    half_width: float
    seeds: int


def _estimate(column: pd.Series[float], confidence: float) -> _Estimate:
    known = column.dropna().to_numpy(np.float64)
    if not known.size:
        return _Estimate(math.nan, math.nan, 0)
    moments, half = Moments.of(known), math.nan
    if known.size > 1:
        half = student_quantile(0.5 + confidence / 2.0, known.size - 1) * moments.mean_stderr
    return _Estimate(moments.mean, half, int(known.size))
