"""``perfmodel report``: a page that stands by itself, whatever stands in the files."""

import gzip
import json
import os
import re
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from asking.units import human_duration
from perfmodel.cli import main
from perfmodel.cli.report.jobs import _held
from perfmodel.cli.report.sources import kind_of
from sim.traces import SAMPLES
from tests.perfmodel.cli.figures.test_plots import FAILURES, JOBS
from tests.perfmodel.cli.report.browser import BROWSER, hash_of, seen_in_browser, with_script
from tests.support.runner import runner

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")

SCENARIOS = sorted((Path(__file__).parents[4] / "docs" / "scenarios").glob("*.toml"))
HOSTILE = (
    "</script><script>document.title='struck'</script><img src=x onerror=alert(1)>&\"'\u202e\x07"
)
STATIC = '<figure role="group">'  # of which all readers see the same
FIGURES = {"ageing": 3, "spares": 7, "sparse": 1, "supercomputer": 6, "training": 6}
VERDICT = {
    "kind": "exact",
    "predicted": 1.0,
    "observed": 1.1,
    "stderr": 0.1,
    "z": 1.0,
    "resolution": 0.1,
    "passed": False,
    "note": HOSTILE,
    "answered": True,
    "looks": 2,
    "formula": "regret",
    "check": HOSTILE,
    "point": "work=1",
}

