"""The code of a page: its Python and its console, run in order in the folder that is current."""

import doctest
import re
import shlex
from pathlib import Path

from perfmodel.cli import main
from tests.support.runner import runner

__all__ = ["output_of", "play", "rewritten"]

_BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_HEAD = re.compile(r"(.*) \| head -(\d+)")
_CODE = "; echo $?"


def output_of(command):
    """Return what the command prints on a terminal of 80 columns, and its code if shown."""
    plain = command.removesuffix(_CODE)
    done = runner(env={"COLUMNS": "80"}).invoke(main, shlex.split(plain)[1:])
    if plain != command:
        return f"{done.stdout}{done.exit_code}\n"
    assert done.exit_code == 0, done.output
    return done.stdout


def play(text, name):
    """Run every block of a page; return how many there were."""
    names = {"__name__": "page"}
    blocks = _BLOCK.findall(text)
    for kind, block in blocks:
        if kind == "console":
            for command, shown in _commands(block):
                assert shown == _printed(command, shown), command
        elif ">>>" in block:
            _doctest(block, names, name)
        else:
            exec(compile(block, name, "exec"), names)
    return len(blocks)


def rewritten(text):
    """Return a page with what its commands print today; its Python stays as it is."""

    def filled(found):
        if found[1] == "python":
            return found[0]
        shown = "".join(f"$ {c}\n{_printed(c, shown)}" for c, shown in _commands(found[2]))
        return f"```console\n{shown}```"

    return _BLOCK.sub(filled, text)


def _commands(block):
    """Return each command of a console, lines ended by a backslash joined, with what it shows."""
    found = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert found, block
    return found


def _printed(command, shown):
    """Return what a command prints; `cat` writes the file that it shows."""
    joined = command.replace("\\\n", " ")
    if joined.startswith("cat "):
        Path(joined.split()[1]).write_text(shown)
        return shown
    head = _HEAD.fullmatch(joined)
    assert joined.startswith("perfmodel "), joined
    printed = output_of(head[1] if head else joined)
    return "".join(printed.splitlines(keepends=True)[: int(head[2])]) if head else printed


def _doctest(block, names, name):
    test = doctest.DocTestParser().get_doctest(block, names, name, name, 0)
    names.update(test.globs)
    report = []
    doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)
