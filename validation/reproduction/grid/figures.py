"""Figures 1-5 of `grid`, drawn from our logs and runs, with what the paper prints beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.cluster.grid import suitability_cdf

from ..figures import save
from .logs import afc_table, lanl_rates, repair_times
from .results import POLICIES, PROBLEMS
from .stand_ins import DAS2_LATE, DAS2_SPAN, first_use
from .systems import SPEEDS, SYSTEMS, system

if TYPE_CHECKING:
    from .results import Results

_PANELS = (
    ("mean_slowdown", "mean slowdown"),
    ("mean_response_s", "mean response [s]"),
    ("mean_wait_s", "mean wait [s]"),
    ("killed", "killed jobs [%]"),
)
_TITLES = {"metacentrum": "MetaCentrum", "grid5000": "Grid'5000-like", "das2": "DAS-2-like"}
_PRINTED_KILLED = 100.0 * 18_668 / 1_020_195  # %, FCFS in EXT-FAIL
_TOP = 60.0  # %, beyond which differences to EASY are cut
_CROWDED = 200  # machines of LANL systems: labels of smaller systems are on the left


def draw(results: Results, out: Path) -> None:
    """Write `grid-fig2.svg` and the others to a directory, of what was played."""
    if "metacentrum" in results.systems:
        _figure_two(results, out)
    for number, name, policies in (
        (3, "grid5000", POLICIES),
        (4, "grid5000", ("fcfs", "fcfs-lb")),
        (5, "das2", POLICIES),
    ):
        if name in results.systems:
            _of_draws(results, out, number, name, policies)


def _figure_two(results: Results, out: Path) -> None:
    """Draw differences to EASY, a dot for each ranking: FCFS is far off every axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    scenarios = PROBLEMS["metacentrum"]
    for axes, (metric, label) in zip(figure.subplots(2, 2).flat, _PANELS, strict=True):
        killed = metric == "killed"
        shown = [s for s in scenarios if not killed or s in ("EXT-FAIL", "EXT-ALL")]
        for turn, policy in enumerate(("fcfs", "cons", "ls")):
            for place, scenario in enumerate(shown):
                values = [
                    100.0
                    * (
                        results.estimate(metric, "metacentrum", scenario, policy, ranking).mean
                        / results.estimate(metric, "metacentrum", scenario, "easy", ranking).mean
                        - 1.0
                    )
                    for ranking in SPEEDS
                ]
                axes.plot(
                    place + 0.22 * (turn - 1) + np.linspace(-0.06, 0.06, len(values)),
                    np.clip(values, -np.inf, _TOP),
                    "^" if min(values) > _TOP else "o",
                    color=f"C{turn}",
                    markersize=4,
                    label=policy.upper() if place == 0 else None,
                )
        axes.axhline(0.0, color="black", linewidth=0.8)
        axes.set_ylim(top=_TOP * 1.08)
        axes.set_xticks(range(len(shown)), shown, fontsize=8)
        axes.set_ylabel(f"{label.split(' [')[0]}, against EASY [%]")
        axes.grid(alpha=0.3, axis="y")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=3, loc="outside lower center")
    figure.suptitle(
        "MetaCentrum: a dot for each of five rankings; triangles at the top are beyond", fontsize=10
    )
    save(figure, out, "grid-fig2")


