from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel.cli.figures import gantt
from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.bluegene import BlueGene, Cobalt, regular
from sim.cluster.grid import ClusterSpec, Grid, GridEasy
from tests.support.examples import examples
from tests.support.workloads import random_failures, random_workload


@pytest.mark.parametrize("most_bars", [0, 4000])
def test_both_pictures_are_drawn(tmp_path, monkeypatch, most_bars):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(gantt, "MOST_BARS", most_bars)
    jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
    result = replay(jobs, flat(4), failures=Failures([6.0], [0], [1.0]))
    gantt.draw({"easy": result}, flat(4), tmp_path / "gantt.png")
    assert (tmp_path / "gantt.png").read_bytes().startswith(b"\x89PNG")


def seen(result, machine):
    """Return attempts and what is down, as (start, end, first unit, units) in the picture."""
    axis = gantt._axis(machine, "nodes", numbered=result.attempt_records.placement is not None)
    attempts = result.attempt_records
    bars = [
        (attempts.start[index], attempts.end[index], *piece)
        for index, pieces in gantt._places(attempts, axis, result.size)
        for piece in pieces
    ]
    last = float(attempts.end.max())
    return bars, [(start, end, *run) for start, end, run in gantt._down(result, axis, last)]


def overlap(one, other):
    time = min(one[1], other[1]) - max(one[0], other[0])
    units = min(one[2] + one[3], other[2] + other[3]) - max(one[2], other[2])
    return time > 1e-9 and units > 0


GRID = Grid((ClusterSpec("a", 3, 2), ClusterSpec("b", 2, (1, 3)), ClusterSpec("c", 1, 16)))
MACHINES = {
    "flat": (flat(6), "easy"),
    "nodes of two": (flat(7, processors_per_node=2), "easy"),
    "partitions": (BlueGene(regular(1, 2)), Cobalt()),
    "clusters": (GRID, GridEasy()),
}


@pytest.mark.parametrize(("machine", "policy"), MACHINES.values(), ids=MACHINES.keys())
@settings(deadline=None, max_examples=examples(160))
@given(seed=st.integers(0, 2**32 - 1), failing=st.booleans())
def test_the_picture_shows_true_places(machine, policy, seed, failing):
    rng = np.random.default_rng(seed)
    jobs = random_workload(rng, processors=6)
    if isinstance(machine, BlueGene):
        jobs = machine.sized(replace(jobs, processors=jobs.processors * 300))
    failures = random_failures(rng, nodes=machine.nodes) if failing else None
    result = replay(jobs, machine, policy=policy, failures=failures)
    bars, down = seen(result, machine)
    for one, other in combinations([*bars, *down], 2):
        assert not overlap(one, other)
    time = result.node_time
    assert sum((b[1] - b[0]) * b[3] for b in bars) == pytest.approx(time.delivered)
    first = float(jobs.submit[0])
    shown = sum((d[1] - max(d[0], first)) * d[3] for d in down if d[1] > first)
    assert shown == pytest.approx(time.down)


def test_a_bar_stands_on_the_midplanes_of_its_partition():
    machine = BlueGene(regular(1, 2))
    jobs = Workload([0.0, 0.0], [9.0, 9.0], [9.0, 9.0], [1024, 64])
    result = replay(jobs, machine, policy=Cobalt(), failures=Failures([5.0], [2], [2.0]))
    bars, down = seen(result, machine)
    axis = gantt._axis(machine, "nodes", numbered=True)
    assert axis.ticks == ((0, "R00-M0"), (512, "R00-M1"), (1024, "R01-M0"), (1536, "R01-M1"))
    names = [machine.table.names[p] for p in result.attempt_records.placement]
    where = dict(zip(names, bars, strict=False))
    for name, (_, _, first, count) in where.items():
        rack = int(name.split("-")[1][1:], 10)
        assert rack * 1024 <= first
        assert first + count <= (rack + 1) * 1024
    assert (5.0, 7.0, 1024, 512) in down


def test_a_bar_stands_on_the_machines_of_its_cluster():
    jobs = Workload([0, 0, 0, 1], [9, 9, 9, 9], [9, 9, 9, 9], [16, 3, 2, 2])
    failures = Failures([5.0, 6.0], [4, 0], [2, 1])
    result = replay(jobs, GRID, policy=GridEasy(), failures=failures, recovery="drop")
    bars, down = seen(result, GRID)
    # c holds job 1; of a job 2 has machine 0 and half of 1, job 3 the other half and half of 2; b,
    # of one and three processors, gets job 4. The failures end jobs 4 and 2.
    assert sorted(bar[2:] for bar in bars) == [(0, 3), (3, 2), (6, 2), (10, 16)]
    assert sorted(down) == [(5.0, 7.0, 7, 3), (6.0, 7.0, 0, 2)]
    assert gantt._axis(GRID, "processors", numbered=True).ticks == ((0, "a"), (6, "b"), (10, "c"))


