"""Wrong rates of bursts, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

from perfmodel.bursts import effective_mtbf_bursts, pair_mtbf_bursts
from validation.judge.run import Mutant

from .definitions import PAIR_FAULTS, STRUCK_FAULTS, interruptions, pair_losses

__all__ = ["MUTANTS"]


def _elsewhere(nodes: int, *, placement: str, **machine: Any) -> float:
    other = {"random": "contiguous", "contiguous": "random", "strided": "random"}[placement]
    return interruptions(nodes, placement=other, **machine)


MUTANTS = (
    *(
        Mutant(effective_mtbf_bursts, fault, partial(interruptions, fault=fault))
        for fault in STRUCK_FAULTS
    ),
    Mutant(effective_mtbf_bursts, "another placement", _elsewhere),
    *(Mutant(pair_mtbf_bursts, fault, partial(pair_losses, fault=fault)) for fault in PAIR_FAULTS),
)
