"""EASY backfilling written with other tools, for timing against the kernel."""

from __future__ import annotations

import json
import subprocess
import sys
from bisect import bisect_left, insort
from collections import deque
from pathlib import Path

from sim.cluster import Workload


def plain_easy(workload: Workload, capacity: int) -> list[float]:
    """Return start times by plain Python with a sorted list of running jobs; event order batch."""
    submit, walltime = workload.submit.tolist(), workload.walltime.tolist()
    executed = [min(pair) for pair in zip(workload.runtime.tolist(), walltime, strict=True)]
    processors = workload.processors.tolist()
    start = [0.0] * len(submit)
    running: list[tuple[float, int]] = []  # by planned end
    ends: list[tuple[float, int]] = []  # by true end
    waiting: deque[int] = deque()
    free, coming = capacity, 0

    def begin(job: int, now: float) -> None:
        nonlocal free
        start[job] = now
        free -= processors[job]
        insort(running, (now + walltime[job], job))
        insort(ends, (now + executed[job], job))

    while coming < len(submit) or ends:
        now = min(submit[coming] if coming < len(submit) else float("inf"),
                  ends[0][0] if ends else float("inf"))  # fmt: skip
        while ends and ends[0][0] == now:
            job = ends.pop(0)[1]
            del running[bisect_left(running, (start[job] + walltime[job], job))]
            free += processors[job]
        while coming < len(submit) and submit[coming] == now:
            waiting.append(coming)
            coming += 1
        while waiting and processors[waiting[0]] <= free:
            begin(waiting.popleft(), now)
        if len(waiting) < 2 or not free:
            continue
        time, spare = float("inf"), free - processors[waiting[0]]
        for end, job in running:
            if spare >= 0 and end > time:
                break
            spare += processors[job]
            if spare >= 0:
                time = end
        started = set()
        for job in list(waiting)[1:]:
            in_time = now + walltime[job] <= time
            if processors[job] <= free and (in_time or processors[job] <= spare):
                if not in_time:
                    spare -= processors[job]
                begin(job, now)
                started.add(job)
        if started:
            waiting = deque(job for job in waiting if job not in started)
    return start


def accasim_seconds(log: Path, processors: int, folder: Path) -> float:
    """Return the seconds that AccaSim's EASY simulation of an SWF log takes; raise RuntimeError."""
    system = {
        "groups": {"all": {"core": processors}},
        "resources": {"all": 1},
        "equivalence": {"processor": {"core": 1}},
        "start_time": 0,
    }
    (folder / "system.json").write_text(json.dumps(system))
    code = f"""
import collections, collections.abc
for name in ("Mapping", "MutableMapping", "Iterable", "Sequence", "Callable", "Hashable"):
    setattr(collections, name, getattr(collections.abc, name))  # gone since Python 3.10
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling
from accasim.base.simulator_class import Simulator
simulator = Simulator({str(log)!r}, "system.json", EASYBackfilling(FirstFit()),
                      scheduling_output=False, statistics_output=False, show_statistics=False)
simulator.start_simulation()
print("seconds", simulator.end_simulation_time - simulator.start_simulation_time)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.rstrip().rpartition("\n")[2].split()
    if done.returncode or last[:1] != ["seconds"]:
        raise RuntimeError(done.stderr.rstrip().rpartition("\n")[2])
    return float(last[1])
