"""Play the cells of a study, one replay per cell and seed, in one process or several."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from .._checks import fraction, kind_of, whole
from ..cluster._replay import replay
from ..cluster.workload import Workload, check_workload
from .cells import Cell, DrawnFailures
from .result import Row, Study, StudyInterrupted
from .workers import Crew, Numbers, Play, Task, players

if TYPE_CHECKING:
    from ..cluster.loop.protocols import Machine

_ROUND, _ALL = 8, 10_000  # seeds before the first look at a goal; at most


@dataclass(frozen=True, slots=True)
class _Replays:
    """What is the same for all replays of a study; each process has one."""

    workload: Workload
    machine: Machine
    cells: Mapping[str, Cell]

    def __call__(self, name: str, seed: int) -> Numbers:
        """Return the metrics of a cell under the failures of a seed."""
        cell = self.cells[name]
        machine = self.machine if cell.machine is None else cell.machine
        jobs = self.workload if cell.gaps == 1.0 else self.workload.scale_gaps(cell.gaps)
        failures = cell.failures
        if isinstance(failures, DrawnFailures):
            failures = failures.of(machine, jobs, seed)
        played = replay(
            jobs,
            machine,
            policy=cell.policy,
            event_order=cell.event_order,
            failures=failures,
            checkpointing=cell.checkpointing,
            recovery=cell.recovery,
        )
        numbers = played.metrics
        kept = {key: value for key, value in numbers.items() if isinstance(value, int | float)}
        del kept["engine_s"]  # equal studies are equal byte by byte
        drawn = 0 if failures is None else len(failures)
        return {"failures_drawn": drawn, **kept, "engine": played.engine}


def play_study(
    workload: Workload,
    machine: Machine,
    cells: Mapping[str, Cell],
    *,
    seeds: Iterable[int] | None = None,
    until: float | None = None,
    metric: str = "mean_bounded_slowdown",
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Play every cell under the failures of every seed.

    Parameters
    ----------
    workload : Workload
        The jobs; read once, and held once for all processes.
    machine : Machine
        For example ``flat(128)``; a cell may have one of its own.
    cells : mapping of str to Cell
        Name of each cell -> what it is.
    seeds : iterable of int, optional
        Of the failures, all different; each cell meets the same of each seed. 0, 1, 2, ... by
        default.
    until : float, optional
        Go on with further seeds until the 95 % interval of the mean of `metric` reaches no
        further than this share of the mean, in every cell; in [0, 1]. Without it all `seeds` are
        played, 8 by default.
    metric : str
        What `until` is about; a key of `Replay.metrics`.
    workers : int
        Processes; >= 1. The result does not depend on it.
    progress : callable, optional
        Called with the number of replays played, as it grows, and of how many; with `until` as
        many as will be needed by what is known then.

    Returns
    -------
    Study
        One row per cell and seed, means and paired differences with intervals.

    Raises
    ------
    ValueError
        If there is no cell or seed, a seed comes twice, `workers` is < 1, `until` outside [0, 1],
        `metric` is not known, or as `replay`.
    TypeError
        If a cell is not a `Cell`, or as `replay`.
    StudyInterrupted
        After Ctrl-C: a KeyboardInterrupt whose `.study` has the seeds that are complete.
    ChildProcessError
        If a process was killed.

    Notes
    -----
    `Study.reach` says whether `until` was reached before the seeds ran out, of which there are
    10,000 at most by default. An interval at which a study stopped covers a little less than
    stated, because it was looked at before.

    Examples
    --------
    >>> from sim.cluster import Workload, flat
    >>> from sim.study import Cell, DrawnFailures, play_study
    >>> jobs = Workload([0, 1, 2], [9, 5, 4], [10, 5, 8], [3, 4, 1])
    >>> failing = DrawnFailures(mtbf=4.0)
    >>> cells = {name: Cell(name, failing) for name in ("fcfs", "easy")}
    >>> study = play_study(jobs, flat(4), cells, seeds=range(3))
    >>> study.rows[["cell", "seed"]].values.tolist()[:2]
    [['fcfs', 0], ['easy', 0]]
    """
    check_workload(workload)
    for cell in cells.values():
        kind_of("cells", cell, Cell, "make each with Cell(policy, failures)")
    return play_cells(
        _Replays(workload, machine, dict(cells)),
        cells,
        seeds=seeds,
        until=until,
        metric=metric,
        workers=workers,
        progress=progress,
    )


