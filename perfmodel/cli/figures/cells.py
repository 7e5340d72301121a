"""Figures of cells: means with intervals over what was varied, differences, maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.units import natural_unit

from ...figures import Curve, draw_curves, draw_map, draw_points
from ..output.cells import Row, column_of, compared_with, factor_words, named_factor
from .file import axes_in

if TYPE_CHECKING:
    from sim.answers import Measure

    from ..._checks import FloatArray

_MOST_BELOW = 3  # panels of a file that has one column
_MOST_CURVES = 6  # in a panel: the colours that there are
_MOST_POINTS = 40  # below each other
_MOST_MAPS = 6
_FULL = 0.5  # of a map, or its cells are a sample
_DECADES = 5.0  # from where on values are far apart


@dataclass(frozen=True, slots=True)
class Panel:
    """A figure of one number: what stands below it, how many names beside it, what draws it."""

    words: str
    names: int
    draw: Callable[[Any], Any]


def plot_cells(
    rows: Sequence[Row], names: Sequence[str], measures: Iterable[Measure], path: Path
) -> None:
    """Draw all panels of cells below each other."""
    panels = list(panels_of(rows, names, measures))
    if not panels:
        raise ValueError("cells must have a number to draw, got none")
    height = max(3.2, 1.4 + 0.35 * max(panel.names for panel in panels))
    columns = 2 if len(panels) > _MOST_BELOW else 1
    with axes_in(path, -(-len(panels) // columns), height=height, columns=columns) as axes:
        every = np.ravel(axes)
        for each, panel in zip(every, panels, strict=False):
            panel.draw(each)
        for spare in every[len(panels) :]:
            spare.set_axis_off()


def panels_of(
    rows: Sequence[Row], names: Sequence[str], measures: Iterable[Measure]
) -> Iterator[Panel]:
    """Yield the figures of cells: each number over what was varied, then its differences.

    Two parameters of numbers give maps, one gives curves, none gives points. What is the same in
    all cells has no figure beside one that is not.
    """
    varied = [name for name in names if len({_key(row.get(name)) for row in rows}) > 1]
    over = [name for name in varied if all(_is_number(row.get(name)) for row in rows)]
    over.sort(key=lambda name: -len({row[name] for row in rows}))
    apart = [row for row in rows if row.get("differences") and row.get("difference_to")]
    every = list(measures)
    for each in [each for each in every if _differs(rows, each)] or every:
        words = each.heading.replace("\n", " ")
        if any(np.isfinite(column_of(rows, "metrics", each)[1])):
            shown = varied or list(names)[:1]
            yield from _panels(rows, each, field="metrics", over=over, varied=shown, words=words)
        if apart:
            beside = f"{words}, difference to {baseline_of(apart)}"
            yield from _panels(
                apart, each, field="differences", over=over, varied=varied, words=beside
            )


def _differs(rows: Sequence[Row], measure: Measure) -> bool:
    """Return whether a number has an interval in some cell, or several values."""
    _, means, reaches = column_of(rows, "metrics", measure)
    known = {mean for mean in means if np.isfinite(mean)}
    return len(known) > 1 or bool((np.nan_to_num(reaches, posinf=1.0) > 0.0).any())


def baseline_of(rows: Sequence[Row]) -> str:
    """Return in words what the cells are compared with that have differences."""
    return compared_with(
        [
            {
                name: factor_words(name, value)
                for name, value in (row["difference_to"] or {}).items()
            }
            for row in rows
        ]
    )


def _panels(
    rows: Sequence[Row],
    measure: Measure,
    *,
    field: str,
    over: Sequence[str],
    varied: Sequence[str],
    words: str,
) -> Iterator[Panel]:
    unit, means, reaches = column_of(rows, field, measure)
    numbers = np.array(means), np.array(reaches)
    said = f"{words} [{unit}]" if unit else words
    against = field == "differences"
    below = f"{words[0].upper()}{words[1:]}"
    sure = ", with 95 % intervals" if np.isfinite(numbers[1]).any() else ""
    axes = [_Axis.of(rows, name) for name in over]
    beside = [name for name in varied if name not in over[:2]]
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(_named(row, beside), []).append(place)
    if len(over) >= 2 and all(_sampled(axes[:2], own) for own in groups.values()):
        for axis in axes:
            yield Panel(f"{below}, by {axis.name}{sure}.", 0, _scattered(axis, *numbers, said))
    elif len(over) >= 2:
        for name, own in list(groups.items())[:_MOST_MAPS]:
            more = f", {name}" if name else ""
            drawn = _mapped(axes[0], axes[1], numbers[0], own, said + more)
            yield Panel(
                f"{below}{more}, by {axes[0].name} and {axes[1].name}.", len(axes[1].texts), drawn
            )
    elif over:
        listed = list(groups.items())
        for first in range(0, len(listed), _MOST_CURVES):
            chosen = dict(listed[first : first + _MOST_CURVES])
            curves = _curves(axes[0], *numbers, chosen, first + against)
            yield Panel(
                f"{below}, by {axes[0].name}{sure}.", 0, _lined(axes[0], curves, said, against)
            )
    else:
        for first in range(0, len(rows), _MOST_POINTS):
            some = slice(first, first + _MOST_POINTS)
            labels = [", ".join(_word(name, row) for name in varied) for row in rows[some]]
            drawn = _pointed(labels, numbers[0][some], numbers[1][some], said, against)
            yield Panel(f"{below}{sure}.", len(labels), drawn)


@dataclass(frozen=True, slots=True)
class _Axis:
    """A parameter of numbers: its name with a unit, the value of each cell in that, all of them."""

    name: str
    label: str
    values: FloatArray
    texts: Mapping[float, str]

    @classmethod
    def of(cls, rows: Sequence[Row], name: str) -> _Axis:
        values, unit, size = np.array([float(row[name]) for row in rows]), "", 1.0
        if name.endswith("_s") and (known := values[values > 0.0]).size:
            unit, size = natural_unit(float(known.min()))
        words = named_factor(name)
        texts = {value / size: factor_words(name, value) for value in np.unique(values)}
        return cls(words, f"{words} [{unit}]" if unit else words, values / size, texts)

    @property
    def wide(self) -> bool:
        """Whether the values are so far apart that they need a logarithmic axis."""
        low, high = self.values.min(), self.values.max()
        return bool(low > 0.0 and high >= _DECADES * low)


def _curves(
    axis: _Axis,
    means: FloatArray,
    reaches: FloatArray,
    groups: Mapping[str, Sequence[int]],
    first: int,
) -> list[Curve]:
    found = []
    for place, (name, own) in enumerate(groups.items(), first):
        order = np.array(own)[np.argsort(axis.values[own], kind="stable")]
        found.append(
            Curve(
                name or "mean",
                axis.values[order],
                means[order],
                dots=True,
                reach=reaches[order],
                colour=place,
            )
        )
    return found


def _lined(axis: _Axis, curves: Sequence[Curve], up: str, against: bool) -> Callable[[Any], Any]:
    def draw(ax: Any) -> None:
        draw_curves(curves, across=axis.label, up=up, logarithmic=axis.wide, ax=ax)
        if against:
            ax.axhline(0.0, color="#D55E00", linestyle=":")

    return draw


def _scattered(
    axis: _Axis, means: FloatArray, reaches: FloatArray, up: str
) -> Callable[[Any], Any]:
    def draw(ax: Any) -> None:
        far = np.nan_to_num(reaches, posinf=0.0)
        ax.errorbar(axis.values, means, far, fmt="o", color="#0072B2", ms=4, capsize=2)
        ax.set(xlabel=axis.label, ylabel=up)
        ax.grid(alpha=0.25)

    return draw


def _mapped(
    across: _Axis, up: _Axis, means: FloatArray, own: Sequence[int], words: str
) -> Callable[[Any], Any]:
    columns, rows = list(across.texts), list(up.texts)
    values = np.full((len(rows), len(columns)), np.nan)
    for place in own:
        at = rows.index(up.values[place]), columns.index(across.values[place])
        values[at] = means[place]

    def draw(ax: Any) -> None:
        draw_map(
            list(across.texts.values()),
            list(up.texts.values()),
            values,
            across=across.name,
            up=up.name,
            words=words,
            ax=ax,
        )

    return draw


def _pointed(
    labels: Sequence[str], means: FloatArray, reaches: FloatArray, across: str, against: bool
) -> Callable[[Any], Any]:
    def draw(ax: Any) -> None:
        draw_points(labels, means.tolist(), reaches.tolist(), across=across, against=against, ax=ax)

    return draw


def _sampled(axes: Sequence[_Axis], own: Sequence[int]) -> bool:
    """Whether cells are so few of all that two parameters allow that they are a sample."""
    return len(own) < _FULL * len(axes[0].texts) * len(axes[1].texts)


def _word(name: str, row: Row) -> str:
    return factor_words(name, row.get(name))


def _named(row: Row, names: Iterable[str]) -> str:
    """Return what a cell is; of a number alone nobody would know what it is."""
    return ", ".join(
        f"{named_factor(name)} {_word(name, row)}"
        if _is_number(row.get(name))
        else _word(name, row)
        for name in names
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int | float | None) else str(value)
