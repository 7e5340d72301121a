"""How many spare blocks of nodes to have, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from asking.units import DURATIONS

from .answers import SparePlan, Standbys
from .case import MOST_SPARES, Case
from .scenario import Scenario

_EACH = 64  # spare blocks up to which every number is tried
_BEYOND = 9  # more than suffice: dear machines may want them
_AROUND, _STEPS = 4, 12  # of more: rows about those that matter, and rows from none on
_HOURS = DURATIONS["y"] / DURATIONS["h"]


def spares_of(case: Case) -> SparePlan | None:
    """Return the spare blocks that suffice, and the goodput of the plan by their number."""
    scenario, spares = case.scenario, case.scenario.spares
    if spares is None or spares.mttr is None:
        return None
    if scenario.failures.burst_mtbf is not None:
        raise ValueError(
            "spares.mttr must come without failures.burst_mtbf, which takes several nodes at once, "
            "got both"
        )
    job, chosen, confidence = case.job, case.chosen, case.spares_confidence
    needed = int(case.spares_needed(spares.mttr))
    why_not = chosen.protocol.why_not(job, "spares")
    if why_not is None and needed + _BEYOND > MOST_SPARES:
        why_not = f"it is computed for up to {MOST_SPARES} spare blocks, and {needed:,} are needed"
    if why_not is not None:
        return SparePlan(spares.block_nodes, confidence, needed, (), None, spares.standbys, why_not)

    @cache
    def share(count: int) -> float:
        # What is down does not change the time between two failures: the mean stop is all that
        # matters.
        stop = float(case.stops_with([count])[0])
        return job.work / chosen.mean(replace(job, downtime=stop)) if stop < np.inf else 0.0

    most = max(needed, spares.standbys or 0) + _BEYOND - 1
    best = _best(scenario, spares.block_nodes, share, most)
    counts = _counts(most, [needed, best, spares.standbys])
    price, nodes = scenario.prices.node_hour, scenario.machine.nodes
    assert nodes is not None
    yearly = None if price is None else price * nodes * _HOURS

    def worth(count: int) -> float | None:
        if yearly is None or count - 1 not in counts:
            return None
        return (share(count) - share(count - 1)) * yearly

    table = tuple(Standbys(count, share(count), worth(count)) for count in sorted(counts))
    return SparePlan(spares.block_nodes, confidence, needed, table, best, spares.standbys, None)


def _counts(most: int, about: list[int | None]) -> set[int]:
    """Return the numbers of spare blocks to tell of: all where they are few."""
    if most < _EACH + _BEYOND:
        return set(range(most + 1))
    known = [each for each in about if each is not None]
    near = {each + off for each in known for off in range(-_AROUND, _AROUND + 1)}
    steps = {round(each) for each in np.linspace(0.0, most, _STEPS)}
    return steps | {each for each in near if 0 <= each <= most}


def _best(
    scenario: Scenario, block_nodes: int, share: Callable[[int], float], most: int
) -> int | None:
    """Return the number of spare blocks with the largest gain beyond their price, if any has."""
    prices, nodes = scenario.prices, scenario.machine.nodes
    if prices.node_hour is None or nodes is None:
        return None
    each, yearly = prices.spare_node_year, prices.node_hour * _HOURS
    cost = block_nodes * (yearly if each is None else each)
    if cost == 0.0:
        return None  # each further one gains something

    def net(count: int) -> float:
        return share(count) * nodes * yearly - count * cost

    if most < _EACH + _BEYOND:
        return max(range(most + 1), key=net)
    # Each spare gains less than the one before it: the last one that pays is searched by halves.
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if net(middle) >= net(middle - 1) else (low, middle - 1)
    return low
