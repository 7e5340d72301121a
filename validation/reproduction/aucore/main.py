"""The experiments of `aucore`: the effect of each recovery option on failed and on other jobs.

The paper's job log and failures are unpublished. Ours: six weeks drawn once per seed with the
printed counts, gaps and lengths, sizes set by the printed response without failures, Weibull
failures of shape 1 on each midplane. Every case of a seed has the same jobs and failures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..rows import Estimate, Row, Word, estimate, ordered, worst
from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .results import CASES, GAPS, MIXED, MTBFS, REPAIRS, SINGLE, Results
from .runs import Run, play

__all__ = ["cells", "main", "rows"]

_SETUP = "log and failures drawn as the page of this paper states them"
_BACKFILLED = ("all-b", "normal", "all-e")


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write table, cells and figures to `out`."""
    chosen = tuple(range(1, seeds + 1))
    path = None if out is None else out / "aucore.jsonl"
    results = Results(sweep(cells(chosen), play, path=path, workers=workers), chosen)
    found = rows(results)
    text = f"{_table(found)}\n\n{_cases(results)}"

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder)

    return shown.end("aucore", {_SETUP: found}, text, drawn, out=out)


def cells(seeds: Sequence[int]) -> Iterator[Run]:
    """Return every run, the baseline of each seed first."""
    for seed in seeds:
        for repair in sorted(REPAIRS, key=lambda value: value != Run("mr", seed).repair):
            for case in CASES:
                yield Run(case, seed, repair=repair).played
        for case in ("mr", *MIXED):
            for mtbf in MTBFS:
                yield Run(case, seed, mtbf=mtbf)
            for gap in GAPS:
                yield Run(case, seed, gap=gap)
        for case in _BACKFILLED:
            yield Run(case, seed, backfill=True)


def rows(results: Results) -> list[Row]:
    """Return every row: the paper's result beside ours."""
    return [
        _slowdowns(results),
        _responses(results),
        *_options(results),
        *_repairs(results),
        *_mtbfs(results),
        *_arrivals(results),
    ]


def _slowdowns(results: Results) -> Row:
    each = {case: results.each("slowdown", case) for case in ("mr", *MIXED, *SINGLE)}
    steps = ordered(*(each[case] for case in SINGLE[::-1]))
    below = worst(ordered(each[case], each["mr"]) for case in (*MIXED, *SINGLE))
    return Row(
        "failure slowdown: MR / B, C, D, E",
        "1.71 / 1.06 .. 0.47",
        f"{estimate(each['mr'])} / " + ", ".join(str(estimate(each[case])) for case in SINGLE),
        "",
        "O",
        worst((steps, below)),
        f"B > C > D > E {steps}, all below MR {below}",
        "Fig. 4",
    )


def _responses(results: Results) -> Row:
    each = {case: results.each("response", case) for case in CASES}
    automatic = (*MIXED, *SINGLE)
    above = worst(ordered(each["ff"], each[case]) for case in automatic)
    below = worst(ordered(each[case], each["mr"]) for case in automatic)
    return Row(
        "response [min]: FF / MR / even, normal, B, C, D, E",
        "169 / 235 / 185 .. 216",
        f"{estimate(each['ff'])} / {estimate(each['mr'])} / "
        + ", ".join(str(estimate(each[case])) for case in automatic),
        "",
        "O",
        worst((above, below)),
        f"above FF {above}, below MR {below}",
        "Fig. 4",
    )


def _options(results: Results) -> Iterator[Row]:
    for case, printed in (("even", "A 1.98, E 0.36"), ("normal", "A 2.19, E 0.30")):
        found = {option: results.by_option("slowdown", case, option) for option in "ABCDE"}
        yield Row(
            f"failure slowdown by option inside {case}",
            printed,
            ", ".join(f"{option} {estimate(values)}" for option, values in found.items()),
            "",
            "O",
            ordered(*(found[option] for option in "EDCBA")),
            "A > B > C > D > E",
            "Fig. 5",
        )


