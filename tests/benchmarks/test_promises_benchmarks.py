"""Time of a replay with negotiated deadlines, a cell of the reproduction of `qos`.

`make bench` runs this; the limits are those of the README beside this file, which has the figures.
"""

import numpy as np
import pytest

from sim.cluster import DetectabilityForecaster, Workload, bursty_failures, replay_promises
from sim.traces import locate, read_swf

SDSC = "jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz"
YEAR = 365 * 86_400.0


@pytest.fixture(scope="module")
def sdsc():
    path = locate(SDSC)
    if path is None:
        pytest.skip(f"{SDSC} not found; the Parallel Workloads Archive publishes it")
    return Workload.from_frame(read_swf(path).frame)


def cell(workload, **settings):
    """Play deadlines on 128 nodes that fail 1,021 times a year; accuracy 0.7, all ask for 0.9."""
    first, last = float(workload.submit[0]), float(workload.submit[-1])
    failures = bursty_failures(
        nodes=128, per_year=1021.0, repair=120.0, start=first, end=last + YEAR, seed=1
    )
    return replay_promises(
        workload,
        processors=128,
        forecaster=DetectabilityForecaster(0.7, 1),
        confidence=0.9,
        failures=failures,
        **settings,
    ).replay


@pytest.mark.parametrize(("jobs", "limit"), [(10_000, 4.7), (54_034, 47.0)])
def test_promises_to_the_jobs_of_a_log(benchmark, judge_pace, sdsc, jobs, limit):
    some = sdsc.select(slice(0, jobs))
    benchmark.pedantic(cell, args=(some,), rounds=1, warmup_rounds=1)
    seconds = np.median([cell(some).processor_s for _ in range(5)])
    judge_pace(f"promises to {jobs:,} jobs of SDSC-SP2", float(seconds), at_most=limit)


def test_promises_against_the_readable_loop(benchmark, judge, sdsc):
    some = sdsc.select(slice(0, 10_000))
    readable = benchmark.pedantic(cell, args=(some,), kwargs={"engine": "general"}, rounds=1)
    seconds = np.median([cell(some).processor_s for _ in range(5)])
    judge("promises to 10,000 jobs, readable loop", readable.processor_s / seconds)
