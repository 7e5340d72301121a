"""The experiments of `qsim`: utility functions, then fault-aware allocation.

The paper's window of the log, its failures, its fall-back threshold and its walltimes are
unpublished. Ours: the synthetic month drawn once per seed, MTBF as printed, threshold 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from ..rows import Estimate, Row, Word, estimate, ordered, table, within_factor, worst
from ..sweep import sweep
from .results import Results
from .runs import MTBFS, Run, has_first_jobs, play

__all__ = ["UTILITIES", "main", "rows", "why"]

UTILITIES = ("fcfs", "fat", "wfp1", "wfp3", "fcsj", "unicef")
_SMART = ("wfp1", "wfp3", "fcsj")
# Relative gain over FCFS as printed, [%].
_WAIT_GAIN = {"wfp1": 13.4, "wfp3": 25.7, "fcsj": 54.8}
_SLOWDOWN_GAIN = {"wfp1": 11.4, "wfp3": 36.1, "fcsj": 54.8}
_WEIGHTS = ("printed", "released", "beta 100")
_SENSITIVITY_SEEDS = 3
_VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("synthetic month, as in the rows", {}),
    ("arrivals 1 / 0.8 as fast", {"gaps": 0.8}),
    ("arrivals 1 / 0.65 as fast", {"gaps": 0.65}),
    ("arrivals twice as fast", {"gaps": 0.5}),
    ("fall-back threshold 0.75", {"threshold": 0.75}),
    ("fall-back threshold 1", {"threshold": 1.0}),
    ("exact walltimes", {"exact": True}),
    ("first 1,200 real jobs", {"jobs": "first"}),
    ("the same, sizes and lengths shuffled", {"jobs": "shuffled"}),
)


def main(*, seeds: int, out: Path | None, workers: int = 2) -> int:
    """Run all simulations, print the rows, and write table, cells and figures to `out`."""
    chosen = tuple(range(1, seeds + 1))
    path = None if out is None else out / "qsim-cells.jsonl"
    results = Results(sweep(_runs(chosen), play, path=path, workers=workers), chosen)
    found = rows(results)
    text = f"{table(found)}\n\n{why(results)}\n\n{weighed(results)}"
    print(text)
    if out is not None:
        from .figures import draw

        out.mkdir(parents=True, exist_ok=True)
        (out / "qsim.md").write_text(text + "\n")
        records = [{**asdict(run), **numbers} for run, numbers in results.runs.items()]
        (out / "qsim.json").write_text(json.dumps(records, indent=1).replace("Infinity", "null"))
        draw(results, out)
    return int(any(row.verdict == "fails" for row in found))


def _runs(seeds: Sequence[int]) -> Iterator[Run]:
    sources = ["month", "first"] if has_first_jobs() else ["month"]
    for seed in seeds:
        for utility in UTILITIES:
            yield Run("month", seed, utility)
        for utility in ("wfp3", "fcfs"):
            for jobs in sources:
                for mtbf in MTBFS:
                    yield Run(jobs, seed, utility, mtbf)
                    for weights in _WEIGHTS:
                        yield Run(jobs, seed, utility, mtbf, fault_aware=True, weights=weights)
    for _, change in _VARIANTS:
        for seed in seeds[:_SENSITIVITY_SEEDS]:
            for utility in UTILITIES:
                run = Run(**{"jobs": "month", "seed": seed, "utility": utility, **change})
                if run.jobs == "month" or has_first_jobs():
                    yield run


def rows(results: Results) -> list[Row]:
    """Return every result of the paper that we can compare, beside ours."""
    return [*_utility_rows(results), *_class_rows(results), *_failure_rows(results)]


def _utility_rows(results: Results) -> Iterator[Row]:
    each = results.each

    def waits(jobs: str) -> str:
        means = {name: float(each("wait", name, jobs=jobs).mean()) for name in UTILITIES}
        ascending = sorted(means, key=means.__getitem__)
        return ", ".join(f"{name.upper()} {means[name]:.0f}" for name in ascending)

    def judged(metric: str, best: str, last: str) -> Word:
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
        judged("wait", "fcsj", "fcfs"),
        "FCFS worst, FCSJ best",
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
            f"MTBF 4 h, WFP3, ordinary / fault-aware: {title}",
            f"{ordinary:g} / {aware:g}",
            text("month"),
            _beside(results, partial(text, "first")),
            "O, B 2" if banded else "O",
            worst((order, *bands)) if banded else order,
            f"order {order}, band {worst(bands)}" if banded else "",
        )
    for utility, metric, title, printed in (
        ("wfp3", "failed", "JFR", "17.24-23.77"),
        ("wfp3", "lost", "SULR", "17.96-31.21"),
        ("fcfs", "failed", "JFR", "16.66-34.45"),
        ("fcfs", "lost", "SULR", "18.11-38.94"),
    ):
        gains = [estimate(results.gain(metric, utility, mtbf=mtbf)) for mtbf in MTBFS]
        yield Row(
            f"gain of fault-aware, {utility.upper()}, {title}, MTBF 4 .. 20 h [%]",
            printed,
            _gains(results, utility, metric),
            _beside(results, partial(_gains, results, utility, metric, jobs="first")),
            "O",
            worst(map(_positive, gains)),
            "positive at every MTBF",
        )


def _gains(results: Results, utility: str, metric: str, **more: Any) -> str:
    found = (estimate(results.gain(metric, utility, mtbf=mtbf, **more)) for mtbf in MTBFS)
    return ", ".join(map(str, found))


def _positive(gain: Estimate) -> Word:
    if not gain.mean > 0.0:
        return "fails"
    return "holds" if gain.mean > gain.half else "unresolved"


def _beside(results: Results, text: Callable[[], str]) -> str:
    return text() if any(run.jobs == "first" for run in results.runs) else "not at hand"


def why(results: Results) -> str:
    """Return the table of mean waits under other loads, thresholds, walltimes and job orders."""
    lines = [
        "| what is changed | load | " + " | ".join(u.upper() for u in UTILITIES) + " |",
        "|---|---|" + "---|" * len(UTILITIES),
    ]
    for title, change in _VARIANTS:
        found = [
            [
                numbers
                for run, numbers in results.runs.items()
                if run.utility == utility and _is(run, change, results.seeds[:_SENSITIVITY_SEEDS])
            ]
            for utility in UTILITIES
        ]
        if not all(found):
            continue
        load = np.mean([numbers["utilization"] for numbers in found[0]])
        cells = [str(estimate([numbers["wait"] for numbers in runs])) for runs in found]
        lines.append(f"| {title} | {load:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def weighed(results: Results) -> str:
    """Return the gains of fault-aware allocation under other weights than the printed ones."""
    lines = [
        "| weights | utility | metric | gain, MTBF 4 .. 20 h [%] | first 1,200 jobs |",
        "|---|---|---|---|---|",
    ]
    for weights in _WEIGHTS:
        for utility in ("wfp3", "fcfs"):
            for metric, title in (("failed", "JFR"), ("lost", "SULR")):
                month = _gains(results, utility, metric, weights=weights)
                told = partial(_gains, results, utility, metric, jobs="first", weights=weights)
                cells = (weights, utility.upper(), title, month, _beside(results, told))
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _is(run: Run, change: dict[str, Any], seeds: Sequence[int]) -> bool:
    usual = {"jobs": "month", "mtbf": inf, "threshold": 0.0, "gaps": 1.0, "exact": False}
    wanted = {**usual, **change}
    if run.seed not in (seeds[:1] if run.jobs == "first" else seeds):
        return False
    return all(getattr(run, name) == value for name, value in wanted.items())
