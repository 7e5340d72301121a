"""Wrong laws of the process of wsj."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from perfmodel.completion import gamma_error, wsj_compound, wsj_makespan
from perfmodel.validity import ValidityWarning
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


@dataclass(frozen=True, slots=True)
class _Moved:
    """A law moved in time."""

    law: Any
    by: float

    def cdf(self, t: Any) -> Any:
        return self.law.cdf(np.asarray(t) - self.by)


def _unshifted(work: float, *, checkpoint_cost: float = 0.0, **task: Any) -> Any:
    del checkpoint_cost
    return wsj_compound(work, **task)


def _no_rework(work: float, *, interval: float, checkpoint_cost: float = 0.0, **task: Any) -> Any:
    start = work * (1.0 + checkpoint_cost / interval)
    return _Moved(wsj_compound(work, interval=1e-6, **task), start - work)


def _mean_recovery(work: float, *, recovery_cost: Any = None, **task: Any) -> Any:
    cost = None if recovery_cost is None else float(getattr(recovery_cost, "mean", recovery_cost))
    return wsj_compound(work, recovery_cost=cost, **task)


def _recovery_once(work: float, *, recovery_cost: Any = None, **task: Any) -> Any:
    if recovery_cost is None:
        return wsj_compound(work, **task)
    moved = float(getattr(recovery_cost, "mean", recovery_cost))
    return _Moved(wsj_compound(work, recovery_cost=0.0, **task), moved)


def _printed(work: float, **task: Any) -> Any:
    # As printed, with half the spread of eq. (7): an error beyond the stated one.
    law = wsj_makespan(work, **task, printed=True)
    return _Moved(law, 0.5 * law.std)


def _silent(work: float, **task: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "cv of downtime", ValidityWarning)
        return wsj_makespan(work, **task)


def _half_error(work: float, **task: Any) -> float:
    return 0.5 * gamma_error(work, **task)


def _on_a_fixed_grid(work: float, **task: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        gamma, exact = wsj_makespan(work, **task), wsj_compound(work, **task)
    start = exact.atom[0]
    grid = np.concatenate([np.geomspace(1e-12, 1e-3, 200), np.geomspace(1e-3, 50.0, 1000)])
    t = start + (exact.mean - start) * grid
    return float(np.max(np.abs(gamma.cdf(t) - exact.cdf(t))))


MUTANTS: tuple[Mutant, ...] = (
    Mutant(wsj_compound, "support not moved by the storage cost", _unshifted),
    Mutant(wsj_compound, "rework dropped", _no_rework),
    Mutant(wsj_compound, "sigma_c of a recovery cost ignored", _mean_recovery),
    Mutant(wsj_compound, "recovery cost counted once", _recovery_once),
    Mutant(wsj_makespan, "half a deviation late", _printed),
    Mutant(wsj_makespan, "no warning of repairs that vary much", _silent),
    Mutant(gamma_error, "half of it", _half_error),
    Mutant(gamma_error, "at 1200 times alone", _on_a_fixed_grid),
)
