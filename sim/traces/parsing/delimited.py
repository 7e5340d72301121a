"""A table of text cut into columns: its delimiter, its header and its odd lines are found out.

Lines of the usual shape are cut by columns of positions in the bytes of the file, all at once.
What is odd (quoted, of another width, over several lines) is cut alone, and its fields are added
behind the bytes, so that all rows look alike to who reads them.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from .dates import written_date
from .encoding import utf8_text
from .limits import room_for
from .report import Findings
from .signs import WORTH_COMPILING, Signs, signs_of

__all__ = ["Column", "Delimited", "Shape", "read_delimited"]

IntArray = npt.NDArray[np.int64]
PlaceArray = npt.NDArray[np.signedinteger[Any]]  # int32 where all places fit, for speed
ByteArray = npt.NDArray[np.uint8]

SILENT, PLAIN, ODD = 0, 1, 2  # kinds of lines
_NEWLINE, _QUOTE, _HASH = 10, 34, 35
_BLANKS = np.zeros(256, dtype=np.bool_)
_BLANKS[[9, 11, 12, 13, 32]] = True
_LETTERS = np.array([byte < 128 and chr(byte).isalnum() for byte in range(256)])
_DELIMITERS = ("|", "\t", ";", ",")
_APART = "\x1f"  # between the fields of lines that were cut alone
_HEAD, _LOOKED_AT = 60, 1 << 16  # lines, and bytes, in which a header is looked for
_LONGEST = 50  # lines that one record may take
_TRIES = 200  # ways to lay the text of a line into columns
_RULER = re.compile(r"[\s|:+=-]*-{2,}[\s|:+=-]*")
# A mark after the first name that no name holds, or several.
_SEPARATED = re.compile(r"\s*\w+\s*([^\w\s,;|.:/%&?\"'()\[\]{}-]|[^\w\s()\[\]]{2,8})\s*\w")
# A field between blanks, quoted or not; then with a date and its time of day as one.
_PARTS = re.compile(r'"[^"]*"|\S+')
_DATED = re.compile(
    r'"[^"]*"|[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}\s+[0-9]{1,2}:[0-9]{2}\S*(?:\s+[AaPp][Mm]\b)?'
    r"(?:\s+(?:UTC|GMT|[CE]ES?T|WES?T|[CEMP][SD]T|JST|MSK|[+-][0-9]{2}:?[0-9]{2})(?!\S))?"
    r"|(?:[A-Z][a-z]{2}\s+)?[A-Z][a-z]{2}\s+[0-9]{1,2}\s+[0-9:]{5,8}\s+[0-9]{4}|\S+"
)
_CLOCK = re.compile("[0-9]{1,2}:[0-9]{2}")
_OF_CLOCKS = re.compile("time|clock|hour|zeit|heure|hora|时|時", re.IGNORECASE)
_COMMENT = re.compile(r"\s*#(?!\s*[,;|\t])")  # and no name of a column of numbers
_SEP_LINE = re.compile(r"\"?sep=(.{1,3}?)\"?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column: field i is ``data[starts[i] : ends[i] - gap]`` in UTF-8, no blanks around it."""

    data: ByteArray
    starts: PlaceArray
    ends: PlaceArray  # where the next field starts, after a mark of `gap` bytes
    gap: int = 0

    def __len__(self) -> int:
        return int(self.starts.size)

    @property
    def stops(self) -> PlaceArray:
        """Where each field ends."""
        return self.ends - self.gap if self.gap else self.ends

    @property
    def lengths(self) -> PlaceArray:
        """Bytes of each field."""
        lengths: PlaceArray = self.ends - self.starts
        lengths -= self.gap
        return lengths

    @property
    def said(self) -> npt.NDArray[np.bool_]:
        """Whether each field holds anything."""
        return self.lengths > 0

    def texts(self) -> list[str]:
        """Return the fields as text."""
        if self.data.size > WORTH_COMPILING:
            letters, edges = self._letters()
            text = letters.tobytes().decode("utf-8", "replace")
            if text.isascii():
                return [text[start:stop] for start, stop in pairwise(edges.tolist())]
        whole = self.data.data
        return [
            str(whole[start:stop], "utf-8", "replace")
            for start, stop in zip(self.starts.tolist(), self.stops.tolist(), strict=True)
        ]

    def words(self) -> Any:
        """Return the fields as a column of pandas."""
        import pandas as pd

        words = pd.Series([""]).array
        if self.data.size <= WORTH_COMPILING or getattr(words.dtype, "storage", "") != "pyarrow":
            return pd.Series(self.texts(), dtype=None if len(self) else object).array
        import pyarrow as pa

        letters, edges = self._letters()
        buffers = [None, pa.py_buffer(edges), pa.py_buffer(letters)]
        return pd.array(pa.Array.from_buffers(pa.large_string(), len(self), buffers), words.dtype)

    def _letters(self) -> tuple[ByteArray, IntArray]:
        """Return the bytes of one field after the other, and where each begins."""
        from .text_kernels import copy_texts

        edges = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(self.lengths, out=edges[1:])
        letters = np.empty(int(edges[-1]), dtype=np.uint8)
        copy_texts(self.data, self.starts, self.stops, letters)
        return letters, edges

    def taken(self, rows: npt.NDArray[np.bool_] | IntArray) -> Column:
        """Return the column of some rows."""
        return Column(self.data, self.starts[rows], self.ends[rows], self.gap)

    def filled(self, other: Column) -> Column:
        """Return the column with the fields of another of its table where it has none."""
        said = self.said
        if said.all():
            return self
        starts, ends = np.where(said, self.starts, other.starts), self.ends
        return replace(self, starts=starts, ends=np.where(said, ends, other.ends))

    def trimmed(self, quoted: int = 0) -> Column:
        """Return the column without blanks around its fields, nor quotes in the first bytes."""
        if self.data.size <= WORTH_COMPILING:
            return Column(self.data, *_trimmed(self.data, self.starts, self.stops))
        from .text_kernels import trim

        starts, stops = self.starts.copy(), self.ends - self.gap
        trim(self.data, starts, stops, quoted)
        return Column(self.data, starts, stops)

    def coded(self) -> tuple[IntArray, list[str]]:
        """Return the number of each field's text, and the different texts as they come."""
        import pandas as pd

        if self.data.size > WORTH_COMPILING:
            from .text_kernels import number_texts

            numbers, first = np.empty((2, len(self)), dtype=np.int64)
            count = number_texts(self.data, self.starts, self.stops, numbers, first)
            if count >= 0:
                return numbers, self.taken(first[:count]).texts()
        codes, texts = pd.factorize(np.array(self.texts(), dtype=object))
        return codes.astype(np.int64), texts.tolist()


