"""Every result of `grid` that we can compare, as a row, and the runs behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.cluster.grid import failure_count

from ..rows import Estimate, Word, estimate, worst
from .runs import Run
from .systems import afc_table, system

__all__ = ["MEASURES", "POLICIES", "PROBLEMS", "GridRow", "Results", "rows"]

_META = ("BASIC", "EXT-FAIL", "EXT-REQ", "EXT-ALL")
_DAS2 = ("BASIC", "EXT-FAIL-L", "EXT-FAIL-M", "EXT-REQ", "EXT-ALL-L", "EXT-ALL-M")
PROBLEMS = {"metacentrum": _META, "grid5000": _META, "das2": _DAS2}
POLICIES = ("fcfs", "easy", "cons", "ls")
MEASURES = {
    "mean_slowdown": "slowdown",
    "mean_response_s": "response [s]",
    "mean_wait_s": "wait [s]",
    "killed": "killed",
}


@dataclass(frozen=True, slots=True)
class GridRow:
    """One line: a statement of the paper on its figures, and our numbers."""

    what: str
    printed: str
    ours: str
    kind: str
    verdict: Word
    note: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run."""

    runs: dict[Run, dict[str, Any]]

    def each(self, metric: str, name: str, scenario: str, policy: str) -> Any:
        """Return one number per seed."""
        found = [
            numbers[metric]
            for run, numbers in sorted(self.runs.items())
            if (run.system, run.scenario, run.policy) == (name, scenario, policy)
        ]
        return np.array(found, dtype=np.float64)

    def mean(self, metric: str, name: str, scenario: str, policy: str) -> float:
        """Return the mean over seeds."""
        return float(self.each(metric, name, scenario, policy).mean())

    def estimate(self, metric: str, name: str, scenario: str, policy: str) -> Estimate:
        """Return the mean over seeds with its interval."""
        return estimate(self.each(metric, name, scenario, policy))

    def sd(self, metric: str, name: str, scenario: str, policy: str) -> float:
        """Return the standard deviation over seeds; nan if there is one run."""
        values = self.each(metric, name, scenario, policy)
        return float(values.std(ddof=1)) if values.size > 1 else float("nan")

    def mean_and_sd(self, metric: str, name: str, scenario: str, policy: str) -> str:
        """Return mean and standard deviation as text; the latter only if there are several runs."""
        mean, sd = (f(metric, name, scenario, policy) for f in (self.mean, self.sd))
        digits = 0 if abs(mean) >= 1000.0 else 1 if abs(mean) >= 100.0 else 2
        if metric in ("killed", "cancelled"):
            digits = 0 if np.isnan(sd) else 1
        return f"{mean:.{digits}f}" + ("" if np.isnan(sd) else f" ± {sd:.{digits}f}")

    def largest_share(self, scenario: str, policy: str) -> float:
        """Return the share of the kills on the largest cluster of the Grid'5000-like system."""
        sizes = {cluster.name: cluster.size for cluster in system("grid5000").grid.clusters}
        largest = max(sizes, key=sizes.__getitem__)
        shares = [
            numbers["killed_by_cluster"][largest]
            / max(sum(numbers["killed_by_cluster"].values()), 1)
            for run, numbers in self.runs.items()
            if (run.system, run.scenario, run.policy) == ("grid5000", scenario, policy)
        ]
        return float(np.mean(shares))


def rows(results: Results) -> Iterator[GridRow]:
    """Yield every result of the paper that we can compare, beside ours."""
    yield from _metacentrum_rows(results)
    yield from _grid5000_rows(results)
    yield from _das2_rows(results)
    yield _count_row()


