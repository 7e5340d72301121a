"""The table of attempts against the records that it is made of."""

import numpy as np
import pytest
from hypothesis import given, settings

from sim.answers.attempts import attempt_table, ranges
from sim.cluster import Failures, Periodic, Workload, flat, replay
from tests.support.examples import examples
from tests.support.workloads import random_failures, random_workload, seeds


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([3], "3"), ([0, 1, 2], "0-2"), ([0, 1, 5, 7, 8], "0-1,5,7-8"), ([2, 4], "2,4")],
)
def test_numbers_are_written_as_ranges(numbers, text):
    assert ranges(numbers) == text


def members(text):
    """Return the numbers that ranges stand for."""
    ends = [part.split("-") for part in text.split(",")]
    return [n for each in ends for n in range(int(each[0]), int(each[-1]) + 1)]


@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds)
def test_each_attempt_has_its_row(rng):
    jobs = random_workload(rng, processors=6)
    done = replay(
        jobs,
        flat(6),
        failures=random_failures(rng, nodes=6),
        checkpointing=Periodic(2.0, 0.5, 0.25),
        recovery=str(rng.choice(["original", "new", "drop"])),
    )
    table = attempt_table(done, ranges)
    records, attempts = done.job_records, done.attempt_records
    assert len(table) == attempts.start.size + (records.attempts == 0).sum()
    assert (table["attempt"] > 0).sum() == attempts.start.size
    rows = iter(table.itertuples())
    for position in range(len(jobs)):
        mine = np.flatnonzero(attempts.position == position)
        for number, turn in enumerate(mine[np.argsort(attempts.start[mine], kind="stable")], 1):
            row = next(rows)
            assert (row.job, row.attempt) == (jobs.job[position], number)
            assert (row.start, row.end) == (attempts.start[turn], attempts.end[turn])
            assert (row.useful, row.lost) == (attempts.useful[turn], attempts.lost[turn])
            assert members(row.place) == list(attempts.placement[turn])
            assert row.attempts == mine.size


def test_a_job_that_never_starts_has_a_row():
    jobs = Workload([0.0, 1.0], [4.0, 4.0], [4.0, 4.0], [1, 2])
    done = replay(jobs, flat(2), failures=Failures([2.0], [1], [np.inf]))
    row = attempt_table(done, ranges).iloc[1]
    assert (row["job"], row["attempt"], row["processors"], row["place"]) == (2, 0, 2, "")
    assert np.isnan([row["start"], row["end"]]).all()
    assert row["useful"] == 0.0
    assert row["job_outcome"] == "unfinished"


def test_the_names_of_the_log_stand_beside_its_numbers():
    jobs = Workload([0.0, 1.0], [4.0, 4.0], [4.0, 4.0], [1, 2], line=[7, 9])
    done = replay(jobs, flat(2))
    table = attempt_table(done, ranges, {7: "a_1"})
    assert table["job_id"].tolist() == ["a_1", ""]
    assert table.columns[:3].tolist() == ["job", "job_id", "attempt"]
    assert table["place"].tolist() == ["", ""]  # of a machine that numbers nothing
