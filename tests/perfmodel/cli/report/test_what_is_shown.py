"""What a page shows: tables and words of answers, and what its figures are made of."""

import json
import math
from types import SimpleNamespace as Made

import numpy as np
import pandas as pd
import pytest

from perfmodel import expected_makespan, optimal_interval, plan
from perfmodel.cli.report import answers, jobs, scenario
from perfmodel.cli.report.turning import turning_of
from perfmodel.cli.report.view import view_of
from perfmodel.figures import BEST, OTHER, PREDICTED, WANTED, Curve, Mark
from perfmodel.planning import plans
from perfmodel.protocols.table import protocol_of
from perfmodel.registry import FORMULAS
from tests.support.drawing import Drawn, same
from tests.support.paper import Sheet, printed

HOUR, DAY = 3600.0, 86400.0


def shown(show, *arguments, **options):
    sheet = Sheet()
    return printed(show, *arguments, sheet, sheet=sheet, **options)


def verdict(**changes):
    known = {"formula": "optimal_interval", "check": "mean", "point": "p", "z": 0.5}
    more = {"predicted": 1.0, "observed": 1.25, "resolution": 0.125, "passed": True}
    return {**known, **more, "kind": "exact", "stderr": 0.5, **changes}


def test_verdicts_of_a_validation_run(monkeypatch):
    drawn = Drawn(answers, monkeypatch)
    every = [
        verdict(),
        verdict(z=-3.25, passed=False),
        verdict(formula="young", z=None, kind="bound"),
        verdict(z=None),
        verdict(z=9.0, stderr=None),
    ]
    run = {
        "verdicts": every,
        "mutants": [
            {"formula": "young", "rejected": True},
            {"formula": "optimal_interval", "rejected": False},
        ],
        "seed": 7,
        "tier": "full",
        "z_limit": 4.5,
        "false_alarm_probability": 0.001,
    }
    row = next(row for row in FORMULAS if row.name == "optimal_interval")
    numbers = ["1", "1.25", "{}", "0.125"]
    heads = ["formula", "check", "point", "predicted", "observed", "z", "resolution", "passed"]
    found = shown(answers.show_answers, run)
    assert found[:7] == [
        ("heading", "Verdict"),
        ("line", "5 comparisons, 1 failed; 2 wrong formulas, 1 passed for right."),
        ("fact", "tier", "full"),
        ("fact", "seed", "7"),
        ("fact", "limit of |z|", "4.5"),
        ("fact", "false alarms", "0.001"),
        (
            "figure",
            "Distance of 2 simulations from exact formulas, in standard errors.",
            False,
        ),
    ]
    assert [part[1] for part in found if part[0] == "heading"] == [
        "Verdict",
        "What failed",
        "What passed for right",
        "By formula",
        "Sources and ranges",
        "All comparisons",
    ]
    assert found[10] == ("table", 1, ["formula", "rejected"], ["optimal_interval", "no"])
    assert found[12] == (
        "table",
        1,
        ["formula", "comparisons", "failed", "largest |z|", "wrong ones rejected"],
        ["optimal_interval", "4", "1", "9.00", "1"],
        ["young", "1", "0", "0.00", "1"],
    )
    assert found[14] == (
        "table",
        4,
        ["formula", "source", "kind", "documented for"],
        ["optimal_interval", f"{row.source}, {row.equation}", row.kind, row.documented],
    )
    assert found[16] == (
        "table",
        3,
        heads,
        *(
            [each["formula"], "mean", "p", *(text.format(z) for text in numbers), passed]
            for each, z, passed in zip(
                every,
                ("0.5", "-3.25", "-", "-", "9"),
                ("yes", "no", "yes", "yes", "yes"),
                strict=True,
            )
        ),
    )
    grid = np.linspace(0.0, 1.05 * 4.5, 200)
    chance = [100.0 * math.erf(each / math.sqrt(2.0)) for each in grid]
    steps = [50.0 * (each >= 0.5) + 50.0 * (each >= 3.25) for each in grid]
    ((name, (curves,), options),) = drawn.calls
    assert (name, [curve.words for curve in curves]) == (
        "draw_curves",
        ["comparisons", "chance alone"],
    )
    assert [curve.dashed for curve in curves] == [False, True]
    for curve, y in zip(curves, (steps, chance), strict=True):
        np.testing.assert_allclose(curve.x, grid)
        np.testing.assert_allclose(curve.y, y, atol=1e-10)
    assert options == {
        "across": "|z|",
        "up": "comparisons below [%]",
        "marks": [Mark("limit: 4.5", 4.5, "wanted")],
    }


