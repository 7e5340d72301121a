"""Numbers of spares, against the nodes that are down at random instants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.parallel import spares_needed
from sim.streams import stream
from validation.judge.chance import FloatArray
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, draw, predictable

__all__ = ["CASES"]

Predict = Callable[..., Any]


def probability(
    predict: Predict, budget: Budget, *, nodes: int, mtbf: float, repair: Any, confidence: float
) -> Verdict:
    """Expect the spares to suffice at random instants, and one fewer not to."""
    law = predictable(repair)
    mttr = float(getattr(law, "mean", law))
    spares = float(predict(nodes, mtbf, mttr, confidence))
    down = _down_at_instants(budget, nodes, mtbf, mttr, repair)
    enough, fewer = float(np.mean(down <= spares)), float(np.mean(down < spares))
    stderr = float(np.sqrt(confidence * (1.0 - confidence) / down.size))
    nearer = enough if abs(enough - confidence) < abs(fewer - confidence) else fewer
    seen = abs(nearer - confidence) > 4.0 * stderr
    passed = seen and fewer < confidence <= enough
    return Verdict(
        "exact",
        confidence,
        float(nearer),
        stderr,
        float((nearer - confidence) / stderr),
        4.0 * stderr / confidence,
        passed=passed,
        note="" if passed else f"{fewer:.4f} with one fewer, {enough:.4f} with them",
        answered=seen,
    )


def _down_at_instants(
    budget: Budget, nodes: int, mtbf: float, mttr: float, repair: Any
) -> FloatArray:
    """Return the numbers of repairs under way at some instants; spares replace failed nodes."""
    rng = stream(budget.seed)
    count = budget.replications
    gaps = (mtbf / nodes) * rng.standard_exponential(count)
    start = np.cumsum(gaps)
    end = start + draw(repair, seed=budget.seed + 1, replications=count)
    # Instants ten repairs apart, after the first repairs have ended.
    instants = np.linspace(start[count // 10], start[-1], int(count * mtbf / nodes / (10.0 * mttr)))
    started = np.searchsorted(start, instants, side="right")
    ended = np.searchsorted(np.sort(end), instants, side="right")
    return np.asarray(started - ended, dtype=np.float64)


_SPARES = {"nodes": 40, "mtbf": 100.0, "repair": Law("LogNormal", (1.0, 1.0)), "confidence": 0.93}

CASES: tuple[Case, ...] = (Case(spares_needed, probability, (_SPARES,), effort=2.0),)
