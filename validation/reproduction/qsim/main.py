"""The experiments of `qsim`: utility functions, then fault-aware allocation.

The paper's window of the log, its failures, its fall-back threshold, its walltimes and the version
of its scheduler are unpublished. Ours: the month drawn once per seed, MTBF as printed,
threshold 0, and every scheduler beside every other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from .. import rows as judged
from ..rows import Row, Word, estimate, table, worst
from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .results import Results
from .runs import MTBFS, SCHEDULERS, Run, has_first_jobs, play

__all__ = ["UTILITIES", "main", "rows", "why"]

UTILITIES = ("fcfs", "fat", "wfp1", "wfp3", "fcsj", "unicef")
_SMART = ("wfp1", "wfp3", "fcsj")
# Relative gain over FCFS as printed, [%].
_WAIT_GAIN = {"wfp1": 13.4, "wfp3": 25.7, "fcsj": 54.8}
_SLOWDOWN_GAIN = {"wfp1": 11.4, "wfp3": 36.1, "fcsj": 54.8}
_WEIGHTS = ("printed", "released")
_SENSITIVITY_SEEDS = 3
_VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("the month, as in the rows", {}),
    ("arrivals 1 / 0.8 as fast", {"gaps": 0.8}),
    ("arrivals 1 / 0.65 as fast", {"gaps": 0.65}),
    ("arrivals twice as fast", {"gaps": 0.5}),
    ("exact walltimes", {"exact": True}),
    ("jobs end at their walltime", {"kill": True}),
    ("first 1,200 real jobs", {"jobs": "first"}),
    ("the same, sizes and lengths shuffled", {"jobs": "shuffled"}),
)
# A row fails only where all of an interval contradicts it.
ordered = partial(judged.ordered, by_interval=True)
within_factor = partial(judged.within_factor, by_interval=True)
_USUAL = "separate-drains"
_AS_USUAL: dict[str, Any] = {"jobs": "month", "scheduler": _USUAL}
_THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)
_SWEPT = tuple(name for name in SCHEDULERS if name != "head")  # which has no threshold


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write table, cells and figures to `out`."""
    chosen = tuple(range(1, seeds + 1))
    path = None if out is None else out / "qsim-cells.jsonl"
    runs = sweep(_runs(chosen), play, path=path, workers=workers)
    each = {name: Results(runs, chosen, name) for name in SCHEDULERS}
    found = {name: rows(results) for name, results in each.items()}
    tables = [f"Under `{name}`:\n\n{table(lines)}" for name, lines in found.items()]
    results = each[_USUAL]
    parts = [verdicts(found), *tables, swept(results), why(results), weighed(each), returned(each)]
    text = "\n\n".join(parts)

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder)

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        records = [{**asdict(run), **numbers} for run, numbers in results.runs.items()]
        (out / "qsim.json").write_text(json.dumps(records, indent=1).replace("Infinity", "null"))
    return shown.end("qsim", found, text, drawn, out=out)


def _runs(seeds: Sequence[int]) -> Iterator[Run]:
    sources = ("month", "first") if has_first_jobs() else ("month",)
    for scheduler in SCHEDULERS:
        for seed in seeds:
            with_first = sources if seed == seeds[0] else ("month",)
            yield from _in_peace(scheduler, seed, with_first, (0.0,))
            yield from _struck(scheduler, seed, sources)
            if scheduler in _SWEPT and seed in seeds[:_SENSITIVITY_SEEDS]:
                yield from _in_peace(scheduler, seed, with_first, _THRESHOLDS)
    for _, change in _VARIANTS:
        for seed, utility in product(seeds[:_SENSITIVITY_SEEDS], UTILITIES):
            run = Run(**{**_AS_USUAL, "seed": seed, "utility": utility, **change})
            if run.jobs == "month" or has_first_jobs():
                yield run


def _in_peace(
    scheduler: str, seed: int, sources: Sequence[str], thresholds: Sequence[float]
) -> Iterator[Run]:
    for threshold, jobs, utility in product(thresholds, sources, UTILITIES):
        yield Run(jobs, seed, utility, threshold=threshold, scheduler=scheduler)


