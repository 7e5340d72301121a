"""Small CSV tables that a user writes for one run; an error names the line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from asking.refusals import Refused

from ...traces.parsing import Findings, Limited, Limits, open_source, split_csv, text_lines


def csv_rows(
    path: Path,
    columns: Sequence[str],
    *,
    needed: Sequence[Sequence[str]],
    notes: list[str],
    limits: Limits,
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return which of `columns` a table has, and its rows with their line numbers.

    Of each entry of `needed` one column must be there. Others are noted and not read; an error of
    a line begins with its number, for `of_file`.
    """
    findings = Findings()
    content = open_source(Limited(path, limits), findings)
    lines = text_lines(content, findings)
    findings.report(content.name, records=len(lines), rows=len(lines), strict=True)
    rows = [(number, split_csv(line)) for number, line in enumerate(lines, 1) if line.strip()]
    names = [name.strip() for name in rows[0][1]] if rows else []
    for choices in needed:
        if not set(choices) & set(names):
            found = ", ".join(names)[:200] or "none"
            wanted = " or ".join(map(repr, choices))
            raise Refused("{} must have a column {}, got {}", path.name, wanted, found)
    kept = [name for name in columns if name in names]
    if unused := [name for name in names if name not in kept]:
        notes.append(f"{path.name}: columns that are not used: {', '.join(unused)[:100]}")
    for name in kept:
        if names.count(name) > 1:
            raise ValueError(f"line 1: columns must have different names, got {name[:60]!r} twice")
    for number, row in rows[1:]:
        if len(row) != len(names):
            raise ValueError(f"line {number}: must have {len(names):,} columns, got {len(row):,}")
    places = [names.index(name) for name in kept]
    return kept, [(number, [row[place].strip() for place in places]) for number, row in rows[1:]]
