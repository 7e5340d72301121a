"""Which kind of repair a law is: the only place that asks."""

from __future__ import annotations

import math

import numpy as np

from ..._checks import nonnegative, scalar, shown
from ...lifetimes import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    Lifetime,
    LogNormal,
    Weibull,
)
from ._analytic import AnalyticRepair
from ._narrow import NARROW_CV, NARROW_SHAPE, narrow_lognormal, narrow_weibull
from ._recorded import recorded
from ._repair import Repair
from ._tabulated import ORDERS, TabulatedRepair

# Shape of Gamma repairs up to which Talbot's contour knows two failures to 1e-10; beyond, the
# transform falls too fast off the real axis: 1e-8 at shape 8, 5e-6 at 16.
_ROUND = 4.0
_MOST = 1e290  # units of time; room for sums and squares below the largest float
_NO_DIGIT = 1e-100


def repair_of(
    downtime: float | Lifetime,
    *,
    unit: float = 1.0,
    work: float | None = None,
    mean_of: str = "expected_makespan",
    name: str = "downtime",
) -> Repair:
    """Return one repair, in another unit of time; a number is a repair that is always the same.

    A law whose own transform is the quickest way needs no line here.

    Parameters
    ----------
    downtime : float or Lifetime, [time]
        Fixed and >= 0, or a law.
    unit : float, [time]
        The new unit.
    work : float or None, [time]
        What a refusal shows; None for the unit.
    mean_of : str
        The function that gives the mean alone, for repairs of which no law is known.
    name : str
        The argument that a refusal names.

    Returns
    -------
    Repair
        Of the kind that computes this law fastest without losing digits.
    """
    mean = downtime.mean if isinstance(downtime, Lifetime) else downtime
    if _MOST * unit < mean < math.inf:
        raise ValueError(
            f"{name} must be at most {_MOST:g} times the work on average, got {shown(downtime)}"
        )
    if 0.0 < mean < unit / _MOST:  # no digit, and no float
        return _kind_of(Deterministic(0.0))
    if isinstance(downtime, Lifetime):
        law = downtime if unit == 1.0 else _scaled(downtime, unit, work, mean_of, name)
        return _kind_of(law if law.variance > 0.0 else Deterministic(law.mean))
    fixed = scalar(nonnegative, name, downtime) / unit  # inf, if the unit is much smaller
    return _kind_of(Deterministic(scalar(nonnegative, name, fixed)))


def _scaled(law: Lifetime, unit: float, work: float | None, mean_of: str, name: str) -> Lifetime:
    try:
        return law.scaled(1.0 / unit)
    except ValueError:  # of a law whose parameters have limits, which may add no digit
        if law.mean < unit * _NO_DIGIT:
            return Deterministic(0.0)
        if isinstance(law, Bathtub) and not law.turn / unit <= Bathtub.MOST_TURN:
            given = f"{shown(law)} with work {unit if work is None else work!r}"
            raise ValueError(
                f"{name} must have a turn of at most {Bathtub.MOST_TURN:g} times the work for a "
                f"law, got {given}; {mean_of} has no such limit"
            ) from None
        raise


def _kind_of(law: Lifetime) -> Repair:  # noqa: PLR0911 - a kind, a return
    match law:
        case Deterministic():
            return recorded(law, np.array([law.value]))
        case Empirical():
            return recorded(law, law.samples)
        case LogNormal() if law.scv < NARROW_CV**2:
            return narrow_lognormal(law)
        case LogNormal():
            moments = tuple(0.5 * (k * law.sigma) * (k * law.sigma) for k in ORDERS)
            return TabulatedRepair(law, LogNormal(0.0, law.sigma), law.mu, moments)
        case Weibull() if law.shape > NARROW_SHAPE:
            return narrow_weibull(law)
        case Weibull():
            moments = tuple(math.lgamma(1.0 + k / law.shape) for k in ORDERS)
            return TabulatedRepair(law, Weibull(law.shape, 1.0), math.log(law.scale), moments)
        case Exponential() | HyperExponential():
            return AnalyticRepair(law, contour=True)
        case Gamma():
            return AnalyticRepair(law, contour=law.shape <= _ROUND)
        case _:
            return AnalyticRepair(law, contour=False)
