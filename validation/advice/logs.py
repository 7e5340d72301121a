"""Failure logs of real machines: the instants at which each failed, where the files are at hand."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.traces import (
    locate,
    read_bgl_ras,
    read_failures_csv,
    read_fta,
    read_infinitehbd,
    read_lanl,
    read_metacentrum_failures,
    read_mira_ras,
)
from sim.traces.parsing import Findings, open_source, text_lines

__all__ = ["FILES", "FailureLog", "Records", "absent", "first_of_each", "logs"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_APART = 120.0  # records closer than these seconds to the one before are one failure
_LANL = tuple(range(2, 25))  # the file has no system 1
_CLUSTERS = ("site8/c1", "site4/c1", "site6/c1")
_NODES = 16  # drawn from each of these clusters


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """What a log says of each node that failed.

    Parameters
    ----------
    times : ndarray, [s], shape (n,)
        Ascending; one for each node that a failure struck.
    nodes : ndarray of int, shape (n,)
        Which it was, from 0 on; -1 where the log does not tell.
    repairs : ndarray, [s], shape (n,)
        How long it was down; NaN where the log does not tell.
    size : int, [-]
        Nodes of the machine.
    """

    times: FloatArray
    nodes: IntArray
    repairs: FloatArray
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class FailureLog:
    """When a machine failed.

    Parameters
    ----------
    name : str
        Of the machine.
    times : ndarray, [s]
        Instants of its failures, ascending and at least two minutes apart.
    records : Records, optional
        Of which those are the first of each failure.
    """

    name: str
    times: FloatArray
    records: Records | None = None

    @property
    def span(self) -> float:
        """Time from the first failure to the last, [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def mtbf(self) -> float:
        """Mean time between failures over the whole log, [s]."""
        return self.span / self.times.size


Machines = Iterator[tuple[str, Records]]


def _lanl(path: Path) -> Machines:
    for system in _LANL:
        frame = read_lanl(path, system=system).frame
        yield f"LANL {system}", _records(frame, size=int(frame["nodes"].iloc[0]))


def _mira(name: str) -> Callable[[Path], Machines]:
    def read(path: Path) -> Machines:
        frame = read_mira_ras(path, heads=True).frame
        yield name, _records(frame.assign(node=frame["midplane"]), size=96)

    return read


def _bluegene(path: Path) -> Machines:
    frame = read_bgl_ras(path).frame
    yield "Blue Gene/L", _records(frame.assign(node=frame["midplane"]), size=128)


def _infinitehbd(path: Path) -> Machines:
    yield "GPU servers", _records(read_infinitehbd(path).frame, size=400)


def _metacentrum(path: Path) -> Machines:
    yield "MetaCentrum", _records(read_metacentrum_failures(path).frame, size=210)


def _campaign(path: Path) -> Machines:
    yield "Campaign disks", _records(read_failures_csv(path).frame, size=48)


def _grid5000(path: Path) -> Machines:
    """Yield clusters of which 16 nodes are drawn: unavailability is often planned for a whole."""
    frame = read_fta(path).frame
    for number, cluster in enumerate(_CLUSTERS):
        rows = frame[frame["node"].astype(str).str.contains(f"/{cluster}/", regex=False)]
        nodes = np.unique(rows["node"].astype(str))
        drawn = np.random.default_rng([2026, number]).choice(nodes, _NODES, replace=False)
        rows = rows[rows["node"].astype(str).isin(drawn)]
        yield f"Grid'5000 {cluster}", _records(rows, size=_NODES)


def _titan(path: Path) -> Machines:
    """Yield the instants at which a GPU was lost: a double-bit error, or off the bus."""
    rows = csv.DictReader(_lines(path))
    lost = [
        (_instant(row["remove"]), row["location"]) for row in rows if row["event"] and row["remove"]
    ]
    times, places = zip(*sorted(lost), strict=True)
    yield "Titan GPUs", _recorded(times, places, np.nan, size=18_688)


def _glm(path: Path) -> Machines:
    """Yield the incidents that stopped a training run, from the headings of its log book."""
    heading = re.compile(r"## (\d{4})[-.](\d\d)[-.](\d\d) (\d\d:\d\d) (.*)")
    found = []
    for line in _lines(path):
        said = heading.match(line)
        if said and re.search("failure|explodes|spikes|termination", said[5]):
            found.append(_instant(f"{said[1]}-{said[2]}-{said[3]} {said[4]}"))
    yield "GLM-130B", _recorded(sorted(found), [""] * len(found), np.nan, size=1)


# File -> who reads it, and for which machines.
FILES: dict[str, Callable[[Path], Machines]] = {
    "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv": _lanl,
    "failures/mira/fatal-events-2013-2018.cor0.0": _mira("Mira, all grouped"),
    "failures/mira/fatal-events-2013-2018.cor0.9": _mira("Mira, alike grouped"),
    "failures/bluegene-l/Best.any-loc": _bluegene,
    "failures/titan-gpu/gc_full.csv": _titan,
    "failures/infinitehbd-gpu-servers/fault_trace.json": _infinitehbd,
    "failures/campaign-disks/camp_formatted_data.csv": _campaign,
    "jobs/metacentrum-2009/metacentrum.mwf.failures": _metacentrum,
    "failures/grid5000-fta/event_trace.tab": _grid5000,
    "failures/llm-training-chronicles/glm-130b-main-log-en.md": _glm,
}


def absent() -> list[str]:
    """Return the files that are not at hand."""
    return [name for name in FILES if locate(name) is None]


@cache
def logs() -> tuple[FailureLog, ...]:
    """Return the logs that are at hand, those of one file after the other."""
    found = []
    for name, read in FILES.items():
        path = locate(name)
        if path is not None:
            found += [
                FailureLog(machine, each.times[first_of_each(each.times)], each)
                for machine, each in read(path)
            ]
    return tuple(found)


def first_of_each(times: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which records are no longer the same failure as the one before."""
    return np.diff(times, prepend=-np.inf) > _APART


def _records(frame: Any, *, size: int) -> Records:
    rows = frame.sort_values("time", kind="stable")
    return _recorded(rows["time"], rows["node"].astype(str), rows["repair"], size=size)


def _recorded(times: Any, places: Any, repairs: Any, *, size: int) -> Records:
    """Return records of named places; one without a name is unknown."""
    names = np.asarray(places, dtype=np.str_)
    known, codes = np.unique(names, return_inverse=True)
    if len(known) and not known[0]:
        codes = codes - 1
    instants = np.asarray(times, dtype=np.float64)
    lasting = np.broadcast_to(np.asarray(repairs, dtype=np.float64), instants.shape)
    return Records(instants, codes.astype(np.int64), lasting, max(size, len(known)))


def _lines(path: Path) -> Iterator[str]:
    findings = Findings()
    return iter(list(text_lines(open_source(path, findings), findings)))


def _instant(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
