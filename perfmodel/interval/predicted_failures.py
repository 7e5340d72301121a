r"""Waste of a job that also saves itself just before predicted failures, and its best period.

A predictor names a share of the failures in advance, its recall, and is right in a share of its
predictions, its precision. Each prediction comes early enough for a proactive checkpoint, which
is complete at the instant named. The job acts on it only if at least C_p/p will have passed since
its last checkpoint: below that the work at risk, times the precision, is not worth the cost. That
is eq. (1) of Oliner et al., see `perfmodel.site.risk_based_interval` and docs/prediction.md.

`period` is interval + checkpoint_cost here, as in the source.
"""

from __future__ import annotations

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    fraction,
    nonnegative,
    positive,
    positive_or_inf,
)
from ..formula import Formula, Trend
from ..validity import Range


def _disturbances(
    *,
    period: FloatArray,
    mtbf: FloatArray,
    checkpoint_cost: FloatArray,
    proactive_cost: FloatArray,
    recall: FloatArray,
    precision: FloatArray,
    recovery_cost: FloatArray | float = 0.0,
    downtime: FloatArray | float = 0.0,
) -> FloatArray:
    """Return failures not predicted and predictions per period; repairs count three times."""
    with np.errstate(all="ignore"):  # beyond the range in any case
        rate = (1.0 - recall + recall / precision) / mtbf
        within = rate * (period + 3.0 * (recovery_cost + downtime))
        within = np.where(np.isinf(mtbf), 0.0, within)
        usual = (recall <= 0.95) & (proactive_cost <= 2.0 * checkpoint_cost)
    return np.where(usual & ~np.isnan(within), within, np.inf)


def _disturbances_at_best(**given: FloatArray) -> FloatArray:
    return _disturbances(period=_best(**given), **given)


# Errors against simulation, measured in validation/subjects/predictor/cases.py. The measure is inf
# for recall > 0.95, where neglected failures during checkpoints are most of the waste, and for
# proactive_cost > 2 checkpoint_cost, where the formula misjudges how often there is time to act.
WASTE_RANGE = Range("disturbances per period", limit=0.45, error=0.22, of=_disturbances)
PERIOD_RANGE = Range(
    "disturbances per best period", limit=0.45, error=0.025, of=_disturbances_at_best
)


