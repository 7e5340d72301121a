"""Control variates on generated data: no bias, less variance, and what wrong ones would do."""

import numpy as np
import pytest

from sim.records import AttemptRecords, Outcome
from validation.reproduction.controls import LEAST, controlled, surprise
from validation.reproduction.estimates import estimate

HAZARD, ATTEMPTS, DRAWS = 0.3, 40, 2_000
UNTIL = 2.0


def attempts(rng, last):
    """Return attempts of `last` [s] that exponential failures cut, as a replay records them."""
    until = rng.exponential(1.0 / HAZARD, size=last.size)
    until[until > UNTIL] = np.inf  # the feed of failures has ended
    nothing = np.zeros(last.size)
    return AttemptRecords(
        position=np.arange(last.size),
        start=nothing,
        end=np.minimum(until, last),
        outcome=np.where(until < last, Outcome.FAILED, Outcome.COMPLETED),
        processors=np.ones(last.size, dtype=np.int64),
        useful=nothing,
        lost=nothing,
        checkpoint=nothing,
        recovery=nothing,
    )


def standing(sample):
    """Return how many standard errors a mean is from 0."""
    return sample.mean() / (sample.std(ddof=1) / np.sqrt(sample.size))


@pytest.fixture(scope="module")
def drawn():
    """Return by draw the lost time, and what was chance in the strikes and in the loss."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(DRAWS):
        # As under a policy that looks back: after the first half jobs are as long as it went well.
        early = attempts(rng, rng.uniform(0.5, 3.0, size=ATTEMPTS // 2))
        well = np.mean(early.outcome == Outcome.COMPLETED)
        late = attempts(rng, rng.uniform(0.5, 3.0, size=ATTEMPTS // 2) * well)
        lost, failed, due, wrong = 0.0, 0.0, 0.0, 0.0
        for each in (early, late):
            hazard = np.full(ATTEMPTS // 2, HAZARD)
            lost += each.end[each.outcome == Outcome.FAILED].sum()
            failed += surprise(each, hazard, UNTIL).sum()
            due += surprise(each, hazard, UNTIL, lost=True).sum()
            wrong += surprise(each, hazard, np.inf, lost=True).sum()
        found.append((lost, failed, due, wrong))
    return np.array(found).T


def test_what_failures_bring_by_chance_is_nothing_in_the_mean(drawn):
    _, failed, due, wrong = drawn
    assert abs(standing(failed)) < 3.5
    assert abs(standing(due)) < 3.5
    assert abs(standing(wrong)) > 8.0  # as if failures never ended


@pytest.mark.parametrize("seeds", [20, 60])
def test_the_mean_stays_and_its_variance_falls(drawn, seeds):
    lost, failed, due, _ = drawn[:, : DRAWS // seeds * seeds].reshape(4, -1, seeds)
    truth = drawn[0].mean()
    found = np.array(
        [controlled(*each).mean() for each in zip(lost, zip(failed, due, strict=True), strict=True)]
    )
    assert abs(standing(found - truth)) < 3.5
    less = found.var() / lost.mean(axis=1).var()
    assert less < {20: 0.4, 60: 0.35}[seeds]
    halves = [
        estimate(controlled(*each))
        for each in zip(lost, zip(failed, due, strict=True), strict=True)
    ]
    inside = np.mean([abs(each.mean - truth) < each.half for each in halves])
    assert inside > 0.9


def test_coefficients_of_the_same_seeds_would_shift_the_mean():
    # Values that grow with the square of the control: least squares over all seeds is biased.
    rng = np.random.default_rng(3)
    control = rng.exponential(size=(3_000, LEAST)) - 1.0
    values = control**2
    found = np.array([controlled(*each).mean() for each in zip(values, zip(control), strict=True)])
    same = []
    for value, known in zip(values, control, strict=True):
        slope = np.polyfit(known, value, 1)[0]
        same.append(np.mean(value - slope * known))
    assert abs(standing(found - 1.0)) < 3.5
    assert abs(standing(np.array(same) - 1.0)) > 8.0


def test_few_seeds_are_left_as_they_are():
    values = np.arange(2.0 * LEAST - 1.0)
    assert controlled(values, [values, values**2]) is values
    assert controlled(values, []) is values
