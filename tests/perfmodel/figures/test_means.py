"""Points with intervals, and maps: what they show."""

import math

import numpy as np
import pytest

from perfmodel.figures import Curve, draw_curves, draw_map, draw_points

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def points(axes):
    """Return place, mean, ends and colour of each interval."""
    for bars in axes.containers:
        line, _, (spread,) = bars.lines
        (low, at), (high, _) = spread.get_segments()[0]
        yield at, line.get_xdata()[0], low, high, to_hex(line.get_color())


def test_points_stand_below_each_other_with_their_intervals():
    axes = draw_points(["a", "b"], [3.0, 5.0], [1.0, math.nan], across="wait [h]")
    assert list(points(axes)) == [
        (0.0, 3.0, 2.0, 4.0, "#0072b2"),
        (1.0, 5.0, 5.0, 5.0, "#0072b2"),
    ]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"]
    assert axes.get_xlabel() == "wait [h]"
    low, high = axes.get_ylim()
    assert low > high  # the first is on top


def test_numbers_without_intervals_are_bars_from_zero():
    axes = draw_points(["a", "b", "c"], [3.0, 5.0, math.nan], [math.nan] * 3, across="wait [h]")
    (bars,) = axes.containers
    assert [bar.get_x() for bar in bars] == [0.0, 0.0, 0.0]
    assert [bar.get_width() for bar in bars][:2] == [3.0, 5.0]
    assert [text.get_text() for text in axes.texts] == ["3", "5", ""]


@pytest.mark.parametrize(("curves", "inside"), [(4, True), (5, False)])
def test_a_long_legend_stands_above_the_frame(curves, inside):
    x = np.arange(3.0)
    axes = draw_curves([Curve(f"{n}", x, n * x) for n in range(curves)], across="x", up="y")
    axes.figure.canvas.draw()
    low = axes.get_legend().get_window_extent().y0
    assert (low < axes.get_window_extent().y1) == inside


def test_differences_that_may_be_none_are_grey():
    axes = draw_points(["a", "b"], [3.0, -0.5], [1.0, 1.0], across="less", against=True)
    assert [colour for *_, colour in points(axes)] == ["#0072b2", "#595959"]
    assert axes.lines[-1].get_xdata() == [0.0, 0.0]


def test_a_map_has_each_number_on_its_cell():
    values = np.array([[1.0, 2.4], [math.nan, 12_345.0]])
    axes = draw_map(["1h", "2h"], ["x", "y"], values, across="interval", up="who", words="d")
    written = {text.get_text(): text.get_position() for text in axes.texts}
    assert written == {"1.00": (0.5, 0.5), "2.40": (1.5, 0.5), "12,345": (1.5, 1.5)}
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1h", "2h"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["x", "y"]
    assert axes.figure.axes[1].get_ylabel() == "d"
    dark, light = axes.texts[0].get_color(), axes.texts[2].get_color()
    assert (dark, light) == ("#ffffff", "#111111")


def test_a_curve_may_have_intervals_and_a_colour():
    x = np.array([1.0, 2.0])
    curve = Curve("a", x, x, reach=np.array([0.5, math.inf]), colour=1)
    axes = draw_curves([curve], across="x", up="y")
    (spread,) = axes.collections
    assert [segment[:, 1].tolist() for segment in spread.get_segments()] == [[0.5, 1.5], [2.0, 2.0]]
    assert to_hex(axes.lines[0].get_color()) == "#d55e00"
