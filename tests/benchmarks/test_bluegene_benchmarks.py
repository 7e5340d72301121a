"""Speed and memory of Blue Gene replays: the engine over the calibration loop, and bytes.

`make bench` runs this; the limits are those of the README beside this file, which has the figures.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.cluster import Failures, Periodic, Workload, replay
from sim.cluster.bluegene import (
    SCHEDULERS,
    BlueGene,
    Cobalt,
    FaultAware,
    PartitionTable,
    regular,
)
from sim.cluster.order import UTILITIES, utility_from_expression
from sim.samplers import Deterministic, Exponential
from sim.traces import intrepid_like, locate

MONTH, YEAR = 7_630, 68_936
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def intrepid():
    path = locate("machines/intrepid/simulator.xml.xz")
    return BlueGene(regular(5, 8) if path is None else PartitionTable.from_cobalt(path))


def workload(machine, jobs):
    frame = intrepid_like(np.random.default_rng(1), jobs=jobs, days=35.0 * jobs / MONTH)
    return machine.sized(Workload.from_frame(frame, processors="allocated", processors_per_node=4))


def play(
    machine,
    jobs,
    *,
    utility=UTILITIES["wfp3"],
    engine="kernel",
    checkpointing=None,
    scheduler="separate-drains",
):
    """Return the engine's processor time of a fault-aware replay with failures, MTBF 4 h, [s]."""
    chosen = workload(machine, jobs)
    failures = Failures.sampled(
        nodes=machine.nodes,
        uptime=Exponential(machine.nodes * 4.0 * 3600.0),
        repair=Deterministic(1200.0),
        end=float(chosen.submit[-1]) + 30 * 86_400.0,
        seed=1,
    )
    result = replay(
        chosen,
        machine,
        policy=Cobalt(utility, FaultAware(), scheduler=SCHEDULERS[scheduler]),
        failures=failures,
        checkpointing=checkpointing,
        recovery="new",
        engine=engine,
    )
    assert result.metrics["completed"] == jobs
    return result.processor_s


def test_a_month_of_intrepid(benchmark, judge_pace, intrepid):
    assert len(intrepid.table) > 1100
    seconds = benchmark.pedantic(lambda: min(play(intrepid, MONTH) for _ in range(3)), rounds=1)
    judge_pace("a month of Intrepid", seconds, at_most=2.3)


def test_a_month_with_checkpoints_and_a_written_score(benchmark, judge_pace, intrepid):
    chosen = {
        "utility": utility_from_expression("(wait/walltime)**3*nodes/queue_length"),
        "checkpointing": Periodic(3600.0, 120.0, 60.0),
    }
    seconds = benchmark.pedantic(
        lambda: min(play(intrepid, MONTH, **chosen) for _ in range(3)), rounds=1
    )
    judge_pace("the month, checkpoints, written score", seconds, at_most=2.3)


@pytest.mark.parametrize("name", [name for name in SCHEDULERS if name != "separate-drains"])
def test_a_month_under_a_released_scheduler(benchmark, judge_pace, intrepid, name):
    seconds = benchmark.pedantic(
        lambda: min(play(intrepid, MONTH, scheduler=name) for _ in range(3)), rounds=1
    )
    judge_pace(f"the month under {name}", seconds, at_most=3.1)


def test_a_month_by_the_readable_loop(benchmark, judge, intrepid):
    play(intrepid, 200, engine="general")  # compiles

    def ratio():
        seconds = np.array(
            [[play(intrepid, MONTH, engine=e) for e in ("kernel", "general")] for _ in range(3)]
        )
        kernel, general = np.median(seconds, axis=0)
        return general / kernel

    judge("the month, readable loop", benchmark.pedantic(ratio, rounds=1), at_least=8)


def test_the_whole_log_of_intrepid(benchmark, judge_pace, intrepid):
    seconds = benchmark.pedantic(lambda: min(play(intrepid, YEAR) for _ in range(2)), rounds=1)
    judge_pace("68,936 jobs on Intrepid", seconds, at_most=23.0)


def test_the_memory_of_the_whole_log(benchmark, judge):
    code = (
        "import resource; from tests.benchmarks.test_bluegene_benchmarks import *; "
        "play(BlueGene(regular(5, 8)), YEAR); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)"
    )

    def run():
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return float(done.stdout)

    judge("68,936 jobs, largest memory [GB]", benchmark.pedantic(run, rounds=1), at_most=1.0)
