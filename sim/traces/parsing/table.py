"""Blank-separated tables of numbers: fast where lines are plain, careful where they are not."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .numbers import NUMBER
from .report import Findings

__all__ = ["Table", "parse_row", "read_table", "scan_plain"]

BLANK, COMMENT, ROW, ODD = 0, 1, 2, 3

# Below this size the plain scan is done before the compiled one is even imported.
_WORTH_COMPILING = 1 << 20
_NUMBER = re.compile(NUMBER.encode())
_LIKE = {
    6: "; like dialect no-walltime",
    18: "; like plain SWF",
    19: "; like dialect row-number",
    21: "; like dialect placement",
    29: "; like the Grid Workloads Format (format gwf)",
}


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of a table: `values` is (columns, rows), `lines` the line number of each row.

    `text` holds the columns after the numbers, a tuple per row (empty where none was asked for);
    `comments` the comment lines as (line number, bytes after the semicolon).
    """

    values: npt.NDArray[np.float64]
    lines: npt.NDArray[np.int64]
    text: list[tuple[str, ...]]
    comments: list[tuple[int, bytes]]
    records: int


def read_table(
    data: bytes,
    width: int,
    findings: Findings,
    *,
    text: int = 0,
    shift: int = 0,
    compiled: bool | None = None,
) -> Table:
    """Parse lines of `width` numbers followed by `text` words; ``;`` starts a comment line.

    `shift` lines came before `data`. `compiled` chooses the scanner (default: by size); both
    give the same table.
    """
    capacity = data.count(b"\n") + 1
    values = np.empty((width, capacity))
    starts = np.empty(capacity + 1, dtype=np.int64)
    kinds = np.empty(capacity, dtype=np.uint8)
    if compiled if compiled is not None else len(data) > _WORTH_COMPILING and not text:
        from .kernels import scan

        lines, rows = scan(np.frombuffer(data, dtype=np.uint8), width, values, starts, kinds)
    else:
        lines, rows = scan_plain(data, width, values, starts, kinds, text=text)
    starts[lines] = len(data) + (not data.endswith(b"\n"))
    kinds = kinds[:lines]
    row_lines = np.flatnonzero(kinds >= ROW)
    good = np.ones(rows, dtype=np.bool_)
    words: list[tuple[str, ...]] = [()] * rows if text else []
    for row in np.flatnonzero(kinds[row_lines] == ODD).tolist():
        line = int(row_lines[row])
        raw = data[starts[line] : starts[line + 1] - 1]
        try:
            values[:, row], rest = parse_row(raw, width, text)
        except _RowError as bad:
            good[row] = False
            reason = str(bad)
            if bad.rule == "wrong-columns" and starts[line + 1] > len(data) and raw:
                reason += "; the file ends inside this line"
            findings.add("dropped", line + 1 + shift, bad.rule, reason)
        else:
            if text:
                words[row] = rest
    comments = [
        (line + 1 + shift, data[starts[line] : starts[line + 1] - 1].strip()[1:])
        for line in np.flatnonzero(kinds == COMMENT).tolist()
    ]
    whole = bool(good.all())
    return Table(
        values=values[:, :rows] if whole else values[:, :rows][:, good],
        lines=(row_lines if whole else row_lines[good]) + (1 + shift),
        text=[word for word, keep in zip(words, good.tolist(), strict=False) if keep],
        comments=comments,
        records=rows,
    )


class _RowError(ValueError):
    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule


def parse_row(raw: bytes, width: int, text: int = 0) -> tuple[list[float], tuple[str, ...]]:
    """Return the numbers and words of one line, or raise with the rule it breaks."""
    words = raw.split()
    if len(words) != width + text:
        reason = f"{len(words)} columns instead of {width + text}{_likeness(raw, len(words))}"
        raise _RowError("wrong-columns", reason)
    numbers = []
    for column, word in enumerate(words[:width], start=1):
        number = float(word) if _NUMBER.fullmatch(word) else math.nan
        if not math.isfinite(number):
            shown = word[:30].decode("latin-1")
            raise _RowError("not-a-number", f"column {column} is {shown!r}, not a number")
        numbers.append(number)
    return numbers, tuple(word.decode("latin-1") for word in words[width:])


def _likeness(raw: bytes, columns: int) -> str:
    """Return in words which other layout a line may have."""
    if raw.count(b"|") >= 3:
        return "; separated by '|', like sacct's output (format sacct)"
    if raw.count(b",") >= 2 and columns <= 3:
        return "; separated by ',', like CSV"
    if raw.count(b"\t") == 13 and columns <= 14:
        return "; like MetaCentrum's jobs (format mwf)"
    return _LIKE.get(columns, "")


def scan_plain(
    data: bytes,
    width: int,
    values: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    kinds: npt.NDArray[np.uint8],
    *,
    text: int = 0,
) -> tuple[int, int]:
    """Do in plain Python what `kernels.scan` does; tests prove them equal.

    With `text` words after the numbers every row is odd, and left to `parse_row`.
    """
    position, row, line = 0, 0, -1
    pieces = data.split(b"\n")
    if pieces[-1] == b"":
        pieces.pop()
    for line, raw in enumerate(pieces):
        starts[line] = position
        position += len(raw) + 1
        words = raw.split()
        if not words:
            kinds[line] = BLANK
        elif words[0].startswith(b";"):
            kinds[line] = COMMENT
        else:
            kinds[line] = ODD
            if not text and len(words) == width and all(map(_is_plain, words)):
                kinds[line] = ROW
                values[:, row] = [float(word) for word in words]
            row += 1
    return line + 1, row


def _is_plain(word: bytes) -> bool:
    """Whether the compiled scanner may convert it: exact as one division of whole numbers."""
    digits = word[1:] if word[:1] in (b"+", b"-") else word
    whole, _, decimals = digits.partition(b".")
    figures = whole + decimals
    return figures.isdigit() and len(figures) <= 18 and int(figures) <= 2**53
