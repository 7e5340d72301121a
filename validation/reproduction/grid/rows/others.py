"""Statements of `grid` on its logs and on the two systems of which every seed is another draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...rows import Estimate, Word, above, estimate, within_factor, worst
from ..logs import afc_table
from ..results import MEANS, POLICIES, PROBLEMS, Results
from ..stand_ins import DAS2_SPAN, share_on_largest
from ..systems import FIRST, system
from ..weekly import ratio_of_sums
from .judged import (
    CLOSE,
    GridRow,
    Played,
    all_of,
    better,
    close,
    fcfs_worst,
    requirements_hurt_more,
)

__all__ = ["Draws", "of_the_others"]

_DAY = 86_400.0
_FREE, _REQUIRED = ("BASIC", "EXT-FAIL"), ("EXT-REQ", "EXT-ALL")
_PRINTED_KILLED = 100.0 * 18_668 / 1_020_195  # %
_FAR = 5.0  # times as long; printed 23


@dataclass(frozen=True, slots=True)
class Draws:
    """Runs of a stand-in system, paired by draw."""

    results: Results
    name: str

    def each(self, metric: str, played: Played) -> np.ndarray:
        """Return one number per draw."""
        return self.results.each(metric, self.name, *played)

    def difference(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return the first minus the second, with its interval over draws."""
        return estimate(self.each(metric, first) - self.each(metric, second))

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return the mean of the first over that of the second, with its interval over draws."""
        return ratio_of_sums(self.each(metric, first), self.each(metric, second))


def of_the_others(results: Results) -> Iterator[GridRow]:
    """Yield the rows on the logs, and on the stand-in systems that were played."""
    yield from _logs()
    if "grid5000" in results.systems:
        yield from _kills(Draws(results, "grid5000"))
        yield from _grid5000(Draws(results, "grid5000"))
    if "das2" in results.systems:
        yield from _das2(Draws(results, "das2"))
    yield _count()


def _logs() -> Iterator[GridRow]:
    real = system("metacentrum")
    jobs, grid = real.workload, real.grid
    counted = len(jobs), len(grid.clusters), grid.size
    yield GridRow(
        "MetaCentrum: jobs, clusters, processors",
        "103,620, 14, 806",
        ", ".join(f"{count:,}" for count in counted),
        "E",
        "holds" if counted == (103_620, 14, 806) else "fails",
    )
    work = float(np.sum(jobs.runtime * jobs.processors))
    load = 100.0 * work / (grid.size * (float(jobs.submit[-1]) - FIRST))
    yield GridRow("MetaCentrum: load [%]", "~43", f"{load:.1f}", "R", "reported")
    afc = afc_table()
    yield GridRow(
        "failures per machine and day: Grid'5000 most, LANL least",
        "so in Fig. 1",
        ", ".join(f"{name} {value:.4f}" for name, value in afc.items()),
        "O",
        "holds" if afc["Grid'5000"] > afc["MetaCentrum"] > afc["LANL"] else "fails",
    )
    yield GridRow(
        "Grid'5000: failures on the largest cluster [%]",
        "42",
        f"{100.0 * share_on_largest():.1f}",
        "R",
        "reported",
        "reported unavailability of the public trace",
    )


def _kills(runs: Draws) -> Iterator[GridRow]:
    jobs = len(system("grid5000").workload)
    killed = estimate(100.0 * runs.each("killed", ("EXT-FAIL", "fcfs")) / jobs)
    yield GridRow(
        "Grid'5000-like, FCFS: jobs killed in EXT-FAIL [%]",
        f"{_PRINTED_KILLED:.2f} (so in Fig. 3)",
        str(killed),
        "R",
        "reported",
    )
    share = estimate(100.0 * np.array(runs.results.largest_shares("EXT-FAIL", "fcfs")))
    yield GridRow(
        "Grid'5000-like, first fit: most kills on the largest cluster [%]",
        "95.3 (so in Fig. 3)",
        str(share),
        "O",
        above(50.0, share, by_interval=True),
    )
    lengths = [
        runs.each(metric, ("EXT-FAIL", "fcfs"))
        for metric in ("mean_killed_length_s", "mean_length_s")
    ]
    yield GridRow(
        "Grid'5000-like: killed jobs are far longer than jobs",
        "60,690 against 2,608 s",
        f"{estimate(lengths[0])} against {estimate(lengths[1])} s",
        "O",
        above(0.0, estimate(lengths[0] - _FAR * lengths[1]), by_interval=True),
        f"far: {_FAR:g} times",
    )
    for what, figure, pairs in (
        (
            "FCFS-LB kills fewer than FCFS",
            4,
            {s: ((s, "fcfs-lb"), (s, "fcfs")) for s in ("EXT-FAIL", "EXT-ALL")},
        ),
        (
            "requirements spread the jobs, fewer are killed",
            3,
            {p: (("EXT-ALL", p), ("EXT-FAIL", p)) for p in POLICIES},
        ),
    ):
        words = {name: better(runs, "killed", *pair) for name, pair in pairs.items()}
        texts = [
            f"{name} {estimate(runs.each('killed', low))} / {estimate(runs.each('killed', high))}"
            for name, (low, high) in pairs.items()
        ]
        heads = "FCFS-LB / FCFS" if figure == 4 else "EXT-ALL / EXT-FAIL"
        verdict, note = all_of(words)
        ours = f"{heads}: {', '.join(texts)}"
        yield GridRow(f"Grid'5000-like: {what}", f"so in Fig. {figure}", ours, "O", verdict, note)


def _grid5000(runs: Draws) -> Iterator[GridRow]:
    shown = "so in Fig. 3"
    scenarios = PROBLEMS["grid5000"]
    yield fcfs_worst(runs, "Grid'5000-like: FCFS worst", shown, scenarios)
    what = "Grid'5000-like: the other policies more or less alike"
    yield close(runs, what, shown, scenarios, POLICIES[1:])
    words: dict[str, Word] = {}
    texts = []
    for policy, metric in product(POLICIES, ("mean_slowdown", "mean_wait_s")):
        ratio = runs.ratio(metric, ("EXT-FAIL", policy), ("BASIC", policy))
        where = f"{policy} in {MEANS[metric]}"
        words[where] = within_factor(1.0, ratio, CLOSE, by_interval=True)
        texts.append(f"{where} {ratio}")
    what = "Grid'5000-like: failures hardly change slowdown and wait"
    verdict, note = all_of(words)
    ours = "EXT-FAIL / BASIC: " + ", ".join(texts)
    yield GridRow(what, shown, ours, "B 2", verdict, note)
    what = "Grid'5000-like: requirements hurt more than failures"
    yield requirements_hurt_more(runs, what, shown, ("EXT-FAIL",), usually=False)
    words, texts = {}, []
    for policy in POLICIES:
        for failing, peaceful in product(("EXT-FAIL", "EXT-ALL"), ("BASIC", "EXT-REQ")):
            words[f"{policy}, {failing} below {peaceful}"] = better(
                runs, "mean_response_s", (failing, policy), (peaceful, policy)
            )
        means = [
            f"{runs.results.mean('mean_response_s', 'grid5000', s, policy):.0f}" for s in scenarios
        ]
        texts.append(f"{policy} {' / '.join(means)}")
    verdict, note = all_of(words)
    what = "Grid'5000-like: response falls with failures, because the long jobs die"
    ours = f"{' / '.join(scenarios)} [s]: {', '.join(texts)}"
    yield GridRow(what, shown, ours, "O", verdict, note)
    yield _load_balancing(runs)


def _load_balancing(runs: Draws) -> GridRow:
    words: dict[str, Word] = {}
    texts = []
    for scenario in (*_FREE, *_REQUIRED):
        spread, first = (scenario, "fcfs-lb"), (scenario, "fcfs")
        low, high = (spread, first) if scenario in _FREE else (first, spread)
        for metric in ("mean_slowdown", "mean_wait_s"):
            words[f"{MEANS[metric]} in {scenario}"] = better(runs, metric, low, high)
        texts.append(f"{scenario} {runs.difference('mean_wait_s', spread, first)}")
    verdict, note = all_of(words)
    return GridRow(
        "Grid'5000-like: FCFS-LB has the better slowdown and wait without requirements, "
        "the worse with them",
        "so in Fig. 4",
        "wait, FCFS-LB minus FCFS [s]: " + ", ".join(texts),
        "O",
        verdict,
        note,
    )


def _das2(runs: Draws) -> Iterator[GridRow]:
    shown = "so in Fig. 5"
    scenarios = PROBLEMS["das2"]
    yield close(runs, "DAS-2-like: policies nearly the same in BASIC", shown, ("BASIC",), POLICIES)
    yield fcfs_worst(runs, "DAS-2-like: FCFS worst", shown, scenarios)
    words: dict[str, Word] = {}
    texts = []
    for scenario in scenarios:
        for metric, name in MEANS.items():
            words[f"{name} in {scenario}"] = worst(
                better(runs, metric, (scenario, "ls"), (scenario, other)) for other in POLICIES[:-1]
            )
        steps = [
            runs.difference("mean_wait_s", (scenario, other), (scenario, "ls"))
            for other in POLICIES[:-1]
        ]
        texts.append(f"{scenario} {min(steps, key=lambda step: step.mean)}")
    verdict, note = all_of(words)
    ours = "wait, the next minus LS [s]: " + ", ".join(texts)
    yield GridRow("DAS-2-like: local search best in all cases", shown, ours, "O", verdict, note)
    words, texts = {}, []
    for policy in POLICIES:
        low, high = ("EXT-ALL-L", policy), ("EXT-ALL-M", policy)
        for metric in ("mean_wait_s", "mean_response_s"):
            words[f"{policy} in {MEANS[metric]}"] = better(runs, metric, low, high)
        texts.append(f"{policy} {runs.difference('mean_wait_s', high, low)}")
    verdict, note = all_of(words)
    what = "DAS-2-like: EXT-ALL-M has the longer wait and response than EXT-ALL-L"
    yield GridRow(what, shown, "wait, M minus L [s]: " + ", ".join(texts), "O", verdict, note)
    words, texts = {}, []
    for kind, policy in product(("EXT-FAIL", "EXT-ALL"), POLICIES):
        low, high = (f"{kind}-L", policy), (f"{kind}-M", policy)
        words[f"{kind} {policy}"] = better(runs, "killed", low, high)
        totals = [int(runs.each("killed", played).sum()) for played in (low, high)]
        texts.append(f"{kind} {policy} {totals[0]} / {totals[1]}")
    verdict, note = all_of(words)
    draws = runs.each("killed", ("EXT-FAIL-L", "fcfs")).size
    ours = f"killed in {draws} draws, L / M: " + ", ".join(texts)
    what = "DAS-2-like: MetaCentrum's failures kill more than LANL's"
    yield GridRow(what, shown, ours, "O", verdict, note)
    what = "DAS-2-like: requirements usually hurt more than failures"
    yield requirements_hurt_more(runs, what, shown, ("EXT-FAIL-L", "EXT-FAIL-M"))


def _count() -> GridRow:
    """Return the identity of eq. (1), worked out here from the printed length of the log."""
    das2, afc = system("das2"), afc_table()
    days = DAS2_SPAN / _DAY
    wanted = {
        suffix: das2.grid.nodes * days * afc[log]
        for suffix, log in (("-L", "LANL"), ("-M", "MetaCentrum"))
    }
    drawn = das2.drawn or {}
    return GridRow(
        "F = N D AFC failures (DAS-2-L, DAS-2-M)",
        "an identity",
        f"{das2.grid.nodes} machines x {days:.2f} d x AFC = "
        + ", ".join(f"{count:.2f}" for count in wanted.values())
        + f"; generated {list(drawn.values())}",
        "E",
        "holds" if all(abs(drawn[s] - wanted[s]) <= 0.5 for s in wanted) else "fails",
        f"beside {das2.late} machines out until their clusters are first used",
    )
