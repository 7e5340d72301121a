"""Every result of `aucore` that can be compared, beside ours under one set-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from .. import rows as judged
from ..rows import Estimate, Row, Word, estimate, within_factor, worst
from ..shown import AS_TABLES, Shown
from .results import ALONE, CASES, GAPS, MIXED, MTBFS, REPAIRS, SINGLE, Results

__all__ = ["main_rows", "rows"]

# A row fails only where all of an interval contradicts it.
ordered = partial(judged.ordered, by_interval=True)
_AUTOMATIC = (*MIXED, *SINGLE)
_MORE = 235.0 - 169.0  # response of MR above FF, [min]
_SHORT = {case: option for option, case in ALONE.items()} | {"mr": "MR", "ff": "FF"}
_METRICS = (("slowdown", "failure slowdown"), ("response", "response [min]"))


def rows(results: Results, shown: Shown = AS_TABLES) -> list[Row]:
    """Return every row that is shown: the paper's result beside ours."""
    return [
        *main_rows(results, shown),
        *(_mtbfs(results) if shown.wants("fig7") else ()),
        *(_arrivals(results) if shown.wants("fig8") else ()),
    ]


def main_rows(results: Results, shown: Shown = AS_TABLES) -> list[Row]:
    """Return the rows of Figures 4 to 6, at one MTBF and one rate of arrivals."""
    parts = (
        ("fig4", _slowdowns),
        ("fig4", _responses),
        ("fig5", _options),
        ("fig5", _gains),
        ("fig6", _repairs),
    )
    return [row for place, part in parts if shown.wants(place) for row in part(results)]


def _slowdowns(results: Results) -> Iterator[Row]:
    each = {case: results.each("slowdown", case) for case in ("mr", *_AUTOMATIC)}
    steps = [("all-c", "all-b"), ("all-d", "all-c"), ("all-e", "all-d")]
    below = [(case, "mr") for case in _AUTOMATIC]
    yield _row(
        "failure slowdown: MR / B, C, D, E",
        "1.71 / 1.06 .. 0.47",
        f"{estimate(each['mr'])} / " + _means(each, SINGLE),
        *_orders(each, [*steps, *below]),
        "Fig. 4",
    )
    yield _row(
        "failure slowdown: even and normal between E and B",
        "so in Fig. 4",
        f"E {estimate(each['all-e'])}; even, normal {_means(each, MIXED)}; "
        f"B {estimate(each['all-b'])}",
        *_orders(each, [pair for c in MIXED for pair in (("all-e", c), (c, "all-b"))]),
        "Fig. 4",
    )


def _responses(results: Results) -> Iterator[Row]:
    each = {case: results.each("response", case) for case in CASES}
    above = [("ff", case) for case in _AUTOMATIC]
    below = [(case, "mr") for case in _AUTOMATIC]
    yield _row(
        "response [min]: FF / MR / even, normal, B, C, D, E",
        "169 / 235 / 185 .. 216",
        f"{estimate(each['ff'])} / {estimate(each['mr'])} / {_means(each, _AUTOMATIC)}",
        *_orders(each, [*above, *below]),
        "Fig. 4",
    )
    more, own = estimate(each["mr"] - each["ff"]), estimate(results.each("own", "mr"))
    yield _row(
        "response of MR above FF [min]",
        f"{_MORE:g}",
        str(more),
        within_factor(_MORE, more, 2.0, by_interval=True),
        f"failed jobs' own delays are {own}",
        "Fig. 4",
        kind="B 2",
    )
    others = ("even", "normal", "all-b", "all-c")
    yield _row(
        "response [min]: D and E worst of the automatic cases",
        "slightly worse; D 216",
        f"even, normal, B, C {_means(each, others)}; D, E {_means(each, SINGLE[2:])}",
        *_orders(each, [(case, last) for last in ("all-d", "all-e") for case in others]),
        "Fig. 4",
    )


def _options(results: Results) -> Iterator[Row]:
    for case, printed in (("even", "A 1.98, E 0.36"), ("normal", "A 2.19, E 0.30")):
        found = {option: results.by_option("slowdown", case, option) for option in ALONE}
        yield _row(
            f"failure slowdown by option inside {case}",
            printed,
            ", ".join(f"{option} {estimate(values)}" for option, values in found.items()),
            *_orders(found, [("B", "A"), ("C", "B"), ("D", "C"), ("E", "D")]),
            "Fig. 5",
        )


def _gains(results: Results) -> Iterator[Row]:
    for case in MIXED:
        gains = {option: estimate(results.gain(case, option)) for option in ALONE}
        words = {
            f"{option} {'<' if option in 'AB' else '>'} 0": judged.above(
                0.0, _negative(gain) if option in "AB" else gain, by_interval=True
            )
            for option, gain in gains.items()
        }
        yield _row(
            f"gain by option inside {case} over one option for all [%]",
            "A, B < 0; C, D, E > 0, E up to 36",
            ", ".join(f"{option} {gain}" for option, gain in gains.items()),
            worst(words.values()),
            _note(words),
            "Fig. 5",
        )


