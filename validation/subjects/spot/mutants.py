"""Wrong costs and chances on spot machines, each by one fault."""

from __future__ import annotations

from perfmodel.spot import (
    deadline_probability_spot,
    expected_cost_safety_net,
    spot_probability_safety_net,
)

from ..by_definition import mutants
from .definitions import COST_FAULTS, NET_FAULTS, SPOT_FAULTS, alone, cost, on_spot

__all__ = ["MUTANTS"]

MUTANTS = (
    *mutants(expected_cost_safety_net, cost, *COST_FAULTS),
    *mutants(spot_probability_safety_net, on_spot, *NET_FAULTS),
    *mutants(deadline_probability_spot, alone, *SPOT_FAULTS),
)
