"""Records that are read one by one: the rows of each, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from .report import Findings
from .sources import Content, text_lines

__all__ = ["LineError", "parsed_rows", "written_lines"]

T = TypeVar("T")


class LineError(ValueError):
    """Raised by the parser of a record: the rule that the record breaks, and how."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule


def written_lines(content: Content, findings: Findings) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are not blank, each with its number."""
    lines = enumerate(text_lines(content, findings), start=1)
    return ((number, line) for number, line in lines if line.strip())


def parsed_rows(
    records: Iterable[tuple[int, T]],
    parse: Callable[[T, int, Findings], Sequence[dict[str, Any]]],
    findings: Findings,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of all records with their `line`; what `parse` refuses is dropped."""
    for number, record in records:
        findings.records += 1
        try:
            rows = parse(record, number, findings)
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
            continue
        for row in rows:
            yield row | {"line": number}
