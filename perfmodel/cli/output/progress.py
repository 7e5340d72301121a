"""Progress on standard error, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from asking.units import natural_unit

from ...answers.shown import plain

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


def clear() -> None:
    """Clear the line on which `doing` stands, for one that is to stay."""
    print(_CLEAR, end="", file=sys.stderr, flush=True)


@contextmanager
def job_progress(jobs: int, name: str) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of jobs done; None off a terminal."""
    if not watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    clear()
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
    marks = [(time.monotonic(), 0)]  # when so many were done
    print(f"{_CLEAR}the first of the {what}", end="", file=sys.stderr, flush=True)

    def report(done: int, of: int) -> None:
        now = time.monotonic()
        if now - marks[-1][0] < _OFTEN and done < of:
            return
        marks.append((now, done))
        left = _left(marks, of)
        print(
            f"{_CLEAR}{done:,} of {of:,} {what}, {left} left", end="", file=sys.stderr, flush=True
        )

    try:
        yield report
    finally:
        clear()


def _left(marks: list[tuple[float, int]], of: int) -> str:
    """Return how long the rest takes: from the pace of all so far to that of the later half."""
    now, done = marks[-1]
    half = next(mark for mark in reversed(marks) if 2 * mark[1] <= done)
    paces = [(now - when) / max(done - count, 1) for when, count in (marks[0], half)]
    least, most = (max(1.0, (of - done) * pace) for pace in sorted(paces))
    unit, factor = natural_unit(most)
    low, high = f"{least / factor:.0f}", f"{most / factor:.0f}"
    return f"{high} {unit}" if low == high else f"{low} to {high} {unit}"


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
            clear()


@contextmanager
def sweep_progress(cells: int) -> Iterator[Callable[[int], None] | None]:
    """Yield a function to call with the number of cells done; or None."""
    with study_progress("cells") as report:
        yield None if report is None else lambda done: report(done, cells)
