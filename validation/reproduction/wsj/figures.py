"""Figures 1 to 5 and 8 to 11 of `wsj`, drawn from our numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..figures import save
from .model import INTERVALS, RATES, completion
from .prediction import Point
from .trace import Replay
from .windows import NODES, WORKS

__all__ = ["draw"]

# Downtime and mean completion, [h].
_PRINTED = ((8.0, 326.0), (4.0, 225.5), (8.0, 266.1))
# Figure -> place on its axis -> bound of the error that the text prints there, [%].
_AT_MOST = {10: {512.0: 1.0}}


def draw(
    out: Path,
    points: Sequence[Point],
    replays: tuple[Sequence[Replay], Sequence[Replay]] | None,
) -> None:
    """Write `wsj-fig1.svg` and the others to a directory; bars are 95 % intervals."""
    _from_model(out)
    for figure in (8, 9):
        if mine := [point for point in points if point.figure == figure]:
            _save(_prediction(mine, figure), out, figure)
    if replays is not None:
        for figure, axis, found in zip((10, 11), (NODES, WORKS), replays, strict=True):
            label = "nodes, 128 h on each" if figure == 10 else "work on each of 128 nodes [h]"
            _save(_windows(axis, found, label, _AT_MOST.get(figure, {})), out, figure)


def _from_model(out: Path) -> None:
    downtimes = np.linspace(1.0, 8.0, 8)
    nodes = 2 ** np.arange(5, 12)
    figures = (
        _by_rate(
            "mean downtime [h]",
            downtimes,
            lambda rate, d: completion(rate=rate, downtime=d, printed=True).mean,
        ),
        _by_rate(
            "storage cost [h]",
            np.linspace(0.0, 2.0, 5),
            lambda rate, s: completion(rate=rate, storage=s).mean,
        ),
        _by_rate(
            "checkpoint period [h]",
            INTERVALS,
            lambda rate, g: completion(rate=rate, interval=g).mean,
        ),
        _by_rate(
            "nodes, 8192 h of work in all",
            nodes,
            lambda rate, m: completion(rate=rate, nodes=int(m), work=8192.0 / m, cv=1.0).mean,
        ),
        _axes("nodes", "std of the completion time [h]"),
    )
    one, _, three, four, five = (axes for _, axes in figures)
    one.plot(*np.transpose(_PRINTED), "kx", markersize=8, label="printed values")
    one.set_title("formulas as printed, repair CV 4.05", fontsize=10)
    for line in list(three.lines):
        x, y = line.get_data()
        three.plot(x[np.argmin(y)], np.min(y), "o", color=line.get_color())
    three.set_xscale("log", base=2)
    three.xaxis.set_major_formatter("{x:g}")
    _powers(four, nodes)
    four.plot([256, 512], [42.5, 26.4], "kx", markersize=8, label="printed, 1/256 per h")
    four.plot([256], [40.1], "k+", markersize=9, label="printed, 1/512 per h")
    four.set_yscale("log", base=2)
    four.yaxis.set_major_formatter("{x:g}")
    four.set_title("repair CV 1", fontsize=10)
    for work in (16.0, 32.0, 64.0, 128.0, 256.0):
        stds = [completion(nodes=int(m), work=work).std for m in nodes]
        five.plot(nodes, stds, marker=".", label=f"{work:g} h on each node")
    _powers(five, nodes)
    for number, (figure, axes) in enumerate(figures, start=1):
        axes.legend()
        _save(figure, out, number)


def _by_rate(label: str, x: Any, mean: Callable[[float, float], float]) -> tuple[Any, Any]:
    """Return a figure with one line per failure rate."""
    figure, axes = _axes(label, "mean completion time [h]")
    for rate in RATES:
        axes.plot(x, [mean(rate, float(value)) for value in x], label=_rate(rate))
    return figure, axes


def _prediction(points: Sequence[Point], number: int) -> Any:
    label = "work on each of 100 nodes [h]" if number == 8 else "nodes, 32 h on each"
    figure, axes = _axes(label, "error of the predicted mean [%]")
    repairs = list(dict.fromkeys(point.repair for point in points))
    for place, repair in enumerate(repairs):
        mine = [point for point in points if point.repair == repair]
        x = np.array([point.work if number == 8 else point.nodes for point in mine])
        mean = [100 * float(point.error.mean()) for point in mine]
        half = [100 * float(point.error.std()) for point in mine]
        shifted = x * 1.04 ** (place - (len(repairs) - 1) / 2)
        axes.errorbar(shifted, mean, half, capsize=2, marker=".", label=str(repair))
    _powers(axes, np.array(sorted({p.work if number == 8 else p.nodes for p in points})))
    for bound, words in ((-10.0, "printed: less than 10 %"), (10.0, None)):
        axes.axhline(bound, color="black", linewidth=0.8, linestyle="--", label=words)
    axes.set_title("mean and standard deviation over systems", fontsize=10)
    axes.set_ylim(bottom=-24.0)  # the legend stands below the bound
    axes.legend(fontsize=8, loc="lower left", ncols=2)
    return figure


def _windows(
    axis: Sequence[float], replays: Sequence[Replay], label: str, at_most: Mapping[float, float]
) -> Any:
    figure, axes = _axes(label, "prediction error [%]")
    error = [100 * abs(r.error) for r in replays]
    axes.errorbar(
        axis, error, [100 * r.half for r in replays], capsize=3, marker="o", label="of the mean"
    )
    each = [100 * float(r.each.mean()) for r in replays]
    axes.plot(axis, each, marker="s", label="mean over windows")
    _powers(axes, np.array(axis))
    axes.axhline(
        10.0, color="black", linewidth=0.8, linestyle="--", label="printed: less than 10 %"
    )
    if at_most:
        ends = [list(values) for values in zip(*at_most.items(), strict=True)]
        axes.plot(*ends, "kv", markersize=7, label="printed: less than this")
    axes.set_ylim(top=14.0)  # the legend stands above the bound
    axes.legend(fontsize=8, loc="upper left", ncols=2)
    return figure


def _axes(x: str, y: str) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.4))
    axes = figure.add_subplot()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    return figure, axes


def _powers(axes: Any, values: Any) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(values, [f"{value:g}" for value in values])


def _rate(rate: float) -> str:
    return f"1/{1 / rate:.0f} per h"


def _save(figure: Any, out: Path, number: int) -> None:
    figure.tight_layout()
    save(figure, out, f"wsj-fig{number}")