def _metacentrum_rows(results: Results) -> Iterator[GridRow]:
    def mean(metric: str, scenario: str, policy: str) -> float:
        return results.mean(metric, "metacentrum", scenario, policy)

    def spread(metric: str, scenario: str) -> float:
        values = [mean(metric, scenario, policy) for policy in POLICIES]
        return max(values) / min(values)

    measured = ("mean_slowdown", "mean_response_s", "mean_wait_s")
    apart = [spread(m, "EXT-ALL") > spread(m, "BASIC") for m in measured]
    worst_one = [
        mean(m, "EXT-ALL", "fcfs") == max(mean(m, "EXT-ALL", p) for p in POLICIES) for m in measured
    ]
    yield GridRow(
        "MetaCentrum: policies close in BASIC, far apart in EXT-ALL, FCFS worst",
        "so in Fig. 2",
        "largest / smallest, BASIC -> EXT-ALL: "
        + ", ".join(
            f"{MEASURES[m].split(' ')[0]} {spread(m, 'BASIC'):.3g} -> {spread(m, 'EXT-ALL'):.3g}"
            for m in measured
        ),
        "O",
        _word(all(apart) and all(worst_one)),
    )
    hurts = {
        (m, p): mean(m, "EXT-REQ", p) > mean(m, "EXT-FAIL", p) for m in measured for p in POLICIES
    }
    exceptions = ", ".join(f"{p} in {MEASURES[m]}" for (m, p), held in hurts.items() if not held)
    yield GridRow(
        "MetaCentrum: requirements hurt more than failures",
        "so in Fig. 2",
        "wait [s], EXT-FAIL / EXT-REQ: "
        + ", ".join(
            f"{p} {mean('mean_wait_s', 'EXT-FAIL', p):.0f} / "
            f"{mean('mean_wait_s', 'EXT-REQ', p):.0f}"
            for p in POLICIES
        ),
        "O",
        _word(not exceptions),
        f"not for {exceptions}" if exceptions else "in slowdown, response and wait, every policy",
    )
    yield from _easy_cons_rows(results)
    ls = {
        (m, s): mean(m, s, "ls") <= mean(m, s, "cons")
        for m in ("mean_slowdown", "mean_wait_s")
        for s in _META
    }
    yield GridRow(
        "MetaCentrum: local search never worse than CONS in slowdown and wait",
        "so in Fig. 2",
        "slowdown CONS / LS: "
        + ", ".join(
            f"{s} {mean('mean_slowdown', s, 'cons'):.2f} / "
            f"{results.estimate('mean_slowdown', 'metacentrum', s, 'ls')}"
            for s in _META
        ),
        "O",
        _word(all(ls.values())),
    )


def _easy_cons_rows(results: Results) -> Iterator[GridRow]:
    def pair(metric: str, scenario: str) -> tuple[float, float]:
        easy, cons = (results.mean(metric, "metacentrum", scenario, p) for p in ("easy", "cons"))
        return easy, cons

    slowdown = {s: pair("mean_slowdown", s) for s in _META}
    better = {s: cons < easy for s, (easy, cons) in slowdown.items()}
    yield GridRow(
        "MetaCentrum: CONS has the better slowdown with requirements, and only with them",
        "so in Fig. 2",
        "EASY / CONS: " + ", ".join(f"{s} {e:.2f} / {c:.2f}" for s, (e, c) in slowdown.items()),
        "O",
        _word(all(held == (s in ("EXT-REQ", "EXT-ALL")) for s, held in better.items())),
        "CONS better in " + (", ".join(s for s, held in better.items() if held) or "none"),
    )
    response = {s: pair("mean_response_s", s) for s in ("BASIC", "EXT-FAIL")}
    yield GridRow(
        "MetaCentrum: EASY has the better response without requirements",
        "so in Fig. 2",
        "EASY / CONS [s]: " + ", ".join(f"{s} {e:.0f} / {c:.0f}" for s, (e, c) in response.items()),
        "O",
        _word(all(easy <= cons for easy, cons in response.values())),
    )


def _grid5000_rows(results: Results) -> Iterator[GridRow]:
    def value(metric: str, scenario: str, policy: str = "fcfs") -> float:
        return results.mean(metric, "grid5000", scenario, policy)

    share = results.largest_share("EXT-FAIL", "fcfs")
    jobs = len(system("grid5000").workload)
    lb = {s: results.estimate("killed", "grid5000", s, "fcfs-lb") for s in ("EXT-FAIL", "EXT-ALL")}
    yield GridRow(
        "Grid'5000-like, first fit: most kills on the largest cluster; FCFS-LB kills fewer",
        f"18,668 killed of 1,020,195 ({100 * 18_668 / 1_020_195:.2f} %), 95.3 % there",
        f"{value('killed', 'EXT-FAIL'):.0f} of {jobs:,} "
        f"({100 * value('killed', 'EXT-FAIL') / jobs:.2f} %), {100 * share:.1f} % there; FCFS-LB / "
        "FCFS: " + ", ".join(f"{s} {lb[s]} / {value('killed', s):.0f}" for s in lb),
        "O",
        worst((_word(share > 0.5), *(_below(lb[s], value("killed", s)) for s in lb))),
        ", ".join(f"{s} {_below(lb[s], value('killed', s))}" for s in lb),
    )
    yield _spread_row(results)
    killed, plain = value("mean_killed_length_s", "EXT-FAIL"), value("mean_length_s", "EXT-FAIL")
    yield GridRow(
        "Grid'5000-like: killed jobs are far longer than jobs",
        "60,690 against 2,608 s",
        f"{killed:,.0f} against {plain:,.0f} s",
        "O",
        _word(killed > 5.0 * plain),
        "the mean over all jobs is the printed one by construction",
    )
    less = [value("killed", "EXT-ALL", p) < value("killed", "EXT-FAIL", p) for p in POLICIES]
    yield GridRow(
        "Grid'5000-like: requirements spread the jobs, fewer are killed",
        "so in Fig. 3",
        "EXT-FAIL / EXT-ALL: "
        + ", ".join(
            f"{p} {value('killed', 'EXT-FAIL', p):.0f} / {value('killed', 'EXT-ALL', p):.0f}"
            for p in POLICIES
        ),
        "O",
        _word(all(less)),
    )
    shorter = [
        value("mean_response_s", "EXT-FAIL", p) < value("mean_response_s", "BASIC", p)
        for p in POLICIES
    ]
    yield GridRow(
        "Grid'5000-like: response falls with failures, because the long jobs die",
        "so in Fig. 3",
        "BASIC / EXT-FAIL [s]: "
        + ", ".join(
            f"{p} {value('mean_response_s', 'BASIC', p):.0f} / "
            f"{value('mean_response_s', 'EXT-FAIL', p):.0f}"
            for p in POLICIES
        ),
        "O",
        _word(all(shorter)),
    )


