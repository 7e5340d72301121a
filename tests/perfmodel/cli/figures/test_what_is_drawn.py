"""The curves, marks, bands, bars and words of each figure, with their units."""

import math
from types import SimpleNamespace as Made

import numpy as np
import pandas as pd
import pytest
from scipy.stats import poisson

from perfmodel import expected_makespan
from perfmodel.answers import drawn as answers
from perfmodel.answers.known.estimates import Mtbf
from perfmodel.cli.figures import job_logs, replays
from perfmodel.figures import Curve, Mark, Span
from tests.support.drawing import Drawn, same

HOUR, DAY = 3600.0, 86400.0


@pytest.fixture
def drawn(monkeypatch):
    return Drawn(answers, monkeypatch)


def only(drawn):
    (call,) = drawn.calls
    return call


class Job:
    """A job of which only the formula is asked."""

    work = 30 * DAY
    mtbf = Mtbf(8 * HOUR, "seen", 4 * HOUR, 16 * HOUR)

    def costs_at(self, mtbf):
        return {"mtbf": mtbf, "checkpoint_cost": 360.0, "recovery_cost": 60.0, "downtime": 30.0}


def beyond(intervals, mtbf):
    times = expected_makespan(Job.work, interval=intervals, **Job().costs_at(mtbf))
    return 100.0 * (times / Job.work - 1.0)


def test_time_beyond_the_work_over_the_interval(drawn):
    best = 75 * 60.0
    advice = Made(job=Job(), best=Made(interval_s=best), low=50 * 60.0, high=100 * 60.0)
    answers.advice_figure(advice)
    name, (curves,), options = only(drawn)
    assert drawn.panels == [(None, 1, {})]
    assert name == "draw_curves"
    intervals = np.geomspace(best / 12, best * 12, 400)
    known = beyond(intervals, 8 * HOUR)
    near = options["spans"][0]
    ends = beyond(60.0 * np.array([near.low, near.high]), 8 * HOUR)
    np.testing.assert_allclose(ends, 1.01 * (100.0 + known.min()) - 100.0, rtol=5e-4)
    assert same(
        curves,
        [
            Curve("MTBF 8 h", intervals / 60.0, known),
            Curve("MTBF 4 h (limit)", intervals / 60.0, beyond(intervals, 4 * HOUR), dashed=True),
            Curve("MTBF 16 h (limit)", intervals / 60.0, beyond(intervals, 16 * HOUR), dashed=True),
        ],
    )
    assert same(
        options,
        {
            "across": "work between checkpoints [min]",
            "up": "time beyond the work [%]",
            "marks": [Mark("best: 75 min", 75.0)],
            "spans": [
                Span("at most 1 % longer", near.low, near.high),
                Span("best within the limits", 50.0, 100.0),
            ],
            "logarithmic": True,
        },
    )
    (low, high), _ = drawn.axes[0].set_ylim.call_args
    assert low == 0.0
    assert high == pytest.approx(1.05 * min(known.max(), 6 * known.min()))


def test_the_interval_of_now_is_within_the_figure(drawn):
    asked = {"mtbfs": (8 * HOUR, None, math.inf), "within": (60.0, math.inf)}
    took = lambda mtbf, intervals: 2.0 * Job.work + 0.0 * intervals  # noqa: E731
    answers.overhead_figure(Job.work, HOUR * 2, took, present=30 * HOUR, points=9, **asked)
    _, (curves,), options = only(drawn)
    assert [curve.words for curve in curves] == ["MTBF 8 h"]
    assert same(curves[0].x, np.geomspace(2 / 12, 60.0, 9))
    assert same(curves[0].y, np.full(9, 100.0))
    assert options["marks"] == [Mark("best: 2 h", 2.0), Mark("now: 30 h", 30.0, "wanted")]
    assert [span.words for span in options["spans"]] == ["at most 1 % longer"]
    drawn.calls.clear()
    answers.overhead_figure(Job.work, HOUR * 2, took, present=60.0, points=9, **asked)
    assert same(only(drawn)[1][0][0].x, np.geomspace(30.0 / HOUR, 24.0, 9))
    drawn.calls.clear()
    answers.overhead_figure(3 * HOUR, HOUR * 2, took, points=9, **asked)
    assert same(only(drawn)[1][0][0].x, np.geomspace(2 / 12, 3.0, 9))


@pytest.mark.parametrize("more", [{}, {"deadline": 5 * DAY, "uncertain": 1, "simulated": 2}])
def test_a_law_of_completion_in_its_unit(drawn, more):
    law = Made(mean=3 * DAY)
    answers.completion_figure(law, **more)
    known = {"uncertain": None, "simulated": None, "deadline": None, **more}
    assert only(drawn) == ("draw_completion", (law,), {**known, "unit": "d", "size": DAY})


def fitted(family, mean):
    rows = [Made(family=name, lifetime=f"law of {name}", mean=mean) for name in ("gamma", family)]
    fits = type("Fits", (list,), {"best": rows[1]})(rows)
    return Made(fits=fits)


