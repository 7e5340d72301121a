"""Files that commands write: rows of attempts and of use, and where attempts ran on a grid."""

from itertools import pairwise

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel.cli.output.attempts import attempts_file, write_attempts
from perfmodel.cli.output.use_file import write_use
from sim.answers.attempts import attempt_table, places_in_queue, ranges
from sim.answers.grids.places import (
    first_processors,
    grid_attempts,
    processors_of_attempts,
)
from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.grid import ClusterSpec, Grid, replay_grid
from tests.support.examples import examples
from tests.support.workloads import seeds


def test_rows_of_attempts_in_full(tmp_path):
    """A failure strikes the first job, which runs again; the third never fits what is up."""
    jobs = Workload([0.0, 1.0, 2.0], [10.0, 5.0, 4.0], [12.0, 5.0, 4.0], [2, 2, 3], job=[7, 8, 9])
    struck = Failures([4.0, 30.0], [0, 2], [2.0, np.inf])
    done = replay(jobs, flat(3), failures=struck, policy="easy")
    table = attempt_table(done, ranges)
    assert list(table.columns[:15]) == [
        "job",
        "attempt",
        "submit",
        "start",
        "end",
        "outcome",
        "processors",
        "place",
        "useful",
        "lost",
        "checkpoint",
        "recovery",
        "first_start",
        "job_end",
        "job_outcome",
    ]
    rest = [name for name in done.jobs.columns if name not in table.columns[:15]]
    assert rest
    assert list(table.columns[15:]) == rest
    first, again = table.iloc[0], table.iloc[1]
    assert (first["job"], first["attempt"], first["outcome"]) == (7, 1, "failed")
    assert (first["start"], first["end"], first["lost"], first["useful"]) == (0.0, 4.0, 4.0, 0.0)
    assert (again["job"], again["attempt"], again["outcome"]) == (7, 2, "completed")
    assert (again["useful"], again["lost"]) == (10.0, 0.0)
    assert (first["first_start"], again["first_start"]) == (0.0, 0.0)
    assert first["job_end"] == again["job_end"] == again["end"]
    assert first["job_outcome"] == "completed"
    assert places_in_queue(table).tolist() == [0, 0, 1, 2]
    assert table["processors"].tolist() == [2, 2, 2, 3]
    out = tmp_path / "rows.csv"
    write_attempts(out, {"easy": table.copy()}, column=None)
    assert out.read_bytes() == table.to_csv(index=False, lineterminator="\n").encode()
    write_attempts(out, {"easy": table.copy(), "fcfs": table.copy()}, column="policy")
    found = pd.read_csv(out)
    assert list(found.columns) == ["policy", *table.columns]
    assert found["policy"].tolist() == ["easy"] * 4 + ["fcfs"] * 4
    assert found["job"].tolist() == [7, 7, 8, 9] * 2


def test_tables_are_told_apart_by_leading_columns(tmp_path):
    out = tmp_path / "rows.csv"
    with attempts_file(out) as add:
        for accuracy in (0.0, 0.5):
            rows = pd.DataFrame({"job": [1, 2]})
            add(rows, {"accuracy": accuracy, "confidence": 0.9})
        assert not out.exists()
    assert out.read_text() == (
        "accuracy,confidence,job\n0.0,0.9,1\n0.0,0.9,2\n0.5,0.9,1\n0.5,0.9,2\n"
    )


def test_rows_of_use_over_time(tmp_path):
    out = tmp_path / "use.csv"
    use = {"from_s": [0.0, 60.0], "utilization": [0.5, 0.25]}
    write_use(out, [({"scenario": "a, b", "seed": 1}, use), ({"scenario": "c", "seed": 2}, use)])
    assert out.read_bytes() == (
        b"scenario,seed,from_s,utilization\n"
        b'"a, b",1,0.0,0.5\n"a, b",1,60.0,0.25\nc,2,0.0,0.5\nc,2,60.0,0.25\n'
    )
    write_use(out, [])
    assert out.read_bytes() == b""


GRID = Grid((ClusterSpec("a", 3, 2), ClusterSpec("b", 2, 4)))


def test_processors_are_numbered_over_the_grid():
    assert first_processors(GRID) == [0, 2, 4, 6, 10, 14]


@st.composite
def workloads(draw):
    rng = draw(seeds)
    count = int(rng.integers(1, 14))
    runtime = rng.integers(1, 9, count).astype(float)
    return Workload(
        np.sort(rng.integers(0, 20, count)).astype(float),
        runtime,
        runtime + 1.0,
        rng.integers(1, 9, count),
    )


@settings(deadline=None, max_examples=examples(200))
@given(jobs=workloads())
def test_each_attempt_holds_processors_of_its_own(jobs):
    """As many of each machine as its placement says, the lowest that nobody holds."""
    done = replay_grid(jobs, GRID, policy="easy").replay
    attempts = done.attempt_records
    held = dict(processors_of_attempts(attempts, GRID))
    lasting = np.flatnonzero(attempts.end > attempts.start)
    assert sorted(held) == lasting.tolist()
    first = first_processors(GRID)
    mine = {}
    for index, runs in held.items():
        numbers = [n for begin, count in runs for n in range(begin, begin + count)]
        assert numbers == sorted(set(numbers))
        # Runs are as long as can be.
        assert all(one[0] + one[1] < other[0] for one, other in pairwise(runs))
        placement = attempts.placement[index]
        inside = [np.searchsorted(first, n, "right") - 1 for n in numbers]
        counts = {machine: inside.count(machine) for machine in dict.fromkeys(inside)}
        assert counts == dict(zip(placement.machines, placement.processors, strict=True))
        mine[index] = set(numbers)
    for index in lasting.tolist():
        start = attempts.start[index]
        others = [
            other
            for other in lasting.tolist()
            if other != index and attempts.start[other] <= start < attempts.end[other]
        ]
        busy = set().union(*(mine[other] for other in others))
        assert not busy & mine[index]
        before = set().union(
            *(mine[other] for other in others if (attempts.start[other], other) < (start, index))
        )
        for machine in range(len(first) - 1):
            own = [n for n in mine[index] if first[machine] <= n < first[machine + 1]]
            free = [n for n in range(first[machine], first[machine + 1]) if n not in before]
            assert sorted(own) == free[: len(own)]


def test_attempts_on_a_grid_name_their_cluster_and_machines():
    jobs = Workload([0.0, 0.0], [9.0, 9.0], [9.0, 9.0], [6, 5])
    done = replay_grid(jobs, GRID, policy="fcfs")
    table = grid_attempts(done.replay, GRID)
    assert table["cluster"].tolist() == ["b", "a"]
    assert table["place"].tolist() == ["0-1", "0-2"]
    at = list(table.columns).index("place")
    assert table.columns[at - 1] == "cluster"
    assert table["attempt"].tolist() == [1, 1]
