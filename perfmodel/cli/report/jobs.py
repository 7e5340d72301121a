"""Figures of jobs that were played again under several policies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ...figures import Curve, draw_curves
from ...units import natural_unit
from ..figures import axes_in
from .page import Page

__all__ = ["draw_replays"]

_POLICIES = "fcfs,easy,conservative"
_POINTS = 400


def draw_replays(page: Page, source: Path, words: Sequence[str], run: Callable[..., None]) -> None:
    """Play the jobs, and add tables and figures."""
    import pandas as pd

    own = {"--compare", "--policy", "--machine"} & set(words)
    compared = () if own else ("--compare", _POLICIES)
    with TemporaryDirectory(prefix="perfmodel-") as folder:
        table = Path(folder) / "attempts.csv"

        def draw(path: Path) -> None:
            more = ("--by-class", "--out", str(table), "--plot", str(path))
            run("replay", str(source), *compared, *words, *more)

        page.figure("Which job ran where and when, and how many waited.", draw, wide=True)
        rows = pd.read_csv(table, low_memory=False)
    jobs = rows[rows["attempt"] <= 1]
    names = jobs["policy"] if "policy" in jobs else pd.Series("all", index=jobs.index)
    for column, words_of in (("wait", "wait"), ("bounded_slowdown", "bounded slowdown")):
        known = {name: own[column].dropna().to_numpy() for name, own in jobs.groupby(names)}
        _draw_shares(page, known, words_of, timed=column == "wait")


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
