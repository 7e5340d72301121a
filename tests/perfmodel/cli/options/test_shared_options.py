"""Options that commands share: their help in full, their defaults, and what they hand over."""

from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from asking.refusals import Refused, given
from perfmodel.answers.logs.limits import limited, most_machines
from perfmodel.cli.errors import OneLineGroup
from perfmodel.cli.options import log
from perfmodel.cli.options.example import example
from perfmodel.cli.options.filling import fills, option
from perfmodel.cli.options.limits import limits_as_typed, log_limits, machine_limit
from perfmodel.cli.options.study import (
    Several,
    study_options,
)
from perfmodel.cli.options.types import COST, COUNT, DURATION, POSITIVE
from perfmodel.cli.options.unit_fractions import UNIT_FRACTIONS
from sim.answers.studies.request import StudyRequest
from sim.traces import Limits

SITE = """
--stationary With --mtbf: some nodes are out at first, as many as usually; else all are up.
--burst-size NUMBER Mean number of failures in a burst, geometric. The MTBF stays that of all
  failures together: bursts come so many times more rarely. [default: 1]
--burst-span DURATION All failures of a burst come within this time after its first.
  [default: 1min]
--burst-within [node|rack|machine] What a burst strikes after its first node: that node again, any
  of its rack, or any of the machine. [default: machine]
--rack-size N Nodes of a rack, numbered one after the other. [default: the 2 midplanes of a rack on
  a Blue Gene]
--lemon-share SHARE Share of the nodes, drawn by --seed, that fail more often than the others; the
  MTBF of the machine is kept. [default: 0]
--lemon-factor NUMBER How many times as often those of --lemon-share fail. [default: 10]
--scheduler [separate-drains|january-2009|june-2009|head] Of a Blue Gene: who drains partitions and
  who is backfilled, in a version of Cobalt. [default: separate-drains]
--reboots [midplanes|partition] What a failure under a job of a Blue Gene takes out: its midplanes
  or only its partition. [default: midplanes]
--allocation [least-blocking|printed|released] Partition that blocks fewest others, or also by a
  forecaster: with the weights printed in the paper or those of its simulator.
  [default: least-blocking, with --fault-aware released]
--fault-aware Choose partitions by a forecaster.
--alpha NUMBER With --allocation printed: weight of blocking. [default: 1]
--beta NUMBER With --allocation printed: weight of risk. [default: 1]
--sensitivity FRACTION Risk stated for a place that will fail. [default: 0.6]
--specificity FRACTION 1 minus the risk stated for any other place. [default: 0.6]
"""
STUDY = """
--seeds SEEDS Seeds: 7, 1:200 or 1,5,9; a mean of each.
--until SHARE Go on with further seeds until every 95 % interval of --metric is within this share of
  its mean, such as 2%.
--metric TEXT A number that --json names. [default: the first shown]
--workers N Processes that share the replays. [default: 1]
--max-machines N Refuse a file of more machines. [default: 1000000]
"""
PAGES = {
    "site": ([log.bursts_and_lemons, log.partitions, log.allocation], SITE),
    "study": ([study_options(), machine_limit], STUDY),
}


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


@pytest.mark.parametrize("page", PAGES)
def test_the_help_of_shared_options_in_full(page):
    groups, expected = PAGES[page]
    command, _ = command_of(*groups)
    text = run(command, "--help", terminal_width=10_000)
    shown = text.partition("Options:")[2].partition("--help")[0]
    assert shown.split() == expected.split()


def test_what_shared_options_hand_over_where_nothing_is_typed():
    handed = {}
    for groups, _ in PAGES.values():
        command, called = command_of(*groups)
        run(command)
        handed |= called[0]
    study = handed.pop("study")
    assert study == StudyRequest()
    told = {key: value for key, value in handed.items() if value is not None and value is not False}
    assert told == {
        "burst_size": 1.0,
        "burst_span": 60.0,
        "burst_within": "machine",
        "lemon_share": 0.0,
        "lemon_factor": 10.0,
        "sensitivity": 0.6,
        "specificity": 0.6,
    }


@dataclass(frozen=True, kw_only=True)
class Asked:
    log: Path
    kept: bool = False
    downtime: float = 7200.0
    speed: float = 0.5
    shares: tuple = (0.5, 0.9)
    none: tuple = ()
    count: int = 3
    free: float | None = None
    job_format: str = "swf"


