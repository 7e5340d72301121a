"""A Parquet table as the lines of text that it would be: a header, then a line per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .sources import Limits

__all__ = ["MAGIC", "parquet_lines"]

MAGIC = b"PAR1"
_ROWS = 1 << 14  # at a time
_SLURM = {"JobID", "JobIDRaw", "NodeName"}  # whose text has bars between its fields


def parquet_lines(data: IO[bytes], name: str, limits: Limits) -> Iterator[bytes]:
    """Yield the text of a table in pieces: bars between the fields of Slurm's, else commas.

    Raises
    ------
    ValueError
        If pyarrow is not installed, the file is damaged, or it holds more than the limits.
    """
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise ValueError(
            f"{name} must be text, or pyarrow be installed (the extra does it: "
            "pip install 'perfmodel[parquet]'), got Parquet without it"
        ) from error
    try:
        table = parquet.ParquetFile(data)
        about = table.metadata
        if about.num_rows > limits.max_lines:
            limits.refuse(name, "max_lines")
        size = sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups))
        if size > limits.max_bytes:
            limits.refuse(name, "max_bytes")
        names = table.schema_arrow.names
        bars = not _SLURM.isdisjoint(names)
        yield _text([names], bars=bars)
        for batch in table.iter_batches(_ROWS):
            columns = [[_word(value) for value in column.to_pylist()] for column in batch.columns]
            yield _text(zip(*columns, strict=True), bars=bars)
    except (ArrowException, OSError) as error:
        words = " ".join(str(error).split())
        raise ValueError(f"{name} must be a whole Parquet file, got one where {words}") from error


def _text(rows: Any, *, bars: bool) -> bytes:
    if bars:
        lines = ("|".join(word.replace("|", "/") for word in row) for row in rows)
        return "".join(f"{line}\n" for line in lines).encode()
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


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
