"""Comparisons of whole distributions, without densities; atoms are allowed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from .chance import TIE, FloatArray, once_per_sample, refused, replications, too_few, z_limit
from .verdict import Verdict

__all__ = ["LOOKS", "compare_cdf", "compare_quantiles"]

LOOKS = 2000  # ranks at which a large sample is compared with a law


def compare_cdf(
    cdf: Callable[[FloatArray], npt.ArrayLike],
    sample: npt.ArrayLike,
    *,
    alpha: float,
    tolerance: float,
    stated: float = 0.0,
) -> Verdict:
    """Judge a whole distribution by its largest distance from the empirical one.

    The bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant holds for every sample
    size and every law, atoms included: with probability 1 - alpha at least the two are no
    farther apart than the bound. A large sample is compared at `LOOKS` ranks only, which makes the
    distance too small by 1/`LOOKS` at most: a right law is not rejected more often, and the
    resolution includes it. `observed` is the distance; `tolerance` is a probability, and `stated`
    how far off the distribution says that it may be.
    """
    values = replications(sample)
    count = values.size
    reach = np.sqrt(np.log(2.0 / alpha) / (2.0 * count))
    resolution = float(reach) + stated + (1.0 / (LOOKS - 1) if count > LOOKS else 0.0)
    looks, below, above = _looks(values)
    ends = np.concatenate([looks * (1.0 - 2.0 * TIE), looks * (1.0 + 2.0 * TIE)])
    low, high = np.split(np.asarray(cdf(ends), dtype=np.float64), 2)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return refused(0.0, float("nan"), "the predicted distribution is not a number")
    distance = float(max(np.max(above - high), np.max(low - below), 0.0))
    beyond = max(distance - stated, 0.0)
    chance = min(1.0, 2.0 * float(np.exp(-2.0 * count * beyond**2)))
    note = f"{1.0 - alpha:.4%} confidence"
    if beyond > reach:
        note = f"the distributions are {distance:.3g} apart, where chance explains {reach:.3g}"
        note += f" and the error that is stated {stated:.3g}" if stated else ""
    elif resolution > tolerance:
        note = too_few(count, resolution, tolerance)
    return Verdict(
        "exact",
        0.0,
        distance,
        float(0.5 / np.sqrt(count)),
        float(-ndtri(max(chance, 1e-300) / 2.0)),
        resolution,
        passed=bool(beyond <= reach and resolution <= tolerance),
        note=note,
        answered=bool(resolution <= tolerance or beyond > reach),
    )


@once_per_sample
def _looks(sample: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the values to look at, and the shares of the sample below and up to each."""
    values = np.sort(sample)
    count, looks = values.size, values
    if count > LOOKS:
        looks = np.unique(values[np.linspace(0, count - 1, LOOKS).astype(np.intp)])
    # Each value has rounding, within which the law may step: compare with the nearer end.
    above = np.searchsorted(values, looks * (1.0 + TIE), side="right") / count
    below = np.searchsorted(values, looks * (1.0 - TIE), side="left") / count
    return looks, below, above


def compare_quantiles(
    predicted: npt.ArrayLike,
    probabilities: npt.ArrayLike,
    sample: npt.ArrayLike,
    *,
    alpha: float,
    tolerance: float,
) -> Verdict:
    """Judge quantiles by how many replications lie at or below them; return the worst verdict.

    This needs no density and holds with atoms: q is the quantile of p if at least p of the law lies
    at or below q and at most p below it.
    """
    quantiles = np.atleast_1d(np.asarray(predicted, dtype=np.float64))
    levels = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    values = replications(sample)
    count = values.size
    limit = z_limit(alpha / levels.size)
    spread = np.sqrt(count * levels * (1.0 - levels))
    # Count and partition: sorting millions of values for four quantiles is not needed.
    at_or_below = np.array([np.count_nonzero(values <= q * (1.0 + TIE)) for q in quantiles])
    below = np.array([np.count_nonzero(values < q * (1.0 - TIE)) for q in quantiles])
    # Positive if too few replications lie below: the prediction is too small.
    z = np.where(
        at_or_below < count * levels,
        (count * levels - at_or_below) / spread,
        np.minimum((count * levels - below) / spread, 0.0),
    )
    worst = int(np.argmax(np.abs(z)))
    ranks = count * levels + limit * spread * np.array([[-1.0], [1.0], [0.0]])
    chosen = np.clip(ranks, 0, count - 1).astype(np.intp)
    ends = np.partition(values, np.unique(chosen))[chosen]
    reach = float(np.max((ends[1] - ends[0]) / (2.0 * np.abs(quantiles))))
    observed = float(ends[2, worst])
    scarce = count * min(levels.min(), 1.0 - levels.max()) < limit**2
    note = ""
    if abs(z[worst]) > limit and not scarce:
        note = f"the quantile of {levels[worst]:g} is off"
    elif scarce or reach > tolerance:
        note = too_few(count, reach, tolerance)
    return Verdict(
        "exact",
        float(quantiles[worst]),
        observed,
        float((ends[1] - ends[0])[worst] / (2.0 * limit)),
        float(z[worst]),
        reach,
        passed=not note,
        note=note,
        answered=not scarce and (reach <= tolerance or bool(abs(z[worst]) > limit)),
    )
