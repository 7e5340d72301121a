"""The experiments of `aucore`: the effect of each recovery option on failed and on other jobs.

The paper's job log and failures are unpublished. Ours: six weeks drawn once per seed with the
printed counts, gaps and lengths, without and with sessions, sizes set by the printed response
without failures, Weibull failures of shape 1 on each midplane. Every case of a seed has the same
jobs and failures. What the text leaves open is played in every reading, and none of them is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..rows import Row, estimate
from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .results import CASES, GAPS, MIXED, MTBFS, REPAIRS, SINGLE, Results
from .rows import main_rows, rows
from .runs import HALVED, JOBS, OTHER_SIZES, Run, play
from .setups import SETUPS, Setup

__all__ = ["cells", "main"]

_BACKFILLED = ("all-b", "normal", "all-e")


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write table, cells and figures to `out`.

    Of one figure only what it shows is played.
    """
    chosen = tuple(range(1, seeds + 1))
    path = None if out is None else out / "aucore.jsonl"
    runs = sweep(cells(chosen, shown), play, path=path, workers=workers)
    each = [Results(runs, chosen, setup, HALVED[setup.sessions]) for setup in SETUPS]
    found = {results.setup.name: rows(results, shown) for results in each}
    parts = [
        *(
            verdicts({setup.name: found[setup.name] for setup in SETUPS if setup.sessions is kind})
            for kind in HALVED
        ),
        *(f"### {name}\n\n{_table(lines)}" for name, lines in found.items()),
    ]
    if not shown.only:
        other = [Results(runs, chosen, setup, OTHER_SIZES[setup.sessions]) for setup in SETUPS]
        parts += _beside(each, other)

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(each, folder, shown)

    return shown.end("aucore", found, "\n\n".join(parts), drawn, out=out)


def cells(seeds: Sequence[int], shown: Shown = AS_TABLES) -> Iterator[Run]:
    """Return every run, the baseline of each seed first; those with equal results once."""
    for seed in seeds:
        if not shown.only:
            for case in _BACKFILLED:
                yield Run(case, seed, backfill=True)
        for setup in SETUPS:
            for run in _of_setup(seed, setup, shown):
                yield run.played
            if not shown.only:
                for run in _of_other_sizes(seed, setup):
                    yield run.played


def _of_setup(seed: int, setup: Setup, shown: Shown) -> Iterator[Run]:
    halved = HALVED[setup.sessions]
    for case in CASES if shown.wants("fig4", "fig5") else ():
        yield Run(case, seed, setup, halved=halved)
    # The mixed cases have no rows there, and are drawn under the first set-up alone.
    cases = CASES[1:] if setup == SETUPS[0] else ("mr", *SINGLE)
    for repair in REPAIRS if shown.wants("fig6") else ():
        for case in cases:
            yield Run(case, seed, setup, repair=repair, halved=halved)
    for case in ("mr", *MIXED):
        for mtbf in MTBFS if shown.wants("fig7") else ():
            yield Run(case, seed, setup, mtbf=mtbf, halved=halved)
        for gap in GAPS if shown.wants("fig8") else ():
            yield Run(case, seed, setup, gap=gap, halved=halved)


def _of_other_sizes(seed: int, setup: Setup) -> Iterator[Run]:
    halved = OTHER_SIZES[setup.sessions]
    for case in CASES:
        yield Run(case, seed, setup, halved=halved)
    for repair in REPAIRS if not setup.sessions else ():
        for case in ("mr", *SINGLE):
            yield Run(case, seed, setup, repair=repair, halved=halved)


def _beside(each: Sequence[Results], other: Sequence[Results]) -> Iterator[str]:
    """Yield the tables beside the rows; `other` have jobs of other sizes."""
    independent = [results for results in other if not results.setup.sessions]
    judged = {results.setup.name: main_rows(results) for results in independent}
    with_sessions = ([one for one in kind if one.setup.sessions] for kind in (each, other))
    yield f"### Where the response goes\n\n{_sums(each)}"
    yield f"### The sizes of qsim\n\n{_levels(independent)}\n\n{verdicts(judged)}"
    yield "### Levels with sessions\n\n" + "\n\n".join(map(_levels, with_sessions))
    yield f"### Other measures\n\n{_cases(each[0])}"


def verdicts(found: Mapping[str, Sequence[Row]]) -> str:
    """Return how many rows hold under each set-up, and the verdict of each row."""
    lines = [f"| row | {' | '.join(found)} |", "|---" * (len(found) + 1) + "|"]
    for word in ("holds", "unresolved", "fails"):
        counts = [Counter(row.verdict for row in each)[word] for each in found.values()]
        lines.append(f"| rows: {word} | " + " | ".join(map(str, counts)) + " |")
    for same in zip(*found.values(), strict=True):
        words = [f"**{row.verdict}**" if row.verdict == "fails" else row.verdict for row in same]
        lines.append(f"| {same[0].what} | " + " | ".join(words) + " |")
    return "\n".join(lines)


def _table(found: Sequence[Row]) -> str:
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in found:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        verdict = f"{verdict}: {row.note}" if row.note else verdict
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict} |")
    return "\n".join(lines)


def _sums(each: Sequence[Results]) -> str:
    """Return the delay of all jobs beside that of the failed ones themselves, manual resubmission.

    Equal for both readings of option B, which no job has in this case.
    """
    lines = [
        "| walltimes, checkpoints | failed jobs | their own delay [job h] | response above FF, all "
        f"jobs [job h] | the same over {JOBS:,} jobs [min] | in use above FF [%] |",
        "|---|---|---|---|---|---|",
    ]
    for results in each:
        setup = results.setup
        if setup.option_b == "band":
            own, failed = results.each("own", "mr"), results.each("failed", "mr")
            more = results.each("response", "mr") - results.each("response", "ff")
            hours = JOBS / 60.0
            title = setup.name.replace("band, ", "")
            used = results.each("utilization", "mr") - results.each("utilization", "ff")
            found = (failed, own * hours, more * hours, more, 100.0 * used)
            lines.append(f"| {title} | " + " | ".join(str(estimate(e)) for e in found) + " |")
    return "\n".join(lines)


def _levels(each: Sequence[Results]) -> str:
    """Return use, response and failure slowdown of each set-up."""
    columns = [("response", case) for case in ("ff", "mr")]
    columns += [("slowdown", case) for case in ("mr", *SINGLE)]
    units = {"response": "response {} [min]", "slowdown": "failure slowdown {}"}
    headings = [units[metric].format(case) for metric, case in columns]
    lines = [
        f"| set-up | in use [%] | {' | '.join(headings)} |",
        "|---" * (len(columns) + 2) + "|",
    ]
    for results in each:
        use = estimate(100.0 * results.each("utilization", "ff"))
        means = [estimate(results.each(metric, case)) for metric, case in columns]
        lines.append(f"| {results.setup.name} | {use} | " + " | ".join(map(str, means)) + " |")
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
        found = [estimate(results.each(name, case, **more)) for name in metrics]
        lines.append(f"| {title} | " + " | ".join(map(str, found)) + " |")
    return "\n".join(lines)
