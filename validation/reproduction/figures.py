"""How figures are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def save(figure: Any, folder: Path, name: str) -> None:
    """Write a figure as SVG; equal figures are equal bytes."""
    import matplotlib as mpl

    settings = {"svg.hashsalt": "perfmodel", "svg.fonttype": "none"}
    with mpl.rc_context(settings):  # type: ignore[arg-type]
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def legend_above(axes: Any) -> None:
    """Set the legend above the axes, where no line can cross it; needs constrained layout."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=8, frameon=False)


def panels(lines: int, across: int, wide: float, high: float) -> tuple[Any, Any]:
    """Return a figure of this size in inches, and its panels line by line."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(wide, high), layout="constrained")
    return figure, figure.subplots(lines, across, squeeze=False).ravel()
