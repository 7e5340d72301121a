import io

import pytest

from sim.traces import read_sacct, read_swf, uptimes_of_jobs

HEAD = "JobID|Submit|Elapsed|NNodes|State\n"


def jobs(*rows):
    text = HEAD + "".join(f"{n}|2024-01-01T00:00:00|{row}\n" for n, row in enumerate(rows, 1))
    return read_sacct(io.StringIO(text)).frame


def test_failures_and_the_time_of_nodes_are_counted():
    found = uptimes_of_jobs(
        jobs("10:00|4|COMPLETED", "05:00|2|NODE_FAIL", "01:00:00|1|FAILED", "00:30|8|RUNNING")
    )
    assert (found.failures, found.observed) == (1, 2400.0 + 600.0 + 3600.0 + 240.0)
    assert found.durations.size == found.repairs.size == 0
    assert found.counts == {}


def test_jobs_of_unknown_size_or_length_are_left_out_and_counted():
    found = uptimes_of_jobs(jobs("10:00|4|NODE_FAIL", "10:00||NODE_FAIL", "|3|NODE_FAIL"))
    assert (found.failures, found.observed) == (1, 2400.0)
    assert found.counts == {"size-unknown": 1, "length-unknown": 1}


def test_other_states_are_failures_where_they_are_named():
    frame = jobs("10:00|4|COMPLETED", "05:00|2|NODE_FAIL", "01:00:00|1|FAILED")
    assert uptimes_of_jobs(frame, state=("FAILED",)).failures == 1
    assert uptimes_of_jobs(frame, state=("failed", "node_fail")).failures == 2
    assert uptimes_of_jobs(frame.iloc[:1]).failures == 0
    with pytest.raises(ValueError, match=r"^state .* one of COMPLETED, FAILED, NODE_FAIL, got 'X'"):
        uptimes_of_jobs(frame, state=("X",))


def test_what_says_nothing_of_nodes_is_refused():
    with pytest.raises(ValueError, match=r"^frame must hold jobs with nodes .* got 1 without$"):
        uptimes_of_jobs(jobs("10:00||COMPLETED"))
    with pytest.raises(TypeError, match=r"^frame must have columns nodes, runtime and state"):
        uptimes_of_jobs(read_swf(io.StringIO("1 0 1 2 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n")).frame)
