"""What a page of each kind of source rests on, and which commands are run for it."""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from perfmodel.cli.report import formulas, jobs, sources
from perfmodel.cli.report.page import Page
from tests.support.paper import Sheet

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")

METHODS = {
    "scenario": "Exact means and laws of completion times under failures; the protocol with the "
    "least mean time; limits from the posterior of the MTBF.",
    "failures": "Laws fitted by maximum likelihood with cut-off durations, the best by AICc; "
    "limits of the MTBF exact for a constant rate; exact best intervals.",
    "jobs": "The jobs of the log played again under each policy, as docs/semantics.md says.",
    "answers": "Answers as they were computed; what they rest on stands above.",
}
RANGES = {
    "scenario": "Failures at a constant rate, or of the law that the scenario names, none in a "
    "downtime. Each formula is judged against simulation in the range that stands with it.",
    "failures": "Gaps that do not depend on each other; the answer says where they do.",
    "jobs": "Jobs that come when they came, whatever the policy; the notes say what was left out.",
    "answers": "What the command that answered says.",
}
TITLES = {"scenario": "Plan", "failures": "Failures", "jobs": "Jobs", "answers": "Answers"}
LIMITS = ("--max-bytes", "9GB", "--max-lines", "8")


def file(name, text):
    path = Path(name)
    path.write_text(text)
    return f"{name}\nsha256 {hashlib.sha256(text.encode()).hexdigest()}"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sources, "limits_as_typed", lambda: LIMITS)
    return tmp_path


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("words", [(), ("--failures", "other", "--seed", "7")])
@pytest.mark.parametrize("kind", METHODS)
def test_what_a_page_rests_on(kind, words, told, monkeypatch):
    inputs = [file("source", '[failures]\nlog = "other"\n')]
    other = file("other", "x")
    if kind == "scenario" or (words and kind != "scenario"):
        inputs.append(other)
    reports, ends = [], []

    def report(page, source, typed):
        reports.append((page._title, source, typed))

    monkeypatch.setattr(sources, "kind_of", lambda source: kind)
    monkeypatch.setitem(sources._REPORTS, kind, report)
    monkeypatch.setattr(Page, "html", lambda self, end: ends.append(end) or "<html>")
    with click.Context(click.Command("report")):
        made = sources.reported(Path("source"), kind if told else None, words)
    assert made == "<html>"
    assert reports == [(f"{TITLES[kind]}: source", Path("source"), (*LIMITS, *words))]
    assert ends == [
        {
            "method": METHODS[kind],
            "holds for": RANGES[kind],
            "made by": f"perfmodel {version('perfmodel')}",
            "input": "\n".join(inputs),
            **({"options": "--failures other --seed 7"} if words else {}),
            **({"seed": "7" if words else "0"} if kind == "jobs" else {}),
        }
    ]


class Told(Sheet):
    """Also takes down entries, formulas and where the page goes on."""

    def entry(self, name):
        return click.Context(click.Command("x")).scope()

    def formula(self, line):
        """Leave out what is tested elsewhere."""

    def turn_to(self, heading):
        self.parts.append(("turn to", heading))

    def turn_to_end(self):
        self.parts.append(("end",))


@pytest.fixture
def asked(monkeypatch):
    found = []
    monkeypatch.setattr(sources, "_run", lambda *words: found.append(words))
    monkeypatch.setattr(formulas, "show_formulas", lambda page, names: found.append(tuple(names)))
    return found


def test_a_page_of_failures_fits_laws_and_prices_checkpoints(asked):
    sheet = Told()
    sources._of_failures(sheet, Path("log.csv"), (*LIMITS, "--system", "a"))
    assert sheet.parts == [
        ("heading", "How often it fails"),
        ("figure", "Fitted laws over what was recorded, by Kaplan and Meier.", False),
        ("heading", "How often to write a checkpoint, by what one takes"),
    ]
    costs = ("--checkpoint-cost", "30s,1min,5min,15min", "--per-year")
    assert asked == [
        ("fit", "log.csv", *LIMITS, "--system", "a", "--plot", "figure.svg"),
        ("interval", "--log", "log.csv", *LIMITS, *costs),
        formulas.OF_FAILURES,
    ]


