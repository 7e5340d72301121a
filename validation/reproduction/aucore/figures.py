"""Figures 4 to 8 of `aucore`, drawn from our runs; bars are 95 % intervals over seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures import save
from ..rows import estimate, legend_above

if TYPE_CHECKING:
    from .results import Results

__all__ = ["draw"]

_LABELS = {"slowdown": "failure slowdown", "response": "response [min]"}
_SINGLE = ("all-b", "all-c", "all-d", "all-e")
_MIXED = ("mr", "even", "normal")


def draw(results: Results, out: Path) -> None:
    """Write `aucore-fig4.svg` and the others to a directory."""
    from matplotlib.figure import Figure

    def pair(number: int, panels: Sequence[Callable[[Any], None]]) -> None:
        figure = Figure(figsize=(5.2 * len(panels), 4.2), layout="constrained")
        for place, panel in enumerate(panels):
            panel(figure.add_subplot(1, len(panels), place + 1))
        save(figure, out, f"aucore-fig{number}")

    from .results import CASES, GAPS, MTBFS, REPAIRS

    pair(4, [partial(_bars, results=results, metric=m, cases=CASES) for m in _LABELS])
    pair(5, [partial(_options, results=results), partial(_gains, results=results)])
    figures: tuple[tuple[int, str, str, Sequence[float], tuple[tuple[str, ...], ...]], ...] = (
        (6, "repair", "repair time [min]", REPAIRS, (("mr", *_SINGLE), _MIXED)),
        (7, "mtbf", "system MTBF [h]", MTBFS, (_MIXED,)),
        (8, "gap", "mean gap between submissions [min]", GAPS, (_MIXED,)),
    )
    for number, name, label, values, groups in figures:
        panels = [
            partial(
                _lines,
                results=results,
                metric=m,
                cases=cases,
                name=name,
                label=label,
                values=values,
            )
            for cases in groups
            for m in _LABELS
        ]
        pair(number, panels)


def _bars(axes: Any, results: Results, metric: str, cases: Sequence[str]) -> None:
    found = [estimate(results.each(metric, case)) for case in cases]
    axes.bar(cases, [e.mean for e in found], yerr=[e.half for e in found], capsize=3)
    axes.set_ylabel(_LABELS[metric])
    axes.tick_params(axis="x", labelrotation=45)
    if metric == "slowdown":
        axes.set_yscale("symlog", linthresh=1.0)


def _options(axes: Any, results: Results) -> None:
    alone = {"A": "mr", **{case[-1].upper(): case for case in _SINGLE}}
    for column, case in enumerate(("even", "normal", "alone")):
        heights = [
            estimate(
                results.each("slowdown", alone[option])
                if case == "alone"
                else results.by_option("slowdown", case, option)
            ).mean
            for option in alone
        ]
        axes.bar(np.arange(5) + 0.27 * (column - 1), heights, width=0.27, label=case)
    axes.set_xticks(range(5), list(alone))
    axes.set_yscale("symlog", linthresh=1.0)
    axes.set_ylabel(_LABELS["slowdown"])
    legend_above(axes)


def _gains(axes: Any, results: Results) -> None:
    alone = {"A": "mr", **{case[-1].upper(): case for case in _SINGLE}}
    for column, case in enumerate(("even", "normal")):
        gains = [
            100.0
            * (
                1.0
                - estimate(results.by_option("slowdown", case, option)).mean
                / estimate(results.each("slowdown", single)).mean
            )
            for option, single in alone.items()
        ]
        axes.bar(np.arange(5) + 0.4 * (column - 0.5), gains, width=0.4, label=case)
    axes.set_xticks(range(5), list(alone))
    axes.set_ylabel("gain over one option for all [%]")
    axes.axhline(0.0, color="black", linewidth=0.8)
    legend_above(axes)


def _lines(
    axes: Any,
    results: Results,
    *,
    metric: str,
    cases: Sequence[str],
    name: str,
    label: str,
    values: Sequence[float],
) -> None:
    step = 0.01 * (max(values) - min(values))
    for place, case in enumerate(cases):
        found = [estimate(results.each(metric, case, **{name: value})) for value in values]
        means, halves = [e.mean for e in found], [e.half for e in found]
        # Side by side, so that the intervals of one case do not hide those of another.
        beside = [value + step * (place - (len(cases) - 1) / 2.0) for value in values]
        axes.errorbar(beside, means, halves, capsize=2, marker="o", markersize=4, label=case)
    axes.set_xlabel(label)
    axes.set_ylabel(_LABELS[metric])
    if metric == "slowdown":
        axes.set_yscale("log")
    legend_above(axes)
