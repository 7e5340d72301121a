"""What every engine does: it takes tasks and hands back what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ..cells import Task
from ..ledger import Played


class Answer(NamedTuple):
    """What came of tasks that were given together; those without a result, the last, were lost."""

    tasks: Sequence[Task]
    played: Sequence[Played]


class Engine(Protocol):
    """What plays tasks. It is a context manager's value: its workers end with the context."""

    @property
    def group(self) -> int | None:
        """How many tasks are given together; None for as many as last a moment."""
        ...

    @property
    def width(self) -> int:
        """How many groups of tasks may be under way at once."""
        ...

    def submit(self, tasks: Sequence[Task]) -> None:
        """Begin to play tasks, together and in their order."""
        ...

    def finished(self, timeout: float) -> list[Answer]:
        """Wait for an answer, `timeout` [s] at most; return all that there are."""
        ...
