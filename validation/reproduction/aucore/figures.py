"""Figures 4 to 8 of `aucore`; bars are 95 % intervals, struck jobs pooled over seeds.

Figure 4 has every reading; the others the first, which is the paper's text. Printed values are
black diamonds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..estimates import Estimate, estimate
from ..figures import legend_above, panels, save
from ..shown import Shown
from .results import ALONE, CASES, GAPS, MIXED, MTBFS, REPAIRS, SINGLE

if TYPE_CHECKING:
    from .results import Results

_LABELS = {"slowdown": "failure slowdown", "response": "response [min]"}
# What the text of the paper prints of its figures; what stands in pictures alone is not here.
_PRINTED_CASES = {
    "slowdown": {"mr": 1.71, "all-b": 1.06, "all-e": 0.47},
    "response": {"ff": 169.0, "mr": 235.0, "normal": 185.0, "all-d": 216.0},
}
_PRINTED_OPTIONS = {"even": {"A": 1.98, "E": 0.36}, "normal": {"A": 2.19, "E": 0.30}}
_PRINTED_REPAIRS = {240.0: 2.76, 120.0: 1.21, 15.0: 0.12}


def draw(each: Sequence[Results], out: Path, shown: Shown) -> None:
    """Write `aucore-fig4.svg` and the others that are shown; `each` are the set-ups."""
    first = each[0]
    if shown.wants("fig4", "fig5"):
        if not shown.text:  # which has no other reading to draw
            figure, pair = panels(1, 2, 10.0, 4.2)
            for axes, metric in zip(pair, _LABELS, strict=True):
                _cases(axes, each, metric)
            save(figure, out, "aucore-fig4")
        figure, (axes,) = panels(1, 1, 5.0, 4.2)
        _options(axes, first)
        save(figure, out, "aucore-fig5")
    for number, name, label, values, cases in (
        (6, "repair", "repair time [min]", REPAIRS, ("mr", *SINGLE)),
        (7, "mtbf", "system MTBF [h]", MTBFS, ("mr", *MIXED)),
        (8, "gap", "mean gap between submissions [min]", GAPS, ("mr", *MIXED)),
    ):
        if shown.wants(f"fig{number}"):
            figure, pair = panels(1, 2, 10.0, 4.2)
            for axes, metric in zip(pair, _LABELS, strict=True):
                _lines(axes, first, metric, cases, name=name, values=values)
                axes.set_xlabel(label)
            save(figure, out, f"aucore-fig{number}")


def _found(results: Results, metric: str, case: str, **more: Any) -> Estimate:
    if metric == "response":
        return estimate(results.response(case, **more))
    return estimate(results.slowdown(case, **more))


def _cases(axes: Any, each: Sequence[Results], metric: str) -> None:
    """Draw for each case the range over readings, every reading, the text and the printed."""
    cases = CASES if metric == "response" else CASES[1:]
    for place, case in enumerate(cases):
        means = [_found(results, metric, case).mean for results in each]
        axes.plot([place] * 2, [min(means), max(means)], color="0.8", linewidth=9, zorder=0)
        spread = place + np.linspace(-0.12, 0.12, len(means))
        axes.plot(spread, means, ".", color="C0", markersize=3)
        text = _found(each[0], metric, case)
        words = "the first, 95 %" if place == 0 else None
        axes.errorbar([place + 0.25], [text.mean], [text.half], fmt="o", color="C1", label=words)
    axes.plot([], [], ".", color="C0", label="every reading")
    _printed(axes, {cases.index(c): v for c, v in _PRINTED_CASES[metric].items()})
    axes.set_xticks(range(len(cases)), list(cases), fontsize=8)
    axes.set_yscale("log")
    axes.set_ylabel(_LABELS[metric])
    legend_above(axes)


def _options(axes: Any, results: Results) -> None:
    for column, case in enumerate((*MIXED, "alone")):
        found = [
            estimate(results.slowdown(alone) if case == "alone" else results.of_option(case, o))
            for o, alone in ALONE.items()
        ]
        axes.errorbar(
            np.arange(5) + 0.25 * (column - 1),
            [e.mean for e in found],
            [e.half for e in found],
            fmt="o",
            capsize=3,
            label=case if case != "alone" else "all jobs with this option",
        )
    places = {
        "ABCDE".index(option) + 0.25 * (column - 1): value
        for column, case in enumerate(MIXED)
        for option, value in _PRINTED_OPTIONS[case].items()
    }
    _printed(axes, places)
    axes.set_xticks(range(5), list(ALONE))
    axes.set_yscale("symlog", linthresh=1.0)
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel(_LABELS["slowdown"])
    legend_above(axes)


def _lines(
    axes: Any,
    results: Results,
    metric: str,
    cases: Sequence[str],
    *,
    name: str,
    values: Sequence[float],
) -> None:
    step = 0.01 * (max(values) - min(values))
    for place, case in enumerate(cases):
        found = [_found(results, metric, case, **{name: value}) for value in values]
        # Side by side, so that the intervals of one case do not hide those of another.
        beside = [value + step * (place - (len(cases) - 1) / 2.0) for value in values]
        means, halves = [e.mean for e in found], [e.half for e in found]
        axes.errorbar(beside, means, halves, capsize=2, marker="o", markersize=4, label=case)
    axes.set_ylabel(_LABELS[metric])
    if metric == "slowdown":
        axes.set_yscale("symlog", linthresh=1.0)
        if name == "repair":
            _printed(axes, _PRINTED_REPAIRS, "printed, all-c")
    axes.set_ylim(bottom=0.0)
    legend_above(axes)


def _printed(axes: Any, values: Mapping[float, float], label: str = "printed") -> None:
    x, y = list(values), list(values.values())
    axes.plot(x, y, "kD", markersize=6, markerfacecolor="none", label=label, zorder=5)
