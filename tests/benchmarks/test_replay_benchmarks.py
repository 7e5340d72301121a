"""Speed of replays on a flat machine, as ratios to rivals and to the calibration loop.

`make bench` runs this; the limits are those of the README beside this file, which has the figures.
"""

import os
import subprocess
import sys
from math import log
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sim.cluster import Failures, Periodic, Workload, flat, replay
from sim.study import Cell, DrawnFailures, play_study
from sim.traces import SWF_COLUMNS, locate, read_swf, write_swf

from .replay_rivals import accasim_seconds, plain_easy
from .timing import in_turns, processor_time

PROCESSORS, LOAD = 1024, 0.85
SDSC = "jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz"


def sdsc_path():
    found = locate(SDSC)
    if found is None:
        pytest.skip(f"{SDSC} not found; the Parallel Workloads Archive publishes it")
    return found


@pytest.fixture(scope="module")
def sdsc():
    return Workload.from_frame(read_swf(sdsc_path()).frame)


def synthetic(jobs, seed=1):
    """Return jobs of up to 256 processors, lognormal runtimes, walltimes up to 5 times as long."""
    rng = np.random.default_rng(seed)
    processors = 2 ** rng.integers(0, 9, jobs)
    runtime = np.maximum(1.0, np.round(rng.lognormal(7.0, 1.5, jobs)))
    walltime = np.round(runtime * rng.uniform(1.0, 5.0, jobs))
    gap = np.sum(runtime * processors) / jobs / PROCESSORS / LOAD
    submit = np.round(np.cumsum(rng.exponential(gap, jobs)))
    return Workload(submit, runtime, walltime, processors)


def engine_seconds(workload, processors, policy="easy", rounds=9):
    """Return the least processor seconds of several rounds."""
    return min(replay(workload, flat(processors), policy=policy).processor_s for _ in range(rounds))


def spread_failures(workload, count, nodes, repair=3600.0, seed=1):
    """Return failures at random instants between the first and the last submission."""
    rng = np.random.default_rng(seed)
    time = rng.uniform(workload.submit[0], workload.submit[-1], count)
    return Failures(time, rng.integers(0, nodes, count), np.full(count, repair))


def with_and_without(workload, processors, failures, rounds, **settings):
    """Return processor seconds of the engine with failures and checkpoints, and without them."""
    failing = {"failures": failures, "checkpointing": Periodic(3600.0, 60.0, 60.0)}
    taken = [
        [
            replay(workload, flat(processors), **settings, **more).processor_s
            for more in (failing, {})
        ]
        for _ in range(rounds)
    ]
    return np.median(np.array(taken), axis=0)


def least_seconds(call, rounds):
    def once():
        begun = processor_time()
        call()
        return processor_time() - begun

    return min(once() for _ in range(rounds))


def write_log(workload, path):
    frame = pd.DataFrame(-1, index=range(len(workload)), columns=list(SWF_COLUMNS))
    frame["job"] = workload.job
    for column in ("submit", "runtime", "walltime"):
        frame[column] = getattr(workload, column).astype(np.int64)
    frame["processors"] = frame["requested_processors"] = workload.processors
    write_swf(frame, path)


def test_easy_against_plain_python(benchmark, judge, judge_pace, sdsc):
    benchmark.pedantic(replay, args=(sdsc, flat(128)), rounds=5)
    ours = engine_seconds(sdsc, 128)
    theirs = least_seconds(lambda: plain_easy(sdsc, 128), rounds=3)
    judge("EASY kernel, `plain_easy`", theirs / ours)
    # Half of the 8.6 million jobs/s of the best kernel known, on a log of much the same load.
    judge_pace("EASY kernel on SDSC-SP2", ours, at_most=0.2)


def test_the_rival_plays_the_same_policy():
    workload = synthetic(2_000)
    ours = replay(workload, flat(PROCESSORS), policy="easy").job_records.start
    np.testing.assert_array_equal(ours, plain_easy(workload, PROCESSORS))


def test_easy_against_accasim(benchmark, judge, sdsc, tmp_path):
    pytest.importorskip("accasim.base", reason="accasim comes with the extra bench")
    jobs = sdsc.select(slice(0, 5_000))
    write_log(jobs, tmp_path / "log.swf")
    try:
        theirs = accasim_seconds(tmp_path / "log.swf", 128, tmp_path)
    except RuntimeError as broken:
        pytest.skip(f"AccaSim does not run here: {broken}")
    benchmark.pedantic(replay, args=(jobs, flat(128)), rounds=5)
    judge("EASY kernel, AccaSim", theirs / engine_seconds(jobs, 128), at_least=200.0)


