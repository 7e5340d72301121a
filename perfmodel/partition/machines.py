"""Machines that differ in speed, failures and repairs, and what each makes of a share of work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import ArrayLike, FloatArray, IntArray, broadcast, nonnegative, positive
from .._shown import rows_html
from .._special import truncated_exponential_mean, truncated_exponential_variance

_NAMES = ("speed", "mtbf", "mttr", "mttr_cv", "interval", "checkpoint_cost")
_WHOLE = 1e3  # mtbfs in an interval beyond which all work since a failure is done again


@dataclass(frozen=True, slots=True, eq=False)
class Machines:
    r"""Machines of different speed and reliability, one element of each array per machine.

    Parameters
    ----------
    speed : array_like, [work/time]
        tau, work done per unit of failure-free time; > 0.
    mtbf : array_like, [time]
        1/lambda, mean time between failures of one machine; > 0.
    mttr : array_like, [time]
        mu_f, mean downtime after a failure; >= 0 and < mtbf, or downtimes fill all time.
    mttr_cv : array_like, [-]
        sigma_f/mu_f, coefficient of variation of the downtime; >= 0. 1, that of an exponential
        law, if not given; failure logs show 2 to 4.
    interval : array_like, [time]
        gamma, compute time between checkpoints; >= 0. 0: nothing is ever done again.
    checkpoint_cost : array_like, [time]
        alpha, time to store a checkpoint; >= 0, at most 1e100 times `interval`.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0], mtbf=[512.0, 256.0], mttr=2.0, interval=2.0)
    >>> len(machines), machines.effective_speed.round(4).tolist()
    (2, [0.9942, 1.9767])
    """

    speed: ArrayLike
    mtbf: ArrayLike
    mttr: ArrayLike = 0.0
    mttr_cv: ArrayLike = 1.0
    interval: ArrayLike = 0.0
    checkpoint_cost: ArrayLike = 0.0

    def __post_init__(self) -> None:
        speed, mtbf, mttr, cv, interval, cost = broadcast(
            speed=np.atleast_1d(positive("speed", self.speed)),
            mtbf=positive("mtbf", self.mtbf),
            mttr=nonnegative("mttr", self.mttr),
            mttr_cv=nonnegative("mttr_cv", self.mttr_cv),
            interval=nonnegative("interval", self.interval),
            checkpoint_cost=nonnegative("checkpoint_cost", self.checkpoint_cost),
        )
        if speed.ndim != 1:
            raise ValueError(f"speed must be one-dimensional, got shape {speed.shape}")
        if (bad := mttr >= mtbf).any():
            at = int(np.argmax(bad))
            raise ValueError(f"mttr must be < mtbf = {mtbf[at]:g}, got {float(mttr[at])!r}")
        if (bad := (interval == 0.0) & (cost > 0.0)).any():
            raise ValueError(f"interval must be > 0 where checkpoint_cost is, got {0.0!r}")
        if (bad := cost > 1e100 * np.minimum(interval, 1e200)).any():
            most = float(cost[int(np.argmax(bad))])
            raise ValueError(f"checkpoint_cost must be at most 1e100 times interval, got {most!r}")
        names = ("speed", "mtbf", "mttr", "mttr_cv", "interval", "checkpoint_cost")
        for name, array in zip(names, (speed, mtbf, mttr, cv, interval, cost), strict=True):
            own = array.copy()
            own.flags.writeable = False
            object.__setattr__(self, name, own)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __repr__(self) -> str:
        spans = (
            f"{name} {least:.6g}" if least == most else f"{name} {least:.6g} to {most:.6g}"
            for name, own in zip(_NAMES, self.columns, strict=True)
            for least, most in [(own.min(), own.max())]
        )
        return f"<{len(self):,} machines: {', '.join(spans)}>"

    def _repr_html_(self) -> str:
        rows = zip(range(len(self)), *self.columns, strict=True)
        return rows_html(f"{len(self):,} machines", ("", *_NAMES), rows)

    @property
    def columns(self) -> tuple[FloatArray, ...]:
        """The six arrays in the order of the arguments."""
        return tuple(
            np.asarray(column)
            for column in (
                self.speed,
                self.mtbf,
                self.mttr,
                self.mttr_cv,
                self.interval,
                self.checkpoint_cost,
            )
        )

    def take(self, chosen: ArrayLike) -> Machines:
        """Return the machines with these indices, in their order."""
        return Machines(*(column[np.asarray(chosen)] for column in self.columns))

    @property
    def slowdown(self) -> FloatArray:
        r"""Mean completion time per failure-free time, E[T]/w of wsj eq. (12), [-]."""
        _, mtbf, mttr, _, _, _ = self.columns
        return 1.0 / (1.0 - mttr / mtbf) + self.storage + self.rework_mean / mtbf

    @property
    def effective_speed(self) -> FloatArray:
        r"""Speed that is left under failures, tau/(E[T]/w), [work/time].

        Without storage cost tau (1 - rho_f)/(1 + rho_c - rho_c rho_f) as in wsj eq. (14), by
        which Fig. 7 sorts; the figure prints (1 - rho_c) in the numerator by mistake.
        """
        return self.columns[0] / self.slowdown

    @property
    def storage(self) -> FloatArray:
        """Checkpoint time per compute time, alpha/gamma, [-]."""
        *_, interval, cost = self.columns
        return np.asarray(cost / np.where(interval > 0.0, interval, 1.0))

    @property
    def rework_mean(self) -> FloatArray:
        """Mean work done again after a failure, mu_c of wsj eq. (11), [time]."""
        _, mtbf, _, _, interval, _ = self.columns
        with np.errstate(over="ignore"):
            x = np.minimum(interval / mtbf, _WHOLE)
        return np.where(x < _WHOLE, interval * truncated_exponential_mean(x), mtbf)

    def subtasks(self, shares: FloatArray) -> Subtasks:
        """Return the laws of the completion times of these shares of work, last axis machines."""
        speed, mtbf, mttr, cv, interval, _ = self.columns
        # In multiples of the mtbf, and of the loss at a failure, so that no square overflows.
        with np.errstate(all="ignore"):
            time = shares / speed
            failures, x = time / mtbf, np.minimum(interval / mtbf, _WHOLE)
            down, up = mttr / mtbf, 1.0 - mttr / mtbf
            rework = x * truncated_exponential_mean(x)
            rework_std = x * np.sqrt(truncated_exponential_variance(x))
            loss = down / up + rework
            repair, again = down / up / loss, rework / loss
            square = repair**2 * (1.0 + cv**2) / up + again**2 + (rework_std / loss) ** 2
            square += 2.0 * repair * again
            failing = -np.expm1(-failures)
            given = np.where(failures < 1e-16, 1.0, failures / failing)
            # (V + m^2)/p - (m/p)^2 of corrected eq. (7) over m/p: no cancellation at small p.
            spread = square - given * np.exp(-failures)
            # Fixed losses leave only rounding here; the Gamma law then is as narrow as a step.
            spread = np.maximum(spread, 1e-10 * given)
            shape, scale = given / spread, mtbf * loss * spread
            # More failures than a float counts are a step, where their time is.
            endless = np.isinf(failures)
            shape = np.where(endless, 1e10, shape)
            scale = np.where(endless, 1e-10 * time * loss, scale)
            lossy = loss > 0.0
            return Subtasks(
                start=time * (1.0 + self.storage),
                failing=np.where(lossy, failing, 0.0),
                shape=np.where(lossy, shape, 1.0),
                scale=np.where(lossy, scale, 1.0),
            )


@dataclass(frozen=True, slots=True, eq=False)
class Subtasks:
    """Completion times as atoms at `start` and, with probability `failing`, a Gamma law beyond.

    Parameters
    ----------
    start : ndarray, [time]
        Completion times without failures.
    failing : ndarray, [-]
        Probabilities of any failure.
    shape, scale : ndarray, [-], [time]
        Of the time lost, given a failure.
    """

    start: FloatArray
    failing: FloatArray
    shape: FloatArray
    scale: FloatArray

    def take(self, chosen: IntArray) -> Subtasks:
        """Return some of them, along the last axis."""
        return Subtasks(
            self.start[..., chosen],
            self.failing[..., chosen],
            self.shape[..., chosen],
            self.scale[..., chosen],
        )
