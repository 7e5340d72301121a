"""Windows in which nodes are out by plan or by an outage of the site, one a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from ..._checks import shown
from ..parsing.numbers import finite
from ..parsing.report import Findings
from ..parsing.sources import Source, open_source, split_csv, text_lines
from ..parsing.times import parse_instant

WindowKind = Literal["planned", "outage"]
WINDOW_KINDS: tuple[WindowKind, ...] = get_args(WindowKind)
_COLUMNS = ("start", "end", "nodes", "kind")
_RANGE = re.compile(r"([0-9]{1,15})(?:-([0-9]{1,15}))?")


@dataclass(frozen=True, slots=True)
class Window:
    """Nodes that are out for some time.

    Parameters
    ----------
    start, end : float, [s]
        Out from `start` until `end`.
    kind : {"planned", "outage"}
        Known to the scheduler beforehand, or not.
    nodes : tuple of pairs of int
        First and last node of each range, counted from 0; empty for all nodes.
    line : int
        Of the file; 0 where there is none.
    """

    start: float
    end: float
    kind: WindowKind = "outage"
    nodes: tuple[tuple[int, int], ...] = ()
    line: int = 0

    def shifted(self, by: float) -> Window:
        """Return the window so much later, [s]."""
        return Window(self.start + by, self.end + by, self.kind, self.nodes, self.line)


def read_maintenance(source: Source) -> tuple[Window, ...]:
    """Read a CSV of windows.

    Parameters
    ----------
    source : path or file object
        A header names the columns `start`, `end` and `kind` (planned or outage), and `nodes` where
        windows are of a part of the machine: ranges such as ``0-15 32``, or ``"0-15,32"`` in
        quotes; empty for all nodes. Times are seconds or ISO dates (no zone: UTC), all of one
        sort. ``#`` starts a comment.

    Returns
    -------
    tuple of Window
        In the order of the file; dates as Unix seconds.

    Raises
    ------
    ValueError
        If there is none, or at the first line that is not as described: what is left out in
        silence would let jobs run on nodes that were out.
    TypeError
        If `source` is neither a path nor a file object.
    """
    findings = Findings()
    content = open_source(source, findings)
    rows = [
        (number, [field.strip() for field in split_csv(line)])
        for number, line in enumerate(text_lines(content, findings), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    findings.report(content.name, records=len(rows), rows=len(rows), strict=True)
    if not rows:
        raise ValueError(f"{content.name} must hold windows, got none")
    (number, header), *rows = rows
    names = [name.lower() for name in header]
    missing = [name for name in ("start", "end", "kind") if names.count(name) != 1]
    unknown = [name for name in names if name not in _COLUMNS or names.count(name) > 1]
    if missing or unknown:
        raise ValueError(
            f"line {number}: the header must name the columns start, end, kind and perhaps nodes, "
            f"each once, got {', '.join(header)[:200]!r}"
        )
    if not rows:
        raise ValueError(f"{content.name} must hold windows, got none")
    windows = tuple(_window(number, row, names) for number, row in rows)
    _refuse_two_clocks(rows, names)
    return windows


def _window(number: int, row: list[str], names: list[str]) -> Window:
    if len(row) != len(names):
        raise ValueError(
            f"line {number}: must have {len(names)} columns, got {len(row)}; "
            'write ranges of nodes as 0-15 32, or in quotes: "0-15,32"'
        )
    field = dict(zip(names, row, strict=True))
    start, end = (_instant(number, name, field[name]) for name in ("start", "end"))
    if not start < end:
        raise ValueError(f"line {number}: end must be after start, got {shown(field['end'])}")
    for kind in WINDOW_KINDS:
        if field["kind"].lower() == kind:
            return Window(start, end, kind, _nodes(number, field.get("nodes", "")), number)
    known = " or ".join(WINDOW_KINDS)
    raise ValueError(f"line {number}: kind must be {known}, got {shown(field['kind'])}")


def _instant(number: int, name: str, text: str) -> float:
    try:
        return parse_instant(text)
    except (ValueError, OverflowError):
        raise ValueError(
            f"line {number}: {name} must be seconds or an ISO date, got {shown(text)}"
        ) from None


def _nodes(number: int, text: str) -> tuple[tuple[int, int], ...]:
    ranges = []
    for piece in re.split(r"[,;\s]+", text.strip()) if text.strip() else ():
        found = _RANGE.fullmatch(piece)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            raise ValueError(
                f"line {number}: nodes must be ranges of numbers such as 0-15 32, or empty for "
                f"all, got {shown(text)}"
            )
        ranges.append((first, last))
    return tuple(ranges)


def _refuse_two_clocks(rows: list[tuple[int, list[str]]], names: list[str]) -> None:
    """Refuse seconds of one clock beside dates of another."""
    first: bool | None = None
    for number, row in rows:
        for name in ("start", "end"):
            text = row[names.index(name)]
            dated = finite(text) is None
            if first is None:
                first = dated
            if dated != first:
                clock = "dates" if first else "seconds"
                raise ValueError(
                    f"line {number}: {name} must be in {clock}, as all times of the file, "
                    f"got {shown(text)}"
                )
