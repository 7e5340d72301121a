"""What stands on the picture of a replay: axes, bars, means, colours and words."""

import numpy as np
import pytest

from perfmodel.cli.figures import gantt
from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.bluegene import NODES_PER_CARD, BlueGene, Cobalt, regular
from sim.cluster.grid import ClusterSpec, Grid
from sim.records import Outcome

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
DAY = 86400.0


@pytest.fixture
def figure_of(tmp_path, monkeypatch):
    """Return what draws replays, and gives the figure that was saved."""
    from matplotlib import pyplot

    kept = []
    monkeypatch.setattr(pyplot, "close", kept.append)

    def figure_of(results, machine, **options):
        path = tmp_path / "gantt.png"
        gantt.draw(results, machine, path, **options)
        assert path.read_bytes().startswith(b"\x89PNG")
        return kept[-1]

    yield figure_of
    monkeypatch.undo()
    for figure in kept:
        pyplot.close(figure)


def jobs(scale=1.0):
    submit = np.array([0.0, 1.0, 2.0]) * DAY * scale
    runtime = np.array([9.0, 5.0, 4.0]) * DAY * scale
    return Workload(submit, runtime, runtime, np.array([3, 4, 1]))


def played(*, failing=True, scale=1.0, machine=None):
    failures = Failures(np.array([6.0 * DAY * scale]), np.array([0]), np.array([1.0 * DAY * scale]))
    machine = flat(4) if machine is None else machine
    return replay(jobs(scale), machine, failures=failures if failing else None)