def test_laws_of_uptimes_and_repairs(drawn):
    log = Made(uptimes=Made(durations=np.arange(3.0), censored=np.ones(3), repairs=np.arange(2.0)))
    answers.fits_figure(log, fitted("weibull", 3 * DAY), fitted("lognormal", 3 * HOUR))
    assert drawn.panels == [(None, 2, {})]
    assert same(
        drawn.calls,
        [
            (
                "draw_survival",
                ({"weibull": "law of weibull", "gamma": "law of gamma"},),
                {
                    "durations": np.arange(3.0),
                    "censored": np.ones(3),
                    "words": "uptime",
                    "unit": "d",
                    "size": DAY,
                },
            ),
            (
                "draw_survival",
                ({"lognormal": "law of lognormal", "gamma": "law of gamma"},),
                {
                    "durations": np.arange(2.0),
                    "censored": np.zeros(2),
                    "words": "repair",
                    "unit": "h",
                    "size": HOUR,
                },
            ),
        ],
    )
    drawn.calls.clear()
    answers.fits_figure(log, None, fitted("lognormal", 3 * HOUR))
    assert only(drawn)[2]["words"] == "repair"
    drawn.calls.clear()
    answers.fits_figure(log, None, None)
    assert drawn.calls == []
    drawn.axes[-1].set_axis_off.assert_called_once_with()
    words = "too few different values to fit a law"
    drawn.axes[-1].text.assert_called_once_with(0.5, 0.5, words, ha="center")


def test_losses_of_a_run_and_of_one_with_copies(drawn):
    losses = {"detection": 0.25, "queue": 0.125}
    answers.losses_figure({"this run": losses})
    assert only(drawn) == (
        "draw_losses",
        ({"detection": [0.25], "queue": [0.125]},),
        {"runs": ()},
    )
    assert drawn.panels == [(None, 1, {"height": 2.6})]
    drawn.calls.clear()
    copies = {"detection": 0.5, "warm_up": 0.0625}
    answers.losses_figure({"this run": losses, "with copies\nin memory": copies})
    assert only(drawn) == (
        "draw_losses",
        ({"detection": [0.25, 0.5], "queue": [0.125, 0.0], "warm_up": [0.0, 0.0625]},),
        {"runs": ["this run", "with copies\nin memory"]},
    )
    assert drawn.panels[-1] == (None, 1, {"height": 3.6})


def test_shares_of_machines(drawn):
    found = Made(chosen=[1, 0], shares=np.array([HOUR, 3 * HOUR]))
    answers.schedule_figure(found, ("a", "b"))
    name, (chosen, shares), options = only(drawn)
    assert (name, chosen, list(shares)) == ("draw_schedule", [1, 0], [HOUR, 3 * HOUR])
    assert options == {"names": {0: "a", 1: "b"}, "unit": "h", "size": HOUR}


def test_spares_that_suffice_by_a_poisson_law(drawn):
    answers.spares_figure(2000, 1000 * HOUR, 5 * HOUR, {"90%": 14, "99.9%": 1000})
    counts = np.arange(1304.0)
    _, (curves,), options = only(drawn)
    assert same(curves[0].x, counts)
    np.testing.assert_allclose(curves[0].y, 100.0 * poisson(10.0).cdf(counts), rtol=1e-10)
    assert (curves[0].words, curves[0].dots, len(curves)) == ("they suffice", True, 1)
    assert options == {
        "across": "spare nodes",
        "up": "probability [%]",
        "marks": [Mark("14 for 90%", 14), Mark("1,000 for 99.9%", 1000)],
    }
    drawn.axes[0].xaxis.get_major_locator().set_params.assert_called_once_with(integer=True)


def test_goodput_by_standbys(drawn):
    answers.standbys_figure([0.5, 0.75], {"90%": 1200, "99%": None})
    assert same(
        only(drawn),
        (
            "draw_curves",
            ([Curve("goodput", np.arange(2.0), np.array([50.0, 75.0]), dots=True)],),
            {
                "across": "standby blocks",
                "up": "goodput [%]",
                "marks": [Mark("1,200 for 90%", 1200)],
            },
        ),
    )


def test_cases_of_recovery(monkeypatch):
    drawn = Drawn(replays, monkeypatch)
    rows = {
        "ff": {"failure_slowdown": None, "mean_response_s": 3 * HOUR, "service_unit_loss": 0.0},
        "mr": {"failure_slowdown": 0.5, "mean_response_s": 6 * HOUR, "service_unit_loss": 0.25},
    }
    replays.plot_cases(rows, "p")
    assert drawn.panels == [("p", 3, {"height": 2.6})]
    assert same(
        drawn.calls,
        [
            ("draw_numbers", ({"ff": math.nan, "mr": 0.5},), {"up": "failure slowdown"}),
            ("draw_numbers", ({"ff": 3.0, "mr": 6.0},), {"up": "mean response [h]"}),
            ("draw_numbers", ({"ff": 0.0, "mr": 25.0},), {"up": "lost node time [%]"}),
        ],
    )


