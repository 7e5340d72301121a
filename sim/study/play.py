"""Play the cells of a study, one replay per cell and seed, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from .._checks import fraction, kind_of
from ..cluster._replay import replay
from ..cluster.workload import Workload, check_workload
from .cells import Cell, DrawnFailures
from .result import Row, Study

if TYPE_CHECKING:
    from ..cluster.loop.protocols import Machine

__all__ = ["play_study"]

_FIRST, _ALL = 8, 10_000  # seeds of the first round of a study with a goal; at most

Tasks: TypeAlias = "Iterable[tuple[str, int]]"


@dataclass(frozen=True, slots=True)
class _Setting:
    """What is the same for all replays of a study; each process has one."""

    workload: Workload
    machine: Machine
    cells: Mapping[str, Cell]

    def play(self, name: str, seed: int) -> Row:
        """Return the metrics of a cell under the failures of a seed."""
        cell = self.cells[name]
        jobs = self.workload if cell.gaps == 1.0 else self.workload.scale_gaps(cell.gaps)
        failures = cell.failures
        if isinstance(failures, DrawnFailures):
            failures = failures.of(self.machine, jobs, seed)
        played = replay(
            jobs,
            self.machine,
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
        return {"cell": name, "seed": seed, "failures_drawn": drawn, **kept}


def play_study(
    workload: Workload,
    machine: Machine,
    cells: Mapping[str, Cell],
    *,
    seeds: Iterable[int] | None = None,
    until: float | None = None,
    metric: str = "mean_bounded_slowdown",
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Play every cell under the failures of every seed.

    Parameters
    ----------
    workload : Workload
        The jobs; read once, given to each process once.
    machine : Machine
        For example ``flat(128)``.
    cells : mapping of str to Cell
        Name of each cell -> what it is.
    seeds : iterable of int, optional
        Of the failures; each cell meets the same of each seed. 0, 1, 2, ... by default.
    until : float, optional
        Go on with further seeds until the 95 % interval of the mean of `metric` reaches no
        further than this share of the mean, in every cell; in [0, 1]. Without it all `seeds` are
        played, 8 by default.
    metric : str
        What `until` is about; a key of `Replay.metrics`.
    workers : int
        Processes; >= 1. The result does not depend on it.
    progress : callable, optional
        Called with the number of replays played, as it grows.

    Returns
    -------
    Study
        One row per cell and seed, means and paired differences with intervals.

    Raises
    ------
    ValueError
        If there is no cell or seed, `workers` is < 1, `until` outside [0, 1], `metric` is not
        known, or as `replay`.
    TypeError
        If a cell is not a `Cell`, or as `replay`.

    Notes
    -----
    Ctrl-C ends the study and loses what was played. `Study.reach` says whether `until` was
    reached before the seeds ran out, of which there are 10,000 at most by default. An interval at
    which a study stopped covers a little less than stated, because it was looked at before.

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
    if not cells:
        raise ValueError("cells must be one at least, got none")
    for cell in cells.values():
        kind_of("cells", cell, Cell, "make each with Cell(policy, failures)")
    if workers < 1:
        raise ValueError(f"workers must be >= 1, got {workers!r}")
    if until is not None:
        fraction("until", until)
    wanted = iter(range(_ALL) if seeds is None else seeds)
    rows: list[Row] = []
    study: Study | None = None
    setting = _Setting(workload, machine, dict(cells))
    with _players(setting, workers) as play:
        size = _FIRST if until is not None or seeds is None else _ALL
        while batch := list(islice(wanted, size)):
            for row in play((name, seed) for seed in batch for name in cells):
                rows.append(row)
                if progress is not None:
                    progress(len(rows))
            study = Study.of(rows)
            if until is None and seeds is None:
                break
            if until is not None and study.reach(metric) <= until:
                break
    if study is None:
        raise ValueError("seeds must be one at least, got none")
    return study


@contextmanager
def _players(setting: _Setting, workers: int) -> Iterator[Callable[[Tasks], Iterator[Row]]]:
    """Give a function that plays (cell, seed) pairs in order."""
    if workers == 1:
        yield lambda tasks: (setting.play(*task) for task in tasks)
        return
    with ProcessPoolExecutor(workers, initializer=_settle, initargs=(setting,)) as pool:
        yield lambda tasks: pool.map(_play, tasks, chunksize=4)
        pool.shutdown(cancel_futures=True)


@cache
def _settled() -> list[_Setting]:
    """Return where a process keeps the setting that it was started with."""
    return []


def _settle(setting: _Setting) -> None:
    _settled()[:] = [setting]


def _play(task: tuple[str, int]) -> Row:
    return _settled()[0].play(*task)
