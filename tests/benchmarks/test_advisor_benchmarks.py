"""Seconds of one call of an advisor."""

from time import perf_counter

import pytest

from perfmodel.advisor import CheckpointAdvisor, Prior

CALLS = 1000


def running(length):
    """Return one that knows that steps take `length` seconds, two of which have ended."""
    one = CheckpointAdvisor(cost=120.0, prior=Prior.of_history(9, 90 * 86400.0))
    one.started(0.0)
    for count in (1, 2):
        one.stepped(count * length)
    return one


# A step that is far from the next checkpoint, and one before which both losses are compared.
@pytest.mark.parametrize("share", [0.001, 0.4])
@pytest.mark.benchmark(group="advisor", timer=perf_counter)
def test_a_question_at_the_end_of_a_step(share, benchmark):
    one = running(share * running(1.0).next_checkpoint())
    memory, now = one.memory, one.memory.pace.ended + one.memory.pace.time.mean

    def asked():
        for _ in range(CALLS):
            one.memory = memory
            one.stepped(0.99 * now)

    benchmark.pedantic(asked, rounds=20, warmup_rounds=1)
    assert (now + one.memory.pace.ahead > one.next_checkpoint()) == (share == 0.4)
    assert benchmark.stats["median"] / CALLS <= 20e-6


def checkpointing(one, now):
    """Begin a checkpoint, so that its end can be told."""
    one.checkpoint_begun(now - 120.0)


def struck(one, now):
    """Have a failure, so that a start can be told."""
    one.failed(now - 120.0)


def nothing(one, now):
    """Leave it as it is."""


CALLED = {
    "due": nothing,
    "recommendation": nothing,
    "requested": nothing,
    "checkpoint_begun": nothing,
    "checkpoint_done": checkpointing,
    "failed": nothing,
    "started": struck,
    "restored": nothing,
    "stopped": nothing,
}


@pytest.mark.parametrize(("name", "before"), CALLED.items(), ids=CALLED)
@pytest.mark.benchmark(group="advisor", timer=perf_counter)
def test_a_call(name, before, benchmark):
    one = running(10.0)
    now = 2000.0
    before(one, now)
    memory, call = one.memory, getattr(one, name)

    def called():
        for _ in range(CALLS):
            one.memory = memory
            call(now)

    benchmark.pedantic(called, rounds=20, warmup_rounds=1)
    assert benchmark.stats["median"] / CALLS <= 20e-6
