"""The README's commands, and those of pages under docs/; its Python runs as doctests.

``python -m tests.test_readme`` brings the console output of the README up to date.
"""

import re
from pathlib import Path

import pytest

from perfmodel.registry import FORMULAS
from sim.traces import FAILURE_FORMATS, JOB_FORMATS
from tests.support.logs import require
from tests.support.pages import output_of, rewritten

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("command-line", "logs", "validation")]
# A log in which a node of 512 fails every two days.
FAILURES = "failed,repaired,node\n" + "".join(
    f"{date} 0{day % 8}:00:00,{date} 1{day % 8}:00:00,n{37 * day % 512}\n"
    for day in range(0, 336, 2)
    for date in [f"2025-{1 + day // 28:02}-{1 + day % 28:02}"]
)
CONSOLE = re.compile(r"```console\n\$ (perfmodel [^\n]*)\n(.*?)```", re.DOTALL)
REWRITE = "rewrite it with `python -m tests.test_readme`"


def shell_lines():
    text = "".join(page.read_text() for page in (README, *PAGES))
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_what_the_console_shows_is_what_the_commands_print():
    blocks = CONSOLE.findall(README.read_text())
    assert blocks
    for command, shown in blocks:
        assert shown == output_of(command), REWRITE


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("perfmodel")])
def test_commands_run(line, tmp_path, monkeypatch):
    if line.startswith("perfmodel traces fetch"):
        require(f"jobs/pwa/{line.split()[-1]}.swf.gz")  # else it would be downloaded
    monkeypatch.chdir(tmp_path)  # some write files
    if "failures.csv" in line:
        (tmp_path / "failures.csv").write_text(FAILURES)
    assert output_of(line)


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("make")])
def test_targets_exist(line):
    target = line.split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_numbers_of_formulas_are_those_of_the_catalogue():
    for page in (README, ROOT / "paper" / "paper.md"):
        counts = re.findall(r"(\d+) formulas", page.read_text())
        assert set(map(int, counts)) == {len(FORMULAS)}, page


def test_the_promises_of_the_paper_are_those_that_were_counted():
    counted = (ROOT / "docs" / "promises.md").read_text()
    held = {
        name: float(re.search(rf"^\| {name} \|[^|]*\|[^|]*\| ([0-9.]+) ", counted, re.M)[1])
        for name in ("exponential, past mean", "mixture")
    }
    paper = " ".join((ROOT / "paper" / "paper.md").read_text().split())
    constant, mixture = re.findall(r"keeps (\d+) %", paper)
    assert int(constant) == round(held["exponential, past mean"])
    assert int(mixture) == round(held["mixture"])


def test_the_papers_that_are_repeated_are_five():
    papers = sorted((ROOT / "docs" / "reproduction").glob("*.json"))
    assert len(papers) == 5
    assert "experiments of five papers" in README.read_text()
    assert "Experiments of five papers" in (ROOT / "paper" / "paper.md").read_text()


def test_the_formats_shown_are_those_that_can_be_read():
    rows = re.findall(
        r"^\| (jobs|failures), `read_\w+\(source, format\)` \| (.*) \|$",
        (ROOT / "docs" / "logs.md").read_text(),
        re.MULTILINE,
    )
    shown = {kind: set(re.findall(r"`([\w-]+)`", names)) for kind, names in rows}
    assert shown == {"jobs": set(JOB_FORMATS), "failures": set(FAILURE_FORMATS)}


def test_no_other_command_is_shown_untested():
    known = ("perfmodel ", "make ", "python -m validation")
    assert [line for line in shell_lines() if not line.startswith(known)] == []


def test_the_first_screen_says_what_it_is_then_what_it_is_not_then_shows_it(tmp_path):
    text = README.read_text()
    screen = text[: text.index("## Install")]
    assert screen.index("is not a monitoring tool") < screen.index("```text") < screen.index("![")
    assert screen.count("\n") < 35
    command = re.search(r"```text\n(perfmodel .*)\n", screen)[1].replace("plan.html", "{}")
    page = tmp_path / "plan.html"
    output_of(command.format(page).replace("docs/", f"{ROOT}/docs/"))
    assert "4,096 nodes" in page.read_text()


def test_the_readme_is_one_page():
    assert README.read_text().count("\n") < 200


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text()))
