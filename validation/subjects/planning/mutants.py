"""Wrong plans, each by one fault in what is understood of a scenario."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from perfmodel.planning import Plan, plan
from perfmodel.units import seconds
from validation.judge.run import Mutant

from .cases import CASES

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


def _only_checkpoints(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return the plan with the goodput of the job without its failures."""
    found = plan(tables, brief=brief)
    if found.goodput is None or not found.goodput.losses:
        return found
    save = found.goodput.losses["checkpoint_save"]
    return replace(found, goodput=replace(found.goodput, value=1.0 - save))


def _scale_for_mean(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return the plan for a law of which the MTBF is the scale."""
    known = tables["failures"]
    if "law" not in known:
        return plan(tables, brief=brief)
    mean = seconds(known["mtbf"]) * math.gamma(1.0 + 1.0 / known["shape"])
    return plan({**tables, "failures": {**known, "mtbf": f"{mean!r}s"}}, brief=brief)


def _both_count(tables: Mapping[str, Any], *, brief: bool = False) -> Plan:
    """Return the plan with what both nodes of a pair do for twice the work."""
    found = plan(tables, brief=brief)
    if found.goodput is None or not found.goodput.losses:
        return found
    twice = found.goodput.losses.get("redundancy", 0.0)
    return replace(found, goodput=replace(found.goodput, value=found.goodput.value + twice))


_MEANS, _RUN, _SHARE, _ON_TIME, _BANDWIDTH, _PAIRS = (case.points for case in CASES)
_FIRST, _AGEING = _MEANS[:2]

MUTANTS = (
    Mutant(plan, "failures seen on other nodes", _without("failures.observed_nodes"), _FIRST),
    Mutant(plan, "no detection of failures", _without("job.detection"), _RUN[0]),
    Mutant(plan, "no recovery", _without("job.recovery"), _FIRST),
    Mutant(plan, "MTBF for the scale of a law", _scale_for_mean, _AGEING),
    Mutant(plan, "MTBF taken for known", _mtbf_as_known, _ON_TIME[0]),
    Mutant(plan, "deadline kept in half of all cases", _deadline_of_the_mean, _BANDWIDTH[0]),
    Mutant(plan, "bits for bytes", _bits, _FIRST),
    Mutant(plan, "both nodes of a pair count", _both_count, _PAIRS[0]),
    Mutant(plan, "goodput without failures", _only_checkpoints, _SHARE[0]),
)
