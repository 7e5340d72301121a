"""A mean over seeds with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds with the half width of its 95 % confidence interval (Student's t)."""

    mean: float
    half: float

    def __str__(self) -> str:
        if np.isnan(self.mean):
            return "-"
        digits = 0 if abs(self.mean) >= 1000.0 else 1 if abs(self.mean) >= 100.0 else 2
        if np.isnan(self.half):
            return f"{self.mean:.{digits}f}"
        return f"{self.mean:.{digits}f} ± {self.half:.{digits}f}"


def estimate(values: npt.ArrayLike) -> Estimate:
    """Return the mean of one number per seed and its 95 % half width; nan for a single one.

    A seed whose number is nan, because no such event happened, is left out.
    """
    sample = np.asarray(values, dtype=np.float64)
    sample = sample[~np.isnan(sample)]
    if sample.size < 2:
        return Estimate(float(sample[0]) if sample.size else float("nan"), float("nan"))
    from scipy.special import stdtrit

    stderr = float(sample.std(ddof=1)) / np.sqrt(sample.size)
    wide = float(stdtrit(sample.size - 1, 0.975))
    return Estimate(float(sample.mean()), wide * stderr)


def ratio(part: npt.ArrayLike, whole: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return one number per seed whose mean is the ratio of the sums over all seeds.

    Seeds are clusters: how much a seed brings of the whole is as much chance as what it brings of
    the part, so that the error of the mean of these numbers is that of the ratio.
    """
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    mean = part.sum() / whole.sum() if whole.sum() else np.nan
    return np.asarray(mean + (part - mean * whole) / whole.mean(), dtype=np.float64)
