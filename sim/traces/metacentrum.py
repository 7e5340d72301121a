"""The complete logs of MetaCentrum, as the Alea simulator uses them: failures, machines, jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .failures import LineError, read_lines
from .job_frame import job_frame
from .numbers import numbered, whole
from .report import Findings, Trace
from .sources import Source, open_source, text_lines
from .times import Instant

__all__ = ["read_metacentrum_failures", "read_metacentrum_machines", "read_mwf"]


def read_metacentrum_failures(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read machine failures: start (Unix), cluster, duration (s), nodes it took down.

    Parameters
    ----------
    source : path or file object
        Tab separated.
    system, node : value or several, optional
        Keep these clusters and nodes only.
    since, until : seconds, ISO date or datetime, optional
        Keep failures in [since, until).
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has one row per failed node, in the order of the log: `time` [s, Unix], `node`
        (from 0 within its cluster), `repair` [s], `system` (cluster), `cause` (empty), `line`.
        ``report.records`` counts lines, that is failures.

    Raises
    ------
    ValueError
        If a selection is not in the log or its window is empty; with `strict`, at the first
        malformed line.
    TypeError
        If `source` is neither a path nor a file object, or an end of the window no time.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `negative-repair`, `no-nodes`, `empty`. The
    first two lines of the published log are whole clusters that were not installed yet.
    """

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        del number, findings
        fields = line.rstrip("\t ").split("\t")
        if len(fields) != 4:
            raise LineError("wrong-columns", f"{len(fields)} columns instead of 4")
        start, cluster, duration, nodes = fields
        time, repair = _whole("start", start), _whole("duration", duration)
        if repair < 0:
            raise LineError("negative-repair", f"duration is {repair}")
        if not nodes.split():
            raise LineError("no-nodes", "no node is named")
        common = {"time": float(time), "repair": float(repair), "system": cluster, "cause": ""}
        return [common | {"node": _whole("node", one)} for one in nodes.split()]

    chosen = {"system": system, "node": node}
    return read_lines(source, parse, chosen=chosen, since=since, until=until, strict=strict)


def read_metacentrum_machines(source: Source, *, strict: bool = False) -> Trace:
    """Read a machine description, in the layout of 2009 (11 columns) or of 2013 (6).

    Parameters
    ----------
    source : path or file object
        Tab separated, one cluster per line.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has `cluster` (number), `name`, `nodes`, `cpus` (in all), `cpus_per_node`
        (tuple), `speed` (MHz in 2009, relative in 2013), `memory` [KB per node], `cpu_type`,
        `os`, `properties` (tuple), `cpu_ids` (tuple; what the job log calls nodes) and `line`.

    Raises
    ------
    ValueError
        With `strict`, at the first malformed line.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `empty`. Repaired: `extra-node` (more entries
    in the list of CPUs per node than nodes; the surplus at its end is cut). Kept: `cpu-count`
    (the list does not add up to the number of CPUs).
    """

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        fields = line.rstrip("\t ").split("\t")
        if len(fields) == 6:
            return [_machine_2013(fields)]
        if len(fields) != 11:
            raise LineError("wrong-columns", f"{len(fields)} columns, neither 11 nor 6")
        return [_machine_2009(fields, number, findings)]

    return _read_table(source, parse, _MACHINE, strict=strict)


_MACHINE = (
    "cluster",
    "name",
    "nodes",
    "cpus",
    "cpus_per_node",
    "speed",
    "memory",
    "cpu_type",
    "os",
    "properties",
    "cpu_ids",
)


def _machine_2009(fields: list[str], number: int, findings: Findings) -> dict[str, Any]:
    nodes, cpus = _whole("nodes", fields[7]), _whole("CPUs", fields[8])
    per_node = tuple(_whole("CPUs per node", text) for text in fields[9].split(","))
    if len(per_node) > nodes:
        reason = f"{len(per_node)} entries for {nodes} nodes"
        findings.add("repaired", number, "extra-node", reason)
        per_node = per_node[:nodes]
    if sum(per_node) != cpus or len(per_node) != nodes:
        reason = f"{sum(per_node)} CPUs on {len(per_node)} nodes instead of {cpus} on {nodes}"
        findings.add("kept", number, "cpu-count", reason)
    return {
        "cluster": _whole("cluster", fields[0]),
        "name": fields[1],
        "nodes": nodes,
        "cpus": cpus,
        "cpus_per_node": per_node,
        "speed": _whole("speed", fields[2]),
        "memory": _whole("memory", fields[3]),
        "cpu_type": fields[4],
        "os": fields[5],
        "properties": tuple(fields[6].split(",")),
        "cpu_ids": tuple(_whole("CPU id", text) for text in fields[10].split(",")),
    }


