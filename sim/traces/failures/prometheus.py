"""Answers of Prometheus to a range query that says when nodes were up."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..parsing.json_records import json_list, json_number
from ..parsing.numbers import LARGEST
from ..parsing.report import BoolArray, Findings, FloatArray, IntArray, Trace, Watch
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant
from .rows import selected_rows
from .states import down_runs

_NODE = ("node", "instance", "nodename", "host", "hostname", "exported_instance")
_SYSTEM = "cluster"
_PORT = re.compile(r":[0-9]++\Z")
# Of the words of a metric's name, or of its status: which say what a 1 means.
_GOOD = frozenset({"up", "ready", "alive", "healthy", "online", "available", "running", "success"})
_BAD = frozenset(
    {"down", "failed", "failure", "error", "unhealthy", "unavailable", "offline", "notready"}
)
_LATE = 1.5  # steps without a sample that are a gap
_UNWATCHED = "not watched"


@dataclass(frozen=True, slots=True, eq=False)
class _Series:
    """Samples of one node: Unix times [s] and whether each tells that the node is down.

    `alone` is False for one of several that only together tell it, such as ``up``.
    """

    line: int
    metric: str
    alone: bool
    time: FloatArray
    down: BoolArray


def read_prometheus(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read outages of nodes from samples of ``up`` or of the conditions of Kubernetes nodes.

    Parameters
    ----------
    source : path or file object
        The answer to a range query, ``{"status": "success", "data": {"resultType": "matrix",
        "result": [...]}}``, or its list of results alone. A series names its node in the first of
        the labels `node`, `instance` (the port is left out), `nodename`, `host`, `hostname`,
        `exported_instance`.
    system, node, since, until, strict
        As of `read_failures`; a system is the label `cluster`.

    Returns
    -------
    Trace
        ``frame`` has one row per outage, node by node: `time` [s, Unix] of the first sample that
        tells that the node is down, `node`, `repair` [s] (to the next sample that tells that it is
        up; nan while it lasts), `system`, `cause` (metric), `line` (of the series), `fails`. A row
        is no failure (`fails` is False) where a node was down when first seen, or was not watched
        from the beginning or to the end. ``watch`` goes from the first to the last time of
        all samples and, of one system, has the number of nodes that have any. A record is a
        sample.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`.

    Notes
    -----
    What a 1 means is told by the name of the metric: up in ``up`` or ``probe_success``, down in
    ``node_down``; by the label `status` in ``kube_node_status_condition``, of which the condition
    ``Ready`` is read. A series without a name is read as ``up``. Several series of one node agree
    as follows: it is down while all of its ``up`` are 0 (one exporter that stopped is no failure),
    or while any other series tells so.

    Rules. Dropped: `bad-json`, `bad-series`, `bad-sample` (no time, or a value that is neither 0
    nor at least 1), `empty`. Skipped: `in-service`, `other-condition` and `unknown-metric` (a
    series). Merged: `still-down`, `same-node` (a sample at a time at which another series of the
    node has one). Noted: `unnamed-metric`, `no-node`, `gap` (samples missing: as before the gap),
    `not-watched`, `down-from-start`, `still-out`.
    """
    findings = Findings()
    content = open_source(source, findings)
    nodes: dict[tuple[str, str], list[_Series]] = {}
    records = 0
    for line, entry in json_list(content, findings, key="result"):
        if (labels := _labels(entry, line, findings)) is None:
            records += 1
            continue
        records += len(entry["values"])
        turned = _meaning(labels, line, len(entry["values"]), findings)
        if turned is None:
            continue
        series = _samples(entry["values"], line, labels, turned, findings)
        if series.time.size:
            nodes.setdefault(_named(labels, line, findings), []).append(series)
    rows: list[tuple[Any, ...]] = []
    watched = None
    if nodes:
        watch = _watch([series for several in nodes.values() for series in several])
        alone = len({group for _, group in nodes}) == 1
        watched = Watch(watch.start, watch.end, len(nodes) if alone else None)
        for (name, group), several in nodes.items():
            for time, repair, cause, line, fails in _outages(several, watch, findings):
                rows.append((time, name, repair, group, cause, line, fails))
    chosen = {"system": system, "node": node}
    frame = selected_rows(rows, "fails", chosen=chosen, since=since, until=until)
    told = ", ".join(sorted({several[0].metric for several in nodes.values()}))
    understood = f"runs of samples that tell that a node is down ({told})" if nodes else ""
    said = {"understood": understood, "watch": watched}
    return findings.trace(
        content.name, frame, records=records, of="sample", strict=strict, shared=True, **said
    )


