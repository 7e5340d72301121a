"""Paths worked out by hand, then the compiled loop against the readable model, bit by bit."""

import numpy as np
import pytest

from sim.application import (
    TwoLevelRecord,
    simulate_makespans,
    simulate_two_level_job,
    simulate_two_level_makespans,
)
from sim.application.levels import two as two_levels
from sim.samplers import Exponential, LogNormal, Recorded, Weibull

JOB = {
    "work": 8.0,
    "interval": 2.0,
    "durable_every": 2,
    "local_cost": 1.0,
    "durable_cost": 3.0,
    "local_recovery": 0.5,
    "durable_recovery": 1.5,
    "downtime": 4.0,
}


def after(*gaps):
    return Recorded(gaps, then="never")


# In 16 without a failure: local at 3, durable at 8, local at 11, durable at 16.
# makespan, work, rework, checkpoint, recovery, down, failures, durable recoveries
PATHS = {
    "no failure": (after(1e9), 1.0, {}, (16.0, 8.0, 0.0, 8.0, 0.0, 0.0, 0, 0)),
    "back to the local copy": (
        *(after(4.0), 1.0, {}),
        (21.5, 8.0, 1.0, 8.0, 0.5, 4.0, 1, 0),
    ),
    "back to the start": (after(4.0), 0.0, {}, (25.5, 8.0, 3.0, 9.0, 1.5, 4.0, 1, 1)),
    "back to the durable copy": (
        *(after(12.0), 0.0, {}),
        (25.5, 8.0, 3.0, 9.0, 1.5, 4.0, 1, 1),
    ),
    "before the first local copy, to that of the input": (
        *(after(1.0), 1.0, {}),
        (21.5, 8.0, 1.0, 8.0, 0.5, 4.0, 1, 0),
    ),
    "an unfinished durable checkpoint is not even local": (
        *(after(7.0), 1.0, {}),
        (24.5, 8.0, 2.0, 10.0, 0.5, 4.0, 1, 0),
    ),
    "its local stage counts where it is staged": (
        *(after(7.0), 1.0, {"rule": "staged"}),
        (21.5, 8.0, 0.0, 9.0, 0.5, 4.0, 1, 0),
    ),
    "but not for a failure that takes the local copy": (
        *(after(7.0), 0.0, {"rule": "staged"}),
        (28.5, 8.0, 4.0, 11.0, 1.5, 4.0, 1, 1),
    ),
    "struck in the local recovery": (
        *(after(4.0, 0.25), 1.0, {}),
        (25.75, 8.0, 1.0, 8.0, 0.75, 8.0, 2, 0),
    ),
    "struck in the durable recovery": (
        *(after(4.0, 1.0), 0.0, {}),
        (30.5, 8.0, 3.0, 9.0, 2.5, 8.0, 2, 2),
    ),
    "a failure at the instant of the end strikes first": (
        *(after(16.0), 1.0, {}),
        (25.5, 8.0, 2.0, 11.0, 0.5, 4.0, 1, 0),
    ),
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_by_hand(path):
    uptime, survived, changed, spent = path
    job = {**JOB, **changed, "uptime": uptime, "survived": survived}
    record = simulate_two_level_job(**job, rng=np.random.default_rng(1))
    assert record == TwoLevelRecord(*spent)
    compiled = simulate_two_level_makespans(**job, replications=1, seed=1)
    assert compiled.tolist() == [spent[0]]


class Kinds:
    """A generator that says which failures leave the local copy."""

    def __init__(self, *leaves):
        self._left = list(leaves)

    def random(self):
        return 0.25 if self._left.pop(0) else 0.75


@pytest.mark.parametrize(
    ("rule", "recoveries", "recovery"), [("reinstated", 1, 0.5), ("bare", 2, 1.5)]
)
def test_after_a_durable_recovery_there_is_a_local_copy_or_not(rule, recoveries, recovery):
    plan = two_levels.Plan(8.0, 2.0, 1.0, 0.5, final_checkpoint=True)
    levels = two_levels.Levels(2, 0.5, 3.0, 1.5, rule)
    # Struck at 4, which takes the local copy; and 2.5 after the boot, when one unit is done again.
    rng = Kinds(False, True, True)
    uptime, downtime = after(4.0, 2.5), Recorded([4.0, 4.0])
    record = two_levels.play(plan, levels, uptime, downtime, rng)
    assert (record.durable_recoveries, record.failures) == (recoveries, 2)
    assert record.makespan == 4.0 + 4.0 + 2.5 + 4.0 + recovery + 16.0


RANDOM = {
    "work": 21.0,
    "interval": 2.0,
    "durable_every": 4,
    "survived": 0.7,
    "local_cost": 0.25,
    "durable_cost": 1.0,
    "local_recovery": 0.5,
    "durable_recovery": 1.5,
    "downtime": LogNormal(0.0, 1.0),
}


@pytest.mark.parametrize("rule", ["reinstated", "bare", "staged"])
@pytest.mark.parametrize("uptime", [Exponential(6.0), Weibull(0.7, 6.0)])
def test_the_compiled_loop_gives_the_bits_of_the_model(rule, uptime):
    job = {**RANDOM, "rule": rule, "uptime": uptime, "replications": 300, "seed": 5}
    fast = simulate_two_level_makespans(**job)
    np.testing.assert_array_equal(fast, simulate_two_level_makespans(**job, method="events"))


@pytest.mark.parametrize("rule", ["reinstated", "bare", "staged"])
def test_the_parts_add_up_to_the_makespan(rule):
    rng = np.random.default_rng(3)
    for _ in range(50):
        r = simulate_two_level_job(**RANDOM, rule=rule, uptime=Exponential(6.0), rng=rng)
        spent = r.work + r.rework + r.checkpoint_time + r.recovery_time + r.downtime
        assert spent == pytest.approx(r.makespan, rel=1e-12)
        assert r.rework >= -1e-9


def test_one_level_is_the_checkpointed_job():
    costs = {"downtime": 1.0, "uptime": Recorded([5.0, 3.0, 9.0], then="never")}
    two = {**RANDOM, **costs, "durable_every": 1, "durable_recovery": 0.5}
    one = {"interval": 2.0, "checkpoint_cost": 1.0, "recovery_cost": 0.5, **costs}
    found = simulate_two_level_makespans(**two, replications=2, seed=1)
    known = simulate_makespans(21.0, **one, replications=2, seed=1)
    np.testing.assert_allclose(found, known, rtol=1e-14)


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("survived", 1.5, "survived must be in"),
        ("durable_every", 0, "durable_every must be"),
        ("durable_cost", -1.0, "durable_cost must be"),
        ("rule", "other", "rule must be"),
    ],
)
def test_refuses_what_it_cannot_play(name, bad, message):
    job = {**RANDOM, "uptime": Exponential(6.0), name: bad}
    with pytest.raises(ValueError, match=message):
        simulate_two_level_makespans(**job, replications=1, seed=1)


def test_refuses_a_staged_checkpoint_without_time():
    job = {**RANDOM, "durable_cost": 0.1, "rule": "staged", "uptime": Exponential(6.0)}
    with pytest.raises(ValueError, match=r"at least local_cost where it is staged, got 0.1 < 0.25"):
        simulate_two_level_makespans(**job, replications=1, seed=1)
