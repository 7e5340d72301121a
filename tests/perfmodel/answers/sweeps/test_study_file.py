"""What a study file says, read in full: its cells, its rule, its defaults and its limits."""

import hashlib
import re
from pathlib import Path

import pytest

from perfmodel.answers.sweeps.formulas import FormulaPlay
from perfmodel.answers.sweeps.jobs import JobPlay
from perfmodel.answers.sweeps.replays import readers_of_replay
from perfmodel.answers.sweeps.study_file import read_study
from perfmodel.answers.sweeps.values import Drawn, plain, values_of
from sim.sweep import Rule, versions

JOB = "work = '1d'\ninterval = ['1h', '2h', '60min']\nmtbf = '9h'\ncheckpoint_cost = '1min'\n"
SWF = "; MaxProcs: 64\n1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(SWF)
    (tmp_path / "failures.csv").write_text("time,node\n1,2\n")
    return tmp_path


def study(head, parameters="", rest=""):
    path = Path("study.toml")
    path.write_text(f"[study]\n{head}\n[parameters]\n{parameters}\n{rest}")
    return read_study(path)


def refusal(*parts):
    with pytest.raises(ValueError, match=" must ") as refused:
        study(*parts)
    return str(refused.value)


def test_jobs_that_are_played():
    found = study("simulate = 'makespan'\nseed = 5\npaired = 'interval'", JOB)
    assert (found.kind, found.subject, found.folder) == ("simulate", "makespan", Path("."))
    assert (found.seed, found.samples, found.jobs, found.drawn) == (5, 1, 1000, ())
    assert found.paired == ("interval",)
    assert found.rule == Rule(8)
    assert found.values == {
        "work": (86_400.0,),
        "interval": (3600.0, 7200.0),
        "mtbf": (32_400.0,),
        "checkpoint_cost": (60.0,),
    }
    assert found.size == 2
    common = {"work": 86_400.0, "mtbf": 32_400.0, "checkpoint_cost": 60.0}
    cells = [common | {"interval": value} for value in (3600.0, 7200.0)]
    assert list(found.parameters()) == cells
    assert [(cell.parameters, cell.paired) for cell in found.cells()] == [
        (cell, ("interval",)) for cell in cells
    ]
    assert found.play() == JobPlay(1000)
    assert found.about() == {
        **{name: str(text) for name, text in versions().items()},
        "study": "simulate makespan",
        "seed": "5",
        "jobs": "1000",
        "paired": "interval",
    }
    assert study("simulate = 'makespan'", JOB, "[replications]\njobs = 7").play() == JobPlay(7)


def test_cells_that_are_paired_are_named_in_one_order():
    found = study("simulate = 'makespan'\npaired = ['mtbf', 'interval']", JOB)
    assert found.paired == ("interval", "mtbf")
    assert found.about()["paired"] == "interval, mtbf"
    names = "work, interval, mtbf, checkpoint_cost"
    for given in ("'shape'", "['interval', 'shape']", "3", "[3]"):
        said = refusal(f"simulate = 'makespan'\npaired = {given}", JOB)
        assert said == f"study.paired must be a list of {names}, got {given}"


def test_a_formula_that_is_evaluated_once():
    head = "formula = 'expected_makespan'\nsamples = 3\nseed = 4"
    law = "mtbf = { draw = 'log-uniform', low = '1h', high = '9h' }\n"
    found = study(head, JOB.replace("mtbf = '9h'\n", law))
    assert (found.kind, found.subject, found.rule) == ("formula", "expected_makespan", Rule(1))
    assert (found.samples, found.size) == (3, 6)
    drawn = Drawn("mtbf", 3600.0, 32_400.0, True)
    assert found.drawn == (drawn,)
    assert "mtbf" not in found.values
    cells = list(found.parameters())
    assert [cell["interval"] for cell in cells] == [3600.0] * 3 + [7200.0] * 3
    assert [cell["mtbf"] for cell in cells] == [drawn.value(4, n) for n in range(3)] * 2
    assert found.play() == FormulaPlay("expected_makespan")
    assert "jobs" not in found.about()
    assert "paired" not in found.about()


