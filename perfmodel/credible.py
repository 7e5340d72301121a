"""What data leave open about an argument, carried to the value of any formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._checks import FloatArray, IntArray, shown
from .fitting.mtbf import confidence_level
from .fitting.posterior import AbstractPosterior
from .formula import Trend
from .registry import FORMULAS

__all__ = ["CredibleInterval", "credible_interval"]

_POINTS = 999  # of one uncertain number; one of them is its median
_MORE_POINTS = 4096  # of several
_PRIMES = (2, 3, 5, 7)


@dataclass(frozen=True, slots=True)
class CredibleInterval:
    """Limits that the value of a formula lies between with probability `confidence`.

    Parameters
    ----------
    lower, median, upper : float or ndarray
        Quantiles of the value, in its unit.
    confidence : float, [-]
        Probability between the limits; beyond each is half of the rest.
    """

    lower: float | FloatArray
    median: float | FloatArray
    upper: float | FloatArray
    confidence: float


def credible_interval(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    *,
    confidence: float = 0.95,
) -> CredibleInterval:
    r"""Limits of the value of a formula some of whose arguments are known from data only.

    Parameters
    ----------
    function : callable
        A function of the catalogue, or any other that returns numbers.
    arguments : mapping of str to object
        Its arguments by name. Those that are uncertain are posteriors, independent of each other:
        those of `mtbf_posterior` and `mean_posterior`, or the `posterior` of a fitted law, which
        stands for a law.
    confidence : float, [-]
        Probability that the value lies between the limits; in (0, 1).

    Returns
    -------
    CredibleInterval
        Limits and median, of the shape of the values of the function.

    Raises
    ------
    ValueError
        If no argument is a posterior, or they have more than five unknown parameters together.
    TypeError
        If the function does not return numbers.

    Notes
    -----
    Where the catalogue knows that the function only rises or only falls in the one uncertain
    argument, the limits are its values at those of the argument, and as exact as these: they hold
    the true value as often as those of `mtbf_posterior` hold the true mtbf. Otherwise they are
    quantiles of its values at 999 points spread evenly over the posterior, or at 4096 over all
    of several together [1]_: the probability between them is then right to 0.1 and 0.4 percentage
    points, for up to five unknown parameters. Source: textbook.

    References
    ----------
    .. [1] J. M. Hammersley, "Monte Carlo methods for solving multivariable problems", Annals of the
       New York Academy of Sciences 86, 1960 (not seen).

    Examples
    --------
    Ten failures in 1000 hours; a checkpoint takes six minutes.

    >>> from perfmodel import mtbf_posterior, optimal_interval
    >>> machine = {"mtbf": mtbf_posterior(10, 1000.0), "checkpoint_cost": 0.1}
    >>> found = credible_interval(optimal_interval, machine)
    >>> round(float(found.lower), 2), round(float(found.upper), 2)
    (3.29, 6.17)
    """
    level = confidence_level(confidence)
    uncertain = {
        name: value for name, value in arguments.items() if isinstance(value, AbstractPosterior)
    }
    if not uncertain:
        raise ValueError(
            f"arguments must include a posterior, got {shown(sorted(arguments))}: "
            "mtbf_posterior makes one of a count of failures"
        )
    ends = np.array([0.5 - 0.5 * level, 0.5, 0.5 + 0.5 * level])
    dimensions = sum(posterior.dimensions for posterior in uncertain.values())
    trend = next((row.trend for row in FORMULAS if row.function is function), Trend())
    name = next(iter(uncertain))
    known = dimensions == 1 and name in (*trend.rising, *trend.falling)
    values = _values(
        function, arguments, uncertain, ends[:, None] if known else _spread(dimensions)
    )
    if known:
        low, middle, high = values if name in trend.rising else values[::-1]
    else:
        low, middle, high = np.quantile(values, ends, axis=0, method="inverted_cdf")
    return CredibleInterval(low, middle, high, level)


def _values(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    uncertain: Mapping[str, AbstractPosterior],
    points: FloatArray,
) -> FloatArray:
    """Return the values of the function at points of all posteriors; the first axis is theirs."""
    columns, start = {}, 0
    for name, posterior in uncertain.items():
        columns[name] = posterior.at(points[:, start : start + posterior.dimensions])
        start += posterior.dimensions
    found = [
        function(**{**arguments, **dict(zip(columns, row, strict=True))})
        for row in zip(*columns.values(), strict=True)
    ]
    if not all(isinstance(value, (float, int, np.ndarray, np.number)) for value in found):
        raise TypeError(
            f"function must return numbers, got {shown(found[0])}: "
            "give a function that returns one number of it"
        )
    return np.asarray(found, dtype=np.float64)


def _spread(dimensions: int) -> FloatArray:
    """Return points spread evenly over the unit cube, by Hammersley; shape (n, dimensions)."""
    if dimensions == 1:
        return ((np.arange(_POINTS) + 0.5) / _POINTS)[:, None]
    if dimensions > len(_PRIMES) + 1:
        raise ValueError(
            f"arguments must have at most {len(_PRIMES) + 1} unknown parameters, got {dimensions}"
        )
    count = np.arange(_MORE_POINTS)
    columns = [count / _MORE_POINTS, *(_reversed(count, prime) for prime in _PRIMES)]
    return np.column_stack(columns[:dimensions]) + 0.5 / _MORE_POINTS


def _reversed(count: IntArray, base: int) -> FloatArray:
    """Return the digits of each number in a base in reverse, as a fraction in [0, 1)."""
    fraction, unit, rest = np.zeros(count.size), 1.0, count
    while rest.any():
        unit /= base
        fraction += unit * (rest % base)
        rest = rest // base
    return fraction
