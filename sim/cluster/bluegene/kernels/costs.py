"""The partition whose allocation costs least, with what a forecaster says; see `allocation`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import BoolArray, FloatArray, IntArray
from ...kernels.decorators import kernel
from .state import ALARMS, BLOCKING, NEIGHBOURS, RELEASED, RISKY


@kernel
def cheapest(  # noqa: PLR0912 (a case, a branch)
    site: Any,
    nodes: Any,
    strikes: Any,
    after: IntArray,
    detectable: FloatArray,
    false_alarms: FloatArray,
    parts: Any,
    parents: IntArray,
    uses: IntArray,
    users: IntArray,
    idle: BoolArray,
    marks: IntArray,
    candidates: IntArray,
    count: int,
    start: float,
    end: float,
) -> int:
    """Return the first of `count` candidates that costs least for a job in (start, end]."""
    if count == 1:
        return candidates[0]
    if site.allocation != BLOCKING:
        _advance(site, nodes, strikes, after, start)
        _mark(site, nodes, detectable, false_alarms, users, marks, end)
    best, least = -1, np.inf
    for place in range(count):
        partition = candidates[place]
        one = parts[partition]
        sum_ = 0.0
        if site.allocation == NEIGHBOURS:
            site.looked += 1
            for at in range(one.uses, one.uses_past):
                nodes[uses[at]].own = site.looked
        for at in range(one.parents, one.parents_past):
            if idle[parents[at]]:
                if site.allocation == NEIGHBOURS:
                    sum_ += 1.0 - _risk_of_others(site, nodes, parts[parents[at]], uses)
                elif site.allocation != RISKY:
                    sum_ += 1.0
                elif marks[parents[at]] == site.stamp:
                    sum_ += 1.0 - site.if_struck
                else:
                    sum_ += 1.0 - site.otherwise
        cost = np.rint(sum_ * 1e9) / 1e9  # as the readable costs are rounded
        if site.allocation != BLOCKING:
            risk = site.if_struck if marks[partition] == site.stamp else site.otherwise
            if site.allocation != RELEASED:
                cost = site.alpha * cost + site.beta * risk
            else:
                cost += (one.parents_past - one.parents) * risk
        if best < 0 or cost < least:
            best, least = partition, cost
    return best


@kernel
def _risk_of_others(site: Any, nodes: Any, parent: Any, uses: IntArray) -> float:
    """Return the chance of a parent's midplanes that the candidate does not use; 0 of none."""
    risk = 0.0
    for at in range(parent.uses, parent.uses_past):
        one = nodes[uses[at]]
        if one.own != site.looked:
            if one.fails == site.stamp:
                return float(site.if_struck)
            risk = site.otherwise
    return float(risk)


@kernel
def _advance(site: Any, nodes: Any, strikes: Any, after: IntArray, start: float) -> None:
    """Forget failures up to and including `start`."""
    while site.seen < strikes.size and strikes[site.seen].time <= start:
        upcoming, one = after[site.seen], nodes[strikes[site.seen].node]
        one.upcoming = upcoming
        one.strikes_at = strikes[upcoming].time if upcoming >= 0 else np.inf
        site.seen += 1


@kernel
def _mark(
    site: Any,
    nodes: Any,
    detectable: FloatArray,
    false_alarms: FloatArray,
    users: IntArray,
    marks: IntArray,
    end: float,
) -> None:
    """Mark the partitions of which a midplane is forecast to fail by `end`."""
    site.stamp += 1
    for node in range(nodes.size):
        one = nodes[node]
        fails = one.strikes_at <= end
        if site.forecaster == ALARMS:
            if fails:
                fails = detectable[one.upcoming] < site.sensitivity
            else:
                fails = false_alarms[node] < site.false_rate
        if fails:
            one.fails = site.stamp
            for place in range(one.users, one.users_past):
                marks[users[place]] = site.stamp
