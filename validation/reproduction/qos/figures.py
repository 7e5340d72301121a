"""Figures 1 to 12 of `qos` from our runs, and a calibration plot, which the paper lacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..figures import save
from ..rows import legend_above
from .cells import RISKS, SHOWN
from .runs import ACCURACIES

__all__ = ["draw"]

# (log, accuracy, risk) -> (metrics of the first seed, or None if it was not run)
Find = Callable[..., "dict[str, Any] | None"]

_LABELS = {"qos": "QoS", "utilization": "capacity utilised", "lost": "lost work [node s]"}
_AGAINST_ACCURACY = (("qos", 1, 2), ("utilization", 3, 4), ("lost", 5, 6))
_AGAINST_RISK = (("sdsc", "utilization", 9), ("nasa", "utilization", 10))
_LOST = (("sdsc", "lost", 11), ("nasa", "lost", 12))


def draw(find: Find, out: Path) -> None:
    """Write `qos-fig1.svg` to `qos-fig12.svg` and `qos-calibration.svg` to a directory."""
    from matplotlib.figure import Figure

    def plot(number: int, x: str, y: str, lines: dict[str, list[tuple[float, float]]]) -> None:
        figure = Figure(figsize=(5, 3.8), layout="constrained")
        axes = figure.add_subplot()
        for place, (label, points) in enumerate(lines.items()):
            axes.plot(*zip(*points, strict=True), marker="os^"[place], markersize=4, label=label)
        axes.set_xlabel(x)
        axes.set_ylabel(_LABELS[y])
        legend_above(axes)
        save(figure, out, f"qos-fig{number}")

    def against_accuracy(log: str, metric: str) -> dict[str, list[tuple[float, float]]]:
        return {
            f"{log.upper()}, U = {risk}": _points(
                (a, find(log, a, risk), metric) for a in ACCURACIES
            )
            for risk in SHOWN
        }

    def against_risk(log: str, accuracy: float, metric: str) -> list[tuple[float, float]]:
        return _points((risk, find(log, accuracy, risk), metric) for risk in RISKS)

    for metric, sdsc, nasa in _AGAINST_ACCURACY:
        plot(sdsc, "prediction accuracy", metric, against_accuracy("sdsc", metric))
        plot(nasa, "prediction accuracy", metric, against_accuracy("nasa", metric))
    user = "risk parameter U"
    plot(7, user, "qos", {"SDSC, a = 0.5": against_risk("sdsc", 0.5, "qos")})
    both = {f"{log.upper()}, a = 1": against_risk(log, 1.0, "qos") for log in ("sdsc", "nasa")}
    plot(8, user, "qos", both)
    for log, metric, number in (*_AGAINST_RISK, *_LOST):
        plot(number, user, metric, {f"{log.upper()}, a = 1": against_risk(log, 1.0, metric)})
    _calibration(find, out)


def _points(found: Any) -> list[tuple[float, float]]:
    return [(x, metrics[name]) for x, metrics, name in found if metrics is not None]


def _calibration(find: Find, out: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 4.4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    shown: dict[str, dict[str, Any]] = {
        "predictor of the paper, a = 1, U = 0.1": {"accuracy": 1.0, "risk": 0.1},
        "failure rate alone": {"accuracy": 0.0, "risk": 0.0, "forecaster": "rate"},
    }
    for place, (label, point) in enumerate(shown.items()):
        metrics = find("sdsc", **point)
        if metrics is None:
            continue
        bins = metrics["calibration"]
        middle = [b["observed"] for b in bins]
        bars = [
            [max(b["observed"] - b["low"], 0.0) for b in bins],
            [max(b["high"] - b["observed"], 0.0) for b in bins],
        ]
        promised = [b["promised"] for b in bins]
        axes.errorbar(promised, middle, yerr=bars, fmt="os"[place], capsize=3, label=label)
    axes.set_xlabel("promised probability")
    axes.set_ylabel("share of promises kept, with 95 % bands")
    legend_above(axes)
    save(figure, out, "qos-calibration")