class _Window(NamedTuple):
    """Times of the first and the last sample of all, and the usual time between two, [s]."""

    start: float
    end: float
    step: float


def _labels(entry: Any, line: int, findings: Findings) -> dict[str, str] | None:
    """Return the labels of a series, or report why it is none."""
    metric = entry.get("metric") if isinstance(entry, dict) else None
    if not isinstance(metric, dict) or not isinstance(entry.get("values"), list):
        instant = isinstance(entry, dict) and "value" in entry
        wrong = (
            "an instant query has one time only: ask for a range" if instant else str(entry)[:80]
        )
        findings.add("dropped", line, "bad-series", f"no metric with values over time: {wrong}")
        return None
    return {str(name): str(value) for name, value in metric.items()}


def _named(labels: Mapping[str, str], line: int, findings: Findings) -> tuple[str, str]:
    """Return node and system."""
    name = next((labels[label] for label in _NODE if labels.get(label)), "")
    if not name:
        some = ", ".join(labels)[:80] or "none"
        reason = f"no label {', '.join(_NODE)} names the node, got labels {some}"
        findings.add("noted", line, "no-node", reason)
    return _PORT.sub("", name), labels.get(_SYSTEM, "")


def _meaning(labels: Mapping[str, str], line: int, size: int, findings: Findings) -> bool | None:
    """Return whether 1 is down, and None where that is not known or not asked for."""
    name = labels.get("__name__", "")
    condition, status = labels.get("condition"), labels.get("status", "").lower()
    where = np.full(size, line, dtype=np.int64)
    if condition not in (None, "Ready"):
        reason = f"condition {condition!r} does not say whether the node is in service"
        findings.add_lines("skipped", where, "other-condition", reason)
        return None
    if condition == "Ready" or status:
        return status in ("false", "unknown")
    words = set(re.split(r"[_:]", name.lower()))
    if words & _BAD or {"not", "ready"} <= words:
        return True
    if name and not words & _GOOD:
        reason = f"the name {name!r} does not say whether 1 is up or down"
        findings.add_lines("skipped", where, "unknown-metric", reason)
        return None
    if not name:
        findings.add("noted", line, "unnamed-metric", "a metric without a name: 0 is down")
    return False


def _samples(
    values: list[Any], line: int, labels: Mapping[str, str], turned: bool, findings: Findings
) -> _Series:
    """Return the samples that tell a state; `turned` if 1 is down."""
    times, states = [], []
    for pair in values:
        time, state = _sample(pair)
        if time is None or state is None:
            reason = f"no time with 0, 1 or more: {str(pair)[:80]}"
            findings.add("dropped", line, "bad-sample", reason)
            continue
        times.append(time)
        states.append((state > 0.0) == turned)
    name = labels.get("__name__", "")
    status = labels.get("status")
    told = name if status is None else f"{name}{{status={status}}}"
    alone = turned or status is not None
    return _Series(line, told or "up", alone, np.array(times), np.array(states, dtype=np.bool_))