def play_cells(
    play: Play,
    cells: Iterable[str],
    *,
    seeds: Iterable[int] | None = None,
    until: float | None = None,
    metric: str | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Play every cell with every seed, whatever playing is.

    Parameters
    ----------
    play : callable
        ``play(cell, seed)`` returns a mapping of metrics, numbers by name; the same for the same
        arguments. With several `workers` it is pickled: a function of a module, or an object of
        a class of a module. Arrays that it holds are not copied for each process.
    cells : iterable of str
        Names of the cells.
    seeds, until, workers, progress
        As of `play_study`.
    metric : str, optional
        What `until` is about, and needed with it.

    Returns
    -------
    Study
        One row per cell and seed, means and paired differences with intervals.

    Raises
    ------
    ValueError
        As `play_study`, and if `metric` is not given with `until`.
    StudyInterrupted, ChildProcessError
        As `play_study`.
    Exception
        What `play` raises.

    Examples
    --------
    >>> def play(cell, seed):
    ...     return {"cost": (2.0 if cell == "dear" else 1.0) + seed}
    >>> play_cells(play, ["cheap", "dear"], seeds=[0, 1]).rows["cost"].tolist()
    [1.0, 2.0, 2.0, 3.0]
    """
    names = list(dict.fromkeys(cells))
    if not names:
        raise ValueError("cells must be one at least, got none")
    whole("workers", workers)
    if until is not None:
        fraction("until", until)
        if metric is None:
            raise ValueError("metric must be given with until, got None")
    course = _Course(play, names, until, metric, progress)
    wanted = _different(range(_ALL if until is not None else _ROUND) if seeds is None else seeds)
    try:
        with players(play, int(workers)) as crew:
            course.run(crew, wanted)
    except KeyboardInterrupt:
        raise StudyInterrupted(course.study(complete=False)) from None
    study = course.study()
    if study.rows.empty:
        raise ValueError("seeds must be one at least, got none")
    return study


class _Course:
    """What was played of a study so far."""

    def __init__(
        self,
        play: Play,
        names: list[str],
        until: float | None,
        metric: str | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._names, self._until, self._metric = names, until, metric
        self._progress = progress
        self._seeds: list[int] = []
        self._found: dict[Task, Numbers] = {}

    def run(self, crew: Crew, wanted: Iterator[int]) -> None:
        """Play the seeds, all at once or in rounds until the goal is reached."""
        rounds = self._until is not None
        left = list(islice(wanted, _ALL)) if rounds else list(wanted)
        expected = len(left)
        while left:
            # Longer rounds later: the fewer looks, the nearer do intervals come to what they state.
            size = max(_ROUND, len(self._seeds) // 8) if rounds else len(left)
            batch, left = left[:size], left[size:]
            self._seeds += batch
            for task, numbers in crew([(name, seed) for seed in batch for name in self._names]):
                self._found[task] = numbers
                if self._progress is not None:
                    self._progress(len(self._found), expected * len(self._names))
            if self._until is None or self._metric is None:
                continue
            reach = self.study().reach(self._metric)
            if reach <= self._until:
                return
            expected = self._needed(reach, most=len(self._seeds) + len(left))

    def _needed(self, reach: float, *, most: int) -> int:
        """Return how many seeds the goal will take: intervals shrink with their square root."""
        share = (reach / self._until) ** 2 if self._until else math.inf
        seeds = len(self._seeds)
        if seeds * share >= most:
            return most
        return min(most, max(seeds + 1, math.ceil(seeds * share)))

    def study(self, *, complete: bool = True) -> Study:
        """Return the seeds of which every cell was played."""
        rows: list[Row] = []
        for seed in self._seeds:
            if all((name, seed) in self._found for name in self._names):
                rows += (
                    {"cell": name, "seed": seed, **self._found[name, seed]} for name in self._names
                )
        return Study.of(rows, complete=complete)


def _different(seeds: Iterable[int]) -> Iterator[int]:
    known = set[int]()
    for seed in seeds:
        checked = whole("seeds", seed, least=0)
        if checked in known:
            raise ValueError(f"seeds must be different, got {checked} twice")
        known.add(checked)
        yield checked
