"""What each kind of value takes, and what it says of any other, at and beside each limit."""

import os

import click
import pytest
from click.testing import CliRunner

from asking import kinds
from perfmodel.answers.requests import levels, powers, predictor
from perfmodel.answers.requests.levels import LocalCopy
from perfmodel.answers.requests.powers import Powers
from perfmodel.answers.requests.predictor import Predictor
from perfmodel.answers.sweeps.slurm import SLURM
from perfmodel.cli.options import types
from perfmodel.cli.options.types import OneOf, Several, Values, Wanted, completed_by, gone, wanted
from perfmodel.units import Typed
from sim.answers.kinds import FRACTIONS as FRACTIONS_OF_REPLAYS

NINES = "9" * 18
TAKEN = {
    "DURATION": {"90min": 5400.0, "1ms": 0.001, " 2d12h ": 216_000.0},
    "COST": {"0s": 0.0, "90min": 5400.0},
    "SIZE": {" 12TB ": Typed(12e12, "12TB"), "1KiB": Typed(1024.0, "1KiB")},
    "BANDWIDTH": {"400GB/s": Typed(4e11, "400GB/s"), " 1B/s": Typed(1.0, "1B/s")},
    "FAILURE_RATE": {"3.6/node-h": Typed(0.001, "3.6/node-h")},
    "COUNT": {"1": 1, " 007 ": 7, NINES: int(NINES), "0" * 30 + NINES: int(NINES)},
    "EVENTS": {"0": 0, "1": 1},
    "LEVEL": {
        "cost=10s,recovery=5s,survives=85%": LocalCopy(10.0, 5.0, 0.85),
        "survives = 0 , recovery=0s, cost=1min": LocalCopy(60.0, 0.0, 0.0),
    },
    "PREDICTOR": {
        "recall=70%,precision=0.6,cost=1min": Predictor(0.7, 0.6, 60.0),
        "window=1h,recall=0.5,precision=1,cost=1s": Predictor(0.5, 1.0, 1.0, 3600.0),
        "recall=1,precision=1,cost=0s": Predictor(1.0, 1.0, 0.0),
        "recall=1,precision=1,cost=0s,window=0s": Predictor(1.0, 1.0, 0.0),
    },
    "POWERS": {
        "static=8MW,compute=10MW": Powers(8e6, 1e7),
        "down=2W,io=1kW,compute=0W,static=1W": Powers(1.0, 0.0, 1e3, 2.0),
    },
    "PRICE": {"0": 0.0, "2.5": 2.5},
    "POSITIVE": {"5e-324": 5e-324, "1": 1.0},
    "WEIGHT": {"0": 0.0, "1e300": 1e300},
    "SHARE": {"0": 0.0, "1": 1.0, "100%": 1.0, "1%": 0.01},
    "FROM_ONE": {"1": 1.0, "1e9": 1e9},
    "SHAPE": {"0.01": 0.01, "3": 3.0},
    "UNIT_FRACTIONS": {
        "0.1,50%": (0.1, 0.5),
        "10%:30%:10%": (0.1, 0.2, 0.3),
        "0,1,0": (0.0, 1.0),
        "0:1:0.25": (0.0, 0.25, 0.5, 0.75, 1.0),
        "0.2:0.5:0.2": (0.2, 0.4),
        "0.3:0.3:1": (0.3,),
        "0:0.999:0.001": tuple(place / 1000 for place in range(1000)),
    },
    "SLURM": {
        "tasks=1": ("tasks", 1),
        "jobs=" + "9" * 9: ("jobs", 999_999_999),
        "time=1min": ("time", 60.0),
        "cluster=local": ("cluster", "local"),
        "cluster=slurm": ("cluster", "slurm"),
        "setup=module load a=b": ("setup", "module load a=b"),
        "partition=batch": ("partition", "batch"),
    },
}
DURATION = "a duration with a unit, such as 30min, 1.5h or 2d12h"
LEVEL = "a level such as cost=10s,recovery=5s,survives=85%"
PREDICTOR = "a predictor such as recall=70%,precision=60%,cost=1min"
POWERS = "powers such as static=8MW,compute=10MW,io=1MW"
FRACTIONS = "shares, at most 1000, such as 0.1,50% or 0:1:0.1"
PAIR = "a pair such as partition=batch or time=2h"
NEEDED = "recall, precision and cost are needed, window may come with them"
OF_POWERS = "static and compute are needed, io and down may come with them"
REFUSED = [
    ("DURATION", DURATION, {"0s": "not > 0"}),
    ("BANDWIDTH", "a bandwidth with a unit, such as 400GB/s", {"0B/s": "not > 0"}),
    (
        "FAILURE_RATE",
        "failures per node-time, such as 6.5/1000node-days",
        {"0/node-day": "not > 0"},
    ),
    (
        "COUNT",
        "a whole number >= 1",
        {
            **dict.fromkeys(("0", "-1", "1.0", "", " ", "²", "1_0")),
            "1" + NINES: "of more than 18 digits",
        },
    ),
    ("EVENTS", "a whole number >= 0", dict.fromkeys(("-1", "0.5", "٣"))),
    (
        "LEVEL",
        LEVEL,
        {
            "cost=1s,recovery=1s": "a level takes cost, recovery, survives",
            "cost=1s,recovery=1s,survives=1,io=1": "a level takes cost, recovery, survives",
            "cost=1s,cost=2s,recovery=1s,survives=0.5": "a name comes twice",
            "cost=1s,recovery=1s,survives=1": "survives all failures, as the durable checkpoint "
            "does",
            "cost=1s,recovery=1s,survives=101%": "survives not a share such as 85% or 0.85",
        },
    ),
    (
        "PREDICTOR",
        PREDICTOR,
        {
            "recall=1,precision=1": NEEDED,
            "recall=1,precision=1,cost=1s,span=1s": NEEDED,
            "recall=0,precision=1,cost=1s": "recall not a share > 0 such as 70% or 0.7",
            "recall=1,precision=2,cost=1s": "precision not a share > 0 such as 70% or 0.7",
            "recall=0.5,precision=1,cost=0s,window=1ms": "cost not > 0 with a window",
            "recall=1,precision=1,cost=1s,window=1ms": "recall not < 1 with a window",
        },
    ),
    (
        "POWERS",
        POWERS,
        {
            "static=8MW": OF_POWERS,
            "static=8MW,compute=1W,gpu=1W": OF_POWERS,
            "static=0W,compute=1W": "static not > 0",
        },
    ),
    ("PRICE", "a number >= 0", dict.fromkeys(("-1e-9", "inf", "nan", "1_0", "٣", ""))),
    ("POSITIVE", "a number > 0", dict.fromkeys(("0", "inf", "nan", "1_0", "٣", "x"))),
    ("WEIGHT", "a number >= 0", dict.fromkeys(("-1e-9", "inf"))),
    (
        "SHARE",
        "a share such as 1% or 0.01",
        dict.fromkeys(("-1%", "101%", "2", "x", "-1e-9", "1.0000001", "nan")),
    ),
    ("FROM_ONE", "a number >= 1", dict.fromkeys(("0.9999999", "inf", "nan"))),
    ("SHAPE", "a number >= 0.01", dict.fromkeys(("0.0099999", "inf", "nan"))),
    (
        "UNIT_FRACTIONS",
        FRACTIONS,
        dict.fromkeys(
            [
                *("1.1", "-0.1", "0.5,2", "0_1", "٣", "x", "", "0:1", "0:1:0", "0:1:-1"),
                *("0.5:0.4:0.1", "0:1.1:0.1", "-0.1:1:0.1", "0:1:0.001"),
            ]
        ),
    ),
    (
        "SLURM",
        PAIR,
        {
            **dict.fromkeys(("tasks", "tasks=", "setup=a\nb")),
            **dict.fromkeys(
                ("tasks=0", "jobs=" + "1" + "0" * 9, "tasks=1.5", "tasks=²"),
                "not a whole number >= 1",
            ),
            "time=59.9s": "not >= 1min",
            "cluster=pbs": "not slurm or local",
        },
    ),
]


