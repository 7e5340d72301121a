"""The MTBF of the nodes of a job, from what a scenario says of failures, with its limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from asking.units import human_count, human_duration

from .._checks import shown
from ..bursts import effective_mtbf_bursts
from ..estimate import Estimate, count_in_words, counted, of_nodes, of_rate, stated
from ..protocols.situation import ages

if TYPE_CHECKING:
    from .scenario import Failures, Scenario

FORMS = "mtbf, node_mtbf, failure_rate, failures with observed, or burst_mtbf with burst_size"


def mtbf_of(scenario: Scenario) -> Estimate | None:
    """Return the MTBF of the job, or None where nothing is known of failures.

    Raises
    ------
    ValueError
        If failures come in several forms, or a form lacks what it needs.
    """
    known, nodes = scenario.failures, scenario.machine.nodes
    _check_law(known)
    _check_together(known, ("lemon_share", "lemon_factor"))
    _check_together(known, ("burst_mtbf", "burst_size"))
    forms = [
        name
        for name in ("mtbf", "node_mtbf", "failure_rate", "failures")
        if getattr(known, name) is not None
    ]
    if len(forms) > 1:
        raise ValueError(f"failures must come in one form: {FORMS}; got {' and '.join(forms)}")
    form = forms[0] if forms else None
    if known.failures_per_burst is not None and form != "failures":
        raise ValueError(
            "failures.failures_per_burst must come with failures.failures, got it alone"
        )
    if known.observed is not None and form != "failures":
        raise ValueError("failures.observed must come with failures.failures, got it alone")
    if known.truncation == "failure" and form != "failures":
        raise ValueError("failures.truncation must come with failures.failures, got it alone")
    if form in {"node_mtbf", "failure_rate"} and nodes is None:
        raise ValueError(f"failures.{form} must come with machine.nodes, got it alone")
    if known.burst_mtbf is not None:
        return _with_bursts(scenario, form)
    if known.mtbf is not None:
        return stated(known.mtbf)
    if form is None:
        return None
    if form == "failures":
        return _counted(scenario)
    assert nodes is not None
    if known.node_mtbf is not None:
        return of_nodes(known.node_mtbf, nodes)
    assert known.failure_rate is not None
    node = human_duration(1.0 / known.failure_rate)
    words = f"a node fails every {node}, {nodes:,} nodes"
    return of_rate(known.failure_rate, nodes, words=words)


def _counted(scenario: Scenario) -> Estimate:
    """Return the MTBF by the failures seen, with the limits that their number leaves open."""
    known, nodes = scenario.failures, scenario.machine.nodes
    assert known.failures is not None
    if known.observed is None:
        raise ValueError("failures.failures must come with failures.observed, got it alone")
    observed, words = known.observed, f"in {human_duration(known.observed)}"
    if known.observed_nodes is not None:
        if nodes is None:
            raise ValueError("failures.observed_nodes must come with machine.nodes, got it alone")
        observed *= known.observed_nodes / nodes
        words += f" on {human_count(known.observed_nodes, 'node')}"
    count, each = known.failures, known.failures_per_burst
    if ages(known.law):
        if count == 0:
            raise ValueError(f"failures.failures must be at least 1 with failures.law, got {count}")
        # Limits are those of Poisson failures: under another law they would be wrong.
        return Estimate(observed / count, f"{count_in_words(count, each)} {words}")
    confidence = scenario.questions.confidence or 0.95
    return counted(
        count,
        observed,
        confidence=confidence,
        each=each,
        where=words,
        truncation=known.truncation,
    )


def _with_bursts(scenario: Scenario, form: str | None) -> Estimate:
    """Return the MTBF under bursts that strike several nodes at once, and single failures."""
    known, machine = scenario.failures, scenario.machine
    assert known.burst_mtbf is not None
    if form not in {None, "node_mtbf"}:
        raise ValueError(f"failures.burst_mtbf must come alone or with node_mtbf, got {form}")
    if machine.nodes is None or machine.machine_nodes is None:
        raise ValueError(
            "failures.burst_mtbf must come with machine.nodes and machine.machine_nodes, "
            "got it alone"
        )
    value = effective_mtbf_bursts(  # type: ignore[call-overload]
        machine.nodes,
        machine_nodes=machine.machine_nodes,
        burst_mtbf=known.burst_mtbf,
        burst_size=known.burst_size or 1.0,
        node_mtbf=math.inf if known.node_mtbf is None else known.node_mtbf,
        placement=known.placement,
    )
    words = f"a burst of {known.burst_size:g} nodes every {human_duration(known.burst_mtbf)}"
    return Estimate(float(value), words)


def _check_together(known: Failures, names: tuple[str, ...]) -> None:
    missing = [name for name in names if getattr(known, name) is None]
    if missing and len(missing) < len(names):
        given = next(name for name in names if name not in missing)
        raise ValueError(f"failures.{given} must come with failures.{missing[0]}, got it alone")


def _check_law(known: Failures) -> None:
    """Refuse a law without its spread, and a spread without a law."""
    given = [name for name in ("shape", "cv") if getattr(known, name) is not None]
    if not ages(known.law):
        if given:
            raise ValueError(f"failures.{given[0]} must come with failures.law, got it alone")
        return
    if len(given) != 1 or (known.law == "lognormal" and given != ["cv"]):
        wanted = "cv" if known.law == "lognormal" else "either shape or cv"
        got = " and ".join(given) or "none"
        raise ValueError(f"failures.law must come with {wanted}, got {shown(known.law)} with {got}")
