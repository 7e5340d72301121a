"""All that a figure shows: places, colours, styles, words, legends and limits of the axes."""

import itertools
import math

import numpy as np
import pytest

from perfmodel import Exponential, LogNormal, Weibull, exact_makespan
from perfmodel.figures import (
    Curve,
    Mark,
    Span,
    draw_completion,
    draw_curves,
    draw_losses,
    draw_numbers,
    draw_schedule,
    draw_survival,
    draw_swings,
)

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402
from matplotlib.text import Annotation  # noqa: E402

BLUE, RED, PINK, GREEN, GREY = "#0072b2", "#d55e00", "#cc79a7", "#009e73", "#595959"
ORANGE, SKY, YELLOW, SILVER = "#e69f00", "#56b4e9", "#f0e442", "#999999"


def all_small(texts):
    return all(abs(text.get_fontsize() - 10.0 / 1.2) < 0.01 for text in texts)


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def bars(axes):
    return [
        (
            *(float(f"{x:.9g}") for x in (*bar.get_xy(), bar.get_width(), bar.get_height())),
            to_hex(bar.get_facecolor()),
        )
        for bar in axes.patches
    ]


def lines(axes):
    return {
        each.get_label(): (
            to_hex(each.get_color()),
            each.get_linestyle(),
            each.get_marker(),
            each.get_linewidth(),
            each.get_alpha(),
            each.get_drawstyle(),
        )
        for each in axes.lines
        if not each.get_label().startswith("_")
    }


def notes(axes):
    return [
        (each.get_text(), tuple(map(float, each.xy)), each.get_position(), each.anncoords)
        for each in axes.texts
        if isinstance(each, Annotation)
    ]


def words(axes):
    legend = axes.get_legend()
    assert not legend.get_frame_on()
    assert all_small(legend.get_texts())
    return [text.get_text() for text in legend.get_texts()]


def ticks(axes, which):
    axis = getattr(axes, f"{which}axis")
    return dict(
        zip(axis.get_ticklocs(), (t.get_text() for t in axis.get_ticklabels()), strict=True)
    )


def grid(axes):
    """Which lines of the grid are shown, and how faint."""
    axes.figure.canvas.draw()
    found = {}
    for which in "xy":
        line = getattr(axes, f"{which}axis").get_major_ticks()[0].gridline
        if line.get_visible():
            found[which] = line.get_alpha()
    return found


def test_losses_are_bars_end_to_end_with_what_is_kept_beside():
    classes = {"one_class": [0.1, 0.2], "never": 0.0, "other": 0.05, "third": [0.0, 0.25]}
    axes = draw_losses(classes, runs=["a", "b"], kept="useful")
    assert bars(axes) == [
        (0.0, -0.4, 10.0, 0.8, BLUE),
        (0.0, 0.6, 20.0, 0.8, BLUE),
        (10.0, -0.4, 5.0, 0.8, RED),
        (20.0, 0.6, 5.0, 0.8, RED),
        (15.0, -0.4, 0.0, 0.8, GREEN),
        (25.0, 0.6, 25.0, 0.8, GREEN),
    ]
    assert notes(axes) == [
        ("useful 85 %", (15.0, 0.0), (6, 0), "offset points"),
        ("useful 50 %", (50.0, 1.0), (6, 0), "offset points"),
    ]
    assert {each.get_verticalalignment() for each in axes.texts} == {"center"}
    assert words(axes) == ["one class", "other", "third"]
    assert axes.get_xlabel() == "lost time [%]"
    assert axes.get_xlim() == (0.0, 95.0)
    assert axes.get_ylim() == (1.6, -0.6)
    assert ticks(axes, "y") == {0: "a", 1: "b"}
    legend = axes.get_legend()
    assert (legend._loc, legend._ncols) == (3, 2)  # at the lower left
    corner = legend.get_bbox_to_anchor().transformed(axes.transAxes.inverted())
    np.testing.assert_allclose(corner.p0, [0.0, 1.0], atol=1e-9)


def test_one_run_needs_no_name_and_several_are_counted():
    assert ticks(draw_losses({"lost": 0.25}), "y") == {0: ""}
    axes = draw_losses({"lost": [0.25, 0.5]})
    assert ticks(axes, "y") == {0: "0", 1: "1"}
    assert [note[0] for note in notes(axes)] == ["goodput 75 %", "goodput 50 %"]
    assert draw_losses({"lost": 0.0, "gone": 1e-12}).get_xlim() == (0.0, 1e-9)


