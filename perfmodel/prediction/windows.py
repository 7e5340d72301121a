r"""Waste of a job whose predictor names windows of time, its best period, and when to ignore it.

A predictor names a share of the failures, its recall, and is right in a share of its predictions,
its precision. It names a window of length I, in which the failure strikes at an instant as likely
as any other, early enough for a proactive checkpoint that is complete as the window begins. In the
window the job writes no periodic checkpoints, but cuts the window into equal segments, each but
the last of which ends with another proactive checkpoint. After the window the period goes on where
it stood. The job acts only if at least C_p/p will have passed since its last checkpoint as the
window begins, which is the rule of `waste_predicted`; a window of length 0 is an exact prediction.

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
    whole,
)
from .._special import in_one_unit
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
    window: FloatArray,
    window_segments: FloatArray,
    recovery_cost: FloatArray | float = 0.0,
    downtime: FloatArray | float = 0.0,
) -> FloatArray:
    """Return failures not predicted and predictions per period and window."""
    with np.errstate(all="ignore"):  # beyond the range in any case
        rate = (1.0 - recall + recall / precision) / mtbf
        within = rate * (period + window + 3.0 * (recovery_cost + downtime))
        within = np.where(np.isinf(mtbf), 0.0, within)
        usual = (recall <= 0.95) & (proactive_cost <= 2.0 * checkpoint_cost)
        usual &= (window_segments <= 1.0) | (window > window_segments * proactive_cost)
    return np.where(usual & ~np.isnan(within), within, np.inf)


def _disturbances_at_best(**given: FloatArray) -> FloatArray:
    return _disturbances(period=_best(**given), **given)


def _disturbances_of_segments(**given: FloatArray) -> FloatArray:
    count = _fewest_lost(given["proactive_cost"], given["precision"], given["window"])
    return _disturbances_at_best(window_segments=count, **given)


_LONGEST = 1e100  # proactive checkpoints in a window
_BETTER = 1.0 - 1e-12  # a waste that is less by rounding is not

# Errors against simulation, measured in validation/subjects/windows/cases.py. The measure is inf
# where that of `waste_predicted` is, and where segments of a window have no room for a checkpoint.
WASTE_RANGE = Range("disturbances per period and window", limit=0.45, error=0.22, of=_disturbances)
PERIOD_RANGE = Range(
    "disturbances per best period and window", limit=0.45, error=0.02, of=_disturbances_at_best
)
SEGMENTS_RANGE = Range(
    "disturbances per best period and window",
    limit=0.45,
    error=0.025,
    of=_disturbances_of_segments,
)


def waste_windows(
    period: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    window: ArrayLike,
    window_segments: ArrayLike = 1,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of the time that is not useful, with a predictor that names windows.

    .. math::

        (1 - q) \left[\frac{C}{T} + \frac{(1-r) T}{2 \mu} + \frac{r}{p \mu} \left(
        \left(1 - \frac{b}{T}\right) \left(C_p + (n - 1) \left(1 - \frac{p}{2}\right) C_p
        + \frac{p I}{2 n}\right) + \frac{p b \min(b + I, T)}{2 T}\right)\right]
        + \frac{q I}{2 n \mu} + \frac{D + R}{\mu}

    with b = C_p/p, and q/(1 - q) = (r/(p mu)) I (1 - p/2), the time in windows over that outside;
    and C/T + (T/2 + D + R)/mu for n = 0 and for T < b, where no prediction is acted upon.

    Parameters
    ----------
    period : array_like, [time]
        T, from checkpoint to checkpoint, the checkpoint included, windows left out; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, predicted ones included, repair excluded; > 0, inf if
        there are none.
    checkpoint_cost, proactive_cost : array_like, [time]
        C and C_p, to write a periodic and a proactive checkpoint; >= 0.
    recall : array_like, [-]
        r, share of the failures that are predicted; >= 0 and at most 1.
    precision : array_like, [-]
        p, share of the predictions that come true; > 0 and at most 1.
    window : array_like, [time]
        I, length of the window that a prediction names; >= 0.
    window_segments : array_like, [-]
        n, segments of a window between proactive checkpoints; whole and >= 0. With 1 nothing is
        written after the window has begun, with 0 predictions are ignored.
    recovery_cost, downtime : array_like, [time]
        R and D; >= 0.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together. Above 1 far beyond the range; overflow gives inf.

    Warns
    -----
    ValidityWarning
        Beyond disturbances per period and window = 0.45.

    Notes
    -----
    Approximation, first order in 1/mtbf but for the time spent in windows, for exponential uptimes.
    Disturbances per period and window are (T + I + 3(D + R)) (1 - r + r/p)/mu, failures not
    predicted and predictions, right or wrong; inf for r > 0.95, C_p > 2C, or I <= n C_p with
    n > 1. Up to 0.45 the error is at most 22 % of the simulated waste, up to 0.1 about 4 %; usually
    too high. For I = 0 it is `waste_predicted`.
    Source: derived in tests/derivations/test_windows.py. [1]_ treats such windows by two periods,
    outside and inside; only its abstract was seen, and its formulas may group terms otherwise.

    Judged for period/mtbf 0.02 to 0.4, checkpoint_cost/mtbf 0.001 to 0.01, proactive_cost/mtbf
    0.001 to 0.01, recall 0.1 to 0.9, precision 0.1 to 1, window/mtbf 0.001 to 0.2, window_segments
    0 to 10, recovery_cost/mtbf 0.001 to 0.1, downtime/mtbf 0.001 to 0.1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, Y. Robert, F. Vivien and D. Zaidouni, "Checkpointing strategies with prediction
       windows", PRDC 2013.

    Examples
    --------
    >>> job = {"mtbf": 1000.0, "checkpoint_cost": 3.0, "proactive_cost": 1.0, "recall": 0.7}
    >>> found = waste_windows(
    ...     140.0, precision=0.6, window=40.0, window_segments=[0, 1, 4], **job
    ... )
    >>> found.round(4).tolist()
    [0.0914, 0.0564, 0.0482]
    """
    given = (
        *(period, mtbf, checkpoint_cost, proactive_cost, recall, precision),
        *(window, window_segments, recovery_cost, downtime),
    )
    period, mtbf, cost, proactive, recall, precision, window, count, back, down = broadcast(
        period=positive("period", period),
        mtbf=positive_or_inf("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        proactive_cost=nonnegative("proactive_cost", proactive_cost),
        recall=fraction("recall", recall),
        precision=_precision(precision),
        window=nonnegative("window", window),
        window_segments=whole("window_segments", window_segments, least=0),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=nonnegative("downtime", downtime),
    )
    job = {
        "period": period,
        "mtbf": mtbf,
        "checkpoint_cost": cost,
        "proactive_cost": proactive,
        "recall": recall,
        "precision": precision,
        "window": window,
        "window_segments": count,
    }
    WASTE_RANGE.warn("waste_windows", _disturbances(recovery_cost=back, downtime=down, **job))
    with np.errstate(all="ignore"):
        return answer(_waste(**job) + (down + back) / mtbf, *given)


def optimal_period_windows(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    window: ArrayLike,
    window_segments: ArrayLike = 1,
) -> FloatArray:
    r"""Period between periodic checkpoints with the least `waste_windows`.

    .. math::
        T = \sqrt{\frac{2}{1 - r} \left(\mu C - r b \left(\frac{b}{2} + \frac{(n - 1)(2 - p) b}{2}
        - \frac{I}{2} \left(1 - \frac{1}{n}\right)\right)\right)}, \quad b = \frac{C_p}{p}

    where T >= b + I; b + I/(2n) in place of b/2 - I(1 - 1/n)/2 where T is between b and b + I; and
    sqrt(2 mu C) for n = 0 and where that is below b. Of these, b, and the number just below b, from
    which on no prediction is acted upon, that of least waste.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, predicted ones included, repair excluded; > 0.
    checkpoint_cost, proactive_cost : array_like, [time]
        C and C_p, to write a periodic and a proactive checkpoint; > 0 and >= 0.
    recall : array_like, [-]
        r, share of the failures that are predicted; in [0, 1).
    precision : array_like, [-]
        p, share of the predictions that come true; > 0 and at most 1.
    window : array_like, [time]
        I, length of the window that a prediction names; >= 0.
    window_segments : array_like, [-]
        n, segments of a window between proactive checkpoints; whole and >= 0, 0 to ignore windows.

    Returns
    -------
    ndarray, [time]
        T, checkpoint included. Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond disturbances per best period and window = 0.45.

    Notes
    -----
    Approximation: the exact minimum of an approximate waste. Up to 0.45 disturbances per best
    period and window, (T + I) (1 - r + r/p)/mu (inf as for `waste_windows`), the simulated waste at
    T is at most 2 % above the least one at periods from 0.7 T to 1.4 T. The length of the windows
    hardly moves T: for n = 1 it is that of `optimal_period_predicted` unless b + I > T.
    Source: derived in tests/derivations/test_windows.py. [1]_ was not read but for its abstract.

    Judged for checkpoint_cost/mtbf 0.001 to 0.01, proactive_cost/mtbf 0.001 to 0.01, recall 0.1 to
    0.9, precision 0.1 to 1, window/mtbf 0.001 to 0.2, window_segments 0 to 10. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, Y. Robert, F. Vivien and D. Zaidouni, "Checkpointing strategies with prediction
       windows", PRDC 2013.

    Examples
    --------
    >>> job = {"mtbf": 1000.0, "checkpoint_cost": 3.0, "proactive_cost": 1.0, "recall": 0.7}
    >>> best = optimal_period_windows(precision=0.6, window=40.0, window_segments=[0, 1, 4], **job)
    >>> best.round(2).tolist()
    [77.46, 141.4, 141.71]
    """
    given = (mtbf, checkpoint_cost, proactive_cost, recall, precision, window, window_segments)
    mtbf, cost, proactive, recall, precision, window, count = broadcast(
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=positive("checkpoint_cost", checkpoint_cost),
        proactive_cost=nonnegative("proactive_cost", proactive_cost),
        recall=_recall(recall),
        precision=_precision(precision),
        window=nonnegative("window", window),
        window_segments=whole("window_segments", window_segments, least=0),
    )
    job = {
        "mtbf": mtbf,
        "checkpoint_cost": cost,
        "proactive_cost": proactive,
        "recall": recall,
        "precision": precision,
        "window": window,
        "window_segments": count,
    }
    PERIOD_RANGE.warn("optimal_period_windows", _disturbances_at_best(**job))
    return answer(_best(**job), *given)


def best_window_segments(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    proactive_cost: ArrayLike,
    recall: ArrayLike,
    precision: ArrayLike,
    window: ArrayLike,
) -> FloatArray:
    r"""Segments into which to cut a predicted window, 0 where predictions should be ignored.

    .. math::
        n (n - 1) < \frac{I p}{C_p (2 - p)} \le n (n + 1)

    and 0 where, each at its best period, acting wastes no less than ignoring.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, predicted ones included, repair excluded; > 0.
    checkpoint_cost, proactive_cost : array_like, [time]
        C and C_p, to write a periodic and a proactive checkpoint; > 0.
    recall : array_like, [-]
        r, share of the failures that are predicted; in [0, 1).
    precision : array_like, [-]
        p, share of the predictions that come true; > 0 and at most 1.
    window : array_like, [time]
        I, length of the window that a prediction names; >= 0.

    Returns
    -------
    ndarray, [-]
        Whole numbers: 0 to ignore, 1 to write nothing in the window, n to write n - 1 proactive
        checkpoints in it. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If `window` is longer than 1e100 `proactive_cost`.

    Warns
    -----
    ValidityWarning
        Beyond disturbances per best period and window = 0.45.

    Notes
    -----
    Approximation: the n that makes a window cost least, which is exact, and a comparison of two
    approximate wastes. Up to 0.45 disturbances per best period and window, as of
    `optimal_period_windows`, the simulated waste is at most 2.5 % above that of one segment more or
    less, and of ignoring, each at its best period.
    Source: derived in tests/derivations/test_windows.py. [1]_ was not read but for its abstract.

    Judged for checkpoint_cost/mtbf 0.001 to 0.01, proactive_cost/mtbf 0.001 to 0.01, recall 0.1 to
    0.9, precision 0.1 to 1, window/mtbf 0.001 to 0.2. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, Y. Robert, F. Vivien and D. Zaidouni, "Checkpointing strategies with prediction
       windows", PRDC 2013.

    Examples
    --------
    >>> job = {"mtbf": 1000.0, "checkpoint_cost": 3.0, "proactive_cost": 3.0, "recall": 0.5}
    >>> best_window_segments(precision=0.3, window=[1.0, 40.0, 100.0], **job).tolist()
    [1.0, 2.0, 2.0]
    """
    given = (mtbf, checkpoint_cost, proactive_cost, recall, precision, window)
    mtbf, cost, proactive, recall, precision, window = broadcast(
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=positive("checkpoint_cost", checkpoint_cost),
        proactive_cost=positive("proactive_cost", proactive_cost),
        recall=_recall(recall),
        precision=_precision(precision),
        window=nonnegative("window", window),
    )
    count = _fewest_lost(proactive, precision, window)
    if (endless := np.isinf(count)).any():
        longest, cheapest = (float(each[endless].flat[0]) for each in (window, proactive))
        raise ValueError(
            f"window must be at most {_LONGEST:g} proactive_cost, got {longest!r} with {cheapest!r}"
        )
    job = {
        "mtbf": mtbf,
        "checkpoint_cost": cost,
        "proactive_cost": proactive,
        "recall": recall,
        "precision": precision,
        "window": window,
    }
    SEGMENTS_RANGE.warn("best_window_segments", _disturbances_of_segments(**job))
    acting = {**job, "window_segments": count}
    ignoring = np.sqrt(2.0) * np.sqrt(cost) / np.sqrt(mtbf)
    worth = _waste(period=_best(**acting), **acting) < ignoring * _BETTER
    return answer(np.where(worth, count, 0.0), *given)


def _fewest_lost(proactive: FloatArray, precision: FloatArray, window: FloatArray) -> FloatArray:
    """Return the segments that make a window cost least."""
    with np.errstate(all="ignore"):
        room = window / proactive * (precision / (2.0 - precision))
        room = np.where(window > _LONGEST * proactive, np.inf, room)
        return np.maximum(np.ceil((np.sqrt(1.0 + 4.0 * room) - 1.0) / 2.0), 1.0)


def _waste(
    *,
    period: FloatArray,
    mtbf: FloatArray,
    checkpoint_cost: FloatArray,
    proactive_cost: FloatArray,
    recall: FloatArray,
    precision: FloatArray,
    window: FloatArray,
    window_segments: FloatArray,
) -> FloatArray:
    """Return the waste but for repairs."""
    with np.errstate(all="ignore"):  # the branch that is not taken may be anything
        n, late = window_segments, proactive_cost / precision
        inside = recall / precision * (window / mtbf) * (1.0 - precision / 2.0)
        outside = 1.0 / (1.0 + inside)
        share = late / period
        each = proactive_cost * (1.0 + (n - 1.0) * (1.0 - precision / 2.0))
        each += precision * window / (2.0 * n)
        neglected = precision * share * np.minimum(late + window, period) / 2.0
        windows = recall / precision * ((1.0 - share) * each + neglected)
        usual = checkpoint_cost / period + ((1.0 - recall) * period / 2.0 + windows) / mtbf
        acting = outside * usual + outside * inside * (window / (2.0 * n) / mtbf)
        deaf = checkpoint_cost / period + period / 2.0 / mtbf
    found = np.where((n > 0.0) & (late <= period), acting, deaf)
    return np.where(np.isnan(found), np.inf, found)  # of more windows than a float can count


def _best(
    *,
    mtbf: FloatArray,
    checkpoint_cost: FloatArray,
    proactive_cost: FloatArray,
    recall: FloatArray,
    precision: FloatArray,
    window: FloatArray,
    window_segments: FloatArray,
) -> FloatArray:
    unit, mtbf, checkpoint_cost, proactive_cost, window = in_one_unit(
        mtbf, checkpoint_cost, proactive_cost, window
    )
    with np.errstate(all="ignore"):
        n, late = window_segments, proactive_cost / precision
        more = (n - 1.0) * (1.0 - precision / 2.0) * late
        young = np.sqrt(2.0) * np.sqrt(mtbf) * np.sqrt(checkpoint_cost)
        # Parts of the square of the period that windows take, while a neglected one is short, or
        # as long as what is left of the period.
        short = late * (late / 2.0 + more - window / 2.0 * (1.0 - 1.0 / n))
        long = late * (late + more + window / (2.0 * n))
        # Just below b no prediction is acted upon, and the waste is another.
        candidates = [young, late, np.nextafter(late, 0.0)]
        for part in (short, long):
            square = (young**2 - 2.0 * recall * part) / (1.0 - recall)
            candidates.append(np.sqrt(np.maximum(square, late**2)))
        job = {
            "mtbf": mtbf,
            "checkpoint_cost": checkpoint_cost,
            "proactive_cost": proactive_cost,
            "recall": recall,
            "precision": precision,
            "window": window,
            "window_segments": window_segments,
        }
        best = young
        least = _waste(period=young, **job)
        for candidate in candidates[1:]:
            wasted = _waste(period=candidate, **job)
            better = (wasted < least * _BETTER) & (candidate > 0.0)
            best, least = np.where(better, candidate, best), np.where(better, wasted, least)
        return np.asarray(unit * np.where(n > 0.0, best, young))


def _precision(precision: ArrayLike) -> FloatArray:
    # A predictor that is never right has no precision to divide by.
    return fraction("precision", positive("precision", precision))


def _recall(recall: ArrayLike) -> FloatArray:
    checked = fraction("recall", recall)
    if (checked == 1.0).any():
        raise ValueError("recall must be < 1, got 1: without other failures no period is best")
    return checked


_RANGES = {
    "checkpoint_cost/mtbf": (1e-3, 0.01),
    "proactive_cost/mtbf": (1e-3, 0.01),
    "recall": (0.1, 0.9),
    "precision": (0.1, 1.0),
    "window/mtbf": (1e-3, 0.2),
}

ROWS = (
    Formula(
        waste_windows,
        "derived",
        "waste, with windows",
        "approximation",
        WASTE_RANGE,
        ranges={
            "period/mtbf": (0.02, 0.4),
            **_RANGES,
            "window_segments": (0.0, 10.0),
            "recovery_cost/mtbf": (1e-3, 0.1),
            "downtime/mtbf": (1e-3, 0.1),
        },
        trend=Trend(rising=("checkpoint_cost", "recovery_cost", "downtime")),
    ),
    Formula(
        optimal_period_windows,
        "derived",
        "best period, with windows",
        "approximation",
        PERIOD_RANGE,
        ranges={**_RANGES, "window_segments": (0.0, 10.0)},
        trend=Trend(),
    ),
    Formula(
        best_window_segments,
        "derived",
        "segments of a window",
        "approximation",
        SEGMENTS_RANGE,
        ranges=_RANGES,
        trend=Trend(),
    ),
)
