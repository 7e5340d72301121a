"""The HTML of each part of a page, and what a page is made from."""

import base64
import hashlib
import json
import re
from pathlib import Path
from types import SimpleNamespace as Made

import click
import numpy as np
import pytest

from perfmodel import plan
from perfmodel.cli.report import formulas, page, sources
from perfmodel.cli.report.page import Page
from perfmodel.cli.report.turning import turning_of
from perfmodel.cli.report.view import _ticks
from perfmodel.registry import FORMULAS
from tests.support.paper import Sheet

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")


def made(page):
    return "\n".join(page._parts)


def test_headings_text_and_facts():
    made_of = Page("A <title>")
    made_of.heading("One & two")
    made_of.lines(" a\nb ", "", "  ")
    made_of.facts([("name", "<text>"), ("", "more"), ("", "")])
    assert made(made_of) == (
        '<h2 id="part-1">One &amp; two</h2>\n<p>a<br>b</p>\n'
        "<dl><dt>name</dt><dd>&lt;text&gt;</dd><dt></dt><dd>more</dd></dl>"
    )
    with made_of.entry("a formula"):
        made_of.lines("x")
    assert made_of._parts[3:] == [
        '<section class="k"><h3>a formula</h3>',
        "<p>x</p>",
        "</section>",
    ]


def test_a_table():
    made_of = Page("t")
    made_of.table(["", "wait\n[h]", "n"], [["a<b", "1.00", "2"]], words=1)
    assert made(made_of) == (
        '<div class="t" tabindex="0" role="region" aria-label="table 1"><table><thead><tr>'
        '<th scope="col">&nbsp;</th><th scope="col" class="n">wait<br>[h]</th>'
        '<th scope="col" class="n">n</th></tr></thead><tbody><tr><td>a&lt;b</td>'
        '<td class="n">1.00</td><td class="n">2</td></tr></tbody></table></div>'
    )
    made_of.table([str(n) for n in range(9)], [])
    assert made_of._parts[1].startswith(
        '<div class="t" tabindex="0" role="region" aria-label="table 2">'
    )
    made_of.table([str(n) for n in range(10)], [])
    assert made_of._parts[2].startswith('<div class="t many" tabindex')


def test_what_was_left_behind_comes_after():
    made_of = Page("t")
    for name in ("a", "b", "c"):
        made_of.heading(name)
    made_of.turn_to("b")
    made_of.lines("before b")
    made_of.turn_to_end()
    made_of.turn_to("z")
    made_of.lines("last")
    made_of.turn_to_end()
    assert [re.sub("<[^>]*>", "", part) for part in made_of._parts] == [
        "a",
        "before b",
        "b",
        "c",
        "last",
    ]


SVG = (
    '<?xml version="1.0"?><svg width="72pt" height="36pt" viewBox="0 0 72 36"><metadata>x'
    '</metadata><!-- note --><g id="axes_1"><path id="m9" style="stroke: #000000"/>'
    '<use href="#m9" style="fill: #262626" clip-path="url(#p7)"/>'
    '<a style="fill: #595959"/></g></svg>'
)


def test_a_drawing_has_names_of_its_own():
    found = page._inline(SVG, "f1-", 'a "b"')
    assert found == (
        '<svg role="img" aria-label="a &quot;b&quot;" style="aspect-ratio: 72 / 36"  '
        'viewBox="0 0 72 36"><g id="f1-0"><path id="f1-1" style="stroke: currentColor"/>'
        '<use href="#f1-1" style="fill: currentColor" clip-path="url(#f1-2)"/>'
        '<a style="fill: var(--soft)"/></g></svg>'
    )


@pytest.mark.parametrize("wide", [False, True])
def test_a_figure(wide):
    made_of = Page("t")

    def draw(path):
        assert path.name == "figure.svg"
        path.write_text(SVG, "utf-8")

    made_of.figure("words & more", draw, wide=wide)
    made_of.figure("other", draw)
    first, second = made_of._parts
    region = '<div class="wide" tabindex="0" role="region" aria-label="words &amp; more">'
    lead = f'<figure role="group">{region}<svg' if wide else '<figure role="group"><svg'
    assert first.startswith(lead)
    tail = "</svg></div>" if wide else "</svg>"
    assert first.endswith(f"{tail}<figcaption>words &amp; more</figcaption></figure>")
    assert 'id="f1-0"' in first
    assert 'id="f2-0"' in second


def test_letters_in_a_figure_are_larger_where_it_is_not_moved(monkeypatch):
    import matplotlib as mpl

    seen = []
    for wide in (False, True):

        def draw(path):
            names = ("svg.fonttype", "svg.hashsalt", "savefig.transparent", "text.parse_math")
            seen.append((mpl.rcParams["font.size"], *(mpl.rcParams[name] for name in names)))
            path.write_text(SVG, "utf-8")

        Page("t").figure("w", draw, wide=wide)
    assert seen == [
        (16.0, "none", "perfmodel", True, False),
        (11.0, "none", "perfmodel", True, False),
    ]


