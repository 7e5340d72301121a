"""Speed and memory of Blue Gene replays, in seconds of processor time and bytes.

`make bench` runs this; the limits are those of the README beside this file, which has the figures.
"""

import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from sim.cluster import Failures, Workload, replay
from sim.cluster.bluegene import BlueGene, Cobalt, FaultAware, PartitionTable, regular
from sim.cluster.order import UTILITIES
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


def play(machine, jobs, mtbf_h=4.0):
    """Return the processor time of a fault-aware replay under WFP3 with failures, [s]."""
    chosen = workload(machine, jobs)
    begun = process_time()
    failures = Failures.sampled(
        nodes=machine.nodes,
        uptime=Exponential(machine.nodes * mtbf_h * 3600.0),
        repair=Deterministic(1200.0),
        end=float(chosen.submit[-1]) + 30 * 86_400.0,
        seed=1,
    )
    policy = Cobalt(UTILITIES["wfp3"], FaultAware())
    result = replay(chosen, machine, policy=policy, failures=failures, recovery="new")
    taken = process_time() - begun
    assert result.metrics["completed"] == jobs
    return taken


def test_a_month_of_intrepid(benchmark, judge, intrepid):
    assert len(intrepid.table) > 1100
    play(intrepid, 200)  # compiles
    seconds = benchmark.pedantic(lambda: min(play(intrepid, MONTH) for _ in range(2)), rounds=1)
    judge("a month of Intrepid, processor seconds", seconds, at_most=10.0)


def test_the_whole_log_of_intrepid(benchmark, judge, intrepid):
    play(intrepid, 200)
    seconds = benchmark.pedantic(lambda: play(intrepid, YEAR), rounds=1)
    judge("68,936 jobs on Intrepid, processor seconds", seconds, at_most=120.0)


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
