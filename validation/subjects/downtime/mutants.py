"""Wrong busy periods, wrong laws of the process of wsj, and wrong numbers of spares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from perfmodel.completion import (
    busy_period_mean,
    busy_period_transform,
    busy_period_variance,
    gamma_error,
    wsj_compound,
    wsj_makespan,
)
from perfmodel.parallel import spares_needed
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _moments(downtime: Any) -> tuple[float, float]:
    return float(getattr(downtime, "mean", downtime)), float(getattr(downtime, "variance", 0.0))


def _not_at_risk(*, mtbf: float, downtime: Any) -> float:
    del mtbf
    return _moments(downtime)[0]


def _load_twice(*, mtbf: float, downtime: Any) -> float:
    mean, _ = _moments(downtime)
    return mean / (1.0 - mean / mtbf) ** 2


def _square_of_load(*, mtbf: float, downtime: Any) -> float:
    mean, variance = _moments(downtime)
    load = mean / mtbf
    return (variance + mean**2) / (1.0 - load) ** 2 - (mean / (1.0 - load)) ** 2


def _one_repair(s: float, *, mtbf: float, downtime: Any) -> float:
    del mtbf
    law = downtime if hasattr(downtime, "laplace") else None
    return float(law.laplace(s)) if law is not None else float(np.exp(-s * downtime))


def _unshifted(work: float, *, checkpoint_cost: float = 0.0, **task: Any) -> Any:
    del checkpoint_cost
    return wsj_compound(work, **task)


def _no_rework(work: float, *, interval: float, checkpoint_cost: float = 0.0, **task: Any) -> Any:
    start = work * (1.0 + checkpoint_cost / interval)
    return _Moved(wsj_compound(work, interval=1e-6, **task), start - work)


@dataclass(frozen=True, slots=True)
class _Moved:
    """A law moved in time."""

    law: Any
    by: float

    def cdf(self, t: Any) -> Any:
        return self.law.cdf(np.asarray(t) - self.by)


def _printed(work: float, **task: Any) -> Any:
    # As printed, with half the spread of eq. (7): an error beyond the stated one.
    law = wsj_makespan(work, **task, printed=True)
    return _Moved(law, 0.5 * law.std)


def _half_error(work: float, **task: Any) -> float:
    return 0.5 * gamma_error(work, **task)


def _on_average(nodes: float, mtbf: float, mttr: float, confidence: float) -> float:
    del confidence
    return float(np.ceil(nodes * mttr / mtbf))


def _machine_mtbf(nodes: float, mtbf: float, mttr: float, confidence: float, **rest: Any) -> float:
    return float(spares_needed(nodes, mtbf / nodes, mttr, confidence, **rest))


def _one_short(nodes: float, mtbf: float, mttr: float, confidence: float) -> float:
    return float(spares_needed(nodes, mtbf, mttr, confidence)) - 1.0


MUTANTS: tuple[Mutant, ...] = (
    Mutant(busy_period_mean, "no failures during repair", _not_at_risk),
    Mutant(busy_period_mean, "the load taken twice", _load_twice),
    Mutant(busy_period_variance, "the load squared, not cubed", _square_of_load),
    Mutant(busy_period_transform, "no failures during repair", _one_repair),
    Mutant(wsj_compound, "support not moved by the storage cost", _unshifted),
    Mutant(wsj_compound, "rework dropped", _no_rework),
    Mutant(wsj_makespan, "half a deviation late", _printed),
    Mutant(gamma_error, "half of it", _half_error),
    Mutant(spares_needed, "the number down on average", _on_average),
    Mutant(spares_needed, "one short", _one_short),
    Mutant(spares_needed, "the machine's MTBF taken for a node's", _machine_mtbf),
)
