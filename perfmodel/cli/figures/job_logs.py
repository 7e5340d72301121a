"""What a job log is like, as a figure: arrivals by hour and day, sizes, lengths, load over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...figures import Curve, draw_curves
from .file import axes_in

if TYPE_CHECKING:
    from sim.traces import JobLogDescription

    from ..._checks import FloatArray

_HOUR = 3600.0


def plot_description(
    found: JobLogDescription, runtime: FloatArray, walltime: FloatArray, path: Path
) -> None:
    """Draw five panels; `runtime` and `walltime` of the jobs in seconds, -1 where unknown."""
    with axes_in(path, 5, height=2.4) as (hours, week, sizes, lengths, load):
        _bars(hours, np.arange(24), found.by_hour, "hour of the day", "jobs an hour")
        _bars(week, np.arange(7), found.by_weekday, "day of the week", "jobs a day")
        week.set_xticks(range(7), ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
        widest = found.sizes["processors"].to_numpy(dtype=np.float64)
        draw_curves(
            [
                Curve("of jobs", widest, _shares(found.sizes["share"])),
                Curve("of processor time", widest, _shares(found.sizes["load_share"])),
            ],
            across="processors",
            up="share up to this size [%]",
            logarithmic=True,
            ax=sizes,
        )
        curves = [
            Curve(words, *_cdf(values[values > 0.0] / _HOUR))
            for words, values in (("running time", runtime), ("requested time", walltime))
            if (values > 0.0).any()
        ]
        draw_curves(
            curves, across="time [h]", up="jobs up to this [%]", logarithmic=True, ax=lengths
        )
        _over_time(found, load)


def _over_time(found: JobLogDescription, axes: Any) -> None:
    days = np.arange(len(found.days), dtype=np.float64)
    known = found.processors is not None
    values = found.days["load"] * 100.0 if known else found.days["jobs"]
    words = "offered load [%]" if known else "jobs a day"
    draw_curves(
        [
            Curve("of each day", days, values.to_numpy(dtype=np.float64)),
            Curve("mean of 7 days", days, _smooth(values.to_numpy(dtype=np.float64))),
        ],
        across="days since the log began",
        up=words,
        ax=axes,
    )


def _smooth(values: FloatArray) -> FloatArray:
    width = min(7, values.size)
    count = np.convolve(np.ones(values.size), np.ones(width), mode="same")
    return np.asarray(np.convolve(values, np.ones(width), mode="same") / count)


def _shares(values: Any) -> FloatArray:
    return np.asarray(100.0 * np.cumsum(values.to_numpy(dtype=np.float64)))


def _cdf(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    levels = np.linspace(0.0, 100.0, 401)
    return np.asarray(np.percentile(values, levels)), levels


def _bars(axes: Any, x: Any, y: FloatArray, across: str, up: str) -> None:
    axes.bar(x, y, color="#0072B2")
    axes.set(xlabel=across, ylabel=up)
    axes.grid(alpha=0.25, axis="y")