def test_a_formula_is_drawn_on_one_line():
    made_of = Page("t")
    made_of.formula("$x^2$")
    (part,) = made_of._parts
    assert part.startswith('<div class="m" tabindex="0" role="region" aria-label="formula 1"><svg')
    wide = re.search(r"width=([0-9.]+) style=\"aspect-ratio: ([0-9.]+) / [0-9.]+\"", part)
    assert wide[1] == wide[2]
    assert 'aria-label="x^2"' in part
    assert "<path" in part
    assert "<text" not in part
    assert part.endswith("</svg>\n</div>")


def test_the_page_as_a_whole():
    made_of = Page("Plan: <x>")
    made_of.heading("One")
    text = made_of.html({"made by": "perfmodel"})
    assert text.startswith('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">')
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    assert "<title>Plan: &lt;x&gt;</title><style>" in text
    links = '<a href="#part-1">One</a><a href="#part-2">What this rests on</a>'
    assert f"<body><header><h1>Plan: &lt;x&gt;</h1><nav>{links}</nav></header>\n<main>" in text
    assert "<dl><dt>made by</dt><dd>perfmodel</dd></dl></main>" in text
    assert text.endswith("</body></html>\n")
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert allowed == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:"
    )
    assert "figure to turn" not in text


def test_a_view_without_the_library(monkeypatch):
    monkeypatch.setattr(page, "drawing_script", lambda: None)
    made_of = Page("t")
    made_of.view("words", "<b>view</b>")
    text = made_of.html({})
    assert "<b>view</b>" not in text
    assert "<dt>figure to turn</dt><dd>left out; with pip install" in text
    monkeypatch.setattr(page, "drawing_script", lambda: "draw()")
    made_of = Page("t")
    made_of.view("wor<ds", "<b>view</b>")
    assert made(made_of) == (
        '<figure role="group" class="turned" hidden><b>view</b>'
        "<figcaption>wor&lt;ds</figcaption></figure>"
    )
    text = made_of.html({})
    assert "<script>draw()</script></body>" in text
    assert "figure to turn" not in text


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.9, 11.0, [1.0, 2.0, 5.0, 10.0]),
        (0.02, 0.3, [0.02, 0.05, 0.1, 0.2]),
        (3.0, 4.0, []),
        (5.0, 200.0, [5.0, 10.0, 20.0, 50.0, 100.0, 200.0]),
    ],
)
def test_ticks_are_round(low, high, expected):
    assert _ticks(low, high) == expected


class Formulas(Sheet):
    """Also takes down entries and formulas."""

    def entry(self, name):
        self.parts.append(("entry", name))
        self._apart = True
        return click.Context(click.Command("x")).scope()

    def formula(self, line):
        self.parts.append(("formula", line))


def test_formulas_with_their_sources():
    sheet = Formulas()
    formulas.show_formulas(sheet, ["optimal_interval", "expected_makespan"])
    assert sheet.parts[0] == ("heading", "Formulas, their sources and ranges")
    assert [part[1] for part in sheet.parts if part[0] == "entry"] == [
        "optimal_interval",
        "expected_makespan",
    ]
    row = next(row for row in FORMULAS if row.name == "optimal_interval")
    facts = {part[1]: part[2] for part in sheet.parts if part[0] == "fact"}
    assert list(facts) == ["source", "after", "kind", "judged for"]
    assert ("fact", "source", f"{row.source}, {row.equation}") in sheet.parts
    assert ("line", row.summary.replace("`", "")) in sheet.parts
    drawn = [part[1] for part in sheet.parts if part[0] == "formula"]
    assert drawn[: len(row.equations)][0].startswith("$")


def test_every_formula_is_shown_without_the_marks_of_its_source():
    sheet = Formulas()
    formulas.show_formulas(sheet, [row.name for row in FORMULAS])
    shown = iter(sheet.parts[2:])
    assert any("`" in row.summary for row in FORMULAS)
    assert any("`" in row.symbols for row in FORMULAS)
    for row in FORMULAS:
        assert next(shown) == ("entry", row.name)
        assert next(shown) == ("line", row.summary.replace("`", ""))
        for tex in row.equations:
            for line in formulas.drawable(tex):
                assert next(shown) == ("formula", line)
        if row.symbols:
            assert next(shown)[1] == row.symbols.replace("`", "")
        assert [next(shown)[:2] for _ in range(4)] == [
            ("fact", name) for name in ("source", "after", "kind", "judged for")
        ]


def test_what_mathtext_does_not_know_is_written_as_it_does():
    assert formulas.drawable(r"a &\le \bigl(\tfrac{1}{2}\bigr) \\ b \ge \textstyle c") == (
        r"$a \leq (\frac{1}{2})$",
        r"$b \geq  c$",
    )
    assert formulas.drawable(r"\left( x \right) \leftarrow") == (r"$\left( x \right) \leftarrow$",)


