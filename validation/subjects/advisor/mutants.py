"""Wrong advisors: that learn too slowly, or nothing, or too much, or forget; also of levels."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from perfmodel.advisor import CheckpointAdvisor, Prior
from perfmodel.advisor.belief import MTBFS, Belief
from perfmodel.advisor.copies import Copies
from perfmodel.advisor.memory import Memory
from perfmodel.advisor.tracked import Tracked
from validation.judge.run import Mutant
from validation.judge.trial import Point

from .cases import HARD, MISLED, POISSON, TENFOLD
from .levels import RESTARTED, RIGHT, TOO_HIGH

__all__ = ["MUTANTS", "TOLD_APART", "Frozen", "Resetting", "weak_prior"]

_FEW = 15.0 * 86400.0  # half a failure in it: weeks of silence that nobody saw


def weak_prior(*, cost: float, prior: Prior) -> CheckpointAdvisor:
    """Return one that begins with half a failure in 15 days, whatever is known."""
    del prior
    return CheckpointAdvisor(cost, Prior(0.5, _FEW))


class _OneRate(CheckpointAdvisor):
    def __post_init__(self) -> None:
        self.two_phases = False
        super().__post_init__()


class Frozen(_OneRate):
    """One that never learns."""

    def _passed(self, now: float, *, failed: bool = False) -> dict[str, Any]:
        return {**super()._passed(now, failed=failed), "belief": self.memory.belief}


class Resetting(_OneRate):
    """One that knows no more at each restart than at first."""

    def started(self, now: float) -> None:
        """Hear that the job runs from `now` on."""
        self.memory = self.memory._replace(belief=Belief.of(Prior.unknown()))
        super().started(now)


class _CountsTwice(_OneRate):
    def _struck(self, now: float) -> dict[str, Any]:
        struck = super()._struck(now)
        return {**struck, "belief": struck["belief"].after_failure()}


class _DeafToSilence(_OneRate):
    def _passed(self, now: float, *, failed: bool = False) -> dict[str, Any]:
        known = Belief(self.memory.present.weights)
        if failed:
            known = known.after_failure()
        return {**super()._passed(now, failed=failed), "belief": known}


class _ConstantRate(Belief):
    """A belief in one rate that never changes."""

    __slots__ = ()

    def _spread(self, weights: Any, share: float) -> Belief:
        del share
        return _ConstantRate(np.maximum(weights / weights.sum(), 1e-300))


class _MeanMtbf(Belief):
    """A belief of which the mean MTBF is taken, not the mean rate."""

    __slots__ = ()

    @property
    def rate(self) -> float:
        return 1.0 / float(self.weights @ MTBFS)

    def _spread(self, weights: Any, share: float) -> Belief:
        return _MeanMtbf(Belief._spread(self, weights, share).weights)


class _WithoutChange(_OneRate):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.memory = self.memory._replace(belief=_ConstantRate(self.memory.present.weights))


class _ByMeanMtbf(_OneRate):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.memory = self.memory._replace(belief=_MeanMtbf(self.memory.present.weights))


class _CostNotTracked(CheckpointAdvisor):
    def _choose(self, now: float, memory: Memory) -> None:
        super()._choose(now, memory._replace(cost=Tracked(self.cost)))


class _BelievesTheStatement(CheckpointAdvisor):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.memory = self.memory._replace(cost=Tracked(self.cost))


class _OnTheLast(CheckpointAdvisor):
    """One that saves on the last level alone."""

    def __post_init__(self) -> None:
        self._last = len(self.levels) + 1
        self.levels = ()
        super().__post_init__()

    def next_level(self) -> int:
        return self._last

    def checkpoint_begun(self, now: float, level: int | None = None) -> None:
        del level
        super().checkpoint_begun(now)

    def restored(self, now: float, level: int | None = None) -> None:
        del level
        super().restored(now)


class _NeverDurable(CheckpointAdvisor):
    def next_level(self) -> int:
        return 1


class _Deaf(Copies):
    """Of levels of which nothing is learnt from failures."""

    __slots__ = ()

    def resumed(self, level: int) -> Copies:
        return replace(Copies.resumed(self, level), read=self.read)


class _SharesAsStated(CheckpointAdvisor):
    def __post_init__(self) -> None:
        super().__post_init__()
        if (copies := self.memory.copies) is not None:
            known = {field.name: getattr(copies, field.name) for field in fields(copies)}
            self.memory = self.memory._replace(copies=_Deaf(**known))


class _NearlyAllSurvived(_SharesAsStated):
    """One that takes copies to survive 99.5 % of the failures at least, for ever."""

    def __post_init__(self) -> None:
        self.levels = [replace(level, survives=max(level.survives, 0.995)) for level in self.levels]
        super().__post_init__()


class _ForgetsCopies(CheckpointAdvisor):
    """One whose file does not say how much work lies in lower copies alone."""

    @classmethod
    def load(cls, path: str | Path) -> CheckpointAdvisor:
        found = super().load(path)
        if (copies := found.memory.copies) is not None:
            copies = replace(copies, work=(0.0,) * len(copies.work))
            found.memory = found.memory._replace(copies=copies)
        return found


# Worse advisors, also shown in the table beside the right one.
TOLD_APART = {
    "half a failure in 15 days": weak_prior,
    "never learns": Frozen,
    "begins anew at each restart": Resetting,
}
_SHOWN_AT: dict[str, Point] = {
    "half a failure in 15 days": POISSON[1],
    "never learns": TENFOLD[0],
    "begins anew at each restart": TENFOLD[0],
}

MUTANTS = (
    *(
        Mutant(CheckpointAdvisor, fault, wrong, shown_at=_SHOWN_AT[fault])
        for fault, wrong in TOLD_APART.items()
    ),
    Mutant(CheckpointAdvisor, "each failure counted twice", _CountsTwice, shown_at=TENFOLD[0]),
    Mutant(CheckpointAdvisor, "silence not heard", _DeafToSilence, shown_at=HARD[0]),
    Mutant(CheckpointAdvisor, "a rate that never changes", _WithoutChange, shown_at=TENFOLD[1]),
    Mutant(CheckpointAdvisor, "the mean MTBF for the mean rate", _ByMeanMtbf, shown_at=POISSON[1]),
    Mutant(CheckpointAdvisor, "the stated cost for ever", _CostNotTracked, shown_at=HARD[-1]),
    Mutant(CheckpointAdvisor, "a statement worth nine", _BelievesTheStatement, shown_at=MISLED[0]),
    Mutant(CheckpointAdvisor, "the last level alone", _OnTheLast, shown_at=RIGHT[0]),
    Mutant(CheckpointAdvisor, "never on the last level", _NeverDurable, shown_at=RIGHT[0]),
    Mutant(CheckpointAdvisor, "shares as stated for ever", _SharesAsStated, shown_at=TOO_HIGH[0]),
    Mutant(CheckpointAdvisor, "nearly all survived", _NearlyAllSurvived, shown_at=RIGHT[0]),
    Mutant(
        CheckpointAdvisor, "copies forgotten at a restart", _ForgetsCopies, shown_at=RESTARTED[0]
    ),
)