def asked(*words, act=lambda request: None):
    seen = []

    def toy(request, **others):
        seen.append((request, others))
        act(request)

    of = [
        option(Asked, "--log", help="A log."),
        option(Asked, "--kept", is_flag=True, help="Keep it."),
        option(Asked, "--downtime", type=COST),
        option(Asked, "--speed", type=POSITIVE, help="How fast."),
        option(Asked, "--shares", type=UNIT_FRACTIONS, help="Some."),
        option(Asked, "--none", type=UNIT_FRACTIONS, help="No more."),
        option(Asked, "--count", "-c", type=COUNT, help="How many."),
        option(Asked, "--free", type=DURATION, help="As you like."),
        option(Asked, "--format", "job_format", help="Of LOG."),
        click.option("--other", default="x"),
    ]
    toy = fills(Asked)(toy)
    for add in reversed(of):
        toy = add(toy)
    return run(click.command()(toy), *words, terminal_width=200), seen


def test_a_request_has_the_defaults_and_the_help_shows_them():
    text, _ = asked("--help")
    assert [" ".join(line.split()) for line in text.splitlines() if " --" in line][:-2] == [
        "--log TEXT A log.",
        "--kept Keep it.",
        "--downtime DURATION [default: 2h]",
        "--speed NUMBER How fast. [default: 0.5]",
        "--shares FRACTIONS Some. [default: 0.5,0.9]",
        "--none FRACTIONS No more.",
        "-c, --count N How many. [default: 3]",
        "--free DURATION As you like.",
        "--format TEXT Of LOG. [default: swf]",
    ]
    _, [(request, others)] = asked("--log", "a", "--kept", "-c", "5", "--other", "y")
    assert request == Asked(log="a", kept=True, count=5)
    assert others == {"other": "y"}
    _, [(request, _)] = asked("--log", "a", "--format", "gwf", "--free", "1h", "--downtime", "0s")
    assert request == Asked(log="a", job_format="gwf", free=3600.0, downtime=0.0)


def refused(message):
    def act(request):
        raise ValueError(message)

    return act


@pytest.mark.parametrize(
    ("words", "message", "said"),
    [
        (["--speed", "9"], "speed must be < 5, got 9.0", "--speed must be < 5, got 9.0"),
        (["-c", "9"], "count must be odd, got 9", "--count must be odd, got 9"),
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


def studied(*words, varied=("a",), act=lambda study: None, **settings):
    seen = []

    def toy(study, **others):
        seen.append((study, others))
        act(study)

    for add in reversed(
        [
            study_options(*varied, **settings),
            click.option("--a", type=Several(COUNT)),
            click.option("--seed", type=COUNT, default="4"),
            click.option("--out"),
        ]
    ):
        toy = add(toy)
    run(click.command()(toy), *words)
    return seen[0]


def test_a_study_is_what_its_options_say():
    plain = {"a": None, "seed": 4, "out": None}
    assert studied() == (StudyRequest(), plain)
    study, others = studied("--a", "3,5", "--seeds", " 7, 1:3,2 ", "--workers", "2")
    assert others == plain | {"a": 3}
    said = frozenset({"seeds", "workers"})
    varied = {"a": (3, 5)}
    assert study == StudyRequest(seeds=(7, 1, 2, 3), workers=2, varied=varied, said=said)
    assert str(study.seeds) == "7, 1:3,2"
    study, others = studied("--a", "3", "--until", " 100%", "--metric", "wait_s")
    assert (study, others["a"]) == (
        StudyRequest(until=1.0, metric="wait_s", said=frozenset({"until", "metric"})),
        3,
    )
    assert studied("--seeds", "0:999999")[0].seeds == tuple(range(1_000_000))
    nines = "9" * 18
    assert studied("--seeds", nines)[0].seeds == (int(nines),)


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
        studied("--seeds", text)
    rule = "--seeds must be seeds such as 7, 1:200 or 1,5,9"
    assert refusal.value.message == f"{rule}, got {text!r}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "") for text in ("0%", "100.1%", "2", "nan%", "1_0%", "٣%", "%", "x")),
        ("2h", " (a duration; give --days)"),
    ],
)
def test_a_goal_is_a_share_of_the_mean(text, reason):
    with pytest.raises(click.UsageError) as refusal:
        studied("--until", text, remedy="; give --days")
    rule = "--until must be a share of the mean, such as 2%"
    assert refusal.value.message == f"{rule}, got {text!r}{reason}"
