"""What the command line prints, kept as transcripts: one file a command.

A block of a transcript is a line ``# why`` (optional), ``$ perfmodel ...``, what it prints (lines
of standard error begin with ``! ``) and, where it is not 0, the exit code as ``= 2``. ``$ cat F``
shows a file that a command has written, ``$ text F`` the words of a page; ``$ cat > F`` writes the
file F of the lines below it, each behind ``< ``; ``$ call f(x)`` what a function of `perfmodel`
returns, or raises, ``$ call sim.cluster.f(x)`` one of `sim`. All blocks of a transcript are played
in one folder, which begins as a copy of ``inputs``. Those in files ``...-long`` take seconds, and
are played by `make validate`.
``python -m tests.golden --write [name ...]`` plays them again and writes what they print: the
difference is what a change must answer for. Lines that are alike stay as they were.

Numbers of ten decimals or twelve digits, or more, may differ by 1e-9 of themselves, as they do
between processors and versions of NumPy; all else must be equal to the last byte.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from importlib import import_module
from itertools import zip_longest
from pathlib import Path

import click
import numpy as np
from click.testing import CliRunner

import perfmodel
import sim
from perfmodel.cli import main

__all__ = [
    "HELP",
    "INPUTS",
    "TRANSCRIPTS",
    "Block",
    "blocks",
    "differences",
    "help_page",
    "kept",
    "played",
    "written",
]

HERE = Path(__file__).parent
HELP = HERE.parents[1] / "docs" / "help.md"
INPUTS = HERE / "inputs"
TRANSCRIPTS = sorted(HERE.glob("*.txt"))

_LONG = re.compile(
    r"-?(?:(?=[0-9.]{13,})[0-9]+\.[0-9]{4,}|[0-9]+\.[0-9]{10,})(?:e[+-]?[0-9]+)?"
    r"|-?[0-9]\.[0-9]+e[+-]?[0-9]+"
)
_VERSION = re.compile(r"(perfmodel,? (?:version )?|\"perfmodel\": \")[0-9]+\.[0-9]+\.[0-9a-z.]+")
_MEASURED = re.compile(
    r"[0-9,.]+(?= kB)|(?<=computed in )[0-9,.]+(?= s)|(?<=\"local\": )(?:null|\".*\")"
)
_ENVIRONMENT = {
    **{"COLUMNS": "80", "NO_COLOR": "1", "TZ": "UTC", "PERFMODEL_TRACES": "no-such-folder"},
    "SOURCE_DATE_EPOCH": "1800000000",
}


@dataclass(frozen=True, slots=True)
class Block:
    """A command, why it is asked, and what it answered."""

    why: tuple[str, ...]
    command: str
    answer: tuple[str, ...] = ()


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a transcript."""
    why: list[str] = []
    found: Block | None = None
    for line in text.splitlines():
        if line.startswith("$ "):
            if found is not None:
                yield found
            found, why = Block(tuple(why), line[2:]), []
        elif line.startswith("#"):
            if found is not None:
                yield found
                found = None
            why.append(line)
        elif found is not None:
            found = replace(found, answer=(*found.answer, line))
    if found is not None:
        yield found


def written(found: list[Block]) -> str:
    """Return the transcript of blocks."""
    lines = [line for block in found for line in (*block.why, f"$ {block.command}", *block.answer)]
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def _folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "here"
        shutil.copytree(INPUTS, place)
        with contextlib.chdir(place):
            yield


def played(found: list[Block]) -> list[Block]:
    """Return the blocks with what their commands print today."""
    with _folder():
        return [replace(block, answer=tuple(_played(block))) for block in found]


def _played(block: Block) -> Iterable[str]:
    if not block.command.startswith("cat > "):
        return _answer(block.command)
    lines = [f"{line.removeprefix('<').removeprefix(' ')}\n" for line in block.answer]
    Path(block.command.removeprefix("cat > ")).write_text("".join(lines))
    return block.answer


def _answer(command: str) -> Iterator[str]:
    if command.startswith("call "):
        yield from _lines(_called(command.removeprefix("call ")))
        return
    words = shlex.split(command)
    if words[0] in ("cat", "text"):
        text = Path(words[1]).read_text()
        yield from _lines(text) if words[0] == "cat" else _Page().lines(text)
        return
    assert words[0] == "perfmodel", command
    result = CliRunner(env=_ENVIRONMENT).invoke(main, words[1:], prog_name="perfmodel")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    yield from _lines(result.stdout)
    yield from (f"! {line}".rstrip() for line in _lines(result.stderr))
    if result.exit_code:
        yield f"= {result.exit_code}"


def _called(call: str) -> str:
    named = {name: getattr(perfmodel, name) for name in perfmodel.__all__}
    for module in re.findall(r"\bsim(?:\.[a-z]+)+(?=\.)", call):
        import_module(module)
    known = {"np": np, "math": math, "inf": math.inf, "units": perfmodel.units, "sim": sim}
    try:
        return repr(eval(call, {**known, **named}))
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


class _Page(HTMLParser):
    """The words of a page, without figures, formulas, styles and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.within: list[str] = []
        self.words: list[str] = []

    def lines(self, page: str) -> list[str]:
        """Return the pieces of text between tags, a line each."""
        self.feed(page)
        return _lines("\n".join(self.words))

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("svg", "math", "style", "script"):
            self.within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if not self.within and data.strip():
            self.words.append(" ".join(data.split()))


def _lines(text: str) -> list[str]:
    text = _MEASURED.sub("<measured>", text)
    text = _VERSION.sub(r"\1<version>", text.replace(os.getcwd(), "<here>"))
    # Lines that a transcript gives a meaning are moved in by a blank.
    return [f" {line}" if re.match(r"[$#!=] ?", line) else line for line in text.splitlines()]


def differences(wanted: Block, got: Block) -> list[str]:
    """Return the lines that differ, each twice: as they were and as they are."""
    found = []
    for old, new in zip_longest(wanted.answer, got.answer):
        if old != new and not _alike(old, new):
            found += [f"- {old}" if old is not None else "- (no line)"]
            found += [f"+ {new}" if new is not None else "+ (no line)"]
    return found


def _alike(old: str | None, new: str | None) -> bool:
    if old is None or new is None or _LONG.sub("", old) != _LONG.sub("", new):
        return False
    pairs = zip(_LONG.findall(old), _LONG.findall(new), strict=True)
    return all(abs(float(a) - float(b)) <= 1e-9 * abs(float(a)) for a, b in pairs)


def kept(wanted: Block, got: Block) -> Block:
    """Return what a block answers today, in its old lines where they are alike."""
    pairs = zip_longest(wanted.answer, got.answer[: len(wanted.answer)])
    lines = [old if new is None or _alike(old, new) else new for old, new in pairs]
    return replace(got, answer=(*lines[: len(got.answer)], *got.answer[len(wanted.answer) :]))


def help_page() -> str:
    """Return the page that shows what ``--help`` prints, for every command."""
    parts = [
        "# Help of every command\n",
        "What `perfmodel COMMAND --help` prints;",
        "`python -m tests.golden --write help` writes it.\n",
    ]
    for names in _commands(main, ()):
        command = " ".join(["perfmodel", *names])
        parts.append(f"## {command}\n\n```text")
        parts += [*_answer(f"{command} --help"), "```\n"]
    return "\n".join(parts)


def _commands(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield (*path, name)
