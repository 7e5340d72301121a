import io

import numpy as np
import pandas as pd
import pytest

from perfmodel import units
from sim.cluster.grid import grid_failures, grid_from_frame, read_grid
from sim.traces import Limited, Limits, read_metacentrum_failures, read_metacentrum_machines
from tests.support.logs import require

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


ONE = "[[cluster]]\nname = 'a'\nmachines = 1\n"


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
        ("x = 1", r"must hold \[\[cluster\]\] tables, got \['x'\]"),
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
            "q must be seconds or a text such as '24h' or '2d12h', got 'soon'",
        ),
        (
            "[[cluster]]\nname = 'a'\nmachines = 1\nproperties = 'x'",
            "properties must be a list of texts, got 'x'",
        ),
        (
            f"{ONE}queues = {{q = '2h1d'}}",
            "q must be seconds or a text such as '24h' or '2d12h', got '2h1d'",
        ),
        (
            f"{ONE}queues = {{q = '2x'}}",
            "q must be seconds or a text such as '24h' or '2d12h', got '2x'",
        ),
        (f"{ONE}time_limit = '0d'", "time_limit must be > 0, got 0.0"),
        (f"{ONE}time_limit = '{'9' * 400}d'", "time_limit must be seconds or a text"),
        (f"{ONE}time_limit = 1{'0' * 400}", "time_limit must be"),
        (f"{ONE}time_limit = {'9' * 5_000}", "grid.toml must be TOML"),
        (f"{ONE}time_limit = '{'9' * 1_000_000}x'", "time_limit must be seconds or a text"),
        (f"{ONE}time_limit = '1{' ' * 1_000_000}x'", "time_limit must be seconds or a text"),
        (f"{ONE}time_limit = {'9' * 1_000_000}x", "grid.toml must be TOML"),
        (f"{ONE}speed = 1{'0' * 400}", "speed must be finite"),
        (
            f"{ONE}processors_per_machine = 1.5",
            "processors_per_machine must be a whole number >= 1, got 1.5",
        ),
        (f"{ONE}processors_per_machine = 'x'", "processors_per_machine must be a number, got 'x'"),
        (
            f"{ONE}processors_per_machine = true",
            "processors_per_machine must be a number, got True",
        ),
        (f"{ONE}processors_per_machine = 1{'0' * 30}", "processors must be at most 2\\^53 in all"),
        (
            f"{ONE}processors_per_machine = {{a = 1}}",
            "processors_per_machine must be a number, got {'a': 1}",
        ),
        (f"[[cluster]]\nname = 'a'\nmachines = 1{'0' * 400}", "machines must be finite"),
        ("x = " + "[" * 5_000, "grid.toml must be TOML, got nested too deep"),
        ("x = " + "{a=" * 5_000, "grid.toml must be TOML, got nested too deep"),
        (
            "[[cluster]]\nname = 'a'\nmachines = 1\n" * 2,
            "clusters must have different names, got 'a' twice",
        ),
    ],
)
def test_malformed_descriptions_are_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read_grid(write(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("'4w'", 2_419_200.0),
        ("'1y'", 31_557_600.0),
        ("'2d12h'", 216_000.0),
        ("'2 d 12 h'", 216_000.0),
        ("'90min'", 5_400.0),
        ("'1.5h'", 5_400.0),
        ("'250ms'", 0.25),
        ("'1e3s'", 1_000.0),
        ("7", 7.0),
        ("7.5", 7.5),
        ("inf", np.inf),
    ],
)
def test_durations_have_the_units_of_the_command_line(tmp_path, text, seconds):
    (cluster,) = read_grid(write(tmp_path, f"{ONE}time_limit = {text}")).clusters
    assert cluster.time_limit == seconds
    if text.startswith("'"):
        assert units.seconds(text[1:-1]) == seconds


def test_more_machines_than_the_limit_are_refused_before_they_fill_the_memory(tmp_path):
    text = GRID.replace("machines = 3", "machines = 1000000000")
    with pytest.raises(ValueError, match=r"grid.toml must hold at most 1,000,000 machines, got m"):
        read_grid(write(tmp_path, text))
    path = write(tmp_path, GRID)
    with pytest.raises(ValueError, match=r"at most 4 machines, got more; raise max_machines"):
        read_grid(Limited(path, Limits(max_machines=4)))
    assert read_grid(Limited(path, Limits(max_machines=5))).nodes == 5
    with pytest.raises(ValueError, match=r"grid.toml must hold at most 40 bytes"):
        read_grid(Limited(path, Limits(max_bytes=40)))


@pytest.mark.slow
def test_many_clusters_are_compared_in_one_pass(tmp_path):
    """Not timed: counting each name among all of them took minutes."""
    text = "".join(f"[[cluster]]\nname = 'c{n}'\nmachines = 1\n" for n in range(30_000))
    assert read_grid(write(tmp_path, text)).nodes == 30_000


def test_a_description_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "grid.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"grid\.toml must be UTF-8"):
        read_grid(path)


def test_a_speed_can_be_needed_of_every_cluster(tmp_path):
    words = "cluster 2: speed must be given where runtimes scale with it"
    with pytest.raises(ValueError, match=words):
        read_grid(write(tmp_path, GRID), need_speed=True)
    grid = read_grid(write(tmp_path, f"{GRID}speed = 3\n"), need_speed=True)
    assert [cluster.speed for cluster in grid.clusters] == [2.5, 3.0]


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


def test_a_grid_needs_a_cluster():
    with pytest.raises(ValueError, match="frame must hold clusters, got none"):
        grid_from_frame(pd.DataFrame({"name": []}))
