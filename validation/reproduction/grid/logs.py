"""The logs of machines and failures that `grid` takes its numbers from, and what Figure 1 shows."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.cluster.grid import average_failure_count
from sim.traces import (
    locate,
    read_fta,
    read_lanl,
    read_metacentrum_failures,
    read_metacentrum_machines,
)

_META = "jobs/metacentrum-2009"
META_FILES = tuple(
    f"{_META}/{name}"
    for name in ("METACENTRUM-2009-2.swf", "metacentrum.machines.mwf", "metacentrum.mwf.failures")
)
_FTA = "failures/grid5000-fta"
FTA_FILES = (f"{_FTA}/event_trace.tab", f"{_FTA}/node.tab")
_LANL = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv"
_DAY = 86_400.0


def at_hand() -> list[str]:
    """Return the logs that are missing."""
    return [log for log in (*META_FILES, *FTA_FILES, _LANL) if locate(log) is None]


def found(relative: str) -> Path:
    """Return where a log is; FileNotFoundError if it is not at hand."""
    path = locate(relative)
    if path is None:
        raise FileNotFoundError(f"{relative} is missing")
    return path


@lru_cache(maxsize=1)
def availability() -> Any:
    """Return the table of the Failure Trace Archive: every outage of Grid'5000."""
    return read_fta(found(FTA_FILES[0])).frame


@lru_cache(maxsize=1)
def _logs() -> dict[str, tuple[Any, int, float]]:
    """Return log -> (frame of failures, machines, their mean days in service)."""
    sizes = read_metacentrum_machines(found(META_FILES[1])).frame.set_index("name")["nodes"]
    meta, meta_days = installed(read_metacentrum_failures(found(META_FILES[2])).frame, sizes)
    fta = availability()
    lanl = read_lanl(found(_LANL)).frame
    lanl = lanl[lanl["nodes"] > 0]
    # Every system of LANL over its own years.
    nodes = lanl.groupby("system")["nodes"].max()
    lanl_days = float((nodes * lanl.groupby("system")["time"].agg(_days)).sum())
    return {
        "LANL": (lanl, int(nodes.sum()), lanl_days / int(nodes.sum())),
        "MetaCentrum": (meta, int(sizes.sum()), meta_days / int(sizes.sum())),
        "Grid'5000": (fta, 1288, _days(fta["time"])),
    }


def _days(times: Any) -> float:
    return float(times.max() - times.min()) / _DAY


def installed(log: Any, sizes: Any) -> tuple[Any, float]:
    """Return a log without outages before a cluster came into service, and machine-days in service.

    A cluster is not yet in service if all its machines are out from the first instant of the log.
    """
    at_start = log["time"] == log["time"].min()
    out = log[at_start].groupby("system")["node"].nunique()
    late = at_start & log["system"].isin(out.index[out == sizes.reindex(out.index)])
    span = _days(log["time"])
    missing = (log["repair"][late] / _DAY).clip(upper=span).sum()
    return log[~late], float(sizes.sum() * span - missing)


def afc_table() -> dict[str, float]:
    """Return failures per machine and day, of each log."""
    return {
        name: 24.0 * average_failure_count(len(frame), machines, 24.0 * days)
        for name, (frame, machines, days) in _logs().items()
    }


def repair_times() -> dict[str, Any]:
    """Return the known failure durations above 0 of each log, [s]."""
    known = {}
    for name, (frame, _, _) in _logs().items():
        repair = frame["repair"].to_numpy(dtype=np.float64)
        known[name] = repair[np.isfinite(repair) & (repair > 0.0)]
    return known


def lanl_rates() -> list[tuple[int, int, float]]:
    """Return (system, machines, failures per year) of LANL's systems of several machines."""
    frame = _logs()["LANL"][0]
    rates = []
    for name, part in frame.groupby("system"):
        years = float(part["time"].max() - part["time"].min()) / (365.25 * _DAY)
        machines = int(part["nodes"].max())
        if machines > 1 and years > 0.0:
            rates.append((int(str(name)), machines, len(part) / years))
    return rates
