"""A sweep answers where enough of its points do, in whichever order they come."""

import pytest

from validation.judge.trial import Budget, trials
from validation.judge.verdict import Verdict
from validation.ranges.sweeps import Sweep, case

BUDGET = Budget(seed=3, replications=1, alpha=0.01)


def formula():
    """Nothing: the judge below does not call it."""


@pytest.mark.parametrize(
    ("quick", "first", "unanswered", "points", "answered"),
    [
        (4, 0, 1, 4, True),
        (4, 3, 1, 4, True),
        (4, 0, 3, 4, True),
        # None of the four is answered: a fifth is drawn, but they are too many.
        (4, 0, 4, 5, False),
        # Three may be chance, also of a sweep of one point, as long as another one is answered.
        (1, 0, 3, 4, True),
        (1, 0, 4, 4, False),
    ],
)
def test_points_without_an_answer_are_counted_in_any_order(
    quick, first, unanswered, points, answered
):
    seen = []

    def partly(predict, budget, **point):
        del predict, budget, point
        seen.append(None)
        known = not first < len(seen) <= first + unanswered
        return Verdict("exact", 0.0, 0.0, 0.0, 0.0, 1e-9, passed=known, note="", answered=known)

    sweep = Sweep(formula, partly, lambda fraction: {"x": fraction()}, quick=quick, unanswered=0.75)
    (trial,) = trials([case(sweep)])
    verdict = trial.run(BUDGET)
    assert len(seen) == points
    assert (verdict.passed, verdict.answered) == (answered, answered)
    assert f"{unanswered} " in verdict.note
