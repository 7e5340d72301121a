"""Write the catalogue of formulas, at each build, from the registry and the map of the judge.

The page ``catalogue.md`` has two lines that are replaced; no file is written. A run of
``python -m validation --json > build/verdicts.json`` beforehand adds the verdicts.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from matrix import matrix

import sim.application
from perfmodel.formula import Formula
from perfmodel.registry import FORMULAS

MARK = "<!-- the catalogue -->"
MATRIX = "<!-- the matrix -->"
VERDICTS = Path(__file__).resolve().parents[2] / "build" / "verdicts.json"


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", _fill)
    app.connect("env-get-outdated", lambda *_: ["catalogue"])
    return {"parallel_read_safe": True}


def _fill(app: Any, docname: str, source: list[str]) -> None:
    del app
    if docname == "catalogue":
        for mark in (MARK, MATRIX):
            if mark not in source[0]:
                raise ValueError(f"catalogue.md must have the line {mark}, got none")
        names = [*(row.name for row in FORMULAS), *sim.application.__all__]
        source[0] = source[0].replace(MATRIX, matrix(names))
        source[0] = source[0].replace(MARK, catalogue(FORMULAS, judged(), verdicts()))


def judged() -> dict[str, list[str]]:
    """Return a line for every ratio of every formula: its range, and whether all was judged."""
    from validation.ranges.coverage import spans

    lines: dict[str, list[str]] = defaultdict(list)
    for span in spans(enough=True):
        low, high = span.documented
        verb = "judged" if span.judged else "**not all of it judged**"
        lines[span.formula].append(f"`{span.ratio}` {low:g} to {high:g}: {verb}")
    return lines


def verdicts(path: Path = VERDICTS) -> dict[str, str]:
    """Return how many points of each formula passed, from a run of the judge written to `path`."""
    if not path.exists():
        return {}
    passed: Counter[str] = Counter()
    heard: Counter[str] = Counter()
    for verdict in json.loads(path.read_text())["verdicts"]:
        heard[verdict["formula"]] += 1
        passed[verdict["formula"]] += bool(verdict["passed"])
    return {name: f"{passed[name]} of {heard[name]} points passed" for name in heard}


def catalogue(
    rows: Iterable[Formula],
    ranges: Mapping[str, list[str]],
    points: Mapping[str, str],
) -> str:
    """Return the catalogue as Markdown: a section for each module, an entry for each formula."""
    modules: dict[str, list[Formula]] = defaultdict(list)
    for row in rows:
        modules[row.function.__module__.split(".")[1]].append(row)
    return "\n".join(
        f"## {module}\n\n" + "\n".join(entry(row, ranges, points) for row in found)
        for module, found in sorted(modules.items())
    )


def entry(row: Formula, ranges: Mapping[str, list[str]], points: Mapping[str, str]) -> str:
    """Return the entry of one formula."""
    lines = [f"### {row.name}", "", row.summary, ""]
    for math in row.equations:
        lines += ["```{math}", math, "```", ""]
    kind = f"{row.kind} if {row.within}" if row.within else row.kind
    lines += [f"* Source: {row.source}, {row.equation}", f"* Kind: {kind}"]
    if row.range is not None:
        lines += [f"* Range: {row.range}"]
    # A formula with no ratio of its own is judged at all ratios that its cases draw.
    lines += [f"* {line}" for line in ranges.get(row.name, [f"Documented range: {row.documented}"])]
    if row.name in points:
        lines += [f"* Last run of the judge: {points[row.name]}"]
    return "\n".join([*lines, ""])
