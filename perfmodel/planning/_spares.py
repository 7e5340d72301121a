"""How many spare blocks of nodes to have, and what each is worth."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from asking.units import DURATIONS

from ..parallel import spares_needed
from ..protocols.situation import Situation
from ..standbys import mean_stop
from ._chosen import Chosen
from .answers import SparePlan, Standbys
from .scenario import Scenario

__all__ = ["blocks_of", "spares_of"]

_MOST = 64  # spare blocks that are tried
_BEYOND = 9  # more than suffice: dear machines may want them
_HOURS = DURATIONS["y"] / DURATIONS["h"]


def blocks_of(scenario: Scenario) -> int:
    """Return the number of blocks that the job needs, or raise where the scenario does not say."""
    nodes, spares = scenario.machine.nodes, scenario.spares
    assert spares is not None
    if nodes is None:
        raise ValueError("spares must come with machine.nodes, got it alone")
    return math.ceil(nodes / spares.block_nodes)


def spares_of(scenario: Scenario, job: Situation, chosen: Chosen) -> SparePlan | None:
    """Return the spare blocks that suffice, and the goodput of the plan by their number."""
    spares = scenario.spares
    if spares is None or spares.mttr is None:
        return None
    if scenario.failures.burst_mtbf is not None:
        raise ValueError(
            "spares.mttr must come without failures.burst_mtbf, which takes several nodes at once, "
            "got both"
        )
    blocks = blocks_of(scenario)
    confidence = 0.99 if spares.confidence is None else spares.confidence
    needed = float(spares_needed(blocks, job.mtbf * blocks, spares.mttr, confidence))
    if not needed <= _MOST:
        raise ValueError(
            f"spares.mttr must be so short that {_MOST} spare blocks suffice, got {needed:,.0f} "
            "needed: take larger blocks"
        )
    why_not = chosen.protocol.why_not(job, "spares")
    if why_not is not None:
        return SparePlan(spares.block_nodes, confidence, int(needed), (), None, why_not)
    counts = np.arange(max(int(needed), spares.standbys or 0) + _BEYOND)
    stops = mean_stop(
        blocks,
        counts,
        block_mtbf=job.mtbf * blocks,
        mttr=spares.mttr,
        switch_time=job.downtime if spares.switch_time is None else spares.switch_time,
        standby_hazard=spares.standby_hazard or 0.0,
    )
    # What is down does not change the time between two failures: the mean stop is all that matters.
    shares = [
        job.work / chosen.mean(replace(job, downtime=float(stop))) if stop < np.inf else 0.0
        for stop in stops
    ]
    price, nodes = scenario.prices.node_hour, scenario.machine.nodes
    assert nodes is not None
    yearly = None if price is None else price * nodes * _HOURS
    gains = np.diff(shares, prepend=0.0)
    table = tuple(
        Standbys(
            int(count),
            float(share),
            None if yearly is None or count == 0 else float(gain) * yearly,
        )
        for count, share, gain in zip(counts, shares, gains, strict=True)
    )
    return SparePlan(
        spares.block_nodes,
        confidence,
        int(needed),
        table,
        _best(scenario, spares.block_nodes, table),
        None,
    )


def _best(scenario: Scenario, block_nodes: int, table: tuple[Standbys, ...]) -> int | None:
    """Return the number of spare blocks with the largest gain beyond their price."""
    prices, nodes = scenario.prices, scenario.machine.nodes
    if prices.node_hour is None or nodes is None:
        return None
    each, yearly = prices.spare_node_year, prices.node_hour * _HOURS
    cost = block_nodes * (yearly if each is None else each)
    return max(table, key=lambda row: row.goodput * nodes * yearly - row.standbys * cost).standbys
