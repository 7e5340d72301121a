"""Logs of the same outages in every format: as tables, or as lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from .answers import Answer, answer_of, answer_of_jobs, truth_of
from .drawn import BEGIN, DAY, DrawnLog

__all__ = ["FORMATS", "Format", "Lines", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text; `times` are the columns that hold instants, as dates in UTC."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    times: tuple[str, ...] = ()
    delimiter: str = ","
    quoted: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Return the bytes of the file."""
        if self.delimiter == "|" and not self.quoted:
            lines = ["|".join(row) for row in (self.header, *self.rows)]
            return "".join(f"{line}\n" for line in lines).encode()
        text = io.StringIO()
        writer = (
            csv.writer(text, delimiter=self.delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
            if self.quoted
            else csv.writer(text, delimiter=self.delimiter, lineterminator="\n")
        )
        writer.writerows([self.header, *self.rows])
        return text.getvalue().encode()

    def changed(self, change: Callable[[str, str], str]) -> Table:
        """Return the table with each field changed by the name of its column."""
        rows = tuple(
            tuple(change(name, text) for name, text in zip(self.header, row, strict=True))
            for row in self.rows
        )
        return replace(self, rows=rows)


@dataclass(frozen=True, slots=True)
class Lines:
    """Records of a line each, or of one JSON value each, after lines that are no records."""

    records: tuple[str, ...]
    head: tuple[str, ...] = ()
    join: Callable[[Sequence[str]], str] = "".join
    options: dict[str, Any] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Return the bytes of the file."""
        return ("".join(self.head) + self.join(self.records)).encode()


@dataclass(frozen=True, slots=True)
class Format:
    """How a log is written, and which reader of `sim.traces` it is for.

    `tells` names what of an answer the format can say, and `answer` asks for it.
    """

    name: str
    layout: str
    write: Callable[[DrawnLog], Table | Lines]
    tells: frozenset[str] = frozenset({"mtbf", "mttr", "by_node"})
    jobs: bool = False

    def answer(self, file: Table | Lines) -> Answer:
        """Return what the reader makes of a file."""
        if self.jobs:
            return answer_of_jobs(file.encoded(), self.layout)
        return answer_of(file.encoded(), self.layout, **file.options)

    def truth(self, log: DrawnLog) -> Answer:
        """Return what it must make of the log."""
        if self.jobs:
            return Answer(len(log.failures), _NODES * _node_time(log), float("nan"), ())
        right = truth_of(log)
        nan = float("nan")
        if self.name == "csv counts":
            days = (log.failures[-1].start - BEGIN) // DAY + 1
            return Answer(right.failures, days * DAY / right.failures, nan, ())
        return Answer(
            right.failures,
            right.mtbf if "mtbf" in self.tells else nan,
            right.mttr if "mttr" in self.tells else nan,
            right.by_node if "by_node" in self.tells else (),
        )


def _date(time: int, separator: str = "T") -> str:
    return datetime.fromtimestamp(time, UTC).strftime(f"%Y-%m-%d{separator}%H:%M:%S")


def _name(node: int) -> str:
    return f"node{node}"


# Tables of operators.


def _spans(log: DrawnLog) -> Table:
    rows = tuple(
        (_name(o.node), _date(a), _date(b), o.cause) for o in log.failures for a, b in o.rows
    )
    return Table(("node", "down", "up", "cause"), rows, ("down", "up"))


def _in_german(log: DrawnLog) -> Table:
    table = _spans(log)
    return replace(table, header=("Knoten", "Beginn", "Ende", "Ursache"), times=("Beginn", "Ende"))


def _in_chinese(log: DrawnLog) -> Table:
    """Return a table in Chinese, its causes too, which other encodings than UTF-8 hold."""
    table = _spans(log)
    names = ("节点", "故障时间", "恢复时间", "原因")
    rows = tuple((*row[:3], f"故障 {row[3]}") for row in table.rows)
    return Table(names, rows, names[1:3])


def _unnamed(log: DrawnLog) -> Table:
    """Return a table with names that nobody knows."""
    table = _spans(log)
    rows = tuple(row[:3] for row in table.rows)
    return Table(("solmu", "alku", "loppu"), rows, ("alku", "loppu"))


def _aligned(log: DrawnLog) -> Lines:
    form = "{:<8}  {:<19}  {:<19}  {}\n".format
    table = _spans(log)
    return Lines(tuple(form(*row) for row in table.rows), (form(*table.header),))


def _blanks(log: DrawnLog) -> Lines:
    """Return a table with as many blanks as come, in and between its fields."""
    table = _spans(log)
    lines = (row for row in table.rows)
    text = (f"{node}{'  ' if len(node) % 2 else ' '}{a} {b}  {why}\n" for node, a, b, why in lines)
    return Lines(tuple(line.replace("T", " ") for line in text), (" ".join(table.header) + "\n",))


def _hours(log: DrawnLog) -> Table:
    rows = tuple(
        (_date(a, " "), _name(o.node), repr((b - a) / 3600))
        for o in log.failures
        for a, b in o.rows
    )
    return Table(("start", "host", "downtime_hours"), rows, ("start",))


def _clocks(log: DrawnLog) -> Table:
    rows = tuple(
        (_date(a), _name(o.node), f"{(b - a) // 3600:02}:{(b - a) // 60 % 60:02}:00")
        for o in log.failures
        for a, b in o.rows
    )
    return Table(("started", "machine", "duration"), rows, ("started",))


def _tickets(log: DrawnLog) -> Table:
    rows = tuple(
        (str(n), _name(o.node), _date(a), _date(b), "resolved")
        for n, (o, a, b) in enumerate((o, a, b) for o in log.failures for a, b in o.rows)
    )
    header = ("incident_number", "service", "created_on", "resolved_on", "status")
    return Table(header, rows, ("created_on", "resolved_on"))


def _events(log: DrawnLog) -> Table:
    told = [(a, 1, _name(o.node)) for o in log.failures for a, _ in o.rows]
    told += [(o.end, 0, _name(o.node)) for o in log.failures]
    rows = tuple((_date(t), node, "down" if down else "up") for t, down, node in sorted(told))
    return Table(("time", "node", "event"), rows, ("time",))


def _parts(log: DrawnLog) -> Table:
    """Return events of nodes in a column that is not called so."""
    return replace(_events(log), header=("time", "component", "event"))


def _conditions(log: DrawnLog) -> Table:
    """Return how nodes of Kubernetes were, beside conditions that tell no failure."""
    table = _events(log)
    rows = [(*row[:2], "Ready", "True" if row[2] == "up" else "False") for row in table.rows]
    rows[1:1] = [(_date(BEGIN), _name(node), "MemoryPressure", "False") for node in (0, 1)]
    header = ("lastTransitionTime", "node", "type", "status")
    return Table(header, tuple(rows), ("lastTransitionTime",))


def _flags(log: DrawnLog) -> Table:
    seen = {(o.start, _name(o.node)): "1" for o in log.failures}
    seen |= {(BEGIN + DAY * day + 7, _name(day % log.nodes)): "0" for day in range(0, 130, 3)}
    rows = tuple((_date(t), node, flag) for (t, node), flag in sorted(seen.items()))
    return Table(("date", "node", "failed"), rows, ("date",))


def _planned(log: DrawnLog) -> Table:
    rows = tuple(
        (_name(o.node), _date(a), _date(b), "scheduled maintenance" if o.planned else o.cause)
        for o in log.outages
        for a, b in o.rows
    )
    return Table(("node", "down", "up", "reason"), rows, ("down", "up"))


def _counts(log: DrawnLog) -> Table:
    days = (log.failures[-1].start - BEGIN) // DAY + 1
    counts = [0] * days
    for outage in log.failures:
        counts[(outage.start - BEGIN) // DAY] += 1
    rows = tuple(
        (_date(BEGIN + DAY * day)[:10], str(count), str(log.nodes))
        for day, count in enumerate(counts)
    )
    return Table(("date", "failures", "nodes"), rows)


# Slurm.

_STATES = ("DOWN*", "DOWN*+DRAIN", "IDLE+DRAIN", "DRAIN")


def _sacctmgr(log: DrawnLog) -> Table:
    rows = tuple(
        (
            *("c1", _name(o.node), _date(a), _date(b)),
            *(("DRAIN", "planned: firmware") if o.planned else (_STATES[min(n, 3)], o.cause)),
            "root",
        )
        for o in log.outages
        for n, (a, b) in enumerate(o.rows)
    )
    header = ("Cluster", "NodeName", "TimeStart", "TimeEnd", "State", "Reason", "User")
    return Table(header, rows, ("TimeStart", "TimeEnd"), "|")


_NODES = 4  # of each job


def _node_time(log: DrawnLog) -> float:
    """Return the length of all jobs over those that lost a node: jobs last from start to end."""
    return sum(o.end - o.start for o in log.outages) / len(log.failures)


def _jobs(log: DrawnLog) -> list[tuple[int, int, int, str]]:
    """Return number, start, end and state of jobs of which each failure ends one."""
    return [
        (1000 + n, o.start, o.end, "COMPLETED" if o.planned else "NODE_FAIL")
        for n, o in enumerate(log.outages)
    ]


def _sacct(log: DrawnLog) -> Table:
    rows = tuple(
        (str(job), _date(a - 60), _date(a), _date(b), str(_NODES), str(4 * _NODES), state)
        for job, a, b, state in _jobs(log)
    )
    header = ("JobIDRaw", "Submit", "Start", "End", "NNodes", "AllocCPUS", "State")
    return Table(header, rows, ("Submit", "Start", "End"), "|")


def _listed(records: Sequence[str]) -> str:
    return f"[{', '.join(records)}]"


def _sacct_json(log: DrawnLog) -> Lines:
    records = tuple(
        json.dumps(
            {
                "job_id": job,
                "allocation_nodes": _NODES,
                "required": {"CPUs": 4 * _NODES},
                "state": {"current": [state], "reason": "None"},
                "time": {"submission": a - 60, "start": a, "end": b, "elapsed": b - a},
            }
        )
        for job, a, b, state in _jobs(log)
    )
    return Lines(records, join=lambda some: f'{{"jobs": {_listed(some)}}}')


# Other formats.


def _minute(time: int) -> str:
    moment = datetime.fromtimestamp(time, UTC)
    return f"{moment.month}/{moment.day}/{moment.year} {moment.hour}:{moment.minute:02}"


def _lanl(log: DrawnLog) -> Table:
    rows = tuple(
        (
            "20",
            "64",
            str(o.node),
            _minute(a),
            _minute(b),
            str((b - a) // 60),
            "",
            o.cause,
            *[""] * 4,
        )
        for o in log.failures
        for a, b in o.rows
    )
    header = (
        *("System", "nodes", "nodenumz", "Prob Started", "Prob Fixed", "Down Time"),
        *("Facilities", "Hardware", "Human Error", "Network", "Undetermined", "Software"),
    )
    return Table(header, rows)


def _fta(log: DrawnLog) -> Lines:
    records = tuple(
        f"{n} 0 {o.node} 5 {_name(o.node)} 0 {a} {b} NULL\n"
        for n, (o, a, b) in enumerate((o, a, b) for o in log.failures for a, b in o.rows)
    )
    head = "# event_id component_id node_id platform_id node_name event_type event_start_time "
    return Lines(records, (f"{head}event_stop_time event_end_reason\n",))


def _metacentrum(log: DrawnLog) -> Lines:
    records = (f"{a}\tc1\t{b - a}\t{o.node}\n" for o in log.failures for a, b in o.rows)
    return Lines(tuple(records))


def _bgl(log: DrawnLog) -> Lines:
    records = tuple(
        f"{datetime.fromtimestamp(o.start, UTC):%Y-%m-%d-%H.%M.%S}.000000 R0{o.node}-M0-N4 RAS "
        "KERNEL FATAL machine check\n"
        for o in log.failures
    )
    return Lines(records)


def _infinitehbd(log: DrawnLog) -> Lines:
    kind = {"Level": "Hardware", "Class": "GPU", "Desc": "lost"}
    told = [
        (time, what, o.node)
        for o in log.failures
        for a, b in o.rows
        for time, what in ((a, "fault_start"), (b, "fault_end"))
    ]
    records = tuple(
        json.dumps(
            {
                "node_id": _name(node),
                "event_time": time / DAY,
                "event_type": what,
                "fault_type": kind,
            }
        )
        for time, what, node in sorted(told)
    )
    return Lines(records, join=_listed)


def _prometheus(log: DrawnLog) -> Lines:
    """Write samples a minute apart where something changes, and the rest an hour apart."""
    ends = [time for o in log.failures for time in (o.start, o.end)]
    first, last = min(ends) - 3600, max(ends) + 3600
    records = []
    for node in range(log.nodes):
        own = [o for o in log.failures if o.node == node]
        times = {*range(first, last, 43_200), last}
        times |= {t for o in own for t in (o.start - 60, o.start, o.end - 60, o.end)}
        values = [
            [time, "0" if any(o.start <= time < o.end for o in own) else "1"]
            for time in sorted(times)
        ]
        labels = {"__name__": "up", "node": _name(node)}
        records.append(json.dumps({"metric": labels, "values": values}))
    return Lines(tuple(records), join=_listed)


def _xid(log: DrawnLog) -> Lines:
    records = tuple(
        f"{_date(o.start)}+00:00 {_name(o.node)} kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=12, "
        "GPU has fallen off the bus.\n"
        for o in log.failures
    )
    return Lines(records)


_INSTANTS = frozenset({"mtbf", "by_node"})
FORMATS: tuple[Format, ...] = (
    Format("csv spans", "csv", _spans),
    Format("csv in German", "csv", _in_german),
    Format("csv of unknown names", "csv", _unnamed),
    Format("csv in Chinese", "csv", _in_chinese),
    Format("csv aligned", "csv", _aligned),
    Format("csv between blanks", "csv", _blanks),
    Format("csv hours", "csv", _hours),
    Format("csv clocks", "csv", _clocks),
    Format("csv tickets", "csv", _tickets),
    Format("csv events", "csv", _events),
    Format("csv of components", "csv", _parts),
    Format("csv of conditions", "csv", _conditions),
    Format("csv flags", "csv", _flags, _INSTANTS),
    Format("csv planned", "csv", _planned),
    Format("csv counts", "csv", _counts),
    Format("sacctmgr", "sacctmgr", _sacctmgr),
    Format("lanl", "lanl", _lanl),
    Format("fta", "fta", _fta),
    Format("metacentrum", "metacentrum", _metacentrum),
    Format("bgl-ras", "bgl-ras", _bgl, _INSTANTS),
    Format("infinitehbd", "infinitehbd", _infinitehbd),
    Format("prometheus", "prometheus", _prometheus),
    Format("xid", "xid", _xid, _INSTANTS),
    Format("sacct", "sacct", _sacct, jobs=True),
    Format("sacct-json", "sacct-json", _sacct_json, jobs=True),
)
