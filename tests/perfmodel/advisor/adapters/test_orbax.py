"""The save decision policy of Orbax: by its protocol, and in its `CheckpointManager`."""

import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from perfmodel.advisor import CheckpointAdvisor
from perfmodel.advisor.adapters.orbax import AdvisedSaves
from tests.perfmodel.advisor.adapters.clocks import COST, PRIOR, STEP, Clock, saved_steps


def made(folder, clock, **changes):
    settings = {"cost": COST, "prior": PRIOR, "clock": clock, **changes}
    return AdvisedSaves(folder / "advisor.json", **settings)


def asked(policy, step, in_progress=False):
    context = SimpleNamespace(is_saving_in_progress=in_progress)
    return policy.should_save(SimpleNamespace(step=step), [], context=context)


def train(policy, clock, steps, *, taken=COST):
    """Return after which steps it saved."""
    found = []
    for step in steps:
        clock.now += STEP
        if asked(policy, step):
            clock.now += taken
            found.append(step)
    return found


def test_it_saves_when_the_advisor_says_so(tmp_path):
    clock = Clock()
    policy = made(tmp_path, clock)
    with policy.loop:
        assert train(policy, clock, range(1, 60)) == saved_steps(59)
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert (memory.running, memory.failures) == (False, 0)
    assert memory.cost.mean == pytest.approx(COST)


def test_it_learns_what_a_save_takes_from_the_times_of_the_questions(tmp_path):
    clock = Clock()
    policy = made(tmp_path, clock)
    train(policy, clock, range(1, 400), taken=0.5 * STEP)
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert memory.cost.mean == pytest.approx(0.5 * STEP, rel=0.15)
    assert memory.pace.time.mean == pytest.approx(STEP)


def test_until_the_length_of_a_step_is_known_a_save_takes_what_was_stated(tmp_path):
    clock = Clock()
    policy = made(tmp_path, clock)
    with policy.loop:
        policy.loop.tell("requested")
        assert asked(policy, 1)
        clock.now += 1.5 * STEP
        asked(policy, 2)
        assert policy.loop.advisor.memory.cost.mean == COST


def test_the_same_step_gets_the_same_answer(tmp_path):
    clock = Clock()
    policy = made(tmp_path, clock)
    found = train(policy, clock, range(1, 30))
    assert asked(policy, 29) is (29 in found)
    clock.now += 9e6
    assert asked(policy, 29) is (29 in found)


def test_while_one_is_written_none_is_begun(tmp_path):
    clock = Clock()
    policy = made(tmp_path, clock, latency=60.0)
    first = saved_steps(40)[0]
    policy.loop.__enter__()
    assert train(policy, clock, range(1, first + 1)) == [first]
    for step in range(first + 1, first + 40):
        clock.now += STEP
        assert not asked(policy, step, in_progress=True)
    clock.now += STEP
    assert asked(policy, first + 40)
    assert policy.loop.advisor.memory.latency.mean > 60.0


def test_a_start_after_no_end_is_a_failure(tmp_path):
    clock = Clock()
    asked(made(tmp_path, clock), 1)
    clock.now += 9e5
    again = made(tmp_path, clock)
    asked(again, 1)
    assert again.loop.advisor.memory.failures == 1


PROCESS = """
import sys, jax
from types import SimpleNamespace
from perfmodel.advisor.adapters.orbax import AdvisedSaves

process, address, state = int(sys.argv[1]), sys.argv[2], sys.argv[3]
jax.distributed.initialize(address, 2, process)
clocks = (iter(range(0, 10**9, 600)), iter(range(0, 10**9, 7)))  # they disagree
policy = AdvisedSaves(state, cost=60.0, clock=clocks[process].__next__)
context = SimpleNamespace(is_saving_in_progress=False)
with policy.loop:
    steps = [SimpleNamespace(step=step) for step in range(1, 40)]
    print([step.step for step in steps if policy.should_save(step, [], context=context)])
"""


@pytest.mark.filterwarnings("ignore")
def test_all_processes_of_jax_get_one_answer(tmp_path):
    pytest.importorskip("jax", reason="needs jax, of no extra")
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(process), address, str(tmp_path / "advisor.json")],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for process in (0, 1)
    ]
    first, second = (process.communicate(timeout=300)[0] for process in processes)
    assert first.splitlines()[-1] == second.splitlines()[-1]
    assert len(first.splitlines()[-1]) > 10


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("asynchronous", [False, True])
def test_with_the_library_itself(tmp_path, asynchronous):
    pytest.importorskip("orbax.checkpoint", reason="needs orbax, of no extra")
    import numpy as np
    import orbax.checkpoint as ocp
    from orbax.checkpoint.checkpoint_managers import SaveDecisionPolicy

    clock = Clock()
    policy = made(tmp_path, clock, latency=1.0 if asynchronous else 0.0)
    assert isinstance(policy, SaveDecisionPolicy)
    options = ocp.CheckpointManagerOptions(
        save_decision_policy=policy, max_to_keep=1, enable_async_checkpointing=asynchronous
    )
    found = []
    with ocp.CheckpointManager(tmp_path / "run", options=options) as manager, policy.loop:
        for step in range(1, 41):
            clock.now += STEP
            state = {"weights": np.full(4, float(step))}
            if manager.save(step, args=ocp.args.StandardSave(state)):
                clock.now += COST
                found.append(step)
                while manager.is_saving_in_progress():
                    time.sleep(0.01)
        manager.wait_until_finished()
        assert found == manager.all_steps()[-1:] or manager.latest_step() == found[-1]
        kept = manager.restore(found[-1], args=ocp.args.StandardRestore())
    assert kept["weights"].tolist() == [found[-1]] * 4
    if not asynchronous:
        assert found == saved_steps(40)
    memory = CheckpointAdvisor.load(tmp_path / "advisor.json").memory
    assert (memory.running, memory.failures) == (False, 0)
