"""Figures 1 to 12 of `qos`, means over our seeds, and promises against what came of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TypeAlias

from ..figures import save
from ..rows import estimate, legend_above
from .cells import RISKS, SHOWN
from .results import Results
from .runs import ACCURACIES, LOGS

__all__ = ["draw"]

Point: TypeAlias = tuple[float, float, float]  # x, mean, half of its interval

_LABELS = {"qos": "QoS", "utilization": "capacity utilised", "lost": "lost work [node s]"}
_AGAINST_ACCURACY = (("qos", 1, 2), ("utilization", 3, 4), ("lost", 5, 6))
_AGAINST_RISK = (("sdsc", "utilization", 9), ("nasa", "utilization", 10))
_PRINTED_RANGE, _PERFECT = (1, 2), 8
_PREDICTORS = {
    "calibrated": "calibrated",
    "detectability": "of the paper, a = 1",
    "rate": "failure rate alone",
}
_LOST = (("sdsc", "lost", 11), ("nasa", "lost", 12))


def draw(results: Results, out: Path) -> None:
    """Write `qos-fig1.svg` to `qos-fig12.svg` and `qos-calibration.svg` to a directory."""
    from matplotlib.figure import Figure

    def plot(number: int, x: str, y: str, lines: dict[str, list[Point]]) -> None:
        figure = Figure(figsize=(5, 3.8), layout="constrained")
        axes = figure.add_subplot()
        if number in _PRINTED_RANGE:
            axes.axhspan(0.9, 1.0, color="0.92", label="printed range")
        for place, (label, points) in enumerate(lines.items()):
            xs, means, halves = zip(*points, strict=True)
            axes.errorbar(
                xs, means, yerr=halves, fmt="os^"[place] + "-", markersize=4, capsize=2, label=label
            )
        if number == _PERFECT:
            axes.plot([1.0], [1.0], "k*", markersize=11, label="printed: 1")
        axes.set_xlabel(x)
        axes.set_ylabel(_LABELS[y])
        legend_above(axes)
        save(figure, out, f"qos-fig{number}")

    def point(x: float, metric: str, log: str, accuracy: float, risk: float) -> Point:
        found = estimate(results.each(metric, log, accuracy, risk))
        return x, found.mean, 0.0 if math.isnan(found.half) else found.half

    def against_accuracy(log: str, metric: str) -> dict[str, list[Point]]:
        return {
            f"{log.upper()}, U = {risk}": [point(a, metric, log, a, risk) for a in ACCURACIES]
            for risk in SHOWN
        }

    def against_risk(log: str, accuracy: float, metric: str) -> list[Point]:
        return [point(risk, metric, log, accuracy, risk) for risk in RISKS]

    for metric, sdsc, nasa in _AGAINST_ACCURACY:
        plot(sdsc, "prediction accuracy", metric, against_accuracy("sdsc", metric))
        plot(nasa, "prediction accuracy", metric, against_accuracy("nasa", metric))
    user = "risk parameter U"
    plot(7, user, "qos", {"SDSC, a = 0.5": against_risk("sdsc", 0.5, "qos")})
    both = {f"{log.upper()}, a = 1": against_risk(log, 1.0, "qos") for log in ("sdsc", "nasa")}
    plot(8, user, "qos", both)
    for log, metric, number in (*_AGAINST_RISK, *_LOST):
        plot(number, user, metric, {f"{log.upper()}, a = 1": against_risk(log, 1.0, metric)})
    _calibration(results, out)


def _calibration(results: Results, out: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.4, 4.4), layout="constrained")
    for axes, log in zip(figure.subplots(1, 2, sharey=True), LOGS, strict=True):
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
        for place, (predictor, label) in enumerate(_PREDICTORS.items()):
            found = results.promises(log, predictor, "none", "calibration")
            axes.errorbar(
                [each.said for each in found],
                [each.came for each in found],
                yerr=[0.0 if math.isnan(each.more.half) else each.more.half for each in found],
                fmt="os^"[place],
                markersize=4,
                capsize=3,
                label=label,
            )
        axes.set_xlabel(f"promised probability, {log.upper()}")
        legend_above(axes)
    figure.axes[0].set_ylabel("share of promises kept, with 95 % intervals")
    save(figure, out, "qos-calibration")
