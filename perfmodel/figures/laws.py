"""Laws of durations and of completion times, as probabilities over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from .._checks import ArrayLike, BoolArray, FloatArray
from ._style import OTHER, PREDICTED, RECORDED, WANTED, axes_of, in_decades, label, law_colour

_POINTS = 400
_FAR_RIGHT = 0.85  # of a frame
_BEYOND = 10.0  # times the longest duration recorded
_TAIL = 1e-3  # probability beyond the right edge


class _Law(Protocol):
    """A law of durations."""

    def cdf(self, t: ArrayLike) -> FloatArray: ...
    def sf(self, t: ArrayLike) -> FloatArray: ...
    def ppf(self, q: ArrayLike) -> FloatArray: ...


class _Completion(_Law, Protocol):
    """A law of completion times."""

    def isf(self, q: ArrayLike) -> FloatArray: ...

    @property
    def atom(self) -> tuple[float, float]: ...


def draw_completion(
    law: _Completion,
    *,
    uncertain: _Completion | None = None,
    simulated: FloatArray | None = None,
    deadline: float | None = None,
    unit: str | None = None,
    size: float = 1.0,
    ax: Any = None,
) -> Any:
    """Draw the probability to be done by each time; return the axes.

    Parameters
    ----------
    law : CompletionTime, [time]
        The law.
    uncertain : CompletionTime, optional, [time]
        The one that an uncertain MTBF leaves.
    simulated : ndarray, optional, [time]
        Completion times that were played, shape (n,).
    deadline : float, optional, [time]
        A time to mark, with its probability.
    unit : str, optional
        Name of the unit at the axis.
    size : float, [time]
        Length of that unit.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    laws = [(law, PREDICTED, "-", "predicted")]
    if uncertain is not None:
        laws.append((uncertain, OTHER, "--", "with the MTBF uncertain"))
    last = max(float(each.isf(_TAIL)) for each, *_ in laws)
    last = max(last, 1.02 * deadline) if deadline is not None and deadline < 3.0 * last else last
    start = law.atom[0]
    first = start - 0.05 * (last - start) if last > start else 0.9 * start
    times = np.linspace(start, max(last, 1.02 * start), _POINTS)
    if simulated is not None:
        played = np.sort(simulated)
        done = 100.0 * np.arange(1, played.size + 1) / played.size
        wide = {"where": "post", "color": RECORDED, "lw": 3, "alpha": 0.5}
        axes.step(played / size, done, label="simulated", **wide)
    for each, colour, style, words in laws:
        percent = 100.0 * np.append(0.0, each.cdf(times))
        axes.plot(np.append(start, times) / size, percent, style, color=colour, label=words)
    for share in (0.5, 0.9, 0.99):
        for each, colour, *_ in laws:
            where = (float(each.ppf(share)) / size, 100.0 * share)
            axes.plot(*where, "o", color=colour)
        # Beside the last of them, which is the one with the MTBF uncertain where there is one, and
        # within the frame.
        right = where[0] * size > first + _FAR_RIGHT * (times[-1] - first)
        axes.annotate(
            f"{100.0 * share:g} %",
            where,
            (2 if right else 6, 5 if right else -14),
            ha="right" if right else "left",
            textcoords="offset points",
        )
    if deadline is not None:
        words = f"deadline: {_chance(law, deadline)} %"
        if uncertain is not None:
            words += f", uncertain {_chance(uncertain, deadline)} %"
        axes.axvline(deadline / size, color=WANTED, linestyle=":", label=words)
    axes.set(
        xlabel=label("completion time", unit),
        ylabel="probability to be done [%]",
        xlim=(first / size, times[-1] / size),
        ylim=(0.0, 110.0),
        yticks=range(0, 101, 20),
    )
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, fontsize="small", loc="lower right")
    return axes


def _chance(law: _Law, deadline: float) -> str:
    """Return the probability to be done by the deadline in percent, and never a false 100."""
    chance = 100.0 * float(law.cdf(deadline))
    return ">99.99" if 99.99 < chance < 100.0 else f"{chance:.4g}"


def draw_survival(
    laws: Mapping[str, _Law],
    *,
    durations: ArrayLike | None = None,
    censored: ArrayLike | None = None,
    words: str = "duration",
    unit: str | None = None,
    size: float = 1.0,
    ax: Any = None,
) -> Any:
    """Draw the probability to last longer than each time; return the axes.

    Parameters
    ----------
    laws : mapping of str to Lifetime, [time]
        By their names; the first is drawn solid, the others dashed.
    durations : array_like, optional, [time]
        A record, shape (n,): Kaplan and Meier's estimate is drawn, with 95 % limits after
        Greenwood that stay between 0 and 1.
    censored : array_like of bool, optional
        Which of them were cut off.
    words : str
        What lasts.
    unit : str, optional
        Name of the unit at the axis.
    size : float, [time]
        Length of that unit.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    """
    axes = axes_of(ax)
    best = next(iter(laws.values()))
    ends = [np.asarray(best.ppf([_TAIL, 1.0 - _TAIL]))]
    if durations is not None:
        record = np.asarray(durations, dtype=np.float64)
        cut = np.zeros(record.shape, np.bool_)
        if censored is not None:
            cut = np.asarray(censored, np.bool_)
        times, alive, low, high = _survival(record, cut)
        ends.append(np.array([times[1:].min(initial=np.inf), times.max()]))
        axes.step(times / size, 100.0 * alive, where="post", color=RECORDED, label="recorded")
        axes.fill_between(
            times / size,
            100.0 * low,
            100.0 * high,
            step="post",
            color=RECORDED,
            alpha=0.2,
            lw=0,
            label="95 % limits",
        )
    finite = np.concatenate(ends)
    finite = finite[np.isfinite(finite) & (finite > 0.0)]
    last = finite.max()
    if durations is not None and record.max(initial=0.0) > 0.0:
        last = min(last, _BEYOND * record.max())
    grid = np.geomspace(min(finite.min(), 0.5 * last), last, _POINTS)
    for place, (name, law) in enumerate(laws.items()):
        style = "-" if place == 0 else "--"
        sf = 100.0 * np.asarray(law.sf(grid))
        axes.plot(grid / size, sf, style, color=law_colour(name, place), label=name)
    axes.set(
        xlabel=label(words, unit),
        ylabel="probability to last longer [%]",
        xlim=(grid[0] / size, grid[-1] / size),
        ylim=(0.0, 102.0),
    )
    in_decades(axes)
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, fontsize="small", loc="lower left")
    return axes


def _survival(record: FloatArray, cut: BoolArray) -> tuple[FloatArray, ...]:
    """Return times from 0 on, Kaplan and Meier's estimate after each, and its limits."""
    times, counts = np.unique(record[~cut], return_counts=True)
    at_risk = record.size - np.searchsorted(np.sort(record), times, side="left")
    alive = np.cumprod(1.0 - counts / at_risk)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(np.cumsum(counts / (at_risk * (at_risk - counts))))
        # Limits of log(-log S), which stay in [0, 1].
        far = 1.959963984540054 * spread / np.abs(np.log(alive))
        low, high = alive ** np.exp(far), alive ** np.exp(-far)
    known = np.isfinite(low) & np.isfinite(high)
    low, high = np.where(known, low, 0.0), np.where(known, high, alive)
    begin = np.ones(1)
    return (
        np.append(0.0, times),
        np.append(begin, alive),
        np.append(begin, low),
        np.append(begin, high),
    )
