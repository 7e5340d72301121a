"""Figs 10 and 11 of `wsj`: claims on windows of the LANL log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sim.traces import read_lanl
from validation import processes

from ..claims import Claim, Judged, Reading, Step
from ..estimates import estimate
from ..shown import progress_lines
from .systems import HEAVY_CV, REPAIR_CV
from .trace import Period, Replay, period, recorded, replay

__all__ = ["CVS", "NODES", "WORKS", "claims", "play_windows", "readings"]

NODES = (32, 64, 128, 256, 512)
WORKS = (32.0, 64.0, 128.0, 256.0, 512.0)
CVS = (1.0, REPAIR_CV, HEAVY_CV)
_YEAR = 366 * 24.0  # 2004, [h]
_USUAL, _ALL, _APART = "repairs of 1.5 to 4.5 h", "all", "the same, fitted on 2004, played in 2005"


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What `replay` takes."""

    log: Period
    nodes: int
    work: float
    windows: int
    fit: tuple[float, float] | None = None
    since: float | None = None
    with_cvs: bool = False

    def play(self) -> Replay:
        """Replay the windows."""
        return replay(
            self.log,
            self.nodes,
            self.work,
            windows=self.windows,
            fit=self.fit,
            since=self.since,
            cvs=CVS if self.with_cvs else (),
        )


def play_windows(
    windows: int, figures: Sequence[int] = (10, 11)
) -> dict[int, dict[str, list[Replay]]]:
    """Return replays by figure and systems; none of them if the log is not at hand."""
    path = recorded()
    if path is None:
        return {}
    frame = read_lanl(path).frame
    usual = period(frame)
    parted = usual.begin + _YEAR
    more: dict[str, tuple[Period, tuple[float, float] | None, float | None]] = {
        _USUAL: (usual, None, None),
        _ALL: (period(frame, repairs=(0.0, np.inf)), None, None),
        _APART: (usual, (usual.begin, parted), parted),
    }
    tasks = {
        (figure, systems, place): Task(log, *place, windows, fit, since, systems == _USUAL)
        for systems, (log, fit, since) in more.items()
        for figure, places in (
            (10, [(nodes, 128.0) for nodes in NODES]),
            (11, [(128, work) for work in WORKS]),
        )
        for place in places
        if figure in figures
    }
    found: dict[int, dict[str, list[Replay]]] = {}
    with progress_lines(len(tasks), "points of Figs 10 and 11") as step:
        played = {}
        for task, result in processes.play(tasks.values(), Task.play, workers=2):
            played[id(task)] = result
            step()
    for (figure, systems, _), task in tasks.items():
        found.setdefault(figure, {}).setdefault(systems, []).append(played[id(task)])
    return found


def claims(found: dict[int, dict[str, list[Replay]]]) -> Iterator[Judged]:
    """Yield the claims on the figures that were played."""
    why = (
        "the slowest of more nodes is decided farther out in the law of repairs, where the Gamma "
        "law is too heavy; windows of twenty months overlap, so more of them do not help"
    )
    if 10 in found:
        yield Judged(
            Claim(
                "Fig. 10",
                "with more nodes the error of the prediction falls",
                "gets smaller",
                "from each of 32 to 512 nodes to the next less, and over all",
                trend=True,
                unit="%",
                cause="F",
                why=why,
            ),
            [_falling(levels, played) for levels, played in readings(found[10])],
        )
        yield Judged(
            Claim(
                "Fig. 10",
                "with 512 nodes it is below 1 %",
                "< 1 %",
                "the error below 1 %",
                low=-np.inf,
                high=1.0,
                unit="%",
                cause="F",
                why="which systems and windows were played is not printed",
            ),
            [_bounded(levels, played) for levels, played in readings(found[10])],
        )
    if 11 in found:
        yield Judged(
            Claim(
                "Fig. 11",
                "with more work on each of 128 nodes the error falls",
                "decreases",
                "from each of 32 to 512 h to the next less, and over all",
                trend=True,
                unit="%",
                cause="R",
                why="so for the paper's error, that of each measurement",
            ),
            [_falling(levels, played) for levels, played in readings(found[11])],
        )


def readings(
    found: dict[str, list[Replay]],
) -> Iterator[tuple[dict[str, str], list[tuple[Step, np.ndarray | None]]]]:
    """Yield levels, and for each point its error, with that of every window if it is of these."""
    for per_window in (True, False):
        for systems, replays in found.items():
            for cv in replays[0].predicted:
                levels = {
                    "error": "of each measurement" if per_window else "of the mean",
                    "systems": systems,
                    "CV": "own" if cv is None else f"{cv:g}",
                }
                points = []
                for one in replays:
                    each = one.each(cv) if per_window else None
                    error = one.error(cv) if each is None else estimate(each)
                    step = Step("", abs(error.mean), error.half, one.replayed.size)
                    points.append((step, each))
                yield levels, points


def _falling(levels: dict[str, str], points: list[tuple[Step, np.ndarray | None]]) -> Reading:
    pairs = [*pairwise(points), (points[0], points[-1])]
    steps = []
    for (low, one), (high, other) in pairs:
        if one is None or other is None:
            half = float(np.hypot(low.half, high.half))
            steps.append(Step("", low.mean - high.mean, half, low.seeds))
        else:  # the same windows
            less = estimate(one - other)
            steps.append(Step("", less.mean, less.half, low.seeds))
    return Reading(levels, _list(points), steps)


def _bounded(levels: dict[str, str], points: list[tuple[Step, np.ndarray | None]]) -> Reading:
    return Reading(levels, _list(points), [points[-1][0]])


def _list(points: Sequence[tuple[Step, object]]) -> str:
    return f"{', '.join(f'{step.mean:.1f}' for step, _ in points)} %"
