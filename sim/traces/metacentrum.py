"""The complete logs of MetaCentrum, as the Alea simulator uses them: failures, machines, jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .failures.frame import LineError, read_lines
from .jobs.frame import job_frame
from .parsing.numbers import numbered, whole
from .parsing.report import Findings, Trace
from .parsing.sources import Content, Source, open_source, text_lines
from .parsing.times import Instant

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
    Rules. Dropped: `wrong-columns`, `not-a-number`, `out-of-range` (a start or node below 0),
    `negative-repair`, `no-nodes`, `empty`. Repaired: `repeated-node` (counted once). The first two
    lines of the published log are whole clusters that were not installed yet.
    """

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        fields = line.rstrip("\t ").split("\t")
        if len(fields) != 4:
            raise LineError("wrong-columns", f"{len(fields)} columns instead of 4")
        start, cluster, duration, named = fields
        time, repair = _count("start", start, least=0), _whole("duration", duration)
        if repair < 0:
            raise LineError("negative-repair", f"duration is {repair}")
        nodes = [_count("node", one, least=0) for one in named.split(" ") if one]
        if not nodes:
            raise LineError("no-nodes", "no node is named")
        once = list(dict.fromkeys(nodes))
        if len(once) < len(nodes):
            reason = f"{len(nodes) - len(once)} of {len(nodes)} nodes are named again: counted once"
            findings.add("repaired", number, "repeated-node", reason)
        common = {"time": float(time), "repair": float(repair), "system": cluster, "cause": ""}
        return [common | {"node": node} for node in once]

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
        If there are more nodes than the limits allow; with `strict`, at the first malformed line.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `out-of-range` (nodes, CPUs or speed below 1,
    numbers, ids or memory below 0), `empty`. Repaired: `extra-node` (more entries in the list of
    CPUs per node than nodes; the surplus at its end is cut). Kept: `cpu-count` (the list does not
    add up to the number of CPUs).
    """
    findings = Findings()
    content = open_source(source, findings)
    left = content.limits.max_machines

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        nonlocal left
        fields = line.rstrip("\t ").split("\t")
        if len(fields) not in (6, 11):
            raise LineError("wrong-columns", f"{len(fields)} columns, neither 11 nor 6")
        nodes = _count("nodes", fields[2 if len(fields) == 6 else 7])
        left -= nodes
        if left < 0:
            content.limits.refuse(content.name, "max_machines")
        if len(fields) == 6:
            return [_machine_2013(fields, nodes)]
        return [_machine_2009(fields, nodes, number, findings)]

    return _read_table(content, findings, parse, _MACHINE, strict=strict)


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


def _machine_2009(fields: list[str], nodes: int, number: int, findings: Findings) -> dict[str, Any]:
    cpus = _count("CPUs", fields[8])
    per_node = tuple(_count("CPUs per node", text) for text in fields[9].split(","))
    if len(per_node) > nodes:
        reason = f"{len(per_node)} entries for {nodes} nodes"
        findings.add("repaired", number, "extra-node", reason)
        per_node = per_node[:nodes]
    if sum(per_node) != cpus or len(per_node) != nodes:
        reason = f"{sum(per_node)} CPUs on {len(per_node)} nodes instead of {cpus} on {nodes}"
        findings.add("kept", number, "cpu-count", reason)
    return {
        "cluster": _count("cluster", fields[0], least=0),
        "name": fields[1],
        "nodes": nodes,
        "cpus": cpus,
        "cpus_per_node": per_node,
        "speed": _count("speed", fields[2]),
        "memory": _count("memory", fields[3], least=0),
        "cpu_type": fields[4],
        "os": fields[5],
        "properties": tuple(fields[6].split(",")),
        "cpu_ids": tuple(_count("CPU id", text, least=0) for text in fields[10].split(",")),
    }


def _machine_2013(fields: list[str], nodes: int) -> dict[str, Any]:
    per_node = _count("CPUs per node", fields[3])
    return {
        "cluster": _count("cluster", fields[0], least=0),
        "name": fields[1],
        "nodes": nodes,
        "cpus": nodes * per_node,
        "cpus_per_node": (per_node,) * nodes,
        "speed": _count("speed", fields[4]),
        "memory": _count("memory", fields[5], least=0),
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
    Rules. Dropped: `wrong-columns`, `not-a-number`, `out-of-range` (job or submission below 0),
    `empty`. Repaired: `negative` (wait, runtime, CPUs or memory below 0 become -1, unknown).
    Kept: `runtime-differs` (from end - start).
    """

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        fields = line.rstrip("\r").split("\t")
        if len(fields) != 14:
            raise LineError("wrong-columns", f"{len(fields)} columns instead of 14")
        submit = _count("submit", fields[7], least=0)
        start, end, runtime = (
            _whole(name, fields[place])
            for name, place in (("start", 8), ("end", 9), ("runtime", 10))
        )
        if runtime != end - start:
            reason = f"runtime is {runtime}, end - start {end - start}"
            findings.add("kept", number, "runtime-differs", reason)
        known = {
            "wait": start - submit,
            "runtime": runtime,
            "processors": _whole("CPUs", fields[4]),
            "memory": _whole("memory", fields[6]),
        }
        job = {
            "job": _count("job", fields[0], least=0),
            "submit": submit,
            "status": _whole("exit", fields[11]),
            "properties": tuple(p for p in fields[5].strip("[]").split(",") if p),
        }
        for name, value in known.items():
            if value < 0:
                findings.add("repaired", number, "negative", f"{name} is {value}: unknown")
            job[name] = max(value, -1)
        text = (fields[1], fields[2], fields[3], fields[12], fields[13])
        return [job | dict(zip(_JOB_TEXT, text, strict=True))]

    findings = Findings()
    content = open_source(source, findings)
    table = _read_table(
        content, findings, parse, (*_JOB_NUMBERS, "properties", *_JOB_TEXT), strict=strict
    )
    columns = {name: table.frame[name].to_numpy() for name in table.frame.columns}
    for name in ("user", "queue"):
        columns[name] = numbered(table.frame[f"{name}_name"])
    return Trace(job_frame(columns), table.report)


def _read_table(
    content: Content,
    findings: Findings,
    parse: Callable[[str, int, Findings], list[dict[str, Any]]],
    names: tuple[str, ...],
    *,
    strict: bool,
) -> Trace:
    import pandas as pd

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


def _count(name: str, text: str, *, least: int = 1) -> int:
    number = _whole(name, text)
    if number < least:
        raise LineError("out-of-range", f"{name} is {number}, below {least}")
    return number
