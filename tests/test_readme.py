"""The README's table and commands; its Python runs as doctests. Rewrite it by running this."""

import re
import shlex
from pathlib import Path

import pytest

from perfmodel import FORMULAS
from perfmodel.cli import main
from tests.cli.runner import runner

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TABLE = re.compile(r"\| formula \|.*?(?=\n\n)", re.DOTALL)
CONSOLE = re.compile(r"```console\n\$ (perfmodel [^\n]*)\n(.*?)```", re.DOTALL)
REWRITE = "rewrite it with `python -m tests.test_readme`"


def formula_table():
    """Return the table of formulas as the catalogue has it."""
    rows = [
        (f"`{row.name}`", f"{row.source}, {row.equation}", row.kind, str(row.range or "any"))
        for row in FORMULAS
    ]
    lines = [("formula", "source", "kind", "range"), ("---",) * 4, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def output_of(command):
    """Return what the command prints on a terminal of 80 columns."""
    done = runner(env={"COLUMNS": "80"}).invoke(main, shlex.split(command)[1:])
    assert done.exit_code == 0, done.output
    return done.stdout


def shell_lines():
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_table_of_formulas_is_that_of_the_catalogue():
    found = TABLE.search(README.read_text())
    assert found, "README.md must have a table of formulas"
    assert found[0] == formula_table(), REWRITE


def test_what_the_console_shows_is_what_the_commands_print():
    blocks = CONSOLE.findall(README.read_text())
    assert blocks
    for command, shown in blocks:
        assert shown == output_of(command), REWRITE


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("perfmodel")])
def test_commands_run(line):
    assert output_of(line)


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("make")])
def test_targets_exist(line):
    target = line.split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_no_other_command_is_shown_untested():
    known = ("perfmodel ", "make ", "python -m validation")
    assert [line for line in shell_lines() if not line.startswith(known)] == []


def test_the_first_screen_says_what_it_is_then_what_it_is_not_then_shows_it():
    text = README.read_text()
    assert text.index("is no monitoring tool") < text.index("```python") < text.index("## Install")
    assert text[: text.index("## Install")].count("\n") < 35


def rewrite():
    """Bring the table and the console output up to date."""
    text = TABLE.sub(lambda _: formula_table(), README.read_text())
    text = CONSOLE.sub(lambda m: f"```console\n$ {m[1]}\n{output_of(m[1])}```", text)
    README.write_text(text)


if __name__ == "__main__":
    rewrite()
