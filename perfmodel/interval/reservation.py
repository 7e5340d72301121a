r"""When to begin the last checkpoint of a reservation that ends at a fixed time."""

from __future__ import annotations

import numpy as np

from .._checks import nonnegative, positive, scalar
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import law_of

_QUANTILES, _ZOOMS = 2001, 4  # quantiles of the cost at first; each zoom keeps two gaps


def expected_saved_work(
    reservation: float, *, margin: float, checkpoint_cost: float | Lifetime
) -> float:
    r"""Mean work that the last checkpoint of a reservation saves.

    .. math:: (R - x) P(C \le x)

    Parameters
    ----------
    reservation : float, [time]
        R, time from the last checkpoint, or the start, to the end of the reservation; > 0.
    margin : float, [time]
        x, time before that end at which the checkpoint begins; >= 0. From R on nothing is saved.
    checkpoint_cost : float or Lifetime, [time]
        C, fixed and >= 0, or a law.

    Returns
    -------
    float, [time]
        In [0, R]. All work is lost if the checkpoint is not complete at the end.

    Notes
    -----
    Exact, without failures.
    Source: the problem is that of [1]_, which was not read; derived here.

    Judged for reservation/checkpoint_cost 0.1 to 1000, margin/reservation 0.001 to 1. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] Q. Barbut, A. Benoit, T. Herault, Y. Robert and F. Vivien, "When to checkpoint at the
       end of a fixed-length reservation?", FTXS'23, 2023.

    Examples
    --------
    >>> from perfmodel.lifetimes import Exponential
    >>> saved = expected_saved_work(10.0, margin=2.177325, checkpoint_cost=Exponential(1.0))
    >>> round(saved, 4)
    6.936
    """
    whole = scalar(positive, "reservation", reservation)
    before = scalar(nonnegative, "margin", margin)
    law = law_of("checkpoint_cost", checkpoint_cost)
    return max(whole - before, 0.0) * float(law.cdf(before))


def optimal_checkpoint_margin(reservation: float, *, checkpoint_cost: float | Lifetime) -> float:
    r"""Time before the end of a reservation at which its last checkpoint is best begun.

    .. math:: \operatorname{arg}\max_x (R - x) P(C \le x)

    Parameters
    ----------
    reservation : float, [time]
        R, time from the last checkpoint, or the start, to the end of the reservation; > 0.
    checkpoint_cost : float or Lifetime, [time]
        C, fixed and >= 0, or a law.

    Returns
    -------
    float, [time]
        The margin x, to half of its digits, for which the mean work saved is the largest, to all
        digits. R, where no checkpoint can be complete in time.

    Notes
    -----
    Exact, without failures, to 1e-6 of it: sought among quantiles, then between those beside the
    best, so that laws with several peaks or steps have their largest one found too. An exponential
    C of mean m gives m + R - m W(exp(1 + R/m)), with Lambert's W.
    Source: the problem is that of [1]_, which was not read; derived here.

    Judged for reservation/checkpoint_cost 0.1 to 1000. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Q. Barbut, A. Benoit, T. Herault, Y. Robert and F. Vivien, "When to checkpoint at the
       end of a fixed-length reservation?", FTXS'23, 2023.

    Examples
    --------
    >>> from perfmodel.lifetimes import Exponential
    >>> round(optimal_checkpoint_margin(10.0, checkpoint_cost=Exponential(1.0)), 6)
    2.177325
    """
    whole = scalar(positive, "reservation", reservation)
    law = law_of("checkpoint_cost", checkpoint_cost)
    reached = float(law.cdf(whole))
    if reached <= 0.0:
        return whole
    # Quantiles even in the probability, and in its smaller side: where both factors change.
    share = np.concatenate(
        [
            np.linspace(0.0, reached, _QUANTILES),
            reached * np.geomspace(1e-12, 1.0, _QUANTILES),
            reached * (1.0 - np.geomspace(1e-15, 1.0, _QUANTILES)),
        ]
    )
    with np.errstate(all="ignore"):
        x = np.unique(np.clip(law.ppf(np.clip(share, 0.0, 1.0)), 0.0, whole))
        x = np.unique(np.concatenate([x, np.linspace(0.0, whole, _QUANTILES)]))
        for _ in range(_ZOOMS):
            saved = (whole - x) * law.cdf(x)
            best = int(np.argmax(saved))
            low, high = x[max(best - 1, 0)], x[min(best + 1, x.size - 1)]
            # The best point stays: at a step of the cdf it is not to be met by even points.
            x = np.unique(np.append(np.linspace(low, high, _QUANTILES), x[best]))
        saved = (whole - x) * law.cdf(x)
    return float(x[int(np.argmax(saved))])


_RANGES = {"reservation/checkpoint_cost": (0.1, 1000.0)}

ROWS = (
    Formula(
        expected_saved_work,
        "derived",
        "end of a reservation",
        "exact",
        ranges={**_RANGES, "margin/reservation": (1e-3, 1.0)},
        trend=Trend(rising=("reservation",)),
    ),
    Formula(
        optimal_checkpoint_margin,
        "derived",
        "end of a reservation",
        "exact",
        ranges=_RANGES,
        trend=Trend(),
    ),
)
