"""Every answer of the command line is as it was, but for what a change lists in its own commit."""

import re

import pytest
from click import Context, Group

from perfmodel.cli import main
from tests.golden import HELP, TRANSCRIPTS, Block, blocks, differences, help_page, kept, played

REWRITE = "if that is meant: python -m tests.golden --write"


def commands(group, path=()):
    """Yield the names and parameters of every command."""
    for name in group.list_commands(Context(group)):
        command = group.get_command(Context(group), name)
        if isinstance(command, Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command.params


def transcripts():
    """Yield the transcripts; what is long, and shows what another does too, is for later."""
    for path in TRANSCRIPTS:
        marks = [pytest.mark.slow] if path.stem.endswith("-long") else []
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", [*transcripts()])
def test_a_transcript_is_as_it_was(path):
    wanted = list(blocks(path.read_text()))
    assert wanted
    found = []
    for old, new in zip(wanted, played(wanted), strict=True):
        if lines := differences(old, new):
            found += [f"$ {old.command}", *lines]
    assert not found, "\n".join([f"{path.name}; {REWRITE}", *found])


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_one_thing_is_no_plural(path):
    words = "job|time|processor|failure|cell|repair|cluster|seed|gap|step|record|row|user|uptime"
    assert re.findall(rf"(?<![0-9.,:=-])\b1 (?:{words})s\b.*", path.read_text()) == []


def test_every_option_of_every_command_is_in_a_transcript():
    lines = [block.command for path in TRANSCRIPTS for block in blocks(path.read_text())]
    missing = []
    for names, params in commands(main):
        if names == ("demo",):  # its answer depends on which logs a machine has
            continue
        start = " ".join(["perfmodel", *names, ""])
        asked = {word for line in lines if line.startswith(start) for word in line.split()}
        for param in params:
            known = [*param.opts, *param.secondary_opts]
            if known[0].startswith("-") and asked.isdisjoint(known):
                missing.append(" ".join([*names, known[0]]))
    assert missing == []


def test_the_page_of_help_is_what_the_commands_print():
    assert HELP.read_text() == help_page(), f"{HELP.name}; {REWRITE}"


def test_a_line_that_is_not_as_it_was_is_found():
    old = Block((), "perfmodel", ("mtbf  8 h", '"x": 1.2345678901234', "= 2"))
    assert differences(old, old) == []
    near = Block((), "perfmodel", ("mtbf  8 h", '"x": 1.2345678901239', "= 2"))
    assert differences(old, near) == []
    large = Block((), "perfmodel", ('"x": 11910083.128408983',))
    assert differences(large, Block((), "perfmodel", ('"x": 11910083.12840892',))) == []
    assert differences(large, Block((), "perfmodel", ('"x": 11910083.52840892',))) != []
    far = Block((), "perfmodel", ("mtbf  9 h", '"x": 1.2345678991234'))
    assert differences(old, far) == [
        *("- mtbf  8 h", "+ mtbf  9 h", '- "x": 1.2345678901234', '+ "x": 1.2345678991234'),
        *("- = 2", "+ (no line)"),
    ]


def test_lines_that_are_alike_stay_as_they_were():
    old = Block(("# why",), "perfmodel", ('"x": 1.2345678901234', "mtbf  8 h", "= 2"))
    new = Block(("# why",), "perfmodel", ('"x": 1.2345678901239', "mtbf  9 h"))
    assert kept(old, new).answer == ('"x": 1.2345678901234', "mtbf  9 h")
    longer = Block((), "perfmodel", (*old.answer, "more"))
    assert kept(old, longer).answer == longer.answer
