"""An advisor as a callback of the Trainer of Hugging Face."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from .plain import AdvisedLoop

__all__ = ["AdvisedSaves"]


class AdvisedSaves(TrainerCallback):
    """Set `control.should_save` when an advisor says so.

    Parameters
    ----------
    state : path
        File of the advisor, such as `advisor.json` in the output folder.
    **settings
        Of `AdvisedLoop`: `cost` [s] at least, and `prior`, `end` [s], `every`.

    Notes
    -----
    `TrainingArguments(save_strategy="no")` saves nothing else; the advisor learns from checkpoints
    that other strategies ask for, too. `save_total_limit` says how many are kept.
    """

    def __init__(self, state: str | Path, **settings: Any) -> None:
        self.loop = AdvisedLoop(state, **settings)

    @property
    def _saving(self) -> bool:
        return not math.isnan(self.loop.advisor.memory.begun)

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin to advise."""
        del args, state, control
        self.loop.__enter__()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Ask for a checkpoint if one is due."""
        del args
        if self.loop.after_step(state.global_step):
            control.should_save = True
        if control.should_save:
            self.loop.tell("checkpoint_begun")

    def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Measure a checkpoint that is saved at the end of an epoch."""
        del args, state
        if control.should_save:
            self.loop.tell("checkpoint_begun")

    def on_evaluate(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Leave an evaluation before the checkpoint out of its cost."""
        del args, state, control
        if self._saving:
            self.loop.tell("checkpoint_begun")

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Note what the checkpoint took."""
        del args, state, control
        if self._saving:
            self.loop.tell("checkpoint_done")
            self.loop.durable()

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Note that the job ended well."""
        del args, state, control
        self.loop.__exit__(None)
