"""Speed of replays on a flat machine, as ratios to rivals and as seconds of engine time.

`make bench` runs this; the limits are those of the README beside this file, which has the figures.
"""

import subprocess
import sys
from math import log
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import pytest

from sim.cluster import Workload, flat, replay
from sim.traces import SWF_COLUMNS, locate, read_swf, write_swf

from .replay_rivals import accasim_seconds, plain_easy
from .timing import in_turns

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
    """Return the least seconds of several rounds, to exclude other load on the machine."""
    return min(replay(workload, flat(processors), policy=policy).engine_s for _ in range(rounds))


def least_seconds(call, rounds):
    def once():
        begun = perf_counter()
        call()
        return perf_counter() - begun

    return min(once() for _ in range(rounds))


def write_log(workload, path):
    frame = pd.DataFrame(-1, index=range(len(workload)), columns=list(SWF_COLUMNS))
    frame["job"] = workload.job
    for column in ("submit", "runtime", "walltime"):
        frame[column] = getattr(workload, column).astype(np.int64)
    frame["processors"] = frame["requested_processors"] = workload.processors
    write_swf(frame, path)


def test_easy_against_plain_python(benchmark, judge, sdsc):
    benchmark.pedantic(replay, args=(sdsc, flat(128)), rounds=5)
    ours = engine_seconds(sdsc, 128)
    theirs = least_seconds(lambda: plain_easy(sdsc, 128), rounds=3)
    judge("EASY kernel, `plain_easy`", theirs / ours)
    # Half of the 8.6 million jobs/s of the best kernel known, on a log of much the same load.
    judge("EASY kernel, 10^6 jobs/s on SDSC-SP2", len(sdsc) / ours / 1e6, at_least=4.3)


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
def test_conservative_policies_in_jobs_per_second(benchmark, judge, sdsc, policy):
    benchmark.pedantic(
        replay, args=(sdsc, flat(128)), kwargs={"policy": policy}, rounds=1, warmup_rounds=1
    )
    seconds = engine_seconds(sdsc, 128, policy, rounds=5)
    judge(f"{policy} kernel, 10^5 jobs/s", len(sdsc) / seconds / 1e5, at_least=1.0)


def test_a_million_jobs_and_how_the_time_grows(benchmark, judge):
    large, small = synthetic(1_000_000), synthetic(10_000)
    benchmark.pedantic(replay, args=(large, flat(PROCESSORS)), rounds=1, warmup_rounds=1)
    seconds = engine_seconds(large, PROCESSORS, rounds=5)
    judge("EASY kernel, 10^6 jobs, seconds in the engine", seconds, at_most=0.5)
    exponent = log(seconds / engine_seconds(small, PROCESSORS, rounds=25)) / log(100.0)
    judge("EASY kernel, exponent of growth from 10^4 to 10^6 jobs", exponent, at_most=1.1)


def test_the_command_line_against_its_imports(benchmark, judge):
    perfmodel = Path(sys.executable).with_name("perfmodel")
    command = [perfmodel, "replay", sdsc_path(), "--policy", "easy", "--json"]
    imports = [sys.executable, "-c", "import numpy, pandas, numba"]

    def run(words):
        subprocess.run(words, check=True, capture_output=True)

    benchmark.pedantic(run, args=(command,), rounds=1, warmup_rounds=1)
    taken, floor = in_turns(lambda: run(command), lambda: run(imports), rounds=7)
    judge("`perfmodel replay` on SDSC-SP2, its imports", taken / floor, at_most=2.5)


def test_the_command_line_on_a_million_jobs(benchmark, judge, tmp_path):
    write_log(synthetic(1_000_000), tmp_path / "log.swf")
    perfmodel = Path(sys.executable).with_name("perfmodel")
    command = [perfmodel, "replay", tmp_path / "log.swf", "--processors", str(PROCESSORS), "--json"]

    def run():
        subprocess.run(command, check=True, capture_output=True)

    benchmark.pedantic(run, rounds=1, warmup_rounds=1)
    taken = least_seconds(run, rounds=2)
    judge("`perfmodel replay`, 10^6 jobs, seconds with reading", taken, at_most=10.0)
