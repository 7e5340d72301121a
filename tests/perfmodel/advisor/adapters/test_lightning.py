"""The callback of Lightning: with a stand-in that calls its documented hooks, and with itself."""

import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest

from perfmodel.advisor import CheckpointAdvisor
from tests.perfmodel.advisor.adapters.clocks import COST, PRIOR, STEP, Clock, saved_steps

HOME = "perfmodel.advisor.adapters.lightning"


@pytest.fixture
def adapter(monkeypatch):
    """Return the class, made with a stand-in for the library."""
    library = ModuleType("lightning.pytorch")
    library.Callback = type("Callback", (), {})
    monkeypatch.setitem(sys.modules, "lightning", ModuleType("lightning"))
    monkeypatch.setitem(sys.modules, "lightning.pytorch", library)
    monkeypatch.delitem(sys.modules, HOME, raising=False)
    yield import_module(HOME).AdvisedCheckpoint
    sys.modules.pop(HOME)


class Trainer:
    """What the callback uses of a trainer: `global_step`, `save_checkpoint`, `strategy`."""

    def __init__(self, clock):
        self.clock, self.global_step, self.saved, self.removed = clock, 0, [], []
        self.strategy = SimpleNamespace(remove_checkpoint=self.removed.append)

    def save_checkpoint(self, path):
        self.clock.now += COST
        self.saved.append((self.global_step, path))

    def fit(self, callback, batches, accumulated=1):
        callback.on_train_start(self, None)
        for batch in range(batches):
            self.clock.now += STEP / accumulated
            self.global_step = (batch + 1) // accumulated
            callback.on_train_batch_end(self, None, None, None, batch)
        callback.on_train_end(self, None)


@pytest.mark.parametrize("accumulated", [1, 3])
def test_it_saves_when_the_advisor_says_so_and_keeps_one(adapter, tmp_path, accumulated):
    clock = Clock()
    trainer = Trainer(clock)
    callback = adapter(tmp_path / "run", cost=COST, prior=PRIOR, clock=clock)
    trainer.fit(callback, 40 * accumulated, accumulated)
    wanted = saved_steps(40)
    paths = [str(tmp_path / "run" / f"step={step}.ckpt") for step in wanted]
    assert trainer.saved == list(zip(wanted, paths, strict=True))
    assert trainer.removed == paths[:-1]
    assert callback.state_dict() == {"kept": paths[-1]}
    memory = CheckpointAdvisor.load(tmp_path / "run" / "advisor.json").memory
    assert (memory.running, memory.failures) == (False, 0)
    assert memory.cost.mean == pytest.approx(COST)


def test_an_exception_is_a_failure(adapter, tmp_path):
    callback = adapter(tmp_path, cost=COST, clock=Clock())
    callback.on_train_start(SimpleNamespace(global_step=0), None)
    callback.on_exception(None, None, RuntimeError())
    assert CheckpointAdvisor.load(tmp_path / "advisor.json").memory.failures == 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["lightning.pytorch", "pytorch_lightning"])
def test_with_the_library_itself(name, tmp_path, monkeypatch):
    pl = pytest.importorskip(name, reason="needs lightning, of no extra")
    import torch

    if name == "pytorch_lightning":
        monkeypatch.setitem(sys.modules, "lightning.pytorch", None)
    monkeypatch.delitem(sys.modules, HOME, raising=False)
    adapter = import_module(HOME).AdvisedCheckpoint
    clock = Clock()

    class Model(pl.LightningModule):
        def __init__(self, failing=None):
            super().__init__()
            self.layer, self.failing = torch.nn.Linear(4, 1), failing

        def training_step(self, batch, index):
            if self.global_step == self.failing:
                raise RuntimeError("a node failed")
            clock.now += STEP
            return self.layer(batch[0]).square().mean()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

        def on_save_checkpoint(self, checkpoint):
            clock.now += COST

    def fit(model, path=None):
        callback = adapter(tmp_path, cost=COST, prior=PRIOR, clock=clock)
        trainer = pl.Trainer(
            max_steps=40,
            accelerator="cpu",
            callbacks=[callback],
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
        )
        data = torch.utils.data.TensorDataset(torch.ones(16, 4))
        trainer.fit(model, torch.utils.data.DataLoader(data), ckpt_path=path)
        return trainer

    with pytest.raises(RuntimeError, match="a node failed"):
        fit(Model(failing=30))
    (kept,) = tmp_path.glob("*.ckpt")
    assert kept.name == f"step={saved_steps(30)[-1]}.ckpt"
    assert CheckpointAdvisor.load(tmp_path / "advisor.json").memory.failures == 1
    trainer = fit(Model(), str(kept))
    assert trainer.global_step == 40
    (newest,) = tmp_path.glob("*.ckpt")
    assert newest != kept
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert (memory.running, memory.failures) == (False, 1)
