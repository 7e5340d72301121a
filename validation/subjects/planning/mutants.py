"""Wrong plans, each by one fault in what is understood of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from perfmodel.planning import Plan, plan
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _without(*keys: str) -> Any:
    """Return a plan that does not see some keys."""

    def wrong(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
        seen = {
            section: {key: value for key, value in table.items() if f"{section}.{key}" not in keys}
            for section, table in tables.items()
        }
        return plan(seen, brief=brief)

    return wrong


def _mtbf_as_known(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return the plan for the MTBF of the count as if it were the true one."""
    del brief
    return plan(tables, brief=True)


def _deadline_of_the_mean(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return a plan that keeps to its deadline in every second case."""
    changed = {**tables, "deadline": {**tables.get("deadline", {}), "probability": 0.5}}
    return plan(changed, brief=brief)


def _bits(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return the plan with bits for bytes."""
    size = tables["checkpoint"].get("size")
    if size is None:
        return plan(tables, brief=brief)
    eight = {**tables["checkpoint"], "size": f"{8.0 * float(size.removesuffix('TB'))!r}TB"}
    return plan({**tables, "checkpoint": eight}, brief=brief)


def _present(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return the plan with the goodput of the job without its failures."""
    found = plan(tables, brief=brief)
    if found.goodput is None or not found.goodput.losses:
        return found
    save = found.goodput.losses["checkpoint_save"]
    return replace(found, goodput=replace(found.goodput, value=1.0 - save))


MUTANTS = (
    Mutant(plan, "failures seen on other nodes", _without("failures.observed_nodes")),
    Mutant(plan, "no detection of failures", _without("job.detection")),
    Mutant(plan, "no recovery", _without("job.recovery")),
    Mutant(plan, "exponential uptimes for any law", _without("failures.law", "failures.shape")),
    Mutant(plan, "MTBF taken for known", _mtbf_as_known),
    Mutant(plan, "deadline kept in half of all cases", _deadline_of_the_mean),
    Mutant(plan, "bits for bytes", _bits),
    Mutant(plan, "goodput without failures", _present),
)