def test_names_of_clusters_do_not_cover_each_other():
    grid = Grid((*(ClusterSpec(f"c{n}", 1) for n in range(8)), ClusterSpec("large", 92)))
    ticks = gantt._axis(grid, "processors", numbered=True).ticks
    assert ticks == ((0, "c0"), (5, "c5"))


def test_the_legend_and_the_axis_say_what_is_shown(tmp_path):
    mpl = pytest.importorskip("matplotlib")
    mpl.use("Agg")
    from matplotlib import pyplot

    shown = {}
    closing = pyplot.close

    def close(figure):
        below = figure.axes[1]
        shown["label"] = below.get_ylabel()
        shown["legend"] = [text.get_text() for text in below.get_legend().get_texts()]
        closing(figure)

    jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pyplot, "close", close)
        gantt.draw({"easy": replay(jobs, flat(4))}, flat(4), tmp_path / "a.png")
        assert shown["label"] == "processors, as they come free: they have no numbers"
        assert shown["legend"] == ["running, colours tell jobs apart"]
        failing = replay(jobs, flat(4), failures=Failures([6.0], [0], [1.0]))
        gantt.draw({"easy": failing}, flat(4), tmp_path / "b.png")
        assert shown["label"] == "processors"
        assert shown["legend"][1:] == ["running, until a failure", "down"]


def drawn(patch, *arguments, **settings):
    """Return the figure that `gantt.draw` makes."""
    mpl = pytest.importorskip("matplotlib")
    mpl.use("Agg")
    from matplotlib import pyplot

    figures, closing = [], pyplot.close
    patch.setattr(pyplot, "close", lambda figure: (figures.append(figure), closing(figure)))
    gantt.draw(*arguments, **settings)
    return figures[0]


def colours(axes):
    """Return the colour of each job's bar, by its place and time."""
    (bars,) = [each for each in axes.collections if len(each.get_edgecolor())]
    boxes = [tuple(path.vertices[0]) for path in bars.get_paths()]
    return dict(zip(boxes, map(tuple, bars.get_facecolor()), strict=True))


def test_compared_replays_stand_under_their_names_on_one_axis(tmp_path, monkeypatch):
    jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
    none = Failures(np.empty(0), np.empty(0, np.int64), np.empty(0))
    results = {name: replay(jobs, flat(4), policy=name, failures=none) for name in ("easy", "fcfs")}
    figure = drawn(monkeypatch, results, flat(4), tmp_path / "two.png")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["easy", "", "fcfs", ""]
    assert {axes.get_xlim() for axes in figure.axes} == {(0.0, 18.0 / 86_400.0)}
    assert len({axes.get_ylim() for axes in figure.axes[::2]}) == 1
    easy, fcfs = (colours(axes) for axes in figure.axes[1::2])
    (first,) = easy.keys() & fcfs.keys() & {(0.0, 0.0)}
    assert easy[first] == fcfs[first]
    assert figure.axes[3].get_xlabel() == "days since the first submission"


def test_jobs_that_suit_no_cluster_are_counted_and_named(tmp_path, monkeypatch):
    from sim.cluster import replay_grid

    jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 100])
    results = {name: replay_grid(jobs, GRID, policy=name).replay for name in ("fcfs", "easy")}
    figure = drawn(monkeypatch, results, GRID, tmp_path / "grid.png")
    assert figure.get_suptitle() == "3 jobs on 26 processors"
    titles = [axes.get_title(loc="left") for axes in figure.axes[::2]]
    assert titles == [f"{name} (1 job left out: no cluster suits)" for name in ("fcfs", "easy")]


def test_the_axis_has_dates_where_the_log_has_them(tmp_path, monkeypatch):
    from matplotlib.dates import num2date

    jobs = Workload([86_400.0], [86_400.0], [86_400.0], [1])
    unix_start = 893_466_664.0
    figure = drawn(
        monkeypatch,
        {"easy": replay(jobs, flat(1))},
        flat(1),
        tmp_path / "a.png",
        unix_start=unix_start,
    )
    below = figure.axes[1]
    assert below.get_xlabel() == "date (UTC)"
    ends = [num2date(x).timestamp() for x in below.get_xlim()]
    np.testing.assert_allclose(ends, [unix_start + 86_400, unix_start + 172_800], atol=1.0)
