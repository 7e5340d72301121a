import math

import pytest

from sim.application import (
    _replications as replications,
)
from sim.application import (
    simulate_wsj_job,
    simulate_wsj_makespans,
    wsj_job,
)
from sim.application.wsj_job import RestartRecord
from sim.samplers import Deterministic, Gamma, LogNormal
from sim.streams import stream

JOB = {"interval": 4.0, "mtbf": 20.0, "downtime": LogNormal(0.0, 1.0), "checkpoint_cost": 0.5}


class ScriptedGaps:
    """Stands in for a Generator whose exponential draws are known."""

    def __init__(self, *gaps):
        self.gaps = list(gaps)

    def standard_exponential(self):
        return self.gaps.pop(0)


def play(*gaps):
    process = wsj_job._Process(
        work=10.0,
        interval=4.0,
        mtbf=2.0,
        downtime=Deterministic(2.0),
        storage=1.25,
        rng=ScriptedGaps(*(gap / 2.0 for gap in gaps)),
    )
    return process.run()


# In the order of draws: to the first failure; during each repair; rework; to the next failure.
def test_without_failure_there_is_work_and_storage():
    assert play(10.5) == RestartRecord(11.25, 10.0, 0.0, 0.0, 1.25, 0, 0)


def test_a_failure_costs_one_repair_and_rework_and_no_progress():
    record = play(3.0, 5.0, 9.0, 7.5)
    assert record == RestartRecord(14.25, 10.0, 1.0, 2.0, 1.25, 1, 1)


def test_failures_during_repair_queue_for_it():
    # Repairs from 3 to 5 and 5 to 7 and 7 to 9; failures at 4 and at 6.5.
    record = play(3.0, 1.0, 2.5, 5.0, 4.5, 7.5)
    assert record == RestartRecord(17.75, 10.0, 0.5, 6.0, 1.25, 1, 3)


def test_nothing_fails_during_rework_or_storage():
    record = play(3.0, 5.0, 3.75, 7.5)  # rework of 3.75, longer than many a gap
    assert record.rework == 3.75
    assert record.repairs == 1


def test_parts_add_up_to_the_makespan():
    for index in range(50):
        record = simulate_wsj_job(64.0, **JOB, rng=stream(3, index))
        parts = record.work + record.rework + record.repair_time + record.storage_time
        assert record.makespan == pytest.approx(parts, rel=1e-13)
        assert record.work == pytest.approx(64.0, rel=1e-13)
        assert record.repairs >= record.interruptions


@pytest.mark.parametrize("method", ["kernel", "events"])
def test_half_an_interval_pays_for_half_a_checkpoint(method):
    walls = simulate_wsj_makespans(
        10.0,
        interval=4.0,
        mtbf=1e12,
        downtime=1.0,
        checkpoint_cost=0.5,
        replications=3,
        seed=0,
        method=method,
    )
    assert walls.tolist() == [11.25] * 3


@pytest.mark.parametrize(("method", "replications"), [("kernel", 100_000), ("events", 200)])
def test_same_seed_same_bytes_whatever_the_threads(method, replications):
    def walls(threads, seed=7):
        return simulate_wsj_makespans(
            64.0, **JOB, replications=replications, seed=seed, threads=threads, method=method
        ).tobytes()

    assert walls(1) == walls(1) == walls(2) == walls(4)
    assert walls(1) != walls(1, seed=8)


@pytest.mark.parametrize("method", ["kernel", "events"])
def test_repairs_slower_than_failures_are_an_error(method, monkeypatch):
    for module in (wsj_job, replications):
        monkeypatch.setattr(module, "FAILURES_LIMIT", 1000)
    with pytest.raises(RuntimeError, match=r"^the job must end within"):
        simulate_wsj_makespans(
            100.0,
            interval=1.0,
            mtbf=1.0,
            downtime=Gamma(2.0, 2.0),
            replications=1,
            seed=0,
            method=method,
        )


@pytest.mark.parametrize("method", ["kernel", "events"])
def test_a_list_that_runs_out_is_an_error(method):
    with pytest.raises(
        RuntimeError, match=r"^durations must be enough for the replication, got only 1; with"
    ):
        simulate_wsj_makespans(
            100.0,
            interval=1.0,
            mtbf=1.0,
            downtime=[0.5],
            replications=1,
            seed=0,
            method=method,
        )


@pytest.mark.parametrize("name", ["work", "interval", "mtbf", "checkpoint_cost"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0])
def test_numbers_outside_their_domain_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be finite and >=? 0, got {value!r}$"):
        simulate_wsj_makespans(**{"work": 1.0, **JOB, name: value}, replications=1, seed=0)


@pytest.mark.parametrize("name", ["work", "interval", "mtbf", "checkpoint_cost", "downtime"])
def test_what_is_not_a_number_is_named(name):
    with pytest.raises(TypeError, match=f"^{name} must be a .*number.*, got '1h'$"):
        simulate_wsj_makespans(**{"work": 1.0, **JOB, name: "1h"}, replications=1, seed=0)


def test_the_method_and_the_generator_are_checked():
    with pytest.raises(ValueError, match=r"^method must be one of kernel, events, got 'fast'$"):
        simulate_wsj_makespans(1.0, **JOB, replications=1, seed=0, method="fast")
    with pytest.raises(TypeError, match=r"^rng must be a numpy\.random\.Generator, got 1$"):
        simulate_wsj_job(1.0, **JOB, rng=1)
