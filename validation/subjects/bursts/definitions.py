"""Rates of bursts that strike a job or a pair: every size of a burst, and every place counted."""

from __future__ import annotations

import math

import numpy as np

from validation.judge.chance import FloatArray

__all__ = ["PAIR_FAULTS", "STRUCK_FAULTS", "interruptions", "pair_losses"]

STRUCK_FAULTS = (
    "an interruption for each node struck",
    "bursts of one node",
    "each burst strikes the job",
    "bursts of just the mean size",
    "bursts are not cut at the machine",
    "failures that come alone dropped",
    "size counted from 0",
)
PAIR_FAULTS = (
    "one way around the ring",
    "either node",
    "distance counted from 0",
    "the whole machine never struck",
    "few digits of sizes hardly above one",
)


def _sizes(machine_nodes: int, burst_size: float, fault: str = "") -> tuple[FloatArray, FloatArray]:
    """Return the sizes that a burst can have, and their probabilities; the last is all nodes."""
    size = np.arange(1.0, machine_nodes + 1.0)
    u = (burst_size - 1.0) / burst_size
    if fault == "few digits of sizes hardly above one":
        u = 1.0 - 1.0 / burst_size
    chance = u ** (size - 1.0) / burst_size
    chance[-1] = u ** (machine_nodes - 1.0)
    if fault in {"bursts are not cut at the machine", "the whole machine never struck"}:
        chance[-1] = 0.0
    if fault == "size counted from 0":
        chance = np.append(chance[1:], 0.0)
    if fault in {"bursts of just the mean size", "bursts of one node"}:
        mean = burst_size if fault == "bursts of just the mean size" else 1.0
        chance = np.zeros(machine_nodes)
        chance[min(machine_nodes, round(mean)) - 1] = 1.0
    return size, chance


def interruptions(
    nodes: int,
    *,
    machine_nodes: int,
    burst_mtbf: float,
    burst_size: float,
    node_mtbf: float = math.inf,
    placement: str = "random",
    fault: str = "",
) -> float:
    """Return the mean time between interruptions, from the places at which a burst may begin."""
    size, chance = _sizes(machine_nodes, burst_size, fault)
    struck: FloatArray
    if fault == "an interruption for each node struck":
        struck = size * nodes / machine_nodes
    elif fault == "each burst strikes the job":
        struck = np.ones(machine_nodes)
    elif placement == "contiguous":
        struck = np.minimum(size + nodes - 1, machine_nodes) / machine_nodes
    elif placement == "strided":
        gap = machine_nodes // nodes
        struck = np.minimum(size, gap) / gap
    else:  # one node of the burst after the other misses the job
        left = np.arange(float(machine_nodes), 0.0, -1.0)
        struck = 1.0 - np.cumprod((left - nodes).clip(0) / left)
    alone = 0.0 if fault == "failures that come alone dropped" else nodes / node_mtbf
    return float(1.0 / (alone + chance @ struck / burst_mtbf))


def pair_losses(
    distance: int, *, machine_nodes: int, burst_mtbf: float, burst_size: float, fault: str = ""
) -> float:
    """Return the mean time between bursts that take both, from the places where they may begin."""
    size, chance = _sizes(machine_nodes, burst_size, fault)
    apart = distance - 1 if fault == "distance counted from 0" else distance
    one = (size - apart).clip(0)
    other = (size - machine_nodes + apart).clip(0)
    both = (one + other) / machine_nodes
    if fault == "one way around the ring":
        both = one / machine_nodes
    if fault == "either node":
        both = np.minimum(2 * size, machine_nodes) / machine_nodes
    both[-1] = 1.0
    lost = float(chance @ np.minimum(both, 1.0))
    return burst_mtbf / lost if lost > 0.0 else math.inf