SPAN = {
    "formula": HOSTILE,
    "ratio": HOSTILE,
    "documented": [1e-6, 1e6],
    "fixed": None,
    "random": [1e-3, 1e6],
    "judged": False,
}
SWEEP = """machine = {nodes = [512, 1024]}
failures = {node_mtbf = "3y"}
job = {work = "20d"}
checkpoint = {cost = "5min"}
prices = {node_hour = 2.0, currency = "$x^{<b>"}
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "failures.csv").write_text(FAILURES)
    (tmp_path / "jobs.swf").write_text(JOBS + "\n")
    judged = {"tier": "quick", "seed": 1, "verdicts": [VERDICT], "mutants": [{"rejected": True}]}
    (tmp_path / "judged.json").write_text(json.dumps(judged))
    (tmp_path / "map.json").write_text(json.dumps([SPAN, {**SPAN, "judged": True}]))
    (tmp_path / "sweep.toml").write_text(SWEEP)
    return tmp_path


def page_of(*words):
    done = runner().invoke(main, ["report", *map(str, words), "--out", "page.html"])
    assert done.exit_code == 0, done.output
    return Path("page.html").read_text("utf-8")


class Elements(HTMLParser):
    """What a page has."""

    def __init__(self, text):
        super().__init__()
        self.seen, self.words, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data):
        self.words.append(data)


def assert_stands_by_itself(text):
    page = Elements(text)
    assert_only_own_scripts_run(text)
    assert not {"link", "iframe", "object", "embed", "img", "base", "form"} & set(page.seen)
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in {"src", "href", "xlink:href"}:
            assert value.startswith(("#", "data:image/png;base64,")), (tag, value)
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert len(text.encode()) < 2_000_000
    return page


def assert_only_own_scripts_run(text):
    """One script of the page, and at most one that draws; the browser refuses all others."""
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    data = text.count('<script type="application/json">')
    assert text.count("<script") == len(scripts) + data
    assert len(scripts) == 1 + bool(data)
    (allowed,) = re.findall(r"script-src ([^;]+);", text)
    assert allowed.split() == [f"'{hash_of(script)}'" for script in scripts]


# Seconds each: two kinds here, the others with `make validate`.
@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(
            path,
            id=path.stem,
            marks=[] if path.stem == "sparse" else [pytest.mark.slow],
        )
        for path in SCENARIOS
    ],
)
def test_a_page_of_each_scenario(scenario):
    text = page_of(scenario)
    page = assert_stands_by_itself(text)
    # Dark or light as the text around them.
    assert not re.search(
        "#000000|#595959|#ffffff", "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    )
    assert "figure text { fill: currentColor;" in text
    words = " ".join(page.words)
    if scenario.stem == "supercomputer":  # its figure says what its answer says
        assert "with a probability of 97.1 %" in words
        assert "uncertain 97.08 %" in words
    assert ("at most 1 % longer" in page.words) == (scenario.stem != "sparse")
    assert ("done by the deadline" in page.words) == (scenario.stem == "sparse")
    assert text.count(STATIC) == FIGURES[scenario.stem]
    printed = runner().invoke(main, ["plan", str(scenario)]).stdout
    shown = " ".join(page.words).split()
    told = [word for word in printed.split() if not word.startswith("==")]
    assert set(told) <= set(shown)
    assert {"What to do", "How sure", "What this rests on"} <= set(page.words)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("source", "words", "figures"),
    [
        ("failures.csv", (), 3),
        ("jobs.swf", ("--processors", "64", "--mtbf", "20h"), 5),
        ("judged.json", (), 1),
        ("map.json", (), 1),
        ("sweep.toml", (), 1),
    ],
)
def test_a_page_of_each_kind_of_file(source, words, figures):
    text = page_of(source, *words)
    page = assert_stands_by_itself(text)
    assert text.count(STATIC) == figures == page.seen.count("figure")
    assert page_of(source, *words) == text  # equal runs are equal bytes


@pytest.mark.slow
def test_the_tables_are_those_of_the_commands():
    text = " ".join(Elements(page_of("failures.csv")).words)
    printed = runner().invoke(main, ["fit", "failures.csv"]).stdout
    (row,) = [line for line in printed.splitlines() if line.startswith("weibull")][:1]
    assert all(cell in text for cell in row.split())


def test_hostile_text_does_nothing(files):
    name = f"{HOSTILE.replace('/', '-')}.csv"
    rows = FAILURES.replace("\n1,", f'\n"{HOSTILE.replace(chr(34), "")}",')
    (files / name).write_text(rows)
    page = assert_stands_by_itself(page_of(name, "--kind", "failures"))
    assert any("<script>" in words for words in page.words)  # as text
    assert "\x07" not in "".join(page.words)
    assert "\u202e" not in "".join(page.words)
    assert_stands_by_itself(page_of("judged.json"))
    assert_stands_by_itself(page_of("map.json"))
    (files / "odd.toml").write_text(f"[job]\nwork = {json.dumps(HOSTILE)}\n")
    done = runner().invoke(main, ["report", "odd.toml", "--out", "page.html"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("name", SAMPLES)
def test_each_sample_is_known_by_its_first_lines(name, files):
    (files / "log").write_text(SAMPLES[name].text)
    if name != "walltime-in-6":
        assert kind_of(files / "log") == SAMPLES[name].kind


def test_a_compressed_log_is_known_by_what_is_in_it(files):
    for name in ("jobs.swf", "failures.csv"):
        (files / f"{name}.gz").write_bytes(gzip.compress((files / name).read_bytes()))
    assert kind_of(files / "jobs.swf.gz") == "jobs"
    assert kind_of(files / "failures.csv.gz") == "failures"


def test_a_page_of_what_an_advisor_remembers_is_as_of_its_last_event(files):
    start = 1_700_000_000
    first = ("--cost", "5min", "--mtbf", "8h", "--now", start, "--event", "started")
    for words in (first, ("--now", start + 3600, "--event", "begun", "--event", "durable")):
        done = runner().invoke(main, ["advise", "--state", "run.json", *map(str, words)])
        assert done.exit_code == 0
    before = (files / "run.json").read_bytes()
    page = page_of("run.json")
    assert (files / "run.json").read_bytes() == before
    answer = ("advise", "--state", "run.json", "--now", str(start + 3600), "--json")
    found = json.loads(runner().invoke(main, answer).stdout)
    assert f"The next checkpoint: in {human_duration(found['wait_s'])}</h1>" in page
    assert "2023-11-14 23:13:20 UTC" in page
    assert "belief" not in page


@pytest.mark.slow
def test_a_page_of_many_jobs_and_of_many_comparisons_stays_small(files):
    rng = np.random.default_rng(1)
    submit = np.cumsum(rng.exponential(900.0, 3900)).astype(int)
    size, runtime = 2 ** rng.integers(0, 8, 3900), rng.lognormal(8.0, 1.3, 3900).astype(int) + 1
    rest = "-1 1 1 1 1 1 -1 -1 -1"
    lines = [
        f"{number} {at} -1 {run} {wide} -1 -1 {wide} {2 * run} {rest}"
        for number, (at, run, wide) in enumerate(zip(submit, runtime, size, strict=True), 1)
    ]
    (files / "many.swf").write_text("; MaxProcs: 512\n" + "\n".join(lines) + "\n")
    text = page_of("many.swf")
    assert_stands_by_itself(text)
    assert page_of("many.swf") == text
    judged = {"tier": "full", "seed": 1, "verdicts": [VERDICT] * 20_000, "mutants": []}
    (files / "judged.json").write_text(json.dumps(judged))
    words = " ".join(Elements(page_of("judged.json")).words)
    assert "And 17,000 more, in the JSON." in words


def test_the_map_says_what_was_not_judged():
    words = Elements(page_of("map.json")).words
    assert "2 ranges of 1 formulas; 1 not judged to their documented ends." in words


@pytest.mark.slow
def test_a_page_names_the_option_that_has_the_rest(files):
    nodes = [*range(300), *range(25)] + [*range(25)] * 14  # 25 of 300 fail far more often
    rows = "".join(f"{7000 * at + 1},{node},60\n" for at, node in enumerate(nodes))
    (files / "bad.csv").write_text(f"time,node,repair\n{rows}")
    assert "In the answer of --json, not here: 5 more." in page_of("bad.csv")


@pytest.mark.slow
def test_an_offer_that_another_extends_is_named_once(files):
    offer = files / "one.toml"
    offer.write_text('[failures]\nmtbf = "8h"\n[job]\nwork = "9h"\n[checkpoint]\ncost = "1min"\n')
    (files / "two.toml").write_text(f'extends = "{offer}"\n[job]\nwork = "5h"\n')
    assert page_of("one.toml", "two.toml").count(sha256(offer.read_bytes()).hexdigest()) == 1


@pytest.mark.slow
def test_the_page_names_every_file_it_was_made_from_and_the_seed(files):
    (files / "plan.toml").write_text(
        '[failures]\nlog = "failures.csv"\n[job]\nwork = "9h"\n[checkpoint]\ncost = "1min"\n'
    )
    log = sha256((files / "failures.csv").read_bytes()).hexdigest()
    assert log in page_of("plan.toml")
    (files / "struck.csv").write_text("time,node,repair\n9000,1,60\n")
    strikes = sha256((files / "struck.csv").read_bytes()).hexdigest()
    for words in (("--failures", "struck.csv", "--seed=7"), ("--failures=struck.csv", "--seed", 7)):
        text = page_of("jobs.swf", "--processors", "64", "--compare", "easy", *words)
        assert strikes in text
        assert "<dt>seed</dt><dd>7</dd>" in text


@pytest.mark.slow
def test_a_long_option_is_no_file():
    order = "wait" + " " * 300 + "+ nodes"
    text = page_of("jobs.swf", "--processors", "64", "--compare", "easy", "--order", order)
    assert "wait" in text


def test_use_over_time_is_the_mean_of_what_jobs_held():
    rows = pd.DataFrame({"start": [0.0, 5.0], "end": [10.0, 15.0], "processors": [4.0, 2.0]})
    held = _held(rows, np.array([0.0, 10.0, 20.0]))
    np.testing.assert_allclose(held, [5.0, 1.0])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nofile",), "SOURCE must be a readable file, got 'nofile'"),
        (("jobs.swf", "--nonsense"), "--nonsense"),
        (
            ("jobs.swf", "--kind", "poem"),
            "--kind must be one of scenario, failures, jobs, sweep, advisor, answers",
        ),
        (("sweep.toml", "--json"), "options must be left out with a scenario, got '--json'"),
        (("judged.json", "--work", "1h"), "options must be left out with answers, got '--work 1h'"),
        (("failures.csv", "--kind", "answers"), "failures.csv must be JSON"),
        (("half.json",), "formula of a validation run must be a text, got None"),
        (("rows.json",), "a validation run must have rows of values, got [1, {}]"),
    ],
)
def test_refuses_in_one_line(words, message, files):
    (files / "half.json").write_text('{"verdicts": [{}], "mutants": []}')
    (files / "rows.json").write_text("[1, {}]")
    done = runner().invoke(main, ["report", *words, "--out", "page.html"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("page.html").exists()


LOOK = """
addEventListener("error", (event) => { document.body.dataset.error = event.message; });
addEventListener("load", () => {
  const every = [...document.querySelectorAll("figure:not(.turned) svg")];
  const drawn = every.filter((svg) => svg.getBBox().width > 9);
  document.body.dataset.seen = JSON.stringify({
    wide: document.documentElement.scrollWidth, room: innerWidth, drawn: drawn.length,
    buttons: document.querySelectorAll("button").length,
    tables: document.querySelectorAll("table").length, title: document.title,
  });
});
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here, such as the package chromium")
@pytest.mark.parametrize(
    "source", ["jobs.swf", "failures.csv", pytest.param("training", marks=pytest.mark.slow)]
)
def test_in_a_browser(source, files):
    words = ("--processors", "64") if source == "jobs.swf" else ()
    named = [path for path in SCENARIOS if path.stem == source] or [source]
    text = page_of(*named, *words)
    path = files / "page.html"
    path.write_text(with_script(text, LOOK), "utf-8")
    found = seen_in_browser(path, 390)
    assert found["wide"] <= max(found["room"], 390)
    assert found["drawn"] == text.count(STATIC)
    assert found["buttons"] == 2 * found["tables"] > 0
    assert found["title"] != "struck"


