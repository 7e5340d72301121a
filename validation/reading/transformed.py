"""Changes of a log that must not change what it tells, each for the formats it applies to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from sim.traces import Columns

from .drawn import DrawnLog, drawn_log
from .formats import FORMATS, Format, Lines, Table

__all__ = ["TRANSFORMATIONS", "Transformation", "judged"]

_ZONE = "America/New_York"
Change = Callable[[Table | Lines, np.random.Generator], Table | Lines]


@dataclass(frozen=True, slots=True)
class Transformation:
    """A change of a file that leaves what it tells as it was.

    `applies` says of which formats; `why` says of the others why not. `of_log` changes the outages
    before they are written, `change` the file, `encode` its bytes.
    """

    name: str
    why: str
    applies: Callable[[Format], bool]
    change: Change = lambda file, rng: file
    of_log: Callable[[DrawnLog, np.random.Generator], DrawnLog] = lambda log, rng: log
    encode: Callable[[bytes], bytes] | None = None


@dataclass(frozen=True, slots=True)
class _Bytes:
    """A file whose bytes were changed."""

    data: bytes
    options: dict[str, object]

    def encoded(self) -> bytes:
        return self.data


def judged(form: Format, change: Transformation | None, rng: np.random.Generator) -> str:
    """Return how a drawn log and its changed form differ from the truth; empty where they agree."""
    log = drawn_log(rng, planned=form.name in _WITH_PLANNED)
    right = form.truth(log)
    if change is not None:
        log = change.of_log(log, rng)
    file = form.write(log)
    if change is not None:
        file = change.change(file, rng)
        if change.encode is not None:
            file = _Bytes(change.encode(file.encoded()), file.options)  # type: ignore[assignment]
    try:
        found = form.answer(file)
    except Exception as error:  # a refusal is an answer, too: a wrong one
        return f"{type(error).__name__}: {error}"
    return "" if found.agrees(right) else f"got {found}, expected {right}"


_WITH_PLANNED = frozenset({"csv planned", "sacctmgr", "sacct", "sacct-json"})
_SLURM = frozenset({"sacctmgr", "sacct"})
_ALIGNED = frozenset({"csv aligned", "csv between blanks"})
_TABLES = (frozenset(form.name for form in FORMATS if form.layout == "csv") | _SLURM) - _ALIGNED
_WITH_ENDS = frozenset({"sacctmgr", "lanl", "fta", "metacentrum", "infinitehbd"})
# Events that go down twice are refused.
_EVENTS = frozenset({"csv events", "csv of components", "csv of conditions"})
_CUT = (_TABLES - {*_EVENTS, "csv flags", "csv counts", "sacct"}) | _WITH_ENDS | _ALIGNED
# Ends follow starts, or years roll over.
_ORDERED = frozenset({"infinitehbd", *_EVENTS, "xid"})


def _shuffled(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    if isinstance(file, Table):
        order = rng.permutation(len(file.rows))
        return replace(file, rows=tuple(file.rows[place] for place in order))
    order = rng.permutation(len(file.records))
    return replace(file, records=tuple(file.records[place] for place in order))


def _joined(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    if isinstance(file, Table):
        return replace(file, rows=file.rows * 2)
    return replace(file, records=file.records * 2)


def _overlapping(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    """Join two exports of which the second begins before the first ends."""
    records = file.rows if isinstance(file, Table) else file.records
    places = np.sort(rng.integers(0, len(records) + 1, 2))
    both = (*records[: places[1]], *records[places[0] :])
    if isinstance(file, Table):
        again = (file.header,) if rng.random() < 0.5 else ()
        rows = (*records[: places[1]], *again, *records[places[0] :])
        return replace(file, rows=rows)
    return replace(file, records=both)


def _epochs(unit: int) -> Change:
    def change(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
        assert isinstance(file, Table)
        times = set(file.times)

        def field(name: str, text: str) -> str:
            if name not in times:
                return text
            return str(int(datetime.fromisoformat(f"{text}+00:00").timestamp()) * unit)

        return file.changed(field)

    return change


def _local(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    assert isinstance(file, Table)
    times, zone = set(file.times), ZoneInfo(_ZONE)

    def field(name: str, text: str) -> str:
        if name not in times:
            return text
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC).astimezone(zone)
        return moment.strftime("%Y-%m-%dT%H:%M:%S")

    options = {**file.options, "columns": Columns(timezone=_ZONE)}
    return replace(file.changed(field), options=options)


def _delimited(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    assert isinstance(file, Table)
    marks = [mark for mark in (",", ";", "\t", "|") if mark != file.delimiter]
    return replace(file, delimiter=marks[int(rng.integers(len(marks)))])


def _quoted(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    assert isinstance(file, Table)
    return replace(file, quoted=True, delimiter=",")


def _reordered(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    assert isinstance(file, Table)
    order = rng.permutation(len(file.header)).tolist()
    rows = tuple(tuple(row[place] for place in order) for row in file.rows)
    return replace(file, header=tuple(file.header[place] for place in order), rows=rows)


def _with_unused(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    assert isinstance(file, Table)
    place = int(rng.integers(len(file.header) + 1))
    header = (*file.header[:place], "ticket_url", *file.header[place:])
    rows = tuple(
        (*row[:place], f"https://example.org/{n}", *row[place:]) for n, row in enumerate(file.rows)
    )
    return replace(file, header=header, rows=rows)


def _upper(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    assert isinstance(file, Table)
    spelt = (str.upper, str.title)[int(rng.integers(2))]
    return replace(file, header=tuple(map(spelt, file.header)))


def _renamed(log: DrawnLog, rng: np.random.Generator) -> DrawnLog:
    order = rng.permutation(log.nodes).tolist()
    outages = tuple(replace(outage, node=order[outage.node]) for outage in log.outages)
    return replace(log, outages=outages)


def _with_ups(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    """Add rows that say that a node is up, where it is."""
    assert isinstance(file, Table)
    first = file.rows[0]
    if "State" in file.header:
        node = file.header.index("NodeName")
        up = tuple(
            {
                "TimeStart": "2025-12-30T00:00:00",
                "TimeEnd": "2025-12-31T00:00:00",
                "State": "IDLE",
            }.get(name, text)
            for name, text in zip(file.header, first, strict=True)
        )
        assert up[node] == first[node]
        return replace(file, rows=(up, *file.rows))
    early = tuple(
        {"time": "2025-12-31T00:00:00", "event": "up"}.get(name, text)
        for name, text in zip(file.header, first, strict=True)
    )
    return replace(file, rows=(early, *file.rows))


def _told_again(file: Table | Lines, rng: np.random.Generator) -> Table | Lines:
    """Say of each node that is down that it is, a minute later, as monitors do."""
    assert isinstance(file, Table)
    time = file.header.index(file.times[0])
    down = [row for row in file.rows if "Ready" in row or row[-1] == "down"]
    later = (datetime.fromisoformat(row[time]) + timedelta(minutes=1) for row in down)
    again = [
        (*row[:time], moment.strftime("%Y-%m-%dT%H:%M:%S"), *row[time + 1 :])
        for row, moment in zip(down, later, strict=True)
    ]
    return replace(file, rows=tuple(sorted((*file.rows, *again))))


def _in(names: frozenset[str]) -> Callable[[Format], bool]:
    return lambda form: form.name in names


_DATED = _TABLES - {"csv counts", "sacct"}
_UNKNOWN = frozenset({"csv of unknown names"})  # told by their dates, and the names of nodes
TRANSFORMATIONS: tuple[Transformation, ...] = (
    Transformation(
        "rows shuffled",
        "its rows tell by their order",
        lambda form: form.name not in _ORDERED,
        _shuffled,
    ),
    Transformation("outages cut", "has one row an outage", _in(_CUT), of_log=DrawnLog.cut),
    Transformation(
        "joined to itself", "its lines have no years", lambda form: form.name != "xid", _joined
    ),
    Transformation(
        "overlapping export",
        "its rows tell by their order",
        lambda form: form.name not in {"xid", *_EVENTS},
        _overlapping,
    ),
    Transformation("seconds", "has one form of times", _in(_DATED - _UNKNOWN), _epochs(1)),
    Transformation("milliseconds", "has one form of times", _in(_DATED - _UNKNOWN), _epochs(1000)),
    Transformation("local time", "names no zone", _in(_DATED), _local),
    Transformation("delimiter", "has one delimiter", _in(_TABLES), _delimited),
    Transformation("quoted", "has no quotes", _in(_TABLES), _quoted),
    Transformation(
        "UTF-16",
        "is in UTF-8",
        _in(_TABLES),
        encode=lambda data: data.decode().encode("utf-16"),
    ),
    Transformation(
        "GB18030",
        "has no Chinese",
        _in(frozenset({"csv in Chinese"})),
        encode=lambda data: data.decode().encode("gb18030"),
    ),
    Transformation(
        "byte order mark", "", lambda form: True, encode=lambda data: b"\xef\xbb\xbf" + data
    ),
    Transformation(
        "CR LF", "", lambda form: True, encode=lambda data: data.replace(b"\n", b"\r\n")
    ),
    Transformation("column order", "has fixed columns", _in(_TABLES | {"lanl"}), _reordered),
    Transformation(
        "case of header", "has fixed names", _in(_TABLES - {"sacctmgr", "sacct"}), _upper
    ),
    Transformation(
        "unused column",
        "has fixed columns, or names that nobody knows",
        _in((_TABLES - _UNKNOWN) | {"lanl"}),
        _with_unused,
    ),
    Transformation(
        "up events", "has no such rows", _in(frozenset({"csv events", "sacctmgr"})), _with_ups
    ),
    Transformation("told again", "tells no changes", _in(_EVENTS), _told_again),
    Transformation("nodes renamed", "names no nodes", lambda form: not form.jobs, of_log=_renamed),
)
