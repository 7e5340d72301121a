"""The documents of the reproductions: counts that agree with rows, and pictures that are there."""

import re
from collections import Counter
from pathlib import Path

import pytest

from validation.reproduction import PAPERS, PLACES

PAGES = Path(__file__).parents[3] / "docs" / "reproduction"
WORDS = ("holds", "unresolved", "fails")


def verdicts(text):
    """Return how many rows of each verdict every table of rows has."""
    found, count = [], None
    for line in text.splitlines():
        if not line.startswith("|"):
            count = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[-1] == "verdict":
            count = Counter()
            found.append(count)
        elif count is not None and not set(line) <= set("|-"):
            count[re.match(r"\**([a-z]+)", cells[-1])[1]] += 1
    return found


def stated(paper):
    """Return the counts in the table of all papers."""
    lines = (PAGES / "README.md").read_text().splitlines()
    rows = [
        line for line in lines if line.startswith(f"| [{paper}](") and f"| `{paper}" not in line
    ]
    return [tuple(int(cell) for cell in row.strip("| ").split("|")[-3:]) for row in rows]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_of_all_papers_counts_the_rows_of_each(paper):
    counts = verdicts((PAGES / f"{paper}.md").read_text())
    assert counts
    assert stated(paper) == [tuple(count[word] for word in WORDS) for count in counts]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_picture_is_there_and_every_one_is_shown(paper):
    shown = re.findall(r"\]\(figures/([\w.-]+)\)", (PAGES / f"{paper}.md").read_text())
    assert sorted(shown) == sorted(path.name for path in PAGES.glob(f"figures/{paper}-*.svg"))


@pytest.mark.parametrize("paper", PAPERS)
def test_the_counts_stand_at_the_top(paper):
    text = (PAGES / f"{paper}.md").read_text()
    before = text.split("\n## ")[0]
    top = re.findall(r"(\d+) hold, (\d+) unresolved, (\d+) fail\.", before)
    assert [tuple(map(int, counts)) for counts in top] == stated(paper)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_place_of_a_paper_is_listed_with_its_command_picture_and_verdicts(paper):
    lines = (PAGES / "README.md").read_text().splitlines()
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in lines
        if line.startswith(f"| [{paper}](") and f"| `{paper}" in line
    ]
    places = [re.sub(r"[. ]", "", row[1]).lower() for row in rows if "--only" in row[2]]
    assert tuple(places) == PLACES[paper]
    for place, row in zip(places, rows, strict=False):
        assert row[2] == f"`{paper} --only {place}`"
        assert bool(row[3]) == (PAGES / f"figures/{paper}-{place}.svg").exists()
        assert row[3] in ("", f"[{place}](figures/{paper}-{place}.svg)")
    by_place = [sum(int(row[-3 + word]) for row in rows) for word in range(3)]
    assert by_place == [sum(counts) for counts in zip(*stated(paper), strict=True)]
