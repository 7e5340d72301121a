"""The callback of the Trainer: with a stand-in that calls its documented events, and with it."""

import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest

from perfmodel.advisor import CheckpointAdvisor
from tests.perfmodel.advisor.adapters.clocks import COST, PRIOR, STEP, Clock, saved_steps

HOME = "perfmodel.advisor.adapters.transformers"


@pytest.fixture
def adapter(monkeypatch):
    """Return the class, made with a stand-in for the library."""
    library = ModuleType("transformers")
    library.TrainerCallback = type("TrainerCallback", (), {})
    monkeypatch.setitem(sys.modules, "transformers", library)
    monkeypatch.delitem(sys.modules, HOME, raising=False)
    yield import_module(HOME).AdvisedSaves
    sys.modules.pop(HOME)


def train(callback, clock, *, also_after=(), evaluates_after=(), epochs_end_after=()):
    """Call the events of a Trainer in its order; return after which steps it saved."""
    control, found = SimpleNamespace(should_save=False), []
    state = SimpleNamespace(global_step=0)

    def save_and_evaluate():
        if state.global_step in evaluates_after:
            clock.now += 5000.0
            callback.on_evaluate(None, state, control, metrics={})
        if control.should_save:
            clock.now += COST
            control.should_save = False
            callback.on_save(None, state, control)
            found.append(state.global_step)

    callback.on_train_begin(None, state, control, model=None)
    for step in range(1, 41):
        clock.now += STEP
        state.global_step = step
        control.should_save = step in also_after
        callback.on_step_end(None, state, control, model=None)
        save_and_evaluate()
        if step in epochs_end_after:
            control.should_save = True
            callback.on_epoch_end(None, state, control)
            save_and_evaluate()
    callback.on_train_end(None, state, control)
    return found


def made(adapter, folder, clock):
    return adapter(folder / "advisor.json", cost=COST, prior=PRIOR, clock=clock)


def test_it_saves_when_the_advisor_says_so(adapter, tmp_path):
    clock = Clock()
    assert train(made(adapter, tmp_path, clock), clock) == saved_steps(40)
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert (memory.running, memory.failures) == (False, 0)
    assert memory.cost.mean == pytest.approx(COST)


def test_other_checkpoints_count_and_evaluations_do_not(adapter, tmp_path):
    clock = Clock()
    callback = made(adapter, tmp_path, clock)
    first = saved_steps(40)[0]
    found = train(
        callback,
        clock,
        also_after={first - 1},
        evaluates_after={*range(1, 41)},
        epochs_end_after={20},
    )
    assert found[0] == first - 1
    assert found[1] > first
    assert 20 in found
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert memory.cost.mean == pytest.approx(COST)


@pytest.mark.filterwarnings("ignore")
def test_with_the_library_itself(tmp_path, monkeypatch):
    library = pytest.importorskip("transformers", reason="needs transformers, of no extra")
    torch = pytest.importorskip("torch", reason="needs torch, of no extra")
    pytest.importorskip("accelerate", reason="needs accelerate, of no extra")
    monkeypatch.delitem(sys.modules, HOME, raising=False)
    adapter = import_module(HOME).AdvisedSaves
    clock = Clock()

    class Model(torch.nn.Module):
        def __init__(self, failing=None):
            super().__init__()
            self.layer, self.left = torch.nn.Linear(4, 1), failing

        def forward(self, x):
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise RuntimeError("a node failed")
            clock.now += STEP
            return {"loss": self.layer(x).square().mean()}

    class Trainer(library.Trainer):
        def save_model(self, *arguments, **more):
            clock.now += COST
            super().save_model(*arguments, **more)

    def trainer(model):
        arguments = library.TrainingArguments(
            output_dir=str(tmp_path),
            max_steps=40,
            per_device_train_batch_size=1,
            save_strategy="no",
            save_total_limit=1,
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
        )
        callback = made(adapter, tmp_path, clock)
        data = [{"x": torch.ones(4)}] * 16
        return Trainer(model, arguments, train_dataset=data, callbacks=[callback])

    with pytest.raises(RuntimeError, match="a node failed"):
        trainer(Model(failing=30)).train()
    (kept,) = tmp_path.glob("checkpoint-*")
    assert kept.name == f"checkpoint-{saved_steps(30)[-1]}"
    assert CheckpointAdvisor.load(tmp_path / "advisor.json").memory.running
    clock.now += 9e4
    again = trainer(Model())
    again.train(resume_from_checkpoint=True)
    assert again.state.global_step == 40
    assert [path for path in tmp_path.glob("checkpoint-*") if path != kept]
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert (memory.running, memory.failures) == (False, 1)
    assert memory.cost.mean == pytest.approx(COST)
