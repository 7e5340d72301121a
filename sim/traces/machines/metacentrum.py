"""The machine files of MetaCentrum, as the Alea simulator uses them."""

from __future__ import annotations

from typing import Any

from ..parsing.metacentrum import _count, _read_table
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError
from ..parsing.sources import Source, open_source


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
    *("cluster", "name", "nodes", "cpus", "cpus_per_node", "speed", "memory", "cpu_type", "os"),
    *("properties", "cpu_ids"),
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
