"""Random points for numbers of spares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

from perfmodel.parallel import spares_needed
from validation.judge.search import Property
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict

from ..laws import Law
from ..strategies import UNITS, times
from .cases import probability

__all__ = ["PROPERTIES"]

Predict = Callable[..., Any]


def spares_suffice(
    predict: Predict, budget: Budget, *, load: float, nodes: int, mtbf: float, confidence: float
) -> Verdict:
    """Expect the spares to suffice at random instants, and one fewer not to."""
    repair = Law("Exponential", (load * mtbf / nodes,))
    return probability(
        predict, budget, nodes=nodes, mtbf=mtbf, repair=repair, confidence=confidence
    )


SPARES = st.fixed_dictionaries(
    {
        "load": times(1.0, 0.3, 3.0, 10.0),
        "nodes": st.sampled_from((1, 10, 1000)),
        "mtbf": st.sampled_from(UNITS),
        "confidence": times(0.5, 0.8, 0.9, 0.97),
    }
)

PROPERTIES = (Property(spares_needed, spares_suffice, SPARES, 40.0),)
