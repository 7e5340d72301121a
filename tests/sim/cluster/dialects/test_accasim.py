"""Drawn logs, played by AccaSim itself where it is installed."""

import collections
import collections.abc
import json
from datetime import UTC, datetime

import numpy as np
import pytest

from sim.cluster import Workload, flat, replay
from sim.cluster.dialects import DIALECTS
from sim.traces import read_jobs
from tests.support.public_logs import trace


@pytest.fixture
def accasim(monkeypatch):
    # AccaSim 1.1.3 takes these names from where they were until Python 3.9.
    for name in ("Mapping", "MutableMapping", "Iterable", "Sequence", "Callable"):
        monkeypatch.setattr(collections, name, getattr(collections.abc, name), raising=False)
    return pytest.importorskip(
        "accasim.base.simulator_class", reason="AccaSim is not installed: pip install accasim"
    )


def drawn(rng, processors, jobs=400):
    runtime = rng.integers(1, 300, jobs)
    walltime = np.maximum(runtime + rng.integers(-50, 200, jobs), 1)
    large = rng.random(jobs) < 0.3
    size = np.where(
        large, rng.integers(1, processors + 1, jobs), rng.integers(1, processors // 3 + 1, jobs)
    )
    return 1 + np.cumsum(rng.integers(0, 60, jobs)), runtime, walltime, size


def played(accasim, folder, policy, processors, columns):
    """Return the start of every job, by number, as AccaSim writes it."""
    from accasim.base.allocator_class import FirstFit
    from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut

    lines = [
        f"{number} {submit} -1 {runtime} {size} -1 -1 {size} {walltime} -1 1 1 1 1 1 1 -1 -1"
        for number, (submit, runtime, walltime, size) in enumerate(
            zip(*columns, strict=True), start=1
        )
    ]
    log, system = folder / "jobs.swf", folder / "system.json"
    log.write_text("; UnixStartTime: 0\n" + "\n".join(lines) + "\n")
    system.write_text(json.dumps({"groups": {"g": {"core": 1}}, "resources": {"g": processors}}))
    scheduler = {"easy": EASYBackfilling, "fcfs": FirstInFirstOut}[policy](FirstFit())
    outputs = ("pprint_output", "benchmark_output", "statistics_output", "show_statistics")
    simulator = accasim.Simulator(
        str(log),
        str(system),
        scheduler,
        scheduling_output=True,
        RESULTS_FOLDER_NAME="out",
        RESULTS_FOLDER_PATH=str(folder),
        **dict.fromkeys(outputs, False),
    )
    (path,) = simulator.start_simulation().values()
    found = {}
    with open(path) as file:
        for line in file:
            date = line.split("__")[2].split(";")[0]
            start = datetime.strptime(date, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
            found[int(line.split(";")[0])] = start.timestamp()
    return found


@pytest.mark.parametrize("policy", ["easy", "fcfs"])
@pytest.mark.parametrize("processors", [8, 16, 32])
def test_starts_are_those_of_accasim(accasim, tmp_path, policy, processors):
    columns = drawn(np.random.default_rng(processors), processors)
    theirs = played(accasim, tmp_path, policy, processors, columns)
    found = replay(Workload(*columns), flat(processors), **DIALECTS["accasim"].options(policy))
    assert len(theirs) == len(found.jobs)
    ours = dict(enumerate(found.job_records.start.tolist(), start=1))
    assert [number for number, start in theirs.items() if ours[number] != start] == []


@pytest.mark.parametrize("policy", ["easy", "fcfs"])
@pytest.mark.parametrize(
    ("log", "processors"),
    [("SDSC-SP2-1998-4.2-cln.swf.gz", 128), ("CTC-SP2-1996-3.1-cln.swf.gz", 338)],
)
def test_starts_of_public_logs_are_those_of_accasim(accasim, tmp_path, policy, log, processors):
    every = Workload.from_frame(read_jobs(trace(f"jobs/pwa/{log}")).frame)
    # AccaSim has rules of its own for jobs of 0 s; its clock begins a second before the first.
    chosen = np.flatnonzero((every.runtime > 0.0) & (every.processors <= processors))[:5_000]
    submit = every.submit[chosen] + 10.0
    columns = submit, every.runtime[chosen], every.walltime[chosen], every.processors[chosen]
    whole = [column.astype(int) for column in columns]
    theirs = played(accasim, tmp_path, policy, processors, whole)
    found = replay(Workload(*columns), flat(processors), **DIALECTS["accasim"].options(policy))
    assert len(theirs) == len(found.jobs) == 5_000
    ours = dict(enumerate(found.job_records.start.tolist(), start=1))
    assert [number for number, start in theirs.items() if ours[number] != start] == []
