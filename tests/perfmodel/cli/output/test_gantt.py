from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel.cli.output import gantt
from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.bluegene import BlueGene, Cobalt, regular
from tests.support.workloads import random_failures, random_workload

spans = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 9)), min_size=1)


@settings(deadline=None, max_examples=50)
@given(spans=spans, bins=st.integers(1, 7))
def test_means_are_overlaps_of_spans_and_bins(spans, bins):
    up, length, size = np.array(spans, dtype=float).T
    down, edges = up + length, np.linspace(0.0, 100.0, bins + 1)
    overlap = np.minimum(down, edges[1:, None]) - np.maximum(up, edges[:-1, None])
    expected = (np.maximum(overlap, 0.0) * size).sum(axis=1) / np.diff(edges)
    found = gantt._means(edges, up, down, size)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("most_bars", [0, 4000])
def test_both_pictures_are_drawn(tmp_path, monkeypatch, most_bars):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(gantt, "MOST_BARS", most_bars)
    jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
    result = replay(jobs, flat(4), failures=Failures([6.0], [0], [1.0]))
    gantt.draw(result, flat(4), tmp_path / "gantt.png")
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


MACHINES = {
    "flat": (flat(6), "easy"),
    "nodes of two": (flat(7, processors_per_node=2), "easy"),
    "partitions": (BlueGene(regular(1, 2)), Cobalt()),
}


@pytest.mark.parametrize(("machine", "policy"), MACHINES.values(), ids=MACHINES.keys())
@settings(deadline=None, max_examples=40)
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
        gantt.draw(replay(jobs, flat(4)), flat(4), tmp_path / "a.png")
        assert shown["label"] == "processors, as they come free: they have no numbers"
        assert shown["legend"] == ["running, colours tell jobs apart"]
        failing = replay(jobs, flat(4), failures=Failures([6.0], [0], [1.0]))
        gantt.draw(failing, flat(4), tmp_path / "b.png")
        assert shown["label"] == "processors"
        assert shown["legend"][1:] == ["running, until a failure", "down"]