@pytest.mark.parametrize("policy", ["conservative", "conservative-compress"])
def test_conservative_policies(benchmark, judge_pace, sdsc, policy):
    benchmark.pedantic(
        replay, args=(sdsc, flat(128)), kwargs={"policy": policy}, rounds=1, warmup_rounds=1
    )
    seconds = engine_seconds(sdsc, 128, policy, rounds=5)
    judge_pace(f"{policy} kernel on SDSC-SP2", seconds, at_most=8.4)


def test_a_million_jobs_and_how_the_time_grows(benchmark, judge, judge_pace):
    large, small = synthetic(1_000_000), synthetic(10_000)
    benchmark.pedantic(replay, args=(large, flat(PROCESSORS)), rounds=1, warmup_rounds=1)
    seconds = engine_seconds(large, PROCESSORS, rounds=5)
    judge_pace("EASY kernel, 10^6 jobs", seconds, at_most=7.8)
    exponent = log(seconds / engine_seconds(small, PROCESSORS, rounds=25)) / log(100.0)
    judge("EASY kernel, exponent of growth from 10^4 to 10^6 jobs", exponent, at_most=1.1)


@pytest.mark.parametrize(("policy", "limit"), [("easy", 3.0), ("conservative", 2.0)])
def test_failures_against_none(benchmark, judge, sdsc, policy, limit):
    failures = spread_failures(sdsc, 340, 128)
    settings = {"policy": policy}
    benchmark.pedantic(replay, args=(sdsc, flat(128)), kwargs=settings, rounds=1)
    failing, calm = with_and_without(sdsc, 128, failures, 9, **settings)
    judge(f"{policy} with 340 failures, without", failing / calm, at_most=limit)


def test_a_million_jobs_with_a_hundred_thousand_failures(benchmark, judge):
    large = synthetic(1_000_000)
    many = spread_failures(large, 100_000, PROCESSORS)
    benchmark.pedantic(replay, args=(large, flat(PROCESSORS)), rounds=1)
    failing, calm = with_and_without(large, PROCESSORS, many, 3)
    judge("EASY, 10^6 jobs, 10^5 failures, without", failing / calm, at_most=5.0)
    small = synthetic(10_000)
    few = spread_failures(small, 1_000, PROCESSORS)
    growth = log(failing / with_and_without(small, PROCESSORS, few, 15)[0]) / log(100.0)
    judge("EASY, failures of a tenth of the jobs, exponent of growth", growth, at_most=1.1)


def test_a_study_of_a_thousand_replays(benchmark, judge_pace, sdsc):
    cells = {"easy": Cell("easy", DrawnFailures(mtbf=2 * 86_400.0, mttr=3600.0))}

    def study():
        return play_study(sdsc, flat(128), cells, seeds=range(1_000), workers=2)

    begun = processor_time()
    benchmark.pedantic(study, rounds=1)
    taken = processor_time() - begun
    judge_pace("study of 1,000 replays of SDSC-SP2, 2 processes", taken, at_most=940.0)


def test_the_command_line_against_its_imports(benchmark, judge, tmp_path):
    perfmodel = Path(sys.executable).with_name("perfmodel")
    command = [perfmodel, "replay", sdsc_path(), "--policy", "easy", "--json"]
    imports = [sys.executable, "-c", "import numpy, pandas, numba"]
    # An installation keeps its bytecode, which a shell may forbid for a checkout.
    installed = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    installed.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(words):
        subprocess.run(words, check=True, capture_output=True, env=installed)

    benchmark.pedantic(run, args=(command,), rounds=1, warmup_rounds=1)
    taken, floor = in_turns(lambda: run(command), lambda: run(imports), rounds=7)
    judge("`perfmodel replay` on SDSC-SP2, its imports", taken / floor, at_most=2.5)


def test_the_command_line_on_a_million_jobs(benchmark, judge_pace, tmp_path):
    write_log(synthetic(1_000_000), tmp_path / "log.swf")
    perfmodel = Path(sys.executable).with_name("perfmodel")
    command = [perfmodel, "replay", tmp_path / "log.swf", "--processors", str(PROCESSORS), "--json"]

    def run():
        subprocess.run(command, check=True, capture_output=True)

    benchmark.pedantic(run, rounds=1, warmup_rounds=1)
    taken = least_seconds(run, rounds=2)
    judge_pace("`perfmodel replay`, 10^6 jobs, with reading", taken, at_most=160.0)
