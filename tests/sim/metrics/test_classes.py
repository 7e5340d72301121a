"""Means by class against the jobs that make them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from sim.metrics import ALL_CLASSES, JOB_LENGTHS, JOB_SIZES, means_by_class, percentiles


def table(rng, jobs):
    executed = rng.choice([1.0, 599.0, 600.0, 3600.0, 14_399.0, 14_400.0, 86_400.0, 1e6], jobs)
    wait = rng.exponential(1000.0, jobs)
    wait[rng.random(jobs) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "processors": rng.choice([1, 2, 8, 9, 64, 65, 512, 513, 4096, 4097], jobs),
            "executed": executed,
            "wait": wait,
            "response": wait + executed,
            "bounded_slowdown": np.maximum((wait + executed) / np.maximum(executed, 10.0), 1.0),
        }
    )


def size_of(processors):
    ends = {"1": 1, "2 - 8": 8, "9 - 64": 64, "65 - 512": 512, "513 - 4096": 4096}
    return next((name for name, end in ends.items() if processors <= end), "> 4096")


def length_of(executed):
    ends = {"< 10 min": 600.0, "10 min - 1 h": 3600.0, "1 h - 4 h": 14_400.0, "4 h - 1 d": 86_400.0}
    return next((name for name, end in ends.items() if executed < end), ">= 1 d")


@pytest.mark.parametrize("jobs", [0, 1, 400])
def test_each_class_has_the_mean_of_its_own_jobs(jobs):
    frame = table(np.random.default_rng(jobs), jobs)
    found = means_by_class(frame)
    classes = product((*JOB_SIZES, ALL_CLASSES), (*JOB_LENGTHS, ALL_CLASSES))
    assert [tuple(pair) for pair in found[["size", "length"]].to_numpy()] == list(classes)
    for row in found.itertuples():
        mine = [
            job
            for job in frame.itertuples()
            if row.size in (size_of(job.processors), ALL_CLASSES)
            and row.length in (length_of(job.executed), ALL_CLASSES)
        ]
        assert row.jobs == len(mine)
        for name, unit in (("wait", "_s"), ("response", "_s"), ("bounded_slowdown", "")):
            known = [getattr(job, name) for job in mine if getattr(job, name) >= 0.0]
            mean = sum(known) / len(known) if known else np.nan
            np.testing.assert_allclose(getattr(row, f"mean_{name}{unit}"), mean, rtol=1e-12)


def test_a_table_without_a_column_is_refused():
    frame = table(np.random.default_rng(1), 3).drop(columns="executed")
    with pytest.raises(ValueError, match="table must have a column 'executed', got processors"):
        means_by_class(frame)


def test_percentiles_are_those_of_the_known_values():
    values = np.array([5.0, np.nan, 1.0, 2.0, 3.0, 4.0])
    assert percentiles(values) == pytest.approx([3.0, 4.6, 4.96], rel=1e-12)
    assert np.isnan(percentiles(np.array([np.nan]))).all()
