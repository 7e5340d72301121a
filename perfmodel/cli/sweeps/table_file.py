"""The table of a sweep as a file: CSV, Parquet or a page of HTML, by the end of its name."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import needing
from ..output.whole_file import whole_file

__all__ = ["ENDS", "MOST_ON_A_PAGE", "write_table"]

ENDS = (".csv", ".parquet", ".html")
MOST_ON_A_PAGE = 10_000  # rows that a browser shows at once
_COMPUTED = ("=", "+", "-", "@", "\t", "\r")  # what begins a formula of a spreadsheet
_AT_ONCE = 100_000  # rows of Parquet that are held


def write_table(
    path: Path, rows: Iterable[Mapping[str, Any]], about: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Write rows with the same columns; equal rows give equal bytes.

    A page of HTML ends in what it is `about`.
    """
    with whole_file(path) as part:
        if path.suffix == ".html":
            _write_page(part, path.stem, rows, about)
        elif path.suffix == ".parquet":
            with needing("--table"):
                _write_parquet(part, rows)
        else:
            _write_csv(part, rows)


def _write_csv(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        first = True
        for row in rows:
            if first:
                writer.writerow(map(_inert, row))
                first = False
            writer.writerow(map(_inert, row.values()))


def _inert(value: Any) -> Any:
    """Return a text that a spreadsheet would compute with a sign by which it does not."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_COMPUTED) else value


def _write_page(
    path: Path, name: str, rows: Iterable[Mapping[str, Any]], about: Mapping[str, str]
) -> None:
    from ..report.page import Page

    page = Page(f"Sweep: {name}")
    page.heading("Cells")
    found = list(rows)
    page.table(
        [*found[0]],
        [[str(value) for value in row.values()] for row in found],
        words=0,
    )
    path.write_text(page.html(about, source=name, dated=False), "utf-8")


def _write_parquet(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    waiting = iter(rows)
    first = list(islice(waiting, _AT_ONCE))
    # A column's type must be known before later rows are: a number, unless it holds a text.
    schema = pa.schema([(name, _kind(pa, [row[name] for row in first])) for name in first[0]])
    with pq.ParquetWriter(path, schema) as writer:
        for group in chain([first], _groups(waiting)):
            columns = {
                field.name: pa.array([_cell(row[field.name]) for row in group], field.type)
                for field in schema
            }
            writer.write_table(pa.table(columns, schema=schema))


def _groups(rows: Iterator[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    while group := list(islice(rows, _AT_ONCE)):
        yield group


def _kind(pa: Any, values: list[Any]) -> Any:
    known = [value for value in values if value != ""]
    if known and all(isinstance(value, bool) for value in known):
        return pa.bool_()
    if known and not any(isinstance(value, str | bool) for value in known):
        return pa.float64()
    return pa.string()


def _cell(value: Any) -> Any:
    return None if value == "" else value