def plan_with(**changes):
    given = {
        "checkpoint": Made(protocol="synchronous", present_interval=None),
        "scenario": Made(
            failures=Made(burst_mtbf=None, lemon_share=None),
        ),
        "job": Made(ages=False, window=0.0),
        "mtbf": Made(low=None, failures=None),
        "completion": Made(predictive=False),
        "goodput": Made(losses=None),
        "spares": None,
        "costs": None,
    }
    return Made(**{**given, **changes})


SYNCHRONOUS = ("best_segments", "expected_makespan", "exact_makespan")


def test_the_formulas_of_a_plan():
    assert formulas.of_plan(plan_with()) == SYNCHRONOUS
    assert formulas.of_plan(plan_with(checkpoint=None)) == SYNCHRONOUS
    two = plan_with(checkpoint=Made(protocol="two_levels", present_interval=60.0))
    assert formulas.of_plan(two) == (
        "optimal_pattern_two_levels",
        "expected_makespan_two_levels",
        "exact_makespan_two_levels",
        "expected_makespan",
    )
    predicted = plan_with(checkpoint=Made(protocol="predicted", present_interval=None))
    assert formulas.of_plan(predicted) == ("optimal_period_predicted", "waste_predicted")
    predicted.job.window = 5.0
    windows = ("best_window_segments", "optimal_period_windows", "waste_windows")
    assert formulas.of_plan(predicted) == windows
    aged = plan_with(
        job=Made(ages=True), checkpoint=Made(protocol="synchronous", present_interval=5.0)
    )
    ageing = ("optimal_interval_ageing", "useful_share_ageing", "expected_makespan_ageing")
    assert formulas.of_plan(aged) == ageing
    every = plan_with(
        mtbf=Made(low=1.0, failures=3),
        completion=Made(predictive=True),
        goodput=Made(losses={}),
        spares=Made(why_not=None),
        costs=Made(energy=1.0),
    )
    every.scenario.failures.burst_mtbf = every.scenario.failures.lemon_share = 0.5
    assert formulas.of_plan(every)[3:] == (
        "effective_mtbf_bursts",
        "predictive_makespan",
        "mtbf_posterior",
        "training_shares",
        "spares_needed",
        "mean_stop",
        "expected_energy",
        "node_mtbf_without_worst",
    )
    every.mtbf.failures, every.costs.energy = 0, None
    found = formulas.of_plan(every)
    assert "mtbf_confidence" in found
    assert not {"mtbf_posterior", "expected_energy"} & set(found)
    known = {row.name for row in FORMULAS}
    for made_of in (every, two, predicted):
        assert set(formulas.of_plan(made_of)) <= known


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.toml", "", "scenario"),
        ("a.TOML", "", "scenario"),
        ("a.json", ' \n{"a": 1}', "answers"),
        ("a.json", "[1]", "answers"),
        ("a.csv", "time,repair\n1,2\n", "failures"),
        ("a.swf", "; MaxProcs: 4\n1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n", "jobs"),
    ],
)
def test_what_a_source_is(name, content, kind, tmp_path):
    (tmp_path / name).write_text(content)
    assert sources.kind_of(tmp_path / name) == kind


def test_files_and_seeds_that_stand_on_a_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c"):
        Path(name).write_text("x")
    Path("plan.toml").write_text('[failures]\nlog = "a"\n')
    plain = tmp_path / "plan.toml"
    assert sources._files_of(plain, "scenario", []) == [tmp_path / "a"]
    Path("plan.toml").write_text("[failures]\n")
    assert sources._files_of(plain, "scenario", []) == []
    words = ["--failures", "a", "--out", "b", "--node-names=c", "--policy", "easy", "--plot=b"]
    assert sources._files_of(Path("log"), "jobs", words) == [Path("a"), Path("c")]
    assert sources._seed(["--seed", "7"]) == "7"
    assert sources._seed(["--seed=8"]) == "8"
    assert sources._seed(["--until", "9", "--seed"]) == sources._seed([]) == "0"
    Path("x").write_bytes(b"abc")
    assert sources._sha256(Path("x")) == hashlib.sha256(b"abc").hexdigest()


def test_curves_to_turn_reach_from_a_sixth_to_six_times_of_the_best():
    found = turning_of(
        plan({"failures": {"mtbf": "8h"}, "checkpoint": {"cost": "6min"}, "job": {"work": "50d"}})
    )
    best = np.array([[each["best"] for each in row] for row in found.curves])
    assert found.intervals.size == 64
    assert found.intervals[0] == pytest.approx(best.min() / 6)
    assert found.intervals[-1] == pytest.approx(best.max() * 6)
    least = [each["least"] for row in found.curves for each in row]
    assert found.ends == pytest.approx((0.8 * min(least), 4.0 * max(least)))
    assert found.start == (4, 2)
    for each in (each for row in found.curves for each in row):
        near = found.intervals[each["beyond"] - each["least"] <= 0.01 * (100.0 + each["least"])]
        assert each["near"] == pytest.approx((near.min(), near.max()))
    assert json.dumps(found.curves[4][2]["said"]).count("as planned, takes as long.") == 1
