"""Means with intervals: points beside each other, and a map over two parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._checks import FloatArray
from ._style import BEST, PREDICTED, RECORDED, axes_of

_MOST = 120  # cells of a map that have their number written on them
_ROOM = 28  # letters beside each other below a map
_DARK, _LIGHT = "#111111", "#ffffff"  # on a map, whatever the page around it is


def draw_points(
    names: Sequence[str],
    means: Sequence[float],
    reaches: Sequence[float],
    *,
    across: str,
    against: bool = False,
    ax: Any = None,
) -> Any:
    """Draw a point with its interval for each name, nan for none; return the axes.

    Parameters
    ----------
    names : sequence of str
        What stands at the left, from above.
    means, reaches : sequence of float
        The numbers, and half of their intervals; where none has one, bars from zero take the
        place of points.
    across : str
        What they are, with their unit.
    against : bool
        Whether they are differences: zero is marked, and what leaves it out on either side.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    if against or np.isfinite(reaches).any():
        for place, (mean, reach) in enumerate(zip(means, reaches, strict=True)):
            far = reach if math.isfinite(reach) else 0.0
            colour = RECORDED if against and abs(mean) <= far else PREDICTED
            axes.errorbar(mean, place, xerr=far, fmt="o", color=colour, capsize=4)
    else:
        bars = axes.barh(range(len(names)), means, color=PREDICTED)
        axes.bar_label(bars, list(map(_number, means)), padding=3, fontsize="small")
        axes.margins(x=0.15)
    if against:
        axes.axvline(0.0, color=BEST, linestyle=":")
    axes.set_yticks(range(len(names)), list(names))
    axes.set(xlabel=across, ylim=(len(names) - 0.4, -0.6))
    axes.grid(axis="x", alpha=0.25)
    return axes


def draw_map(
    columns: Sequence[str],
    rows: Sequence[str],
    values: FloatArray,
    *,
    across: str,
    up: str,
    words: str,
    ax: Any = None,
) -> Any:
    """Draw numbers over two parameters as colours, each written on its cell; return the axes.

    Parameters
    ----------
    columns, rows : sequence of str
        Values of the two parameters, from the left and from below.
    values : ndarray
        The numbers, shape (rows, columns); nan for none.
    across, up : str
        The parameters, with their units.
    words : str
        What the numbers are, with their unit.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    shown = np.ma.masked_invalid(values)
    drawn = axes.pcolormesh(shown, cmap="cividis", edgecolors="face", linewidth=0.2)
    axes.figure.colorbar(drawn, ax=axes, label=words)
    if shown.size <= _MOST and shown.count():
        middle = 0.5 * (float(shown.min()) + float(shown.max()))
        for (row, column), value in np.ndenumerate(values):
            if math.isfinite(value):
                colour = _LIGHT if value < middle else _DARK
                place = (column + 0.5, row + 0.5)
                axes.text(
                    *place,
                    _three(value),
                    color=colour,
                    ha="center",
                    va="center",
                    fontsize="small",
                )
    for axis, names in ((axes.xaxis, columns), (axes.yaxis, rows)):
        axis.set_ticks(np.arange(len(names)) + 0.5, list(names))
    if sum(map(len, columns)) > _ROOM:
        axes.tick_params(axis="x", rotation=45)
    axes.set(xlabel=across, ylabel=up)
    return axes


def _three(value: float) -> str:
    """Return a number with three digits, or all before its point."""
    return f"{value:#.3g}".rstrip(".") if abs(value) < 1000.0 else f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else ""