@pytest.mark.parametrize(
    ("far", "limit", "end"),
    [(1.0, None, 4.5), (8.0, None, 8.0), (80.0, None, 10.0), (8.0, 20.0, 21.0)],
)
def test_distances_are_drawn_as_far_as_they_matter(far, limit, end, monkeypatch):
    drawn = Drawn(answers, monkeypatch)
    sheet = Sheet()
    answers._draw_distances([verdict(z=far)], limit, sheet)
    ((_, (curves,), options),) = drawn.calls
    assert curves[0].x[-1] == pytest.approx(end)
    assert len(options["marks"]) == (limit is not None)
    answers._draw_distances([verdict(kind="bound"), verdict(z=None)], limit, sheet)
    assert len(sheet.parts) == 1


def test_more_comparisons_than_a_page_holds(monkeypatch):
    Drawn(answers, monkeypatch)
    run = {"verdicts": [verdict()] * 4001, "mutants": []}
    found = shown(answers.show_answers, run)
    assert found[-3] == ("heading", "The first 3,000 comparisons")
    assert len(found[-2][3:]) == 3000
    assert found[-1] == ("close", "And 1,001 more, in the JSON.")
    run["verdicts"] = run["verdicts"][:3000]
    assert shown(answers.show_answers, run)[-2] == ("heading", "All comparisons")


def span(**changes):
    known = {"formula": "young", "ratio": "C/M", "judged": True, "documented": [1e-3, 1.0]}
    return {**known, "fixed": [0.5, 1.0], "random": [1e-3, 0.25], **changes}


def test_the_map_of_what_was_judged(monkeypatch):
    drawn = Drawn(answers, monkeypatch)
    spans = [
        span(),
        span(formula="daly", judged=False, fixed=None, random=[1, "x"]),
        *[span(documented=None)] * 1200,
    ]
    found = shown(answers.show_answers, spans)
    heads = ["formula", "of", "documented", "judged at fixed points", "at random points"]
    judged = ["young", "C/M", "0.001 to 1", "0.5 to 1", "0.001 to 0.25"]
    missing = ["daly", "C/M", "0.001 to 1", "-", "-"]
    assert found[:5] == [
        ("heading", "What was judged"),
        (
            "line",
            "1,202 ranges of 2 formulas; 1 not judged to their documented ends.",
        ),
        (
            "figure",
            "How many formulas are documented for each ratio, and judged there.",
            True,
        ),
        ("heading", "Not judged to the ends"),
        ("table", 2, heads, missing),
    ]
    assert found[5] == ("heading", "All ranges")
    assert found[6][:5] == ("table", 2, heads, judged, missing)
    grid = np.geomspace(1e-9, 1e9, 400)
    documented = (grid >= 1e-3) & (grid <= 1.0)
    inside = documented & ((grid >= 0.5) | (grid <= 0.25))
    assert same(
        drawn.calls,
        [
            (
                "draw_curves",
                (
                    [
                        Curve("documented", grid, 2.0 * documented),
                        Curve("judged", grid, 1.0 * inside, dashed=True),
                    ],
                ),
                {"across": "ratio of two arguments", "up": "ranges", "logarithmic": True},
            )
        ],
    )
    assert "All ranges" not in [part[1] for part in shown(answers.show_answers, [])]


