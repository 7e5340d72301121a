"""Lines of MetaCentrum's files: numbers and tables, as the Alea simulator writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..failures.frame import LineError
from .numbers import whole
from .report import Findings, Trace
from .sources import Content, text_lines

__all__ = []


def _read_table(
    content: Content,
    findings: Findings,
    parse: Callable[[str, int, Findings], list[dict[str, Any]]],
    names: tuple[str, ...],
    *,
    strict: bool,
) -> Trace:
    import pandas as pd

    rows, records = [], 0
    for number, line in enumerate(text_lines(content, findings), start=1):
        if not line.strip():
            continue
        records += 1
        try:
            rows += [row | {"line": number} for row in parse(line, number, findings)]
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
    if records == 0:
        findings.add("dropped", 1, "empty", "the file holds no record")
    frame = pd.DataFrame(rows, columns=[*names, "line"])
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _whole(name: str, text: str) -> int:
    number = whole(text)
    if number is None:
        raise LineError("not-a-number", f"{name} is {text!r}, not a whole number")
    return number


def _count(name: str, text: str, *, least: int = 1) -> int:
    number = _whole(name, text)
    if number < least:
        raise LineError("out-of-range", f"{name} is {number}, below {least}")
    return number
