"""Seconds of one question to an advisor, at the end of a step."""

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


@pytest.mark.benchmark(group="advisor", timer=perf_counter)
def test_a_checkpoint_told(benchmark):
    one = running(10.0)
    clock = iter(range(1, 10**9))

    def told():
        for _ in range(CALLS):
            begin = 400.0 * next(clock)
            one.checkpoint_begun(begin)
            one.checkpoint_done(begin + 120.0)

    benchmark.pedantic(told, rounds=5, warmup_rounds=1)
    assert benchmark.stats["median"] / CALLS <= 200e-6
