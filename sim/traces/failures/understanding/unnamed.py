"""Columns without a name that anybody knows, told by what they hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from ...parsing.dates import DateOrder
from ...parsing.delimited import Column, Delimited
from ...parsing.report import Findings, LogRefused
from ...parsing.values import ValueKind, instants, kind_of_values
from .sheet import END, NODE, SAMPLE, TIME, Columns

_FEW = 200  # fields that tell the kind of a column


def told_by_values(
    table: Delimited, given: Columns, findings: Findings
) -> tuple[Delimited, Columns]:
    """Take a first line of words that nobody knows for names, and say what their columns hold."""
    if table.header or len(table) < 3:
        return table, given
    rest = table.taken(np.arange(1, len(table)))
    names = [column.taken(np.zeros(1, dtype=np.int64)).texts()[0] for column in table.columns]
    kinds = [kind_of_column(column) for column in rest.columns]
    worded = all(name and not re.search("[0-9]", name) for name in names)
    if not worded or "date" not in kinds or len(set(names)) < len(names):
        return table, given
    line = int(table.lines[0])
    roles = dict(zip(("time", "end"), _in_time(rest, kinds, line), strict=False))
    nodes = [place for place, kind in enumerate(kinds) if kind == "words"]
    nodes = [place for place in nodes if _are_numbered(rest.columns[place])]
    if len(nodes) > 1:
        several = ", ".join(names[place] for place in nodes)
        raise LogRefused(
            f"line {line}: the node must be one of the columns {several!r}, got no name that says "
            "which: ",
            *(NODE, " names it"),
        )
    roles |= {"node": nodes[0]} if nodes else {}
    said = ", ".join(f'{role} "{names[place]}"' for role, place in roles.items())
    reason = f"columns told by their values: {said}; others can be named"
    findings.add("noted", line, "told-by-values", reason)
    table = replace(rest, header=tuple(names), header_line=line, records=table.records - 1)
    told: dict[str, Any] = {
        role: names[place] for role, place in roles.items() if getattr(given, role) is None
    }
    return table, replace(given, **told)


def _in_time(table: Delimited, kinds: list[ValueKind], line: int) -> list[int]:
    """Return the columns of dates, the one with the earlier first."""
    dates = [place for place, kind in enumerate(kinds) if kind == "date"]
    seconds = []
    for place in dates:
        column = table.columns[place].taken(np.arange(min(len(table), SAMPLE)))
        orders: tuple[DateOrder, DateOrder] = ("month-first", "day-first")
        read = [instants(column, order=order)[0] for order in orders]
        seconds.append(min(read, key=lambda found: int(np.isnan(found).sum())))
    if len(dates) == 1:
        return dates
    length = seconds[1] - seconds[0]
    length = length[~np.isnan(length)]
    if len(dates) == 2 and length.size and ((length >= 0.0).all() or (length <= 0.0).all()):
        return dates if (length >= 0.0).all() else dates[::-1]
    raise LogRefused(
        f"line {line}: which of {len(dates)} columns of dates are starts and ends must be said, "
        "got names that are not known: ",
        *(TIME, " names the starts, ", END, " the ends"),
    )


def _are_numbered(column: Column) -> bool:
    """Whether the fields are like names of nodes, each with a digit."""
    texts = column.taken(np.arange(min(len(column), _FEW))).texts()
    return all(re.search("[0-9]", text) for text in texts if text)


def kind_of_column(column: Column) -> ValueKind:
    """Return what a column holds, by its first fields."""
    texts = column.taken(np.arange(min(len(column), _FEW))).texts()
    return kind_of_values(list(dict.fromkeys(texts)))