def test_a_replay_depends_on_the_bytes_of_its_files():
    parameters = "failures = 'failures.csv'\npolicy = ['easy', 'fcfs']\nfailure_format = 'csv'\n"
    found = study("replay = 'jobs.swf'", parameters)
    assert (found.kind, found.subject, found.rule, found.seed) == ("replay", "jobs.swf", Rule(8), 0)
    about = found.about()
    for name in ("jobs.swf", "failures.csv"):
        digest = hashlib.sha256(Path(name).read_bytes()).hexdigest()
        assert about[f"sha256 of {name}"] == digest
    assert about["study"] == "replay jobs.swf"
    assert "jobs" not in about
    first, second = found.play().cells.values()
    easy, one, fcfs = first.parts, first.request, second.parts
    assert ([*easy.policies], [*fcfs.policies]) == (["easy"], ["fcfs"])
    assert one.failures == Path("failures.csv")


def test_replays_are_built_before_they_are_played_and_so_not_too_many(monkeypatch):
    from perfmodel.answers.sweeps import study_file

    built = []
    monkeypatch.setattr(study_file, "replays_of", lambda *given: built.append(given))
    text = "walltime_factor = { from = 1, to = 9, points = %d }\n"
    found = study("replay = 'jobs.swf'", text % 100_000)
    found.play()
    assert built[0][0] == Path("jobs.swf")
    found = study("replay = 'jobs.swf'", text % 100_001)
    with pytest.raises(ValueError, match=r"^replays must be at most 100,000 cells, got 100,001$"):
        found.play()


RULES = [
    ("simulate", "number = 3", Rule(3)),
    ("simulate", "until = '1%'", Rule(until=0.01, metric="makespan_s", most=10_000)),
    ("simulate", "until = 0.5\nmost = 9", Rule(until=0.5, metric="makespan_s", most=9)),
    ("simulate", "until = 1\nmetric = 'x'", Rule(until=1.0, metric="x", most=10_000)),
    ("replay", "number = 9007199254740991", Rule(2**53 - 1)),
    ("replay", "until = '1%'", Rule(until=0.01, metric="mean_bounded_slowdown", most=10_000)),
]


@pytest.mark.parametrize(("kind", "text", "rule"), RULES)
def test_how_often_a_cell_is_played(kind, text, rule):
    subject, parameters = ("makespan", JOB) if kind == "simulate" else ("jobs.swf", "")
    found = study(f"{kind} = '{subject}'", parameters, f"[replications]\n{text}")
    assert found.rule == rule


WRONG = {
    "number = 9007199254740992": "number must be a whole number >= 1, got 9007199254740992",
    "number = true": "number must be a whole number >= 1, got True",
    "number = 1.0": "number must be a whole number >= 1, got 1.0",
    "most = 3": "most must come with until, got it alone",
    "until = '1%'\nmost = 0": "most must be a whole number >= 1, got 0",
    "until = true": 'until must be a share such as "1%", got True',
    "until = '0%'": """until must be a share such as "1%", got '0%'""",
    "until = 'soon'": """until must be a share such as "1%", got 'soon'""",
    "until = 1.5": 'until must be a share such as "1%", got 1.5',
    "until = '1%'\nmetric = 3": "metric must be a text, got 3",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_rule_that_is_none(text):
    said = refusal("simulate = 'makespan'", JOB, f"[replications]\n{text}")
    assert said == f"replications.{WRONG[text]}"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("seed = -1", "study.seed must be a whole number >= 0, got -1"),
        ("seed = 0.5", "study.seed must be a whole number >= 0, got 0.5"),
        (
            "samples = 2",
            'study.samples must come with a parameter that has "draw", and that with it, got '
            "samples alone",
        ),
    ],
)
def test_seeds_and_samples_that_are_none(head, said):
    assert refusal(f"simulate = 'makespan'\n{head}", JOB) == said
    assert study("simulate = 'makespan'\nseed = 0", JOB).seed == 0


def test_what_is_studied_is_named_by_a_text():
    assert refusal('replay = "jobs\\u0000"') == r"study.replay must be a text, got 'jobs\x00'"
    assert refusal("replay = 'none.swf'") == (
        "study.replay must be a readable file, got 'none.swf'"
    )
    Path("folder").mkdir()
    assert refusal("replay = 'folder'") == "study.replay must be a readable file, got 'folder'"
    text = "[replications]\nnumber = 2"
    said = "replications must be left out with a formula, which draws nothing"
    assert refusal("formula = 'expected_makespan'", JOB, text) == said