def _of_draws(
    results: Results, out: Path, number: int, name: str, policies: tuple[str, ...]
) -> None:
    """Draw the mean over draws as a line, and every draw as a dot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.8), layout="constrained")
    for axes, (metric, label) in zip(figure.subplots(2, 2).flat, _PANELS, strict=True):
        killed = metric == "killed"
        # Without failures no job is killed.
        shown = [s for s in PROBLEMS[name] if not killed or ("REQ" not in s and s != "BASIC")]
        scale = 100.0 / len(system(name).workload) if killed else 1.0
        for turn, policy in enumerate(policies):
            places = np.arange(len(shown)) + 0.2 * (turn - (len(policies) - 1) / 2)
            for place, scenario in zip(places, shown, strict=True):
                each = scale * results.each(metric, name, scenario, policy)
                spread = np.linspace(-0.06, 0.06, each.size)
                axes.plot(place + spread, each, ".", color=f"C{turn}", alpha=0.45, markersize=3)
                axes.plot([place - 0.09, place + 0.09], [each.mean()] * 2, color=f"C{turn}")
            axes.plot([], [], color=f"C{turn}", label=policy.upper())
        if name == "grid5000" and killed:
            axes.plot([places[0] - 0.2 * (len(policies) - 1)], [_PRINTED_KILLED], "kD", ms=5)
        axes.plot([], [], "kD", markersize=5, label="FCFS, printed")
        axes.set_xticks(range(len(shown)), shown, fontsize=7)
        axes.set_ylabel(label)
        if not killed:
            axes.set_yscale("log")  # FCFS would hide the others
    handles, labels = figure.axes[0].get_legend_handles_labels()
    kept = [n for n, text in enumerate(labels) if text != "FCFS, printed" or name == "grid5000"]
    figure.legend(
        [handles[n] for n in kept],
        [labels[n] for n in kept],
        ncols=len(kept),
        loc="outside lower center",
    )
    figure.suptitle(f"{_TITLES[name]}: every draw a dot, their mean a line", fontsize=10)
    save(figure, out, f"grid-fig{number}")


def draw_systems(out: Path) -> None:
    """Write `grid-fig1.svg` to a directory: the systems, as they are before anything is played."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 7.5), layout="constrained")
    places = figure.add_gridspec(2, 6, width_ratios=(1, 1, 1, 0.8, 1, 1.2))
    _first_jobs(figure.add_subplot(places[0, :2]))
    _rates(figure.add_subplot(places[0, 2:4]))
    _rates_of_lanl(figure.add_subplot(places[0, 4:]))
    _durations(figure.add_subplot(places[1, :3]))
    _suitabilities(figure.add_subplot(places[1, 3:]))
    save(figure, out, "grid-fig1")


def _first_jobs(axes: Any) -> None:
    das2 = system("das2")
    names = [cluster.name for cluster in das2.grid.clusters]
    day = 86_400.0
    last = float(das2.workload.submit[-1]) / day
    begins = first_use(das2.workload, len(names)) / day
    axes.barh(names, last - begins, left=begins)
    axes.axvline(DAS2_LATE * DAS2_SPAN / day, color="k", linestyle="--")
    axes.invert_yaxis()
    axes.set(
        xlabel="from first to last job [day]; dashed: printed, as a share",
        title="cluster start times (DAS-2-like)",
    )


def _rates(axes: Any) -> None:
    afc = afc_table()
    bars = axes.bar(list(afc), list(afc.values()))
    axes.bar_label(bars, fmt="%.4f", fontsize=8)
    axes.set_yscale("log")
    axes.margins(y=0.1)
    axes.set(ylabel="failures per machine and day", title="average failure count (AFC)")


def _rates_of_lanl(axes: Any) -> None:
    rates = lanl_rates()
    axes.scatter([row[1] for row in rates], [row[2] for row in rates], s=14)
    for label, machines, rate in _labels(rates):
        side = -1 if machines < _CROWDED else 1
        axes.annotate(
            label,
            (machines, rate),
            (5 * side, -3),
            textcoords="offset points",
            horizontalalignment="right" if side < 0 else "left",
            fontsize=6,
        )
    axes.margins(x=0.15)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="machines of the LANL system",
        ylabel="failures per year",
        title="failures per year (LANL)",
    )


def _labels(rates: list[tuple[int, int, float]]) -> list[tuple[str, int, float]]:
    """Return one label for points that lie within a tenth of each other."""
    found: list[tuple[str, int, float]] = []
    for number, machines, rate in sorted(rates, key=lambda row: (row[1], row[2])):
        if found and found[-1][1] == machines and rate < 1.1 * found[-1][2]:
            found[-1] = (f"{found[-1][0]}, {number}", machines, found[-1][2])
        else:
            found.append((str(number), machines, rate))
    return found


def _durations(axes: Any) -> None:
    for name, repair in repair_times().items():
        ordered = np.sort(repair) / 60.0
        axes.step(ordered, np.arange(1, ordered.size + 1) / ordered.size, label=name)
    axes.set(xscale="log", xlabel="duration of a failure [min]", ylabel="CDF")
    axes.legend(fontsize=8)


def _suitabilities(axes: Any) -> None:
    for name in SYSTEMS:
        one = system(name)
        share, cdf = suitability_cdf(one.suitability, one.grid)
        axes.step(
            100.0 * np.concatenate([[0.0], share, [1.0]]),
            np.concatenate([[0.0], cdf, [1.0]]),
            where="post",
            label=_TITLES[name],
        )
    axes.set(xlabel="suits at most this share of the machines [%]", ylabel="CDF of jobs")
    axes.legend(fontsize=8)