def _repairs(results: Results) -> Iterator[Row]:
    each = {
        repair: {c: results.each("slowdown", c, repair=repair) for c in ("mr", *SINGLE)}
        for repair in REPAIRS
    }
    of_c = {f"{repair:g} min": each[repair]["all-c"] for repair in REPAIRS}
    names = list(of_c)
    yield _row(
        "All-C against repair time 240 / 120 / 60 / 30 / 15 min",
        "2.76 / 1.21 / - / - / 0.12",
        " / ".join(str(estimate(values)) for values in of_c.values()),
        *_orders(of_c, list(zip(names[1:], names[:-1], strict=True))),
        "Fig. 6",
    )
    others = [case for case in SINGLE if case != "all-c"]
    above = [(case, "all-c") for case in others]
    places: tuple[tuple[float, str, list[tuple[str, str]]], ...] = (
        (120.0, "second worst, after MR", [*above, ("all-c", "mr")]),
        (60.0, "between All-B and All-D", [("all-d", "all-c"), ("all-c", "all-b")]),
        (30.0, "second best", [("all-e", "all-c"), ("all-c", "all-d"), ("all-c", "all-b")]),
        (15.0, "best", [("all-c", case) for case in others]),
    )
    for repair, place, pairs in places:
        found = each[repair]
        yield _row(
            f"All-C at {repair:g} min beside MR, B, D, E",
            place,
            ", ".join(f"{_short(case)} {estimate(values)}" for case, values in found.items()),
            *_orders(found, pairs),
            "Fig. 6",
        )


def _mtbfs(results: Results) -> Iterator[Row]:
    cases = ("mr", *MIXED)
    for metric, heading in _METRICS:
        found = {
            case: {f"{mtbf:g} h": results.each(metric, case, mtbf=mtbf) for mtbf in MTBFS}
            for case in cases
        }
        words = {
            f"{_short(case)} at {high} < at {low}": ordered(values[high], values[low])
            for case, values in found.items()
            for low, high in (("4 h", "10 h"), ("10 h", "24 h"))
        }
        yield _row(
            f"{heading} at MTBF 4 / 10 / 24 h",
            "rises as MTBF falls",
            _series(found),
            worst(words.values()),
            _note(words),
            "Fig. 7",
        )


def _arrivals(results: Results) -> Iterator[Row]:
    for metric, heading in _METRICS:
        found = {
            case: {f"{gap:g} min": results.each(metric, case, gap=gap) for gap in GAPS}
            for case in ("mr", *MIXED)
        }
        words = {
            f"{_short(case)} < MR at {gap}": ordered(found[case][gap], found["mr"][gap])
            for case in MIXED
            for gap in found[case]
        }
        yield _row(
            f"{heading} at mean gap 5 / 6 / 8 min",
            "automatic recovery beats MR",
            _series(found),
            worst(words.values()),
            _note(words),
            "Fig. 8",
        )


def _row(  # noqa: PLR0917  (as the columns of the table)
    what: str, printed: str, ours: str, verdict: Word, note: str, figure: str, *, kind: str = "O"
) -> Row:
    return Row(what, printed, ours, "", kind, verdict, note, figure)


def _orders(each: Mapping[str, Any], pairs: Sequence[tuple[str, str]]) -> tuple[Word, str]:
    """Judge that the first of each pair is below the second; return the verdict and why."""
    words = {
        f"{_short(low)} < {_short(high)}": ordered(each[low], each[high]) for low, high in pairs
    }
    return worst(words.values()), _note(words)


def _note(words: Mapping[str, Word]) -> str:
    """Return what the runs contradict, and of how much they say too little."""
    wrong = [what for what, word in words.items() if word == "fails"]
    open_ = sum(word == "unresolved" for word in words.values())
    parts = (f"not so: {', '.join(wrong)}", f"open: {open_} of {len(words)} steps")
    return "; ".join(part for part, any_ in zip(parts, (wrong, open_), strict=True) if any_)


def _short(case: str) -> str:
    return _SHORT.get(case, case)


def _means(each: Mapping[str, Any], cases: Sequence[str]) -> str:
    return ", ".join(str(estimate(each[case])) for case in cases)


def _series(found: Mapping[str, Mapping[str, Any]]) -> str:
    return ", ".join(
        f"{_short(case)} {' / '.join(str(estimate(each)) for each in values.values())}"
        for case, values in found.items()
    )


def _negative(gain: Estimate) -> Estimate:
    return Estimate(-gain.mean, gain.half)
