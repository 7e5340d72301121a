"""Failure logs of real machines: the instants at which each failed, where the files are at hand."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

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

__all__ = ["FILES", "FailureLog", "absent", "logs"]

FloatArray = npt.NDArray[np.float64]

_APART = 120.0  # records closer than these seconds to the one before are one failure
_LANL = tuple(range(2, 25))  # the file has no system 1
_CLUSTERS = ("site8/c1", "site4/c1", "site6/c1")
_NODES = 16  # drawn from each of these clusters


@dataclass(frozen=True, slots=True, eq=False)
class FailureLog:
    """When a machine failed.

    Parameters
    ----------
    name : str
        Of the machine.
    times : ndarray, [s]
        Instants of its failures, ascending and at least two minutes apart.
    """

    name: str
    times: FloatArray

    @property
    def span(self) -> float:
        """Time from the first failure to the last, [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def mtbf(self) -> float:
        """Mean time between failures over the whole log, [s]."""
        return self.span / self.times.size


def _lanl(path: Path) -> Iterator[tuple[str, FloatArray]]:
    for system in _LANL:
        yield f"LANL {system}", _column(read_lanl(path, system=system).frame["time"])


def _mira(name: str) -> Callable[[Path], Iterator[tuple[str, FloatArray]]]:
    def read(path: Path) -> Iterator[tuple[str, FloatArray]]:
        yield name, _column(read_mira_ras(path, heads=True).frame["time"])

    return read


def _bluegene(path: Path) -> Iterator[tuple[str, FloatArray]]:
    yield "Blue Gene/L", _column(read_bgl_ras(path).frame["time"])


def _infinitehbd(path: Path) -> Iterator[tuple[str, FloatArray]]:
    yield "GPU servers", _column(read_infinitehbd(path).frame["time"])


def _metacentrum(path: Path) -> Iterator[tuple[str, FloatArray]]:
    yield "MetaCentrum", _column(read_metacentrum_failures(path).frame["time"])


def _campaign(path: Path) -> Iterator[tuple[str, FloatArray]]:
    yield "Campaign disks", _column(read_failures_csv(path).frame["time"])


def _grid5000(path: Path) -> Iterator[tuple[str, FloatArray]]:
    """Yield clusters of which 16 nodes are drawn: unavailability is often planned for a whole."""
    frame = read_fta(path).frame
    for number, cluster in enumerate(_CLUSTERS):
        rows = frame[frame["node"].astype(str).str.contains(f"/{cluster}/", regex=False)]
        nodes = np.unique(rows["node"].astype(str))
        drawn = np.random.default_rng([2026, number]).choice(nodes, _NODES, replace=False)
        yield f"Grid'5000 {cluster}", _column(rows[rows["node"].astype(str).isin(drawn)]["time"])


def _titan(path: Path) -> Iterator[tuple[str, FloatArray]]:
    """Yield the instants at which a GPU was lost: a double-bit error, or off the bus."""
    rows = csv.DictReader(_lines(path))
    losses = [row["remove"] for row in rows if row["event"] and row["remove"]]
    yield "Titan GPUs", np.sort([_instant(text) for text in losses])


def _glm(path: Path) -> Iterator[tuple[str, FloatArray]]:
    """Yield the incidents that stopped a training run, from the headings of its log book."""
    heading = re.compile(r"## (\d{4})[-.](\d\d)[-.](\d\d) (\d\d:\d\d) (.*)")
    found = []
    for line in _lines(path):
        said = heading.match(line)
        if said and re.search("failure|explodes|spikes|termination", said[5]):
            found.append(_instant(f"{said[1]}-{said[2]}-{said[3]} {said[4]}"))
    yield "GLM-130B", np.sort(found)


# File -> who reads it, and for which machines.
FILES: dict[str, Callable[[Path], Iterator[tuple[str, FloatArray]]]] = {
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
            found += [FailureLog(machine, _apart(times)) for machine, times in read(path)]
    return tuple(found)


def _apart(times: FloatArray) -> FloatArray:
    return times[np.diff(times, prepend=-np.inf) > _APART]


def _column(values: object) -> FloatArray:
    return np.sort(np.asarray(values, dtype=np.float64))


def _lines(path: Path) -> Iterator[str]:
    findings = Findings()
    return iter(list(text_lines(open_source(path, findings), findings)))


def _instant(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