def _repairs(results: Results) -> Iterator[Row]:
    def at(repair: float) -> dict[str, Any]:
        return {case: results.each("slowdown", case, repair=repair) for case in SINGLE}

    means = {repair: at(repair) for repair in REPAIRS}
    yield Row(
        "All-C against repair time 240 / 120 / 60 / 30 / 15 min",
        "2.76 / 1.21 / - / - / 0.12",
        " / ".join(str(estimate(means[repair]["all-c"])) for repair in REPAIRS),
        "",
        "O",
        ordered(*(means[repair]["all-c"] for repair in REPAIRS[::-1])),
        "falls with the repair time",
        "Fig. 6",
    )
    places: tuple[tuple[float, str, tuple[tuple[str, str], ...]], ...] = (
        (60.0, "between All-B and All-D", (("all-d", "all-c"), ("all-c", "all-b"))),
        (30.0, "second best", (("all-e", "all-c"), ("all-c", "all-d"), ("all-c", "all-b"))),
        (15.0, "best", tuple(("all-c", case) for case in ("all-b", "all-d", "all-e"))),
    )
    for repair, place, pairs in places:
        found = means[repair]
        yield Row(
            f"All-C at {repair:g} min beside B, D, E",
            place,
            ", ".join(f"{case[-1].upper()} {estimate(found[case])}" for case in SINGLE),
            "",
            "O",
            worst(ordered(found[low], found[high]) for low, high in pairs),
            figure="Fig. 6",
        )


def _mtbfs(results: Results) -> Iterator[Row]:
    for metric, unit in (("slowdown", ""), ("response", " [min]")):
        words: list[Word] = []
        texts = []
        for case in ("mr", *MIXED):
            found = [results.each(metric, case, mtbf=mtbf) for mtbf in MTBFS]
            words.append(ordered(*found[::-1]))
            texts.append(f"{case} {' / '.join(str(estimate(values)) for values in found)}")
        yield Row(
            f"{'failure ' if not unit else ''}{metric}{unit} at MTBF 4 / 10 / 24 h",
            "rises as MTBF falls",
            ", ".join(texts),
            "",
            "O",
            worst(words),
            figure="Fig. 7",
        )


def _arrivals(results: Results) -> Iterator[Row]:
    for metric, unit in (("slowdown", ""), ("response", " [min]")):
        words: list[Word] = []
        texts = []
        manual = [results.each(metric, "mr", gap=gap) for gap in GAPS]
        for case in MIXED:
            found = [results.each(metric, case, gap=gap) for gap in GAPS]
            words += [ordered(a, m) for a, m in zip(found, manual, strict=True)]
            texts.append(f"{case} {' / '.join(str(estimate(values)) for values in found)}")
        yield Row(
            f"{'failure ' if not unit else ''}{metric}{unit} at mean gap 5 / 6 / 8 min",
            "automatic recovery beats MR",
            f"mr {' / '.join(str(estimate(values)) for values in manual)}, " + ", ".join(texts),
            "",
            "O",
            worst(words),
            figure="Fig. 8",
        )


def _table(found: Sequence[Row]) -> str:
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in found:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        verdict = f"{verdict}: {row.note}" if row.note else verdict
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict} |")
    return "\n".join(lines)


def _cases(results: Results) -> str:
    """Return the baseline in measures that do not depend on single short jobs."""
    lines = [
        "| case | failure slowdown | its median | delay [h] | response [min] | failed jobs |",
        "|---|---|---|---|---|---|",
    ]
    named: list[tuple[str, str, dict[str, Any]]] = [(case, case, {}) for case in CASES[1:]]
    named += [(f"{case}, lower bands backfill", case, {"backfill": True}) for case in _BACKFILLED]
    for title, case, more in named:
        metrics = ("slowdown", "median_slowdown", "delay", "response", "failed")
        found: list[Estimate] = [estimate(results.each(name, case, **more)) for name in metrics]
        lines.append(f"| {title} | " + " | ".join(map(str, found)) + " |")
    return "\n".join(lines)