def test_rows_of_any_answer():
    rows = [{"wait_s": 3.5, "policy": "easy", "spread": {"a": 1}, "known": True}]
    rows += [{"wait_s": None, "policy": "fcfs", "more": 1234567.0}] + [{"policy": "mine"}] * 1300
    result = {"means": rows, "work_s": 5.0, "low": {"at_most": 2.0}, "notes": ["a_b", 3], "e": {}}
    found = shown(answers.show_answers, result)
    assert found[0] == ("heading", "Answer")
    assert found[1][:5] == (
        "table",
        1,
        ["policy", "wait s", "known", "more"],
        ["easy", "3.5", "yes", "-"],
        ["fcfs", "-", "-", "1.23457e+06"],
    )
    assert len(found[1][3:]) == 200
    assert found[2:] == [
        ("close", "And 1,102 more rows."),
        ("fact", "work s", "5"),
        ("heading", "low"),
        ("fact", "at most", "2"),
        ("heading", "notes"),
        ("line", "a_b"),
        ("line", "3"),
    ]


TABLES = {
    "machine": {"nodes": 100},
    "failures": {"node_mtbf": "800h"},
    "checkpoint": {"cost": "6min"},
    "job": {"work": "10d"},
}


@pytest.fixture
def drawn(monkeypatch):
    found = Drawn(scenario, monkeypatch)
    monkeypatch.setattr(scenario, "draw_in", lambda path, draw: draw())
    for name in ("completion_figure", "losses_figure", "overhead_figure", "standbys_figure"):
        monkeypatch.setattr(
            scenario, name, lambda *a, _name=name, **o: found.calls.append((_name, a, o))
        )
    return found


def test_figures_of_a_plan(drawn):
    made = plan(TABLES)
    sheet = Sheet()
    scenario.draw_plan(sheet, made, TABLES)
    named = {name: (arguments, options) for name, arguments, options in drawn.calls}
    assert [part[1:] for part in sheet.parts[:4]] == [
        (
            "Time beyond the work, by the interval between synchronous checkpoints; the bands are "
            "where it takes at most 1 % longer, and the best intervals within the limits of the "
            "MTBF.",
            False,
        ),
        (
            "The same with another MTBF or another checkpoint: move the sliders. The band is where "
            "it takes at most 1 % longer.",
        ),
        ("Probability to be done by each time.", False),
        ("Where the time of a long run goes.", False),
    ]
    (work, best, took), options = named["overhead_figure"]
    assert (work, best) == (10 * DAY, made.checkpoint.interval)
    intervals = np.array([HOUR, 2 * HOUR])
    known = expected_makespan(10 * DAY, interval=intervals, mtbf=4 * HOUR, checkpoint_cost=360.0)
    np.testing.assert_allclose(took(4 * HOUR, intervals), known)
    limits = options.pop("within")
    assert limits == (made.checkpoint.interval_low, made.checkpoint.interval_high)
    assert options == {
        "mtbfs": (8 * HOUR, None, None),
        "present": None,
        "points": 150,
    }
    (law,), options = named["completion_figure"]
    assert law.mean == pytest.approx(made.completion.mean)
    assert options == {"uncertain": None, "deadline": None}
    assert named["losses_figure"] == (({"this run": made.goodput.losses},), {})


HOW = {
    "synchronous": {},
    "asynchronous": {"snapshot_cost": "20s"},
    "two_levels": {"local_cost": "10s", "survived": "80%", "local_recovery": "10s"},
    "predicted": {"recall": 0.8, "precision": 0.5, "proactive_cost": "1min"},
    "single_segment": {},
}


