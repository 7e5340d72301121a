"""How fast a job steps, for jobs that can write a checkpoint only at the end of a step."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .rule import expected_loss
from .tracked import Tracked


@dataclass(frozen=True, slots=True)
class Pace:
    """What is known of the steps of a job, from those at whose end it was asked.

    Parameters
    ----------
    step : float, [-]
        Number of the last one; nan before the first.
    ended : float, [s]
        When it ended, on the clock of `now`; nan before the first.
    stride : float, [-]
        How many steps lay between the last two.
    time : Tracked or None, [s]
        Of one step, checkpoints excluded; None until two have ended one after the other.
    """

    step: float = math.nan
    ended: float = math.nan
    stride: float = 1.0
    time: Tracked | None = None

    def after(self, now: float, step: float | None, since: float) -> Pace:
        """Return what is known once a step has ended at `now`.

        `since` is when the job last began to work: steps before it took no part of this time.
        """
        if step is None:
            step = 1.0 if math.isnan(self.step) else self.step + 1.0
        stride = step - self.step
        if not stride > 0.0:  # the first step, or the first that is done again
            return Pace(step, now, self.stride, self.time)
        each = (now - max(self.ended, since)) / stride
        return Pace(step, now, stride, Tracked(each) if self.time is None else self.time.seen(each))

    def anew(self) -> Pace:
        """Return what is known when the job has started again, at a step not yet told."""
        return Pace(stride=self.stride, time=self.time)

    @property
    def ahead(self) -> float:
        """Mean time until it is asked again, [s]; 0 while that is unknown."""
        return 0.0 if self.time is None else self.stride * self.time.mean

    @property
    def most_ahead(self) -> float:
        """Three deviations more than that, [s]."""
        return 0.0 if self.time is None else self.stride * self.time.most


def waiting_loses(worked: float, ahead: float, rate: float, cost: float) -> bool:
    """Return whether segments of `worked` seconds lose no more than those `ahead` seconds longer.

    As the loss has one minimum, the first step at which this holds ends the best segment.
    """
    now = expected_loss(worked, rate, cost, 0.0)
    return now <= expected_loss(worked + ahead, rate, cost, 0.0)


def waiting_loses_by_interval(worked: float, ahead: float, interval: float) -> bool:
    """Return the same to first order, where `interval` [s] is the best of all."""
    return worked * (worked + ahead) >= interval * interval
