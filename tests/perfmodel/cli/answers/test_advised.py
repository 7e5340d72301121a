"""The whole answer of an advisor, and the step at whose end a checkpoint is due."""

import json
import math
from types import SimpleNamespace as Made

import pytest

from perfmodel.advisor import CheckpointAdvisor, Prior, Recommendation
from perfmodel.answers.parts.advised import Advised, _next_step
from perfmodel.cli import main
from perfmodel.levels import Level
from tests.support.runner import runner

HOUR = 3600.0


def known(**changes):
    made = {
        "interval": 1.0,
        "next_checkpoint": 500.0,
        "expected_loss": 0.25,
        "loss_of_waiting": 3.0,
        "mtbf": 4.0,
        "mtbf_lower": 5.0,
        "mtbf_upper": 6.0,
        "cost": 7.0,
        "failures": 8,
        "watched": 9.0,
        "bound": "end",
        "level": 2,
        "periods": (10.0, 11.0),
        "survives": (0.5, 1.0),
        "contradiction": 12.0,
    }
    return Recommendation(**{**made, **changes})


def test_every_number_has_its_name():
    found = Advised(False, True, False, True, 470.0, 13, known())
    assert found.to_dict() == {
        "due": False,
        "running": True,
        "writing": False,
        "draining": True,
        "now_s": 470.0,
        "wait_s": 30.0,
        "next_step": 13,
        "interval_s": 1.0,
        "next_checkpoint_s": 500.0,
        "expected_loss": 0.25,
        "loss_of_waiting_s": 3.0,
        "mtbf_s": 4.0,
        "mtbf_lower_s": 5.0,
        "mtbf_upper_s": 6.0,
        "cost_s": 7.0,
        "failures": 8,
        "watched_s": 9.0,
        "bound": "end",
        "level": 2,
        "periods_s": (10.0, 11.0),
        "survives": (0.5, 1.0),
        "contradiction": 12.0,
    }


@pytest.mark.parametrize(
    ("due", "now", "wait"),
    [(True, 470.0, 0.0), (False, 470.0, 30.0), (None, 470.0, 30.0), (False, 501.0, 0.0)],
)
def test_how_long_it_is_until_the_next_checkpoint(due, now, wait):
    assert Advised(due, True, False, False, now, None, known()).wait_s == wait
    never = known(next_checkpoint=math.inf)
    assert Advised(False, True, False, False, now, None, never).wait_s == math.inf


def memory(**changes):
    pace = {"step": 7.0, "stride": 1.0, "ended": 100.0, "ahead": 60.0, **changes}
    return Made(pace=Made(**pace), segment=pace.pop("segment", 40.0))


@pytest.mark.parametrize(
    ("at", "step"),
    [
        (100.0, None),  # it is due already
        (100.5, 8),  # after the next step at the earliest
        (160.0, 8),
        (189.0, 8),
        (191.0, 9),
        (400.0, 12),
        (math.inf, None),
        (100.0 + 0.9e9 * 60.0, 7 + 900_000_000),
        (100.0 + 1e9 * 60.0, None),  # so far away that no count is worth telling
    ],
)
def test_the_step_at_whose_end_a_checkpoint_is_due(at, step):
    found = _next_step(memory(), False, known(next_checkpoint=at))
    assert found == step
    assert _next_step(memory(), None, known(next_checkpoint=at)) == step


def test_the_step_of_a_checkpoint_that_is_due_is_the_last_one():
    assert _next_step(memory(), True, known(next_checkpoint=50.0)) == 7
    assert _next_step(memory(step=math.nan), True, known()) is None
    assert _next_step(memory(step=math.nan), False, known()) is None
    assert _next_step(memory(), True, known(next_checkpoint=math.inf)) is None


def test_steps_may_be_counted_by_tens_and_begin_after_a_checkpoint():
    assert _next_step(memory(stride=10.0), False, known(next_checkpoint=400.0)) == 57
    # Steps are counted from the end of the last one or the last checkpoint, whichever is later.
    assert _next_step(memory(segment=220.0), False, known(next_checkpoint=400.0)) == 10


def answer(tmp_path, *words):
    asked = ["advise", "--state", str(tmp_path / "run.json"), *map(str, words), "--json"]
    done = runner().invoke(main, asked)
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def test_each_event_is_told_to_the_advisor_as_it_is(tmp_path):
    """Every answer is that of an advisor in Python that is told the same."""
    one = CheckpointAdvisor(
        cost=300.0,
        prior=Prior(1.0, 86400.0),
        latency=600.0,
        recovery_cost=40.0,
        levels=[Level(10.0, 5.0, 0.6)],
    )
    first = ["--cost", "5min", "--mtbf", "1d", "--latency", "10min", "--recovery-cost", "40s"]
    first += ["--level", "cost=10s,recovery=5s,survives=60%"]

    def told(now, *words, due=None, end=math.inf):
        found = answer(tmp_path, *words, "--now", now)
        wanted = one.recommendation(now)
        state = one.memory
        assert found["due"] is due
        assert found["now_s"] == now
        assert found["running"] is state.running
        assert found["writing"] is not math.isnan(state.begun)
        assert found["draining"] is not math.isnan(state.draining)
        assert found["next_checkpoint_s"] == (
            None if wanted.next_checkpoint == math.inf else wanted.next_checkpoint
        )
        assert found["failures"] == wanted.failures
        assert found["cost_s"] == wanted.cost
        assert found["level"] == wanted.level
        assert found["bound"] == wanted.bound
        assert CheckpointAdvisor.load(tmp_path / "run.json").end == end

    one.started(0.0)
    told(0.0, *first, "--event", "started")
    one.stepped(60.0, 1)
    told(60.0, "--step", 1, due=False)
    one.checkpoint_begun(70.0, 2)
    told(70.0, "--event", "begun", "--on-level", 2)
    one.checkpoint_done(80.0)
    told(80.0, "--event", "done")
    one.checkpoint_durable(200.0)
    told(200.0, "--event", "durable")
    one.requested(210.0)
    told(210.0, "--event", "signal")
    one.checkpoint_begun(220.0, 2)
    told(220.0, "--event", "begun", "--on-level", 2)
    # Durable at once: it is done by then, too.
    one.checkpoint_done(500.0)
    if not math.isnan(one.memory.draining):
        one.checkpoint_durable(500.0)
    told(500.0, "--event", "durable")
    one.failed(600.0)
    told(600.0, "--event", "failed")
    one.ends(9000.0)
    one.started(700.0)
    told(700.0, "--event", "started", "--end", 9000, end=9000.0)
    one.restored(740.0, 2)
    told(740.0, "--event", "restored", "--on-level", 2, end=9000.0)
    one.stopped(800.0)
    told(800.0, "--event", "ended", end=9000.0)
    one.ends(math.inf)
    one.started(900.0)
    told(900.0, "--event", "started")


def test_a_question_alone_is_answered(tmp_path):
    answer(tmp_path, "--cost", "2min", "--mtbf", "1d", "--event", "started", "--now", 0)
    found = answer(tmp_path, "--now", 60)
    assert (found["due"], found["running"], found["next_step"]) == (False, True, None)
    late = answer(tmp_path, "--now", 9e6)
    assert (late["due"], late["wait_s"]) == (True, 0.0)
