"""Figs 10 and 11 of `wsj`: its model against jobs on the failures that LANL recorded in 2004-05.

The paper does not state its systems, windows or parameters. Ours: nodes are drawn at random from
the systems whose mean repair is within the paper's 2 to 4 h (rounded), among those up when the
window opens; each then has its own recorded failures and repairs. The prediction for a system
uses its rate, mean repair and CV over the same period, as the paper seems to do, or over 2004 for
windows of 2005; other CVs, one for all systems, are shown beside that.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from perfmodel import ValidityWarning, slowest, wsj_makespan
from perfmodel.completion import CompletionTime
from perfmodel.lifetimes import Gamma
from sim import samplers
from sim.application import Machine, simulate_makespans, simulate_parallel_makespans
from sim.samplers import Recorded
from sim.traces import locate

from .systems import INTERVAL, STORAGE

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LOG", "Node", "Period", "Replay", "period", "poisson_mean", "recorded", "replay"]

FloatArray = npt.NDArray[np.float64]

LOG = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv"
_HOUR = 3600.0
_SEED = 10
_FEW = 5  # 1 window of so many is predicted with other CVs as well


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
    """Predicted and replayed completion times of the same windows, [h], and the failures in them.

    `cut` counts windows in which a task ends after the log, which then has no more failures.
    `others` are predictions of the first windows with one CV for all systems, by that CV.
    """

    nodes: int
    work: float
    predicted: FloatArray
    replayed: FloatArray
    cut: int
    others: dict[float, FloatArray] = field(default_factory=dict)

    def with_cv(self, cv: float) -> tuple[float, float]:
        """Return error and half width if predicted with one CV, [-].

        Both predictions of a window differ by nearly the same factor, which takes few windows.
        """
        other = self.others[cv]
        factor = float(other.mean() / self.predicted[: other.size].mean())
        return factor * (1.0 + self.error) - 1.0, factor * self.half

    @property
    def error(self) -> float:
        """Mean prediction over mean replay - 1, [-]."""
        return float(self.predicted.mean() / self.replayed.mean() - 1.0)

    @property
    def half(self) -> float:
        """Half width of the 95 % interval of `error`, the windows taken as independent, [-]."""
        spread = self.predicted - (1.0 + self.error) * self.replayed
        return float(1.96 * spread.std(ddof=1) / np.sqrt(spread.size) / float(self.replayed.mean()))

    @property
    def each(self) -> FloatArray:
        """Relative distance of the prediction from the replay in every window, [-]."""
        return np.asarray(np.abs(self.predicted / self.replayed - 1.0))


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
    that the prediction uses, by default all. A fifth of the windows are predicted with each of
    `cvs` for all systems, too.
    """
    first, last = fit or (log.begin, log.end)
    known = {cv: log.tasks(work, since=first, until=last, cv=cv) for cv in (None, *cvs)}
    free = work * (1.0 + STORAGE / INTERVAL)
    predicted, replayed, cut = np.empty(windows), np.empty(windows), 0
    others = {cv: np.empty(-(-windows // _FEW)) for cv in cvs}
    guesses: dict[tuple[float | None, tuple[int, ...]], float] = {}

    def guess(cv: float | None, drawn: Sequence[Node]) -> float:
        key = cv, tuple(sorted(node.system for node in drawn))
        if key not in guesses:
            laws = [known[cv][node.system] for node in drawn if node.system in known[cv]]
            guesses[key] = slowest(laws).mean if laws else free
        return guesses[key]

    for k in range(windows):
        rng = np.random.default_rng((_SEED, k))
        begin = log.begin if since is None else since
        start = begin + rng.random() * (log.end - 2.0 * work - begin)
        drawn = _drawn(log, rng, nodes, start)
        walls = [node.makespan(start, work) for node in drawn if _fails(node, start, free)]
        replayed[k] = max(walls, default=free)
        cut += start + replayed[k] > log.end
        predicted[k] = guess(None, drawn)
        for cv, found in others.items():
            if k < found.size:
                found[k] = guess(cv, drawn)
    return Replay(nodes, work, predicted, replayed, cut, others)


def poisson_mean(log: Period, nodes: int, work: float, *, plays: int = 2000) -> float:
    """Return the mean time under Poisson failures at each system's rate and recorded repairs, [h].

    Systems are weighted by their nodes. The rest of the distance to a replay is not due to the
    Gamma law, but to failures that are not a Poisson process or not equal for all nodes.
    """
    machines: list[Machine] = []
    share = nodes / len(log.nodes)
    for system, (mtbf, repairs) in log.observed(log.begin, log.end).items():
        machine = Machine(
            mtbf=mtbf,
            downtime=samplers.Empirical(repairs),
            interval=INTERVAL,
            checkpoint_cost=STORAGE,
        )
        machines += [machine] * round(share * sum(node.system == system for node in log.nodes))
    walls = simulate_parallel_makespans(
        [work] * len(machines), machines, replications=plays, seed=_SEED
    )
    return float(walls.mean())


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
