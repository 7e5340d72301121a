"""Figs 10 and 11 of `wsj`: its model against jobs on the failures that LANL recorded in 2004-05.

The paper does not state its systems, windows or parameters. Ours: nodes are drawn at random from
the systems whose mean repair is within the paper's 2 to 4 h (rounded), among those up when the
window opens; each then has its own recorded failures and repairs. The prediction for a system
uses its rate, mean repair and CV over the same period, as the paper seems to do, or over 2004 for
windows of 2005; other CVs, one for all systems, are shown beside that.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from perfmodel import ValidityWarning, slowest, slowest_of, wsj_makespan
from perfmodel.completion import CompletionTime
from perfmodel.lifetimes import Gamma
from sim.application import simulate_makespans
from sim.records import FloatArray
from sim.samplers import Recorded
from sim.traces import locate

from ..estimates import Estimate, estimate
from .systems import INTERVAL, STORAGE

if TYPE_CHECKING:
    import pandas as pd

LOG = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv"
_HOUR = 3600.0
_SEED = 10


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """When one node went down and came up again, [h]; repairs that overlap are one."""

    system: int
    down: FloatArray
    up: FloatArray

    def is_up(self, time: float) -> bool:
        """Return whether the node is up at `time` [h]."""
        at = int(np.searchsorted(self.down, time, side="right")) - 1
        return at < 0 or bool(self.up[at] <= time)

    def makespan(self, start: float, work: float) -> float:
        """Return the time that a task of `work` [h] takes from `start` [h] on, [h]."""
        first = int(np.searchsorted(self.down, start))
        if first == self.down.size:
            return work * (1.0 + STORAGE / INTERVAL)
        gaps = self.down[first:] - np.concatenate([[start], self.up[first:-1]])
        walls = simulate_makespans(
            work,
            interval=INTERVAL,
            uptime=Recorded(gaps, then="never"),
            checkpoint_cost=STORAGE,
            downtime=Recorded(self.up[first:] - self.down[first:]),
            replications=1,
            seed=0,
        )
        return float(walls[0])


@dataclass(frozen=True, slots=True, eq=False)
class Period:
    """Every node of some systems over a time of observation, [h]."""

    begin: float
    end: float
    nodes: tuple[Node, ...]

    def observed(self, since: float, until: float) -> dict[int, tuple[float, FloatArray]]:
        """Return MTBF and repairs [h] of a node of each system, observed in [since, until)."""
        found = {}
        for system in dict.fromkeys(node.system for node in self.nodes):
            mine = [node for node in self.nodes if node.system == system]
            seen = [(node.down >= since) & (node.down < until) for node in mine]
            repairs = np.concatenate([(n.up - n.down)[s] for n, s in zip(mine, seen, strict=True)])
            if repairs.size >= 2:
                exposed = len(mine) * (until - since) - float(repairs.sum())
                found[system] = exposed / repairs.size, repairs
        return found

    def tasks(
        self, work: float, *, since: float, until: float, cv: float | None = None
    ) -> dict[int, CompletionTime]:
        """Return the law of a task of `work` [h] on a node of each system.

        `cv` [-] is that of the repairs of all systems, if not each its own.
        """
        found: dict[int, CompletionTime] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)  # judged by the replay
            for system, (mtbf, repairs) in self.observed(since, until).items():
                own = float(repairs.std() / repairs.mean())
                found[system] = wsj_makespan(
                    work,
                    mtbf=mtbf,
                    downtime=Gamma.from_mean(float(repairs.mean()), cv=own if cv is None else cv),
                    interval=INTERVAL,
                    checkpoint_cost=STORAGE,
                )
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """Predicted and replayed completion times of the same windows, [h].

    `predicted` is by the CV of repairs in the prediction, None for each system's own. `cut` counts
    windows in which a task ends after the log, which then has no more failures.
    """

    nodes: int
    work: float
    predicted: dict[float | None, FloatArray]
    replayed: FloatArray
    cut: int

    def error(self, cv: float | None = None) -> Estimate:
        """Return mean prediction over mean replay, less 1, [%], the windows as independent."""
        guess, mean = self.predicted[cv], float(self.replayed.mean())
        ratio = float(guess.mean()) / mean
        half = estimate(guess - ratio * self.replayed).half / mean
        return Estimate(100.0 * (ratio - 1.0), 100.0 * half)

    def each(self, cv: float | None = None) -> FloatArray:
        """Return the relative distance of the prediction from the replay in every window, [%]."""
        return np.asarray(100.0 * np.abs(self.predicted[cv] / self.replayed - 1.0))


def recorded() -> Path | None:
    """Return the path of the log, or None."""
    return locate(LOG)


def period(
    frame: pd.DataFrame,
    *,
    since: str = "2004-01-01",
    until: str = "2005-09-01",
    repairs: tuple[float, float] = (1.5, 4.5),
) -> Period:
    """Return the nodes of all systems of which the mean repair lies in `repairs` [h]."""
    import pandas as pd

    begin, end = (pd.Timestamp(day, tz="UTC").timestamp() / _HOUR for day in (since, until))
    nodes: list[Node] = []
    for system, rows in frame.groupby("system", sort=True):
        time = rows["time"].to_numpy() / _HOUR
        within = (time >= begin) & (time < end)
        repair = np.nan_to_num(rows["repair"].to_numpy()) / _HOUR
        if not within.any() or not repairs[0] <= repair[within].mean() <= repairs[1]:
            continue
        touched = rows["node"].to_numpy()
        for node in np.unique(touched):
            some = touched == node
            nodes.append(Node(int(str(system)), *_merged(time[some], repair[some])))
        untouched = int(rows["nodes"].max()) - np.unique(touched).size
        never = np.empty(0)
        nodes.extend(Node(int(str(system)), never, never) for _ in range(untouched))
    return Period(begin, end, tuple(nodes))


def replay(
    log: Period,
    nodes: int,
    work: float,
    *,
    windows: int,
    fit: tuple[float, float] | None = None,
    since: float | None = None,
    cvs: Sequence[float] = (),
) -> Replay:
    """Draw windows, predict and replay the slowest of `nodes` tasks of `work` [h] in each.

    Windows open between `since` (the beginning, if not given) and two works before the end; the
    same windows and nested sets of nodes for any number of nodes. `fit` is the part of the log
    that the prediction uses, by default all. `cvs` are those of all systems' repairs in further
    predictions.
    """
    first, last = fit or (log.begin, log.end)
    known = {cv: log.tasks(work, since=first, until=last, cv=cv) for cv in (None, *cvs)}
    free = work * (1.0 + STORAGE / INTERVAL)
    predicted = {cv: np.empty(windows) for cv in known}
    replayed, cut = np.empty(windows), 0
    begin = log.begin if since is None else since
    for k in range(windows):
        rng = np.random.default_rng((_SEED, k))
        start = begin + rng.random() * (log.end - 2.0 * work - begin)
        drawn = _drawn(log, rng, nodes, start)
        walls = [node.makespan(start, work) for node in drawn if _fails(node, start, free)]
        replayed[k] = max(walls, default=free)
        cut += start + replayed[k] > log.end
        for cv, tasks in known.items():
            counts = Counter(node.system for node in drawn if node.system in tasks)
            laws = [slowest_of(tasks[system], count) for system, count in counts.items()]
            predicted[cv][k] = slowest(laws).mean if laws else free
    return Replay(nodes, work, predicted, replayed, cut)


def _merged(time: FloatArray, repair: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return when a node went down and up; a failure during a repair may lengthen it."""
    down: list[float] = []
    up: list[float] = []
    for start, length in sorted(zip(time.tolist(), repair.tolist(), strict=True)):
        if up and start <= up[-1]:
            up[-1] = max(up[-1], start + length)
        else:
            down.append(start)
            up.append(start + length)
    return np.array(down), np.array(up)


def _drawn(log: Period, rng: np.random.Generator, nodes: int, start: float) -> Sequence[Node]:
    chosen: list[Node] = []
    for index in rng.permutation(len(log.nodes)):
        if len(chosen) == nodes:
            break
        if log.nodes[index].is_up(start):
            chosen.append(log.nodes[index])
    if len(chosen) < nodes:
        raise ValueError(f"nodes must be at most the {len(chosen)} that are up, got {nodes}")
    return chosen


def _fails(node: Node, start: float, length: float) -> bool:
    first = int(np.searchsorted(node.down, start))
    return first < node.down.size and bool(node.down[first] < start + length)