@pytest.mark.parametrize("protocol", HOW)
def test_the_curve_over_the_interval_is_that_of_the_protocol(protocol, drawn):
    how = {"protocol": protocol, "cost": "6min", "present_interval": "1h", **HOW[protocol]}
    made = plan({**TABLES, "checkpoint": how}, brief=True)
    sheet = Sheet()
    scenario._draw_interval(sheet, made)
    if protocol in {"predicted", "single_segment"}:
        assert drawn.calls == []
        return
    ((_, (_, best, took), options),) = drawn.calls
    assert f"between {protocol.replace('_', ' ')} checkpoints;" in sheet.parts[0][1]
    every = made.checkpoint.durable_every
    known = float(protocol_of(protocol).means(made.job, np.array([best]), every)[0])
    assert took(made.job.mtbf, np.array([best])) == [known]
    assert known == pytest.approx(made.completion.mean)
    # The present interval is one of synchronous checkpoints.
    assert options["present"] == (HOUR if protocol == "synchronous" else None)


def test_the_goodput_of_other_sizes(drawn):
    sheet = Sheet()
    scenario._draw_sizes(sheet, plan(TABLES), TABLES)
    goodputs = [
        each.plan.goodput.value
        for each in plans({**TABLES, "machine": {"nodes": [25, 50, 100, 200, 400]}})
    ]
    counts = np.array([25.0, 50.0, 100.0, 200.0, 400.0])
    words = "Goodput by the number of nodes, each at its best."
    assert sheet.parts == [("figure", words, False)]
    assert same(
        drawn.calls,
        [
            (
                "draw_curves",
                ([Curve("goodput", counts, 100.0 * np.array(goodputs), dots=True)],),
                {
                    "across": "nodes",
                    "up": "goodput [%]",
                    "marks": [Mark("this job: 100", 100.0)],
                    "logarithmic": True,
                },
            )
        ],
    )
    whole = {**TABLES, "failures": {"mtbf": "8h"}}
    scenario._draw_sizes(sheet, plan(whole), whole)
    assert len(drawn.calls) == 1


def test_spares_sensitivities_and_worth(drawn):
    sheet = Sheet()
    made = Made(
        spares=Made(needed=3, best=None, table=[Made(goodput=0.5), Made(goodput=0.75)]),
        sensitivities=[Made(key="job.work", time_halved=50.0, time_doubled=250.0)],
        completion=Made(mean=100.0),
        worth=[Made(change="checkpoints in local memory", gain=0.25, per_year=None)],
        scenario=Made(prices=Made(currency="EUR")),
    )
    scenario._draw_spares(sheet, made)
    made.spares.best = 2
    scenario._draw_spares(sheet, made)
    scenario._draw_sensitivities(sheet, made)
    scenario._draw_worth(sheet, made)
    made.worth[0].per_year = -999_999.0
    scenario._draw_worth(sheet, made)
    made.worth[0].per_year = -1e6
    scenario._draw_worth(sheet, made)
    lines = "checkpoints in\nlocal memory"
    asked = {"the confidence asked for": 3}
    assert drawn.calls == [
        ("standbys_figure", ([0.5, 0.75], asked), {}),
        ("standbys_figure", ([0.5, 0.75], {**asked, "what pays": 2}), {}),
        ("draw_swings", ({"job.work": (-50.0, 150.0)},), {"across": "change of the time [%]"}),
        ("draw_numbers", ({lines: 25.0},), {"up": "goodput [points]"}),
        ("draw_numbers", ({lines: -999_999.0},), {"up": "EUR a year"}),
        ("draw_numbers", ({lines: -1.0},), {"up": "million EUR a year"}),
    ]
    assert drawn.panels[0] == ("figure.svg", 1, {"height": 1.85})
    spares = ("figure", "Goodput by the number of spares.", False)
    worth = ("figure", "What changes are worth.", False)
    swings = "What matters: the time with half and with twice of each input."
    assert sheet.parts == [spares, spares, ("figure", swings, False), worth, worth, worth]
    for name, empty in (("spares", None), ("sensitivities", []), ("worth", [])):
        setattr(made, name, empty)
        getattr(scenario, f"_draw_{name}")(sheet, made)
    assert len(drawn.calls) == 6