def test_more_classes_than_colours_begin_again():
    names = [f"c{k}" for k in range(9)]
    colours = [bar[-1] for bar in bars(draw_losses(dict.fromkeys(names, 0.1)))]
    assert colours == [BLUE, RED, GREEN, PINK, ORANGE, SKY, YELLOW, SILVER, BLUE]


def test_numbers_stand_on_their_bars():
    limits = {"a": (0.5, 2.0), "b": (2500.0, 5000.0)}
    axes = draw_numbers({"a": 1.23456, "b": 3210.4}, up="wait [h]", limits=limits)
    assert bars(axes) == [(-0.4, 0.0, 0.8, 1.23456, BLUE), (0.6, 0.0, 0.8, 3210.4, BLUE)]
    assert [text.get_text() for text in axes.texts] == ["1.235", "3,210"]
    assert all_small(axes.texts)
    assert {text.get_position() for text in axes.texts} == {(0, 2)}
    assert axes.get_ylabel() == "wait [h]"
    assert axes.get_xlim() == (-0.6, 1.6)
    assert ticks(axes, "x") == {0: "a", 1: "b"}
    assert axes.margins()[1] == 0.15
    assert grid(axes) == {"y": 0.25}
    assert [text.xy for text in axes.texts] == [(0.0, 2.0), (1.0, 5000.0)]
    drawn = axes.containers[0].lines
    (spans,) = drawn[2]
    np.testing.assert_allclose(spans.get_segments()[0], [[0.0, 0.5], [0.0, 2.0]])
    np.testing.assert_allclose(spans.get_segments()[1], [[1.0, 2500.0], [1.0, 5000.0]])
    assert to_hex(spans.get_color()[0]) == GREY
    assert drawn[0] is None
    assert {cap.get_markersize() for cap in drawn[1]} == {8.0}
    assert len(draw_numbers({"a": 1.0}, up="x").containers) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(999.94, "999.9"), (1000.0, "1,000"), (-1234.5, "-1,234"), (9.99e11, "999,000,000,000"),
     (1e12, "1e+12"), (0.0, "0")],
)  # fmt: skip
def test_numbers_are_plain_up_to_a_billion_thousands(value, text):
    axes = draw_numbers({"a": value}, up="x")
    assert [each.get_text() for each in axes.texts] == [text]
    assert axes.yaxis.get_major_formatter()(value, 0) == text


def test_swings_are_from_half_to_twice():
    swings = {"a": (-20.0, 50.0), "b": (math.inf, 7.0), "c": (3.0, math.inf)}
    axes = draw_swings(swings, across="change [%]")
    assert bars(axes) == [
        (0.0, -0.3, -20.0, 0.6, GREEN),
        (0.0, 0.7, 0.0, 0.6, GREEN),
        (0.0, 1.7, 3.0, 0.6, GREEN),
        (0.0, -0.3, 50.0, 0.6, BLUE),
        (0.0, 0.7, 7.0, 0.6, BLUE),
        (0.0, 1.7, 0.0, 0.6, BLUE),
    ]
    assert notes(axes) == [
        ("half of it: endless", (0.0, 1.0), (6, 0), "offset points"),
        ("twice of it: endless", (0.0, 2.0), (6, 0), "offset points"),
    ]
    assert words(axes) == ["half of it", "twice of it"]
    assert axes.get_xlabel() == "change [%]"
    assert axes.get_ylim() == (2.6, -0.6)
    assert ticks(axes, "y") == {0: "a", 1: "b", 2: "c"}
    (zero,) = axes.lines
    assert list(zero.get_xdata()) == [0.0, 0.0]
    assert (to_hex(zero.get_color()), zero.get_linewidth()) == (GREY, 1)
    plain = draw_swings({"a": (-20.0, 50.0)}, across="change [%]")
    assert grid(plain) == {"x": 0.25}