def _struck(scheduler: str, seed: int, sources: Sequence[str]) -> Iterator[Run]:
    for utility, jobs in product(("wfp3", "fcfs"), sources):
        played = partial(Run, jobs, seed, utility, scheduler=scheduler)
        for mtbf in MTBFS:
            yield played(mtbf=mtbf)
            for weights in _WEIGHTS:
                yield played(mtbf=mtbf, fault_aware=True, weights=weights)
        yield played(mtbf=MTBFS[0], recovery="original")


def verdicts(found: dict[str, list[Row]]) -> str:
    """Return how many rows hold under each scheduler, and the verdict of each row."""
    lines = [
        "| row | " + " | ".join(f"`{name}`" for name in found) + " |",
        "|---|" + "---|" * len(found),
    ]
    for word in ("holds", "unresolved", "fails"):
        counts = [Counter(row.verdict for row in lines_)[word] for lines_ in found.values()]
        lines.append(f"| rows: {word} | " + " | ".join(map(str, counts)) + " |")
    for same in zip(*found.values(), strict=True):
        words = [f"**{row.verdict}**" if row.verdict == "fails" else row.verdict for row in same]
        lines.append(f"| {same[0].what} | " + " | ".join(words) + " |")
    return "\n".join(lines)


def rows(results: Results) -> list[Row]:
    """Return every result of the paper that we can compare, beside ours."""
    return [*_utility_rows(results), *_class_rows(results), *_failure_rows(results)]


def _utility_rows(results: Results) -> Iterator[Row]:
    each = results.each

    def waits(jobs: str) -> str:
        means = {name: float(each("wait", name, jobs=jobs).mean()) for name in UTILITIES}
        ascending = sorted(means, key=means.__getitem__)
        return ", ".join(f"{name.upper()} {means[name]:.0f}" for name in ascending)

    def extremes(metric: str, best: str, last: str) -> Word:
        others = [name for name in UTILITIES if name not in (best, last)]
        low = [ordered(each(metric, best), each(metric, name)) for name in others]
        high = [ordered(each(metric, name), each(metric, last)) for name in others]
        return worst((*low, *high))

    yield Row(
        "mean wait, no failures, six utilities [s]",
        "FCSJ 3560 .. FCFS 7882",
        waits("month"),
        _beside(results, lambda: waits("first")),
        "O",
        extremes("wait", "fcsj", "fcfs"),
        "FCFS worst, FCSJ best",
        "Fig. 4",
    )
    for metric, printed in (("wait", _WAIT_GAIN), ("slowdown", _SLOWDOWN_GAIN)):
        first = ordered(each(metric, "fcsj"), each(metric, "wfp3"), each(metric, "wfp1"))
        over = ordered(each(metric, "wfp1"), each(metric, "fcfs"))
        gains = {name: 100.0 * (1.0 - each(metric, name) / each(metric, "fcfs")) for name in _SMART}
        order = worst((first, over))
        band = worst(within_factor(printed[n], estimate(gains[n]), 2.0) for n in _SMART)
        yield Row(
            f"gain over FCFS in mean {metric}: WFP1 / WFP3 / FCSJ [%]",
            " / ".join(f"{value}" for value in printed.values()),
            " / ".join(str(estimate(gains[name])) for name in _SMART),
            _beside(results, partial(_real_gains, results, metric)),
            "O, B 2" if metric == "wait" else "O",
            worst((order, band)) if metric == "wait" else order,
            f"order {order}, band {band}" if metric == "wait" else "",
            "Fig. 4",
        )
    others = [name for name in UTILITIES if name != "fcfs"]

    def at_once(jobs: str) -> str:
        share = 100.0 * each("at_once", "fcfs", jobs=jobs)
        rest = 100.0 * np.mean([each("at_once", name, jobs=jobs) for name in others], axis=0)
        return f"{estimate(share)} / {estimate(rest)}"

    yield Row(
        "jobs that start at once: FCFS / others [%]",
        "~50 / ~55",
        at_once("month"),
        _beside(results, lambda: at_once("first")),
        "R",
        "reported",
        figure="Fig. 5",
    )


