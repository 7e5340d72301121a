"""Paths worked out by hand, then a third writing of the rules in exact arithmetic."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.application import (
    JobRecord,
    checkpointed_job,
    simulate_job,
    simulate_makespans,
)
from sim.application import (
    _replications as replications,
)
from sim.samplers import Deterministic, Exponential, LogNormal, Recorded
from sim.streams import stream
from tests.support.examples import examples

JOB = {"interval": 2.0, "checkpoint_cost": 1.0, "recovery_cost": 0.5, "downtime": 3.0}


def failing_after(*gaps):
    return Recorded(gaps, then="never") if gaps else Recorded([1e9])


def play(work, *gaps, **changes):
    return simulate_job(work, uptime=failing_after(*gaps), rng=stream(0), **JOB | changes)


def compiled(work, *gaps, **changes):
    (makespan,) = simulate_makespans(
        work, uptime=failing_after(*gaps), replications=1, seed=0, **JOB | changes
    )
    return makespan


PATHS = {
    "no failure: two segments, two checkpoints": (
        (4.0,),
        {},
        JobRecord(6.0, 4.0, 0.0, 2.0, 0.0, 0.0, 2, 0),
    ),
    "the last segment is shorter": ((5.0,), {}, JobRecord(8.0, 5.0, 0.0, 3.0, 0.0, 0.0, 3, 0)),
    "no checkpoint after the last segment": (
        (5.0,),
        {"final_checkpoint": False},
        JobRecord(7.0, 5.0, 0.0, 2.0, 0.0, 0.0, 2, 0),
    ),
    "an interval longer than the work": (
        (1.5,),
        {},
        JobRecord(2.5, 1.5, 0.0, 1.0, 0.0, 0.0, 1, 0),
    ),
    "failure in compute, an hour into the second segment": (
        (4.0, 4.0),
        {},
        JobRecord(10.5, 4.0, 1.0, 2.0, 0.5, 3.0, 2, 1),
    ),
    "failure in a checkpoint: the segment is lost with it": (
        (4.0, 2.5),
        {},
        JobRecord(12.0, 4.0, 2.0, 2.5, 0.5, 3.0, 2, 1),
    ),
    "failure in recovery: down again, recovery again": (
        (4.0, 4.0, 0.25),
        {},
        JobRecord(13.75, 4.0, 1.0, 2.0, 0.75, 6.0, 2, 2),
    ),
    "failure before the first checkpoint: the input is read back": (
        (2.0, 1.0),
        {},
        JobRecord(7.5, 2.0, 1.0, 1.0, 0.5, 3.0, 1, 1),
    ),
    "no failure in a downtime longer than the next uptime": (
        (4.0, 4.0, 7.0),
        {"downtime": 100.0},
        JobRecord(107.5, 4.0, 1.0, 2.0, 0.5, 100.0, 2, 1),
    ),
    "failure in the last segment, which has no checkpoint": (
        (4.0, 4.5),
        {"final_checkpoint": False},
        JobRecord(10.0, 4.0, 1.5, 1.0, 0.5, 3.0, 1, 1),
    ),
    # 1 lost, down 3, recovery 0.5, 0.5 lost, down 10, recovery 0.5, then 6 to the end.
    "downtimes from a list": (
        (4.0, 1.0, 1.0),
        {"downtime": [3.0, 10.0]},
        JobRecord(21.5, 4.0, 1.5, 2.0, 1.0, 13.0, 2, 2),
    ),
    "everything but compute is free": (
        (4.0, 3.0),
        {"checkpoint_cost": 0.0, "recovery_cost": 0.0, "downtime": 0.0},
        JobRecord(5.0, 4.0, 1.0, 0.0, 0.0, 0.0, 2, 1),
    ),
    # Ties: the failure strikes first.
    "failure as a checkpoint ends": (
        (4.0, 3.0),
        {},
        JobRecord(12.5, 4.0, 2.0, 3.0, 0.5, 3.0, 2, 1),
    ),
    "failure as the job ends": ((4.0, 6.0), {}, JobRecord(12.5, 4.0, 2.0, 3.0, 0.5, 3.0, 2, 1)),
    "failure as recovery ends": (
        (4.0, 4.0, 0.5),
        {},
        JobRecord(14.0, 4.0, 1.0, 2.0, 1.0, 6.0, 2, 2),
    ),
    "failure as the machine comes up": (
        (4.0, 0.0, 0.0),
        {"recovery_cost": 0.0},
        JobRecord(12.0, 4.0, 0.0, 2.0, 0.0, 6.0, 2, 2),
    ),
}


@pytest.mark.parametrize(("job", "changes", "expected"), PATHS.values(), ids=PATHS.keys())
def test_the_path_is_the_one_worked_out_by_hand(job, changes, expected):
    assert play(*job, **changes) == expected
    assert compiled(*job, **changes) == expected.makespan


def exact(*, work, gaps, downs, interval, checkpoint_cost, recovery_cost, final_checkpoint):
    """Play the rules segment by segment in fractions; return the makespan and its five parts."""
    wall = rework = writing = reading = down = Fraction(0)
    gap, downs, done, reads = iter(gaps), iter(downs), Fraction(0), Fraction(0)
    up = next(gap, math.inf)
    while done < work:
        span = min(interval, work - done)
        cost = checkpoint_cost if final_checkpoint or done + span < work else Fraction(0)
        needed = reads + span + cost
        if up > needed:
            up, wall = up - needed, wall + needed
            reading, writing, done, reads = reading + reads, writing + cost, done + span, 0
            continue
        reading += min(up, reads)
        rework += min(max(up - reads, 0), span)
        writing += max(up - reads - span, 0)
        idle = next(downs)
        wall, down = wall + up + idle, down + idle
        up, reads = next(gap, math.inf), recovery_cost
    return wall, work, rework, writing, reading, down


# Eighths add without rounding, so that equality below means equality.
eighths = st.integers(0, 80).map(lambda n: Fraction(n, 8))
positive_eighths = st.integers(1, 80).map(lambda n: Fraction(n, 8))


jobs = st.fixed_dictionaries(
    {
        "work": positive_eighths,
        "gaps": st.lists(eighths, max_size=12),
        "downs": st.lists(eighths, min_size=12, max_size=12),
        "interval": positive_eighths,
        "checkpoint_cost": eighths,
        "recovery_cost": eighths,
        "final_checkpoint": st.booleans(),
    }
)


@settings(max_examples=examples(200), deadline=None)
@given(job=jobs)
def test_every_path_agrees_with_exact_arithmetic_and_loses_no_time(job):
    expected = exact(**job)
    terms = {
        "interval": float(job["interval"]),
        "uptime": failing_after(*map(float, job["gaps"])),
        "checkpoint_cost": float(job["checkpoint_cost"]),
        "recovery_cost": float(job["recovery_cost"]),
        "downtime": [float(down) for down in job["downs"]],
        "final_checkpoint": job["final_checkpoint"],
    }
    # Played first, because a single job uses up its recorded lists.
    walls = simulate_makespans(float(job["work"]), replications=1, seed=0, **terms)
    assert walls[0] == expected[0]
    record = simulate_job(float(job["work"]), rng=stream(0), **terms)
    parts = (
        record.work,
        record.rework,
        record.checkpoint_time,
        record.recovery_time,
        record.downtime,
    )
    assert record.makespan == sum(parts)
    assert (record.makespan, *parts) == tuple(map(float, expected))


@pytest.mark.parametrize(
    ("work", "interval", "segments"), [(0.6, 0.2, 3), (1.1, 0.1, 11), (7.0, 7.0 / 49, 49)]
)
@pytest.mark.parametrize("method", ["kernel", "events"])
def test_rounding_of_the_quotient_adds_no_checkpoint(work, interval, segments, method):
    (makespan,) = simulate_makespans(
        work,
        interval=interval,
        uptime=Recorded([1e9]),
        checkpoint_cost=1.0,
        replications=1,
        seed=0,
        method=method,
    )
    assert makespan == pytest.approx(work + segments, rel=1e-14)


RANDOM = {
    "interval": 2.0,
    "uptime": Exponential(20.0),
    "checkpoint_cost": 0.2,
    "recovery_cost": 0.5,
    "downtime": LogNormal(0.0, 1.0),
}


@pytest.mark.parametrize(("method", "replications"), [("kernel", 100_000), ("events", 200)])
def test_same_seed_same_bytes_whatever_the_threads(method, replications):
    def walls(threads, seed=7):
        return simulate_makespans(
            32.0, **RANDOM, replications=replications, seed=seed, threads=threads, method=method
        ).tobytes()

    assert walls(1) == walls(1) == walls(2) == walls(4)
    assert walls(1) != walls(1, seed=8)


@pytest.mark.parametrize(("method", "few", "many"), [("kernel", 40_000, 70_000), ("events", 5, 9)])
def test_more_replications_only_append(method, few, many):
    short, long = (
        simulate_makespans(32.0, **RANDOM, replications=n, seed=7, method=method)
        for n in (few, many)
    )
    assert short.tobytes() == long[:few].tobytes()


def test_a_replication_of_events_depends_on_its_number_only():
    walls = simulate_makespans(32.0, **RANDOM, replications=6, seed=7, method="events")
    for index in (5, 0, 3):
        record = simulate_job(32.0, **RANDOM, rng=stream(7, index))
        assert walls[index] == record.makespan


class Scripted:
    """A sampler of the user's, with a state of its own."""

    def __init__(self, *durations):
        self.durations = list(durations)

    def sample(self, rng):
        return self.durations.pop(0) if self.durations else math.inf


