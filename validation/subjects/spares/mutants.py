"""Wrong numbers of spares."""

from __future__ import annotations

from typing import Any

import numpy as np

from perfmodel.parallel import spares_needed
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _on_average(nodes: float, mtbf: float, mttr: float, confidence: float) -> float:
    del confidence
    return float(np.ceil(nodes * mttr / mtbf))


def _machine_mtbf(nodes: float, mtbf: float, mttr: float, confidence: float, **rest: Any) -> float:
    return float(spares_needed(nodes, mtbf / nodes, mttr, confidence, **rest))


def _one_short(nodes: float, mtbf: float, mttr: float, confidence: float) -> float:
    return float(spares_needed(nodes, mtbf, mttr, confidence)) - 1.0


MUTANTS: tuple[Mutant, ...] = (
    Mutant(spares_needed, "the number down on average", _on_average),
    Mutant(spares_needed, "one short", _one_short),
    Mutant(spares_needed, "the machine's MTBF taken for a node's", _machine_mtbf),
)
