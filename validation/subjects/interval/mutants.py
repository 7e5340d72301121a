"""Wrong intervals: other rules, misprints, and an interval confused with a period."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import lambertw

from perfmodel.interval import (
    best_segments,
    optimal_interval,
    optimal_interval_closed_form,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_wsj,
    optimal_interval_young,
    regret,
)
from perfmodel.makespan import expected_makespan
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _young(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    return np.sqrt(2.0 * np.asarray(checkpoint_cost) * mtbf)


def _daly(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    s = np.sqrt(np.asarray(checkpoint_cost) / (2.0 * mtbf))
    return 2.0 * mtbf * s * (1.0 + s / 3.0 + s**2 / 9.0) - checkpoint_cost


def _exact(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    ratio = np.asarray(checkpoint_cost) / mtbf
    return mtbf * (1.0 + lambertw(-np.exp(-ratio - 1.0)).real)


def _slides(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    # As printed on some slides; the first term should be twice as large.
    return _exact(mtbf=mtbf, checkpoint_cost=checkpoint_cost) - np.asarray(checkpoint_cost) / 2.0


def _period(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    return _exact(mtbf=mtbf, checkpoint_cost=checkpoint_cost) + checkpoint_cost


def _other_branch(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    ratio = np.asarray(checkpoint_cost) / mtbf
    return mtbf * abs(1.0 + lambertw(-np.exp(-ratio - 1.0), -1).real)


def _without_cubic_term(*, mtbf: Any, checkpoint_cost: Any) -> Any:
    s = np.sqrt(np.asarray(checkpoint_cost) / (2.0 * mtbf))
    return 2.0 * mtbf * s * (1.0 + s / 3.0) - checkpoint_cost


def _root(*, mtbf: Any, checkpoint_cost: Any, square: float = 1.0) -> Any:
    cost = np.asarray(checkpoint_cost)
    return np.sqrt(2.0 * cost * mtbf + square * cost**2)


def _left(root: Any, checkpoint_cost: Any) -> Any:
    # An interval of 0 would be refused, not judged.
    return np.maximum(root - np.asarray(checkpoint_cost), 1e-3 * np.asarray(checkpoint_cost))


def _past_the_maximum(*, mtbf: float, checkpoint_cost: float) -> float:
    """Return the other root of wsj's condition, where the mean is largest."""
    from scipy.optimize import brentq

    def slope(x: float) -> float:
        g = x**2 * (x * math.exp(x) - math.exp(x) + 1.0) / math.expm1(x) ** 2
        return g - checkpoint_cost / mtbf

    condition: Any = slope  # older type stubs of scipy ask for more arguments than the function has
    return float(mtbf * brentq(condition, 3.0861, 300.0))


def _segments(work: float, mtbf: float, checkpoint_cost: float) -> float:
    return float(work / _exact(mtbf=mtbf, checkpoint_cost=checkpoint_cost))


def _regret(interval: float, reference: float, mtbf: float, checkpoint_cost: float) -> float:
    def mean(w: float) -> float:
        return math.expm1((w + checkpoint_cost) / mtbf) / w

    return mean(interval) / mean(reference) - 1.0


