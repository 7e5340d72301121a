import math

import pytest

from sim.engine import Engine


@pytest.fixture
def log():
    return []


def at(engine, log, delay, name):
    return engine.schedule(delay, lambda: log.append((engine.now, name)))


def test_actions_run_in_time_order(log):
    engine = Engine()
    for delay in (3.0, 1.0, 2.0):
        at(engine, log, delay, f"after {delay}")
    engine.run()
    assert log == [(1.0, "after 1.0"), (2.0, "after 2.0"), (3.0, "after 3.0")]


def test_ties_run_in_the_order_they_were_scheduled(log):
    engine = Engine()
    for name in "cab":
        at(engine, log, 1.0, name)
    engine.run()
    assert [name for _, name in log] == ["c", "a", "b"]


def test_an_action_schedules_from_the_time_it_runs(log):
    engine = Engine()
    engine.schedule(2.0, lambda: at(engine, log, 0.5, "second"))
    engine.run()
    assert log == [(2.5, "second")]


def test_an_action_of_no_delay_runs_after_those_already_due(log):
    engine = Engine()
    engine.schedule(1.0, lambda: at(engine, log, 0.0, "new"))
    at(engine, log, 1.0, "old")
    engine.run()
    assert [name for _, name in log] == ["old", "new"]


def test_a_cancelled_action_neither_runs_nor_moves_the_clock(log):
    engine = Engine()
    at(engine, log, 1.0, "kept")
    at(engine, log, 2.0, "cancelled").cancel()
    engine.run()
    assert log == [(1.0, "kept")]
    assert engine.now == 1.0


def test_an_action_may_cancel_one_due_at_the_same_time(log):
    engine = Engine()
    handles = []

    def strike():
        handles[0].cancel()

    engine.schedule(1.0, strike)
    handles.append(at(engine, log, 1.0, "victim"))
    engine.run()
    assert log == []


def test_cancelling_twice_or_too_late_does_nothing(log):
    engine = Engine()
    handle = at(engine, log, 1.0, "once")
    engine.run()
    handle.cancel()
    handle.cancel()
    engine.run()
    assert log == [(1.0, "once")]


def test_step_returns_whether_anything_ran(log):
    engine = Engine()
    at(engine, log, 1.0, "only")
    assert engine.step()
    assert not engine.step()


@pytest.mark.parametrize("delay", [-1.0, -1e-300, math.nan])
def test_time_does_not_run_backwards(delay):
    with pytest.raises(ValueError, match=r"^delay must be >= 0, got .* at now=0\.0$"):
        Engine().schedule(delay, lambda: None)


def test_an_infinite_delay_is_never_while_something_else_ends_the_run(log):
    engine = Engine()
    never = at(engine, log, math.inf, "never")
    engine.schedule(1.0, never.cancel)
    engine.run()
    assert engine.now == 1.0
