import os
import subprocess
import sys

import click
import pytest

from perfmodel.cli import main
from perfmodel.cli.errors import OneLineGroup
from perfmodel.cli.options.types import OneOf, Several, Wanted
from tests.support.runner import runner


@click.group(cls=OneLineGroup)
def group() -> None:
    pass


@group.command()
@click.option("--count", type=int)
@click.argument("what")
def act(count, what):
    if what == "value":
        raise ValueError("mtbf must be > 0,\ngot -1.0")
    if what == "missing":
        open("/no/such/file").close()
    if what == "truncated":
        raise EOFError
    if what == "nested":
        raise RecursionError("maximum recursion depth exceeded")
    if what == "interrupt":
        raise KeyboardInterrupt
    if what == "bug":
        raise AssertionError("a bug of ours")
    click.echo(count)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["act", "value"], "Error: mtbf must be > 0, got -1.0"),
        (
            ["act", "missing"],
            "Error: /no/such/file must be readable, got 'no such file or directory'",
        ),
        (["act", "truncated"], "Error: EOFError"),
        (["act", "nested"], "Error: what is read must not be nested so deeply, got more levels"),
        (["act"], "Error: Missing argument 'WHAT'."),
        (["act", "--size", "3", "x"], "Error: No such option"),
        (["act", "--count", "x", "y"], "Error: Invalid value for '--count'"),
        (["dance"], "Error: No such command 'dance'"),
    ],
)
def test_a_refusal_is_one_line_and_exit_code_2(arguments, line):
    done = runner().invoke(group, arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_success_exits_with_0():
    done = runner().invoke(group, ["act", "--count", "3", "x"])
    assert (done.exit_code, done.output) == (0, "3\n")


def test_help_exits_with_0():
    done = runner().invoke(group, ["act", "--help"])
    assert done.exit_code == 0
    assert "Usage:" in done.output


def test_an_interrupt_is_one_line_and_exit_code_130():
    done = runner().invoke(group, ["act", "interrupt"])
    assert done.exit_code == 130
    assert done.stderr.strip() == "Interrupted: the same command begins anew."


def test_a_bug_of_ours_is_not_dressed_up_as_bad_input():
    done = runner().invoke(group, ["act", "bug"])
    assert isinstance(done.exception, AssertionError)


def test_the_caller_of_the_group_may_ask_for_exceptions():
    with pytest.raises(click.ClickException, match="got -1"):
        group.main(["act", "value"], standalone_mode=False)


def test_a_closed_pipe_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "perfmodel", "--help"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 1


def parameters(command):
    """Return the arguments and options of a command and of the commands in it."""
    context = click.Context(command)
    yield from command.get_params(context)
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        yield from parameters(command.get_command(context, name))


def test_every_value_is_refused_in_the_words_of_the_project():
    # Types of click have their own: "Invalid value for '--to': Directory 'x' is a file".
    ours = (Wanted, OneOf)
    plain = (
        click.types.StringParamType,
        click.types.BoolParamType,
        click.types.UnprocessedParamType,
    )
    others = [
        parameter.opts
        for parameter in parameters(main)
        if not isinstance(one_of_several(parameter.type), (*ours, *plain))
    ]
    assert others == []


def one_of_several(kind):
    return kind.one if isinstance(kind, Several) else kind
