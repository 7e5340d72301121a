"""A picture of a replay: who ran where and when, below the number of jobs waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import FloatArray
from ..units import human_duration

if TYPE_CHECKING:
    from sim.cluster import BlueGene, Flat, Replay
    from sim.records import AttemptRecords

__all__ = ["draw"]

MOST_BARS = 4000
_BINS = 500
_DAY = 86_400.0
_MOST_TICKS = 20
_WAITING, _RUNNING, _FAILED, _DOWN = "tab:orange", "tab:blue", "tab:red", "0.75"
_COLOURS = ("tab:blue", "tab:cyan", "tab:green", "tab:olive", "tab:purple", "tab:brown")


@dataclass(frozen=True, slots=True)
class _Axis:
    """Where on the vertical axis things stand: runs (first unit, units)."""

    label: str
    ticks: tuple[tuple[int, str], ...]
    placed: Callable[[Any], list[tuple[int, int]]]  # of a placement
    node: Callable[[int], tuple[int, int]]
    nodes: Callable[[Any], set[int]]  # that reboot with a placement that was struck


def draw(result: Replay, machine: Flat | BlueGene, path: Path, *, unit: str = "processors") -> None:
    """Write a PNG: a bar per attempt where they can be told apart, else means over time."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    records, attempts = result.job_records, result.attempt_records
    origin = float(records.submit.min()) if records.submit.size else 0.0
    last = float(attempts.end.max()) if attempts.end.size else origin
    axis = _axis(machine, unit, numbered=attempts.placement is not None)
    down = list(_down(result, axis, last))
    figure, (above, below) = pyplot.subplots(
        2, 1, figsize=(11, 6), sharex=True, height_ratios=[1, 3], layout="constrained"
    )
    waited = records.first_start > records.submit
    submit, first = records.submit[waited] - origin, records.first_start[waited] - origin
    above.set_ylabel("jobs waiting")
    if attempts.start.size <= MOST_BARS:
        above.step(*_level(submit, first), where="post", color=_WAITING)
        _bars(below, attempts, axis, down, origin=origin, size=result.size)
        below.set_ylabel(axis.label)
        if axis.ticks:
            below.set_yticks(*zip(*axis.ticks, strict=True))
    else:
        edges = np.linspace(0.0, last - origin, _BINS + 1)
        above.stairs(_means(edges, submit, first), edges / _DAY, fill=True, color=_WAITING)
        _shares(below, edges, attempts, down, origin=origin, size=result.size)
        below.set_ylabel(f"{unit}, means over {human_duration(float(edges[1]))}")
    below.set_ylim(0, result.size)
    if last > origin:
        below.set_xlim(0.0, (last - origin) / _DAY)
    below.set_xlabel("days since the first submission")
    _legend(below, attempts, bool(down))
    figure.suptitle(f"{result.policy}: {len(records.job):,} jobs on {result.size:,} {unit}")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _axis(machine: Flat | BlueGene, unit: str, *, numbered: bool) -> _Axis:
    from sim.cluster.bluegene import NODES_PER_CARD, BlueGene

    if not isinstance(machine, BlueGene):
        per_node = machine.processors_per_node
        label = unit if numbered else f"{unit}, as they come free: they have no numbers"
        return _Axis(
            label,
            (),
            lambda placement: _runs(np.asarray(placement)),
            lambda node: (node * per_node, min(per_node, machine.size - node * per_node)),
            lambda _: set(),
        )
    table = machine.table
    per_midplane = table.total_nodes // len(table.midplanes)
    step = -(-len(table.midplanes) // _MOST_TICKS)
    named = [(place * per_midplane, name) for place, name in enumerate(table.midplanes)]
    return _Axis(
        "midplane",
        tuple(named[::step]),
        lambda placement: [
            (NODES_PER_CARD * first, NODES_PER_CARD * count)
            for first, count in _runs(np.flatnonzero(table.cards[placement]))
        ],
        lambda node: (node * per_midplane, per_midplane),
        lambda placement: set(np.flatnonzero(table.uses[placement]).tolist()),
    )


def _runs(members: Any) -> list[tuple[int, int]]:
    """Return (first, count) of what is consecutive in ascending numbers."""
    breaks = np.flatnonzero(np.diff(members) > 1)
    firsts = members[np.concatenate(([0], breaks + 1))]
    lasts = members[np.concatenate((breaks, [members.size - 1]))]
    return [(int(a), int(b - a + 1)) for a, b in zip(firsts, lasts, strict=True)]


def _down(
    result: Replay, axis: _Axis, last: float
) -> Iterator[tuple[float, float, tuple[int, int]]]:
    """Return what was out of order, each node once at a time: start, end [s] and its units."""
    spans: dict[int, list[tuple[float, float]]] = {}
    for outage in result.outages:
        nodes = {outage.node}.union(*(axis.nodes(placement) for placement in outage.struck))
        for node in nodes:
            spans.setdefault(node, []).append((outage.start, min(outage.end, last)))
    for node, found in spans.items():
        joined = [found[0]]  # they are in order of start
        for start, end in found[1:]:
            if start <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(joined[-1][1], end)
            else:
                joined.append((start, end))
        yield from ((start, end, axis.node(node)) for start, end in joined)


def _level(up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return times [day] and how many are up after each of them."""
    time = np.concatenate((up, down))
    order = np.argsort(time, kind="stable")
    steps = np.concatenate((np.ones(up.size), np.full(down.size, -1.0)))
    return time[order] / _DAY, np.cumsum(steps[order])


def _means(edges: FloatArray, up: FloatArray, down: FloatArray, size: Any = 1.0) -> FloatArray:
    """Return the mean of what is up between each two edges; `size` is what each counts for."""
    weight = np.broadcast_to(np.asarray(size, dtype=np.float64), up.shape)

    def before(times: FloatArray) -> FloatArray:
        """Return at each edge the integral of what came by then."""
        order = np.argsort(times)
        place = np.searchsorted(times[order], edges)
        count = np.concatenate(([0.0], np.cumsum(weight[order])))[place]
        moment = np.concatenate(([0.0], np.cumsum((weight * times)[order])))[place]
        return np.asarray(edges * count - moment)

    return np.asarray(np.diff(before(up) - before(down)) / np.diff(edges))


def _bars(
    axes: Any,
    attempts: AttemptRecords,
    axis: _Axis,
    down: list[tuple[float, float, tuple[int, int]]],
    *,
    origin: float,
    size: int,
) -> None:
    from matplotlib.collections import PolyCollection

    from sim.records import Outcome

    colours = np.array(_COLOURS)[np.arange(attempts.start.size) % len(_COLOURS)]
    colours[attempts.outcome == Outcome.FAILED] = _FAILED
    boxes, painted = [], []
    for index, pieces in _places(attempts, axis, size):
        for piece in pieces:
            boxes.append(_box(attempts.start[index], attempts.end[index], piece, origin))
            painted.append(colours[index])
    axes.add_collection(
        PolyCollection(
            [_box(start, end, piece, origin) for start, end, piece in down], facecolors=_DOWN
        )
    )
    axes.add_collection(
        PolyCollection(boxes, facecolors=painted, edgecolors="white", linewidths=0.2)
    )
    axes.autoscale_view()


def _box(
    start: float, end: float, piece: tuple[int, int], origin: float
) -> list[tuple[float, float]]:
    left, right = (start - origin) / _DAY, (end - origin) / _DAY
    low, high = piece[0], piece[0] + piece[1]
    return [(left, low), (right, low), (right, high), (left, high)]


def _places(
    attempts: AttemptRecords, axis: _Axis, size: int
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield where every attempt ran, as runs of units.

    A flat machine on which nothing fails has no numbers: there each gets the lowest that are free
    at its start, an assignment as true as any other.
    """
    if attempts.placement is not None:
        yield from ((i, axis.placed(placement)) for i, placement in enumerate(attempts.placement))
        return
    free = np.ones(size, dtype=bool)
    held: dict[int, Any] = {}
    # Ends before starts at one instant.
    events = sorted(
        [(t, 0, i) for i, t in enumerate(attempts.end)]
        + [(t, 1, i) for i, t in enumerate(attempts.start)]
    )
    for _, is_start, index in events:
        if not is_start:
            free[held.pop(index, np.empty(0, np.int64))] = True
            continue
        mine = np.flatnonzero(free)[: attempts.processors[index]]
        free[mine] = False
        held[index] = mine
        yield index, _runs(mine)


def _shares(
    axes: Any,
    edges: FloatArray,
    attempts: AttemptRecords,
    down: list[tuple[float, float, tuple[int, int]]],
    *,
    origin: float,
    size: int,
) -> None:
    from sim.records import Outcome

    days, start, end = edges / _DAY, attempts.start - origin, attempts.end - origin
    failed = attempts.outcome == Outcome.FAILED
    axes.stairs(_means(edges, start, end, attempts.processors), days, fill=True, color=_RUNNING)
    if failed.any():
        hit = _means(edges, start[failed], end[failed], attempts.processors[failed])
        axes.stairs(hit, days, fill=True, color=_FAILED)
    if down:
        begins, ends, pieces = zip(*down, strict=True)
        out = _means(
            edges,
            np.array(begins) - origin,
            np.array(ends) - origin,
            np.array([count for _, count in pieces]),
        )
        axes.stairs(size - out, days, baseline=size, fill=True, color=_DOWN)


def _legend(axes: Any, attempts: AttemptRecords, down: bool) -> None:
    from matplotlib.patches import Patch

    from sim.records import Outcome

    bars = attempts.start.size <= MOST_BARS
    shown = [Patch(color=_RUNNING, label="running, colours tell jobs apart" if bars else "running")]
    if (attempts.outcome == Outcome.FAILED).any():
        shown.append(Patch(color=_FAILED, label="running, until a failure"))
    if down:
        shown.append(Patch(color=_DOWN, label="down" if bars else "down, from above"))
    axes.legend(
        handles=shown,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=len(shown),
        frameon=False,
    )
