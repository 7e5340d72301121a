"""Figures of docs/promises.md: what promises are worth, and where outcomes fell in stated laws."""

from __future__ import annotations

from matplotlib.figure import Figure

from ..reproduction.figures import save
from .page import PAGE, kept

__all__ = ["draw"]

_DRAWN = {"exponential, past mean": "s", "past windows, 180 days": "^", "mixture": "o"}
_TENTHS = [at / 10.0 for at in range(11)]


def draw(name: str = "checked-whole") -> None:
    """Draw promises against what came of them, and where outcomes fell in the stated laws."""
    rows = {row["name"]: row for row in kept(name)}
    figure = Figure(figsize=(8.4, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    right.axhline(0.1, color="grey", linewidth=0.8)
    for shown, mark in _DRAWN.items():
        bands = rows[shown]["bands"]
        promised, came = ([each[at] for each in bands] for at in (1, 2))
        left.plot(promised, came, f"{mark}-", markersize=4, label=shown)
        right.stairs(rows[shown]["deciles"], _TENTHS, linewidth=1.5)
    left.set_xlabel("promised probability of a deadline")
    left.set_ylabel("share of those promises kept")
    right.set_xlabel("stated probability of less than what came")
    right.set_ylabel("share of jobs, a tenth each if laws hold")
    right.set_ylim(bottom=0.0)
    figure.legend(loc="outside upper center", ncols=len(_DRAWN), frameon=False)
    save(figure, PAGE.parent, "promises")
