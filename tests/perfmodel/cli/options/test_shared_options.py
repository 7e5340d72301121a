"""Options that are fields: their help, their defaults, and what they hand over."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import click
import pytest
from click.testing import CliRunner

from asking.kinds import COST, COUNT, DURATION, POSITIVE, TEXT
from asking.refusals import Field, Refused, Said, given
from asking.requests import Asked, flag, opt
from perfmodel.answers.logs.limits import limited, most_machines
from perfmodel.cli.errors import OneLineGroup
from perfmodel.cli.options.example import example
from perfmodel.cli.options.filling import fills, options_of
from perfmodel.cli.options.limits import limits_as_typed, log_limits, machine_limit
from sim.answers.kinds import FRACTIONS
from sim.answers.studies.request import StudyRequest, of_studies
from sim.traces import Limits


def command_of(*groups):
    """Return a command with these options, and the list of what it is called with."""
    called = []

    def toy(**arguments):
        called.append(arguments)

    for add in reversed(groups):
        toy = add(toy)
    return click.command()(toy), called


def run(command, *words, **settings):
    done = CliRunner().invoke(command, words, standalone_mode=False, **settings)
    if done.exception is not None:
        raise done.exception
    return done.output


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy(Asked):
    compared: ClassVar[tuple[str, ...]] = ("count",)

    log: str = opt(TEXT, "A log.")
    kept: bool = flag("Keep it.")
    downtime: float = opt(COST, "Of {log}.", default=7200.0)
    speed: float = opt(POSITIVE, "How fast.", default=0.5)
    shares: tuple = opt(FRACTIONS, "Some.", default=(0.5, 0.9))
    none: tuple = opt(FRACTIONS, "No more.", default=())
    count: int = opt(COUNT, "How many.", default=3)
    free: float | None = opt(DURATION, "As you like.")
    job_format: str = opt(TEXT, "Of {log}.", default="swf", called="--format")
    study: StudyRequest = of_studies("Seeds.", remedy=Said("{} leaves out the rest", Field("free")))


def asked(*words, act=lambda request: None):
    seen = []

    @click.command()
    @options_of(Toy)
    @click.option("--other", default="x")
    @fills(Toy)
    def toy(request, **others):
        seen.append((request, others))
        act(request)

    return run(toy, *words, terminal_width=200), seen


def test_a_request_has_the_defaults_and_the_help_shows_them():
    text, _ = asked("--help")
    assert [" ".join(line.split()) for line in text.splitlines() if " --" in line][:-6] == [
        "--log TEXT A log.",
        "--kept Keep it.",
        "--downtime DURATION Of --log. [default: 2h]",
        "--speed NUMBER How fast. [default: 0.5]",
        "--shares SHARES Some. [default: 0.5,0.9]",
        "--none SHARES No more.",
        "--count N,... How many. [default: 3]",
        "--free DURATION As you like.",
        "--format TEXT Of --log. [default: swf]",
    ]
    _, [(request, others)] = asked("--log", "a", "--kept", "--count", "5", "--other", "y")
    assert replace(request, said=frozenset()) == Toy(log="a", kept=True, count=5)
    assert (request.said, others) == ({"log", "kept", "count"}, {"other": "y"})
    _, [(request, _)] = asked("--log", "a", "--format", "gwf", "--free", "1h", "--downtime", "0s")
    assert replace(request, said=frozenset()) == Toy(
        log="a", job_format="gwf", free=3600.0, downtime=0.0
    )


def refused(message):
    def act(request):
        raise ValueError(message)

    return act


@pytest.mark.parametrize(
    ("words", "message", "said"),
    [
        (["--speed", "9"], "speed must be < 5, got 9.0", "--speed must be < 5, got 9.0"),
        (["--count", "9"], "count must be odd, got 9", "--count must be odd, got 9"),
        (["--free", "90min"], "free must be <= 1, got 5400.0", "--free must be <= 1, got 90 min"),
        (["--free", "90min"], "free must be <= 1, got 5401.0", "--free must be <= 1, got 5401.0"),
        (
            ["--free", "90min"],
            "free and downtime must differ, got 5400.0 and 7200",
            "--free and --downtime must differ, got 90 min and 2 h",
        ),
        (
            ["--free", "90min"],
            "free, count must differ, got 5400.0",
            "--free, --count must differ, got 5400.0",
        ),
        ([], "speed must be < 5, got 0.5", None),  # the default is ours
        (["--speed", "9"], "speed and stuff must agree, got 9.0", None),
        (["--speed", "9"], "speed is wrong", None),
        (["--speed", "9"], "stuff must be right, got 1", None),
        (["--free", "1h"], "free must be\nshort, got 3600", "--free must be\nshort, got 1 h"),
    ],
)
def test_what_a_formula_refuses_is_refused_in_the_name_of_the_option(words, message, said):
    with pytest.raises(ValueError, match=" ") as refusal:
        asked("--log", "a", *words, act=refused(message))
    assert str(refusal.value) == (message if said is None else said)


def test_what_must_be_given_is_given_or_asked_for():
    assert given(0, "count") == 0
    with pytest.raises(Refused) as refusal:
        given(None, "count")
    assert str(refusal.value) == "count must be given, got none"


def test_an_example_stands_as_it_is_typed():
    assert example("perfmodel a \\", "  --b") == "\b\nExample:\n  perfmodel a \\\n    --b"


def limits_of(*words, act):
    seen = []
    command, _ = command_of(log_limits, machine_limit, lambda _: lambda **__: seen.append(act()))
    group = OneLineGroup(commands={"one": command})
    run(group, "one", *words)
    return seen[0]


def test_limits_are_those_that_are_typed():
    path = Path("log")
    words = ["--max-bytes", "2kB", "--max-lines", "7", "--max-machines", "9"]
    assert limits_of(*words, act=lambda: limited(path)).limits == Limits(2000, 7, 9)
    assert limits_of(act=lambda: limited(path)).limits == Limits()
    assert limited(path).limits == Limits()  # no command runs
    assert (limited(path).source, most_machines()) == (path, 1_000_000)
    assert limits_of(*words, act=most_machines) == 9
    passed = (
        *("--max-bytes", "2000B", "--max-lines", "7", "--max-memory", "2000000000B"),
        *("--max-line", "10000000B", "--max-columns", "1000"),
    )
    assert limits_of(*words, act=limits_as_typed) == passed
    assert limits_as_typed() == ()
    assert limits_of("--max-bytes", "1B", act=lambda: limited(path)).limits.max_bytes == 1
    with pytest.raises(click.UsageError) as refusal:
        limits_of("--max-bytes", "0.99B", act=limits_as_typed)
    rule = "--max-bytes must be a size with a unit, such as 2GB"
    assert refusal.value.message == f"{rule}, got '0.99B' (below 1 B)"


def study_of(*words):
    _, [(request, _)] = asked(*words)
    return request.study, request.count


def test_a_study_is_what_its_options_say():
    assert study_of() == (StudyRequest(), 3)
    study, count = study_of("--count", "3,5,3", "--seeds", " 7, 1:3,2 ", "--workers", "2")
    said = frozenset({"seeds", "workers"})
    varied = {"count": (3, 5)}
    assert study == StudyRequest(seeds=(7, 1, 2, 3), workers=2, varied=varied, said=said)
    assert (str(study.seeds), count) == ("7, 1:3,2", 3)
    study, count = study_of("--count", "4", "--until", " 100%", "--metric", "wait_s")
    said = frozenset({"until", "metric"})
    assert (study, count) == (StudyRequest(until=1.0, metric="wait_s", said=said), 4)
    assert StudyRequest(seeds="0:999999").seeds == tuple(range(1_000_000))
    nines = "9" * 18
    assert StudyRequest(seeds=nines).seeds == (int(nines),)
    assert StudyRequest(seeds=range(3), until=0.5).seeds == range(3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "-1",
        "3:2",
        "1:",
        ":3",
        "1:2:3",
        "1.5",
        "²",
        "0:1000000",
        "5,0:999999",
        "1" + "0" * 18,
    ],
)
def test_seeds_that_are_none(text):
    with pytest.raises(click.UsageError) as refusal:
        asked("--seeds", text)
    rule = "must be seeds such as 7, 1:200 or 1,5,9"
    assert refusal.value.message == f"--seeds {rule}, got {text!r}"
    with pytest.raises(Refused) as of_python:
        StudyRequest(seeds=text)
    assert str(of_python.value) == f"seeds {rule}, got {text!r}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "") for text in ("0%", "100.1%", "2", "nan%", "1_0%", "٣%", "%", "x")),
        ("2h", " (a duration; --free leaves out the rest)"),
    ],
)
def test_a_goal_is_a_share_of_the_mean(text, reason):
    with pytest.raises(click.UsageError) as refusal:
        asked("--until", text)
    rule = "--until must be a share of the mean, such as 2% or 0.02"
    assert refusal.value.message == f"{rule}, got {text!r}{reason}"
