"""Figures of replays and studies; matplotlib is imported when the first is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .metrics.over_time import mean_level
from .records import AttemptRecords, JobRecords, Outcome

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plot_means", "plot_use"]

_BINS = 400
_HOUR, _DAY = 3600.0, 86400.0
# Of the palette of Okabe and Ito, which the colour-blind can tell apart.
_RUNNING, _FAILED, _MEAN = "#0072B2", "#D55E00", "#595959"


def plot_use(
    jobs: JobRecords, attempts: AttemptRecords, ax: Any = None, *, size: int, policy: str
) -> Any:
    """Draw how much of a machine of `size` processors was in use; see `Replay.plot`."""
    axes = _axes(ax)
    submit = jobs.submit
    first = float(submit.min()) if submit.size else 0.0
    last = float(attempts.end.max()) if attempts.end.size else first + _HOUR
    unit, words = (_HOUR, "hours") if last - first < 3.0 * _DAY else (_DAY, "days")
    edges = np.linspace(0.0, max(last - first, 1e-9), _BINS + 1)
    start, end = attempts.start - first, attempts.end - first
    failed = attempts.outcome == Outcome.FAILED
    used = mean_level(edges, start, end, attempts.processors)
    axes.stairs(used, edges / unit, fill=True, color=_RUNNING, label="running")
    if failed.any():
        lost = mean_level(edges, start[failed], end[failed], attempts.processors[failed])
        axes.stairs(lost, edges / unit, fill=True, color=_FAILED, label="until a failure")
    axes.axhline(size, color=_MEAN, linewidth=0.8, label="the machine")
    axes.set_xlim(0.0, edges[-1] / unit)
    axes.set_ylim(0.0, 1.05 * size)
    axes.set_xlabel(f"{words} since the first submission")
    axes.set_ylabel("processors in use")
    axes.set_title(f"{submit.size:,} jobs under {policy}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=3, frameon=False)
    return axes


def plot_means(table: pd.DataFrame, metric: str, ax: Any, *, confidence: float) -> Any:
    """Draw the mean of a metric in each cell of a table of means; see `Study.plot`."""
    known = table["metric"].drop_duplicates().tolist()
    if metric not in known:
        raise ValueError(f"metric must be one of {', '.join(known)}, got {metric!r}")
    rows = table[table["metric"] == metric]
    axes = _axes(ax)
    places = np.arange(len(rows))[::-1]  # the first cell above
    half = np.nan_to_num(rows["half_width"].to_numpy(dtype=float))
    axes.errorbar(rows["mean"], places, xerr=half, fmt="o", color=_RUNNING, capsize=3.0)
    axes.set_yticks(places, rows["cell"])
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlabel(f"{metric.replace('_', ' ')}, mean and {100.0 * confidence:g} % interval")
    return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            "a figure needs matplotlib, which the extra installs: pip install 'perfmodel[plot]'"
        ) from error
    _, new = pyplot.subplots(layout="constrained")
    return new
