"""Figures 4, 6, 7, 8 and 9 of `qsim`, drawn from our runs; printed values are crosses or bands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures import save as write
from ..rows import estimate
from .runs import MTBFS

if TYPE_CHECKING:
    from .results import Results

__all__ = ["draw"]

_UTILITIES = ("fcfs", "fat", "wfp1", "wfp3", "fcsj", "unicef")
_LENGTHS = ("< 10 min", "10 min - 1 h", "1 - 4 h", "> 4 h")
_SCALES = ("<= 64", "128 - 512", "1024 - 2048", ">= 4096")
_METRICS = (
    ("response", "mean response [s]", 1.0),
    ("slowdown", "mean bounded slowdown", 1.0),
    ("failed", "job failure rate [%]", 100.0),
    ("lost", "service unit loss [%]", 100.0),
)

_ALLOCATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ordinary", {}),
    ("fault-aware, weights as printed", {"fault_aware": True}),
    ("fault-aware, weights as released", {"fault_aware": True, "weights": "released"}),
)

# What the text prints: waits of Fig. 4 [s], two of them from their gains over FCFS; waits by size
# of Fig. 6 [s]; ordinary and fault-aware at the least MTBF of Fig. 7; gains of Fig. 9 [%].
_WAITS = {
    "fcfs": 7882.0,
    "wfp1": 7882.0 * (1.0 - 0.134),
    "wfp3": 7882.0 * (1.0 - 0.257),
    "fcsj": 3560.0,
}
_WAITS_BY_SCALE = {
    "unicef": (1038.0, 3420.0, 4535.0, 11_928.0),
    "fat": (8576.0, 6124.0, 5193.0, 4115.0),
}
_LEAST_MTBF = {
    "response": (11_790.0, 11_003.0),
    "slowdown": (9.67, 8.73),
    "failed": (1.05, 0.83),
    "lost": (14.8, 11.79),
}
_GAINS = {"failed": ((17.24, 23.77), (16.66, 34.45)), "lost": ((17.96, 31.21), (18.11, 38.94))}


def draw(results: Results, out: Path) -> None:
    """Write `qsim-fig4.svg` and the others to a directory; bars are 95 % intervals over seeds."""
    from matplotlib.figure import Figure

    def save(figure: Any, number: int) -> None:
        figure.tight_layout()
        write(figure, out, f"qsim-fig{number}")

    four = Figure(figsize=(9, 3.6))
    for place, (metric, label) in enumerate(
        (("wait", "mean wait [s]"), ("slowdown", "mean bounded slowdown"))
    ):
        axes = four.add_subplot(1, 2, place + 1)
        found = [estimate(results.each(metric, name)) for name in _UTILITIES]
        names = [name.upper() for name in _UTILITIES]
        axes.bar(names, [e.mean for e in found], yerr=[e.half for e in found], capsize=3)
        if metric == "wait":
            where = [_UTILITIES.index(name) for name in _WAITS]
            axes.plot(where, list(_WAITS.values()), "kx", markersize=7, label="printed")
            axes.legend(fontsize=7)
        axes.set_ylabel(label)
        axes.tick_params(axis="x", labelrotation=45)
    save(four, 4)

    six = Figure(figsize=(11, 7))
    for place, (metric, label, classes) in enumerate(
        (
            ("wait_by_length", "mean wait [s]", _LENGTHS),
            ("slowdown_by_length", "mean bounded slowdown", _LENGTHS),
            ("wait_by_scale", "mean wait [s]", _SCALES),
            ("slowdown_by_scale", "mean bounded slowdown", _SCALES),
        )
    ):
        axes = six.add_subplot(2, 2, place + 1)
        for column, name in enumerate(_UTILITIES):
            heights = results.each(metric, name).mean(axis=0)
            left = np.arange(4) + (column - 2.5) * 0.13
            axes.bar(left, heights, width=0.13, label=name.upper())
            if metric == "wait_by_scale" and name in _WAITS_BY_SCALE:
                axes.plot(left, _WAITS_BY_SCALE[name], "kx", markersize=6)
        axes.set_xticks(range(4), classes)
        axes.set_ylabel(label)
    six.axes[0].legend(fontsize=7)
    save(six, 6)

    for number, utility in ((7, "wfp3"), (8, "fcfs")):
        save(_under_failures(results, utility), number)

    nine = Figure(figsize=(9, 7))
    for place, (metric, label, _) in enumerate(_METRICS):
        axes = nine.add_subplot(2, 2, place + 1)
        for utility in ("wfp3", "fcfs"):
            for weights in ("printed", "released"):
                found = [
                    estimate(results.gain(metric, utility, mtbf=mtbf, weights=weights))
                    for mtbf in MTBFS
                ]
                means, halves = [e.mean for e in found], [e.half for e in found]
                name = f"{utility.upper()}, weights as {weights}"
                axes.errorbar(MTBFS, means, halves, capsize=3, marker="o", label=name)
        for colour, (low, high) in zip(("C0", "C2"), _GAINS.get(metric, ()), strict=False):
            axes.axhspan(low, high, color=colour, alpha=0.12)
        axes.axhline(0.0, color="black", linewidth=0.8)
        axes.set_xlabel("system MTBF [h]")
        axes.set_ylabel(f"gain in {label.split(' [')[0]} [%]")
    nine.axes[0].legend(fontsize=7)
    save(nine, 9)


def _under_failures(results: Results, utility: str) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 7))
    ticks = [*(f"{mtbf:.1f}" for mtbf in MTBFS), "∞"]
    for place, (metric, label, scale) in enumerate(_METRICS):
        axes = figure.add_subplot(2, 2, place + 1)
        peace = scale * results.each(metric, utility)
        for name, more in _ALLOCATIONS:
            samples = [scale * results.each(metric, utility, mtbf=m, **more) for m in MTBFS]
            found = [estimate(sample) for sample in (*samples, peace)]
            means, halves = [e.mean for e in found], [e.half for e in found]
            axes.errorbar(range(len(ticks)), means, halves, capsize=3, marker="o", label=name)
        if utility == "wfp3":
            axes.plot([0, 0], _LEAST_MTBF[metric], "kx", markersize=7, label="printed")
        axes.set_xticks(range(len(ticks)), ticks)
        axes.set_xlabel("system MTBF [h]")
        axes.set_ylabel(label)
    figure.axes[0].legend(fontsize=7)
    figure.suptitle(utility.upper())
    return figure
