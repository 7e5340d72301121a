"""Curves of numbers over a parameter, with what is recommended and what is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .._checks import FloatArray
from ._style import BEST, LAWS, OTHER, WANTED, axes_of, in_decades

__all__ = ["Curve", "Mark", "Span", "draw_curves"]


@dataclass(frozen=True, slots=True)
class Curve:
    """Numbers `y` at `x`, joined by lines; with `dots` each is marked too, `dashed` for a limit."""

    words: str
    x: FloatArray
    y: FloatArray
    dashed: bool = False
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the horizontal axis, with words."""

    words: str
    x: float
    kind: Literal["best", "wanted"] = "best"


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the horizontal axis, with words."""

    words: str
    low: float
    high: float


def draw_curves(
    curves: Sequence[Curve],
    *,
    across: str,
    up: str,
    marks: Sequence[Mark] = (),
    spans: Sequence[Span] = (),
    logarithmic: bool = False,
    ax: Any = None,
) -> Any:
    """Draw curves, marks and spans; return the axes.

    `across` and `up` stand at the axes, with their units; `logarithmic` is the horizontal one.
    """
    axes = axes_of(ax)
    for place, span in enumerate(spans):
        shade = 0.12 + 0.1 * place
        axes.axvspan(span.low, span.high, color=BEST, alpha=shade, label=span.words, lw=0)
    for place, curve in enumerate(curves):
        style = {"color": LAWS[place % len(LAWS)], "linestyle": "-"}
        if curve.dashed:
            style = {"color": OTHER, "linestyle": "--"}
        marker = "o" if curve.dots else None
        axes.plot(curve.x, curve.y, marker=marker, label=curve.words, **style)
    for mark in marks:
        colour = BEST if mark.kind == "best" else WANTED
        axes.axvline(mark.x, color=colour, linestyle=":", label=mark.words)
    if logarithmic:
        in_decades(axes)
    axes.set(xlabel=across, ylabel=up)
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, fontsize="small")
    return axes
