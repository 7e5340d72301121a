"""Speed of the checkpointed job, as ratios to named rivals timed in turns in the same run.

`make bench` runs this; the limits are those of the README beside this file, which has the figures.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from perfmodel import interval
from sim.application import simulate_makespans
from sim.samplers import Exponential, LogNormal

from .rivals import Job, numpy_by_failure, simpy_by_failure, simpy_by_segment
from .timing import in_turns

JOB = Job()
KERNEL = 1 << 20


def kernel(seed=1):
    return simulate_makespans(
        JOB.work,
        interval=JOB.interval,
        uptime=Exponential(JOB.mtbf),
        checkpoint_cost=JOB.checkpoint_cost,
        downtime=LogNormal(JOB.mu, JOB.sigma),
        replications=KERNEL,
        seed=seed,
    )


@pytest.mark.parametrize(
    ("rival", "replications", "at_least"),
    [(simpy_by_segment, 2_000, 2000.0), (simpy_by_failure, 20_000, 300.0)],
    ids=["one event per segment", "one event per failure"],
)
def test_the_kernel_against_simpy(benchmark, judge, rival, replications, at_least):
    pytest.importorskip("simpy", reason="simpy comes with the extra bench")
    benchmark.pedantic(kernel, rounds=3)
    ours, theirs = in_turns(kernel, lambda: rival(JOB, replications, 2), rounds=7)
    speedup = (KERNEL / ours) / (replications / theirs)
    judge(f"Monte Carlo kernel, `{rival.__name__}`", speedup, at_least=at_least)


def test_the_kernel_against_numpy(benchmark, judge):
    benchmark.pedantic(kernel, rounds=3)
    ours, theirs = in_turns(kernel, lambda: numpy_by_failure(JOB, KERNEL, 2), rounds=7)
    judge("Monte Carlo kernel, `numpy_by_failure`", theirs / ours, at_least=1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rival", "replications"),
    [(simpy_by_segment, 4_000), (simpy_by_failure, 40_000), (numpy_by_failure, KERNEL)],
    ids=["one event per segment", "one event per failure", "numpy"],
)
def test_rivals_play_the_same_model(rival, replications):
    if rival is not numpy_by_failure:
        pytest.importorskip("simpy", reason="simpy comes with the extra bench")
    ours, theirs = kernel(), np.array(rival(JOB, replications, 3))
    stderr = np.hypot(ours.std() / ours.size**0.5, theirs.std() / theirs.size**0.5)
    assert abs(ours.mean() - theirs.mean()) < 5.0 * stderr
    assert theirs.min() == pytest.approx(ours.min(), rel=1e-12)


def test_the_optimal_interval_of_a_million_against_one_lambertw(benchmark, judge):
    rng = np.random.default_rng(4)
    mtbf = rng.uniform(1e3, 1e6, 1_000_000)
    checkpoint_cost = mtbf * 10.0 ** rng.uniform(-6.0, 0.0, mtbf.size)
    argument = -np.exp(-1.0 - checkpoint_cost / mtbf)

    def ours():
        return interval.optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost)

    benchmark.pedantic(ours, rounds=3)
    taken, lambertw = in_turns(ours, lambda: special.lambertw(argument), rounds=7)
    judge("`optimal_interval`, one `lambertw`", taken / lambertw, at_most=4.0)


def test_the_asynchronous_interval_of_a_million_against_one_lambertw(benchmark, judge):
    rng = np.random.default_rng(4)
    mtbf = rng.uniform(1e3, 1e6, 1_000_000)
    checkpoint_cost = mtbf * 10.0 ** rng.uniform(-6.0, 0.0, mtbf.size)
    latency = checkpoint_cost * 10.0 ** rng.uniform(-1.0, 2.0, mtbf.size)
    argument = -np.exp(-1.0 - checkpoint_cost / mtbf)

    def ours():
        return interval.optimal_interval_async(
            mtbf=mtbf, checkpoint_cost=checkpoint_cost, latency=latency
        )

    benchmark.pedantic(ours, rounds=3)
    taken, lambertw = in_turns(ours, lambda: special.lambertw(argument), rounds=7)
    judge("`optimal_interval_async`, one `lambertw`", taken / lambertw, at_most=4.0)


def test_the_command_line_against_the_imports_it_cannot_do_without(benchmark, judge):
    perfmodel = Path(sys.executable).with_name("perfmodel")
    command = [perfmodel, "interval", "--mtbf", "8h", "--checkpoint-cost", "6min"]
    imports = [sys.executable, "-c", "import numpy, scipy.special"]

    def run(words):
        subprocess.run(words, check=True, capture_output=True)

    benchmark.pedantic(run, args=(command,), rounds=3)
    taken, floor = in_turns(lambda: run(command), lambda: run(imports), rounds=15)
    judge("`perfmodel interval`, its imports", taken / floor, at_most=2.5)
