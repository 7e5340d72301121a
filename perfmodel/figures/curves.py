"""Curves of numbers over a parameter, with what is recommended and what is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from .._checks import FloatArray
from ._style import BEST, LAWS, OTHER, WANTED, axes_of, in_decades

_MOST_INSIDE = 4  # names within the frame of a figure


@dataclass(frozen=True, slots=True)
class Curve:
    """Numbers `y` at `x`, joined by lines; with `dots` each is marked too, `dashed` for a limit.

    `reach` is half of the interval of each; `colour` its place among the colours of curves.
    """

    words: str
    x: FloatArray
    y: FloatArray
    dashed: bool = False
    dots: bool = False
    reach: FloatArray | None = None
    colour: int | None = None


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
    for place, curve in enumerate(_each_once(curves)):
        chosen = place if curve.colour is None else curve.colour
        style = {"color": LAWS[chosen % len(LAWS)], "linestyle": "-"}
        if curve.dashed:
            style = {"color": OTHER, "linestyle": "--"}
        marker = "o" if curve.dots else None
        axes.plot(curve.x, curve.y, marker=marker, label=curve.words, **style)
        if curve.reach is not None:
            far = np.nan_to_num(curve.reach, posinf=0.0)
            axes.errorbar(curve.x, curve.y, far, fmt="none", ecolor=style["color"], capsize=4)
    named: dict[tuple[str, float], list[str]] = {}
    for mark in marks:
        named.setdefault((mark.kind, mark.x), []).append(mark.words)
    for (kind, at), words in named.items():
        colour = BEST if kind == "best" else WANTED
        axes.axvline(at, color=colour, linestyle=":", label=_joined(words))
    if logarithmic:
        in_decades(axes)
    axes.set(xlabel=across, ylabel=up)
    axes.grid(alpha=0.25)
    _name_all(axes)
    return axes


def _name_all(axes: Any) -> None:
    """Add a legend: above the frame where it is so long that it would lie on curves."""
    where: dict[str, Any] = {}
    if len(axes.get_legend_handles_labels()[1]) > _MOST_INSIDE:
        where = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "ncols": 2}
    axes.legend(frameon=False, fontsize="small", **where)


def _each_once(curves: Sequence[Curve]) -> list[Curve]:
    """Return the curves, those that are the same line as one with their names."""
    found: list[Curve] = []
    for curve in curves:
        for place, known in enumerate(found):
            same = known.dashed == curve.dashed and known.dots == curve.dots
            if same and all(map(np.array_equal, (known.x, known.y), (curve.x, curve.y))):
                found[place] = replace(known, words=_joined([known.words, curve.words]))
                break
        else:
            found.append(curve)
    return found


def _joined(words: Sequence[str]) -> str:
    """Return names of the same line: what they begin with in common is said once."""
    first = words[0].partition(" for ")[0] + " for "
    if all(each.startswith(first) for each in words):
        return first + ", ".join(each.removeprefix(first) for each in dict.fromkeys(words))
    return ", ".join(dict.fromkeys(words))
