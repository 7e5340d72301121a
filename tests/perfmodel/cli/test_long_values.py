"""Values that are far too long, such as a file pasted by mistake: a refusal shows a part."""

import click
import pytest

from perfmodel.cli import COMMANDS, main
from tests.support.examples import some
from tests.support.runner import runner

JOBS = """; MaxProcs: 4
1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1
"""
LONG = "xy" * 5000
VALUES = (
    LONG,
    f"fcfs,{LONG}",
    f"1={LONG}",
    f"bluegene:{LONG}",
    "a b " * 2500,
    f"'{LONG}",
    "9" * 9999,
)
NEEDS = {
    "--allocation": ["--machine", "bluegene:1x1"],
    "--partitions": ["--requirements", "reconstruct"],
    "--reconstruct-by": ["--requirements", "reconstruct"],
    "--format": ["--log", "LOG", "--checkpoint-cost", "1s"],
    "--scheduler": ["--machine", "bluegene:1x1"],
    "--utility": ["--machine", "bluegene:1x1"],
    "--utility-expr": ["--machine", "bluegene:1x1"],
}
VALUED = {
    name: [
        max(parameter.opts, key=len)
        for parameter in main.get_command(None, name).params
        if isinstance(parameter, click.Option) and not parameter.is_flag
    ]
    for name in COMMANDS
}


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


@pytest.mark.parametrize("name", [name for name, options in VALUED.items() if options])
def test_a_long_value_is_not_echoed_whole(name, log, tmp_path):
    grid = tmp_path / "grid.toml"
    grid.write_text('[[cluster]]\nname = "a"\nmachines = 4\n')
    of_a_job = name in ("interval", "completion", "goodput", "simulate")
    words = [] if of_a_job or name in ("nodes", "spares") else [log]
    words += ["--machines", str(grid)] if name == "grid" else []
    for number, option in enumerate(VALUED[name]):
        needed = NEEDS.get(option, ()) if of_a_job or option != "--format" else ()
        more = [log if word == "LOG" else word for word in needed]
        for value in some(VALUES, number):
            done = runner().invoke(main, [name, *words, *more, option, value])
            assert done.exit_code == 2, (option, value[:20], done.output)
            assert done.stderr.count("\n") == 1
            assert len(done.stderr) < 700, (option, value[:20], done.stderr[:300])


def test_a_long_value_shows_how_it_begins_and_ends():
    value = f"begin{LONG}end"
    done = runner().invoke(main, ["interval", "--mtbf", value])
    assert done.stderr.startswith("Error: --mtbf must be a duration with a unit")
    assert "got 'beginxyxyxy" in done.stderr
    assert "yxyend'" in done.stderr
    assert "..." in done.stderr


def test_a_value_of_ordinary_length_is_echoed_whole():
    value = "/".join(["folder"] * 25)
    done = runner().invoke(main, ["interval", "--log", value])
    assert value in done.stderr


@pytest.mark.parametrize("arguments", [[LONG], ["interval", f"--{LONG}"], ["interval", LONG]])
def test_a_long_name_is_not_echoed_whole(arguments):
    done = runner().invoke(main, arguments)
    assert done.exit_code == 2
    assert len(done.stderr) < 700


@pytest.mark.parametrize("option", ["--failures", "--out"])
def test_a_name_too_long_for_a_file_is_refused_by_the_name_of_its_option(option, log):
    done = runner().invoke(main, ["replay", log, option, LONG])
    assert done.stderr.startswith(f"Error: {option} must be a ")
    assert "(file name too long)" in done.stderr


@pytest.mark.parametrize("said", ["9" * 5000, "-1", "0", "many"])
def test_a_size_in_the_header_that_cannot_be_used_is_named(said, tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS.replace("MaxProcs: 4", f"MaxProcs: {said}\n; MaxNodes: 4"))
    done = runner().invoke(main, ["replay", str(path)])
    assert done.exit_code == 0
    assert f"MaxProcs is {said[:40]!r}, not a number from 1 on" in " ".join(done.output.split())
    assert len(done.output) < 4000
