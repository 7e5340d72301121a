"""Figures 4 to 9 of `qsim` under the paper's text, January 2009 with a threshold of 0.7.

Printed values are black; bars are 95 % intervals over seeds, cut where they leave what can be.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.metrics import LENGTH_CLASSES, SCALE_CLASSES

from ..estimates import Estimate, estimate
from ..figures import panels, save
from ..shown import Shown
from .claims import GAINS
from .results import Setup
from .runs import ALLOCATIONS, MTBFS

if TYPE_CHECKING:
    from .results import Results

_SETUP = Setup()
_UTILITIES = ("fcfs", "fat", "wfp1", "wfp3", "fcsj", "unicef")
_MOST = 100.0  # of a gain that is drawn, [%]
_FCFS = 7882.0  # s
# Waits of Fig. 4 [s]: FCFS, FCSJ printed; WFP1, WFP3 from their gains; FAT, UNICEF from their waits
# by size and Table IV. Slowdowns: from the gains, FCFS and FCSJ printed.
_WAITS = {
    "fcfs": _FCFS,
    "fat": 6090.0,
    "wfp1": 6826.0,
    "wfp3": 5856.0,
    "fcsj": 3560.0,
    "unicef": 4070.0,
}
_SLOWDOWNS = {"fcfs": 9.7, "wfp1": 8.6, "wfp3": 6.2, "fcsj": 4.38}
_AT_ONCE = {"fcfs": 50.0, **dict.fromkeys(_UTILITIES[1:], 55.0)}
_BY_SCALE = {"unicef": (1038.0, 3420.0, 4535.0, 11_928.0), "fat": (8576.0, 6124.0, 5193.0, 4115.0)}
_BY_LENGTH = ((11.5, 30.0), (2.9, 6.5), (1.9, 2.3), (1.2, 1.3))  # slowdowns, all policies
_METRICS = (
    ("response", "mean response [s]", 1.0),
    ("slowdown", "mean bounded slowdown", 1.0),
    ("failed", "job failure rate [%]", 100.0),
    ("lost_of_capacity", "service units lost, of the capacity [%]", 100.0),
)
_LEAST_MTBF = {
    "response": (11_790.0, 11_003.0),
    "slowdown": (9.67, 8.73),
    "failed": (1.05, 0.83),
    "lost_of_capacity": (14.8, 11.79),
}
_GAINS = {  # of WFP3 and of FCFS, [%]: ranges, or from 0 up to
    "response": ((0.0, 6.68), (0.0, 5.03)),
    "slowdown": ((0.0, 9.72), (0.0, 7.47)),
    "failed": ((17.24, 23.77), (16.66, 34.45)),
    "lost_of_capacity": ((17.96, 31.21), (18.11, 38.94)),
}


def draw(results: Results, out: Path, shown: Shown) -> None:
    """Write `qsim-fig4.svg` and the others that are shown to a directory."""
    if shown.wants("fig4", "fig5", "fig6"):
        save(_overall(results), out, "qsim-fig4")
        save(_at_once(results), out, "qsim-fig5")
        save(_by_class(results), out, "qsim-fig6")
    if shown.wants("fig7", "fig8", "fig9"):
        save(_under_failures(results, "wfp3"), out, "qsim-fig7")
        save(_under_failures(results, "fcfs"), out, "qsim-fig8")
        save(_gains(results), out, "qsim-fig9")


def _bars(axes: Any, found: dict[str, Estimate], printed: dict[str, float], label: str) -> None:
    names = list(found)
    axes.bar(
        [name.upper() for name in names],
        [each.mean for each in found.values()],
        yerr=[each.half for each in found.values()],
        capsize=3,
    )
    where = [names.index(name) for name in printed]
    axes.plot(where, list(printed.values()), "kD", markersize=5, label="printed")
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel(label)
    axes.tick_params(axis="x", labelrotation=45)
    axes.legend(fontsize=8)


def _overall(results: Results) -> Any:
    figure, (waits, slowdowns, gains) = panels(1, 3, 9.5, 3.8)
    for axes, metric, printed, label in (
        (waits, "wait", _WAITS, "mean wait [s]"),
        (slowdowns, "slowdown", _SLOWDOWNS, "mean bounded slowdown"),
    ):
        found = {name: estimate(results.each(metric, _SETUP, name)) for name in _UTILITIES}
        _bars(axes, found, printed, label)
    fcfs = results.each("wait", _SETUP, "fcfs")
    paired = {
        name: estimate(100.0 * (1.0 - results.each("wait", _SETUP, name) / fcfs.mean()))
        for name in _UTILITIES[1:]
    }
    more = {name: 100.0 * (1.0 - _WAITS[name] / _FCFS) for name in ("fat", "unicef")}
    _bars(gains, paired, {**GAINS, **more}, "gain in wait over FCFS, paired [%]")
    _bound(gains)
    return figure


def _bound(axes: Any) -> None:
    """Let no gain of a few noisy seeds flatten the others."""
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, -_MOST), min(high, _MOST))


def _at_once(results: Results) -> Any:
    figure, (at_once, long) = panels(1, 2, 9.0, 3.8)
    for axes, metric, printed, label in (
        (at_once, "at_once", _AT_ONCE, "jobs that start at once [%]"),
        (long, "long", dict.fromkeys(_UTILITIES, 5.0), "jobs that wait for 10 h [%]"),
    ):
        found = {name: estimate(100.0 * results.each(metric, _SETUP, name)) for name in _UTILITIES}
        _bars(axes, found, printed, label)
    long.legend(["printed: less than this"], fontsize=8)
    return figure


def _by_class(results: Results) -> Any:
    figure, drawn = panels(2, 2, 9.5, 7.4)
    for axes, (metric, label, classes) in zip(
        drawn,
        (
            ("wait_by_length", "mean wait [s]", LENGTH_CLASSES),
            ("slowdown_by_length", "mean bounded slowdown", LENGTH_CLASSES),
            ("wait_by_scale", "mean wait [s]", SCALE_CLASSES),
            ("slowdown_by_scale", "mean bounded slowdown", SCALE_CLASSES),
        ),
        strict=True,
    ):
        for column, name in enumerate(_UTILITIES):
            found = [estimate(values) for values in results.each(metric, _SETUP, name).T]
            left = np.arange(4) + (column - 2.5) * 0.13
            means, halves = [e.mean for e in found], [e.half for e in found]
            axes.bar(left, means, yerr=halves, width=0.13, label=name.upper())
            if metric == "wait_by_scale" and name in _BY_SCALE:
                words = f"printed, {name.upper()}"
                axes.plot(left, _BY_SCALE[name], "kD" if name == "fat" else "ks", ms=4, label=words)
        if metric == "slowdown_by_length":
            for place, (low, high) in enumerate(_BY_LENGTH):
                axes.fill_between([place - 0.45, place + 0.45], low, high, color="0.85", zorder=0)
            axes.set_yscale("log")
            axes.set_title("shaded: printed range of all policies", fontsize=9)
        else:
            axes.set_ylim(bottom=0.0)
        axes.set_xticks(range(4), classes)
        axes.set_ylabel(label)
    drawn[0].legend(fontsize=7)
    drawn[2].legend(fontsize=7)
    return figure


def _under_failures(results: Results, utility: str) -> Any:
    figure, drawn = panels(2, 2, 9.0, 7.0)
    ticks = [*(f"{mtbf:.1f}" for mtbf in MTBFS), "none"]
    for axes, (metric, label, scale) in zip(drawn, _METRICS, strict=True):
        peace = scale * results.each(metric, _SETUP, utility)
        for beside, name in enumerate(ALLOCATIONS):
            samples = [
                scale * results.each(metric, _SETUP, utility, mtbf=m, allocation=name)
                for m in MTBFS
            ]
            found = [estimate(sample) for sample in (*samples, peace)]
            means, halves = [e.mean for e in found], [e.half for e in found]
            places = np.arange(len(ticks)) + 0.08 * (beside - 2)
            axes.errorbar(places, means, halves, capsize=2, marker="o", markersize=4, label=name)
        if utility == "wfp3":
            axes.plot([0, 0], _LEAST_MTBF[metric], "kD", markersize=5, label="printed, both")
        axes.set_ylim(bottom=0.0)
        axes.set_xticks(range(len(ticks)), ticks)
        axes.set_xlabel("system MTBF [h]")
        axes.set_ylabel(label)
    drawn[0].legend(fontsize=7)
    figure.suptitle(utility.upper())
    return figure


def _gains(results: Results) -> Any:
    """Draw the gains of fault-aware allocation, a column of panels for each policy."""
    figure, drawn = panels(4, 2, 8.0, 11.0)
    for line, utility in enumerate(("wfp3", "fcfs")):
        for axes, (metric, label, _) in zip(drawn[line::2], _METRICS, strict=True):
            low, high = _GAINS[metric][line]
            axes.axhspan(low, high, color="0.85", label="printed range")
            for beside, name in enumerate(ALLOCATIONS[1:]):
                found = []
                for mtbf in MTBFS:
                    plain, aware = (
                        results.each(metric, _SETUP, utility, mtbf=mtbf, allocation=each)
                        for each in ("ordinary", name)
                    )
                    found.append(estimate(100.0 * (plain - aware) / plain.mean()))
                means, halves = [e.mean for e in found], [e.half for e in found]
                places = np.array(MTBFS) + 0.3 * (beside - 1.5)
                axes.errorbar(places, means, halves, capsize=2, marker="o", label=name)
            axes.axhline(0.0, color="black", linewidth=0.8)
            _bound(axes)
            axes.set_xlabel("system MTBF [h]")
            axes.set_title(f"{utility.upper()}, {label.split(' [')[0].split(',')[0]}", fontsize=9)
    for axes in drawn[::2]:
        axes.set_ylabel("gain over ordinary [%]")
    handles, labels = drawn[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)
    return figure
