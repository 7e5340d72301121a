"""A progress bar on standard error, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["job_progress", "watched"]


def watched() -> bool:
    """Return whether standard error is a terminal; it may also be closed."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def job_progress(jobs: int, name: str) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of jobs done; None off a terminal."""
    if not watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=jobs)

        def report(done: int) -> None:
            if done % 512 == 0 or done == jobs:
                bar.update(task, completed=done)

        yield report
