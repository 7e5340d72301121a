"""The formulas that an answer rests on, each with its source and range, from the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...formula import Formula
from ...planning import Plan
from ...protocols.synchronous import SYNCHRONOUS
from ...protocols.table import protocol_of
from .page import Page

__all__ = ["OF_FAILURES", "drawable", "of_plan", "show_formulas"]

OF_FAILURES = (
    "fit_lifetime",
    "mtbf_posterior",
    "failure_pattern",
    "optimal_interval",
    "best_segments",
    "expected_makespan",
)

_LETTERS = (
    "W is the work, w the work between two checkpoints, C the cost of one, R that of a recovery, "
    "D the downtime, mu the MTBF and lambda = 1/mu."
)
# What the catalogue's TeX has and mathtext does not know.
_WORDS = (
    (r"\\[bB]igg?[lr]?(?![a-zA-Z])", ""),
    (r"\\tfrac", r"\\frac"),
    (r"\\textstyle", ""),
    (r"\\le(?![a-zA-Z])", r"\\leq"),
    (r"\\ge(?![a-zA-Z])", r"\\geq"),
)


def of_plan(plan: Plan) -> tuple[str, ...]:
    """Return the names of the formulas that gave the numbers of a plan."""
    best, known, estimate = plan.checkpoint, plan.scenario.failures, plan.mtbf
    if best is None or plan.job is None:  # what an unknown input must be is sought with these
        return SYNCHRONOUS.formulas
    protocol = protocol_of(best.protocol)
    names = [*protocol.formulas_of(plan.job)]
    if best.present_interval is not None and not plan.job.ages:
        names.append("expected_makespan")
    if known.burst_mtbf is not None:
        names.append("effective_mtbf_bursts")
    if plan.completion is not None and plan.completion.predictive:
        names.append("predictive_makespan")
    if estimate is not None and estimate.low is not None:
        names.append("mtbf_posterior" if estimate.failures else "mtbf_confidence")
    if plan.goodput is not None and plan.goodput.losses is not None and protocol.shares:
        names.append(protocol.shares)
    if plan.spares is not None:
        names += ["spares_needed"] if plan.spares.why_not else ["spares_needed", "mean_stop"]
    if plan.costs is not None and plan.costs.energy is not None:
        names.append("expected_energy")
    if known.lemon_share is not None:
        names.append("node_mtbf_without_worst")
    return tuple(dict.fromkeys(names))


def show_formulas(page: Page, names: Iterable[str]) -> None:
    """Print each formula, what its letters are, its source and the range it is judged for."""
    from ...registry import FORMULAS

    rows = {row.name: row for row in FORMULAS}
    page.heading("Formulas, their sources and ranges")
    page.lines(_LETTERS)
    for row in (rows[name] for name in names):
        with page.entry(row.name):
            page.lines(row.summary.replace("`", ""))
            for line in (line for tex in row.equations for line in drawable(tex)):
                page.formula(line)
            page.lines(row.symbols.replace("`", ""))
            page.facts(_facts(row))


def _facts(row: Formula) -> list[tuple[str, str]]:
    kind = f"{row.kind} if {row.within}" if row.within else row.kind
    facts = [("source", f"{row.source}, {row.equation}"), ("after", " ".join(row.references))]
    facts.append(("kind", kind if row.range is None else f"{kind}, {row.range}"))
    return [*facts, ("judged for", row.statement.removeprefix("Judged for ").removesuffix("."))]


def drawable(tex: str) -> tuple[str, ...]:
    """Return the lines of an equation as mathtext can draw them."""
    lines = []
    for line in re.split(r"\\\\", tex):
        text = " ".join(line.replace("&", " ").split())
        for old, new in _WORDS:
            text = re.sub(old, new, text)
        lines.append(f"${text}$")
    return tuple(lines)
