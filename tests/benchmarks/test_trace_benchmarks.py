"""Speed of reading logs, against the C parser of pandas on the same file."""

import numpy as np
import pandas as pd
import pytest

from sim.samplers import Exponential, LogNormal
from sim.traces import failure_log, generate_jobs, read_failures, read_sacct, read_swf, write_swf

from .timing import in_turns

JOBS = 200_000
ROWS = 1_000_000
LIMIT = 1.5  # times what pandas needs, with the columns of times as dates


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


def written(folder, name, delimiter, columns):
    """Write a table of ROWS rows, and return where it is."""
    path = folder / name
    with path.open("w") as file:
        file.write(delimiter.join(columns) + "\n")
        lines = zip(*(map(str, values.tolist()) for values in columns.values()), strict=True)
        file.writelines(delimiter.join(line) + "\n" for line in lines)
    return path


def clocks(seconds):
    return np.datetime_as_string(seconds.astype("datetime64[s]"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return a failure log, and a log of jobs as sacct prints it."""
    rng, folder = np.random.default_rng(2), tmp_path_factory.mktemp("tables")
    start = np.sort(rng.integers(1_500_000_000, 1_700_000_000, ROWS))
    length = rng.integers(60, 90_000, ROWS)
    down, up = clocks(start), clocks(start + length)
    nodes = np.array([f"n{node:04d}" for node in range(2_000)])
    states = np.array(["COMPLETED", "FAILED", "NODE_FAIL", "TIMEOUT"])
    jobs = {
        "JobIDRaw": np.arange(ROWS),
        "Submit": clocks(start - 100),
        "Start": down,
        "End": up,
        "ElapsedRaw": length,
        "NNodes": rng.integers(1, 64, ROWS),
        "AllocCPUS": rng.integers(1, 640, ROWS),
        "State": states[rng.choice(4, ROWS, p=[0.7, 0.2, 0.05, 0.05])],
        "User": np.array([f"u{user}" for user in range(300)])[rng.integers(0, 300, ROWS)],
    }
    failures = {"node": nodes[rng.integers(0, 2_000, ROWS)], "down": down, "up": up}
    steps = np.array(["", ".batch", ".extern"])[np.arange(ROWS) % 3]
    with_steps = jobs | {"JobIDRaw": np.char.add((np.arange(ROWS) // 3).astype(str), steps)}
    seconds = jobs | {"Submit": start - 100, "Start": start, "End": start + length}
    quoted = {f'"{name}"': np.char.mod('"%s"', values) for name, values in jobs.items()}
    return {
        "failures": written(folder, "log.csv", ",", failures),
        "jobs": written(folder, "sacct.txt", "|", jobs),
        "steps": written(folder, "steps.txt", "|", with_steps),
        "quoted": written(folder, "quoted.csv", ",", quoted),
        "seconds": written(folder, "seconds.txt", "|", seconds),
    }


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("read_failures", lambda path: read_failures(path, "csv").frame),
        ("failure_log", lambda path: failure_log(path, "csv").failures),
    ],
)
def test_reading_a_failure_log_against_pandas(benchmark, judge, tables, name, read):
    """A million rows with a node, a start and an end; `failure_log` merges them to outages, too."""
    path = tables["failures"]
    assert ROWS / 2 < len(read(path)) <= ROWS
    benchmark.pedantic(lambda: read(path), rounds=3)
    ours, pandas = in_turns(
        lambda: read(path), lambda: pd.read_csv(path, parse_dates=["down", "up"]), rounds=7
    )
    judge(f"`{name}`, `pandas.read_csv`", ours / pandas, at_most=LIMIT)


@pytest.mark.parametrize(
    ("kind", "jobs"),
    [("jobs", ROWS), ("steps", ROWS // 3 + 1), ("quoted", ROWS), ("seconds", ROWS)],
)
def test_reading_accounting_records_against_pandas(benchmark, judge, tables, kind, jobs):
    path, times = tables[kind], [] if kind == "seconds" else ["Submit", "Start", "End"]
    assert len(read_sacct(path).frame) == jobs
    benchmark.pedantic(lambda: read_sacct(path), rounds=3)
    ours, pandas = in_turns(
        lambda: read_sacct(path),
        lambda: pd.read_csv(path, sep="," if kind == "quoted" else "|", parse_dates=times),
        rounds=7,
    )
    of = {
        "jobs": "",
        "steps": " of jobs and steps",
        "quoted": " of quoted CSV",
        "seconds": " of Unix times",
    }[kind]
    judge(f"`read_sacct`{of}, `pandas.read_csv`", ours / pandas, at_most=LIMIT)
