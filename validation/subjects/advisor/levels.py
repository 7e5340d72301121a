"""What a job loses that asks an advisor of levels, more than by the exact best pattern.

Losses are relative to the exact mean, and so are the bounds: 0.1 is a tenth more time lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis.strategies as st

from perfmodel.advisor import CheckpointAdvisor
from perfmodel.levels import Level
from validation.advice.levels import Job, Makes, lost_above_exact
from validation.judge.compare import compare_at_most
from validation.judge.search import Property
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict

__all__ = ["LEVEL_CASES", "LEVEL_PROPERTIES", "RESTARTED", "RIGHT", "TOO_HIGH"]

_DAY = 86400.0
_FEWEST = 12


def above_exact_pattern(
    predict: Makes,
    budget: Budget,
    *,
    levels: Sequence[Level],
    mtbf: float,
    stated: Sequence[float],
    failures: float,
    prior: str,
    most: float,
    saved: bool = False,
) -> Verdict:
    """Judge by how much more is lost than in the exact mean of the best pattern."""
    lost = lost_above_exact(
        predict,
        Job(mtbf, tuple(levels)),
        stated=stated,
        failures=failures,
        prior=prior,
        saved=saved,
        seed=budget.seed,
        runs=max(budget.replications // 20_000, _FEWEST),
    )
    return compare_at_most(most, lost, scale=1.0, alpha=budget.alpha, tolerance=budget.tolerance)


def _two(survives: float, cost: float, durable: float) -> tuple[Level, ...]:
    return Level(cost, cost, survives), Level(durable, durable, 1.0)


_NINE_OF_TEN = _two(0.9, 10.0, 300.0)
_HALF = _two(0.5, 10.0, 300.0)
_THREE = (Level(5.0, 5.0, 0.6), Level(50.0, 50.0, 0.9), Level(900.0, 600.0, 1.0))
_DEAR = _two(0.97, 10.0, 4000.0)  # a durable one in three MTBFs

RIGHT = table(
    ("levels", "stated", "failures", "prior", "most"),
    (_NINE_OF_TEN, (0.9,), 10, "right", 0.08),
    (_THREE, (0.6, 0.9), 10, "right", 0.08),
    (_NINE_OF_TEN, (0.9,), 10, "nothing", 0.1),
    mtbf=_DAY,
)
TOO_HIGH = table(
    ("levels", "stated", "failures", "prior", "most"),
    (_HALF, (0.99,), 10, "right", 0.5),  # by theory 0.3; 0.6 if ten failures' worth is believed
    mtbf=_DAY,
)
RESTARTED = table(
    ("levels", "stated", "failures", "prior", "most", "saved"),
    (_DEAR, (0.97,), 20, "right", 0.12, True),
    mtbf=_DAY,
)

LEVEL_CASES = (
    Case(CheckpointAdvisor, above_exact_pattern, RIGHT, gate=0.05),
    Case(CheckpointAdvisor, above_exact_pattern, RESTARTED, gate=0.05),
    # When the first failure is lost decides over much.
    Case(CheckpointAdvisor, above_exact_pattern, TOO_HIGH, effort=2.5, gate=0.2),
)


@st.composite
def _machines(draw: st.DrawFn) -> Point:
    """Draw a machine and two levels; what is stated is right."""
    mtbf = 3600.0 * draw(st.floats(2.0, 48.0))
    cost = mtbf * 10.0 ** draw(st.floats(-4.0, -2.5))
    durable = min(cost * 10.0 ** draw(st.floats(0.3, 2.0)), 0.05 * mtbf)
    survives = draw(st.floats(0.3, 0.99))
    return {
        "levels": _two(survives, cost, durable),
        "mtbf": mtbf,
        "stated": (survives,),
        "failures": 10,
        "prior": "right",
        "most": 0.12,
    }


LEVEL_PROPERTIES = (Property(CheckpointAdvisor, above_exact_pattern, _machines(), effort=4.0),)
