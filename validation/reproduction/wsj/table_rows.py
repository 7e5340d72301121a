"""Rows of Table 1 of `wsj`, values and order apart, with even and equal-time shares of rivals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..rows import Estimate, Row, Word, estimate, ordered, worst
from .table import BY_MTBF, COLUMNS, PRINTED, SHARES, FloatArray, Table

__all__ = ["by_column", "close", "ratio_to_random", "rows", "setup"]

_HEADS = "100 machines 10, 20, 40; 1000 machines 100, 200, 400"
_BAND = 0.15
_LATE = (4, 5)  # columns in which the paper has reliability before speed


def setup(shares: str) -> str:
    """Return the name of the set-up with these shares of the rivals."""
    return f"Table 1, rivals' shares {shares}"


def rows(table: Table) -> dict[str, list[Row]]:
    """Return the rows by set-up."""
    return {
        setup(shares): [
            *_orders(table.times[shares]),
            _ratio(table.times[shares]),
            *_values(table.times[shares]),
            *([_most_lost(table)] if shares == SHARES[-1] else []),
        ]
        for shares in SHARES
    }


def by_column(times: dict[str, FloatArray], *, first: str = "", last: str = "") -> list[Word]:
    """Judge for each column that a rule is before all others of the paper, or after them."""
    return [
        worst(
            _before(times, first or other, last or other, column)
            for other in PRINTED
            if other not in (first, last)
        )
        for column in range(len(COLUMNS))
    ]


def ratio_to_random(times: dict[str, FloatArray]) -> list[Estimate]:
    """Return fault-aware over random for each column, with 95 % intervals over systems."""
    found = []
    for aware, random in zip(times["fault-aware"], times["random"], strict=True):
        ratio = float(aware.mean() / random.mean())
        spread = estimate((aware - ratio * random) / random.mean())
        found.append(Estimate(ratio, spread.half))
    return found


def close(printed: float, ours: Estimate, band: float) -> Word:
    """Judge a relative distance from the printed value by the interval of ours."""
    away = abs(ours.mean / printed - 1.0)
    half = 0.0 if np.isnan(ours.half) else ours.half / printed
    if away + half <= band:
        return "holds"
    return "fails" if away - half > band else "unresolved"


def _orders(times: dict[str, FloatArray]) -> Iterator[Row]:
    for what, words in (
        ("fault-aware first", by_column(times, first="fault-aware")),
        ("random last", by_column(times, last="random")),
        (
            "speed-only before reliability-only, but for 1000 machines with 200 and 400",
            _changing(times, "speed-only", "reliability-only"),
        ),
        (
            "speed-only before speed-reliability, but for 1000 machines with 200 and 400",
            _changing(times, "speed-only", "speed-reliability"),
        ),
    ):
        yield Row(f"Table 1, order: {what}", "so", ", ".join(words), "", "O", worst(words))


def _changing(times: dict[str, FloatArray], early: str, late: str) -> list[Word]:
    return [
        _before(times, late, early, column)
        if column in _LATE
        else _before(times, early, late, column)
        for column in range(len(COLUMNS))
    ]


def _before(times: dict[str, FloatArray], low: str, high: str, column: int) -> Word:
    return ordered(times[low][column], times[high][column], by_interval=True)


def _ratio(times: dict[str, FloatArray]) -> Row:
    ours = ratio_to_random(times)
    wanted = [a / r for a, r in zip(PRINTED["fault-aware"], PRINTED["random"], strict=True)]
    away = ", ".join(f"{100 * (o.mean / w - 1):+.0f}" for o, w in zip(ours, wanted, strict=True))
    return Row(
        f"Table 1, values: fault-aware / random, {_HEADS}",
        " ".join(f"{value:.3f}" for value in wanted),
        ", ".join(f"{each.mean:.3f} ± {each.half:.3f}" for each in ours),
        "",
        f"B {100 * _BAND:.0f} %",
        worst(close(w, o, _BAND) for w, o in zip(wanted, ours, strict=True)),
        f"{away} %",
    )


def _values(times: dict[str, FloatArray]) -> Iterator[Row]:
    for rule in (*PRINTED, BY_MTBF):
        ours = [estimate(each) for each in times[rule]]
        printed = PRINTED.get(rule, ())
        pairs = zip(ours, printed, strict=False)
        away = ", ".join(f"{100 * (each.mean / value - 1):+.0f}" for each, value in pairs)
        yield Row(
            f"Table 1, values: {rule}, {_HEADS} [h]",
            " ".join(f"{value:g}" for value in printed),
            _list(ours),
            "",
            "R",
            "reported",
            f"{away} %" if away else "another reading of reliability",
        )


def _most_lost(table: Table) -> Row:
    gaps = [s - a for a, s in zip(PRINTED["fault-aware"], PRINTED["speed-only"], strict=True)]
    return Row(
        "Table 1, values: speed-only - fault-aware; ours: the most that failures can cost "
        "speed-only [h]",
        " ".join(f"{gap:.1f}" for gap in gaps),
        _list([estimate(values) for values in table.lost]),
        "",
        "R",
        "reported",
        "with equal-time shares a larger gap is out of reach of any choice of machines",
    )


def _list(values: Sequence[Estimate]) -> str:
    return ", ".join(str(value) for value in values)
