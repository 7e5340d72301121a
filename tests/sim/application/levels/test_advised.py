"""A job that asks an advisor of levels: by equal advice it is the job with a fixed pattern."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.application import simulate_advised_level_job, simulate_two_level_job
from sim.samplers import Exponential, Recorded
from tests.support.examples import examples


class EveryFew:
    """One interval of work, and every so many checkpoints a durable one."""

    def __init__(self, interval, durable_every):
        self.interval, self.every, self.since, self.told = interval, durable_every, 0, []

    def next_checkpoint(self):
        return self.begin + self.interval

    def next_level(self):
        return 2 if self.since + 1 >= self.every else 1

    def started(self, now):
        self.begin = now
        self.told.append(("started", now))

    def failed(self, now):
        self.told.append(("failed", now))

    def restored(self, now, level):
        self.begin = now
        self.since = 0 if level == 2 else self.since
        self.told.append(("restored", now, level))

    def checkpoint_begun(self, now, level):
        self.level = level
        self.told.append(("begun", now, level))

    def checkpoint_done(self, now):
        self.begin = now
        self.since = 0 if self.level == 2 else self.since + 1
        self.told.append(("done", now))


TWO = {"costs": [0.25, 0.5], "recoveries": [0.125, 0.5]}


@settings(max_examples=examples(200), deadline=None)
@given(
    st.integers(1, 30),
    st.integers(1, 6),
    st.tuples(st.floats(2.0, 20.0), st.floats(0.0, 1.0)),
    st.tuples(*[st.floats(0.0, 1.0)] * 4),
    st.integers(0, 2**32),
)
def test_a_fixed_pattern_is_played_as_by_the_job_of_two_levels(
    segments, every, failures, costs, seed
):
    mtbf, survived = failures
    local, durable, read, read_durable = costs
    job = {"uptime": Exponential(mtbf), "rng": np.random.default_rng(seed)}
    played = simulate_advised_level_job(
        EveryFew(0.25, every),
        0.25 * segments - 1e-12,
        costs=[local, durable],
        recoveries=[read, read_durable],
        survives=[survived, 1.0],
        **job,
    )
    fixed = simulate_two_level_job(
        0.25 * segments,
        interval=0.25,
        durable_every=every,
        survived=survived,
        local_cost=local,
        durable_cost=durable,
        local_recovery=read,
        durable_recovery=read_durable,
        **{**job, "rng": np.random.default_rng(seed)},
    )
    assert played.makespan == pytest.approx(fixed.makespan, rel=1e-9, abs=1e-9)
    assert played.failures == fixed.failures
    assert played.recoveries[1] <= fixed.durable_recoveries  # begun ones count there


def test_the_advisor_is_told_of_every_event():
    advice = EveryFew(1.0, 2)
    found = simulate_advised_level_job(
        advice,
        2.0,
        uptime=Recorded([1.5, 0.0625], then="never"),
        survives=[0.0, 1.0],
        rng=np.random.default_rng(1),
        **TWO,
    )
    assert advice.told == [
        ("started", 0.0),
        *[("begun", 1.0, 1), ("done", 1.25)],
        *[("failed", 1.5), ("started", 1.5), ("failed", 1.5625), ("started", 1.5625)],
        ("restored", 2.0625, 2),
        *[("begun", 3.0625, 1), ("done", 3.3125), ("begun", 4.3125, 2)],
    ]
    assert found.makespan == 4.8125
    assert (found.checkpoints, found.recoveries, found.failures) == ((2, 1), (0, 1), 2)


def test_a_recovery_from_above_leaves_copies_below():
    found = simulate_advised_level_job(
        EveryFew(1.0, 99),
        3.5,
        uptime=Recorded([2.0, 2.5], then="never"),
        costs=[0.0, 0.0],
        recoveries=[0.25, 0.5],
        survives=[0.7, 1.0],
        rng=Kinds([0.9, 0.1, 0.5]),
    )
    # All of 2 is lost; then 2.0 more are worked in 2.5, of which the local copy keeps 2.
    assert found.recoveries == (1, 1)
    assert found.makespan == 2.0 + 2.5 + 0.25 + 1.5


class Kinds(np.random.Generator):
    """Gives what decides the kinds of failures."""

    def __init__(self, chances):
        super().__init__(np.random.PCG64(0))
        self.chances = iter(chances)

    def random(self):
        return next(self.chances)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"survives": [0.9, 0.5]}, "survives must rise to 1"),
        ({"survives": [0.5, 0.9]}, "survives must rise to 1"),
        ({"costs": [1.0]}, "must be as many as there are levels, got 1, 2, 2"),
        ({"recoveries": [-1.0, 1.0]}, "recoveries must be"),
    ],
)
def test_wrong_levels_are_refused(changed, words):
    job = {**TWO, "survives": [0.5, 1.0], **changed}
    with pytest.raises(ValueError, match=words):
        simulate_advised_level_job(
            EveryFew(1.0, 2), 3.0, uptime=Exponential(5.0), rng=np.random.default_rng(1), **job
        )
