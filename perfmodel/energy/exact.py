r"""Energy of a job that goes on computing while it writes its checkpoints, exactly.

A job computes for `interval`, writes a checkpoint for `checkpoint_cost`, and so on until its work
is done and saved. While a checkpoint is written, the next work advances at `overlap` times the
usual speed; the checkpoint holds the state at its beginning. If that work is done before the
checkpoint is written, the job stands still until it is. A failure loses all that the last
completed checkpoint does not hold; then come `downtime` and a recovery, after which computing goes
on alone. Failures strike at any time but during downtime.

The machine draws `static_power` all the time and, on top of it, `compute_power` while it computes
at full speed (at a lower speed, as much of it), `io_power` while it writes or reads a checkpoint,
and `down_power` while it is down. With static power alone, energy is time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    comparable,
    fraction,
    nonnegative,
    positive,
    positive_or_inf,
)
from .._special import expm1_minus
from ..formula import ANY, Formula, Trend
from ..makespan.segments import split


def expected_energy(
    work: ArrayLike,
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
    r"""Mean energy of a job that checkpoints after every `interval` of work.

    .. math::
        E &= \sum_k (P_s + P_c) \mu \left(e^{b_k/\mu} - e^{C/\mu} - e^{o_k/\mu} + 1\right)
             + (P_s + P_{io}) \mu \left(e^{C/\mu} - 1\right)
             + \omega P_c \mu e^{C/\mu} \left(1 - e^{-o_k/(\omega\mu)}\right)
             + J \left(e^{b_k/\mu} - e^{o_k/\mu}\right) \\
        J &= e^{R/\mu} (P_s + P_d) D + (P_s + P_{io}) \mu \left(e^{R/\mu} - 1\right)

    with b_k = w_k + C, and o_k = min(w_k, omega C) the work that advances while the checkpoint
    before is written; o_1 = 0.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment; > 0. From `work` on, inf too: a single segment.
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
    ndarray, [power time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact for any ratio of its arguments: each power times the mean time of its state. With
    static power 1 alone it is `expected_makespan`, without overlap, and else
    `expected_makespan_async` for free copies that drain for C with a slowdown of 1 - omega.
    Source: derived in tests/derivations/test_energy.py. The states and their powers are those of
    [1]_, of which only the abstract was seen.

    Judged for overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    >>> e = expected_energy(
    ...     1000.0, interval=100.0, mtbf=300.0, checkpoint_cost=10.0, recovery_cost=10.0,
    ...     downtime=1.0, overlap=0.5, static_power=10.0, compute_power=10.0, io_power=100.0,
    ... )
    >>> round(float(e), 3)
    40105.974
    """
    given = (
        *(work, interval, mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )
    w_total, w, machine = _checked_job(*given)
    with np.errstate(all="ignore"):
        useful = w_total * (machine.static_power + machine.compute_power)
        return answer(useful + _beyond(w_total, w, machine), *given)


def waste_energy(
    work: ArrayLike,
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
    r"""Share of the expected energy beyond what the work takes without failures and checkpoints.

    .. math:: 1 - (P_s + P_c) W / E

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment; > 0. From `work` on, inf too: a single segment.
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
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together. An infinite energy gives 1.

    Notes
    -----
    Exact, as `expected_energy`, and relatively accurate however small it is: what is lost is
    summed by itself. With static power alone it is the waste of time.
    Source: derived in tests/derivations/test_energy.py; the states and their powers are those of
    [1]_, of which only the abstract was seen.

    Judged for overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    >>> job = {"mtbf": 300.0, "checkpoint_cost": 10.0, "overlap": 0.5}
    >>> time = waste_energy(1000.0, interval=100.0, **job, static_power=1.0, compute_power=0.0)
    >>> energy = waste_energy(
    ...     1000.0, interval=100.0, **job, static_power=10.0, compute_power=10.0, io_power=100.0
    ... )
    >>> round(float(time), 4), round(float(energy), 4)
    (0.2208, 0.4331)
    """
    given = (
        *(work, interval, mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )
    w_total, w, machine = _checked_job(*given)
    with np.errstate(all="ignore"):
        lost = _beyond(w_total, w, machine.relative()) / w_total
        return answer(np.where(np.isinf(lost), 1.0, lost / (1.0 + lost)), *given)


def energy_per_work(
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
    r"""Mean energy of a long job over its work.

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
        At least P_s + P_c. Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact: the sum of `expected_energy` over its segments but the first, over their work. With
    static power 1 alone it is the time of a long job over its work.
    Source: derived in tests/derivations/test_energy.py; the states and their powers are those of
    [1]_, of which only the abstract was seen.

    Judged for overlap 0 to 1, and any other ratio from 1e-6 to 1e6. Powers must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert and J. Dongarra, "Optimal checkpointing
       period: time vs. energy", PMBS, 2013.

    Examples
    --------
    >>> job = {"interval": 100.0, "mtbf": 300.0, "checkpoint_cost": 10.0, "overlap": 0.5}
    >>> powers = {"static_power": 10.0, "compute_power": 10.0, "io_power": 100.0}
    >>> round(float(energy_per_work(**job, **powers)), 3)
    35.227
    """
    given = (
        *(interval, mtbf, checkpoint_cost, recovery_cost, downtime, overlap),
        *(static_power, compute_power, io_power, down_power),
    )
    machine, w = checked_machine(*given[1:], interval=positive("interval", interval))
    with np.errstate(all="ignore"):
        useful = machine.static_power + machine.compute_power
        return answer(useful + machine.beyond(w, saved=True) / w, *given)


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine costs in time and power; arrays of one shape, `mtbf` may be inf."""

    mtbf: FloatArray
    checkpoint_cost: FloatArray
    recovery_cost: FloatArray
    downtime: FloatArray
    overlap: FloatArray
    static_power: FloatArray
    compute_power: FloatArray
    io_power: FloatArray
    down_power: FloatArray

    def relative(self) -> Machine:
        """Return the same with powers in multiples of that of computing."""
        return self._in_units(self.static_power + self.compute_power)

    def at_most_one(self) -> tuple[Machine, FloatArray]:
        """Return the same with powers over a large one, and what downtime draws per mtbf so."""
        down = times(self.down_power, self.downtime / self.mtbf)
        busy = self.static_power + self.compute_power
        unit = np.minimum(np.maximum(np.maximum(busy, self.io_power), down), 1e300)
        return self._in_units(unit), np.minimum(down / unit, 1e300)

    def _in_units(self, unit: FloatArray) -> Machine:
        return replace(self, **{name: getattr(self, name) / unit for name in POWERS})

    def time_alone(self) -> Machine:
        """Return the same with static power alone, so that energy is time."""
        none = dict.fromkeys(POWERS, np.zeros_like(self.mtbf))
        return replace(self, **{**none, "static_power": np.ones_like(self.mtbf)})

    def with_an_axis(self) -> Machine:
        """Return the same with a further axis at the end."""
        return Machine(*(getattr(self, name)[..., None] for name in (*COSTS, *POWERS)))

    def beyond(self, work: FloatArray, *, saved: bool) -> FloatArray:
        """Return the mean energy of a segment without that of its work, [power time].

        In parts that are not negative. `saved`: whether a checkpoint came before it.
        """
        mu, c, share = self.mtbf, self.checkpoint_cost, self.overlap
        beside = np.minimum(work, share * c) if saved else np.zeros_like(work)
        alone = work - beside
        x = alone + c
        span = np.where(beside < share * c, beside / share, c)  # of the checkpoint before
        span = np.where(beside > 0.0, span, 0.0)
        static = (c - beside) + times(self._grown(beside), np.expm1(x / mu)) + self._rework(x)
        computing = (
            self._rework(alone)
            + times(self._grown(c), np.expm1(work / mu))
            + times(self._grown(alone), np.expm1(beside / mu))
            + times(self._grown(c - span), np.expm1(span / mu)) * share
            + self._rework(span) * share
        )
        failures = times(np.exp(beside / mu), np.expm1(x / mu))
        return np.asarray(
            times(self.static_power, static)
            + times(self.compute_power, computing)
            + times(self.io_power, self._grown(c))
            + times(failures, self._repair())
        )

    def _repair(self) -> FloatArray:
        """Return the mean energy from a failure to the end of the recovery, [power time]."""
        down = times(np.exp(self.recovery_cost / self.mtbf), self.downtime)
        return np.asarray(
            times(self.static_power + self.down_power, down)
            + times(self.static_power + self.io_power, self._grown(self.recovery_cost))
        )

    def _grown(self, span: FloatArray) -> FloatArray:
        """Return mu (e^(span/mu) - 1), which is `span` where nothing ever fails."""
        return times(span, special.exprel(span / self.mtbf))

    def _rework(self, span: FloatArray) -> FloatArray:
        """Return mu (e^(span/mu) - 1) - span, 0 where nothing ever fails."""
        z = span / self.mtbf
        share = np.where(z < 1e-16, 0.5 * z, expm1_minus(z) / z)
        return times(span, np.where(np.isinf(z), np.inf, share))


def times(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the product; what never happens costs nothing, even if it were infinite."""
    return np.where((one > 0.0) & (other > 0.0), one * other, 0.0)


def _beyond(work: FloatArray, interval: FloatArray, machine: Machine) -> FloatArray:
    """Return the mean energy of a job without that of its work, [power time]."""
    whole, segment, last = split(work, interval)
    several = whole > 0.0
    found = machine.beyond(np.where(several, segment, last), saved=False)
    later = times(whole - 1.0, machine.beyond(segment, saved=True))
    return found + np.where(several, later + machine.beyond(last, saved=True), 0.0)


def _checked_job(
    work: ArrayLike, interval: ArrayLike, *machine: ArrayLike
) -> tuple[FloatArray, FloatArray, Machine]:
    found, w_total, w = checked_machine(
        *machine,
        work=positive("work", work),
        interval=positive_or_inf("interval", interval),
    )
    return w_total, w, found


def checked_machine(  # noqa: PLR0917 (in the order of the public functions)
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike,
    downtime: ArrayLike,
    overlap: ArrayLike,
    static_power: ArrayLike,
    compute_power: ArrayLike,
    io_power: ArrayLike,
    down_power: ArrayLike,
    **more: FloatArray,
) -> tuple[Any, ...]:
    """Check the arguments of a machine; return it, and `more` broadcast with it."""
    arrays = broadcast(
        **more,
        mtbf=positive_or_inf("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=nonnegative("downtime", downtime),
        overlap=fraction("overlap", overlap),
        static_power=positive("static_power", static_power),
        compute_power=nonnegative("compute_power", compute_power),
        io_power=nonnegative("io_power", io_power),
        down_power=nonnegative("down_power", down_power),
    )
    comparable(**dict(zip(POWERS, arrays[-len(POWERS) :], strict=True)))
    return Machine(*arrays[len(more) :]), *arrays[: len(more)]


COSTS = ("mtbf", "checkpoint_cost", "recovery_cost", "downtime", "overlap")
POWERS = ("static_power", "compute_power", "io_power", "down_power")
RANGES = {
    **{f"{name}/mtbf": ANY for name in ("checkpoint_cost", "recovery_cost", "downtime")},
    "overlap": (0.0, 1.0),
    **{f"{name}/static_power": ANY for name in ("compute_power", "io_power", "down_power")},
}
_DOMAIN = {
    "interval": (0.05, 0.5),
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-3, 0.3),
    "recovery_cost": (1e-3, 0.5),
    "downtime": (1e-3, 1.0),
    "overlap": (0.1, 1.0),
    "static_power": (0.1, 10.0),
    "compute_power": (0.1, 10.0),
    "io_power": (0.1, 10.0),
    "down_power": (0.1, 10.0),
}
_RISING = ("checkpoint_cost", "recovery_cost", "downtime")
_DRAWN = ("static_power", "compute_power", "io_power", "down_power")

ROWS = (
    Formula(
        expected_energy,
        "derived",
        "powers of aupy2013",
        "exact",
        ranges={"work/mtbf": ANY, "interval/mtbf": ANY, **RANGES},
        domain={"work": (0.1, 2.0), **_DOMAIN},
        trend=Trend(rising=("work", *_RISING, *_DRAWN), falling=("mtbf",)),
    ),
    Formula(
        waste_energy,
        "derived",
        "powers of aupy2013",
        "exact",
        ranges={"work/mtbf": ANY, "interval/mtbf": ANY, **RANGES},
        domain={"work": (0.1, 2.0), **_DOMAIN},
        trend=Trend(rising=(*_RISING, "io_power", "down_power"), falling=("mtbf",)),
    ),
    Formula(
        energy_per_work,
        "derived",
        "powers of aupy2013",
        "exact",
        ranges={"interval/mtbf": ANY, **RANGES},
        domain=_DOMAIN,
        trend=Trend(rising=(*_RISING, *_DRAWN), falling=("mtbf",)),
    ),
)
