"""Figures 4 to 8 of `aucore`, drawn from our runs; bars are 95 % intervals over seeds.

Figure 4 has every set-up, those with sessions on the right, the others the first, which is the
paper's text; printed values are black diamonds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures import save
from ..rows import estimate, legend_above
from ..shown import AS_TABLES, Shown
from .results import ALONE, CASES, GAPS, MIXED, MTBFS, REPAIRS, SINGLE

if TYPE_CHECKING:
    from .results import Results

__all__ = ["draw"]

_LABELS = {"slowdown": "failure slowdown", "response": "response [min]"}
_SHOWN_MIXED = ("mr", *MIXED)
# What the text of the paper prints of its figures; what stands in pictures alone is not here.
_PRINTED_CASES = {
    "slowdown": {"mr": 1.71, "all-b": 1.06, "all-e": 0.47},
    "response": {"ff": 169.0, "mr": 235.0, "normal": 185.0, "all-d": 216.0},
}
_PRINTED_OPTIONS = {"even": {"A": 1.98, "E": 0.36}, "normal": {"A": 2.19, "E": 0.30}}
_PRINTED_GAINS = {"normal": {"E": 36.0}}  # [%]; .30 in normal, .47 in All-E
_PRINTED_REPAIRS = {240.0: 2.76, 120.0: 1.21, 15.0: 0.12}


def draw(each: Sequence[Results], out: Path, shown: Shown = AS_TABLES) -> None:
    """Write `aucore-fig4.svg` and the others that are shown; `each` are the set-ups."""
    from matplotlib.figure import Figure

    def panels_of(number: int, panels: Sequence[Callable[[Any], None]]) -> None:
        figure = Figure(figsize=(5.2 * len(panels), 4.2), layout="constrained")
        for place, panel in enumerate(panels):
            panel(figure.add_subplot(1, len(panels), place + 1))
        save(figure, out, f"aucore-fig{number}")

    if shown.wants("fig4"):
        _figure_four(each, out)
    first = each[0]
    if shown.wants("fig5"):
        panels_of(5, [partial(_options, results=first), partial(_gains, results=first)])
    figures: tuple[tuple[int, str, str, Sequence[float], tuple[tuple[str, ...], ...]], ...] = (
        (6, "repair", "repair time [min]", REPAIRS, (("mr", *SINGLE), _SHOWN_MIXED)),
        (7, "mtbf", "system MTBF [h]", MTBFS, (_SHOWN_MIXED,)),
        (8, "gap", "mean gap between submissions [min]", GAPS, (_SHOWN_MIXED,)),
    )
    for number, name, label, values, groups in figures:
        panels = [
            partial(
                _lines,
                results=first,
                metric=m,
                cases=cases,
                name=name,
                label=label,
                values=values,
            )
            for cases in groups
            for m in _LABELS
        ]
        if shown.wants(f"fig{number}"):
            panels_of(number, panels)


def _figure_four(each: Sequence[Results], out: Path) -> None:
    """Draw the means of all cases, without sessions on the left and with them on the right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 8.8), layout="constrained")
    for place, (metric, sessions) in enumerate(product(_LABELS, (False, True))):
        axes = figure.add_subplot(2, 2, place + 1)
        _cases(axes, [one for one in each if one.setup.sessions is sessions], metric)
        axes.set_title("sessions" if sessions else "independent jobs", fontsize=9)
    # Readings have one colour in both columns.
    labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(*labels, loc="outside upper center", ncols=5, fontsize=8, frameon=False)
    save(figure, out, "aucore-fig4")


def _cases(axes: Any, each: Sequence[Results], metric: str) -> None:
    """Draw the means of the cases, a column of points for each, a colour for each set-up."""
    cases = CASES if metric == "response" else CASES[1:]
    wide = 0.8 / len(each)
    for place, results in enumerate(each):
        found = [estimate(results.each(metric, case)) for case in cases]
        axes.errorbar(
            np.arange(len(cases)) + wide * (place - (len(each) - 1) / 2.0),
            [e.mean for e in found],
            [e.half for e in found],
            linestyle="",
            marker="o",
            markersize=3,
            linewidth=0.8,
            color=f"C{place}" if place < 10 else ("black", "0.6")[place - 10],
            label=results.setup.name,
        )
    axes.set_xticks(range(len(cases)), list(cases))
    _log(axes, metric)
    _printed(axes, {cases.index(c): v for c, v in _PRINTED_CASES[metric].items()})


def _options(axes: Any, results: Results) -> None:
    for column, case in enumerate((*MIXED, "alone")):
        heights = [
            estimate(
                results.each("slowdown", alone)
                if case == "alone"
                else results.by_option("slowdown", case, option)
            ).mean
            for option, alone in ALONE.items()
        ]
        axes.bar(np.arange(5) + 0.27 * (column - 1), heights, width=0.27, label=case)
    places = {
        "ABCDE".index(option) + 0.27 * (column - 1): value
        for column, case in enumerate(MIXED)
        for option, value in _PRINTED_OPTIONS[case].items()
    }
    axes.set_xticks(range(5), list(ALONE))
    _log(axes, "slowdown")
    _printed(axes, places)
    legend_above(axes)


def _gains(axes: Any, results: Results) -> None:
    for column, case in enumerate(MIXED):
        found = [estimate(results.gain(case, option)) for option in ALONE]
        axes.bar(
            np.arange(5) + 0.4 * (column - 0.5),
            [e.mean for e in found],
            yerr=[e.half for e in found],
            width=0.4,
            capsize=2,
            label=case,
        )
    axes.set_xticks(range(5), list(ALONE))
    axes.set_ylabel("gain over one option for all [%]")
    axes.set_yscale("symlog", linthresh=100.0)
    axes.axhline(0.0, color="black", linewidth=0.8)
    places = {
        "ABCDE".index(option) + 0.4 * (MIXED.index(case) - 0.5): value
        for case, values in _PRINTED_GAINS.items()
        for option, value in values.items()
    }
    _printed(axes, places)
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
    _log(axes, metric)
    if name == "repair" and metric == "slowdown" and "all-c" in cases:
        _printed(axes, _PRINTED_REPAIRS, "printed, all-c")
    legend_above(axes)


def _log(axes: Any, metric: str) -> None:
    axes.set_ylabel(_LABELS[metric])
    if metric == "slowdown":
        axes.set_yscale("symlog", linthresh=1.0)
        axes.set_ylim(bottom=0.0)


def _printed(axes: Any, values: Mapping[float, float], label: str = "printed") -> None:
    axes.plot(
        list(values),
        list(values.values()),
        linestyle="",
        marker="D",
        markersize=6,
        markerfacecolor="none",
        color="black",
        label=label,
        zorder=5,
    )
