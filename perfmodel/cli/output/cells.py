"""Cells with a mean and half of an interval for each number: of a study, or of a sweep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from asking.units import shown_duration

from ...answers.shown import Table, plain, shared_unit

if TYPE_CHECKING:
    from sim.answers import Measure

# What a cell is by name, and below "metrics", or "differences", the numbers of JSON.
Row: TypeAlias = Mapping[str, Any]

_MOST_DECIMALS = 4
_LEAST, _MOST = 3, 5  # digits of the smallest mean of a column, and of the largest
_ROUNDING = 1e-9  # of a mean: what an interval of equal numbers may have
_WRITTEN = {"mtbf": "MTBF", "mttr": "MTTR", "aic": "AIC", "aicc": "AICc", "ks": "KS"}


def unit_of(measure: Measure, means: Iterable[float]) -> tuple[str, float]:
    """Return the unit of a column, name and size."""
    if measure.kind == "time":
        return shared_unit(means)
    return {"number": ("", 1.0), "share": ("%", 0.01), "node_h": ("node h", 3600.0)}[measure.kind]


def named_factor(name: str) -> str:
    """Return what a key of JSON is called in a table."""
    words = name.removesuffix("_s").split("_")
    return " ".join(_WRITTEN.get(word, word) for word in words)


def factor_words(name: str, value: Any) -> str:
    """Return what a cell is in one respect: durations with a unit, the fewest digits."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if not name.endswith("_s"):
            return f"{value:.6g}"
        short = shown_duration(value)
        unit, size = shared_unit([value])
        return short if len(short) <= 8 else f"{value / size:.4g}{unit}"
    return plain(str(value))


def compared_with(cells: Sequence[Mapping[str, str]]) -> str:
    """Return in words what the cells have in common that others are compared with."""
    first = cells[0]
    same = [word for name, word in first.items() if all(each.get(name) == word for each in cells)]
    return ", ".join(same) or "the first of each"


def column_of(
    rows: Sequence[Row], field: str, measure: Measure
) -> tuple[str, list[float], list[float]]:
    """Return a number of all cells: its unit, means and half-widths in it, nan for none."""
    unit, size = unit_of(measure, [_number(row["metrics"], measure, "mean") for row in rows])
    means, reaches = (
        [_number(row.get(field, {}), measure, name) / size for row in rows]
        for name in ("mean", "half_width")
    )
    return unit, means, reaches


def _number(numbers: Mapping[str, Any], measure: Measure, name: str) -> float:
    value = numbers.get(measure.metric, {}).get(name)
    return math.nan if value is None else float(value)


def _is_whole(mean: float) -> bool:
    """Return whether a mean counts, or is none."""
    return math.isnan(mean) or mean.is_integer()


def means_table(
    rows: Sequence[Row],
    field: str,
    names: Sequence[str],
    measures: Iterable[Measure],
    *,
    signed: bool = False,
) -> Table:
    """Return what each cell is, and its numbers with half of their intervals."""
    headings = [named_factor(name) for name in names]
    columns = [[factor_words(name, row.get(name)) for row in rows] for name in names]
    for each in measures:
        unit, means, reaches = column_of(rows, field, each)
        headings.append(f"{each.heading}\n[{unit}]" if unit else each.heading)
        columns.append(cells_of(means, reaches, signed=signed))
    return Table.of(headings, list(zip(*columns, strict=True)), words=len(names))


def cells_of(
    means: Sequence[float], reaches: Sequence[float], *, signed: bool = False
) -> list[str]:
    """Return numbers of one column with as many decimals, by which all have three digits or more.

    More where the widest interval has fewer than two, or the narrowest fewer than one; these alone
    decide of differences. Fewer where the largest mean would have six digits, none where all are
    whole, without intervals.
    """
    known = [
        reach
        for mean, reach in zip(means, reaches, strict=True)
        if _ROUNDING * abs(mean) < reach < math.inf
    ]
    sizes = [abs(mean) for mean in means if 0.0 < abs(mean) < math.inf]
    decimals = [1 - _power(max(known)), -_power(min(known))] if known else []
    if not decimals or not signed:  # differences are known no better than their intervals say
        ends = (
            _LEAST - 1 - _power(min(sizes, default=1.0)),
            _MOST - 1 - _power(max(sizes, default=1.0)),
        )
        decimals.append(min(ends))
    places = min(max(0, *decimals), _MOST_DECIMALS)
    if all(map(math.isnan, reaches)) and all(map(_is_whole, means)):
        places = 0
    sign = "+" if signed else ""
    return [
        _shown(mean, f"{sign},.{places}f")
        + ("" if math.isnan(reach) else f" ± {_shown(reach, f',.{places}f')}")
        for mean, reach in zip(means, reaches, strict=True)
    ]


def _power(value: float) -> int:
    return math.floor(math.log10(value))


def _shown(value: float, style: str) -> str:
    return "-" if math.isnan(value) else format(value, style)