def _real_gains(results: Results, metric: str) -> str:
    fcfs = results.each(metric, "fcfs", jobs="first")
    gains = (100.0 * (1.0 - results.each(metric, n, jobs="first") / fcfs) for n in _SMART)
    return " / ".join(f"{float(gain.mean()):.1f}" for gain in gains)


def _class_rows(results: Results) -> Iterator[Row]:
    def by_class(metric: str, utility: str, jobs: str = "month") -> Any:
        return results.each(metric, utility, jobs=jobs).T

    def brief(metric: str, utility: str, jobs: str) -> str:
        return " ".join(f"{float(c.mean()):.0f}" for c in by_class(metric, utility, jobs))

    for utility, printed, up in (
        ("unicef", "1038 3420 4535 11928", True),
        ("fat", "8576 6124 5193 4115", False),
    ):
        classes = list(by_class("wait_by_scale", utility))
        yield Row(
            f"{utility.upper()}: wait by size class [s]",
            printed,
            brief("wait_by_scale", utility, "month"),
            _beside(results, partial(brief, "wait_by_scale", utility, "first")),
            "O",
            ordered(*(classes if up else classes[::-1])),
            "increasing" if up else "decreasing",
            "Fig. 6",
        )

    def spans(jobs: str) -> str:
        means = np.array([by_class("slowdown_by_length", u, jobs).mean(axis=1) for u in UTILITIES])
        pairs = zip(means.min(axis=0), means.max(axis=0), strict=True)
        return ", ".join(f"{low:.2f}-{high:.2f}" for low, high in pairs)

    yield Row(
        "mean slowdown by run-time class, all policies",
        "11.5-30, 2.9-6.5, 1.9-2.3, 1.2-1.3",
        spans("month"),
        _beside(results, lambda: spans("first")),
        "O",
        worst(ordered(*by_class("slowdown_by_length", u)[::-1]) for u in UTILITIES),
        "decreasing under every policy",
        "Fig. 6",
    )


def _failure_rows(results: Results) -> Iterator[Row]:
    rarest = {"mtbf": MTBFS[0]}
    for metric, title, ordinary, aware, scale, banded in (
        ("response", "response [s]", 11790.0, 11003.0, 1.0, False),
        ("slowdown", "slowdown", 9.67, 8.73, 1.0, False),
        ("failed", "JFR [%]", 1.05, 0.83, 100.0, True),
        ("lost", "SULR [%]", 14.8, 11.79, 100.0, True),
    ):

        def pair(jobs: str, metric: str = metric, scale: float = scale) -> tuple[Any, Any]:
            one = scale * results.each(metric, "wfp3", jobs=jobs, **rarest)
            other = scale * results.each(metric, "wfp3", jobs=jobs, fault_aware=True, **rarest)
            return one, other

        def text(jobs: str, pair: Callable[[str], tuple[Any, Any]] = pair) -> str:
            return " / ".join(str(estimate(values)) for values in pair(jobs))

        ours = pair("month")
        order = ordered(ours[1], ours[0])
        bands = [
            within_factor(printed, estimate(values), 2.0)
            for printed, values in zip((ordinary, aware), ours, strict=True)
        ]
        yield Row(
            f"MTBF 3.5 h, WFP3, ordinary / fault-aware: {title}",
            f"{ordinary:g} / {aware:g}",
            text("month"),
            _beside(results, partial(text, "first")),
            "O, B 2" if banded else "O",
            worst((order, *bands)) if banded else order,
            f"order {order}, band {worst(bands)}" if banded else "",
            "Fig. 7",
        )
    for utility, metric, title, printed in (
        ("wfp3", "failed", "JFR", "17.24-23.77"),
        ("wfp3", "lost", "SULR", "17.96-31.21"),
        ("fcfs", "failed", "JFR", "16.66-34.45"),
        ("fcfs", "lost", "SULR", "18.11-38.94"),
    ):
        gains = [estimate(results.gain(metric, utility, mtbf=mtbf)) for mtbf in MTBFS]
        yield Row(
            f"gain of fault-aware, {utility.upper()}, {title}, MTBF 3.5 .. 20.8 h [%]",
            printed,
            _gains(results, utility, metric),
            _beside(results, partial(_gains, results, utility, metric, jobs="first")),
            "O",
            worst(judged.above(0.0, gain, by_interval=True) for gain in gains),
            "positive at every MTBF",
            "Fig. 9",
        )


