"""Figures of jobs that were played again under several policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.units import human_duration, natural_unit

from ..._checks import FloatArray
from ...figures import Curve, draw_curves, draw_stacks
from ..figures import axes_in
from ..options.filling import request_of, said_to
from ..output.measures import BY_CLASS
from ..output.progress import doing
from ..output.replays import show_replays
from ..output.study import plain_study
from ..output.watching import SHOWN
from .page import Page
from .studies import show_study_answer
from .titles import title_of_answers

if TYPE_CHECKING:
    import pandas as pd

    from sim.answers import ReplayRequest

_POLICIES = ("fcfs", "easy", "conservative")
_POINTS = 400
_PERIODS = 120
_NODE_TIME = {
    "useful": "useful",
    "lost": "lost by failures",
    "checkpoint": "checkpoints",
    "recovery": "recovery",
    "down": "down",
    "idle": "idle",
}
_WITHOUT_LOSSES = 2  # kinds of time that every replay has: useful and idle


def draw_replays(page: Page, source: Path, words: Sequence[str]) -> ReplayRequest:
    """Play the jobs, add tables and figures, and return what was asked."""
    import pandas as pd

    from sim.answers import ReplayAnswer, ReplayRequest, replay

    from ..commands.replay import replay as command
    from ..figures.gantt import draw

    with said_to(command, [str(source), *words]) as said:
        request = request_of(ReplayRequest, said)
        if not request.says("compare", "policy", "machine"):
            request = replace(request, compare=_POLICIES)
        if not request.study.wanted:
            request = replace(request, by_class=True)
        with doing(f"reading {request.log.name}"):
            found = replay(request, places=True, progress=SHOWN)
        if not isinstance(found, ReplayAnswer):
            answered = plain_study(found)
            page.name(title_of_answers(answered))
            show_study_answer(answered, answered["results"], page)
            return request
        show_replays(found)
    page.name(title_of_answers(found.to_dict() | {"options": {"log": source.name}}))
    page.heading("Where and when they ran")
    site, start = found.parts.site, found.parts.unix_start
    page.figure(
        "Which job ran where and when, and how many waited.",
        lambda path: draw(found.replays, site.machine, path, unit=site.unit, unix_start=start),
        wide=True,
    )
    tables = found.attempts()
    if request.compare:
        tables = {name: each.assign(policy=name) for name, each in tables.items()}
    rows = pd.concat(tables.values(), ignore_index=True)
    page.turn_to(BY_CLASS)  # curves of all jobs come before tables of some
    jobs = rows[rows["attempt"] <= 1]
    names = jobs["policy"] if "policy" in jobs else pd.Series("all jobs", index=jobs.index)
    with page.columns():
        for column, words_of in (("wait", "wait"), ("bounded_slowdown", "bounded slowdown")):
            groups = jobs.groupby(names, sort=False)
            known = {name: own[column].dropna().to_numpy() for name, own in groups}
            _draw_shares(page, known, words_of, timed=column == "wait")
        # A Blue Gene counts its nodes.
        _draw_use(page, rows, "nodes" if request.machine is not None else "processors")
        draw_node_time(page, found.rows)
    page.turn_to_end()
    return found.request


def _draw_use(page: Page, rows: pd.DataFrame, counted: str) -> None:
    """Draw how many processors or nodes jobs held, as means over equal periods."""
    known = rows.dropna(subset=["start", "end"])
    if known.empty or not known["end"].max() > rows["submit"].min():
        return
    begin = float(rows["submit"].min())
    edges = np.linspace(begin, float(known["end"].max()), _PERIODS + 1)
    unit, size = natural_unit(edges[-1] - begin)
    named = known.groupby("policy", sort=False) if "policy" in known else [("all jobs", known)]
    curves = [
        Curve(str(name), (edges[:-1] - begin) / size, _held(own, edges)) for name, own in named
    ]

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            draw_curves(
                curves,
                across=f"since the first submission [{unit}]",
                up=f"{counted} in use",
                ax=axes,
            )

    period = human_duration(float(edges[1] - edges[0]))
    words = f"{counted.capitalize()} in use, means over {period}."
    page.figure(words, draw)


def draw_node_time(page: Page, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw what became of the node time of each replay, where some of it was lost."""
    parts = {
        words: [float(row[f"{name}_node_h"]) for row in rows.values()]
        for name, words in _NODE_TIME.items()
    }
    shown = {words: hours for words, hours in parts.items() if any(hours)}
    if len(shown) <= _WITHOUT_LOSSES:
        return

    def draw(path: Path) -> None:
        with axes_in(path, height=1.8 + 0.8 * len(rows)) as axes:
            draw_stacks(shown, names=list(rows), across="node hours", ax=axes)

    page.figure("What became of the node time.", draw)


def _held(attempts: pd.DataFrame, edges: FloatArray) -> FloatArray:
    """Return the mean number of processors in use in each period."""
    start, end, processors = (
        attempts[name].to_numpy(np.float64) for name in ("start", "end", "processors")
    )
    # The integral up to an instant is that of all that began less that of all that ended.
    until = np.zeros(edges.size)
    for times, sign in ((start, 1.0), (end, -1.0)):
        order = np.argsort(times)
        count = np.searchsorted(times[order], edges, "right")
        held = np.concatenate([[0.0], np.cumsum(processors[order])])
        begun = np.concatenate([[0.0], np.cumsum(processors[order] * times[order])])
        until += sign * (held[count] * edges - begun[count])
    return np.asarray(np.diff(until) / np.diff(edges))


def _draw_shares(page: Page, known: dict[str, np.ndarray], words: str, *, timed: bool) -> None:
    """Draw which share of the jobs has at most each value."""
    every = np.concatenate(list(known.values()))
    least = 1.0
    most = max(float(every.max(initial=0.0)), 2.0 * least)
    unit, size = natural_unit(float(np.median(every[every >= least]))) if timed else ("", 1.0)
    grid = np.geomspace(least, most, _POINTS)
    curves = [
        Curve(name, grid / size, 100.0 * np.searchsorted(np.sort(own), grid, "right") / own.size)
        for name, own in known.items()
        if own.size
    ]

    def draw(path: Path) -> None:
        with axes_in(path) as axes:
            across = f"{words} [{unit}]" if timed else words
            draw_curves(
                curves, across=across, up="jobs with at most [%]", logarithmic=True, ax=axes
            )

    page.figure(f"Share of the jobs with at most each {words}.", draw)