def _sample(pair: Any) -> tuple[float | None, float | None]:
    if not isinstance(pair, list) or len(pair) != 2:
        return None, None
    time, state = (None if isinstance(value, dict) else json_number(value) for value in pair)
    if time is not None and abs(time) > LARGEST:
        time = None
    if state is not None and not (state == 0.0 or state >= 1.0):
        state = None
    return time, state


def _watch(every: list[_Series]) -> _Window:
    steps = [np.median(np.diff(np.unique(one.time))) for one in every if one.time.size > 1]
    steps = [step for step in steps if step > 0.0]
    start = min(float(one.time.min()) for one in every)
    end = max(float(one.time.max()) for one in every)
    return _Window(start, end, float(np.median(steps)) if steps else math.inf)


def _outages(
    several: list[_Series], watch: _Window, findings: Findings
) -> list[tuple[float, float, str, int, bool]]:
    """Return time, repair, cause, line and `fails` of the outages of one node; report the rest."""
    time, down, lines = _together(several, findings)
    begins, ends = down_runs(down)
    late = time[0] - watch.start > _LATE * watch.step
    early = watch.end - time[-1] > _LATE * watch.step
    told = np.zeros(time.size, dtype=np.bool_)  # samples that are rows
    told[begins] = True
    rows = []
    if late and not down[0]:
        told[0] = True
        # One sample between is one row, of all the time that it does not tell of.
        end = watch.end if early and time.size == 1 else float(time[0])
        rows.append((watch.start, end - watch.start, _UNWATCHED, int(lines[0]), False))
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        start = watch.start if late and begin == 0 else float(time[begin])
        repair = math.nan if end == time.size else float(time[end]) - start
        rows.append((start, repair, several[0].metric, int(lines[begin]), begin > 0))
    if early and not told[-1] and not down[-1]:
        told[-1] = True
        last = float(time[-1]) + watch.step  # when the next sample should have come
        rows.append((last, watch.end - last, _UNWATCHED, int(lines[-1]), False))
    findings.add_lines("skipped", lines[~down & ~told], "in-service", "the node is up")
    findings.add_lines("merged", lines[down & ~told], "still-down", "the node is down as before")
    _note(time, down, watch, int(lines[0]), findings)
    return rows


def _together(several: list[_Series], findings: Findings) -> tuple[FloatArray, BoolArray, IntArray]:
    """Return the times of all series of a node, ascending, when it was down, and the lines."""
    times = np.concatenate([one.time for one in several])
    down = np.concatenate([one.down for one in several])
    sizes = [one.time.size for one in several]
    lines = np.repeat([one.line for one in several], sizes).astype(np.int64)
    alone = np.repeat([one.alone for one in several], sizes)
    time, first, place = np.unique(times, return_index=True, return_inverse=True)
    reason = "another series of the node has a sample of that time"
    findings.add_lines("merged", np.delete(lines, first), "same-node", reason)

    def count(chosen: BoolArray) -> IntArray:
        return np.bincount(place[chosen], minlength=time.size)

    asked, silent = count(~alone), count(~alone & down)
    out: BoolArray = (count(alone & down) > 0) | ((asked > 0) & (silent == asked))
    return time, out, lines[first]


def _note(time: FloatArray, down: BoolArray, watch: _Window, line: int, findings: Findings) -> None:
    """Say what the samples of a node leave open."""
    gaps = np.diff(time)
    gaps = gaps[gaps > _LATE * watch.step]
    if gaps.size:
        reason = f"{gaps.size} gaps, the longest of {gaps.max():g} s: taken as before each"
        findings.add("noted", line, "gap", reason)
    before, after = time[0] - watch.start, watch.end - time[-1]
    if max(before, after) > _LATE * watch.step:
        reason = f"no sample in the first {before:g} s and the last {after:g} s: out of service"
        findings.add("noted", line, "not-watched", reason)
    if down[0]:
        findings.add("noted", line, "down-from-start", "down when first seen: no failure")
    if down[-1]:
        findings.add("noted", line, "still-out", "down when last seen: repair unknown")