def waste_predicted(
    period: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of the time that is not useful, with a predictor of given recall and precision.

    .. math::

        \frac{C}{T} + \frac{1}{\mu}\left[\frac{(1-r) T}{2} + D + R
        + \frac{r}{p} C_p \left(1 - \frac{C_p}{2 p T}\right)\right]

    and C/T + (T/2 + D + R)/mu for T < C_p/p, where no prediction is acted upon.

    Parameters
    ----------
    period : array_like, [time]
        T, from checkpoint to checkpoint, the checkpoint included; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, predicted ones included, repair excluded; > 0, inf if
        there are none.
    checkpoint_cost, proactive_cost : array_like, [time]
        C and C_p, to write a periodic and a proactive checkpoint; >= 0.
    recall : array_like, [-]
        r, share of the failures that are predicted; >= 0 and at most 1.
    precision : array_like, [-]
        p, share of the predictions that come true; > 0 and at most 1.
    recovery_cost, downtime : array_like, [time]
        R and D; >= 0.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together. Above 1 far beyond the range; overflow gives inf.

    Warns
    -----
    ValidityWarning
        Beyond disturbances per period = 0.45.

    Notes
    -----
    Approximation, first order in 1/mtbf, for exponential uptimes. Disturbances per period are
    (T + 3(D + R)) (1 - r + r/p)/mu, failures not predicted and predictions, right or wrong; inf
    for r > 0.95 or C_p > 2C. Up to 0.45 the error is at most 22 % of the simulated waste, up to
    0.05 about 2 %; usually too high.
    Source: [1]_, not seen; derived again from first-order costs of the rules above in
    tests/derivations/test_predicted_failures.py.

    Judged for period/mtbf 0.02 to 0.4, checkpoint_cost/mtbf 0.001 to 0.01, proactive_cost/mtbf
    0.001 to 0.01, recall 0.1 to 0.9, precision 0.1 to 1, recovery_cost/mtbf 0.001 to 0.1,
    downtime/mtbf 0.001 to 0.1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, Y. Robert, F. Vivien and D. Zaidouni, "Checkpointing algorithms and fault
       prediction", Journal of Parallel and Distributed Computing 74, 2014.

    Examples
    --------
    >>> cost = {"mtbf": 1000.0, "checkpoint_cost": 10.0, "recovery_cost": 10.0}
    >>> found = waste_predicted(257.9, proactive_cost=5.0, recall=0.7, precision=0.6, **cost)
    >>> round(float(found), 4)
    0.0932
    """
    given = (
        *(period, mtbf, checkpoint_cost, proactive_cost),
        *(recall, precision, recovery_cost, downtime),
    )
    period, mtbf, checkpoint_cost, proactive_cost, recall, precision, back, down = broadcast(
        period=positive("period", period),
        mtbf=positive_or_inf("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        proactive_cost=nonnegative("proactive_cost", proactive_cost),
        recall=fraction("recall", recall),
        precision=_precision(precision),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=nonnegative("downtime", downtime),
    )
    WASTE_RANGE.warn(
        "waste_predicted",
        _disturbances(
            period=period,
            mtbf=mtbf,
            checkpoint_cost=checkpoint_cost,
            proactive_cost=proactive_cost,
            recall=recall,
            precision=precision,
            recovery_cost=back,
            downtime=down,
        ),
    )
    with np.errstate(all="ignore"):  # the branch that is not taken may be anything
        worth = proactive_cost / precision
        acting = recall * worth * (1.0 - worth / period / 2.0)
        lost = np.where(worth <= period, (1.0 - recall) * period / 2.0 + acting, period / 2.0)
        found = checkpoint_cost / period + (lost + down + back) / mtbf
    return answer(found, *given)


def optimal_period_predicted(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
) -> FloatArray:
    r"""Period between periodic checkpoints with the least `waste_predicted`.

    .. math:: T = \sqrt{\frac{2 (\mu C - r C_p^2/(2 p^2))}{1 - r}}

    and sqrt(2 mu C) where that is below C_p/p: there predictions are not worth acting upon.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, predicted ones included, repair excluded; > 0, inf if
        there are none.
    checkpoint_cost, proactive_cost : array_like, [time]
        C and C_p, to write a periodic and a proactive checkpoint; >= 0.
    recall : array_like, [-]
        r, share of the failures that are predicted; >= 0 and at most 1.
    precision : array_like, [-]
        p, share of the predictions that come true; > 0 and at most 1.

    Returns
    -------
    ndarray, [time]
        T, checkpoint included. Shape: all arguments broadcast together. For recall 1: inf,
        unless predictions are not worth acting upon; inf without failures, too.

    Warns
    -----
    ValidityWarning
        Beyond disturbances per best period = 0.45.

    Notes
    -----
    Approximation: the exact minimum of an approximate waste. The error is that of its use: up to
    0.45 disturbances per best period, T (1 - r + r/p)/mu (inf for r > 0.95 or C_p > 2C), the
    simulated waste at T is at most 2.5 % above the least one at periods from 0.7 T to 1.4 T. Both
    branches meet at T = C_p/p, with one slope.
    Source: [1]_, not seen; derived again in tests/derivations/test_predicted_failures.py.

    Judged for checkpoint_cost/mtbf 0.001 to 0.01, proactive_cost/mtbf 1e-4 to 0.01, recall 0.1 to
    0.9, precision 0.1 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, Y. Robert, F. Vivien and D. Zaidouni, "Checkpointing algorithms and fault
       prediction", Journal of Parallel and Distributed Computing 74, 2014.

    Examples
    --------
    >>> best = optimal_period_predicted(
    ...     mtbf=1000.0, checkpoint_cost=10.0, proactive_cost=5.0, recall=[0.0, 0.7], precision=0.6
    ... )
    >>> best.round(3).tolist()
    [141.421, 257.885]
    """
    asked = (mtbf, checkpoint_cost, proactive_cost, recall, precision)
    mtbf, checkpoint_cost, proactive_cost, recall, precision = broadcast(
        mtbf=positive_or_inf("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        proactive_cost=nonnegative("proactive_cost", proactive_cost),
        recall=fraction("recall", recall),
        precision=_precision(precision),
    )
    given = {
        "mtbf": mtbf,
        "checkpoint_cost": checkpoint_cost,
        "proactive_cost": proactive_cost,
        "recall": recall,
        "precision": precision,
    }
    PERIOD_RANGE.warn("optimal_period_predicted", _disturbances_at_best(**given))
    return answer(_best(**given), *asked)


def _best(
    *,
    mtbf: FloatArray,
    checkpoint_cost: FloatArray,
    proactive_cost: FloatArray,
    recall: FloatArray,
    precision: FloatArray,
) -> FloatArray:
    with np.errstate(all="ignore"):
        worth = proactive_cost / precision
        young = np.sqrt(2.0) * np.sqrt(mtbf) * np.sqrt(checkpoint_cost)
        part = np.sqrt(recall) * worth
        # The difference of two squares as a product: neither square may overflow.
        acting = np.sqrt(young - part) * np.sqrt(young + part) / np.sqrt(1.0 - recall)
        best = np.where(young > worth, acting, young)
    return np.where(np.isinf(mtbf), np.inf, best)


def _precision(precision: ArrayLike) -> FloatArray:
    # A predictor that is never right has no precision to divide by.
    return fraction("precision", positive("precision", precision))


_PREDICTED = {
    "period": (0.02, 0.4),
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-3, 0.01),
    "proactive_cost": (1e-3, 0.01),
    "recall": (0.1, 0.9),
    "precision": (0.1, 1.0),
    "recovery_cost": (1e-3, 0.1),
    "downtime": (1e-3, 0.1),
}
_PREDICTOR = {"recall": (0.1, 0.9), "precision": (0.1, 1.0)}

ROWS = (
    Formula(
        waste_predicted,
        "aupy2014",
        "waste, not seen",
        "approximation",
        WASTE_RANGE,
        ranges={
            "period/mtbf": (0.02, 0.4),
            "checkpoint_cost/mtbf": (1e-3, 0.01),
            "proactive_cost/mtbf": (1e-3, 0.01),
            **_PREDICTOR,
            "recovery_cost/mtbf": (1e-3, 0.1),
            "downtime/mtbf": (1e-3, 0.1),
        },
        domain=_PREDICTED,
        trend=Trend(
            rising=("checkpoint_cost", "proactive_cost", "recovery_cost", "downtime"),
            falling=("mtbf", "recall", "precision"),
        ),
    ),
    Formula(
        optimal_period_predicted,
        "aupy2014",
        "best period, not seen",
        "approximation",
        PERIOD_RANGE,
        ranges={
            "checkpoint_cost/mtbf": (1e-3, 0.01),
            "proactive_cost/mtbf": (1e-4, 0.01),
            **_PREDICTOR,
        },
        trend=Trend(rising=("mtbf", "checkpoint_cost", "recall")),
    ),
)