def _gains(results: Results, utility: str, metric: str, **more: Any) -> str:
    found = (estimate(results.gain(metric, utility, mtbf=mtbf, **more)) for mtbf in MTBFS)
    return ", ".join(map(str, found))


def _beside(results: Results, text: Callable[[], str]) -> str:
    return text() if any(run.jobs == "first" for run in results.runs) else "not at hand"


def why(results: Results) -> str:
    """Return the table of mean waits under other loads, walltimes and job orders."""
    return _waits(
        results, "what is changed", [(title, _AS_USUAL | change) for title, change in _VARIANTS]
    )


def swept(results: Results) -> str:
    """Return the table of mean waits under every scheduler and fall-back threshold."""
    cases = []
    for scheduler in SCHEDULERS:
        for threshold in _THRESHOLDS if scheduler in _SWEPT else (0.0,):
            for jobs, words in (("month", "month"), ("first", "first 1,200 jobs")):
                change = {"scheduler": scheduler, "threshold": threshold, "jobs": jobs}
                name = f"`{scheduler}`, threshold {threshold:g}, {words}"
                cases.append((name, _AS_USUAL | change))
    return _waits(results, "scheduler", cases)


def _waits(results: Results, heading: str, cases: Sequence[tuple[str, dict[str, Any]]]) -> str:
    lines = [
        f"| {heading} | load | " + " | ".join(u.upper() for u in UTILITIES) + " |",
        "|---|---|" + "---|" * len(UTILITIES),
    ]
    for title, wanted in cases:
        seeds = results.seeds[: 1 if wanted["jobs"] == "first" else _SENSITIVITY_SEEDS]
        runs = [[Run(seed=s, utility=u, **wanted) for s in seeds] for u in UTILITIES]
        if any(run not in results.runs for each in runs for run in each):
            continue
        found = [[results.runs[run] for run in each] for each in runs]
        load = np.mean([numbers["utilization"] for numbers in found[0]])
        cells = [str(estimate([numbers["wait"] for numbers in each])) for each in found]
        lines.append(f"| {title} | {load:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def weighed(each: dict[str, Results]) -> str:
    """Return the gains of fault-aware allocation under other weights than the printed ones."""
    lines = [
        "| scheduler | weights | utility | metric | gain, MTBF 3.5 .. 20.8 h [%] | first jobs |",
        "|---|---|---|---|---|---|",
    ]
    for name, results in each.items():
        for weights in _WEIGHTS:
            for utility in ("wfp3", "fcfs"):
                for metric, title in (("failed", "JFR"), ("lost", "SULR")):
                    month = _gains(results, utility, metric, weights=weights)
                    told = partial(_gains, results, utility, metric, jobs="first", weights=weights)
                    real = _beside(results, told)
                    cells = (f"`{name}`", weights, utility.upper(), title, month, real)
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def returned(each: dict[str, Results]) -> str:
    """Return response and failure rate where failed jobs keep their submission, or have a new."""
    lines = [
        "| scheduler | utility | response, new [s] | original [s] | JFR, new [%] | original [%] |",
        "|---|---|---|---|---|---|",
    ]
    for name, results in each.items():
        for utility in ("wfp3", "fcfs"):
            cells = [
                str(estimate(scale * results.each(metric, utility, mtbf=MTBFS[0], recovery=kind)))
                for metric, scale in (("response", 1.0), ("failed", 100.0))
                for kind in ("new", "original")
            ]
            lines.append(f"| `{name}` | {utility.upper()} | {' | '.join(cells)} |")
    return "\n".join(lines)
