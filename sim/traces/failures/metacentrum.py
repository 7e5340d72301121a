"""The failure logs of MetaCentrum, as the Alea simulator uses them."""

from __future__ import annotations

from typing import Any

from ..parsing.metacentrum import _count, _whole
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError
from ..parsing.sources import Source
from ..parsing.times import Instant
from .frame import read_lines


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
    system, node, since, until, strict
        As of `read_failures`; a system is a cluster.

    Returns
    -------
    Trace
        ``frame`` has one row per failed node, in the order of the log: `time` [s, Unix], `node`
        (from 0 within its cluster), `repair` [s], `system` (cluster), `cause` (empty), `line`.
        ``report.records`` counts lines, that is failures.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`.

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
