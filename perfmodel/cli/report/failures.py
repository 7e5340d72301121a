"""When, why and where failures happen, as figures: by week, by cause and by node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from ...answers.logs import Log, causes_of
from ...answers.parts.suspects import suspects
from ...answers.questions.fit import log_of
from ...answers.requests.fit import FitRequest
from ...answers.shown import plain
from ...answers.words.fit import suspect_parts
from ...figures import Curve, draw_curves, draw_numbers, draw_stacks
from ..figures import axes_in
from ..output.tables import print_parts
from .page import Page

if TYPE_CHECKING:
    import pandas as pd

_WEEK = 7.0 * 86_400.0
_SMOOTH = 4  # weeks of a mean
_LETTERS = 24  # of a name
_MOST = 12  # causes, or nodes
_UNNAMED = ("", "-1", "nan")


def draw_failures(page: Page, log: Log, request: FitRequest) -> None:
    """Add a figure for each of what a log tells, and the nodes that fail too often."""
    if log.read is None or log.read.failures.empty:
        return
    frame = log.read.failures
    page.heading("When, why and where")
    with page.columns():
        _draw_weeks(page, frame["time"].to_numpy(dtype=np.float64))
        _draw_causes(page, log)
        _draw_nodes(page, frame)
    if log.named:
        return  # the answer has named them
    with suppress(ValueError):  # a log that names no node, or not how many there are
        by_node = log_of(replace(request, by="node"))
        if by_node.named:
            print_parts(suspect_parts(suspects(by_node.uptimes), several=by_node.systems > 1))


def draw_node_hours(page: Page, rows: Sequence[dict[str, Any]] | None) -> None:
    """Add a figure of the node hours of jobs by the state in which they ended."""
    known = {plain(str(row["state"])): float(row["node_hours"]) for row in rows or ()}
    if len(known) > 1:
        up = "node hours"
        _add(page, "Node hours of jobs by the state in which they ended.", draw_numbers, known, up)


def _draw_weeks(page: Page, time: np.ndarray) -> None:
    weeks = int((time.max() - time.min()) // _WEEK)
    if weeks < 2:
        return
    counts, _ = np.histogram(time - time.min(), weeks, (0.0, weeks * _WEEK))  # whole weeks alone
    middle = np.asarray(np.arange(weeks) + 0.5, np.float64)
    curves = [Curve("of each week", middle, counts.astype(np.float64))]
    if weeks > 2 * _SMOOTH:
        mean = np.convolve(counts, np.ones(_SMOOTH) / _SMOOTH, mode="valid")
        curves.append(Curve(f"mean of {_SMOOTH} weeks", middle[_SMOOTH - 1 :], mean))

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            across = "weeks since the first failure"
            draw_curves(curves, across=across, up="failures a week", ax=axes)
            axes.set_ylim(bottom=0.0)

    page.figure("Failures by week.", draw)


def _draw_causes(page: Page, log: Log) -> None:
    causes = causes_of(log)
    named = {each.cause: 100.0 * each.share for each in causes[:_MOST]}
    if named:
        _add(page, "Failures by cause.", _bars, named, "of all failures [%]")


def _draw_nodes(page: Page, frame: pd.DataFrame) -> None:
    names = frame["node"].astype(str)
    counts = names[~names.isin(_UNNAMED)].value_counts()
    if len(counts) < 2:
        return
    most = {str(name): float(count) for name, count in counts.head(_MOST).items()}
    words = f"The nodes with the most failures, of {len(counts):,} that failed."
    _add(page, words, _bars, most, "failures")


def _bars(numbers: dict[str, float], *, up: str, ax: Any) -> None:
    names = [shorten(plain(name), _LETTERS, placeholder="...") for name in numbers]
    draw_stacks({"failures": [*numbers.values()]}, names=names, across=up, ax=ax)


def _add(
    page: Page, words: str, drawn: Callable[..., Any], numbers: dict[str, float], up: str
) -> None:
    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            drawn(numbers, up=up, ax=axes)

    page.figure(words, draw)
