import pandas as pd
import pytest

from sim.traces import node_hours_by_state


def jobs(*rows):
    return pd.DataFrame(rows, columns=["nodes", "runtime", "state"])


def test_node_hours_are_those_of_all_jobs_that_ended_so():
    found = node_hours_by_state(
        jobs(
            (4, 3600.0, "COMPLETED"),
            (100, 7200.0, "NODE_FAIL"),
            (1, 1800.0, "COMPLETED"),
            (2, 1800.0, ""),
            (-1, 1800.0, "FAILED"),
            (3, -1.0, "FAILED"),
        )
    )
    assert found.index.tolist() == ["NODE_FAIL", "COMPLETED", "UNKNOWN"]
    assert found["jobs"].tolist() == [1, 2, 1]
    assert found["node_hours"].tolist() == [200.0, 4.5, 1.0]
    assert found["share"].sum() == pytest.approx(1.0)
    assert found.loc["NODE_FAIL", "share"] == 200.0 / 205.5


def test_what_says_nothing_of_nodes_is_refused():
    with pytest.raises(ValueError, match="frame must hold jobs with nodes and a length, got 1"):
        node_hours_by_state(jobs((-1, 5.0, "COMPLETED")))
    with pytest.raises(TypeError, match="frame must have columns nodes, runtime and state"):
        node_hours_by_state(pd.DataFrame({"nodes": [1]}))
    assert node_hours_by_state(jobs((1, 0.0, "FAILED")))["share"].isna().all()
