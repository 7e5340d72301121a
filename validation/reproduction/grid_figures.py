"""Figures 1-5 of `grid`, drawn from our logs and runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.cluster.requirements import suitability_cdf

from .grid_systems import SYSTEMS, afc_table, lanl_rates, repair_times, system

if TYPE_CHECKING:
    from .grid import Results

__all__ = ["draw"]

_PANELS = (
    ("mean_slowdown", "mean slowdown"),
    ("mean_response_s", "mean response [s]"),
    ("mean_wait_s", "mean wait [s]"),
    ("killed", "killed jobs"),
)


def draw(results: Results, out: Path) -> None:
    """Write `grid-fig1.png` and the others to a directory; bars: 95 % intervals over seeds."""
    from .grid import PROBLEMS

    _figure_one(out)
    four = ("fcfs", "easy", "cons", "ls")
    for number, name, policies in (
        (2, "metacentrum", four),
        (3, "grid5000", four),
        (4, "grid5000", ("fcfs", "fcfs-lb")),
        (5, "das2", four),
    ):
        _bars(results, name, PROBLEMS[name], policies, out / f"grid-fig{number}.png")


def _bars(
    results: Results, name: str, scenarios: tuple[str, ...], policies: tuple[str, ...], path: Path
) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7))
    for place, (metric, label) in enumerate(_PANELS, start=1):
        axes = figure.add_subplot(2, 2, place)
        width = 0.8 / len(policies)
        for turn, policy in enumerate(policies):
            found = [results.estimate(metric, name, s, policy) for s in scenarios]
            axes.bar(
                np.arange(len(scenarios)) + (turn - (len(policies) - 1) / 2) * width,
                [one.mean for one in found],
                width,
                yerr=np.nan_to_num([one.half for one in found]),
                label=policy,
            )
        axes.set_xticks(np.arange(len(scenarios)), scenarios, fontsize=7)
        axes.set_ylabel(label)
        if metric != "killed":
            axes.set_yscale("log")  # FCFS would hide the others
        if place == 1:
            axes.legend(fontsize=8)
    figure.suptitle(name)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def _figure_one(out: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7))
    afc = afc_table()
    axes = figure.add_subplot(2, 2, 1)
    axes.bar(list(afc), list(afc.values()))
    axes.set_yscale("log")
    axes.set_ylabel("failures per machine and day")
    axes = figure.add_subplot(2, 2, 2)
    rates = lanl_rates()
    axes.scatter([row[1] for row in rates], [row[2] for row in rates])
    for number, machines, rate in rates:
        axes.annotate(str(number), (machines, rate), fontsize=7)
    axes.set(xlabel="machines of the LANL system", ylabel="failures per year")
    axes = figure.add_subplot(2, 2, 3)
    for name, repair in repair_times().items():
        ordered = np.sort(repair) / 60.0
        axes.step(ordered, np.arange(1, ordered.size + 1) / ordered.size, label=name)
    axes.set(xscale="log", xlabel="duration of a failure [min]", ylabel="CDF")
    axes.legend(fontsize=8)
    axes = figure.add_subplot(2, 2, 4)
    for name in SYSTEMS:
        _suitability(axes, name)
    axes.set(xlabel="share of the machines [%]", ylabel="CDF of jobs")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(out / "grid-fig1.png", dpi=110)


def _suitability(axes: Any, name: str) -> None:
    one = system(name)
    share, cdf = suitability_cdf(one.suitability, one.grid)
    axes.step(
        100.0 * np.concatenate([[0.0], share, [1.0]]),
        np.concatenate([[0.0], cdf, [1.0]]),
        where="post",
        label=name,
    )
