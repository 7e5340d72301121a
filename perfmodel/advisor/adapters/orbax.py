"""An advisor as a save decision policy of Orbax."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .plain import AdvisedLoop

__all__ = ["AdvisedSaves"]


def _jax() -> Any:
    """Return jax if the job has several processes under it, else None."""
    jax: Any = sys.modules.get("jax")
    return jax if jax is not None and jax.process_count() > 1 else None


def _leads() -> bool:
    jax = _jax()
    return jax is None or jax.process_index() == 0


def _agreed(due: bool) -> bool:
    if _jax() is None:
        return due
    from jax.experimental import multihost_utils

    return bool(multihost_utils.broadcast_one_to_all(due))


class AdvisedSaves:
    """A `SaveDecisionPolicy`: save when an advisor says so.

    Parameters
    ----------
    state : path
        File of the advisor, beside the checkpoints.
    **settings
        Of `AdvisedLoop`: `cost` [s] at least, and `latency`, `prior`, `end` [s], `every`.

    Notes
    -----
    `CheckpointManagerOptions(save_decision_policy=AdvisedSaves("advisor.json", cost=5.0))`, with
    `manager.save` called after each step. What a save takes is the time from one question to the
    next, less a step of mean length; it is durable once no save is in progress. `with
    policy.loop:` around the training tells of its end; without it the next start is a failure.
    To save before a preemption too, combine it in an `AnySavePolicy`.
    """

    def __init__(self, state: str | Path, **settings: Any) -> None:
        self.loop = AdvisedLoop(state, leads=_leads, agreed=_agreed, **settings)
        self._answered: tuple[int, bool] | None = None

    def should_save(self, step: Any, previous_steps: Sequence[Any], *, context: Any) -> bool:
        """Return whether to save this step; asked again of the same step, the same."""
        del previous_steps
        if not self.loop.inside:
            self.loop.__enter__()
        if self._answered is None or self._answered[0] != step.step:
            self._learn(step.step, context.is_saving_in_progress)
            due = self.loop.after_step(step.step) and not context.is_saving_in_progress
            if due:
                self.loop.tell("checkpoint_begun")
            self._answered = (step.step, due)
        return self._answered[1]

    def _learn(self, step: int, in_progress: bool) -> None:
        """Take in what became of the last save."""
        now, memory = self.loop.now(), self.loop.advisor.memory
        if not math.isnan(memory.begun):
            pace, passed = memory.pace, now - memory.begun
            took = memory.cost.mean
            if pace.time is not None:
                took = max(passed - (step - pace.step) * pace.time.mean, 0.0)
            self.loop.tell("checkpoint_done", memory.begun + min(took, passed))
        if not in_progress:
            self.loop.durable()
