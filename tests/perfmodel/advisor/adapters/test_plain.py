"""A training loop without a library, and one of PyTorch."""

import math
import os
import subprocess
import sys
import warnings
from inspect import signature

import pytest

from perfmodel.advisor import CheckpointAdvisor
from perfmodel.advisor.adapters.plain import AdvisedLoop
from perfmodel.levels import Level
from tests.perfmodel.advisor.adapters.clocks import COST, PRIOR, STEP, Clock, saved_steps

SETTINGS = {"cost": COST, "prior": PRIOR}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "advisor.json"


def run(loop, clock, steps, *, taken=COST):
    """Return after which steps the loop saved."""
    found = []
    with loop:
        for step in steps:
            clock.now += STEP
            if loop.after_step(step):
                with loop.saving():
                    clock.now += taken
                found.append(step)
    return found


def test_it_saves_when_the_advisor_says_so(path):
    clock = Clock()
    loop = AdvisedLoop(path, clock=clock, **SETTINGS)
    assert run(loop, clock, range(1, 60), taken=90.0) == saved_steps(59, taken=90.0)
    memory = CheckpointAdvisor.load(path).memory
    assert not memory.running
    assert memory.failures == 0
    assert memory.cost.mean > COST


@pytest.mark.parametrize(("error", "failures"), [(RuntimeError, 1), (KeyboardInterrupt, 0)])
def test_an_error_is_a_failure_and_an_interrupt_is_not(path, error, failures):
    with pytest.raises(error), AdvisedLoop(path, clock=Clock(), **SETTINGS):
        raise error
    memory = CheckpointAdvisor.load(path).memory
    assert (memory.failures, memory.running) == (failures, False)


def test_a_loop_that_was_killed_has_failed(path):
    clock = Clock()
    AdvisedLoop(path, clock=clock, **SETTINGS).__enter__()
    clock.now += 9e5
    with AdvisedLoop(path, clock=clock, **SETTINGS) as again:
        assert again.advisor.memory.failures == 1
        assert 0.0 < again.advisor.memory.watched < 9e5


def test_an_end_is_of_one_allocation(path):
    clock = Clock(0.0)
    with AdvisedLoop(path, clock=clock, end=7200.0, **SETTINGS) as loop:
        assert loop.advisor.next_checkpoint() <= 7200.0 - COST
        assert loop.advisor.memory.bound == "end"
    with AdvisedLoop(path, clock=clock, **SETTINGS) as loop:
        assert loop.advisor.end == math.inf


def test_one_that_asks_seldom_asks_at_multiples(path):
    clock = Clock()
    loop = AdvisedLoop(path, clock=clock, every=4, **SETTINGS)
    found = run(loop, clock, range(1, 60))
    assert found
    assert all(step % 4 == 0 for step in found)
    with pytest.raises(ValueError, match="every must be a whole number >= 1, got 0"):
        AdvisedLoop(path, every=0, **SETTINGS)


def test_a_snapshot_on_its_way(path):
    clock = Clock()
    with AdvisedLoop(path, clock=clock, latency=60.0, **SETTINGS) as loop:
        with loop.saving():
            clock.now += 5.0
        clock.now += 9e5
        assert not loop.after_step(1)
        loop.durable()
        loop.durable()
        assert loop.after_step(2)


def test_neither_a_clock_set_back_nor_a_full_disk_ends_the_training(path, monkeypatch):
    clock = Clock()
    with AdvisedLoop(path, clock=clock, **SETTINGS) as loop:
        loop.after_step(1)
        clock.now -= 500.0
        loop.after_step(2)
        monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
        with pytest.warns(UserWarning, match="must be writable, got full"), loop.saving():
            pass
        monkeypatch.undo()
    assert not CheckpointAdvisor.load(path).memory.running


def test_only_the_first_process_asks_and_writes(path):
    answers = []
    loop = AdvisedLoop(
        path,
        leads=lambda: False,
        agreed=lambda due: answers.append(due) or True,
        **SETTINGS,
    )
    with loop:
        assert loop.after_step(1)
        with loop.saving():
            pass
    assert answers == [False]
    assert not path.exists()


def test_no_adapter_and_no_library_is_loaded_before_it_is_asked_for():
    code = (
        "import sys, perfmodel, perfmodel.advisor.adapters; perfmodel.advisor.CheckpointAdvisor; "
        "names = ('torch', 'lightning', 'transformers', 'orbax', 'jax', 'plain'); "
        "print([m for m in sys.modules if m.rpartition('.')[2] in names]); "
        "import perfmodel.advisor.adapters.plain, perfmodel.advisor.adapters.orbax; "
        "print([m for m in sys.modules if m in names])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "[]"]


RANKS = """
import sys, torch.distributed as group
from perfmodel.advisor.adapters.plain import AdvisedLoop
from perfmodel.levels import Level

rank, store, state = int(sys.argv[1]), sys.argv[2], sys.argv[3]
group.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
clocks = (iter(range(0, 10**9, 600)), iter(range(0, 10**9, 7)))  # they disagree
found = []
with AdvisedLoop(state, cost=60.0, clock=clocks[rank].__next__) as loop:
    for step in range(1, 60):
        if loop.after_step(step):
            with loop.saving():
                found.append(step)
print(found)
"""


def torch():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("torch", reason="needs torch, of no extra")


def test_all_ranks_of_torch_save_after_the_same_steps(path, tmp_path):
    torch()
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", RANKS, str(rank), str(tmp_path / "store"), str(path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in (0, 1)
    ]
    first, second = (rank.communicate(timeout=300)[0] for rank in ranks)
    assert first == second
    assert len(first) > 10


