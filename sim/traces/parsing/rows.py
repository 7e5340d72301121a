"""Records that are read one by one: the rows of each, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from ..failures.frame import LineError
from .report import Findings
from .sources import Content, text_lines

__all__ = ["parsed_rows", "written_lines"]

T = TypeVar("T")


def written_lines(content: Content, findings: Findings) -> list[tuple[int, str]]:
    """Return the lines of a text that are not blank, each with its number."""
    lines = enumerate(text_lines(content, findings), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def parsed_rows(
    records: Iterable[tuple[int, T]],
    parse: Callable[[T, int, Findings], Sequence[dict[str, Any]]],
    findings: Findings,
) -> list[dict[str, Any]]:
    """Return the rows of all records with their `line`; what `parse` refuses is dropped."""
    rows: list[dict[str, Any]] = []
    for number, record in records:
        try:
            rows.extend(row | {"line": number} for row in parse(record, number, findings))
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
    return rows