def test_a_sampler_of_the_user_is_played_by_events_from_its_start_each_time():
    uptime = Scripted(4.0)
    walls = simulate_makespans(4.0, uptime=uptime, replications=3, seed=0, **JOB)
    assert walls.tolist() == [10.5] * 3
    assert uptime.durations == [4.0]


def test_every_replication_plays_the_recorded_list_from_its_beginning():
    uptime = Recorded([4.0], then="never")
    uptime.sample(stream(0))
    assert simulate_makespans(4.0, uptime=uptime, replications=3, seed=0, **JOB).tolist() == (
        [10.5] * 3
    )


def test_consecutive_jobs_go_on_where_the_recorded_list_stands():
    uptime = Recorded([4.0, 9.0, 8.0])
    first, second = (simulate_job(4.0, uptime=uptime, rng=stream(0), **JOB) for _ in range(2))
    assert (first.makespan, second.makespan) == (10.5, 6.0)


@pytest.mark.parametrize("method", ["kernel", "events"])
@pytest.mark.parametrize("name", ["uptime", "downtime"])
def test_a_list_that_runs_out_is_an_error(method, name):
    terms = {"uptime": [1.0, 1.0, 100.0], "downtime": [1.0, 1.0]}
    terms[name] = [1.0]
    with pytest.raises(
        RuntimeError, match=r"^durations must be enough for the replication, got only 1; with"
    ):
        simulate_makespans(
            4.0,
            interval=2.0,
            checkpoint_cost=1.0,
            replications=2,
            seed=0,
            method=method,
            **terms,
        )


