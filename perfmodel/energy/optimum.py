r"""How much work to do between two checkpoints to save energy, and what that costs in time.

The job is that of `perfmodel.energy.exact`, and long. Per unit of work it takes, with y = w/mu and
w >= omega C, (alpha e^y - beta)/y times a factor that no interval changes. That falls to one
minimum, where (1 - y) e^y = beta/alpha, and rises from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import lambertw

from .._checks import ArrayLike, FloatArray, answer, scalar, whole
from .._special import expm1_minus, optimal_ratio
from ..formula import Formula, Trend
from .exact import RANGES, Machine, checked_machine, times


def optimal_interval_energy(
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
    r"""Interval with the least energy of a long job that computes on beside its checkpoints.

    .. math::
        w^* &= \max\left(\omega C, \mu + \mu W_0\left(-\frac{\beta}{e \alpha}\right)\right) \\
        \alpha &= e^{C/\mu} (\mu P_1 + J), \quad
        \beta = \mu P_1 \left(e^{C/\mu} + e^{\omega C/\mu} - 1\right)
                - \mu P_2 \left(e^{C/\mu} - 1\right) + J e^{\omega C/\mu}

    with P_1 = P_s + P_c, P_2 = P_s + omega P_c + P_io, and J the energy from a failure to the end
    of the recovery, as in `expected_energy`.

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
        Work per segment; at least omega C, so that no checkpoint waits for the one before. 0 where
        checkpoints are free, inf without failures. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for any ratio of its arguments, among intervals of omega C and more. With static power
    alone it is the interval with the least time: `optimal_interval` for checkpoints that cost
    (1 - omega) C. Power for writing makes it longer, also beyond the mtbf.
    Source: derived in tests/derivations/test_energy.py; no published form was seen. The states and
    their powers are those of [1]_, of which only the abstract was seen.

    Judged for overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    >>> best = optimal_interval_energy(
    ...     mtbf=300.0, checkpoint_cost=10.0, recovery_cost=10.0, downtime=1.0, overlap=0.5,
    ...     static_power=10.0, compute_power=[0.0, 10.0], io_power=[0.0, 100.0],
    ... )
    >>> best.round(3).tolist()
    [51.491, 139.224]
    """
    given = (
        *(mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )
    return answer(_best(checked_machine(*given)[0]), *given)


@dataclass(frozen=True, slots=True)
class TimeEnergyCurve:
    """Intervals from the one with the least time to that with the least energy.

    Parameters
    ----------
    interval : ndarray, [time]
        Work per segment.
    time, energy : ndarray, [-]
        Those of a long job over the least ones, so that the first time and the last energy are 1.
    """

    interval: FloatArray
    time: FloatArray
    energy: FloatArray

    def plot(self, ax: Any = None) -> Any:
        """Draw time and energy above their least over the interval; return the axes.

        New axes are made where `ax` is None. ImportError without matplotlib, the extra `plot`.
        """
        from ..figures import Curve, draw_curves

        curves = [
            Curve("time", self.interval, 100.0 * (self.time - 1.0)),
            Curve("energy", self.interval, 100.0 * (self.energy - 1.0)),
        ]
        return draw_curves(curves, across="interval", up="above the least [%]", ax=ax)


def time_energy_curve(
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
    points: ArrayLike = 11,
) -> TimeEnergyCurve:
    r"""Time against energy of a long job that computes on beside its checkpoints.

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
    points : int, [-]
        How many intervals; a whole number >= 2.

    Returns
    -------
    TimeEnergyCurve
        Arrays; shape: all arguments but `points` broadcast together, then `points`.

    Notes
    -----
    Exact: `energy_per_work` at intervals spaced evenly in the logarithm, from
    `optimal_interval_energy` with static power alone to the same with all powers. Beyond either
    end both time and energy rise; between them one falls as the other rises.
    Source: derived in tests/derivations/test_energy.py; [1]_, of which only the abstract was seen,
    weighs the two ends.

    Judged for overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    >>> curve = time_energy_curve(
    ...     mtbf=300.0, checkpoint_cost=10.0, recovery_cost=10.0, downtime=1.0, overlap=0.5,
    ...     static_power=10.0, compute_power=10.0, io_power=100.0, points=3,
    ... )
    >>> curve.interval.round(2).tolist(), curve.time.round(3).tolist()
    ([51.49, 84.67, 139.22], [1.0, 1.022, 1.102])
    >>> curve.energy.round(3).tolist()
    [1.227, 1.055, 1.0]
    """
    machine = checked_machine(
        *(mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )[0].with_an_axis()
    count = int(scalar(_at_least_two, "points", points))
    hours = machine.time_alone()
    quick, frugal = _best(hours), _best(machine)
    some = (quick > 0.0) & (quick < np.inf) & (frugal < np.inf)
    shares = np.linspace(0.0, 1.0, count)
    with np.errstate(all="ignore"):
        found = quick * np.where(some, frugal / quick, 1.0) ** shares
        found[..., -1:] = frugal
        time, energy = (_over_least(each, found) for each in (hours, machine))
    return TimeEnergyCurve(found, time, energy)


def _at_least_two(name: str, value: ArrayLike) -> FloatArray:
    return whole(name, value, least=2)


def _best(machine: Machine) -> FloatArray:
    """Return the interval with the least energy, [time]."""
    m, ratio = machine, _lost(machine)
    with np.errstate(all="ignore"):
        usual = optimal_ratio(np.sqrt(-2.0 * np.log1p(-np.minimum(ratio, 0.5))))
        dear = 1.0 + lambertw(np.clip((ratio - 1.0) / np.e, -0.2, 1e300), 0).real
        y = np.where(ratio < 0.5, usual, dear)
        found = np.maximum(m.overlap * m.checkpoint_cost, m.mtbf * y)
    return np.where(np.isinf(m.mtbf), np.inf, found)


def _lost(machine: Machine) -> FloatArray:
    """Return 1 - beta/alpha, [-], as a sum of what a checkpoint takes, over alpha.

    All in units of e^((C + R)/mu), so that nothing overflows.
    """
    with np.errstate(all="ignore"):
        m, down = machine.at_most_one()
        c, r, d = (each / m.mtbf for each in (m.checkpoint_cost, m.recovery_cost, m.downtime))
        alone = (1.0 - m.overlap) * c
        # What is computed beside a checkpoint, and lost as it fails.
        small = np.minimum(c, 1.0)
        near = (m.overlap * expm1_minus(small) - expm1_minus(m.overlap * small)) * np.exp(-small)
        far = np.exp(-c) - np.exp(-alone) - m.overlap * np.expm1(-c)
        beside = np.maximum(np.where(c < 1.0, near, far), 0.0)
        fewer, writes, up = -np.expm1(-alone), -np.expm1(-c), np.exp(-r)
        repair = times(m.static_power, d) + down
        repair = repair - (m.static_power + m.io_power) * np.expm1(-r)
        lost = (m.static_power * fewer + m.compute_power * beside + m.io_power * writes) * up
        useful = (m.static_power + m.compute_power) * up
        failing = np.where(repair < np.inf, repair / (repair + useful), 1.0)
        found = lost / (repair + useful) + fewer * failing
    # nan where all but a power that draws nothing here has underflown.
    return np.where((writes > 0.0) & ~np.isnan(found), found, 0.0)


def _over_least(machine: Machine, interval: FloatArray) -> FloatArray:
    """Return the energy per work at `interval`, of overlap C and more, over the least one, [-]."""
    lost, y, least = _lost(machine), interval / machine.mtbf, _best(machine) / machine.mtbf

    def pace(z: FloatArray) -> FloatArray:
        # Over e^z, and with the limit where nothing that is lost makes 0 the best interval.
        return np.where(z > 0.0, (lost * np.exp(-z) - np.expm1(-z)) / z, 1.0)

    over = np.exp(y - least) * (pace(y) / pace(least))
    return np.where((y > 0.0) & (y < np.inf), np.maximum(over, 1.0), 1.0)


ROWS = (
    Formula(
        optimal_interval_energy,
        "derived",
        "least energy, powers of aupy2013",
        "exact",
        ranges=RANGES,
        trend=Trend(),
    ),
    Formula(
        time_energy_curve,
        "derived",
        "between two optima, powers of aupy2013",
        "exact",
        ranges=RANGES,
        trend=Trend(),
    ),
)