OTHERS = {
    "LEVEL": wanted(levels.LEVEL),
    "SLURM": wanted(SLURM),
    "UNIT_FRACTIONS": wanted(FRACTIONS_OF_REPLAYS),
    "POWERS": wanted(powers.POWERS),
    "PREDICTOR": wanted(predictor.PREDICTOR),
}


def kind(name):
    return OTHERS[name] if name in OTHERS else wanted(getattr(kinds, name))


@pytest.mark.parametrize("name", TAKEN)
def test_what_a_value_may_be(name):
    for text, value in TAKEN[name].items():
        assert kind(name).convert(text, None, None) == value, text


@pytest.mark.parametrize(("name", "rule", "texts"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_a_value_may_not_be(name, rule, texts):
    for text, reason in texts.items():
        with pytest.raises(click.UsageError) as refusal:
            kind(name).convert(text, None, None)
        said = f"argument must be {rule}, got {text!r}" + (f" ({reason})" if reason else "")
        assert refusal.value.message == said


@pytest.mark.parametrize("name", [*TAKEN, "OUTPUT_FILE", "LOG_FILE", "FOLDER"])
def test_what_is_not_a_text_is_taken_as_it_is(name):
    for value in (7, 7.5, None, (1.0, 2.0)):
        assert kind(name).convert(value, None, None) is value


def files(folder):
    (folder / "there").mkdir()
    (folder / "log").touch()
    (folder / "locked").touch()
    return {
        "LOG_FILE": ({"log"}, {"none": "no such file", "there": "a directory", "lo\0g": None}),
        "FOLDER": ({"there", "none"}, {"log": "not a folder", "no\0ne": None}),
        "OUTPUT_FILE": (
            {"log", "new", "there/new"},
            {
                "there": "a directory",
                "none/new": "no such folder",
                "log/new": "no such folder",
                "n\0": None,
            },
        ),
    }


def test_files_and_folders_are_there_where_they_must_be(tmp_path):
    rules = {
        "LOG_FILE": "a readable file",
        "FOLDER": "a folder",
        "OUTPUT_FILE": "a writable file",
    }
    nul = {"LOG_FILE": "no such file", "FOLDER": "not a folder", "OUTPUT_FILE": "no such folder"}
    for name, (taken, refused) in files(tmp_path).items():
        for text in taken:
            assert kind(name).convert(str(tmp_path / text), None, None) == tmp_path / text
        for text, reason in refused.items():
            path = str(tmp_path / text)
            with pytest.raises(click.UsageError) as refusal:
                kind(name).convert(path, None, None)
            said = f"argument must be {rules[name]}, got {path!r} ({reason or nul[name]})"
            assert refusal.value.message == said


def test_a_file_or_folder_without_permission_is_refused(tmp_path, monkeypatch):
    (tmp_path / "old").touch()
    asked = []
    monkeypatch.setattr(os, "access", lambda path, how: asked.append((path, how)))
    for name in ("old", "new"):
        with pytest.raises(click.UsageError, match=r"\(permission denied\)$"):
            types.OUTPUT_FILE.convert(str(tmp_path / name), None, None)
    assert asked == [(tmp_path / "old", os.W_OK), (tmp_path, os.W_OK)]


def test_a_name_that_the_system_refuses_is_refused_in_its_words():
    for name in ("LOG_FILE", "FOLDER", "OUTPUT_FILE"):
        with pytest.raises(click.UsageError, match=r"\(file name too long\)$"):
            kind(name).convert("n" * 300, None, None)


def test_a_refusal_names_the_longest_spelling_of_an_option_or_the_argument():
    option, argument = click.Option(["-c", "--count", "-n"]), click.Argument(["log"])
    for kind, rule in ((types.COUNT, "a whole number >= 1"), (OneOf(["a", "b"]), "one of a, b")):
        for param, label in ((option, "--count"), (argument, "LOG")):
            with pytest.raises(click.UsageError) as refusal:
                kind.convert("x", param, None)
            assert refusal.value.message == f"{label} must be {rule}, got 'x'"


def test_one_of_several_words_is_taken_as_it_is():
    assert OneOf(["a", "b"]).convert("b", None, None) == "b"
    assert completed_by("lanl", "csv", "lab")(None, None, "la") == ["lanl", "lab"]


def test_the_shell_completes_files_and_folders_and_nothing_else():
    for name in (*TAKEN, "LOG_FILE", "OUTPUT_FILE", "FOLDER"):
        shown = [(item.value, item.type) for item in kind(name).shell_complete(None, None, "ab")]
        files = {"LOG_FILE": "file", "OUTPUT_FILE": "file", "FOLDER": "dir"}
        assert shown == ([("ab", files[name])] if name in files else [])


def test_an_option_of_earlier_versions_is_hidden_and_says_what_to_do():
    @click.command()
    @gone("--old", remedy="give --new")
    @gone("--flag", remedy="nothing else", flag=True)
    def command():
        click.echo("done")

    def run(*words):
        return CliRunner().invoke(command, words)

    assert run().output == "done\n"
    assert "--old" not in run("--help").output
    refused = "Error: --old is no longer an option: give --new"
    assert run("--old", "3").output.splitlines()[-1] == refused
    assert (
        run("--flag")
        .output.splitlines()[-1]
        .endswith("--flag is no longer an option: nothing else")
    )


def test_several_values_come_together_and_one_as_it_is():
    several = Several(types.COUNT)
    found = several.convert("3, 1,3", None, None)
    assert (found, found.texts) == ((3, 1, 3), ("3", "1", "3"))
    assert isinstance(found, Values)
    assert several.convert("7", None, None) == 7
    assert several.convert(5, None, None) == 5
    assert several.name == "n"
    with pytest.raises(click.UsageError, match=r"got 'x': commas separate the values of 3,x$"):
        several.convert("3, x", None, None)


@pytest.mark.parametrize(("typed", "meant"), [("4,096", "4096"), ("1,048,576", "1048576")])
def test_a_number_as_tables_print_it_is_not_several(typed, meant):
    several = Several(types.COUNT)
    with pytest.raises(click.UsageError, match=f"if one is meant, write {meant}$"):
        several.convert(typed, None, None)
    assert several.convert("128,256,512", None, None) == (128, 256, 512)


def test_a_value_has_a_name_and_a_rule():
    read = Wanted("n", "even", lambda text: int(text) // 2)
    assert (read.name, read.wanted, read.convert("6", None, None)) == ("n", "even", 3)