LONG = "recovery_cost=0.2 uptime=Empirical((" + ",".join(["1.0465180361560904"] * 20) + "))"


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium here, such as the package chromium")
@pytest.mark.parametrize("source", ["judged.json", "map.json", "failures.csv"])
def test_nothing_is_cut_at_the_edge_of_a_sheet(source, files):
    names = {"formula": "expected_makespan_detected_late", "check": "second road", "point": LONG}
    row = {**VERDICT, **names, "predicted": 2.77489e289, "observed": -1.0000123e-289}
    judged = {"tier": "quick", "seed": 1, "verdicts": [row] * 4, "mutants": []}
    (files / "judged.json").write_text(json.dumps(judged))
    (files / "map.json").write_text(json.dumps([{**SPAN, **names, "ratio": "a" * 50}]))
    text = page_of(source).replace("@media print {", "@media all {", 1)
    path = files / "page.html"
    path.write_text(with_script(text, LOOK), "utf-8")
    found = seen_in_browser(path, 718)  # A4 within margins of 1 cm
    assert found["wide"] <= 718


@pytest.mark.skipif(
    BROWSER is None or "PERFMODEL_AXE" not in os.environ,
    reason="no Chromium here, or PERFMODEL_AXE does not name the file axe.min.js",
)
def test_anybody_can_read_it(files):
    axe = Path(os.environ["PERFMODEL_AXE"]).read_text("utf-8")
    text = page_of(SCENARIOS[-1])
    look = """addEventListener("load", async () => {
      await new Promise((after) => setTimeout(after, 1500));  // what is turned is drawn late
      const found = await axe.run();
      const bad = found.violations.filter((each) => ["serious", "critical"].includes(each.impact));
      document.body.dataset.seen = JSON.stringify(bad.map((each) => each.id));
    });"""
    path = files / "page.html"
    path.write_text(with_script(text, f"{axe}\n{look}"), "utf-8")
    assert seen_in_browser(path, 1000) == []