def test_an_unknown_input_about_the_value_that_suffices(drawn):
    tables = {**TABLES, "checkpoint": {"cost": "unknown"}, "deadline": {"time": "15d"}}
    made = plan({**tables, "questions": {"goodput": "90%"}})
    row = next(row for row in made.break_evens if row.unknown)
    sheet = Sheet()
    scenario._draw_unknown(sheet, made)
    assert sheet.parts == [("figure", f"What {row.key}, which is unknown, would do.", False)]
    ((name, (curves,), options),) = drawn.calls
    unit = options["across"].partition("[")[2].rstrip("]")
    size = {"s": 1.0, "min": 60.0, "h": HOUR}[unit]
    x = row.value / size * np.geomspace(1 / 6, 6, 41)
    assert (name, [curve.words for curve in curves]) == (
        "draw_curves",
        ["goodput", "done by the deadline"],
    )
    assert options.pop("across") == f"{row.key} [{unit}]"
    (mark,) = options.pop("marks")
    assert options == {"up": "[%]", "logarithmic": True}
    assert mark.x == pytest.approx(row.value / size)
    assert mark.words.startswith(f"{row.goal}: ")
    assert mark.words.endswith(f" {unit}")
    for place in (0, 40):
        known = plan({**tables, "checkpoint": {"cost": f"{float(x[place] * size)!r}s"}})
        assert curves[0].x[place] == pytest.approx(x[place])
        assert curves[0].y[place] == pytest.approx(100.0 * known.goodput.value)
        assert curves[1].y[place] == pytest.approx(100.0 * known.completion.on_time)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"snapshot_cost": "20s", "latency": "unknown"},
        {"local_cost": "10s", "survived": "unknown"},
    ],
)
def test_what_suffices_is_where_the_curve_reaches_the_goal(more, drawn):
    """Also where more is unknown, of which neither the answer nor the curve makes use."""
    tables = {**TABLES, "checkpoint": {"cost": "unknown", **more}, "questions": {"goodput": "90%"}}
    scenario._draw_unknown(Sheet(), plan(tables))
    ((_, (curves,), options),) = drawn.calls
    (mark,) = options["marks"]
    middle = curves[0].x.size // 2
    assert curves[0].x[middle] == pytest.approx(mark.x)
    assert f"{curves[0].y[middle]:.2f}" == "90.00"


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (7200.0, "s", ("h", HOUR)),
        (2e9, "bytes/s", ("GB/s", 1e9)),
        (1.0, "bytes/s", ("B/s", 1.0)),
        (0.01, "bytes/s", ("B/s", 1.0)),
        (1e3, "bytes/s", ("kB/s", 1e3)),
        (999e6, "bytes/s", ("MB/s", 1e6)),
        (1e12, "bytes/s", ("TB/s", 1e12)),
        (1e15, "bytes/s", ("PB/s", 1e15)),
        (1e18, "bytes/s", ("EB/s", 1e18)),
        (1e30, "bytes/s", ("EB/s", 1e18)),
        (0.5, "share", ("", 1.0)),
    ],
)
def test_the_unit_of_an_unknown_input(value, unit, expected):
    assert scenario._unit_of(value, unit) == expected


def test_the_mean_time_of_each_variant(drawn):
    def variant(nodes, mean):
        when = None if mean is None else Made(mean=mean)
        return Made(values={"nodes": nodes, "size": "1TB"}, plan=Made(completion=when))

    sheet = Sheet()
    some = [variant(4, 3 * DAY), variant(8, math.inf), variant(9, None)]
    scenario.draw_variants(sheet, some)
    assert same(
        drawn.calls,
        [("draw_numbers", ({"4\n1TB": 3.0, "8\n1TB": math.nan},), {"up": "mean time [d]"})],
    )
    assert sheet.parts == [("figure", "Mean time of the job, by nodes, size.", False)]
    scenario.draw_variants(sheet, some[1:])
    scenario.draw_variants(sheet, some[:1] * 13)
    assert len(drawn.calls) == 1
    scenario.draw_variants(sheet, some[:1] * 12)
    assert len(drawn.calls) == 2


