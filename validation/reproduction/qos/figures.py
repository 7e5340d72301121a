"""Figures 1 to 12 of `qos`, means over our seeds with 95 % intervals; printed values are black."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TypeAlias

from ..estimates import estimate
from ..figures import legend_above, save
from ..shown import Shown
from .cells import SHOWN, Results
from .runs import ACCURACIES

__all__ = ["draw"]

Point: TypeAlias = tuple[float, float, float]  # x, mean, half of its interval

_LABELS = {"qos": "QoS", "utilization": "capacity utilised", "lost": "lost work [node s]"}
_AGAINST_ACCURACY = (("qos", 1, 2), ("utilization", 3, 4), ("lost", 5, 6))
_AGAINST_RISK = (("sdsc", "utilization", 9), ("nasa", "utilization", 10))
_PRINTED_RANGE, _PRINTED_GAIN, _PERFECT = (1, 2), (3, 4), 8
_LOST = (("sdsc", "lost", 11), ("nasa", "lost", 12))


def draw(results: Results, out: Path, shown: Shown) -> None:
    """Write `qos-fig1.svg` and the others to a directory, of what was played."""
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
        if number in _PRINTED_GAIN:
            start = next(iter(lines.values()))[0][1]
            axes.plot([1.0], [1.06 * start], "k*", markersize=11, label="printed: 6 % up at most")
        if number == _PERFECT:
            axes.plot([1.0], [1.0], "k*", markersize=11, label="printed: 1")
        axes.set_xlabel(x)
        axes.set_ylabel(_LABELS[y])
        legend_above(axes)
        save(figure, out, f"qos-fig{number}")

    def point(x: float, metric: str, log: str, accuracy: float, risk: float) -> Point:
        found = estimate(results.each(metric, log, accuracy, risk))
        return x, found.mean, 0.0 if math.isnan(found.half) else found.half

    def against_risk(log: str, accuracy: float, metric: str) -> list[Point]:
        return [point(risk, metric, log, accuracy, risk) for risk in ACCURACIES]

    for metric, *numbers in _AGAINST_ACCURACY:
        for log, number in zip(("sdsc", "nasa"), numbers, strict=True):
            if shown.wants(*(f"fig{n}" for n in range(1, 7))):
                lines = {
                    f"{log.upper()}, U = {risk}": [
                        point(a, metric, log, a, risk) for a in ACCURACIES
                    ]
                    for risk in SHOWN
                }
                plot(number, "prediction accuracy", metric, lines)
    if not shown.wants(*(f"fig{n}" for n in range(7, 13))):
        return
    user = "risk parameter U"
    plot(7, user, "qos", {"SDSC, a = 0.5": against_risk("sdsc", 0.5, "qos")})
    both = {f"{log.upper()}, a = 1": against_risk(log, 1.0, "qos") for log in ("sdsc", "nasa")}
    plot(8, user, "qos", both)
    for log, metric, number in (*_AGAINST_RISK, *_LOST):
        plot(number, user, metric, {f"{log.upper()}, a = 1": against_risk(log, 1.0, metric)})
