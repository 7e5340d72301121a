"""The generator of machine failures, fitted to a log that it drew itself."""

import numpy as np
import pandas as pd
import pytest

from sim.cluster.grid import (
    ClusterSpec,
    FailureModel,
    Grid,
    failure_count,
    fitted_failure_model,
    generate_failures,
)

GRID = Grid((ClusterSpec("a", 72, 2), ClusterSpec("b", 32, 2)))
HOURS = 20_000.0
TRUE = FailureModel(
    afc=0.002, gap_shape=0.7, repair_shape=0.6, repair_scale=5000.0, burst_size=2.5, burst_span=60.0
)


def log_of(model, *, seed, grid=GRID, hours=HOURS):
    feed = generate_failures(grid, model, end=3600.0 * hours, seed=seed)
    cluster = np.searchsorted(grid.first_machines, feed.node, side="right") - 1
    names = np.array([cluster.name for cluster in grid.clusters])
    return pd.DataFrame(
        {
            "time": feed.time,
            "node": feed.node.astype(str),
            "system": names[cluster],
            "repair": feed.repair,
        }
    )


@pytest.mark.slow
def test_the_numbers_with_which_a_log_was_drawn_come_back():
    # 40 logs of 4,160 failures: each mean within 5 of its standard errors (false alarm 3e-6), to
    # which the bursts that join another and the ends of the log add at most 2 %.
    found = [fitted_failure_model(log_of(TRUE, seed=seed), machines=104) for seed in range(40)]
    for name in ("afc", "gap_shape", "repair_shape", "repair_scale", "burst_size"):
        values = np.array([getattr(model, name) for model in found])
        true = getattr(TRUE, name)
        slack = 5.0 * values.std(ddof=1) / np.sqrt(values.size) + 0.02 * true
        assert abs(values.mean() - true) < slack, name


def test_machines_that_never_failed_lower_the_rate():
    log = log_of(TRUE, seed=1, hours=300.0)
    named = log["node"].nunique()
    of_named, of_all = fitted_failure_model(log), fitted_failure_model(log, machines=10 * named)
    assert of_named.afc == pytest.approx(10.0 * of_all.afc, rel=1e-12)
    assert failure_count(named, np.ptp(log["time"]) / 3600.0, of_named.afc) == len(log)


def test_two_systems_do_not_share_a_burst():
    time = np.repeat(1000.0 * np.arange(20) ** 1.5, 2)
    log = pd.DataFrame({"time": time, "node": "0", "system": ["a", "b"] * 20, "repair": 60.0})
    assert fitted_failure_model(log).burst_size == 1.0
    assert fitted_failure_model(log.assign(system="a", node=["0", "1"] * 20)).burst_size == 2.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"repair": np.nan}, "repairs longer than 0 must be at least 10, got 0"),
        ({"time": 5.0}, "gaps between bursts must be at least 10, got 0"),
    ],
)
def test_a_log_that_says_too_little_is_refused(change, message):
    log = log_of(TRUE, seed=1, hours=300.0).assign(**change)
    with pytest.raises(ValueError, match=message):
        fitted_failure_model(log)


def test_fewer_machines_than_are_named_are_refused():
    log = log_of(TRUE, seed=1, hours=300.0)
    with pytest.raises(
        ValueError, match=r"machines must be >= .*, those that the log names, got 2"
    ):
        fitted_failure_model(log, machines=2)