def test_the_page_of_a_study_shows_what_its_command_prints(files):
    words = ["replay", "jobs.swf", "--processors", "64", "--mtbf", "9h", "--seeds", "1:3"]
    words += ["--compare", "fcfs,easy"]
    printed = runner().invoke(main, words).stdout
    (files / "study.json").write_text(runner().invoke(main, [*words, "--json"]).stdout)
    text = page_of("study.json")
    page = assert_stands_by_itself(text)
    told = printed.partition("\n\n")[2].split()
    assert set(told) <= set(" ".join(page.words).split())
    assert {"Means", "All numbers", "How it was asked"} <= set(page.words)
    assert text.count(STATIC) == 8  # four numbers, and their differences


@pytest.mark.parametrize(
    "row",
    [
        {"metrics": {"mean_wait_s": {"mean": "x"}}},
        {"metrics": {}, "differences": {"a": {"mean": 1.0}}, "difference_to": 3},
        {"metrics": {}, "differences": {"a": {"mean": 1.0}}, "difference_to": {"policy": HOSTILE}},
        {"metrics": {"mean_wait_s": {"mean": None, "half_width": None}}, "policy": HOSTILE},
    ],
)
def test_a_study_of_another_shape_does_no_harm(row, files):
    (files / "study.json").write_text(json.dumps({"results": [row], "seeds": HOSTILE}))
    assert_stands_by_itself(page_of("study.json"))
