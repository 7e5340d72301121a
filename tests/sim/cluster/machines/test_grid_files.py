import io

import numpy as np
import pandas as pd
import pytest

from sim.cluster.machines.grid_files import grid_failures, grid_from_frame, read_grid
from sim.traces import read_metacentrum_failures, read_metacentrum_machines
from tests.traces import require

GRID = """
[[cluster]]
name = "a"
machines = 2
processors_per_machine = [4, 8]
speed = 2.5
properties = ["xeon"]
owners = ["mu"]
queues = { short = "2h", long = 86400 }
time_limit = "30d"

[[cluster]]
name = "b"
machines = 3
"""


def write(tmp_path, text):
    path = tmp_path / "grid.toml"
    path.write_text(text)
    return path


def test_a_description_is_read(tmp_path):
    grid = read_grid(write(tmp_path, GRID))
    first, second = grid.clusters
    assert (grid.size, grid.nodes, first.per_machine) == (15, 5, (4, 8))
    assert (first.speed, first.properties, first.owners) == (2.5, {"xeon"}, {"mu"})
    assert (dict(first.queues), first.time_limit) == ({"short": 7200.0, "long": 86400.0}, 2.592e6)
    assert (second.per_machine, second.speed, second.time_limit) == ((1, 1, 1), 1.0, np.inf)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cluster = ", "grid.toml must be TOML"),
        ("x = 1", r"keys must be \[\[cluster\]\] tables, got \['x'\]"),
        ("cluster = [1]", "cluster 1 must be a table, got 1"),
        ("[[cluster]]\nname = 'a'", "cluster 1: machines must be given"),
        ("[[cluster]]\nmachines = 1", "cluster 1: name must be given"),
        ("[[cluster]]\nname = 3\nmachines = 1", "cluster 1: name must be text, got 3"),
        ("[[cluster]]\nname = 'a'\nmachines = 0", "machines must be a whole number >= 1, got 0"),
        ("[[cluster]]\nname = 'a'\nmachines = 'x'", "machines must be a number, got 'x'"),
        ("[[cluster]]\nname = 'a'\nmachines = 1\ncpus = 2", "key must be one of .*, got 'cpus'"),
        ("[[cluster]]\nname = 'a'\nmachines = 1\nspeed = 'x'", "speed must be a number, got 'x'"),
        ("[[cluster]]\nname = 'a'\nmachines = 1\nqueues = 3", "queues must be a table, got 3"),
        (
            "[[cluster]]\nname = 'a'\nmachines = 1\nqueues = {q = 'soon'}",
            "q must be seconds or a text such as '24h', got 'soon'",
        ),
        (
            "[[cluster]]\nname = 'a'\nmachines = 1\nproperties = 'x'",
            "properties must be a list of texts, got 'x'",
        ),
        (
            "[[cluster]]\nname = 'a'\nmachines = 1\n" * 2,
            "clusters must have different names, got 'a' twice",
        ),
    ],
)
def test_malformed_descriptions_are_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read_grid(write(tmp_path, text))


def test_a_description_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "grid.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"grid\.toml must be TOML"):
        read_grid(path)


def test_failures_are_numbered_over_the_grid(tmp_path):
    grid = read_grid(write(tmp_path, GRID))
    log = "100\tb\t50\t0 2\n90\ta\t5\t1\n95\ta\t5\t2\n96\tz\t5\t0\n"
    frame = read_metacentrum_failures(io.StringIO(log)).frame
    feed, counts = grid_failures(frame, grid, origin=80.0)
    assert feed.time.tolist() == [10.0, 20.0, 20.0]
    assert feed.node.tolist() == [1, 2, 4]
    assert feed.repair.tolist() == [5.0, 50.0, 50.0]
    assert counts == {"unknown_machine": 1, "unknown_cluster": 1}


def test_machines_of_the_failure_trace_archive_name_their_cluster(tmp_path):
    text = GRID.replace('name = "b"', 'name = "G1/site1/b"')
    grid = read_grid(write(tmp_path, text))
    labels = ["G1/site1/b/node1", "G1/site1/b/node3", "G1/site1/b/node", "G1/site2/b/node1"]
    frame = pd.DataFrame({"time": [1.0] * 4, "system": 5, "node": labels, "repair": [1.0] * 4})
    feed, counts = grid_failures(frame, grid)
    assert feed.node.tolist() == [2, 4]
    assert counts == {"unknown_cluster": 1, "unknown_machine": 1}


def test_unknown_repairs_are_set_and_counted(tmp_path):
    grid = read_grid(write(tmp_path, GRID))
    frame = pd.DataFrame(
        {"time": [1.0, 2.0], "system": ["a", "b"], "node": [0, "x"], "repair": [np.nan, np.nan]}
    )
    feed, counts = grid_failures(frame, grid, unknown_repair=60.0)
    assert feed.repair.tolist() == [60.0]
    assert counts == {"unknown_machine": 1, "unknown_repair": 1}


def test_metacentrum_has_806_processors():
    path = require("jobs/metacentrum-2009/metacentrum.machines.mwf.xz")
    grid = grid_from_frame(read_metacentrum_machines(path).frame)
    assert (len(grid.clusters), grid.nodes, grid.size) == (14, 210, 806)
    assert grid.clusters[grid.ranking[0]].name == "cluster_2"  # 3,200 MHz


def test_no_cluster_is_no_grid():
    with pytest.raises(ValueError, match="frame must hold clusters, got none"):
        grid_from_frame(pd.DataFrame({"name": []}))