def _machine_2013(fields: list[str]) -> dict[str, Any]:
    nodes, per_node = _whole("nodes", fields[2]), _whole("CPUs per node", fields[3])
    return {
        "cluster": _whole("cluster", fields[0]),
        "name": fields[1],
        "nodes": nodes,
        "cpus": nodes * per_node,
        "cpus_per_node": (per_node,) * nodes,
        "speed": _whole("speed", fields[4]),
        "memory": _whole("memory", fields[5]),
        "cpu_type": "",
        "os": "",
        "properties": (),
        "cpu_ids": (),
    }


_JOB_NUMBERS = ("job", "submit", "wait", "runtime", "processors", "memory", "status")
_JOB_TEXT = ("user_name", "queue_name", "unknown_4", "unknown_13", "unknown_14")


def read_mwf(source: Source, *, strict: bool = False) -> Trace:
    """Read jobs in the ``.mwf`` layout of MetaCentrum, with what each requires of a node.

    Parameters
    ----------
    source : path or file object
        Tab separated, 14 columns.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has the columns of `read_swf`, in the order of the log and with -1 for what is
        missing: `submit` [s, Unix], `wait` (start - submit), `status` (exit code), `user` and
        `queue` numbered in order of appearance. Then `properties` (tuple), and as text
        `user_name`, `queue_name` and what is not documented: `unknown_4`, `unknown_13`,
        `unknown_14`.

    Raises
    ------
    ValueError
        With `strict`, at the first malformed line.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `empty`. Kept: `runtime-differs` (from end -
    start), `negative` (wait or runtime below 0).
    """

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        fields = line.rstrip("\r").split("\t")
        if len(fields) != 14:
            raise LineError("wrong-columns", f"{len(fields)} columns instead of 14")
        submit, start, end, runtime = (
            _whole(name, fields[place])
            for name, place in (("submit", 7), ("start", 8), ("end", 9), ("runtime", 10))
        )
        if runtime != end - start:
            reason = f"runtime is {runtime}, end - start {end - start}"
            findings.add("kept", number, "runtime-differs", reason)
        for name, value in (("wait", start - submit), ("runtime", runtime)):
            if value < 0:
                findings.add("kept", number, "negative", f"{name} is {value}")
        job = {
            "job": _whole("job", fields[0]),
            "submit": submit,
            "wait": start - submit,
            "runtime": runtime,
            "processors": _whole("CPUs", fields[4]),
            "memory": _whole("memory", fields[6]),
            "status": _whole("exit", fields[11]),
            "properties": tuple(p for p in fields[5].strip("[]").split(",") if p),
        }
        text = (fields[1], fields[2], fields[3], fields[12], fields[13])
        return [job | dict(zip(_JOB_TEXT, text, strict=True))]

    table = _read_table(source, parse, (*_JOB_NUMBERS, "properties", *_JOB_TEXT), strict=strict)
    columns = {name: table.frame[name].to_numpy() for name in table.frame.columns}
    for name in ("user", "queue"):
        columns[name] = numbered(table.frame[f"{name}_name"])
    return Trace(job_frame(columns), table.report)


def _read_table(
    source: Source,
    parse: Callable[[str, int, Findings], list[dict[str, Any]]],
    names: tuple[str, ...],
    *,
    strict: bool,
) -> Trace:
    import pandas as pd

    findings = Findings()
    content = open_source(source, findings)
    rows, records = [], 0
    for number, line in enumerate(text_lines(content, findings), start=1):
        if not line.strip():
            continue
        records += 1
        try:
            rows += [row | {"line": number} for row in parse(line, number, findings)]
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
    if records == 0:
        findings.add("dropped", 1, "empty", "the file holds no record")
    frame = pd.DataFrame(rows, columns=[*names, "line"])
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _whole(name: str, text: str) -> int:
    number = whole(text)
    if number is None:
        raise LineError("not-a-number", f"{name} is {text!r}, not a whole number")
    return number
