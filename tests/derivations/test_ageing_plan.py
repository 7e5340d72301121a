"""The plan of a job on an ageing machine, by every plan there is on a small grid."""

import itertools

import numpy as np
import pytest

from perfmodel import Bathtub, LogNormal, Weibull
from perfmodel.ageing.plan import _best, _followed, _Job

DOWN = 0.6


def compositions(count):
    """Yield every way to cut `count` cells into intervals."""
    for cuts in itertools.product((False, True), repeat=count - 1):
        ends = [k + 1 for k, cut in enumerate(cuts) if cut] + [count]
        yield np.diff(ends, prepend=0)


def mean_of(law, cells, begins, left, value):
    """Return the mean with these intervals, by the renewal at the first failure."""
    ends = begins + np.cumsum(cells + 1.0)
    fails = np.diff(law.cdf(ends), prepend=0.0)
    rest = left - np.append(0, np.cumsum(cells)[:-1])
    total = float(law.partial_moment(ends[-1]) + ends[-1] * law.sf(ends[-1]))
    total += sum(p * (DOWN + value.get(r, 0.0)) for p, r in zip(fails, rest, strict=True))
    return total if left in value else total / (1.0 - float(fails[0]))


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "law", [Weibull(0.6, 9.0), LogNormal(1.7, 0.8), Bathtub(0.4, 2.0, 1.0, 12.0)]
)
def test_the_programme_finds_the_best_of_all_plans(law):
    # Cost and recovery are one cell, so that every age is a point of the grid.
    count, value = 10, {}
    for left in range(1, count + 1):
        value[left] = min(mean_of(law, c, 1.0, left, value) for c in compositions(left))
    known = min(mean_of(law, c, 0.0, count, value) for c in compositions(count))
    job = _Job(law, float(count), 1.0, 1.0, DOWN)
    choices = _best(job, count, None)
    plan = _followed(job, choices)
    assert plan.mean == pytest.approx(known, rel=1e-12)
