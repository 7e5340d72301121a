"""The README's table and commands; its Python runs as doctests. Running this file rewrites it.

``python -m tests.test_readme`` keeps the verdicts of formulas it knows; with ``--judge`` the quick
validation is run for all (a minute).
"""

import re
import shlex
import sys
from collections import Counter
from pathlib import Path

import pytest

from perfmodel import FORMULAS
from perfmodel.cli import main
from sim.traces import FAILURE_FORMATS, JOB_FORMATS
from tests.support.runner import runner

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TABLE = re.compile(r"\| formula \|.*?(?=\n\n)", re.DOTALL)
CONSOLE = re.compile(r"```console\n\$ (perfmodel [^\n]*)\n(.*?)```", re.DOTALL)
REWRITE = "rewrite it with `python -m tests.test_readme`"


def formula_table(verdicts):
    """Return the table of formulas as the catalogue has it, with a verdict for each name."""
    rows = [
        (
            f"`{row.name}`",
            f"{row.source}, {row.equation}",
            f"{row.kind} if {row.within}" if row.within else row.kind,
            formula_range(row),
            verdicts.get(row.name, "none yet"),
        )
        for row in FORMULAS
    ]
    lines = [("formula", "source", "kind", "range", "last verdict"), ("---",) * 5, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def formula_range(row):
    """Return where an approximation holds, and which ratios are not judged from 1e-6 to 1e6."""
    if row.range is None:
        return row.documented
    return str(row.range) if row.documented == "any" else f"{row.range}; {row.documented}"


def recorded_verdicts():
    """Return the verdicts that the README's table shows, by formula."""
    return dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", README.read_text(), re.MULTILINE))


def fresh_verdicts():
    """Run the quick validation; return how many points of each formula passed."""
    from validation.judge.run import run_cases
    from validation.subjects import CASES
    from validation.tiers import quick

    passed, heard = Counter(), Counter()
    for verdict in run_cases(CASES, (), quick(None)).verdicts:
        heard[verdict.formula] += 1
        passed[verdict.formula] += bool(verdict.passed)
    return {name: f"{passed[name]} of {heard[name]} points" for name in heard}


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
    assert found[0] == formula_table(recorded_verdicts()), REWRITE


def test_no_formula_is_shown_whose_last_verdict_was_against_it():
    for name, verdict in recorded_verdicts().items():
        points = re.fullmatch(r"(\d+) of (\d+) points|none yet", verdict)
        assert points, (name, verdict)
        assert points[1] == points[2], name


def test_what_the_console_shows_is_what_the_commands_print():
    blocks = CONSOLE.findall(README.read_text())
    assert blocks
    for command, shown in blocks:
        assert shown == output_of(command), REWRITE


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("perfmodel")])
def test_commands_run(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    assert output_of(line)


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("make")])
def test_targets_exist(line):
    target = line.split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_formats_shown_are_those_that_can_be_read():
    rows = re.findall(
        r"^\| (jobs|failures), `read_\w+\(source, format\)` \| (.*) \|$",
        README.read_text(),
        re.MULTILINE,
    )
    shown = {kind: set(re.findall(r"`([\w-]+)`", names)) for kind, names in rows}
    assert shown == {"jobs": set(JOB_FORMATS), "failures": set(FAILURE_FORMATS)}


def test_no_other_command_is_shown_untested():
    known = ("perfmodel ", "make ", "python -m validation")
    assert [line for line in shell_lines() if not line.startswith(known)] == []


def test_the_first_screen_says_what_it_is_then_what_it_is_not_then_shows_it():
    text = README.read_text()
    what_it_is_not, example = text.index("is not a monitoring tool"), text.index("```python")
    assert what_it_is_not < example < text.index("## Install")
    assert text[: text.index("## Install")].count("\n") < 35


def rewrite(verdicts):
    """Bring the table and the console output up to date."""
    text = TABLE.sub(lambda _: formula_table(verdicts), README.read_text())
    text = CONSOLE.sub(lambda m: f"```console\n$ {m[1]}\n{output_of(m[1])}```", text)
    README.write_text(text)


if __name__ == "__main__":
    rewrite(fresh_verdicts() if "--judge" in sys.argv else recorded_verdicts())
