"""Lines of MetaCentrum's files: numbers and tables, as the Alea simulator writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .numbers import whole
from .report import Findings, Trace
from .rows import LineError, parsed_rows, written_lines
from .sources import Content


def _read_table(
    content: Content,
    findings: Findings,
    parse: Callable[[str, int, Findings], list[dict[str, Any]]],
    names: tuple[str, ...],
    *,
    strict: bool,
) -> Trace:
    import pandas as pd

    rows = parsed_rows(written_lines(content, findings), parse, findings)
    frame = pd.DataFrame(list(rows), columns=[*names, "line"])
    return findings.trace(content.name, frame, strict=strict)


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
