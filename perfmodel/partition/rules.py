"""The simple rules with which fault-aware scheduling is compared."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from .._checks import ArrayLike, FloatArray, positive, scalar
from .._ranges import FLEET, NEVER_FAIL
from ..formula import Formula, Trend
from ._order import along, number_of, search
from .machines import Machines
from .schedule import Schedule, indices

_Rule = TypeVar("_Rule", bound=Callable[..., Schedule])


def schedule_random(
    work: float, machines: Machines, *, order: ArrayLike, processes: int | None = None
) -> Schedule:
    """Take machines in a given order, such as one drawn at random.

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    order : array_like of int, [-]
        Distinct indices, such as ``rng.permutation(len(machines))``: nothing here draws a
        random number.
    processes : int, optional, [-]
        How many of the order to use; searched for as in `schedule_bisection`, if not given.

    Returns
    -------
    Schedule
        As `schedule_bisection`.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, with shares by
    `equal_time_partition`.

    Judged for mttr/mtbf 0.001 to 0.4, mttr_cv 0.5 to 4, interval/mtbf 0.001 to 1,
    checkpoint_cost/interval 0.001 to 0.3, share/mtbf 0.1 to 10, in a model in which rework and
    checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=500.0, mttr=2.0)
    >>> schedule_random(100.0, machines, order=[2, 0, 1], processes=2).chosen.tolist()
    [2, 0]
    """
    return search(work, machines, indices("order", order, machines), processes)


_ARGUMENTS = """\
Parameters
----------
work : float, [work]
    The whole job; > 0.
machines : Machines, [-]
    The idle machines, q of them.
processes : int, optional, [-]
    How many to use; searched for as in `schedule_bisection`, if not given.

Returns
-------
Schedule
    As `schedule_bisection`.

"""
_JUDGED = """\
Judged for mttr/mtbf 0.001 to 0.4, mttr_cv 0.5 to 4, interval/mtbf 0.001 to 1,
checkpoint_cost/interval 0.001 to 0.3, share/mtbf 0.1 to 10, in a model in which rework and
checkpoints never fail. Errors: see `perfmodel`.

References
----------
.. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
   SC'07, 2007.

"""


def _completed(rule: _Rule) -> _Rule:
    """Put into the docstring of a rule what it shares with the others: arguments and source."""
    before, title, after = (inspect.getdoc(rule) or "").partition("Notes\n-----\n")
    notes, examples, shown = after.partition("Examples\n--------\n")
    rule.__doc__ = "".join((before, _ARGUMENTS, title, notes, _JUDGED, examples, shown))
    return rule


@_completed
def schedule_speed(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
    """Take the fastest machines, whatever their failures.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, with shares
    by `equal_time_partition`.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 500.0, 5.0], mttr=2.0)
    >>> schedule_speed(100.0, machines, processes=2).chosen.tolist()
    [2, 1]
    """
    return along(work, machines, lambda idle: idle.columns[0], processes)


@_completed
def schedule_reliability(
    work: float, machines: Machines, *, processes: int | None = None
) -> Schedule:
    """Take the machines least likely to fail during their share of the work.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, where
    reliability is the probability that a machine does not fail during execution, exp(-t/mtbf).
    The paper does not give t: here, and in the reproduction of its Table 1, it is the time that an
    even share of the work takes on the machine, work/(processes speed). So a fast machine is more
    reliable than a slow one of the same mtbf, and machines are ranked by speed times mtbf.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 400.0, 5.0], mttr=2.0)
    >>> schedule_reliability(100.0, machines, processes=2).chosen.tolist()
    [1, 0]
    """

    def mean_work_between_failures(idle: Machines) -> FloatArray:
        speed, mtbf = idle.columns[:2]
        return _log_share(speed) + _log_share(mtbf)  # the product may overflow

    return along(work, machines, mean_work_between_failures, processes)


@_completed
def schedule_speed_reliability(
    work: float, machines: Machines, *, processes: int | None = None
) -> Schedule:
    """Take machines by speed times reliability.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, with the
    reliability exp(-t/mtbf) of `schedule_reliability`; t is the time of an even share of the work
    for `processes` machines (all, if not given) on the machine itself.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 400.0, 5.0], mttr=2.0)
    >>> schedule_speed_reliability(100.0, machines, processes=2).chosen.tolist()
    [1, 0]
    """

    def log_product(idle: Machines) -> FloatArray:
        # In logarithms, so that the worst machines do not all get 0.
        speed, mtbf = idle.columns[:2]
        share = scalar(positive, "work", work) / (number_of(processes, idle) or len(idle))
        with np.errstate(over="ignore"):
            return _log_share(speed) - share / speed / mtbf

    return along(work, machines, log_product, processes)


def _log_share(values: FloatArray) -> FloatArray:
    """Return the logarithm beside the largest, in which a unit rounds no small differences."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.log(mantissa) + math.log(2.0) * (exponent - exponent.max()))


ROWS = (
    Formula(
        schedule_random,
        "wsj",
        "section 5",
        "bound",
        ranges=FLEET,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
    Formula(
        schedule_speed,
        "wsj",
        "section 5",
        "bound",
        ranges=FLEET,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
    Formula(
        schedule_reliability,
        "wsj",
        "section 5",
        "bound",
        ranges=FLEET,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
    Formula(
        schedule_speed_reliability,
        "wsj",
        "section 5",
        "bound",
        ranges=FLEET,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
)