def test_a_schedule_has_the_largest_share_first():
    chosen, shares = np.array([7, 3, 5]), np.array([20.0, 50.0, 30.0])
    axes = draw_schedule(chosen, shares, names={3: "big"}, unit="h", size=10.0)
    assert bars(axes) == [
        (-0.4, 0.0, 0.8, 5.0, BLUE),
        (0.6, 0.0, 0.8, 3.0, BLUE),
        (1.6, 0.0, 0.8, 2.0, BLUE),
    ]
    assert ticks(axes, "x") == {0: "big", 1: "5", 2: "7"}
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {0.0}
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("machine", "work [h]")
    assert grid(axes) == {"y": 0.25}
    axes = draw_schedule(chosen, shares, names={3: "long"})
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {90.0}
    assert axes.get_ylabel() == "work"
    assert [bar[3] for bar in bars(axes)] == [50.0, 30.0, 20.0]


@pytest.mark.parametrize(("count", "named"), [(40, True), (41, False)])
def test_of_many_machines_none_is_named(count, named):
    axes = draw_schedule(np.arange(count), np.ones(count))
    assert axes.get_xlabel() == ("machine" if named else "machine, by its share")
    assert (ticks(axes, "x").get(39) == "39") == named
    # Equal shares stay in the order of the machines.
    if named:
        assert list(ticks(axes, "x").values()) == [str(k) for k in range(count)]


def test_curves_have_the_colours_and_styles_of_their_kinds():
    x = np.array([1.0, 10.0, 100.0])
    curves = [Curve(f"c{k}", x, k * x, dots=k == 2) for k in range(7)]
    axes = draw_curves(
        [*curves, Curve("limit", x, 3.0 * x, dashed=True)],
        across="length [m]",
        up="width [m]",
        marks=[Mark("least", 10.0), Mark("due", 20.0, "wanted")],
        spans=[Span("near", 5.0, 20.0), Span("far", 40.0, 50.0)],
    )
    colours = itertools.cycle([BLUE, RED, GREEN, PINK, ORANGE, SKY])
    known = {
        f"c{k}": (next(colours), "-", "o" if k == 2 else "None", 1.5, None, "default")
        for k in range(7)
    }
    known["limit"] = (GREEN, "--", "None", 1.5, None, "default")
    known["least"] = (RED, ":", "None", 1.5, None, "default")
    known["due"] = (PINK, ":", "None", 1.5, None, "default")
    assert lines(axes) == known
    marks = {line.get_label(): line.get_xdata() for line in axes.lines[-2:]}
    assert {name: list(at) for name, at in marks.items()} == {"least": [10, 10], "due": [20, 20]}
    near, far = axes.patches
    assert (near.get_x(), near.get_width(), far.get_x(), far.get_width()) == (5, 15, 40, 10)
    assert (near.get_alpha(), far.get_alpha()) == (0.12, pytest.approx(0.22))
    assert to_hex(near.get_facecolor()) == to_hex(far.get_facecolor()) == RED
    assert near.get_linewidth() == far.get_linewidth() == 0
    assert set(words(axes)) == {"near", "far", *known}
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("length [m]", "width [m]")
    assert axes.get_xscale() == "linear"
    assert grid(axes) == {"x": 0.25, "y": 0.25}


@pytest.mark.parametrize(("high", "steps"), [(900.0, (1, 2, 5)), (2000.0, (1,))])
def test_decades_have_plain_numbers_and_few_ticks(high, steps):
    x = np.array([1.0, high])
    axes = draw_curves([Curve("c", x, x)], across="x", up="y", logarithmic=True)
    axes.set_xlim(1.0, high)
    axes = draw_curves([], across="x", up="y", logarithmic=True, ax=axes)
    assert axes.get_xscale() == "log"
    low, high = axes.get_xlim()
    shown = [at for at in axes.xaxis.get_majorticklocs() if low <= at <= high]
    decades = [10.0**k for k in range(4)]
    assert shown == pytest.approx(
        [step * ten for ten in decades for step in steps if step * ten <= high]
    )
    assert axes.xaxis.get_major_formatter()(1000.0) == "1000"
    assert list(axes.xaxis.get_minorticklocs()) == []


JOB = {"interval": 2.0, "checkpoint_cost": 0.1}


