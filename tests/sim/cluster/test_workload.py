import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Workload
from sim.traces import read_swf
from tests.support.examples import examples
from tests.support.public_logs import trace


def frame(**columns):
    rows = {
        "job": [1, 2, 3],
        "submit": [0, 5, 9],
        "runtime": [10, 20, 30],
        "processors": [4, 4, 4],
        "requested_processors": [8, -1, 3],
        "walltime": [60, 60, 60],
    }
    return pd.DataFrame(rows | columns)


def test_requested_processors_count_and_allocated_stand_in():
    assert Workload.from_frame(frame()).processors.tolist() == [8, 4, 3]
    assert Workload.from_frame(frame()).repaired == {"missing_processors": 1}
    allocated = Workload.from_frame(frame(), processors="allocated")
    assert allocated.processors.tolist() == [4, 4, 4]
    assert allocated.repaired == {}


def test_processors_are_rounded_up_to_whole_nodes():
    workload = Workload.from_frame(frame(), processors_per_node=4)
    assert workload.processors.tolist() == [2, 1, 1]


def test_jobs_that_never_ran_are_dropped_and_counted_once():
    table = frame(runtime=[-1, 0, 30], requested_processors=[-1, 1, 1], processors=[-1, 1, 1])
    workload = Workload.from_frame(table)
    assert workload.job.tolist() == [3]
    assert workload.dropped == {"never_ran": 2}
    assert Workload.from_frame(frame(submit=[-1, 5, 9])).dropped == {"no_submit": 1}
    no_size = frame(requested_processors=[0, 1, 1], processors=[-1, 1, 1])
    assert Workload.from_frame(no_size).dropped == {"no_processors": 1}


def test_missing_walltimes_follow_the_chosen_policy():
    table = frame(walltime=[-1, 60, 0])
    workload = Workload.from_frame(table)
    assert workload.walltime.tolist() == [10.0, 60.0, 30.0]
    assert workload.repaired["missing_walltime"] == 2
    factor = Workload.from_frame(table, missing_walltime="factor", walltime_factor=3.0)
    assert factor.walltime.tolist() == [30.0, 60.0, 90.0]
    with pytest.raises(ValueError, match="walltime must be known for every job, got 2 without"):
        Workload.from_frame(table, missing_walltime="refuse")


def test_jobs_without_walltime_can_be_left_out():
    workload = Workload.from_frame(frame(walltime=[-1, 60, 0]), missing_walltime="drop")
    assert workload.job.tolist() == [2]
    assert workload.dropped == {"no_walltime": 2}
    assert "missing_walltime" not in workload.repaired


def test_jobs_are_sorted_by_submission_then_position():
    workload = Workload.from_frame(frame(submit=[5, 0, 5]))
    assert workload.job.tolist() == [2, 1, 3]
    assert workload.repaired["out_of_order"] == 1


def test_jobs_of_one_instant_can_be_taken_by_number():
    table = frame(job=[7, 2, 3], submit=[5, 0, 5])
    assert Workload.from_frame(table).job.tolist() == [2, 7, 3]
    assert Workload.from_frame(table, ties="job").job.tolist() == [2, 3, 7]


