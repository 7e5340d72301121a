"""The example of every command, completion in shells, --quiet, and durations echoed as typed."""

import io
import pickle
import re
import shlex

import click
import pytest

from perfmodel.cli import COMMANDS, main
from perfmodel.cli.output.progress import watched
from perfmodel.units import TypedDuration, human_duration
from tests.support.runner import runner

FILES = {
    "jobs.swf": "; MaxProcs: 8192\n; UnixStartTime: 0\n"
    "1 0 0 9 512 -1 -1 512 10 -1 1 1 1 1 1 1 -1 -1\n"
    "2 1 0 5 64 -1 -1 64 6 -1 1 1 1 1 1 1 -1 -1\n",
    "month.swf": "; MaxProcs: 8\n"
    + "".join(
        f"{i} {7000 * i} -1 {i * 37 % 900} {1 + i % 8} -1 -1 -1 999 -1 1 {i % 5} 1 -1 1 -1 -1 -1\n"
        for i in range(1, 400)
    ),
    "failures.csv": "node,down,up\n"
    + "".join(f"n{i % 7},2026-01-{i:02} {i}:00,2026-01-{i:02} {i}:40\n" for i in range(1, 20)),
    "clusters.toml": '[[cluster]]\nname = "a"\nmachines = 512\nprocessors_per_machine = 4\n',
    "machines.csv": "speed,mtbf [h],mttr [h]\n" + "1.0,1000,2\n2.0,1500,1\n" * 3,
}
LEAVES = [[name] for name in COMMANDS if name != "traces"] + [
    ["traces", name] for name in ("list", "fetch", "generate", "describe", "resample")
]


def run(*arguments):
    done = runner(env={"COLUMNS": "80"}).invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def example_of(command):
    found = re.search(r"\n  Example:\n((?:    .*\n)+)", run(*command, "--help"))
    assert found, command
    return shlex.split(found[1].replace("\\\n", " "))


@pytest.mark.parametrize("command", [[], ["traces"], *LEAVES])
def test_the_help_ends_with_an_example_of_the_command(command):
    assert example_of(command)[: len(command) + 1] == ["perfmodel", *command]


@pytest.mark.parametrize(
    "command",
    [command for command in LEAVES if command not in (["traces", "fetch"], ["demo"])],  # network
)
def test_the_example_runs(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    run(*example_of(command)[1:])


def completions(words, typed, shell="bash"):
    class Terminal(io.StringIO):
        pass

    environment = {
        "_PERFMODEL_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": f"perfmodel {words} {typed}",
        "COMP_CWORD": typed if shell == "fish" else str(len(words.split()) + 1),
    }
    done = runner(env=environment).invoke(main, [], prog_name="perfmodel")
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("words", "typed", "wanted"),
    [
        ("", "int", "interval"),
        ("traces", "gen", "generate"),
        ("interval", "--mt", "--mtbf"),
        ("fit x.csv --format", "la", "lanl"),
        ("interval --log x.csv --format", "cs", "csv"),
        ("replay x.swf --failure-format", "bgl", "bgl-ras"),
        ("interval --preset", "ll", "llama-3-405b"),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands_options_and_words(shell, words, typed, wanted):
    assert re.search(rf"(^|[\s,]){re.escape(wanted)}\b", completions(words, typed, shell))


def test_the_shell_completes_names_of_files_and_folders():
    assert completions("fit", "fail").split(",")[0] == "file"
    assert completions("traces fetch --to", "o").split(",")[0] == "dir"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell):
    environment = {"_PERFMODEL_COMPLETE": f"{shell}_source", "PATH": ""}
    done = runner(env=environment).invoke(main, [], prog_name="perfmodel")
    assert done.exit_code == 0, done.output
    assert f"_PERFMODEL_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.parametrize("command", LEAVES)
def test_every_command_can_be_quiet(command):
    assert run(*command, "--help").count("--quiet") == 1


def test_quiet_shows_no_progress_on_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stderr", type("Terminal", (), {"isatty": lambda self: True})())
    assert watched()
    seen = []
    command = main.get_command(click.Context(main), "interval")
    monkeypatch.setattr(command, "callback", lambda **_: seen.append(watched()))
    for flags in ([], ["--quiet"]):
        command.main([*flags, "--mtbf", "8h"], standalone_mode=False)
    assert seen == [True, False]


def test_durations_are_echoed_in_the_unit_in_which_they_were_typed():
    job = ["--mtbf", "90min", "--checkpoint-cost", "0.05h", "--recovery-cost", "300s"]
    text = run("interval", *job, "--work", "2d12h", "--downtime", "0min")
    for echoed in ("90 min (as given)", "0.05 h (as given)", "300 s", "2d12h", "0 min"):
        assert re.search(rf"(?<!\S){re.escape(echoed)}(?!\S)", text), echoed
    text = run("completion", *job, "--work", "10h", "--deadline", "1200min")
    assert "Done within 1200 min:" in " ".join(text.split())


def test_what_is_computed_from_a_typed_duration_is_a_plain_number():
    hour = TypedDuration.of(3600.0, "60min")
    assert (hour, human_duration(hour)) == (3600.0, "60 min")
    assert human_duration(2.0 * hour) == "2 h"
    again = pickle.loads(pickle.dumps(hour))
    assert (again, human_duration(again)) == (hour, "60 min")
    assert human_duration(TypedDuration.of(3600.0, "0" * 50 + "60min")) == "60 min"
