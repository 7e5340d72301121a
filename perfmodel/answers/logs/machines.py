"""A CSV of machines: one row each, with units in the cells or in the header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from asking.refusals import Field, Refused
from asking.units import human_duration, seconds

from ..._checks import FloatArray
from ...interval import optimal_interval
from ...partition import Machines
from .limits import limited, most_machines

_DURATIONS = ("mtbf", "mttr", "mttr_std", "interval", "checkpoint_cost")
_POSITIVE = ("speed", "mtbf")
_NUMBERS = ("speed", "mttr_cv")
_NAMES = ("name", "machine", "node", "host")
# What is matched is never given back (`*+`): else a long heading would be split in every way.
_HEADING = re.compile(r"([\w -]++)\s*+(?:[\[(]\s*+([^\W\d_]*+)\s*+[\])])?")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Fleet:
    """The machines of a file, what they are called, and what was left out or filled in."""

    machines: Machines
    names: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    unit: str


def read_machines(
    path: Path, *, interval: float | None = None, checkpoint_cost: float | None = None
) -> Fleet:
    """Read a file of machines; `interval` and `checkpoint_cost` [s] where it has no such column.

    Machines with a checkpoint cost and no interval get the optimal one for their mtbf.
    """
    columns, rows = _table(path)
    values: dict[str, FloatArray] = {}
    names = tuple(str(number) for number in range(1, len(rows) + 1))
    ignored = []
    for at, column in enumerate(columns):
        cells = [(line, row[at].strip()) for line, row in rows]
        if column.name in _NAMES:
            names = tuple(cell for _, cell in cells)
        elif column.name in _DURATIONS:
            values[column.name] = _read(path, column, cells, seconds)
        elif column.name in _NUMBERS:
            values[column.name] = _read(path, column, cells, _number)
        else:
            ignored.append(column.name)
    notes = [f"columns left out: {', '.join(ignored)}"] if ignored else []
    zeros = np.zeros(len(rows))
    mttr = values.get("mttr", zeros)
    for at, (line, _) in enumerate(rows):
        if mttr[at] >= values["mtbf"][at]:
            got = f"{human_duration(mttr[at])} and {human_duration(values['mtbf'][at])}"
            raise Refused("{}, line {}: mttr must be < mtbf, got {}", path.name, line, got)
        if mttr[at] == 0.0 and (spread := values.get("mttr_std", zeros)[at]) > 0.0:
            raise Refused(
                "{}, line {}: mttr_std must be 0 where mttr is, got {}",
                path.name,
                line,
                human_duration(spread),
            )
    if "mttr_std" in values:
        values["mttr_cv"] = values["mttr_std"] / np.where(mttr > 0.0, mttr, 1.0)
    cost = values.get("checkpoint_cost", zeros + (checkpoint_cost or 0.0))
    between, note = _intervals(values, cost, interval)
    machines = Machines(
        values["speed"], values["mtbf"], mttr, values.get("mttr_cv", zeros + 1.0), between, cost
    )
    return Fleet(machines, names, (*notes, *note))


def _table(path: Path) -> tuple[list[_Column], list[tuple[int, list[str]]]]:
    """Return the columns and the numbered rows; refuse what is not a table of machines."""
    from sim.traces.parsing import Findings, open_source

    data = io.BytesIO(open_source(limited(path), Findings()).data)
    with io.TextIOWrapper(data, newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        try:
            columns = [_column(heading) for heading in next(lines, [])]
            held = ((lines.line_num, row) for row in lines if any(map(str.strip, row)))
            rows = list(islice(held, most_machines() + 1))
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            raise Refused(
                "{} must be text in UTF-8, got the byte {:#04x}", path.name, byte
            ) from None
        except csv.Error as error:
            raise Refused(
                "{}, line {} must be CSV, got {!r}", path.name, lines.line_num, str(error)
            ) from None
    if len(rows) > most_machines():
        raise Refused(
            "{} must hold at most {:,} machines, got more; raise {} if it is what it should be",
            path.name,
            most_machines(),
            Field("max_machines"),
        )
    known = [column.name for column in columns]
    for name in ("speed", "mtbf"):
        if name not in known:
            raise Refused(
                "{} must have a column {}, got {}",
                path.name,
                name,
                ", ".join(known)[:200] or "none",
            )
    if {"mttr_std", "mttr_cv"} <= set(known):
        raise Refused("{} must have mttr_std or mttr_cv, got both", path.name)
    for name in (*_DURATIONS, *_NUMBERS):
        if known.count(name) > 1:
            raise Refused("{} must have one column {}, got more", path.name, name)
    if (number := sum(name in _NAMES for name in known)) > 1:
        raise Refused("{} must have one column of names, got {}", path.name, number)
    if not rows:
        raise Refused("{} must have a row for each machine, got none", path.name)
    for line, row in rows:
        if len(row) != len(columns):
            raise Refused(
                "{}, line {} must have {} cells, got {}", path.name, line, len(columns), len(row)
            )
    return columns, rows


def _intervals(
    values: dict[str, FloatArray], cost: FloatArray, interval: float | None
) -> tuple[FloatArray, list[str]]:
    """Return the intervals as given or as best for each machine, and what to say of them."""
    if "interval" in values:
        return values["interval"], []
    if interval is not None:
        return np.full(cost.shape, interval), []
    if not (cost > 0.0).any():
        return np.zeros(cost.shape), [
            "no checkpoints given: a failure costs its downtime and no work"
        ]
    positive = np.where(cost > 0.0, cost, 1.0)
    best = optimal_interval(mtbf=values["mtbf"], checkpoint_cost=positive)
    return np.where(cost > 0.0, best, 0.0), ["interval: the optimum for the mean of each machine"]


def _column(heading: str) -> _Column:
    """Take the unit off a heading: ``mtbf [h]``, ``mtbf (h)`` or ``mtbf_h``."""
    found = _HEADING.fullmatch(heading.strip())
    if not found:
        return _Column(heading.strip()[:_SHOWN], "")
    name, unit = re.sub(r"[ -]", "_", found[1].strip().lower()), found[2] or ""
    stem, _, suffix = name.rpartition("_")
    if not unit and name not in (*_DURATIONS, *_NUMBERS) and stem in _DURATIONS:
        name, unit = stem, suffix
    return _Column(name, unit)


def _read(
    path: Path,
    column: _Column,
    cells: list[tuple[int, str]],
    read: Callable[[str], float],
) -> FloatArray:
    values = np.empty(len(cells))
    above = column.name in _POSITIVE
    wanted = f"a number {'>' if above else '>='} 0"
    if read is not _number:
        wanted = "a duration with a unit"
    for at, (line, cell) in enumerate(cells):
        bare = re.fullmatch(r"[0-9.eE+-]+", cell)
        try:
            values[at] = read(cell + column.unit if bare and column.unit else cell)
            if above and not values[at] > 0.0:
                raise ValueError("not > 0")
        except ValueError as error:
            reason = f" ({error})" if read is not _number else ""
            raise Refused(
                "{}, line {}: {} must be {}, got {!r}{}",
                path.name,
                line,
                column.name,
                wanted,
                cell[:_SHOWN],
                reason,
            ) from None
    return values


def _number(text: str) -> float:
    if not text.isascii() or "_" in text:
        raise ValueError
    if not 0.0 <= (number := float(text)) < float("inf"):
        raise ValueError
    return number