def words(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_bars_of_one_replay(figure_of):
    result = played()
    figure = figure_of({"easy": result}, flat(4), unit="nodes")
    above, below = figure.axes
    assert figure.get_suptitle() == "easy: 3 jobs on 4 nodes"
    assert tuple(figure.get_size_inches()) == (11.0, 6.0)
    assert (above.get_ylabel(), below.get_ylabel()) == ("jobs waiting", "nodes")
    assert below.get_xlabel() == "days since the first submission"
    assert above.get_title(loc="left") == ""
    last = result.attempt_records.end.max() / DAY
    assert below.get_xlim() == pytest.approx((0.0, last))
    assert below.get_ylim() == (0.0, 4.0)
    assert words(below) == ["running, colours tell jobs apart", "running, until a failure", "down"]
    low, high = above.get_ylim()
    records = result.job_records
    waited = records.first_start > records.submit
    (line,) = above.get_lines()
    steps = sorted([*records.submit[waited] / DAY, *records.first_start[waited] / DAY])
    np.testing.assert_allclose(line.get_xdata(), steps)
    assert low == 0.0
    assert high > max(line.get_ydata())
    down, bars = below.collections
    (box,) = [path.vertices[:4].tolist() for path in down.get_paths()]
    assert box == [[6.0, 0.0], [7.0, 0.0], [7.0, 1.0], [6.0, 1.0]]
    attempts = result.attempt_records
    found = sorted(
        (
            float(p.vertices[0, 0]),
            float(p.vertices[2, 0]),
            float(p.vertices[2, 1] - p.vertices[0, 1]),
        )
        for p in bars.get_paths()
    )
    area = sum((end - start) * width for start, end, width in found)
    spent = ((attempts.end - attempts.start) * attempts.processors).sum() / DAY
    assert area == pytest.approx(spent)
    assert {start for start, _, _ in found} == {float(s) / DAY for s in attempts.start}
    red = [tuple(colour) for colour in bars.get_facecolors()]
    from matplotlib.colors import to_rgba

    assert (attempts.outcome == Outcome.FAILED).any()
    assert to_rgba(gantt._FAILED) in red
    assert to_rgba(gantt._DOWN) == tuple(down.get_facecolors()[0])


def test_the_picture_is_large_enough_to_read_and_bars_stand_apart(figure_of, tmp_path):
    from matplotlib.colors import to_rgba

    figure = figure_of({"easy": played()}, flat(4))
    head = (tmp_path / "gantt.png").read_bytes()[16:24]
    assert (int.from_bytes(head[:4]), int.from_bytes(head[4:])) == (11 * 120, 6 * 120)
    above, below = figure.axes
    assert to_rgba(above.get_lines()[0].get_color()) == to_rgba(gantt._WAITING)
    assert above.get_lines()[0].get_drawstyle() == "steps-post"
    _, bars = below.collections
    assert bars.get_linewidths() == [0.2]
    assert {tuple(colour) for colour in bars.get_edgecolors()} == {to_rgba("white")}
    assert not any(each.get_rasterized() for each in below.collections)
    both = figure_of({"easy": played(), "fcfs": played()}, flat(4))
    assert [axes.title.get_fontweight() for axes in both.axes] == ["normal"] * 4
    assert [axes._left_title.get_fontweight() for axes in both.axes[::2]] == ["bold"] * 2


def test_dates_where_the_clock_is_known(figure_of):
    result = played(failing=False)
    figure = figure_of({"easy": result}, flat(4), unix_start=10 * DAY)
    _, below = figure.axes
    assert below.get_xlabel() == "date (UTC)"
    assert below.get_xlim()[0] == pytest.approx(10.0)
    assert below.get_ylabel() == "processors, as they come free: they have no numbers"
    assert words(below) == ["running, colours tell jobs apart"]
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    assert isinstance(below.xaxis.get_major_locator(), AutoDateLocator)
    assert isinstance(below.xaxis.get_major_formatter(), ConciseDateFormatter)


def test_replays_side_by_side_have_one_scale(figure_of):
    results = {"easy": played(), "fcfs": played(failing=False)}
    figure = figure_of(results, flat(4))
    assert tuple(figure.get_size_inches()) == pytest.approx((11.0, 9.0))
    assert figure.get_suptitle() == "3 jobs on 4 processors"
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["easy", "", "fcfs", ""]
    assert figure.axes[0].get_ylim() == figure.axes[2].get_ylim()
    assert figure.axes[1].get_xlim() == figure.axes[3].get_xlim()
    ratio = [axes.get_position().height for axes in figure.axes]
    assert ratio[1] > 2.0 * ratio[0]


def test_means_where_bars_cannot_be_told_apart(figure_of, monkeypatch):
    monkeypatch.setattr(gantt, "MOST_BARS", 0)
    result = played()
    figure = figure_of({"easy": result}, flat(4), unit="nodes")
    above, below = figure.axes
    attempts = result.attempt_records
    last = float(attempts.end.max())
    period = last / gantt._BINS
    from perfmodel.units import human_duration

    assert below.get_ylabel() == f"nodes, means over {human_duration(period)}"
    assert words(below) == ["running", "running, until a failure", "down, from above"]
    assert below.get_ylim() == (0.0, 4.0)
    running, failed, down = below.patches
    values, edges, _ = running.get_data()
    np.testing.assert_allclose(edges * DAY, np.linspace(0.0, last, gantt._BINS + 1))
    spent = ((attempts.end - attempts.start) * attempts.processors).sum()
    assert (values * period).sum() == pytest.approx(spent)
    hit = failed.get_data()[0]
    struck = attempts.lost > 0.0
    lost = ((attempts.end - attempts.start) * attempts.processors)[struck].sum()
    assert (hit * period).sum() == pytest.approx(lost)
    out, _, base = down.get_data()
    assert base == 4
    assert ((4.0 - out) * period).sum() == pytest.approx(DAY)  # one node for a day
    (waiting,) = above.patches
    records = result.job_records
    waits = (records.first_start - records.submit).sum()
    assert (waiting.get_data()[0] * period).sum() == pytest.approx(waits)
    calm = figure_of({"easy": played(failing=False)}, flat(4), unit="nodes")
    assert words(calm.axes[1]) == ["running"]
    assert len(calm.axes[1].patches) == 1


def test_the_axis_of_a_blue_gene():
    machine = BlueGene(regular(2, 8))
    axis = gantt._axis(machine, "nodes", numbered=True)
    table = machine.table
    per = table.total_nodes // len(table.midplanes)
    assert axis.label == "midplane"
    assert axis.node(3) == (3 * per, per)
    places = [place for place, _ in axis.ticks]
    names = [name for _, name in axis.ticks]
    step = len(table.midplanes) // len(places)
    assert names == list(table.midplanes[::step])
    assert places == [per * step * number for number in range(len(names))]
    assert len(places) <= gantt._MOST_TICKS
    whole = int(np.argmax(table.cards.sum(axis=1)))
    assert axis.nodes(whole) == set(range(len(table.midplanes)))
    result = replay(
        Workload(np.zeros(1), np.ones(1), np.ones(1), np.array([table.total_nodes])),
        machine,
        policy=Cobalt(),
        failures=Failures(np.empty(0), np.empty(0, np.int64), np.empty(0)),
    )
    ((index, pieces),) = axis.placed(result.attempt_records)
    assert (index, pieces) == (0, [(0, NODES_PER_CARD * table.cards.shape[1])])


def test_the_axis_of_a_grid():
    grid = Grid((ClusterSpec("a", 3, 2), ClusterSpec("b", 2, (1, 3)), ClusterSpec("c", 1, 16)))
    axis = gantt._axis(grid, "processors", numbered=True)
    assert (axis.label, axis.ticks) == ("cluster", ((0, "a"), (6, "b"), (10, "c")))
    assert [axis.node(node) for node in range(6)] == [
        (0, 2),
        (2, 2),
        (4, 2),
        (6, 1),
        (7, 3),
        (10, 16),
    ]
    assert axis.nodes(None) == set()
    many = Grid(tuple(ClusterSpec(f"c{n}", 1, 1) for n in range(1000)))
    places = [place for place, _ in gantt._axis(many, "processors", numbered=True).ticks]
    assert len(places) <= gantt._MOST_TICKS
    assert np.diff(places).min() >= 1000 / gantt._MOST_TICKS


def test_the_axis_of_a_plain_machine():
    axis = gantt._axis(flat(7, processors_per_node=2), "nodes", numbered=True)
    assert (axis.label, axis.ticks, axis.nodes(None)) == ("nodes", (), set())
    assert [axis.node(node) for node in range(4)] == [(0, 2), (2, 2), (4, 2), (6, 1)]
    assert gantt._runs(np.array([0, 1, 4, 6, 7])) == [(0, 2), (4, 1), (6, 2)]


def test_how_many_wait():
    time, level = gantt._level(np.array([1.0, 2.0]), np.array([5.0, 3.0]))
    assert (time.tolist(), level.tolist()) == ([1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 1.0, 0.0])
