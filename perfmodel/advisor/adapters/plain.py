"""An advisor in a plain training loop, of PyTorch or of anything else."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self, Unpack

from ..._checks import scalar, whole
from ._file import LoopSettings, keep, opened, spelled_out
from ._ranks import agreed, leads

__all__ = ["AdvisedLoop"]


@spelled_out
class AdvisedLoop:
    """Say after a step whether to save; learn from failures, and from what saving takes.

    Parameters
    ----------
    state : path
        File in which the advisor outlives the job; the first run writes it.
    end : float, [s]
        When this allocation ends, on the clock; inf if it does not.
    every : int, [-]
        Ask after every so many steps; each answer is sent to all processes.
    clock : callable, [s]
        Returns the time, from an origin that a restart does not move.
    leads, agreed : callable
        Whether this process asks and writes; its answer, for all. Those of `torch.distributed`.
    **settings
        Of a new `CheckpointAdvisor`: `cost` [s], for which saving stops the loop, and `prior`.

    Raises
    ------
    ValueError
        If the advisor is one of several levels.

    Notes
    -----
    A loop that ends in an exception failed, and so did one that was killed before it ended.
    """

    def __init__(
        self,
        state: str | Path,
        *,
        end: float = math.inf,
        every: int = 1,
        clock: Callable[[], float] = time.time,
        leads: Callable[[], bool] = leads,
        agreed: Callable[[bool], bool] = agreed,
        **settings: Unpack[LoopSettings],
    ) -> None:
        self._state, self._end, self._clock = Path(state), end, clock
        self._every, self._leads, self._agreed = scalar(whole, "every", every), leads, agreed
        self.inside = False
        self.advisor = opened(self._state, settings)

    def __enter__(self) -> Self:
        self.inside = True
        self.advisor.ends(self._end)
        self.tell("started")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.inside = False
        self.tell("failed" if issubclass(kind or BaseException, Exception) else "stopped")

    def after_step(self, step: int) -> bool:
        """Return whether to save now that a step has ended; all processes must ask."""
        asks = step % self._every == 0
        return asks and self._agreed(self._leads() and self.advisor.stepped(self.now(), step))

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Measure for how long the loop stands still to save."""
        self.tell("checkpoint_begun")
        yield
        self.tell("checkpoint_done")

    def durable(self) -> None:
        """Say that what was saved is durable; needed with a `latency` only."""
        if not math.isnan(self.advisor.memory.draining):
            self.tell("checkpoint_durable")

    def tell(self, event: str, time: float | None = None) -> None:
        """Call the method of the advisor, at the time of the clock if none is given; save it."""
        if self._leads():
            getattr(self.advisor, event)(self.now() if time is None else time)
            keep(self.advisor, self._state)

    def now(self) -> float:
        """Return the time, not before the last event: a clock may be set back."""
        return self.advisor.clocked(self._clock())
