"""A Parquet table as the lines of text that it would be: a header, then a line per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import chain
from typing import IO, Any

from .limits import Limits

MAGIC = b"PAR1"
_ROWS, _CELLS = 1 << 14, 1 << 18  # at a time
_BYTES = 1 << 24  # of values at a time, where their length is known
_FEW = 64  # rows at a time where a value is told by what it shares with the one before
_SLURM = {"JobID", "JobIDRaw", "NodeName"}  # whose text has bars between its fields


def parquet_lines(data: IO[bytes], name: str, limits: Limits) -> Iterator[bytes]:
    """Yield the text of a table in pieces: bars between the fields of Slurm's, else commas.

    Columns of columns are left out.

    Raises
    ------
    ValueError
        If pyarrow is not installed, the file is damaged, or it holds more than the limits.
    """
    try:
        from pyarrow import parquet, types
    except ImportError as error:
        raise ValueError(
            f"{name} must be text, or pyarrow be installed (the extra does it: "
            "pip install 'perfmodel[parquet]'), got Parquet without it"
        ) from error
    with _named(name):
        about = parquet.read_metadata(data)
        size = sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups))
    if about.num_rows > limits.max_lines:
        limits.refuse(name, "max_lines")
    if size > limits.max_bytes:
        limits.refuse(name, "max_bytes")
    if about.num_columns > limits.max_columns:
        limits.refuse(name, "max_columns")
    with _named(name):
        # One value that stands in many rows is held once, in the file and here.
        texts = [leaf.path for leaf in _leaves(about) if leaf.physical_type == "BYTE_ARRAY"]
        table = parquet.ParquetFile(data, metadata=about, read_dictionary=texts)
        names = [field.name for field in table.schema_arrow if not types.is_nested(field.type)]
        batches = table.iter_batches(_rows_at_once(about), columns=names)
    bars = not _SLURM.isdisjoint(names)
    yield from _text([names], bars=bars)
    while True:
        with _named(name):
            batch = next(batches, None)
            columns = [] if batch is None else [_words(column) for column in batch.columns]
        if batch is None:
            return
        if sum(len(word) for column in columns for word in column) > limits.max_bytes:
            limits.refuse(name, "max_bytes")
        yield from _text(zip(*columns, strict=True), bars=bars)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Name the file in whatever pyarrow, and the dates of Python, make of damage."""
    try:
        yield
    except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
        words = " ".join(str(error).split())[:300] or type(error).__name__
        raise ValueError(f"{name} must be a whole Parquet file, got one where {words}") from error


def _leaves(about: Any) -> list[Any]:
    return [about.schema.column(at) for at in range(about.num_columns)]


def _rows_at_once(about: Any) -> int:
    """Return so many rows that they take little memory whatever the file says of them."""
    rows: int = min(_ROWS, _CELLS // max(1, about.num_columns))
    longest = max((leaf.length or 0 for leaf in _leaves(about)), default=0)
    rows = min(rows, _BYTES // max(1, longest))
    groups = (about.row_group(at) for at in range(about.num_row_groups))
    chunks = (group.column(at) for group in groups for at in range(group.num_columns))
    if any("DELTA_BYTE_ARRAY" in chunk.encodings for chunk in chunks):
        rows = min(rows, _FEW)
    return max(1, rows)


def _words(column: Any) -> list[str]:
    """Return the values of a column as text; equal ones are one object."""
    if not hasattr(column, "dictionary"):
        return [_word(value) for value in column.to_pylist()]
    places, values = column.indices.to_pylist(), column.dictionary
    known = {at: _word(values[at].as_py()) for at in {*places} - {None}}
    return [known.get(at, "") for at in places]


def _text(rows: Iterable[Sequence[str]], *, bars: bool) -> Iterator[bytes]:
    """Yield lines, some at a time."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in chain(rows, [None]):
        if row is None or text.tell() > _BYTES:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
        if row is None:
            return
        if bars:
            text.write("|".join(word.replace("|", "/") for word in row) + "\n")
        else:
            writer.writerow(row)


def _word(value: Any) -> str:
    """Return a value as logs write it: dates by ISO 8601, lengths of time in seconds."""
    if value is None or value != value:  # noqa: PLR0124 - nan, and what pandas has for no date
        return ""
    if isinstance(value, timedelta):
        return f"{value.total_seconds():.15g}"
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2.0**53:
        return str(int(value))  # a column of whole numbers with gaps
    return " ".join(str(value).splitlines())