def test_a_completion_time_is_drawn_from_its_first_chance_to_its_last():
    law = exact_makespan(100.0, mtbf=8.0, **JOB)
    worse = exact_makespan(100.0, mtbf=6.0, **JOB)
    axes = draw_completion(
        law,
        uncertain=worse,
        simulated=np.array([140.0, 120.0]),
        deadline=130.0,
        unit="min",
        size=2.0,
    )
    assert lines(axes) == {
        "simulated": (GREY, "-", "None", 3.0, 0.5, "steps-post"),
        "predicted": (BLUE, "-", "None", 1.5, None, "default"),
        "with the MTBF uncertain": (GREEN, "--", "None", 1.5, None, "default"),
        (f"deadline: {100 * law.cdf(130.0):.4g} %, uncertain {100 * worse.cdf(130.0):.4g} %"): (
            PINK,
            ":",
            "None",
            1.5,
            None,
            "default",
        ),
    }
    by_name = {line.get_label(): line for line in axes.lines}
    played = by_name["simulated"]
    assert list(played.get_xdata()) == [60.0, 70.0]
    assert list(played.get_ydata()) == [50.0, 100.0]
    start, last = law.atom[0], float(worse.isf(1e-3))
    for name, each in (("predicted", law), ("with the MTBF uncertain", worse)):
        times, percent = by_name[name].get_data()
        assert times.size == 401
        assert (percent[0], times[0], times[1]) == (0.0, start / 2.0, start / 2.0)
        assert times[-1] == pytest.approx(last / 2.0)
        np.testing.assert_allclose(percent[1:], 100.0 * each.cdf(2.0 * times[1:]), rtol=1e-12)
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    places = [
        (float(each.ppf(q)) / 2.0, 100.0 * q) for q in (0.5, 0.9, 0.99) for each in (law, worse)
    ]
    np.testing.assert_allclose([dot.get_xydata()[0] for dot in dots], places, rtol=1e-12)
    assert [to_hex(dot.get_color()) for dot in dots] == [BLUE, GREEN] * 3
    assert notes(axes) == [
        (text, pytest.approx(places[at]), where, "offset points")
        for text, at, where in (("50 %", 1, (6, -14)), ("90 %", 3, (6, -14)), ("99 %", 5, (2, 5)))
    ]
    assert list(by_name[list(lines(axes))[-1]].get_xdata()) == [65.0, 65.0]
    assert axes.get_xlim() == pytest.approx(((start - 0.05 * (last - start)) / 2.0, last / 2.0))
    assert axes.get_ylim() == (0.0, 110.0)
    assert axes.get_xlabel() == "completion time [min]"
    assert axes.get_ylabel() == "probability to be done [%]"
    assert grid(axes) == {"x": 0.25, "y": 0.25}
    words(axes)
    assert axes.get_legend()._loc == 4  # at the lower right


def test_deadlines_widen_the_axis_unless_they_are_far():
    law = exact_makespan(100.0, mtbf=8.0, **JOB)
    last = float(law.isf(1e-3))
    for deadline, right in ((2.9 * last, 1.02 * 2.9 * last), (3.0 * last, last), (1.0, last)):
        axes = draw_completion(law, deadline=deadline)
        assert axes.get_xlim()[1] == pytest.approx(right)
        assert axes.get_xlabel() == "completion time"
    late = float(law.isf(5e-5))  # 99.995 % is not rounded to 100
    assert words(draw_completion(law, deadline=late))[-1] == "deadline: >99.99 %"
    sure = float(law.isf(1.1e-4))
    assert words(draw_completion(law, deadline=sure))[-1] == "deadline: 99.99 %"
    assert words(draw_completion(law, deadline=1.0))[-1] == "deadline: 0 %"
    assert words(draw_completion(law, deadline=1e9))[-1] == "deadline: 100 %"


def test_a_time_that_is_certain_has_an_axis_around_it():
    law = exact_makespan(100.0, mtbf=np.inf, **JOB)
    start = law.atom[0]
    axes = draw_completion(law)
    assert axes.get_xlim() == pytest.approx((0.9 * start, 1.02 * start))


