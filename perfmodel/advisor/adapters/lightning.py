"""An advisor as a callback of Lightning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

try:
    from lightning.pytorch import Callback
except ModuleNotFoundError:  # the same classes under the name of the older package
    from pytorch_lightning import Callback

from .plain import AdvisedLoop

__all__ = ["AdvisedCheckpoint"]


class AdvisedCheckpoint(Callback):
    """Save by `trainer.save_checkpoint` when an advisor says so; keep the newest checkpoint.

    Parameters
    ----------
    folder : path
        Where checkpoints go, as `step=N.ckpt`, and the file of the advisor, `advisor.json`.
    **settings
        Of `AdvisedLoop`: `cost` [s] at least, and `prior`, `end` [s], `every`.

    Notes
    -----
    `Trainer(callbacks=[AdvisedCheckpoint("run", cost=120.0)], enable_checkpointing=False)` saves
    nothing else. With accumulated gradients it asks after each step of the optimizer.
    """

    def __init__(self, folder: str | Path, **settings: Any) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self.loop = AdvisedLoop(self._folder / "advisor.json", **settings)
        self._step = -1
        self._kept = ""

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Begin to advise."""
        del pl_module
        self._step = trainer.global_step
        self.loop.__enter__()

    def on_train_batch_end(self, trainer: Any, *_: Any) -> None:
        """Save if it is due."""
        step, old = trainer.global_step, self._kept
        if step == self._step:
            return
        self._step = step
        if self.loop.after_step(step):
            self._kept = str(self._folder / f"step={step}.ckpt")
            with self.loop.saving():
                trainer.save_checkpoint(self._kept)
            self.loop.durable()
            if old and old != self._kept:
                trainer.strategy.remove_checkpoint(old)

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        """Note that the job ended well."""
        del trainer, pl_module
        self.loop.__exit__(None)

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """Note that it failed, or was stopped by hand."""
        del trainer, pl_module
        self.loop.__exit__(type(exception))

    def state_dict(self) -> dict[str, Any]:
        """Return which checkpoint the next one replaces."""
        return {"kept": self._kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a checkpoint of this callback."""
        self._kept = state_dict["kept"]
