r"""Energy and its best interval to first order in the failures, as published.

The job is that of `perfmodel.energy.exact`, and long. A failure strikes once in mtbf of the time
that the job takes; what it undoes is not struck again. `interval` is work between two checkpoints,
so that interval + (1 - overlap) checkpoint_cost is the period, in which the source writes all this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, positive
from ..formula import ANY, Formula, Trend
from ..validity import Range
from .exact import COSTS, POWERS, RANGES, Machine, checked_machine, energy_per_work, times
from .optimum import optimal_interval_energy


def energy_per_work_first_order(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    overlap: ArrayLike = 0.0,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = 0.0,
    down_power: ArrayLike = 0.0,
) -> FloatArray:
    r"""Energy of a long job over its work, to first order in the failures.

    .. math::
        P_s F + P_c \left[1 + \frac{F}{\mu} \left(\omega C + \frac{T^2 - C^2}{2T}
        + \frac{\omega C^2}{2T}\right)\right] + P_{io} \left[\frac{C}{w} + \frac{F}{\mu} \left(R
        + \frac{C^2}{2T}\right)\right] + P_d \frac{F}{\mu} D, \quad
        F = \frac{T/w}{1 - (D + R + \omega C + T/2)/\mu}

    with T = w + (1 - omega) C.

    Parameters
    ----------
    interval : array_like, [time]
        w, work per segment; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.
    overlap : array_like, [-]
        omega, speed of computing while a checkpoint is written, over the usual one; >= 0 and <= 1.
    static_power : array_like, [power]
        P_s, drawn all the time; > 0.
    compute_power, io_power, down_power : array_like, [power]
        P_c, P_io and P_d, drawn besides while the job computes, writes or reads, and is down; >= 0.

    Returns
    -------
    ndarray, [power]
        Shape: all arguments broadcast together. inf where the first order sees no progress.

    Warns
    -----
    ValidityWarning
        Beyond (interval + all costs)/mtbf = 0.1.

    Notes
    -----
    Approximation. All costs are C, R and D; up to 0.1 mtbf, and for intervals of omega C and more,
    it is at most 12 % off `energy_per_work`, most where repairs take most of the energy.
    Source: [1]_, of which only the abstract was seen; derived again in
    tests/derivations/test_energy.py.

    Judged for interval/mtbf 1e-6 to 1, checkpoint_cost/interval 1e-6 to 1, recovery_cost/mtbf 1e-6
    to 1, downtime/mtbf 1e-6 to 1, overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must
    be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    >>> job = {"mtbf": 3000.0, "checkpoint_cost": 10.0, "recovery_cost": 10.0, "overlap": 0.5}
    >>> e = energy_per_work_first_order(
    ...     interval=200.0, **job, static_power=10.0, compute_power=10.0, io_power=100.0
    ... )
    >>> round(float(e), 3)
    26.414
    """
    given = (
        *(interval, mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )
    machine, w = checked_machine(*given[1:], interval=positive("interval", interval))
    ENERGY_RANGE.warn("energy_per_work_first_order", _beside(w, machine))
    with np.errstate(all="ignore"):
        rate, c, share = 1.0 / machine.mtbf, machine.checkpoint_cost, machine.overlap
        lost = (1.0 - share) * c  # per period, without a failure
        period = w + lost
        again = machine.downtime + machine.recovery_cost + share * c
        # Failures per period, and per checkpoint: no square of a time, which may overflow.
        some, few = period * rate, c * rate
        left = 1.0 - again * rate - 0.5 * some  # of the time, but for failures
        computing = (share * c + 0.5 * w) * some + 0.5 * lost * rate * (w - share * c)
        parts = (
            machine.static_power * (lost * (1.0 - again * rate) + (again + 0.5 * w) * some),
            machine.compute_power * computing,
            machine.io_power * (c * left + times(machine.recovery_cost, some) + 0.5 * c * few),
            times(machine.down_power, times(machine.downtime, some)),
        )
        beyond = sum(parts) / (w * left)
        useful = machine.static_power + machine.compute_power
        return answer(np.where(left > 0.0, useful + beyond, np.inf), *given)


def optimal_interval_energy_first_order(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    overlap: ArrayLike = 0.0,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike = 0.0,
    down_power: ArrayLike = 0.0,
) -> FloatArray:
    r"""Interval with the least energy of a long job, to first order in the failures.

    .. math::
        w &= \frac{(h - a) \sqrt{N_a}}{\sqrt{N_h} + \sqrt{N_a}}, \quad a = (1 - \omega) C, \quad
             b = 1 - (D + R + \omega C)/\mu, \quad h = 2 \mu b \\
        N_a &= P_s a + P_d D a/\mu + P_{io} \left(C b + R a/\mu + \omega C^2/(2 \mu)\right)
               + P_c \omega (1 - \omega) C^2/(2 \mu) \\
        N_h &= P_s h + 2 P_d D b + P_{io} \left(2 R b + C^2/(2 \mu)\right)
               + P_c \left(2 \omega C b + (h^2 - a C)/(2 \mu)\right)

    but at least omega C. With static power alone the period a + w is sqrt(2 a mu b).

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.
    overlap : array_like, [-]
        omega, speed of computing while a checkpoint is written, over the usual one; >= 0 and <= 1.
    static_power : array_like, [power]
        P_s, drawn all the time; > 0.
    compute_power, io_power, down_power : array_like, [power]
        P_c, P_io and P_d, drawn besides while the job computes, writes or reads, and is down; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment; inf without failures, mtbf where the first order sees no progress.
        Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond (best interval + all costs)/mtbf = 0.3.

    Notes
    -----
    Approximation: the exact minimum of `energy_per_work_first_order`. All costs are C, R and D;
    where they and the interval that is found are up to 0.3 mtbf, a job takes at most 0.4 % more
    energy than with the best interval.
    Source: [1]_, of which only the abstract was seen; derived again in
    tests/derivations/test_energy.py.

    Judged for overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    The periods of an example in the source are 53.29 for time and 128.07 for energy.

    >>> import warnings
    >>> machine = {"mtbf": 300.0, "checkpoint_cost": 10.0, "recovery_cost": 10.0, "downtime": 1.0}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     best = optimal_interval_energy_first_order(
    ...         **machine, overlap=0.5, static_power=10.0, compute_power=[0.0, 10.0],
    ...         io_power=[0.0, 100.0],
    ...     )
    >>> (best + 5.0).round(2).tolist()
    [53.29, 128.07]
    """
    given = (
        *(mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )
    machine = checked_machine(*given)[0]
    found = _first_order(machine)
    INTERVAL_RANGE.warn("optimal_interval_energy_first_order", _beside(found, machine))
    return answer(found, *given)


def _first_order(machine: Machine) -> FloatArray:
    m = machine
    with np.errstate(all="ignore"):
        # In mtbfs and in multiples of the largest power, so that nothing overflows.
        unit, down = m.at_most_one()
        c, r, d = (each / m.mtbf for each in (m.checkpoint_cost, m.recovery_cost, m.downtime))
        a, b = (1.0 - m.overlap) * c, 1.0 - (d + r + m.overlap * c)
        h = 2.0 * b
        low = (
            unit.static_power * a
            + down * a
            + unit.io_power * (c * b + r * a + 0.5 * m.overlap * c * c)
            + unit.compute_power * 0.5 * m.overlap * a * c
        )
        high = (
            unit.static_power * h
            + down * 2.0 * b
            + unit.io_power * (2.0 * r * b + 0.5 * c * c)
            + unit.compute_power * (2.0 * m.overlap * c * b + 0.5 * (h * h - a * c))
        )
        root = np.sqrt(np.maximum(low, 0.0))
        share = np.where(root > 0.0, root / (np.sqrt(np.maximum(high, 0.0)) + root), 0.0)
        found = np.where(h > a, np.maximum(m.overlap * c, (h - a) * share), 1.0) * m.mtbf
    return np.where(np.isinf(m.mtbf), np.inf, found)


def _beside(interval: FloatArray, machine: Machine) -> FloatArray:
    """Return interval and costs in mtbfs, inf where a checkpoint waits for the one before."""
    m = machine
    with np.errstate(all="ignore"):
        spans = (interval, m.checkpoint_cost, m.recovery_cost, m.downtime)
        total = sum(span / m.mtbf for span in spans)
    waits = interval < m.overlap * m.checkpoint_cost * (1.0 - 1e-12)
    total = np.where(np.isinf(m.mtbf), 0.0, total)
    return np.where(waits, np.inf, total)


def _machine_of(given: dict[str, Any]) -> Machine:
    known = {"recovery_cost": 0.0, "downtime": 0.0, "overlap": 0.0, "io_power": 0.0}
    known = {**known, "down_power": 0.0, **given}
    return Machine(*np.broadcast_arrays(*(np.asarray(known[name]) for name in (*COSTS, *POWERS))))


def _of_interval(*, interval: FloatArray, **given: FloatArray) -> FloatArray:
    return _beside(interval, _machine_of(given))


def _of_best(**given: FloatArray) -> FloatArray:
    machine = _machine_of(given)
    return _beside(_first_order(machine), machine)


# Errors against the exact energy, measured in validation/subjects/energy/cases.py.
ENERGY_RANGE = Range("(interval + all costs)/mtbf", limit=0.1, error=0.12, of=_of_interval)
INTERVAL_RANGE = Range(
    "(best interval + all costs)/mtbf", limit=0.3, error=0.004, of=_of_best, as_regret=True
)
_DOMAIN = {
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-3, 0.5),
    "recovery_cost": (1e-3, 0.5),
    "downtime": (1e-3, 0.5),
    "overlap": (0.1, 1.0),
    "static_power": (1.0, 1.0),
    "compute_power": (0.1, 10.0),
    "io_power": (0.1, 10.0),
    "down_power": (0.1, 10.0),
}

ROWS = (
    Formula(
        energy_per_work_first_order,
        "aupy2013",
        "energy, abstract seen",
        "approximation",
        ENERGY_RANGE,
        energy_per_work,
        ranges={
            "interval/mtbf": (1e-6, 1.0),
            "checkpoint_cost/interval": (1e-6, 1.0),
            "recovery_cost/mtbf": (1e-6, 1.0),
            "downtime/mtbf": (1e-6, 1.0),
            "overlap": (0.0, 1.0),
            **{f"{name}/static_power": ANY for name in POWERS[1:]},
        },
        domain={"interval": (0.01, 1.0), **_DOMAIN},
        trend=Trend(),
    ),
    Formula(
        optimal_interval_energy_first_order,
        "aupy2013",
        "best period for energy, abstract seen",
        "approximation",
        INTERVAL_RANGE,
        optimal_interval_energy,
        ranges=RANGES,
        domain=_DOMAIN,
        trend=Trend(),
    ),
)
