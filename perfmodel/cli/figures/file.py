"""The file of a figure: checked before an answer is computed, complete when it appears."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..errors import needing
from ..options.types import OUTPUT_FILE, F
from ..output.whole_file import whole_file


def plot_option(command: F) -> F:
    """Add --plot, whose file is refused before anything is computed."""
    add = click.option(
        "--plot",
        type=OUTPUT_FILE,
        callback=_checked,
        help="Draw the answer: PNG, SVG or PDF, by the name of the file.",
    )
    return add(command)


def _checked(context: click.Context, option: click.Parameter, plot: Path | None) -> Path | None:
    """Refuse a file that matplotlib cannot write, or its absence."""
    del context, option
    if plot is None:
        return None
    with needing("--plot"):
        from matplotlib.backend_bases import FigureCanvasBase
    if plot.suffix.lstrip(".").lower() not in FigureCanvasBase.get_supported_filetypes():
        raise click.UsageError(f"--plot must end in .png, .pdf or .svg, got {str(plot)!r}")
    return plot


def draw_in(path: Path, draw: Callable[[], Any]) -> None:
    """Write the figure of the axes that `draw` makes and returns to a file.

    Equal figures are equal bytes.
    """
    with _drawing() as pyplot:
        before = set(pyplot.get_fignums())
        try:
            axes = draw()
            _save((axes if hasattr(axes, "figure") else axes.flat[0]).figure, path)
        finally:
            for number in set(pyplot.get_fignums()) - before:
                pyplot.close(number)


@contextmanager
def axes_in(path: Path, panels: int = 1, *, height: float = 4.5, columns: int = 1) -> Iterator[Any]:
    """Yield axes, one or an array of panels above each other; write them to the file at the end.

    With several `columns` there are so many beside each other. Equal figures are equal bytes.
    """
    with _drawing() as pyplot:
        size = (8.0 if columns == 1 else 6.0 * columns, height * panels)
        figure, axes = pyplot.subplots(panels, columns, figsize=size, layout="constrained")
        try:
            yield axes
            _save(figure, path)
        finally:
            pyplot.close(figure)


@contextmanager
def _drawing() -> Iterator[Any]:
    """Yield pyplot, with settings that draw without a screen."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    # Names from files may have dollar signs, between which matplotlib would read a formula.
    settings: Any = {"svg.hashsalt": "perfmodel", "text.parse_math": False, "text.usetex": False}
    with mpl.rc_context(settings):
        yield pyplot


def _save(figure: Any, path: Path) -> None:
    dateless = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    layout = figure.get_layout_engine()
    if layout is not None:  # else matplotlib draws all once more to arrange it
        layout.execute(figure)
        figure.set_layout_engine(None)
    with whole_file(path) as part:
        figure.savefig(part, dpi=150, metadata=dateless.get(path.suffix.lower()))