def test_a_page_of_jobs_replays_them(asked, monkeypatch):
    monkeypatch.setattr(jobs, "draw_replays", lambda *what: asked.append(what))
    sheet = Told()
    sources._of_jobs(sheet, Path("log.swf"), LIMITS)
    assert sheet.parts == [("heading", "How the jobs fare")]
    assert asked == [(sheet, Path("log.swf"), LIMITS, sources._run)]


PLAN = '[failures]\nmtbf = "8h"\n[job]\nwork = "10d"\n[checkpoint]\ncost = "6min"\n'


def of_scenario(text, asked, monkeypatch):
    Path("plan.toml").write_text(text)
    for name in ("draw_plan", "draw_variants"):
        monkeypatch.setattr(
            "perfmodel.cli.report.scenario." + name,
            lambda page, *what, _name=name: page.parts.append((_name, len(what))),
        )

    def parts(found):
        several = len(found.variants) > 1
        asked.append(len(found.variants) if several else found.variants[0].plan.job.work)
        return iter(())

    monkeypatch.setattr("perfmodel.answers.questions.plan.PlanAnswer.parts", parts)
    sheet = Told()
    sources._of_scenario(sheet, Path("plan.toml"), LIMITS)
    return sheet.parts


SYNCHRONOUS = ("best_segments", "expected_makespan", "exact_makespan", "training_shares")


def test_a_page_of_one_plan_has_its_figures_before_how_sure_it_is(asked, monkeypatch):
    parts = of_scenario(PLAN, asked, monkeypatch)
    assert parts == [("turn to", "How sure"), ("draw_plan", 2), ("end",)]
    assert asked == [864_000.0, SYNCHRONOUS]


def test_a_page_of_several_plans_names_each_formula_once(asked, monkeypatch):
    several = PLAN.replace('"6min"', '["6min", "9min"]')
    parts = of_scenario(several, asked, monkeypatch)
    assert parts == [("heading", "Which is best"), ("draw_variants", 1)]
    assert asked == [2, SYNCHRONOUS]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "a.json must be JSON, got Expecting property name enclosed in double quotes"),
        ("5", "a.json must be the JSON of an answer, got 5"),
        ('"x"', "a.json must be the JSON of an answer, got 'x'"),
    ],
)
def test_what_is_not_an_answer_is_refused(text, words):
    Path("a.json").write_text(text)
    with pytest.raises(click.UsageError) as refused:
        sources._of_answers(Told(), Path("a.json"), LIMITS)
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize("made", [{"x": 1}, []])
def test_an_answer_is_shown(made, monkeypatch):
    shown = []
    monkeypatch.setattr(
        "perfmodel.cli.report.answers.show_answers", lambda *what: shown.append(what)
    )
    Path("a.json").write_text(json.dumps(made))
    sources._of_answers("the page", Path("a.json"), LIMITS)
    assert shown == [(made, "the page")]


def test_options_are_refused_where_no_command_reads_them():
    sources._refuse_options("answers", LIMITS)
    with pytest.raises(click.UsageError) as refused:
        sources._refuse_options("answers", (*LIMITS, "--x", "a b"))
    assert str(refused.value) == "options must be left out with answers, got '--x a b'"


def test_a_command_is_run_below_the_one_at_hand():
    seen = []

    @click.group()
    def main():
        """Hold two commands."""

    @main.command()
    @click.argument("words", nargs=-1)
    @click.pass_context
    def inner(context, words):
        seen.append((context.command_path, words, context.meta.get("paper")))

    @main.command()
    def outer():
        click.get_current_context().meta["paper"] = "a sheet"
        sources._run("inner", "a", "b")
        seen.append("afterwards")

    main.main(["outer"], "outermost", standalone_mode=False)
    ((path, words, paper), after) = seen
    assert path == "outermost outer perfmodel inner"
    assert (words, paper, after) == (("a", "b"), "a sheet", "afterwards")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("--failures=a", ["a"]),
        ("--failures a --out b", ["a"]),
        ("--out=b --plot=c --use-out=a", []),
        ("--plot b --use-out c a", ["a"]),
        ("a", ["a"]),
        ("--order b=c", ["b", "c"]),
        ("--failures=a=b", ["a=b"]),
        ("--failures nothing", []),
    ],
)
def test_files_that_options_name_but_not_those_that_are_written(typed, expected):
    for name in ("a", "b", "c", "a=b"):
        Path(name).write_text("x")
    found = sources._files_of(Path("log"), "jobs", typed.split())
    assert found == [Path(name) for name in expected]
