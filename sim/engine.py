"""A clock and a heap of actions; a model cancels what will no longer happen."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

__all__ = ["Engine", "Handle"]


class Handle:
    """A scheduled action; cancelling it leaves an empty entry that the engine skips."""

    __slots__ = ("action", "time")

    def __init__(self, time: float, action: Callable[[], None]) -> None:
        self.time = time
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        """Make sure the action will not run."""
        self.action = None


class Engine:
    """Run actions in time order; ties run in the order they were scheduled."""

    def __init__(self) -> None:
        self._now = 0.0
        self._heap: list[tuple[float, int, Handle]] = []
        self._sequence = count()

    @property
    def now(self) -> float:
        """The current simulated time, [time]."""
        return self._now

    def schedule(self, delay: float, action: Callable[[], None]) -> Handle:
        """Run `action` after `delay` [time]; return a handle to cancel it."""
        if not delay >= 0.0:
            raise ValueError(f"delay must be >= 0, got {delay!r} at now={self._now!r}")
        handle = Handle(self._now + delay, action)
        heapq.heappush(self._heap, (handle.time, next(self._sequence), handle))
        return handle

    def step(self) -> bool:
        """Run the next action that was not cancelled; return False when none is left."""
        while self._heap:
            time, _, handle = heapq.heappop(self._heap)
            if handle.action is None:
                continue
            self._now = time
            handle.action()
            return True
        return False

    def run(self) -> None:
        """Step until no action is left."""
        while self.step():
            pass