@pytest.mark.parametrize("known", [True, False])
def test_promises_over_accuracy_or_confidence(known, monkeypatch):
    drawn = Drawn(replays, monkeypatch)
    rows = [
        {
            "accuracy": accuracy if known else None,
            "confidence": confidence,
            "qos": accuracy + confidence,
            "lost_work_node_s": HOUR * (accuracy + 2 * confidence),
            "mean_wait_s": HOUR * (3 + accuracy + 3 * confidence),
        }
        for accuracy in ((1.0, 0.5) if known else (0.5,))
        for confidence in (0.75, 0.25)
    ]
    replays.plot_promises(rows, "p")
    assert drawn.panels == [("p", 3, {"height": 2.8})]
    across = "accuracy" if known else "confidence"
    panels = [
        ("quality of service", lambda a, c: a + c),
        ("lost work [node h]", lambda a, c: a + 2 * c),
        ("mean wait [h]", lambda a, c: 3 + a + 3 * c),
    ]
    for (name, (curves,), options), (words, value) in zip(drawn.calls, panels, strict=True):
        assert (name, options) == ("draw_curves", {"across": across, "up": words})
        if known:
            expected = [
                Curve(
                    f"confidence {c:g}",
                    np.array([0.5, 1.0]),
                    np.array([value(0.5, c), value(1.0, c)]),
                    dots=True,
                )
                for c in (0.75, 0.25)
            ]
        else:
            y = np.array([value(0.5, 0.25), value(0.5, 0.75)])
            expected = [Curve("all", np.array([0.25, 0.75]), y, dots=True)]
        assert same(curves, expected)


def described(processors):
    days = pd.DataFrame({"load": np.arange(20.0) / 10, "jobs": np.arange(20.0) * 3})
    sizes = {"processors": [1, 8], "share": [0.25, 0.75], "load_share": [0.125, 0.875]}
    hours, week = np.arange(24.0), np.arange(7.0)
    return Made(
        by_hour=hours, by_weekday=week, sizes=pd.DataFrame(sizes), days=days, processors=processors
    )


@pytest.mark.parametrize("processors", [8, None])
def test_what_a_job_log_is_like(processors, monkeypatch):
    drawn = Drawn(job_logs, monkeypatch)
    found = described(processors)
    runtime = HOUR * np.array([-1.0, 1.0, 2.0, 3.0, 0.0])
    job_logs.plot_description(found, runtime, np.full(5, -1.0), "p")
    assert drawn.panels == [("p", 5, {"height": 2.4})]
    hours, week, *_ = drawn.axes
    for axes, count, values, across, up in (
        (hours, 24, found.by_hour, "hour of the day", "jobs an hour"),
        (week, 7, found.by_weekday, "day of the week", "jobs a day"),
    ):
        (x, y), options = axes.bar.call_args
        assert same([x, y], [np.arange(count), values])
        assert options == {"color": "#0072B2"}
        axes.set.assert_called_once_with(xlabel=across, ylabel=up)
        axes.grid.assert_called_once_with(alpha=0.25, axis="y")
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    week.set_xticks.assert_called_once_with(range(7), days)
    widest = np.array([1.0, 8.0])
    levels = np.linspace(0.0, 100.0, 401)
    known = found.days["load"] * 100 if processors else found.days["jobs"]
    smooth = [
        known[max(0, d - 3) : d + 4].sum() / len(known[max(0, d - 3) : d + 4]) for d in range(20)
    ]
    assert same(
        drawn.calls,
        [
            (
                "draw_curves",
                (
                    [
                        Curve("of jobs", widest, np.array([25.0, 100.0])),
                        Curve("of processor time", widest, np.array([12.5, 100.0])),
                    ],
                ),
                {
                    "across": "processors",
                    "up": "share up to this size [%]",
                    "logarithmic": True,
                },
            ),
            (
                "draw_curves",
                ([Curve("running time", 1.0 + levels / 50.0, levels)],),
                {"across": "time [h]", "up": "jobs up to this [%]", "logarithmic": True},
            ),
            (
                "draw_curves",
                (
                    [
                        Curve("of each day", np.arange(20.0), known.to_numpy()),
                        Curve("mean of 7 days", np.arange(20.0), np.array(smooth)),
                    ],
                ),
                {
                    "across": "days since the log began",
                    "up": "offered load [%]" if processors else "jobs a day",
                },
            ),
        ],
    )
    drawn.calls.clear()
    job_logs.plot_description(found, runtime, HOUR * np.array([2.0, -1.0, 4.0, 0.0, 3.0]), "p")
    (_, (curves,), _) = drawn.calls[1]
    assert [curve.words for curve in curves] == ["running time", "requested time"]
    assert same(curves[1].x, 2.0 + levels / 50.0)