@dataclass(frozen=True, slots=True, eq=False)
class Delimited:
    """A table of text.

    Parameters
    ----------
    header : tuple of str
        Names of the columns; empty where the table has none.
    header_line : int
        Where they stand.
    lines : ndarray of int64, shape (R,)
        Line of each row, counted from 1.
    columns : tuple of Column
        As many as the header has names, or the rows fields.
    delimiter : str
        What separates the fields.
    records : int
        Rows, and lines that are neither rows nor blank nor comments: those were dropped.
    """

    header: tuple[str, ...]
    header_line: int
    lines: IntArray
    columns: tuple[Column, ...]
    delimiter: str
    records: int

    def __len__(self) -> int:
        return int(self.lines.size)

    def column(self, *names: str) -> Column | None:
        """Return the first column of one of these names, None where there is none."""
        for name in names:
            if name in self.header:
                return self.columns[self.header.index(name)]
        return None

    def taken(self, rows: npt.NDArray[np.bool_] | IntArray) -> Delimited:
        """Return the table of some rows."""
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        columns = tuple(column.taken(rows) for column in self.columns)
        return replace(self, lines=self.lines[rows], columns=columns)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a reader knows of its tables.

    Parameters
    ----------
    is_header : callable
        Whether the fields of a line are names of columns.
    delimiter : str, optional
        What separates fields; told by the lines where it is not given.
    free : collection of str
        Lower-case names of columns of free text, which may hold delimiters.
    fits : callable
        Whether fields, with names, may be a row: asked where free text has delimiters.
    joins : bool
        Whether a record may go on in the next lines without quotes.
    quotes : bool
        Whether quotes count between bars, too, where the header has none.
    names : tuple of str
        Names of the columns of a table without a header.
    aligned : bool
        Whether columns may stand below their names, with blanks between and no delimiter.
    """

    is_header: Callable[[Sequence[str]], bool]
    delimiter: str | None = None
    free: Collection[str] = ()
    fits: Callable[[dict[str, str]], bool] = lambda row: True
    joins: bool = False
    quotes: bool = False
    names: tuple[str, ...] = ()
    aligned: bool = False


def read_delimited(
    data: bytes | ByteArray, findings: Findings, shape: Shape, *, signs: Signs | None = None
) -> Delimited:
    """Cut a table of text into columns; `signs` are those that stand in it, if they are known.

    Rules. Dropped: `wrong-columns`. Skipped: `repeated-header`. Noted: `before-header` (lines of
    another kind), `line-break` (inside a field, which took several lines), `free-text` (which
    holds delimiters: joined), `odd-quote` and those of the encoding.
    """
    whole = np.frombuffer(data, dtype=np.uint8)
    signs = signs_of(whole) if signs is None else signs
    if whole.size <= WORTH_COMPILING or not signs.plain:
        whole = np.frombuffer(utf8_text(whole.tobytes(), findings), dtype=np.uint8)
        signs = signs if signs.plain else signs_of(whole)
    first = whole[:_LOOKED_AT].tobytes().split(b"\n", _HEAD)[:_HEAD]
    if b"\0" in first[0]:
        raise ValueError("the file must be text, got binary data")
    head = [(place, line.decode("utf-8", "replace")) for place, line in enumerate(first)]
    return _cut(whole, signs.newlines, _head_of(head, shape, findings), shape, findings)


@dataclass(frozen=True, slots=True)
class _Head:
    """Where a table begins: place of its header, -1 without one, and of its first line."""

    delimiter: str
    header: tuple[str, ...]
    place: int
    first: int
    width: int
    spans: tuple[tuple[int, int], ...] = ()  # of fields of fixed width
    fields: re.Pattern[str] | None = None  # of fields with any blanks between
    quoted: bool = True
    aligned: bool = False  # so that fields may be too long for their column

    @property
    def cut_alone(self) -> bool:
        """Whether no line can be cut by a mark between its fields."""
        return bool(self.spans) or self.fields is not None


def _lines_of(whole: ByteArray) -> tuple[IntArray, IntArray]:
    """Return where each line starts and stops."""
    stops = np.flatnonzero(whole == _NEWLINE)
    if whole.size and (not stops.size or stops[-1] != whole.size - 1):
        stops = np.append(stops, whole.size)
    starts = np.concatenate([[0], stops[:-1] + 1]) if stops.size else stops
    return starts.astype(np.int64), stops.astype(np.int64)


def _is_said(line: str) -> bool:
    return bool(line.strip()) and _COMMENT.match(line) is None


def _head_of(head: list[tuple[int, str]], shape: Shape, findings: Findings) -> _Head:
    first, delimiter = 0, shape.delimiter
    if head and (told := _SEP_LINE.fullmatch(head[0][1])):
        first = 1
        delimiter = delimiter or told[1]
    said = [(place, line) for place, line in head[first:] if _is_said(line)]
    found = _fixed_width(said, shape)
    if found is None and shape.aligned and delimiter is None:
        found = _aligned(said, shape)
        found = found or _by_blanks(said, shape)
    if found is not None:
        return found
    best: tuple[int, int, str] | None = None  # of most fields, then of the first line
    for place, line in said:
        for mark in _marks_of(line, delimiter):
            names = _split(line, mark)
            if len(names) > 2 and sum(map(bool, names)) == 1:
                continue  # a title, with the marks of the empty cells beside it
            if shape.is_header(names) and (best is None or len(names) > best[0]):
                best = (len(names), place, mark)
        if best is not None and (best[0] > 1 or best[1] < place):
            break  # one name alone may be a title above the names
    if best is None:
        return _without_header(said, first, delimiter, shape)
    _, place, mark = best
    for before, line in said:
        if before < place:
            findings.add("noted", before + 1, "before-header", f"not of the table: {line[:60]!r}")
    line = head[place][1]
    names = _split(line, mark)
    if names and names[-1] == "" and len(names) > 2 and mark == "|":
        names = names[:-1]  # of --parsable, which ends each line with a bar
    quoted = shape.quotes or mark != "|" or '"' in line
    return _Head(mark, tuple(names), place, place + 1, len(names), quoted=quoted)


def _fixed_width(said: list[tuple[int, str]], shape: Shape) -> _Head | None:
    """Return the head of a table whose names stand over groups of dashes, as wide as its fields."""
    for (place, line), (below, dashes) in pairwise(said):
        if re.fullmatch(r"[-\s]*-{2}[-\s]*", dashes):
            spans = tuple((group.start(), group.end()) for group in re.finditer("-+", dashes))
            names = tuple(line[begin:end].strip() for begin, end in spans)
            if shape.is_header(names):
                return _Head(" ", names, place, below + 1, len(names), spans)
    return None


def _aligned(said: list[tuple[int, str]], shape: Shape) -> _Head | None:
    """Return the head of a table whose names stand over the first letters of their fields."""
    if not said or any(mark in said[0][1] for mark in _DELIMITERS):
        return None
    (place, line), rows = said[0], [text for _, text in said[1:]]
    for name in (r"\S+(?: \S+)*", r"\S+"):
        groups = list(re.finditer(name, line))
        names, begins = tuple(group[0] for group in groups), [group.start() for group in groups]
        reached = all(any(len(text) > begin for text in rows) for begin in begins)
        apart = all(_is_apart(text, begins[1:]) for text in rows)
        if len(names) > 1 and reached and apart and shape.is_header(names):
            spans = tuple(zip([0, *begins[1:]], [*begins[1:], len(line)], strict=True))
            return _Head(" ", names, place, place + 1, len(names), spans, aligned=True)
    return None


def _by_blanks(said: list[tuple[int, str]], shape: Shape) -> _Head | None:
    """Return the head of a table with any number of blanks between as many fields in each line."""
    lines = [line for _, line in said]
    if len(lines) < 2 or any(mark in line for line in lines[:2] for mark in _DELIMITERS):
        return None
    names = tuple(_PARTS.findall(lines[0]))
    begin = 1 if shape.is_header(names) else 0
    dated = (map(written_date, map(itemgetter(0), _DATED.finditer(line))) for line in lines)
    if not begin and (any(map(written_date, lines)) or not all(map(any, dated))):
        return None  # dates alone, or lists of another kind
    # A date and its time of day are one field, unless each has a name.
    forms = (_PARTS,) if begin and _are_named(names, lines[1]) else ()
    for more in (0, math.inf) if begin else (0,):  # words beyond those of the header end the last
        for form in (*forms, _DATED):
            widths = [sum(1 for _ in form.finditer(line)) for line in lines[begin:]]
            width = len(names) if begin else Counter(widths).most_common(1)[0][0]
            fitting = sum(width <= found <= width + more for found in widths)
            if width > 1 and fitting > 0.9 * len(widths):
                place, header = (said[0][0], names) if begin else (-1, ())
                return _Head(" ", header, place, said[begin][0], width, fields=form)
    return None


def _are_named(names: Sequence[str], line: str) -> bool:
    """Whether each time of day after a date has a name of its own."""
    parts = [part[0] for part in _PARTS.finditer(line)]
    clocks = [
        place
        for place, (before, part) in enumerate(pairwise(parts), start=1)
        if _CLOCK.match(part) and written_date(before) is not None
    ]
    return all(place < len(names) and _OF_CLOCKS.search(names[place]) for place in clocks)


def _is_apart(line: str, begins: Sequence[int]) -> bool:
    """Whether there is a blank before each place at which a field begins."""
    return all(line[begin - 1 : begin] in ("", " ") for begin in begins)


def _marks_of(line: str, given: str | None) -> tuple[str, ...]:
    if given is not None:
        return (given,)
    told = _SEPARATED.match(line)
    return (*((told[1],) if told else ()), *_DELIMITERS)


def _without_header(
    said: list[tuple[int, str]], first: int, given: str | None, shape: Shape
) -> _Head:
    """Take the delimiter that cuts most lines into the same number of fields, at least two."""
    best, mark = (0, 1), given or ","
    for tried in (given,) if given is not None else _DELIMITERS:
        widths = Counter(len(_split(line, tried)) for _, line in said)
        width, lines = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        if width > 1 and (lines, width) > best:
            best, mark = (lines, width), tried
    width = len(shape.names) or best[1]
    return _Head(mark, shape.names, -1, first, width, quoted=shape.quotes or mark != "|")


def _split(line: str, delimiter: str) -> list[str]:
    """Return the fields of one line; a stray quote damages its own line only."""
    if len(delimiter) > 1 or '"' not in line:
        return [field.strip() for field in line.split(delimiter)]
    try:
        fields = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        fields = []
    return [field.strip() for field in fields or [line]]


def _cut(
    whole: ByteArray, newlines: int, head: _Head, shape: Shape, findings: Findings
) -> Delimited:
    """Cut lines of the usual width at once, and each other one alone."""
    kinds, edges, blank = _lines_cut(whole, newlines, head)
    numbers = np.arange(head.first + 1, head.first + 1 + kinds.size)
    if (kinds == SILENT).any():
        said = kinds != SILENT
        kinds, edges, numbers = kinds[said], edges.compress(said, axis=1), numbers[said]
    used, extra, records = kinds == PLAIN, bytearray(), int((kinds == PLAIN).sum())
    odd, mark = np.flatnonzero(~used), head.delimiter.encode()
    lines = dict(zip(odd.tolist(), _texts_of(whole, numbers[odd] - 1), strict=True))
    for row, fields in _Odd(head, shape, findings).records(lines, numbers):
        records += 1
        if fields is None:
            continue
        used[row] = True
        edges[0, row] = whole.size + len(extra)
        for column, field in enumerate(fields, start=1):
            extra += field.strip().encode("utf-8", "replace") + mark
            edges[column, row] = whole.size + len(extra)
    data = np.concatenate([whole, np.frombuffer(bytes(extra), dtype=np.uint8)]) if extra else whole
    data.flags.writeable = False  # or all that is compiled would be so twice
    if not used.all():
        numbers, edges = numbers[used], edges.compress(used, axis=1)
    columns = tuple(Column(data, *ends, gap=len(mark)) for ends in pairwise(edges))
    if blank:
        quoted = whole.size if head.quoted and not head.cut_alone else 0
        columns = tuple(column.trimmed(quoted) for column in columns)
    table = Delimited(head.header, head.place + 1, numbers, columns, head.delimiter, records)
    return _without_repeated_headers(table, findings)


def _texts_of(whole: ByteArray, places: IntArray) -> list[str]:
    """Return some lines as text."""
    if not places.size:
        return []
    starts, stops = _lines_of(whole)
    return [
        whole[start:stop].tobytes().decode("utf-8", "replace")
        for start, stop in zip(starts[places].tolist(), stops[places].tolist(), strict=True)
    ]


def _lines_cut(whole: ByteArray, newlines: int, head: _Head) -> tuple[ByteArray, PlaceArray, bool]:
    """Return the kind of each line from the first of the table on, and where its fields start.

    Behind the last is where one more would; and whether blanks or quotes may be around fields.
    """
    mark = head.delimiter.encode()
    if whole.size > WORTH_COMPILING and len(mark) == 1 and not head.cut_alone:
        from .text_kernels import cut_lines

        begin = _start_of(whole, head.first)
        size = newlines + int(whole[-1] != _NEWLINE) - head.first
        kinds, edges = _room(max(size, 0), head.width, whole.size)
        blank = cut_lines(whole, begin, mark[0], head.quoted, edges, kinds)
        return kinds, edges, blank
    starts, stops = _lines_of(whole)
    kinds, edges = _room(max(starts.size - head.first, 0), head.width, whole.size)
    lines = starts[head.first :], stops[head.first :]
    # Fields that no mark separates are cut alone, but for those of fixed width.
    cut_lines_plainly(whole, lines, b"\n" if head.cut_alone else mark, edges, kinds)
    if head.cut_alone:
        kinds[kinds == PLAIN] = ODD
        _cut_spans(whole, lines, head, edges, kinds)
    elif head.quoted:
        quotes = np.flatnonzero(whole == _QUOTE)
        within = np.searchsorted(quotes, lines[1]) > np.searchsorted(quotes, lines[0])
        kinds[within & (kinds == PLAIN)] = ODD
    return kinds, edges, True


def _cut_spans(
    whole: ByteArray,
    lines: tuple[IntArray, IntArray],
    head: _Head,
    edges: PlaceArray,
    kinds: ByteArray,
) -> None:
    """Cut lines of ASCII that reach the last column of fixed width, and are no ruler."""
    begins, ends = np.array(head.spans or [(0, 0)]).T
    apart = bool((begins[1:] == ends[:-1] + 1).all())
    if not head.spans or head.aligned or not apart or whole.max(initial=0) > 127:
        return
    starts, stops = lines
    rows = np.flatnonzero((kinds == ODD) & (stops - starts > begins[-1]))
    first = whole[starts[rows] + begins[0]], whole[starts[rows] + ends[0] - 1]
    rows = rows[_LETTERS[first[0]] | _LETTERS[first[1]]]
    edges[:-1, rows], edges[-1, rows] = starts[rows] + begins[:, None], stops[rows] + 1
    kinds[rows] = PLAIN


def _start_of(whole: ByteArray, line: int) -> int:
    """Return where a line near the beginning starts."""
    head = whole[: _LOOKED_AT + 1]
    return int(np.flatnonzero(head == _NEWLINE)[line - 1]) + 1 if line else 0


def _room(lines: int, width: int, size: int) -> tuple[ByteArray, PlaceArray]:
    kind = np.int32 if size < 1 << 30 else np.int64  # odd lines are added to the text
    return np.empty(lines, dtype=np.uint8), room_for((width + 1, lines), kind)


def cut_lines_plainly(
    whole: ByteArray,
    lines: tuple[IntArray, IntArray],
    mark: bytes,
    edges: PlaceArray,
    kinds: ByteArray,
) -> None:
    """Say of each line whether it is SILENT (blank, a comment), PLAIN or ODD, and cut plain ones.

    PLAIN has the number of fields that `edges`, shape (fields + 1, lines), has room for.
    """
    (starts, stops), width = lines, edges.shape[0] - 1
    left, right = _trimmed(whole, starts, stops)
    kinds[:] = ODD
    kinds[left == right] = SILENT
    said = np.flatnonzero(left < right)
    kinds[said[whole[left[said]] == _HASH]] = SILENT
    marks = _marks(whole, mark)
    begin = np.searchsorted(marks, starts)
    rows = np.flatnonzero((kinds == ODD) & (np.searchsorted(marks, stops) - begin == width - 1))
    kinds[rows] = PLAIN
    if width > 1:
        edges[1:-1, rows] = marks[begin[rows] + np.arange(width - 1)[:, None]] + len(mark)
    edges[0, rows], edges[-1, rows] = starts[rows], stops[rows] + len(mark)


def _marks(whole: ByteArray, mark: bytes) -> IntArray:
    """Return where delimiters begin."""
    found = whole == mark[0]
    for place in range(1, len(mark)):
        found[:-place] &= whole[place:] == mark[place]
        found[-place:] = False
    return np.flatnonzero(found).astype(np.int64)


def _trimmed(
    whole: ByteArray, starts: PlaceArray, stops: PlaceArray
) -> tuple[PlaceArray, PlaceArray]:
    """Cut blanks off both ends of each piece; one of blanks only becomes empty at its end."""
    starts, stops = starts.copy(), stops.copy()
    for ends, step, shift in ((starts, 1, 0), (stops, -1, -1)):
        rows = np.flatnonzero(stops > starts)
        while rows.size:
            rows = rows[_BLANKS[whole[ends[rows] + shift]]]
            ends[rows] += step
            rows = rows[stops[rows] > starts[rows]]
    return starts, stops


@dataclass(frozen=True, slots=True)
class _Odd:
    """Cuts lines that are not of the usual shape."""

    head: _Head
    shape: Shape
    findings: Findings

    def records(
        self, lines: dict[int, str], numbers: IntArray
    ) -> Iterator[tuple[int, list[str] | None]]:
        """Yield row and fields of each record, None for one that was dropped."""
        taken: set[int] = set()
        for row, line in lines.items():
            if row in taken or _RULER.fullmatch(line):
                continue
            number = int(numbers[row])
            fields, more = self._fields(line, self._following(row, lines, numbers))
            taken.update(range(row + 1, row + 1 + more))
            if more:
                joined = int(numbers[row + more]) - number + 1
                reason = f"a field has a line break: {joined} lines joined"
                self.findings.add("noted", number, "line-break", reason)
            if len(fields) > self.head.width:
                fields = self._laid_out(fields, number)
            if len(fields) == self.head.width:
                yield row, fields
            else:
                reason = f"{len(fields)} columns instead of {self.head.width}"
                self.findings.add("dropped", number, "wrong-columns", reason)
                yield row, None

    def _following(self, row: int, lines: dict[int, str], numbers: IntArray) -> list[str]:
        """Return the odd lines right after a row, each with the silent ones before it."""
        found = []
        for at in range(row + 1, min(row + _LONGEST, numbers.size)):
            silent = int(numbers[at] - numbers[at - 1]) - 1
            if at not in lines or silent >= _LONGEST:
                break
            found.append("\n" * silent + lines[at])
        return found

    def _fields(self, line: str, following: list[str]) -> tuple[list[str], int]:
        """Return the fields of the record that begins with a line, and how many more it takes."""
        if self.head.aligned and not _is_apart(line, [begin for begin, _ in self.head.spans[1:]]):
            return [line], 0
        if self.head.spans:
            return [line[begin:end].strip() for begin, end in self._spans(line)], 0
        if self.head.quoted and line.count('"') % 2:
            for more in range(1, len(following) + 1):
                joined = "\n".join([line, *following[:more]])
                if joined.count('"') % 2 == 0:
                    fields = _split_lines(joined, self.head.delimiter)
                    if len(fields) == self.head.width:
                        return fields, more
                    break
        fields = self._cut(line)
        if self.shape.joins and 1 < len(fields) < self.head.width:
            got = len(fields)
            for more, text in enumerate(following, start=1):
                count = len(self._cut(text))
                if count == self.head.width:
                    break
                got += count - 1
                if got == self.head.width:
                    return self._cut("\n".join([line, *following[:more]])), more
                if got > self.head.width:
                    break
        return fields, 0

    def _cut(self, line: str) -> list[str]:
        if self.head.fields is not None:
            return self._by_blanks(self.head.fields, line)
        if self.head.quoted and "\n" not in line:
            return _split(line, self.head.delimiter)
        return [field.strip() for field in line.split(self.head.delimiter)]

    def _by_blanks(self, form: re.Pattern[str], line: str) -> list[str]:
        """Return the fields between blanks; the last column has blanks, too, under a header."""
        found, last = list(form.finditer(line)), self.head.width - 1
        fields = [field[0].strip('"') for field in found]
        if self.head.header and len(fields) > last + 1:
            fields = [*fields[:last], line[found[last].start() :].strip()]
        return fields

    def _spans(self, line: str) -> Iterator[tuple[int, int]]:
        spans = self.head.spans
        for place, (begin, end) in enumerate(spans):
            yield begin, max(end, len(line)) if place == len(spans) - 1 else end

    def _laid_out(self, fields: list[str], number: int) -> list[str]:
        """Return the fields of a line with delimiters in its free text, where one way fits."""
        extra = len(fields) - self.head.width
        cut = fields[: self.head.width]
        ended = not any(fields[self.head.width :])  # by more delimiters than there are columns
        if ended and self.shape.fits(dict(zip(self.head.header, cut, strict=False))):
            return cut
        names = [name.lower() for name in self.head.header]
        free = [place for place, name in enumerate(names) if name in self.shape.free]
        for tried, where in enumerate(combinations_with_replacement(free, extra)):
            if tried == _TRIES:
                break
            joined, at = [], 0
            for place in range(self.head.width):
                take = 1 + where.count(place)
                joined.append(self.head.delimiter.join(fields[at : at + take]))
                at += take
            if self.shape.fits(dict(zip(self.head.header, joined, strict=True))):
                reason = f"{extra} more {self.head.delimiter!r} than columns: in free text"
                self.findings.add("noted", number, "free-text", reason)
                return joined
        return cut if ended else fields


def _split_lines(text: str, delimiter: str) -> list[str]:
    try:
        lines = [f"{line}\n" for line in text.split("\n")]
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except (csv.Error, TypeError):
        return [text]
    return [field.strip() for row in rows for field in row] if len(rows) == 1 else [text]


def _without_repeated_headers(table: Delimited, findings: Findings) -> Delimited:
    """Leave out rows that name the columns again, as joined exports do."""
    if not table.header or not len(table):
        return table
    name = table.header[0].encode()
    column = table.columns[0]
    like = np.flatnonzero(column.lengths == len(name))
    for place, byte in enumerate(name):
        like = like[column.data[column.starts[like] + place] == byte]
    again = [
        row
        for row in like.tolist()
        if all(
            column.data[column.starts[row] : column.stops[row]].tobytes().decode() == said
            for column, said in zip(table.columns, table.header, strict=True)
        )
    ]
    if not again:
        return table
    kept = np.ones(len(table), dtype=np.bool_)
    kept[again] = False
    findings.add_lines(
        "skipped", table.lines[~kept], "repeated-header", "the names of the columns again"
    )
    return table.taken(kept)
