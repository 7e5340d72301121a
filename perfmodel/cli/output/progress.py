"""Progress on standard error, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from asking.units import natural_unit

from ..plain import plain

__all__ = [
    "announce_compilation",
    "doing",
    "job_progress",
    "quiet_option",
    "study_progress",
    "sweep_progress",
    "watched",
]

QUIET = "perfmodel.quiet"  # key in the notes of a run, which its commands share

_OFTEN = 0.2  # s between two lines
_LETTERS = 79
_CLEAR = "\r\x1b[K"


def watched() -> bool:
    """Return whether progress is shown: not with --quiet, and on a terminal only.

    Standard error may also be closed.
    """
    context = click.get_current_context(silent=True)
    if context is not None and context.meta.get(QUIET):
        return False
    return sys.stderr is not None and sys.stderr.isatty()


def quiet_option() -> click.Option:
    """Return the option --quiet, for any command."""

    def note(context: click.Context, option: click.Parameter, value: bool) -> None:
        del option
        if value:
            context.meta[QUIET] = True

    return click.Option(
        ["--quiet"],
        is_flag=True,
        expose_value=False,
        callback=note,
        help="Show no progress, only the answer and errors.",
    )


def announce_compilation() -> None:
    """Let a line on a terminal say that something is being compiled, before it is."""
    if watched():
        import logging

        log = logging.getLogger("sim._compiled")
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(f"{_CLEAR}%(message)s"))  # a bar may stand there
        handler.addFilter(lambda record: watched())  # --quiet may be read after this
        log.setLevel(logging.INFO)
        log.addHandler(handler)


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


@contextmanager
def study_progress(what: str = "replays") -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function to call with the number of parts done, and of how many; or None.

    It writes one line over and over, by itself: a thread that does so would not survive the start
    of processes.
    """
    if not watched():
        yield None
        return
    began = shown = time.monotonic()

    def report(done: int, of: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < _OFTEN and done < of:
            return
        shown = now
        seconds = max(1.0, (now - began) * (of - done) / done)
        unit, factor = natural_unit(seconds)
        left = f"{seconds / factor:.0f} {unit}"
        print(
            f"{_CLEAR}{done:,} of {of:,} {what}, {left} left", end="", file=sys.stderr, flush=True
        )

    try:
        yield report
    finally:
        print(_CLEAR, end="", file=sys.stderr, flush=True)


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Say what is being done, where nobody knows how long it takes."""
    shown = watched()
    if shown:
        print(f"{_CLEAR}{plain(what[:_LETTERS])}", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if shown:
            print(_CLEAR, end="", file=sys.stderr, flush=True)


@contextmanager
def sweep_progress(cells: int) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of cells done; or None."""
    with study_progress("cells") as report:
        yield None if report is None else lambda done: report(done, cells)