def test_processors_in_use_over_time(monkeypatch):
    drawn = Drawn(jobs, monkeypatch)
    rows = pd.DataFrame(
        {
            "submit": [100.0, 100.0, 100.0],
            "start": [100.0, 160.0, math.nan],
            "end": [340.0, 220.0, math.nan],
            "processors": [2, 4, 8],
        }
    )
    sheet = Sheet()
    jobs._draw_use(sheet, rows, "nodes")
    assert sheet.parts == [("figure", "Nodes in use, means over 2 s.", False)]
    begins = np.arange(120) * 2.0
    held = 2.0 + 4.0 * ((begins >= 60.0) & (begins < 120.0))
    assert same(
        drawn.calls,
        [
            (
                "draw_curves",
                ([Curve("all jobs", begins / 60.0, held)],),
                {"across": "since the first submission [min]", "up": "nodes in use"},
            )
        ],
    )
    drawn.calls.clear()
    jobs._draw_use(sheet, rows.assign(policy=["easy", "fcfs", "fcfs"]), "processors")
    ((_, (curves,), _),) = drawn.calls
    assert [curve.words for curve in curves] == ["easy", "fcfs"]
    assert same(curves[0].y, np.full(120, 2.0))
    jobs._draw_use(sheet, rows[2:], "nodes")
    assert len(drawn.calls) == 1


def test_shares_of_jobs_with_at_most_a_wait(monkeypatch):
    drawn = Drawn(jobs, monkeypatch)
    known = {"easy": np.array([0.0, 3 * HOUR, 9 * HOUR]), "none": np.empty(0)}
    sheet = Sheet()
    jobs._draw_shares(sheet, known, "wait", timed=True)
    grid = np.geomspace(1.0, 9 * HOUR, 400)
    share = [100.0 * np.mean(known["easy"] <= each) for each in grid]
    assert sheet.parts == [("figure", "Share of the jobs with at most each wait.", False)]
    assert same(
        drawn.calls,
        [
            (
                "draw_curves",
                ([Curve("easy", grid / HOUR, np.array(share))],),
                {"across": "wait [h]", "up": "jobs with at most [%]", "logarithmic": True},
            )
        ],
    )
    drawn.calls.clear()
    jobs._draw_shares(sheet, {"fcfs": np.array([0.5])}, "bounded slowdown", timed=False)
    ((_, (curves,), options),) = drawn.calls
    assert options["across"] == "bounded slowdown"
    assert same(curves[0].x, np.geomspace(1.0, 2.0, 400))
    assert same(curves[0].y, np.full(400, 100.0))


def test_the_data_of_the_figure_that_a_reader_turns():
    """The page's script reads these names."""
    turning = turning_of(plan({**TABLES, "failures": {"mtbf": "8h"}}))
    text = view_of(turning)
    data = json.loads(text.partition('application/json">')[2].partition("</script>")[0])
    assert list(data) == ["spec", "mtbf", "cost", "planned", "x", "curves"]
    assert data["mtbf"] == ["2 h", *turning.mtbfs[1:8], "32 h"]
    assert data["cost"] == ["90 s", "3 min", "6 min", "12 min", "24 min"]
    assert data["planned"] == pytest.approx(turning.planned, rel=1e-3)
    np.testing.assert_allclose(data["x"], turning.intervals, rtol=1e-3)
    assert np.shape(data["curves"]) == (9, 5)
    for row, mtbf in ((0, 2 * HOUR), (4, 8 * HOUR), (8, 32 * HOUR)):
        curve = data["curves"][row][2]
        assert set(curve) == {"y", "best", "near", "said"}
        best = optimal_interval(mtbf=mtbf, checkpoint_cost=360.0)
        assert curve["best"] * 60.0 == pytest.approx(best, rel=0.02)  # of segments of equal length
        assert curve["near"][0] < curve["best"] < curve["near"][1]
        np.testing.assert_allclose(curve["y"], turning.curves[row][2]["beyond"], rtol=1e-3)
    sliders = [part.partition(">")[0] for part in text.split("<input ")[1:]]
    assert sliders == [
        'type="range" min="0" max="8" step="1" value="4" name="mtbf"',
        'type="range" min="0" max="4" step="1" value="2" name="cost"',
    ]
    assert "<label>MTBF <input" in text
    assert "<label>checkpoint <input" in text
    assert [part.partition("<")[0] for part in text.split("<output>")[1:]] == ["8 h", "6 min"]