def test_a_record_is_drawn_under_the_laws_that_are_fitted_to_it():
    record, cut = np.array([2.0, 4.0, 4.0, 8.0, 9.0]), np.array([0, 0, 0, 0, 1])
    laws = {"weibull": Weibull(0.7, 5.0), "exponential": Exponential(6.0)}
    axes = draw_survival(laws, durations=record, censored=cut, words="uptime", unit="d", size=2.0)
    assert lines(axes) == {
        "recorded": (GREY, "-", "None", 1.5, None, "steps-post"),
        "weibull": (RED, "-", "None", 1.5, None, "default"),
        "exponential": (BLUE, "--", "None", 1.5, None, "default"),
    }
    by_name = {line.get_label(): line for line in axes.lines}
    times, alive = by_name["recorded"].get_data()
    assert list(times) == [0.0, 1.0, 2.0, 4.0]
    np.testing.assert_allclose(alive, [100.0, 80.0, 40.0, 20.0])
    grid_ = by_name["weibull"].get_xdata()
    assert grid_.size == 400
    ends = laws["weibull"].ppf([1e-3, 1.0 - 1e-3])
    assert (grid_[0], grid_[-1]) == pytest.approx((ends[0] / 2.0, ends[1] / 2.0))
    np.testing.assert_allclose(np.diff(np.log(grid_)), np.log(ends[1] / ends[0]) / 399.0)
    for name, law in laws.items():
        x, y = by_name[name].get_data()
        np.testing.assert_allclose(y, 100.0 * law.sf(2.0 * x), rtol=1e-12)
    (limits,) = axes.collections
    assert (limits.get_label(), limits.get_alpha()) == ("95 % limits", 0.2)
    assert to_hex(limits.get_facecolor()[0]) == GREY
    assert list(limits.get_linewidth()) == [0]
    # Greenwood's variance of log(-log S) by hand, after the second step: S = 2/5.
    spread = math.sqrt(1 / (5 * 4) + 2 / (4 * 2)) / math.log(5 / 2)
    heights = {float(f"{y:.6f}") for _, y in limits.get_paths()[0].vertices}
    for side in (1.0, -1.0):
        assert float(f"{100 * 0.4 ** math.exp(side * 1.959964 * spread):.6f}") in {
            *heights, *(float(f"{h + 1e-6:.6f}") for h in heights),
            *(float(f"{h - 1e-6:.6f}") for h in heights)}  # fmt: skip
    assert axes.get_xlabel() == "uptime [d]"
    assert axes.get_ylabel() == "probability to last longer [%]"
    assert axes.get_xscale() == "log"
    assert axes.get_xlim() == pytest.approx((grid_[0], grid_[-1]))
    assert axes.get_ylim() == (0.0, 102.0)
    words(axes)
    assert axes.get_legend()._loc == 3  # at the lower left
    assert grid(axes) == {"x": 0.25, "y": 0.25}


def test_a_record_beyond_the_law_widens_the_axis():
    law = {"exponential": Exponential(1.0)}
    axes = draw_survival(law, durations=[1e-6, 100.0])
    assert axes.get_xlim() == pytest.approx((1e-6, 100.0))
    axes = draw_survival(law, durations=[0.0, 0.5, 1.0])
    assert axes.get_xlim() == pytest.approx(tuple(Exponential(1.0).ppf([1e-3, 1 - 1e-3])))
    assert axes.get_xlabel() == "duration"
    assert list(lines(axes)) == ["recorded", "exponential"]


def test_many_laws_begin_their_colours_again():
    laws = {f"l{k}": Exponential(1.0 + k) for k in range(7)}
    found = [each[0] for each in lines(draw_survival(laws)).values()]
    assert found == [BLUE, RED, GREEN, PINK, ORANGE, SKY, BLUE]


def test_new_axes_leave_room_for_their_words():
    axes = draw_numbers({"a": 1.0}, up="x")
    assert axes.figure.get_layout_engine().__class__.__name__ == "ConstrainedLayoutEngine"


def test_a_line_is_drawn_once_with_all_of_its_names():
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    curves = [Curve("a", x, y), Curve("b", x, 2.0 * y), Curve("c", x, y), Curve("d", x, y, True)]
    marks = [Mark("12 for 99 %", 1.0), Mark("12 for 90 %", 1.0), Mark("12", 1.0, "wanted")]
    axes = draw_curves(curves, across="x", up="y", marks=marks)
    assert list(lines(axes)) == ["a, c", "b", "d", "12 for 99 %, 90 %", "12"]


def test_a_law_has_its_colour_wherever_it_is_drawn():
    laws = {"gamma": Exponential(1.0), "weibull": Exponential(2.0), "exponential": Exponential(3.0)}
    found = {name: each[0] for name, each in lines(draw_survival(laws)).items()}
    assert found == {"gamma": GREEN, "weibull": RED, "exponential": BLUE}


def test_no_axis_goes_far_beyond_what_was_recorded():
    law = {"lognormal": LogNormal.from_mean(100.0, cv=9.0)}
    axes = draw_survival(law, durations=[1.0, 2.0, 3.0])
    assert axes.get_xlim()[1] == pytest.approx(30.0)
