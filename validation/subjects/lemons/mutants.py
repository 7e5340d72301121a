"""Wrong numbers for nodes of unequal rates, each by one fault."""

from __future__ import annotations

from functools import partial

from perfmodel.lemons import (
    effective_mtbf,
    effective_mtbf_gamma,
    expected_failures_lemons,
    node_mtbf_without_worst,
    node_mtbf_without_worst_gamma,
)
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import (
    FIRST_FAULTS,
    GAMMA_FAULTS,
    REMOVAL_FAULTS,
    REPAIR_FAULTS,
    failures_until_cured,
    first_failure,
    first_failure_gamma,
    without_worst,
)

__all__ = ["MUTANTS"]

MUTANTS = (
    *mutants(effective_mtbf, first_failure, *FIRST_FAULTS),
    *mutants(effective_mtbf_gamma, first_failure_gamma, *GAMMA_FAULTS),
    *mutants(expected_failures_lemons, failures_until_cured, *REPAIR_FAULTS),
    *(
        Mutant(function, fault, partial(without_worst, fault=fault))
        for function in (node_mtbf_without_worst, node_mtbf_without_worst_gamma)
        for fault in REMOVAL_FAULTS
    ),
)
