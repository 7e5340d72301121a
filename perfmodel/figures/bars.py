"""Shares of a whole, as bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, IntArray
from ._style import LOSSES, OTHER, PREDICTED, RECORDED, axes_of, label

_MOST = 40  # machines that have a name at the axis


def draw_losses(
    losses: Mapping[str, ArrayLike],
    *,
    runs: Sequence[str] = (),
    kept: str = "goodput",
    ax: Any = None,
) -> Any:
    """Draw what becomes of the time of each run, a bar each; return the axes.

    Parameters
    ----------
    losses : mapping of str to array_like
        Share of the time by class, [-]; a number for each run, shape (n,), or one.
    runs : sequence of str
        Their names; numbers by default.
    kept : str
        What the rest of the time is.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    known = {name: np.ravel(np.asarray(value, np.float64)) for name, value in losses.items()}
    count = max(value.size for value in known.values())
    shown = {
        name.replace("_", " "): 100.0 * np.broadcast_to(value, count)
        for name, value in known.items()
        if (value > 0.0).any()
    }
    names = list(runs) or ([""] if count == 1 else list(map(str, range(count))))
    lost = _stacked(
        axes, shown, names, lambda lost: f"{kept} {100.0 - lost:.4g} %", 2 if runs else 3
    )
    room = 1.9 if runs else 1.5  # names take some of it
    axes.set(xlabel="lost time [%]", xlim=(0.0, max(room * lost.max(), 1e-9)))
    return axes


def _stacked(
    axes: Any,
    pieces: Mapping[str, ArrayLike],
    names: Sequence[str],
    sum_words: Callable[[float], str],
    columns: int,
) -> FloatArray:
    """Draw a bar for each name, made of pieces, with words on its sum behind; return the sums."""
    places, left = np.arange(len(names)), np.zeros(len(names))
    for place, (name, values) in enumerate(pieces.items()):
        axes.barh(places, values, left=left, color=LOSSES[place % len(LOSSES)], label=name)
        left += np.asarray(values, np.float64)
    for at, whole in zip(places, left, strict=True):
        words = sum_words(whole)
        axes.annotate(words, (whole, at), (6, 0), textcoords="offset points", va="center")
    axes.set_yticks(places, list(names))
    axes.set_ylim(len(names) - 0.4, -0.6)
    where: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0)}
    axes.legend(frameon=False, fontsize="small", ncols=columns, **where)
    return left


def draw_stacks(
    stacks: Mapping[str, Sequence[float]], *, names: Sequence[str], across: str, ax: Any = None
) -> Any:
    """Draw a bar for each name, made of pieces, with its sum behind it; return the axes.

    Parameters
    ----------
    stacks : mapping of str to sequence of float
        The pieces of all bars, by what they are.
    names : sequence of str
        Of the bars.
    across : str
        What the pieces are, with their unit.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    from matplotlib.ticker import MaxNLocator

    axes = axes_of(ax)
    sums = _stacked(axes, stacks, names, _plain, 3)
    axes.set(xlabel=across, xlim=(0.0, 1.25 * sums.max()))
    axes.xaxis.set_major_locator(MaxNLocator(5))  # six digits each have room
    axes.xaxis.set_major_formatter(lambda value, _: _plain(value))
    return axes


def draw_numbers(
    numbers: Mapping[str, float],
    *,
    up: str,
    limits: Mapping[str, tuple[float, float]] | None = None,
    ax: Any = None,
) -> Any:
    """Draw a bar for each number, nan for none; return the axes.

    Parameters
    ----------
    numbers : mapping of str to float
        By what stands below the bar.
    up : str
        What they are, with their unit.
    limits : mapping of str to (float, float), optional
        Interval of each.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    places, values = np.arange(len(numbers)), np.array(list(numbers.values()))
    far = None
    if limits is not None:
        low, high = np.array([limits[name] for name in numbers]).T
        far = np.array([values - low, high - values])
    bars = axes.bar(places, values, yerr=far, color=PREDICTED, ecolor=RECORDED, capsize=4)
    axes.bar_label(bars, fmt=_plain, padding=2, fontsize="small")
    axes.yaxis.set_major_formatter(lambda value, _place: _plain(value))
    axes.set_xticks(places, list(numbers))
    axes.margins(y=0.15)
    axes.set(ylabel=up, xlim=(-0.6, places.size - 0.4))
    axes.grid(axis="y", alpha=0.25)
    return axes


def _plain(value: float) -> str:
    return f"{value:,.0f}" if 1000.0 <= abs(value) < 1e12 else f"{value:.4g}"


def draw_swings(swings: Mapping[str, tuple[float, float]], *, across: str, ax: Any = None) -> Any:
    """Draw what half and twice of each input does, the largest on top; return the axes.

    Parameters
    ----------
    swings : mapping of str to (float, float)
        By input: the change with half of it, and with twice of it.
    across : str
        What changes, with its unit.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    places = np.arange(len(swings))
    for at, words, colour in ((0, "half of it", OTHER), (1, "twice of it", PREDICTED)):
        values = np.array([ends[at] for ends in swings.values()])
        axes.barh(places, np.nan_to_num(values, posinf=0.0), color=colour, label=words, height=0.6)
        for place in np.flatnonzero(np.isinf(values)):
            axes.annotate(f"{words}: endless", (0.0, place), (6, 0), textcoords="offset points")
    axes.axvline(0.0, color=RECORDED, lw=1)
    axes.set_yticks(places, list(swings))
    axes.set(xlabel=across, ylim=(len(swings) - 0.4, -0.6))
    axes.grid(axis="x", alpha=0.25)
    axes.legend(frameon=False, fontsize="small")
    return axes


def draw_schedule(
    chosen: IntArray,
    shares: FloatArray,
    *,
    names: Mapping[int, str] | None = None,
    unit: str | None = None,
    size: float = 1.0,
    ax: Any = None,
) -> Any:
    """Draw the work of each machine, the largest share first; return the axes.

    Parameters
    ----------
    chosen : ndarray of int, [-]
        Machines, shape (n,).
    shares : ndarray, [work]
        Work of each, shape (n,).
    names : mapping, optional
        Of machines.
    unit : str, optional
        Name of the unit at the axis.
    size : float, [work]
        How much that is.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    order = np.argsort(-shares, kind="stable")
    places = np.arange(order.size)
    axes.bar(places, shares[order] / size, color=PREDICTED)
    if order.size <= _MOST:
        words = [(names or {}).get(int(chosen[at]), str(int(chosen[at]))) for at in order]
        axes.set_xticks(places, words, rotation=90 if max(map(len, words)) > 3 else 0)
        axes.set_xlabel("machine")
    else:
        axes.set_xlabel("machine, by its share")
    axes.set_ylabel(label("work", unit))
    axes.grid(axis="y", alpha=0.25)
    return axes
