"""Several processes: stand-ins for `torch.distributed` and jax, by what is asked of them."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from perfmodel.advisor.adapters._ranks import agreed, leads
from perfmodel.advisor.adapters.orbax import AdvisedSaves
from perfmodel.advisor.tracked import Tracked
from tests.perfmodel.advisor.adapters.clocks import COST, PRIOR, STEP, Clock


class Group:
    """A process group in which the first process says yes."""

    def __init__(self, rank, *, available=True, initialised=True):
        self.is_available, self.is_initialized = lambda: available, lambda: initialised
        self.get_rank, self.asked = lambda: rank, []

    def broadcast_object_list(self, answers, *, src):
        self.asked.append((list(answers), src))
        answers[0] = True


@pytest.mark.parametrize("rank", [0, 1])
def test_the_first_process_of_torch_answers_for_all(monkeypatch, rank):
    group = Group(rank)
    monkeypatch.setitem(sys.modules, "torch.distributed", group)
    assert leads() == (rank == 0)
    assert agreed(due=False) is True
    assert group.asked == [([False], 0)]


@pytest.mark.parametrize(
    "group",
    [None, Group(1, available=False), Group(1, initialised=False)],
    ids=["absent", "unavailable", "unused"],
)
def test_a_process_without_others_answers_for_itself(monkeypatch, group):
    monkeypatch.setitem(sys.modules, "torch.distributed", group)
    assert leads()
    for due in (True, False):
        assert agreed(due) is due
    if group is not None:
        assert group.asked == []


def jax(monkeypatch, count, index):
    """Put a stand-in in the place of jax; return what was broadcast."""
    asked = []
    library, more = ModuleType("jax"), ModuleType("jax.experimental")
    library.process_count, library.process_index = lambda: count, lambda: index
    library.experimental = more
    more.multihost_utils = SimpleNamespace(
        broadcast_one_to_all=lambda due: [asked.append(due), 1][1]
    )
    monkeypatch.setitem(sys.modules, "jax", library)
    monkeypatch.setitem(sys.modules, "jax.experimental", more)
    return asked


def answer(policy, step, in_progress=False):
    context = SimpleNamespace(is_saving_in_progress=in_progress)
    return policy.should_save(SimpleNamespace(step=step), [], context=context)


@pytest.mark.parametrize(("count", "index", "writes"), [(1, 0, True), (2, 0, True), (2, 1, False)])
def test_processes_of_jax(monkeypatch, tmp_path, count, index, writes):
    asked = jax(monkeypatch, count, index)
    policy = AdvisedSaves(tmp_path / "a.json", cost=COST, prior=PRIOR, clock=Clock())
    assert answer(policy, 1) is (count == 2)
    assert asked == [False] * (count - 1)
    assert (tmp_path / "a.json").exists() == writes
    assert policy.loop.advisor.memory.running == writes


@pytest.mark.parametrize(("later", "took"), [(1, 40.0), (2, 640.0), (3, 0.0)])
def test_a_save_takes_what_is_left_of_the_time_to_the_next_question(tmp_path, later, took):
    """A question may skip steps; the save cannot take less than nothing."""
    clock = Clock(0.0)
    policy = AdvisedSaves(tmp_path / "a.json", cost=COST, prior=PRIOR, clock=clock)
    for step in (1, 2, 3):
        clock.now += STEP
        assert not answer(policy, step)
    policy.loop.tell("requested")
    clock.now += STEP
    assert answer(policy, 4)
    begun = clock.now
    clock.now += {1: STEP + 40.0, 2: 2.0 * STEP + 640.0, 3: 2.5 * STEP}[later]
    answer(policy, 4 + later)
    memory = policy.loop.advisor.memory
    assert memory.cost.mean == pytest.approx(Tracked.stated(COST).seen(took).mean)
    assert memory.segment == pytest.approx(begun + took)


def test_until_steps_have_a_length_a_save_takes_no_longer_than_was_waited(tmp_path):
    clock = Clock(0.0)
    policy = AdvisedSaves(tmp_path / "a.json", cost=COST, prior=PRIOR, clock=clock)
    assert not answer(policy, 1)
    policy.loop.tell("requested")
    policy.loop.advisor.memory = policy.loop.advisor.memory._replace(
        pace=policy.loop.advisor.memory.pace.anew()
    )
    assert answer(policy, 2)
    clock.now += 0.25 * COST
    assert not answer(policy, 3)
    assert policy.loop.advisor.memory.segment == 0.25 * COST


def test_a_save_that_is_due_while_another_is_written_is_not_begun(tmp_path):
    clock = Clock(0.0)
    policy = AdvisedSaves(tmp_path / "a.json", cost=COST, prior=PRIOR, clock=clock)
    answer(policy, 1)
    policy.loop.tell("requested")
    assert not answer(policy, 2, in_progress=True)
    assert policy.loop.advisor.memory.begun != policy.loop.advisor.memory.begun  # nan
    assert answer(policy, 3)
    assert policy.loop.advisor.memory.begun == 0.0
