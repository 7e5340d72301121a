"""The experiments of `grid`: requirements and failures, on three systems.

MetaCentrum is played on its real jobs, machines and failures, with requirements reconstructed
from user, queue and executing cluster, because the published ones are not at hand. The other two
are stand-ins built from printed figures, see `grid_systems`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.cluster.fault_generator import failure_count
from sim.cluster.grid_replay import SEEDED

from .grid_runs import Run, play_all
from .grid_systems import afc_table, system
from .rows import Estimate, Word, estimate, worst

__all__ = ["PROBLEMS", "GridRow", "Results", "main", "rows"]

_META = ("BASIC", "EXT-FAIL", "EXT-REQ", "EXT-ALL")
_DAS2 = ("BASIC", "EXT-FAIL-L", "EXT-FAIL-M", "EXT-REQ", "EXT-ALL-L", "EXT-ALL-M")
PROBLEMS = {"metacentrum": _META, "grid5000": _META, "das2": _DAS2}
_POLICIES = ("fcfs", "easy", "cons", "ls")
_MEASURES = {
    "mean_slowdown": "slowdown",
    "mean_response_s": "response [s]",
    "mean_wait_s": "wait [s]",
    "killed": "killed",
}


@dataclass(frozen=True, slots=True)
class GridRow:
    """One line: what the paper says of its figures, and what ours say."""

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


def main(*, seeds: int, out: Path | None, workers: int = 2) -> int:
    """Play everything, print the rows, and write tables and figures to `out`."""
    results = Results(play_all(_runs(range(1, seeds + 1)), workers=workers))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        records = [{**asdict(run), **numbers} for run, numbers in results.runs.items()]
        (out / "grid.json").write_text(json.dumps(records, indent=1))
    return report(results, out)


def report(results: Results, out: Path | None) -> int:
    """Print the rows; write them and the figures to `out`; return 1 if any row fails."""
    found = list(rows(results))
    tables = [measures(results, name) for name in PROBLEMS]
    text = "\n\n".join([_table(found), *tables, counts()])
    print(text)
    if out is not None:
        from .grid_figures import draw

        (out / "grid.md").write_text(text + "\n")
        draw(results, out)
    return int(any(row.verdict == "fails" for row in found))


def _runs(seeds: Sequence[int]) -> Iterator[Run]:
    for name, scenarios in PROBLEMS.items():
        for scenario in scenarios:
            for policy in (*_POLICIES, *(("fcfs-lb",) if name == "grid5000" else ())):
                for seed in seeds if policy in SEEDED else (0,):
                    yield Run(name, scenario, policy, seed)


def rows(results: Results) -> Iterator[GridRow]:
    """Yield every row of the paper that can be set beside ours."""
    yield from _metacentrum_rows(results)
    yield from _grid5000_rows(results)
    yield from _das2_rows(results)
    yield _count_row()


def _metacentrum_rows(results: Results) -> Iterator[GridRow]:
    def mean(metric: str, scenario: str, policy: str) -> float:
        return results.mean(metric, "metacentrum", scenario, policy)

    def spread(metric: str, scenario: str) -> float:
        values = [mean(metric, scenario, policy) for policy in _POLICIES]
        return max(values) / min(values)

    measured = ("mean_slowdown", "mean_response_s", "mean_wait_s")
    apart = [spread(m, "EXT-ALL") > spread(m, "BASIC") for m in measured]
    worst_one = [
        mean(m, "EXT-ALL", "fcfs") == max(mean(m, "EXT-ALL", p) for p in _POLICIES)
        for m in measured
    ]
    yield GridRow(
        "MetaCentrum: policies close in BASIC, far apart in EXT-ALL, FCFS worst",
        "so in Fig. 2",
        "largest / smallest, BASIC -> EXT-ALL: "
        + ", ".join(
            f"{_MEASURES[m].split(' ')[0]} {spread(m, 'BASIC'):.3g} -> {spread(m, 'EXT-ALL'):.3g}"
            for m in measured
        ),
        "O",
        _word(all(apart) and all(worst_one)),
    )
    hurts = {
        (m, p): mean(m, "EXT-REQ", p) > mean(m, "EXT-FAIL", p) for m in measured for p in _POLICIES
    }
    exceptions = ", ".join(f"{p} in {_MEASURES[m]}" for (m, p), held in hurts.items() if not held)
    yield GridRow(
        "MetaCentrum: requirements hurt more than failures",
        "so in Fig. 2",
        "wait [s], EXT-FAIL / EXT-REQ: "
        + ", ".join(
            f"{p} {mean('mean_wait_s', 'EXT-FAIL', p):.0f} / "
            f"{mean('mean_wait_s', 'EXT-REQ', p):.0f}"
            for p in _POLICIES
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
    fewer = [value("killed", s, "fcfs-lb") < value("killed", s) for s in ("EXT-FAIL", "EXT-ALL")]
    spread = results.estimate("killed", "grid5000", "EXT-FAIL", "fcfs-lb")
    yield GridRow(
        "Grid'5000-like, first fit: most kills on the largest cluster; FCFS-LB kills fewer",
        f"18,668 killed of 1,020,195 ({100 * 18_668 / 1_020_195:.2f} %), 95.3 % there",
        f"{value('killed', 'EXT-FAIL'):.0f} of {jobs:,} "
        f"({100 * value('killed', 'EXT-FAIL') / jobs:.2f} %), {100 * share:.1f} % there; "
        f"FCFS-LB {spread} in EXT-FAIL, "
        f"{results.estimate('killed', 'grid5000', 'EXT-ALL', 'fcfs-lb')} against "
        f"{value('killed', 'EXT-ALL'):.0f} in EXT-ALL",
        "O",
        _word(share > 0.5 and all(fewer)),
        f"FCFS-LB kills fewer in EXT-FAIL: {fewer[0]}, in EXT-ALL: {fewer[1]}",
    )
    killed, plain = value("mean_killed_length_s", "EXT-FAIL"), value("mean_length_s", "EXT-FAIL")
    yield GridRow(
        "Grid'5000-like: killed jobs are far longer than jobs",
        "60,690 against 2,608 s",
        f"{killed:,.0f} against {plain:,.0f} s",
        "O",
        _word(killed > 5.0 * plain),
        "the mean over all jobs is the printed one by construction",
    )
    less = [value("killed", "EXT-ALL", p) < value("killed", "EXT-FAIL", p) for p in _POLICIES]
    yield GridRow(
        "Grid'5000-like: requirements spread the jobs, fewer are killed",
        "so in Fig. 3",
        "EXT-FAIL / EXT-ALL: "
        + ", ".join(
            f"{p} {value('killed', 'EXT-FAIL', p):.0f} / {value('killed', 'EXT-ALL', p):.0f}"
            for p in _POLICIES
        ),
        "O",
        _word(all(less)),
    )
    shorter = [
        value("mean_response_s", "EXT-FAIL", p) < value("mean_response_s", "BASIC", p)
        for p in _POLICIES
    ]
    yield GridRow(
        "Grid'5000-like: response falls with failures, because the long jobs die",
        "so in Fig. 3",
        "BASIC / EXT-FAIL [s]: "
        + ", ".join(
            f"{p} {value('mean_response_s', 'BASIC', p):.0f} / "
            f"{value('mean_response_s', 'EXT-FAIL', p):.0f}"
            for p in _POLICIES
        ),
        "O",
        _word(all(shorter)),
    )


def _das2_rows(results: Results) -> Iterator[GridRow]:
    def value(metric: str, scenario: str, policy: str) -> float:
        return results.mean(metric, "das2", scenario, policy)

    pairs = {p: [value("killed", f"EXT-FAIL-{x}", p) for x in "LM"] for p in _POLICIES}
    yield GridRow(
        "DAS-2-like: MetaCentrum's failures kill more than LANL's",
        "so in Fig. 5",
        ", ".join(f"{p} {low:.0f} / {high:.0f}" for p, (low, high) in pairs.items()),
        "O",
        _word(all(high > low for low, high in pairs.values())),
    )
    worst_one = [
        value("mean_wait_s", s, "fcfs") == max(value("mean_wait_s", s, p) for p in _POLICIES)
        for s in _DAS2
    ]
    hurts = [
        value("mean_wait_s", "EXT-REQ", p) > value("mean_wait_s", f"EXT-FAIL-{x}", p)
        for p in _POLICIES
        for x in "LM"
    ]
    yield GridRow(
        "DAS-2-like: FCFS worst; requirements hurt more than failures",
        "so in Fig. 5",
        "wait [s], EXT-FAIL-M / EXT-REQ: "
        + ", ".join(
            f"{p} {value('mean_wait_s', 'EXT-FAIL-M', p):.0f} / "
            f"{value('mean_wait_s', 'EXT-REQ', p):.0f}"
            for p in _POLICIES
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
    got = {suffix: len(feed) for suffix, feed in das2.failures.items()}
    return GridRow(
        "F = N D AFC failures (DAS-2-L, DAS-2-M)",
        "an identity",
        f"asked {list(wanted.values())}, generated {list(got.values())}",
        "E",
        _word(wanted == got),
    )


def _word(held: bool) -> Word:
    return "holds" if held else "fails"


def _table(found: Sequence[GridRow]) -> str:
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in found:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f": {row.note}" if row.note else ""
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict}{note} |")
    return "\n".join(lines)


def measures(results: Results, name: str) -> str:
    """Return everything that Figures 2, 3, 4 or 5 show, as a table."""
    policies = (*_POLICIES, *(("fcfs-lb",) if name == "grid5000" else ()))
    heads = [*_MEASURES.values(), "cancelled", "scheduler [s]"]
    lines = [
        f"| {name} | policy | " + " | ".join(heads) + " |",
        "|---|---|" + "---|" * len(heads),
    ]
    for scenario in PROBLEMS[name]:
        for policy in policies:
            cells = [
                str(results.estimate(metric, name, scenario, policy))
                for metric in (*_MEASURES, "cancelled", "scheduler_s")
            ]
            lines.append(f"| {scenario} | {policy} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def counts() -> str:
    """Return failures per machine and day of the three logs, the AFC of Figure 1."""
    lines = ["| log | failures per machine and day |", "|---|---|"]
    lines += [f"| {name} | {value:.4f} |" for name, value in afc_table().items()]
    return "\n".join(lines)
