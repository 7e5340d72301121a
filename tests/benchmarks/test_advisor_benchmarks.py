"""Time of calls of an advisor, over that of the calibration loop."""

from time import process_time

import pytest

from perfmodel.advisor import CheckpointAdvisor, Prior

CALLS = 1000
MOST = 0.4  # calibration loops that so many calls may take


def running(length):
    """Return one that knows that steps take `length` seconds, two of which have ended."""
    one = CheckpointAdvisor(cost=120.0, prior=Prior.of_history(9, 90 * 86400.0))
    one.started(0.0)
    for count in (1, 2):
        one.stepped(count * length)
    return one


# A step that is far from the next checkpoint, and one before which both losses are compared.
@pytest.mark.parametrize("share", [0.001, 0.4])
@pytest.mark.benchmark(group="advisor", timer=process_time)
def test_a_question_at_the_end_of_a_step(share, benchmark, judge_pace):
    one = running(share * running(1.0).next_checkpoint())
    memory, now = one.memory, one.memory.pace.ended + one.memory.pace.time.mean

    def asked():
        for _ in range(CALLS):
            one.memory = memory
            one.stepped(0.99 * now)

    benchmark.pedantic(asked, rounds=20, warmup_rounds=1)
    assert (now + one.memory.pace.ahead > one.next_checkpoint()) == (share == 0.4)
    figure = f"1,000 calls of `stepped`, {share:g} of the way"
    judge_pace(figure, benchmark.stats["median"], at_most=MOST)


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
@pytest.mark.benchmark(group="advisor", timer=process_time)
def test_a_call(name, before, benchmark, judge_pace):
    one = running(10.0)
    now = 2000.0
    before(one, now)
    memory, call = one.memory, getattr(one, name)

    def called():
        for _ in range(CALLS):
            one.memory = memory
            call(now)

    benchmark.pedantic(called, rounds=20, warmup_rounds=1)
    judge_pace(f"1,000 calls of `{name}`", benchmark.stats["median"], at_most=MOST)
