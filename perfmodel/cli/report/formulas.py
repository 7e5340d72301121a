"""The formulas that an answer rests on, each with its source and range, from the catalogue."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping

from ...answers.words.plan import large
from ...formula import Formula
from ...planning import Plan
from ...protocols.synchronous import SYNCHRONOUS
from ...protocols.table import protocol_of
from .page import Page

OF_FAILURES = (
    "fit_lifetime",
    "mtbf_posterior",
    "failure_pattern",
    "optimal_interval",
    "best_segments",
    "expected_makespan",
)

_OF_SPARES = ("spares_needed", "mean_stop")
_LETTERS = (
    "W is the work, w the work between two checkpoints, C the cost of one, R that of a recovery, "
    "D the downtime, mu the MTBF and lambda = 1/mu."
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
    wanted = [rows[name] for name in names]
    with page.folded(", ".join(row.name for row in wanted)):
        page.lines(_LETTERS)
        for row in wanted:
            with page.entry(row.name):
                page.lines(row.summary.replace("`", ""))
                for line in (line for tex in row.equations for line in drawable(tex)):
                    page.formula(line)
                page.lines(row.symbols.replace("`", ""))
                page.facts(_facts(row))


def beyond(plan: Plan, names: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each range of a formula, checked by simulation, that a plan leaves."""
    from ...registry import FORMULAS

    if plan.checkpoint is None or plan.job is None:
        return
    known = _values(plan)
    judged = {*protocol_of(plan.checkpoint.protocol).formulas_of(plan.job), *_OF_SPARES}
    for row in FORMULAS:
        if row.name not in judged & set(names):
            continue
        values = known
        if row.name == "spares_needed":  # whose machines are blocks
            values = {"mtbf": known.get("block_mtbf"), "mttr": known.get("mttr")}
        for ratio, (low, high) in row.ranges.items():
            value = _ratio(ratio, values)
            if value is not None and not low <= value <= high:
                yield (
                    f"Farther than was checked by simulation: {ratio} is {large(value)} here, and "
                    f"{row.name} was checked from {low:g} to {large(high)}."
                )


def _values(plan: Plan) -> dict[str, float | None]:
    """Return the numbers of a plan under the names that formulas have for them."""
    job, best, spares = plan.job, plan.checkpoint, plan.scenario.spares
    if job is None or best is None:
        return {}
    cost = protocol_of(best.protocol).cost or "checkpoint_cost"
    values: dict[str, float | None] = {
        "work": job.work,
        "mtbf": job.mtbf,
        "interval": min(best.interval, job.work),
        "checkpoint_cost": getattr(job, cost),
        "recovery_cost": job.recovery_cost,
        "downtime": job.downtime,
        "latency": job.latency,
        "local_cost": job.local_cost,
        "durable_cost": job.checkpoint_cost,
        "local_recovery": job.local_recovery,
        "durable_recovery": job.recovery_cost,
        "durable_every": best.durable_every,
        "survived": job.survived,
    }
    if plan.spares is not None and spares is not None and plan.scenario.machine.nodes is not None:
        blocks = math.ceil(plan.scenario.machine.nodes / plan.spares.block_nodes)
        values |= {
            "blocks": float(blocks),
            "block_mtbf": job.mtbf * blocks,
            "mttr": spares.mttr,
            "standbys": float(plan.spares.needed),
            "switch_time": job.downtime - job.wait,
        }
    return values


def _ratio(words: str, values: Mapping[str, float | None]) -> float | None:
    """Return a ratio such as ``mttr*blocks/block_mtbf``; None where a number of it is unknown."""
    over, *under = words.split("/")
    found = 1.0
    for place, names in enumerate((over, *under)):
        for name in names.split("*"):
            value = values.get(name)
            if not value or not math.isfinite(value):
                return None
            found = found / value if place else found * value
    return found


def _facts(row: Formula) -> list[tuple[str, str]]:
    kind = f"{row.kind} if {row.within}" if row.within else row.kind
    facts = [("source", f"{row.source}, {row.equation}"), ("after", " ".join(row.references))]
    facts.append(("kind", kind if row.range is None else f"{kind}, {row.range}"))
    return [
        *facts,
        ("checked by simulation for", row.statement.removeprefix("Judged for ").removesuffix(".")),
    ]


def drawable(tex: str) -> tuple[str, ...]:
    """Return the lines of an equation."""
    return tuple(" ".join(line.replace("&", " ").split()) for line in re.split(r"\\\\", tex))