def test_the_drawing_of_the_figure_that_a_reader_turns():
    """Vega-Lite draws the fields that the page's script fills in."""
    text = view_of(turning_of(plan({**TABLES, "failures": {"mtbf": "8h"}})))
    spec = json.loads(text.partition('application/json">')[2].partition("</script>")[0])["spec"]
    assert spec["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json"
    assert spec["usermeta"] == {"best": BEST, "planned": WANTED}
    assert (spec["width"], spec["background"]) == ("container", None)
    near, line, rule = spec["layer"]
    assert [each["data"]["name"] for each in (near, line, rule)] == ["near", "now", "at"]
    assert near["mark"]["type"] == "rect"
    assert near["mark"]["color"] == BEST
    assert line["mark"]["type"] == "line"
    assert [each["mark"]["type"] for each in rule["layer"]] == ["rule", "text"]
    encoded = line["encoding"]
    fields = {name: encoded[name]["field"] for name in encoded}
    assert fields == {"x": "x", "y": "y", "color": "line", "strokeDash": "line"}
    for name in ("color", "strokeDash"):
        assert encoded[name]["scale"]["domain"] == ["as set", "as planned"]
        assert encoded[name]["type"] == "nominal"
    assert encoded["color"]["scale"]["range"] == [PREDICTED, OTHER]
    assert near["encoding"]["x"]["field"] == "low"
    assert near["encoding"]["x2"] == {"field": "high"}
    assert rule["encoding"]["x"]["field"] == "x"
    lined, worded = rule["layer"]
    assert lined["encoding"]["color"] == {"field": "colour", "type": "nominal", "scale": None}
    assert worded["encoding"]["text"] == {"field": "words"}
    assert worded["encoding"]["y"] == {"field": "y", "type": "quantitative", "scale": None}
    for part, title in (("x", "work between checkpoints [min]"), ("y", "time beyond the work [%]")):
        axis = encoded[part]["axis"]
        assert (axis["title"], axis["format"]) == (title, "~g")
        low, high = encoded[part]["scale"]["domain"]
        assert encoded[part]["scale"] == {"type": "log", "domain": [low, high], "nice": False}
        assert encoded[part]["type"] == "quantitative"
        leads = {f"{tick:e}"[0] for tick in axis["values"]}
        assert leads <= {"1", "2", "5"}
        assert low <= min(axis["values"]) < 2.5 * low
        assert high >= max(axis["values"]) > high / 2.5
        assert near["encoding"]["x"]["axis"] == rule["encoding"]["x"]["axis"]


def test_vega_takes_the_drawing_as_it_is():
    converter = pytest.importorskip("vl_convert", reason="vl-convert comes with interactive")
    turning = turning_of(plan({**TABLES, "failures": {"mtbf": "8h"}}))
    text = view_of(turning)
    data = json.loads(text.partition('application/json">')[2].partition("</script>")[0])
    vega = converter.vegalite_to_vega(data["spec"])
    marks = {mark["type"] for mark in vega["marks"]} | {
        inner["type"] for mark in vega["marks"] for inner in mark.get("marks", [])
    }
    assert marks == {"rect", "group", "line", "rule", "text"}
    assert {scale["name"]: scale["type"] for scale in vega["scales"]} == {
        "x": "log",
        "y": "log",
        "color": "ordinal",
        "strokeDash": "ordinal",
    }
    assert [legend.get("orient") for legend in vega["legends"]] == ["top"]


@pytest.mark.parametrize(
    ("words", "compared", "counted"),
    [
        ([], ("--compare", "fcfs,easy,conservative"), "processors"),
        (["--policy", "easy"], (), "processors"),
        (["--machine", "bluegene:1x1"], (), "nodes"),
        (["--compare", "easy"], (), "processors"),
    ],
)
def test_jobs_are_played_under_three_policies_unless_one_is_named(
    words, compared, counted, monkeypatch
):
    drawn = Drawn(jobs, monkeypatch)
    asked = []

    def run(*arguments):
        asked.append(arguments)
        table = arguments[arguments.index("--out") + 1]
        rows = {"attempt": [1, 2], "submit": [0.0, 0.0], "start": [0.0, 50.0], "end": [40.0, 240.0]}
        rows |= {"processors": [1, 1], "wait": [3.0, 99.0], "bounded_slowdown": [2.0, 9.0]}
        pd.DataFrame(rows).to_csv(table, index=False)

    class Turned(Sheet):
        def turn_to(self, heading):
            self.parts.append(("turn to", heading))

        def turn_to_end(self):
            self.parts.append(("end",))

    sheet = Turned()
    jobs.draw_replays(sheet, "jobs.swf", words, run)
    ((name, source, *rest),) = asked
    assert (name, source) == ("replay", "jobs.swf")
    assert tuple(rest[: len(compared) + len(words) + 1]) == (*compared, *words, "--by-class")
    assert rest[-2:] == ["--plot", "figure.svg"]
    assert sheet.parts == [
        ("figure", "Which job ran where and when, and how many waited.", True),
        ("heading", "Where and when they ran"),
        ("turn to", "By size and running time"),
        ("figure", "Share of the jobs with at most each wait.", False),
        ("figure", "Share of the jobs with at most each bounded slowdown.", False),
        ("figure", f"{counted.capitalize()} in use, means over 2 s.", False),
        ("end",),
    ]
    assert [options["up"] for _, _, options in drawn.calls] == [
        *["jobs with at most [%]"] * 2,
        f"{counted} in use",
    ]


@pytest.mark.parametrize("named", [True, False])
def test_curves_of_jobs_are_of_each_policy_that_the_rows_name(named, monkeypatch):
    """Of each job once, whatever its attempts, and of what is known."""
    drawn = Drawn(jobs, monkeypatch)

    def run(*arguments):
        rows = {
            "policy": ["mine", "mine", "easy", "easy"],
            "attempt": [1, 2, 1, 0],
            "submit": [0.0] * 4,
            "start": [0.0, 50.0, 10.0, math.nan],
            "end": [40.0, 240.0, 20.0, math.nan],
            "processors": [1, 1, 2, 4],
            "wait": [240.0, 240.0, 120.0, math.nan],
            "bounded_slowdown": [2.0, 2.0, 4.0, math.nan],
        }
        table = pd.DataFrame(rows if named else {**rows, "policy": None})
        table = table if named else table.drop(columns="policy")
        table.to_csv(arguments[arguments.index("--out") + 1], index=False)

    class Page(Sheet):
        def turn_to(self, heading):
            """Go on where it is."""

        def turn_to_end(self):
            """Stay there."""

    jobs.draw_replays(Page(), "jobs.swf", [], run)
    found = [
        (options["across"], {curve.words: curve.y[-1] for curve in curves})
        for _, (curves,), options in drawn.calls
    ]
    names = ["mine", "easy"] if named else ["all jobs"]
    waits, slowdowns, use = found
    assert waits == ("wait [min]", dict.fromkeys(names, 100.0))
    assert slowdowns == ("bounded slowdown", dict.fromkeys(names, 100.0))
    assert use[0] == "since the first submission [min]"
    assert list(use[1]) == names
    (_, (curves,), _), *_ = drawn.calls
    half = {curve.words: curve.y[np.searchsorted(curve.x, 2.01)] for curve in curves}
    # At two minutes the job of the other policy still waits.
    assert half == ({"mine": 0.0, "easy": 100.0} if named else {"all jobs": 50.0})
