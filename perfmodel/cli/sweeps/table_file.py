"""The table of a sweep as a file: all numbers, or those that a reader wants, by its ending."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import needing
from ..output.cells import Row, means_table
from ..output.kept_tables import written_tables
from ..output.whole_file import whole_file
from .cells import cells_of_sweep, measures_of_sweep, varied_of

if TYPE_CHECKING:
    from ...answers.sweeps.study_file import StudyFile

WHOLE = (".csv", ".parquet")  # every number with all its digits
ENDS = (*WHOLE, ".tex", ".md", ".html")
MOST_ON_A_PAGE = 10_000  # rows to be read
_COMPUTED = ("=", "+", "-", "@", "\t", "\r")  # what begins a formula of a spreadsheet
_AT_ONCE = 100_000  # rows of Parquet that are held


def write_table(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows with the same columns, every number as it is; equal rows give equal bytes."""
    with whole_file(path) as part:
        if path.suffix == ".parquet":
            with needing("--table"):
                _write_parquet(part, rows)
        else:
            _write_csv(part, rows)


def write_shown(path: Path, rows: Iterable[Mapping[str, Any]], study: StudyFile) -> None:
    """Write what was varied and the first numbers, to be read; a page of HTML has figures, too."""
    cells = cells_of_sweep(study, rows)
    with whole_file(path) as part:
        if path.suffix == ".html":
            part.write_text(_page(path.stem, cells, study), "utf-8")
        else:
            table = means_table(cells, "metrics", varied_of(study), measures_of_sweep(study, cells))
            part.write_text(written_tables([table], path.suffix, path.stem), "utf-8")


def _page(name: str, cells: Sequence[Row], study: StudyFile) -> str:
    from ..output.tables import printed_on
    from ..report import Page
    from ..report.sweeps import show_sweep

    page = Page(f"Sweep: {name}")
    with printed_on(page):
        show_sweep(page, study, cells)
    return page.html(study.about(), source=name, dated=False)


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