def _spread_row(results: Results) -> GridRow:
    """Return the row on slowdown and wait under FCFS-LB (Fig. 4)."""
    found = {
        (m, s): (
            results.estimate(m, "grid5000", s, "fcfs-lb"),
            results.mean(m, "grid5000", s, "fcfs"),
        )
        for m in ("mean_slowdown", "mean_wait_s")
        for s in PROBLEMS["grid5000"]
    }
    words = {
        (m, s): _below(lb, fcfs) if s in ("BASIC", "EXT-FAIL") else _above(lb, fcfs)
        for (m, s), (lb, fcfs) in found.items()
    }
    others = ", ".join(
        f"{MEASURES[m].split(' ')[0]} in {s} {word}"
        for (m, s), word in words.items()
        if word != "holds"
    )
    return GridRow(
        "Grid'5000-like: FCFS-LB has the better slowdown and wait without requirements, "
        "the worse with them",
        "so in Fig. 4",
        "wait [s], FCFS-LB / FCFS: "
        + ", ".join(
            f"{s} {lb} / {fcfs:.1f}" for (m, s), (lb, fcfs) in found.items() if m == "mean_wait_s"
        ),
        "O",
        worst(tuple(words.values())),
        others,
    )


def _das2_rows(results: Results) -> Iterator[GridRow]:
    def value(metric: str, scenario: str, policy: str) -> float:
        return results.mean(metric, "das2", scenario, policy)

    pairs = {p: [value("killed", f"EXT-FAIL-{x}", p) for x in "LM"] for p in POLICIES}
    yield GridRow(
        "DAS-2-like: MetaCentrum's failures kill more than LANL's",
        "so in Fig. 5",
        ", ".join(f"{p} {low:.0f} / {high:.0f}" for p, (low, high) in pairs.items()),
        "O",
        _word(all(high > low for low, high in pairs.values())),
    )
    worst_one = [
        value("mean_wait_s", s, "fcfs") == max(value("mean_wait_s", s, p) for p in POLICIES)
        for s in _DAS2
    ]
    hurts = [
        value("mean_wait_s", "EXT-REQ", p) > value("mean_wait_s", f"EXT-FAIL-{x}", p)
        for p in POLICIES
        for x in "LM"
    ]
    yield GridRow(
        "DAS-2-like: FCFS worst; requirements hurt more than failures",
        "so in Fig. 5",
        "wait [s], EXT-FAIL-M / EXT-REQ: "
        + ", ".join(
            f"{p} {value('mean_wait_s', 'EXT-FAIL-M', p):.0f} / "
            f"{value('mean_wait_s', 'EXT-REQ', p):.0f}"
            for p in POLICIES
        ),
        "O",
        worst((_word(all(worst_one)), _word(all(hurts)))),
    )


def _count_row() -> GridRow:
    das2, afc = system("das2"), afc_table()
    hours = 2.0 * float(das2.workload.submit[-1]) / 3600.0
    wanted = {
        suffix: failure_count(das2.grid.nodes, hours, afc[log] / 24.0)
        for suffix, log in (("-L", "LANL"), ("-M", "MetaCentrum"))
    }
    got = {suffix: len(feed) - das2.late for suffix, feed in das2.failures.items()}
    return GridRow(
        "F = N D AFC failures (DAS-2-L, DAS-2-M)",
        "an identity",
        f"asked {list(wanted.values())}, generated {list(got.values())}",
        "E",
        _word(wanted == got),
        f"beside {das2.late} machines out until their clusters are first used",
    )


def _word(held: bool) -> Word:
    return "holds" if held else "fails"


def _below(sample: Estimate, value: float) -> Word:
    """Judge that a mean over seeds is below a number; unresolved if its interval contains it."""
    if sample.mean + np.nan_to_num(sample.half) < value:
        return "holds"
    return "fails" if sample.mean - np.nan_to_num(sample.half) > value else "unresolved"


def _above(sample: Estimate, value: float) -> Word:
    return _below(Estimate(-sample.mean, sample.half), -value)