@pytest.mark.filterwarnings("ignore")
def test_a_loop_of_torch_goes_on_where_it_saved(path, tmp_path):
    library = torch()

    def train(count):
        """Return the steps and losses of a run that stops after `count` of them."""
        library.manual_seed(1)
        model = library.nn.Linear(3, 1)
        optimizer = library.optim.SGD(model.parameters(), lr=0.1)
        saved, first = tmp_path / "model.pt", 0
        if saved.exists():
            known = library.load(saved)
            model.load_state_dict(known["model"])
            first = known["step"]
        losses = {}
        with AdvisedLoop(path, clock=clock, **SETTINGS) as loop:
            for step in range(first + 1, count + 1):
                batch = library.full((2, 3), 1.0 / step)
                loss = (model(batch) - 1.0).square().mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses[step] = float(loss)
                clock.now += STEP
                if loop.after_step(step):
                    with loop.saving():
                        library.save({"model": model.state_dict(), "step": step}, saved)
                        clock.now += COST
            if count < 40:
                raise RuntimeError("a node failed")
        return losses

    clock = Clock()
    with pytest.raises(RuntimeError):
        train(25)
    again = train(40)
    assert min(again) == max(saved_steps(25)) + 1
    (tmp_path / "model.pt").unlink()
    whole = train(40)
    assert {step: whole[step] for step in again} == again
    assert CheckpointAdvisor.load(path).memory.failures == 1


def test_an_advisor_of_levels_is_refused(tmp_path):
    levels = [Level(1.0, 1.0, 0.5)]
    with pytest.raises(ValueError, match=r"levels must be left out of a loop that saves in one"):
        AdvisedLoop(tmp_path / "advisor.json", cost=5.0, levels=levels)
    CheckpointAdvisor(cost=5.0, levels=levels).save(tmp_path / "advisor.json")
    with pytest.raises(ValueError, match=r"levels must be left out of a loop that saves in one"):
        AdvisedLoop(tmp_path / "advisor.json")


def test_the_numbers_of_the_steps_are_told(path):
    clock = Clock()
    loop = AdvisedLoop(path, clock=clock, every=4, **SETTINGS)
    found = run(loop, clock, range(1, 30))
    pace = loop.advisor.memory.pace
    assert (pace.step, pace.stride) == (28.0, 4.0)
    assert pace.time.mean == pytest.approx(STEP)
    assert pace.ended == 1000.0 + 28 * STEP + COST * sum(step < 28 for step in found)


def test_a_loop_is_inside_only_between_its_ends(path):
    loop = AdvisedLoop(path, clock=Clock(), **SETTINGS)
    assert not loop.inside
    with loop as same:
        assert same is loop
        assert loop.inside
        assert loop.advisor.memory.running
        assert loop.advisor.memory.last == 1000.0
    assert not loop.inside


def test_the_time_is_not_before_the_last_event_nor_the_last_step(path):
    clock = Clock(50.0)
    loop = AdvisedLoop(path, clock=clock, **SETTINGS)
    assert loop.now() == 50.0
    with loop:
        clock.now = 40.0
        assert loop.now() == 50.0
        clock.now = 70.0
        loop.after_step(1)
        clock.now = 60.0
        assert loop.now() == 70.0
        loop.tell("checkpoint_begun", 80.0)
        assert loop.now() == 80.0
        assert loop.advisor.memory.begun == 80.0


def test_refusals_and_warnings_word_for_word(path, monkeypatch):
    levels = [Level(1.0, 1.0, 0.5)]
    with pytest.raises(ValueError, match="levels") as error:
        AdvisedLoop(path, cost=5.0, levels=levels)
    assert str(error.value) == (
        "levels must be left out of a loop that saves in one way, got 1: ask a CheckpointAdvisor "
        "itself"
    )
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.warns(UserWarning, match="writable") as told:
        AdvisedLoop(path, clock=Clock(), **SETTINGS).__enter__()
    assert str(told[0].message) == f"{path} must be writable, got full"
    assert told[0].filename.endswith("plain.py")


def test_its_signature_shows_the_settings_of_an_advisor():
    shown = signature(AdvisedLoop).parameters
    settings = signature(CheckpointAdvisor).parameters
    assert [*shown][:6] == ["state", "end", "every", "clock", "leads", "agreed"]
    # A loop saves in one way, and what an advisor remembers comes from its file.
    assert {*shown} - {*[*shown][:6]} == {*settings} - {"end", "levels", "memory"}
    assert all(shown[name].annotation == settings[name].annotation for name in [*shown][6:])
    assert shown["least"].default == settings["least"].default