def test_options_of_a_replay_are_read_as_they_are_typed(folder):
    readers = readers_of_replay(folder)
    assert not readers.keys() & {"log", "seed", "compare", "by_class", "use_over_time"}
    taken = {
        ("mtbf", "90min"): 5400.0,
        ("policy", "easy"): "easy",
        ("processors", 7): 7,
        ("processors", "7"): 7,
        ("weibull_shape", 0.5): 0.5,
        ("failures", "failures.csv"): "failures.csv",
        ("stationary", True): True,
        ("stationary", False): False,
        ("order", "wait"): "wait",
    }
    for (name, given), value in taken.items():
        found = readers[name](given)
        assert (found, type(found)) == (value, type(value))
    for name, given, rule in (
        ("stationary", 1, "true or false"),
        ("mtbf", True, "a text or a number"),
        ("mtbf", [1], "a text or a number"),
        ("mtbf", 5, "a duration with a unit, such as 30min, 1.5h or 2d12h"),
        ("processors", 1.5, "a whole number >= 1"),
        ("failures", "none.csv", "a readable file"),
        ("on_failure", "stop", "one of original, new, drop"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(rule)}$"):
            readers[name](given)


def test_ranges_and_laws_have_ends_that_are_numbers():
    def said(given):
        with pytest.raises(ValueError, match=" must ") as refused:
            values_of("x", given, plain)
        return str(refused.value)

    even = {"from": 1, "to": 2, "points": 2}
    assert values_of("x", even, plain) == (1.0, 2.0)
    assert values_of("x", even | {"to": 1, "points": 9}, plain) == (1.0,)
    assert values_of("x", even | {"from": 2, "to": 1, "points": 3}, plain) == (2.0, 1.5, 1.0)
    points = "parameters.x.points must be a whole number from 2 on, got "
    for wrong in (1, 2.0, True, 10_000_001):
        assert said(even | {"points": wrong}) == f"{points}{wrong}"
    assert said(even | {"to": "x"}) == "parameters.x.to must be a finite number, got 'x'"
    known = "from, to, points, spacing"
    assert said(even | {"end": 1}) == f"parameters.x must have keys among {known}, got 'end'"
    for key in ("from", "to", "points"):
        lacking = {name: value for name, value in even.items() if name != key}
        assert said(lacking) == f"parameters.x.{key} must be given, got none"
    law = {"draw": "log-uniform", "low": 1, "high": 2}
    assert values_of("x", law, plain) == Drawn("x", 1.0, 2.0, True)
    assert values_of("x", law | {"draw": "uniform"}, plain) == Drawn("x", 1.0, 2.0, False)
    assert said(law | {"low": 0}) == "parameters.x must be > 0 for logarithms, got 0"
    assert values_of("x", law | {"draw": "uniform", "low": 0}, plain).low == 0.0
    assert said(law | {"low": 2}) == "parameters.x.high must be > low = 2, got 2"
    for key in ("low", "high"):
        lacking = {name: value for name, value in law.items() if name != key}
        assert said(lacking) == f"parameters.x.{key} must be given, got none"
    kinds = "parameters.x.draw must be one of uniform, log-uniform, got 'normal'"
    assert said(law | {"draw": "normal"}) == kinds
    assert values_of("x", [1, 2, 1.0], plain) == (1.0, 2.0)
    assert values_of("x", 5, plain) == (5.0,)


def test_a_draw_is_the_same_whatever_else_is_drawn():
    law = Drawn("x", 0.0, 1.0, False)
    digest = hashlib.sha256(b"7 sample 3 x").hexdigest()
    assert law.value(7, 3) == pytest.approx(int(digest[:13], 16) / 2**52, abs=1e-12)
    drawn = [law.value(7, sample) for sample in range(2000)]
    # Kolmogorov's statistic of 2000 even draws exceeds 2 / sqrt(2000) once in 1500 times.
    worst = max(abs(value - place / 2000) for place, value in enumerate(sorted(drawn)))
    assert worst < 2.0 / 2000**0.5
    assert len({str(value) for value in drawn}) == 2000
