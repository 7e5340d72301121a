"""What is told while replays are played."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext


class Progress:
    """Told of what is played; this one says nothing, another shows it to somebody."""

    def replay(self, name: str, jobs: int) -> AbstractContextManager[Callable[[int], None] | None]:
        """Return what yields a function to call with the number of jobs done, or None."""
        del name, jobs
        return nullcontext()

    def begin(self, name: str) -> None:
        """Hear what is played next, where nobody counts its jobs."""

    def study(self) -> AbstractContextManager[Callable[[int, int], None] | None]:
        """Return what yields a function to call with replays done, and of how many, or None."""
        return nullcontext()


SILENT = Progress()
