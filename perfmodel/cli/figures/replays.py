"""Figures of replays compared: bars for each case, curves over what was varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from asking.units import natural_unit

from ...figures import Curve, draw_curves, draw_numbers
from .file import axes_in

_HOUR = 3600.0


def plot_cases(rows: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    """Draw slowdown by failures, response and lost time of each case, a panel each."""
    names = list(rows)

    def column(name: str) -> list[float]:
        found = [rows[case][name] for case in names]
        return [float("nan") if value is None else float(value) for value in found]

    response = np.array(column("mean_response_s"))
    unit, size = natural_unit(float(np.nanmin(response)))
    lost = 100.0 * np.array(column("service_unit_loss"))
    panels: tuple[tuple[str, Any], ...] = (
        ("failure slowdown", column("failure_slowdown")),
        (f"mean response [{unit}]", response / size),
        ("lost node time [%]", lost),
    )
    with axes_in(path, len(panels), height=2.6) as axes:
        for each, (words, values) in zip(axes, panels, strict=True):
            draw_numbers(dict(zip(names, values, strict=True)), up=words, ax=each)


def plot_promises(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw quality of service, lost work and wait over accuracy, a curve for each confidence."""
    by_accuracy = any(row["accuracy"] is not None for row in rows)
    across, group = ("accuracy", "confidence") if by_accuracy else ("confidence", "accuracy")
    waits = [row["mean_wait_s"] for row in rows]
    unit, size = natural_unit(float(min(waits)))
    panels = (
        ("quality of service", "qos", 1.0),
        ("lost work [node h]", "lost_work_node_s", _HOUR),
        (f"mean wait [{unit}]", "mean_wait_s", size),
    )
    groups = list(dict.fromkeys(row[group] for row in rows))
    with axes_in(path, len(panels), height=2.8) as axes:
        for each, (words, name, factor) in zip(axes, panels, strict=True):
            curves = []
            for value in groups:
                own = sorted((row[across], row[name]) for row in rows if row[group] == value)
                x, y = np.array(own, dtype=np.float64).T
                label = "all" if value is None else f"{group} {value:g}"
                curves.append(Curve(label, x, y / factor, dots=True))
            draw_curves(curves, across=across, up=words, ax=each)
