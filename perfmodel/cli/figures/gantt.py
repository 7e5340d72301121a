"""A picture of a replay: who ran where and when, below the number of jobs waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.units import human_count, human_duration
from sim.answers import first_processors, processors_of_attempts

from ..._checks import FloatArray

if TYPE_CHECKING:
    from sim.cluster import BlueGene, Flat, Grid, Replay
    from sim.records import AttemptRecords

MOST_BARS = 4000
_MOST_DRAWN = 300  # bars of a panel that are lines of a drawing, not pixels
_BINS = 500
_DAY = 86_400.0
_MOST_TICKS = 20
_FEW = 3  # replays whose panels are high
_UNSUITABLE = "no_suitable_cluster"  # a rule of `sim.cluster.replay_grid`
# Colours that the colour-blind can tell apart, after Okabe and Ito.
_WAITING, _RUNNING, _FAILED, _DOWN = "#E69F00", "#0072B2", "#D55E00", "0.6"
_COLOURS = ("#0072B2", "#56B4E9", "#009E73", "#CC79A7", "#004D78", "#8BB8A8")


@dataclass(frozen=True, slots=True)
class _Axis:
    """Where on the vertical axis things stand: runs (first unit, units)."""

    label: str
    ticks: tuple[tuple[int, str], ...]
    placed: Callable[[AttemptRecords], Iterable[tuple[int, list[tuple[int, int]]]]]  # by index
    node: Callable[[int], tuple[int, int]]
    nodes: Callable[[Any], set[int]]  # that reboot with a placement that was struck


def draw(
    results: Mapping[str, Replay],
    machine: Flat | BlueGene | Grid,
    path: Path,
    *,
    unit: str = "processors",
    unix_start: float | None = None,
) -> None:
    """Write a PNG: a bar per attempt where they can be told apart, else means over time.

    Each of `results` has two panels under its name, on one time axis: days since the first
    submission, or dates where second 0 of the log is `unix_start`, [s].
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    count, first = len(results), next(iter(results.values()))
    bars = max(result.attempt_records.start.size for result in results.values()) <= MOST_BARS
    origin = min(_first(result) for result in results.values())
    clock = _Clock(origin, 0.0 if unix_start is None else (origin + unix_start) / _DAY)
    last = max(_last(result) for result in results.values())
    figure, axes = pyplot.subplots(
        2 * count,
        1,
        figsize=(11, 6 if count == 1 else (4.2 if count <= _FEW else 2.8) * count + 0.6),
        sharex=True,
        height_ratios=[1, 3] * count,
        layout="constrained",
    )
    for place, (name, result) in enumerate(results.items()):
        above, below = axes[2 * place], axes[2 * place + 1]
        if count > 1:
            above.set_title(f"{name}{_unsuitable(result)}", loc="left", fontweight="bold")
        _panels(above, below, result, machine, _Scene(clock, last, unit, bars=bars))
    most = max(above.get_ylim()[1] for above in axes[::2])
    for above in axes[::2]:
        above.set_ylim(0.0, most)
    figure.align_ylabels(axes)
    if last > origin:
        axes[-1].set_xlim(clock.days(origin), clock.days(last))
    _time_axis(axes[-1], dated=unix_start is not None)
    who = f"{next(iter(results))}{_unsuitable(first)}: " if count == 1 else ""
    jobs = len(first.job_records.job) + first.workload.dropped.get(_UNSUITABLE, 0)
    figure.suptitle(f"{who}{human_count(jobs, 'job')} on {first.size:,} {unit}")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _unsuitable(result: Replay) -> str:
    """Return in words how many jobs of the log suit no cluster, and are in no panel."""
    missing = result.workload.dropped.get(_UNSUITABLE, 0)
    return f" ({human_count(missing, 'job')} left out: no cluster suits)" if missing else ""


@dataclass(frozen=True, slots=True)
class _Clock:
    """Where on the time axis an instant is, [day]."""

    origin: float  # first submission, [s]
    shift: float  # of the first submission on the axis, [day]

    def days(self, time: Any) -> Any:
        """Return where an instant [s], or several, stands."""
        return (time - self.origin) / _DAY + self.shift


@dataclass(frozen=True, slots=True)
class _Scene:
    """What all panels have in common."""

    clock: _Clock
    last: float  # end of the last attempt, [s]
    unit: str
    bars: bool  # one per attempt


def _first(result: Replay) -> float:
    submit = result.job_records.submit
    return float(submit.min()) if submit.size else 0.0


def _last(result: Replay) -> float:
    ends = result.attempt_records.end
    return float(ends.max()) if ends.size else _first(result)


def _time_axis(axes: Any, *, dated: bool) -> None:
    if not dated:
        axes.set_xlabel("days since the first submission")
        return
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    untyped: tuple[Any, Any] = AutoDateLocator, ConciseDateFormatter
    locator = untyped[0]()
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(untyped[1](locator))
    axes.set_xlabel("date (UTC)")


def _panels(
    above: Any, below: Any, result: Replay, machine: Flat | BlueGene | Grid, scene: _Scene
) -> None:
    from sim.metrics import mean_level

    clock, records, attempts = scene.clock, result.job_records, result.attempt_records
    axis = _axis(machine, scene.unit, numbered=attempts.placement is not None)
    down = list(_down(result, axis, scene.last))
    waited = records.first_start > records.submit
    submit, first = records.submit[waited], records.first_start[waited]
    above.set_ylabel("jobs waiting")
    if scene.bars:
        time, level = _level(submit, first)
        above.step(clock.days(time), level, where="post", color=_WAITING)
        _bars(below, attempts, axis, down, clock=clock, size=result.size)
        below.set_ylabel(axis.label)
        if axis.ticks:
            below.set_yticks(*zip(*axis.ticks, strict=True))
    else:
        edges = np.linspace(0.0, scene.last - clock.origin, _BINS + 1)
        means = mean_level(edges, submit - clock.origin, first - clock.origin)
        above.stairs(means, clock.days(edges + clock.origin), fill=True, color=_WAITING)
        _shares(below, edges, attempts, down, clock=clock, size=result.size)
        below.set_ylabel(f"{scene.unit}, means over {human_duration(float(edges[1]))}")
    below.set_ylim(0, result.size)
    _legend(below, attempts, bool(down), bars=scene.bars)


