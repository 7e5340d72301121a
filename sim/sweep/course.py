"""A sweep on its way: which tasks come next, who plays them, and when all is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from .cells import Cell, Numbers, Task
from .engines.engine import Answer, Engine
from .ledger import Ledger
from .rule import Rule

_CELLS = 256  # looked up in the ledger together
_GROUP = 0.25  # s that tasks given together should take
_LARGEST = 500  # tasks given together
_BEAT = 1.0  # s between two signs of life
_LOSSES = 8  # workers lost one after the other, without an answer in between


@dataclass(slots=True)
class _Open:
    """A cell that is not done: what is known of it, and what of it this process plays now."""

    cell: Cell
    done: dict[int, Numbers | None]
    awaited: set[int] = field(default_factory=set)


def sweep(
    cells: Iterable[Cell],
    *,
    rule: Rule,
    seed: int,
    ledger: Ledger,
    engine: Engine,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play what is not yet in the ledger, until every cell is done.

    Parameters
    ----------
    cells : iterable of Cell
        In any order; taken as they are needed.
    rule : Rule
        How many replications each takes.
    seed : int
        Of the study.
    ledger : Ledger
        Which has what was played before, or is played by other commands meanwhile.
    engine : Engine
        What plays.
    progress : callable, optional
        Called with the number of cells that are done, as it grows.

    Raises
    ------
    ChildProcessError
        If workers end again and again and nothing is played.
    OSError
        If the ledger cannot be written.
    ValueError
        If the ledger was changed by others, or has replications with another seed.
    """
    _Course(iter(cells), rule, seed, ledger, engine, progress).run()


class _Course:
    def __init__(  # noqa: PLR0917  (one caller, above)
        self,
        cells: Iterator[Cell],
        rule: Rule,
        seed: int,
        ledger: Ledger,
        engine: Engine,
        progress: Callable[[int], None] | None,
    ) -> None:
        self._cells, self._rule, self._seed = cells, rule, seed
        self._ledger, self._engine, self._progress = ledger, engine, progress
        self._open: dict[str, _Open] = {}
        self._ready: deque[Task] = deque()
        self._elsewhere: dict[str, None] = {}  # cells of which others play something
        self._under_way = self._finished = self._lost = 0
        self._seconds = _GROUP  # that a task takes, as far as known
        self._next_beat = 0.0

    def run(self) -> None:
        while True:
            self._tend()
            while self._under_way < self._engine.width and (tasks := self._group()):
                self._engine.submit(tasks)
                self._under_way += 1
            if not self._under_way:
                if not self._elsewhere:
                    return
                time.sleep(0.1)
                self._look_again()
                continue
            answers = self._engine.finished(_BEAT / 2.0)
            if answers:
                self._under_way -= len(answers)
                self._take(answers)

    def _tend(self) -> None:
        if time.monotonic() >= self._next_beat:
            self._ledger.tend()
            self._next_beat = time.monotonic() + _BEAT

    def _group(self) -> list[Task]:
        """Return tasks that are claimed now, or none where nothing is left to begin."""
        short = max(1, min(_LARGEST, round(_GROUP / max(self._seconds, 1e-6))))
        size = self._engine.group or short
        while self._fill(size):
            wanted = [self._ready.popleft() for _ in range(min(size, len(self._ready)))]
            taken = self._ledger.claim(wanted)
            kept = {task[:2] for task in taken}
            for task in wanted:
                if task[:2] not in kept:
                    self._open[task.cell].awaited.discard(task.replication)
                    self._elsewhere[task.cell] = None
            if taken:
                return taken
        return []

    def _fill(self, size: int) -> bool:
        """Read cells until there are tasks for a group; return whether there is one at all."""
        while len(self._ready) < size:
            cells = {cell.name: cell for cell in islice(self._cells, _CELLS)}
            if not cells:
                break
            for name, done in self._known(cells).items():
                self._open[name] = _Open(cells[name], done)
                self._advance(name)
        return bool(self._ready)

    def _advance(self, name: str) -> None:
        """Line up what a cell still needs, or close it; a cell that others play stays open."""
        held = self._open[name]
        if held.awaited:
            return
        missing = self._rule.state(held.done).missing
        if not missing:
            del self._open[name]
            self._elsewhere.pop(name, None)
            self._finished += 1
            if self._progress is not None:
                self._progress(self._finished)
            return
        if name not in self._elsewhere:
            held.awaited.update(missing)
            self._ready += (held.cell.task(number, seed=self._seed) for number in missing)

    def _look_again(self) -> None:
        """Ask the ledger what became of the tasks that others had claimed."""
        names, self._elsewhere = list(self._elsewhere), {}
        for name, done in self._known({name: self._open[name].cell for name in names}).items():
            self._open[name].done.update(done)
            self._advance(name)

    def _known(self, cells: Mapping[str, Cell]) -> dict[str, dict[int, Numbers | None]]:
        """Return what the ledger has of cells; each must have the seed that it has here."""
        found: dict[str, dict[int, Numbers | None]] = {name: {} for name in cells}
        for each in self._ledger.played(list(cells)):
            wanted = cells[each.cell].task(each.replication, seed=self._seed).seed
            if each.seed != wanted:
                raise ValueError(
                    f"ledger must hold what this study draws, got {self._ledger.path} with seed "
                    f"{each.seed} for {wanted}: name another file"
                )
            found[each.cell][each.replication] = each.numbers
        return found

    def _take(self, answers: list[Answer]) -> None:
        played = [each for answer in answers for each in answer.played]
        self._ledger.record(played)
        for each in played:
            held = self._open[each.cell]
            held.done[each.replication] = each.numbers
            held.awaited.discard(each.replication)
        for name in dict.fromkeys(each.cell for each in played):
            if not self._open[name].awaited:
                self._advance(name)
        if played:
            spent = sum(each.ended - each.started for each in played) / len(played)
            self._seconds += (spent - self._seconds) / 2.0
            self._lost = 0
        rests = [Answer(answer.tasks[len(answer.played) :], ()) for answer in answers]
        if lost := [rest for rest in rests if rest.tasks]:
            self._again(lost)

    def _again(self, lost: list[Answer]) -> None:
        self._lost += 1  # groups that were lost together were lost with one worker
        if self._lost > _LOSSES:
            task = lost[0].tasks[0]
            raise ChildProcessError(
                f"workers must live until their cells end, got {self._lost} that ended one after "
                f"the other, the last with {dict(task.parameters)}; where memory is short, use "
                "fewer"
            )
        self._seconds = max(self._seconds, _GROUP)  # smaller groups: one task may kill its worker
        for answer in lost:  # claimed by this process still, so nobody else has them
            self._engine.submit(answer.tasks)
            self._under_way += 1