def _regret_against_young(
    interval: float, *, mtbf: float, checkpoint_cost: float, **_: Any
) -> float:
    young = float(_young(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    return _regret(interval, young, mtbf, checkpoint_cost)


def _regret_to_first_order(
    interval: float, *, mtbf: float, checkpoint_cost: float, **_: Any
) -> float:
    ratio = interval / float(_young(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    overhead = math.sqrt(2.0 * checkpoint_cost / mtbf)
    return overhead * ((ratio + 1.0 / ratio) / 2.0 - 1.0) / (1.0 + overhead)


def _regret_of_waste(interval: float, *, mtbf: float, checkpoint_cost: float, **_: Any) -> float:
    best = float(_exact(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    long, short = (
        (mtbf * math.expm1((w + checkpoint_cost) / mtbf) - w) / w for w in (interval, best)
    )
    return long / short - 1.0


def _always_at_the_end(work: float, *, final_checkpoint: bool = True, **costs: Any) -> Any:
    del final_checkpoint
    return best_segments(work, **costs)


def _difference_of_means(
    interval: float, *, work: float | None = None, mtbf: float, checkpoint_cost: float, **_: Any
) -> float:
    """Return regret as a difference that loses the digits of a small one, cut at 0."""
    if work is None:
        return float(regret(interval, mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    job: dict[str, Any] = {"mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    best = work / best_segments(work, **job)
    means = [float(expected_makespan(work, interval=w, **job)) for w in (interval, best)]
    return max(means[0] / means[1] - 1.0, 0.0)


MUTANTS = (
    Mutant(optimal_interval, "Young's rule", _young),
    Mutant(optimal_interval, "Daly's rule", _daly),
    Mutant(optimal_interval, "period returned for the interval", _period),
    Mutant(optimal_interval, "first term halved, as on the slides", _slides),
    Mutant(optimal_interval, "the other branch of Lambert's function", _other_branch),
    Mutant(
        optimal_interval,
        "digits lost near the branch point",
        _exact,
    ),
    Mutant(optimal_interval_young, "2 forgotten", lambda **kw: _young(**kw) / math.sqrt(2.0)),
    Mutant(
        optimal_interval_young,
        "period taken for the interval",
        lambda *, mtbf, checkpoint_cost: (
            _young(mtbf=mtbf, checkpoint_cost=checkpoint_cost) - checkpoint_cost
        ),
    ),
    Mutant(
        optimal_interval_daly,
        "checkpoint cost not subtracted",
        lambda *, mtbf, checkpoint_cost: (
            _daly(mtbf=mtbf, checkpoint_cost=checkpoint_cost) + checkpoint_cost
        ),
    ),
    Mutant(optimal_interval_daly, "last term dropped", _without_cubic_term),
    Mutant(optimal_interval_daly, "first term halved, as on the slides", _slides),
    Mutant(optimal_interval_daly, "Young's rule", _young),
    Mutant(
        optimal_interval_daly_first_order,
        "recovery cost dropped",
        lambda *, mtbf, checkpoint_cost, recovery_cost=0.0: (
            _young(mtbf=mtbf, checkpoint_cost=checkpoint_cost) - checkpoint_cost
        ),
    ),
    Mutant(
        optimal_interval_daly_first_order,
        "checkpoint cost not subtracted",
        lambda *, mtbf, checkpoint_cost, recovery_cost=0.0: _young(
            mtbf=mtbf + recovery_cost, checkpoint_cost=checkpoint_cost
        ),
    ),
    Mutant(
        optimal_interval_closed_form,
        "square of the checkpoint cost dropped",
        lambda *, mtbf, checkpoint_cost: _left(
            _young(mtbf=mtbf, checkpoint_cost=checkpoint_cost), checkpoint_cost
        ),
    ),
    Mutant(
        optimal_interval_closed_form,
        "square of the checkpoint cost halved",
        lambda *, mtbf, checkpoint_cost: _left(
            _root(mtbf=mtbf, checkpoint_cost=checkpoint_cost, square=0.5), checkpoint_cost
        ),
    ),
    Mutant(
        optimal_interval_closed_form,
        "checkpoint cost not subtracted",
        lambda *, mtbf, checkpoint_cost: _root(mtbf=mtbf, checkpoint_cost=checkpoint_cost),
    ),
    Mutant(optimal_interval_closed_form, "Young's rule", _young),
    Mutant(
        optimal_interval_closed_form,
        "digits lost where the checkpoint cost is far above the mtbf",
        lambda *, mtbf, checkpoint_cost: (
            _root(mtbf=mtbf, checkpoint_cost=checkpoint_cost) - checkpoint_cost
        ),
    ),
    Mutant(optimal_interval_wsj, "Young's rule", _young),
    Mutant(optimal_interval_wsj, "the optimum of the job whose rework can fail", _exact),
    Mutant(optimal_interval_wsj, "the maximum taken for the minimum", _past_the_maximum),
    Mutant(
        best_segments,
        "rounded down",
        lambda work, *, mtbf, checkpoint_cost: max(
            1.0, math.floor(_segments(work, mtbf, checkpoint_cost))
        ),
    ),
    Mutant(
        best_segments,
        "rounded up",
        lambda work, *, mtbf, checkpoint_cost: math.ceil(_segments(work, mtbf, checkpoint_cost)),
    ),
    Mutant(
        best_segments,
        "rounded to the nearest",
        lambda work, *, mtbf, checkpoint_cost: max(
            1.0, round(_segments(work, mtbf, checkpoint_cost))
        ),
    ),
    Mutant(
        best_segments,
        "checkpoint cost left in the segment",
        lambda work, *, mtbf, checkpoint_cost: max(
            1.0,
            round(work / (work / _segments(work, mtbf, checkpoint_cost) + checkpoint_cost)),
        ),
    ),
    Mutant(
        best_segments,
        "a checkpoint at the end, asked for or not",
        _always_at_the_end,
    ),
    Mutant(regret, "a difference of two means, cut at 0", _difference_of_means),
    Mutant(regret, "measured from Young's interval", _regret_against_young),
    Mutant(regret, "first order", _regret_to_first_order),
    Mutant(regret, "excess of the waste, not of the makespan", _regret_of_waste),
    Mutant(
        regret,
        "interval taken for the period",
        lambda interval, *, mtbf, checkpoint_cost, **_: _regret(
            max(interval - checkpoint_cost, 0.01 * interval),
            float(_exact(mtbf=mtbf, checkpoint_cost=checkpoint_cost)),
            mtbf,
            checkpoint_cost,
        ),
    ),
)
