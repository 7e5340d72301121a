"""How figures are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["save"]


def save(figure: Any, folder: Path, name: str) -> None:
    """Write a figure as SVG; equal figures are equal bytes."""
    import matplotlib as mpl

    settings = {"svg.hashsalt": "perfmodel", "svg.fonttype": "none"}
    with mpl.rc_context(settings):  # type: ignore[arg-type]
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
