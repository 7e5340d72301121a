"""What a job loses that asks an advisor, in a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from perfmodel.advisor import Prior
from sim.application import Advice, simulate_advised_job

from .windows import Window

__all__ = ["PRIORS", "Makes", "lost_by", "lost_by_advisor", "lost_without_state"]

Makes = Callable[..., Advice]

# What an advisor is told before the window.
PRIORS: dict[str, Callable[[Window], Prior]] = {
    "history": lambda window: Prior.of_history(*window.history(0.0)),
    "nothing": lambda window: Prior.unknown(),
    "right": lambda window: Prior(2.0, 2.0 * window.mtbf),
}


def lost_by_advisor(make: Makes, window: Window, *, prior: str) -> float:
    """Return the time lost by a job that asks ``make(cost=..., prior=...)``, [s]."""
    return lost_by(make(cost=window.cost, prior=PRIORS[prior](window)), window)


def lost_without_state(make: Makes, window: Window) -> float:
    """Return the time lost if each restart begins with the history of that instant alone, [s]."""
    return lost_by(_Forgetful(make, window), window)


def lost_by(advice: Advice, window: Window) -> float:
    """Return the time lost in the window by a job that follows the advice, [s]."""
    played = simulate_advised_job(
        advice,
        failures=window.struck,
        duration=window.duration,
        checkpoint_costs=_costs(advice, window),
        recovery_cost=window.recovery,
    )
    return window.duration - played.useful


def _costs(advice: Advice, window: Window) -> Iterator[float]:
    drawn = window.costs.tolist()
    if window.growth == 1.0:
        return iter(drawn)
    return (cost * window.dearer(advice.next_checkpoint()) for cost in drawn)


class _Forgetful:
    """An advisor of which no state survives a restart."""

    def __init__(self, make: Makes, window: Window) -> None:
        self.make, self.window = make, window
        self.advisor: Advice = self._fresh(0.0)

    def _fresh(self, now: float) -> Advice:
        return self.make(cost=self.window.cost, prior=Prior.of_history(*self.window.history(now)))

    def next_checkpoint(self) -> float:
        return self.advisor.next_checkpoint()

    def started(self, now: float) -> None:
        self.advisor = self._fresh(now)
        self.advisor.started(now)

    def restored(self, now: float) -> None:
        self.advisor.restored(now)

    def failed(self, now: float) -> None:
        self.advisor.failed(now)

    def checkpoint_begun(self, now: float) -> None:
        self.advisor.checkpoint_begun(now)

    def checkpoint_done(self, now: float) -> None:
        self.advisor.checkpoint_done(now)