def _axis(machine: Flat | BlueGene | Grid, unit: str, *, numbered: bool) -> _Axis:
    from sim.cluster import Grid
    from sim.cluster.bluegene import NODES_PER_CARD, BlueGene

    if isinstance(machine, Grid):
        return _axis_of_grid(machine)
    if not isinstance(machine, BlueGene):
        per_node = machine.processors_per_node
        label = unit if numbered else f"{unit}, as they come free: they have no numbers"
        return _Axis(
            label,
            (),
            _each(lambda placement: _runs(np.asarray(placement))),
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
        _each(
            lambda placement: [
                (NODES_PER_CARD * first, NODES_PER_CARD * count)
                for first, count in _runs(np.flatnonzero(table.cards[placement]))
            ]
        ),
        lambda node: (node * per_midplane, per_midplane),
        lambda placement: set(np.flatnonzero(table.uses[placement]).tolist()),
    )


def _each(
    placed: Callable[[Any], list[tuple[int, int]]],
) -> Callable[[AttemptRecords], Iterable[tuple[int, list[tuple[int, int]]]]]:
    """Return what goes through the attempts where each placement says all that is drawn of it."""
    return lambda attempts: (
        (index, placed(placement)) for index, placement in enumerate(attempts.placement or ())
    )


def _axis_of_grid(grid: Grid) -> _Axis:
    first = first_processors(grid)
    starts = [first[machine] for machine in grid.first_machines[:-1]]
    ticks: list[tuple[int, str]] = []
    for start, cluster in zip(starts, grid.clusters, strict=True):
        if not ticks or start - ticks[-1][0] >= grid.size / _MOST_TICKS:
            ticks.append((start, cluster.name))
    return _Axis(
        "cluster",
        tuple(ticks),
        lambda attempts: processors_of_attempts(attempts, grid),
        lambda node: (first[node], first[node + 1] - first[node]),
        lambda _: set(),
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
    """Return times [s] and how many are up after each of them."""
    time = np.concatenate((up, down))
    order = np.argsort(time, kind="stable")
    steps = np.concatenate((np.ones(up.size), np.full(down.size, -1.0)))
    return time[order], np.cumsum(steps[order])


def _bars(
    axes: Any,
    attempts: AttemptRecords,
    axis: _Axis,
    down: list[tuple[float, float, tuple[int, int]]],
    *,
    clock: _Clock,
    size: int,
) -> None:
    from matplotlib.collections import PolyCollection

    from sim.records import Outcome

    # By job, so that it has its colour in every panel and attempt.
    colours = np.array(_COLOURS)[attempts.position % len(_COLOURS)]
    colours[attempts.outcome == Outcome.FAILED] = _FAILED
    boxes, painted = [], []
    for index, pieces in _places(attempts, axis, size):
        for piece in pieces:
            boxes.append(_box(attempts.start[index], attempts.end[index], piece, clock))
            painted.append(colours[index])
    closed = [_box(start, end, piece, clock) for start, end, piece in down]
    # As pixels where they are many: each takes 400 bytes of an SVG.
    many = len(boxes) + len(closed) > _MOST_DRAWN
    axes.add_collection(PolyCollection(closed, facecolors=_DOWN, rasterized=many))
    axes.add_collection(
        PolyCollection(
            boxes, facecolors=painted, edgecolors="white", linewidths=0.2, rasterized=many
        )
    )
    axes.autoscale_view()


def _box(
    start: float, end: float, piece: tuple[int, int], clock: _Clock
) -> list[tuple[float, float]]:
    left, right = clock.days(start), clock.days(end)
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
        yield from axis.placed(attempts)
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
    clock: _Clock,
    size: int,
) -> None:
    from sim.metrics import mean_level
    from sim.records import Outcome

    origin = clock.origin
    days, start, end = clock.days(edges + origin), attempts.start - origin, attempts.end - origin
    failed = attempts.outcome == Outcome.FAILED
    axes.stairs(mean_level(edges, start, end, attempts.processors), days, fill=True, color=_RUNNING)
    if failed.any():
        hit = mean_level(edges, start[failed], end[failed], attempts.processors[failed])
        axes.stairs(hit, days, fill=True, color=_FAILED)
    if down:
        begins, ends, pieces = zip(*down, strict=True)
        out = mean_level(
            edges,
            np.array(begins) - origin,
            np.array(ends) - origin,
            np.array([count for _, count in pieces]),
        )
        axes.stairs(size - out, days, baseline=size, fill=True, color=_DOWN)


def _legend(axes: Any, attempts: AttemptRecords, down: bool, *, bars: bool) -> None:
    from matplotlib.patches import Patch

    from sim.records import Outcome

    shown = [Patch(color=_RUNNING, label="running, colours tell jobs apart" if bars else "running")]
    if (attempts.outcome == Outcome.FAILED).any():
        shown.append(Patch(color=_FAILED, label="running, until a failure"))
    if down:
        shown.append(Patch(color=_DOWN, label="down"))
    axes.legend(
        handles=shown,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=len(shown),
        frameon=False,
    )
