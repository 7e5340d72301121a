"""Speed of reading a job log, against the C parser of pandas on the same file."""

import numpy as np
import pandas as pd
import pytest

from sim.samplers import Exponential, LogNormal
from sim.traces import generate_jobs, read_swf, write_swf

from .timing import in_turns

JOBS = 200_000


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    frame = generate_jobs(
        np.random.default_rng(1),
        jobs=JOBS,
        gaps=Exponential(60.0),
        processors={2**k: 1.0 for k in range(11)},
        runtime=LogNormal(7.0, 1.5),
        overestimate=LogNormal(1.0, 0.5),
    )
    path = tmp_path_factory.mktemp("logs") / "jobs.swf"
    write_swf(frame, path)
    return path


def test_reading_a_job_log_against_pandas(benchmark, judge, log):
    """Ours also checks every value, order and identity, and keeps the line of each job."""
    assert len(read_swf(log, strict=True).frame) == JOBS
    benchmark.pedantic(lambda: read_swf(log), rounds=3)
    ours, pandas = in_turns(
        lambda: read_swf(log), lambda: pd.read_csv(log, sep=r"\s+", header=None), rounds=7
    )
    judge("`read_swf`, `pandas.read_csv`", pandas / ours)