def test_unknown_columns_are_minus_one_and_missing_ones_are_reported():
    workload = Workload.from_frame(frame(queue=[2, 2, 1]))
    assert workload.queue.tolist() == [2, 2, 1]
    assert workload.user.tolist() == [-1, -1, -1]
    with pytest.raises(ValueError, match="frame must have a column 'runtime'"):
        Workload.from_frame(frame().drop(columns="runtime"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"processors": "some"}, "processors must be one of requested, allocated, got 'some'"),
        ({"missing_walltime": "guess"}, r"missing_walltime must be one of .*, got 'guess'"),
        ({"ties": "size"}, "ties must be one of position, job, got 'size'"),
        ({"walltime_factor": 0.0}, "walltime_factor must be finite and > 0, got 0.0"),
        ({"processors_per_node": 0}, "processors_per_node must be >= 1, got 0"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Workload.from_frame(frame(), **options)


def test_a_workload_cannot_be_changed():
    workload = Workload.from_frame(frame())
    with pytest.raises(ValueError, match="read-only"):
        workload.submit[0] = 1.0
    with pytest.raises(TypeError):
        workload.dropped["rule"] = 1


def test_a_window_is_half_open_and_a_rule_counts_what_it_leaves_out():
    workload = Workload.from_frame(frame())
    assert workload.window(0.0, 9.0).job.tolist() == [1, 2]
    assert workload.window(5.0, 100.0).job.tolist() == [2, 3]
    small = workload.select(workload.processors < 8, rule="large")
    assert small.dropped == {"large": 1}
    assert small.select(slice(0, 1), rule="large").dropped == {"large": 2}
    with pytest.raises(ValueError, match=r"end must be > start, got 1.0 for start=2.0"):
        workload.window(2.0, 1.0)


@settings(deadline=None, max_examples=examples(200))
@given(factor=st.floats(0.1, 10.0))
def test_scaling_multiplies_every_gap_and_keeps_the_first_submission(factor):
    workload = Workload.from_frame(frame(submit=[3, 5, 9]))
    scaled = workload.scale_gaps(factor)
    assert scaled.submit[0] == 3.0
    np.testing.assert_allclose(np.diff(scaled.submit), factor * np.diff(workload.submit))
    with pytest.raises(ValueError, match=r"factor must be finite and > 0, got -1\.0"):
        workload.scale_gaps(-1.0)


def test_an_empty_log_gives_an_empty_workload():
    workload = Workload.from_frame(frame().iloc[:0])
    assert len(workload) == 0
    assert len(workload.scale_gaps(2.0)) == 0


def test_intrepid_counts_nodes_by_allocation():
    # The first jobs request 64 or 16384 processes on 64 or 16384 nodes, others 2048 on 512.
    log = read_swf(trace("jobs/intrepid/ANL-Intrepid-2009-first1200.swf.xz")).frame
    workload = Workload.from_frame(log, processors="allocated", processors_per_node=4)
    np.testing.assert_array_equal(workload.processors[:10] * 4, log["processors"][:10])


def test_sdsc_sp2_is_cleaned_as_its_readme_says():
    log = read_swf(trace("jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz")).frame
    workload = Workload.from_frame(log)
    assert len(workload) + sum(workload.dropped.values()) == 59_715
    assert workload.dropped == {"never_ran": int((log["runtime"] <= 0).sum())}


def test_missing_values_of_pandas_are_missing_too():
    table = frame(
        runtime=[1.0, np.nan, 3.0],
        walltime=pd.array([60, None, None], dtype="Int64"),
        requested_processors=pd.array([None, 2, 4], dtype="Int64"),
    )
    workload = Workload.from_frame(table)
    assert workload.dropped == {"never_ran": 1}
    assert workload.processors.tolist() == [4, 4]
    assert workload.walltime.tolist() == [60.0, 3.0]


@pytest.mark.parametrize("value", [1.5, np.nan, np.inf, 1e300])
@pytest.mark.parametrize("name", ["processors", "job", "user"])
def test_a_fraction_is_not_dropped_silently(name, value):
    columns = {"submit": [0.0], "runtime": [1.0], "walltime": [1.0], "processors": [1]}
    with pytest.raises(
        ValueError, match=rf"^{name} must be whole numbers, got {re.escape(repr(value))}$"
    ):
        Workload(**(columns | {name: [value]}))
    table = frame(**{name: [1.0, value, 3.0]})
    if np.isnan(value):  # of a table: unknown
        assert len(Workload.from_frame(table)) == (2 if name == "processors" else 3)
    else:
        with pytest.raises(
            ValueError, match=rf"^{name} must be whole numbers, got {re.escape(repr(value))}$"
        ):
            Workload.from_frame(table)
    whole = Workload(**(columns | {name: [2.0]}))
    assert getattr(whole, name).tolist() == [2]
