"""Progress of replays on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from sim.answers import Progress

from ..plain import echo
from .progress import clear, job_progress, study_progress, watched


class _Shown(Progress):
    """A bar for a replay, a line for a study."""

    def replay(self, name: str, jobs: int) -> AbstractContextManager[Callable[[int], None] | None]:
        return job_progress(jobs, name)

    def begin(self, name: str) -> None:
        if watched():
            clear()
            echo(f"{name} ...", err=True)

    def study(self) -> AbstractContextManager[Callable[[int, int], None] | None]:
        return study_progress()


SHOWN = _Shown()