@pytest.mark.parametrize("method", ["kernel", "events"])
@pytest.mark.parametrize(
    ("uptime", "downtime"),
    [(Deterministic(2.5), 1.0), ([1.0, 1.0], Recorded([1.0], then="never"))],
    ids=["uptimes are too short", "a downtime is infinite"],
)
def test_a_job_without_end_is_an_error(method, uptime, downtime, monkeypatch):
    for module in (checkpointed_job, replications):
        monkeypatch.setattr(module, "FAILURES_LIMIT", 1000)
    with pytest.raises(RuntimeError, match=r"^the job must end within"):
        simulate_makespans(
            4.0,
            interval=2.0,
            uptime=uptime,
            checkpoint_cost=1.0,
            downtime=downtime,
            replications=1,
            seed=0,
            method=method,
        )


NUMBERS = {
    "work": "finite and > 0",
    "interval": "finite and > 0",
    "checkpoint_cost": "finite and >= 0",
    "recovery_cost": "finite and >= 0",
    "downtime": "finite and >= 0",
    "replications": "a whole number >= 1",
    "seed": "a whole number >= 0",
    "threads": "a whole number >= 1",
}
GOOD = {"work": 4.0, "uptime": Exponential(9.0), "replications": 1, "seed": 0, **JOB}


@pytest.mark.parametrize(
    ("name", "value"), [*itertools.product(NUMBERS, [math.nan, math.inf, -math.inf, -1.0])]
)
def test_numbers_outside_their_domain_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be {NUMBERS[name]}, got {value!r}$"):
        simulate_makespans(**GOOD | {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("work", 0.0), ("interval", 0.0), ("replications", 0), ("replications", 1.5), ("threads", 0)],
)
def test_zero_and_fractions_are_refused_where_they_mean_nothing(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be {NUMBERS[name]}, got "):
        simulate_makespans(**GOOD | {name: value})


@pytest.mark.parametrize(("name", "value"), [*itertools.product(NUMBERS, ["1h", None, True])])
def test_what_is_not_a_number_is_named(name, value):
    with pytest.raises(TypeError, match=f"^{name} must be a .*number.*, got {value!r}$"):
        simulate_makespans(**GOOD | {name: value})


def test_the_method_and_the_generator_are_checked():
    with pytest.raises(ValueError, match=r"^method must be one of kernel, events, got 'fast'$"):
        simulate_makespans(**GOOD, method="fast")
    with pytest.raises(TypeError, match=r"^rng must be a numpy\.random\.Generator, got 1$"):
        simulate_job(4.0, uptime=Exponential(9.0), rng=1, **JOB)


def test_a_flag_is_not_a_number():
    with pytest.raises(TypeError, match=r"^final_checkpoint must be True or False, got 1$"):
        simulate_makespans(**GOOD, final_checkpoint=1)


def test_results_of_formulas_are_accepted_as_arguments():
    scalar = np.asarray(2.0)  # what perfmodel returns
    assert simulate_makespans(**GOOD | {"interval": scalar}).shape == (1,)
