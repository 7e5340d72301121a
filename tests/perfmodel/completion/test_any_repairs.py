"""Laws of completion times drawn over the whole range: what every distribution must show."""

import pickle

import numpy as np
import pytest

from perfmodel import (
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
    exact_makespan,
    optimal_interval,
    wsj_compound,
)

KINDS = ("fixed", "exponential", "gamma", "mixed", "lognormal", "weibull", "recorded")


def repairs(kind, mean, cv, rng):  # noqa: PLR0911 - a kind, a return
    match kind:
        case "fixed":
            return Deterministic(mean)
        case "exponential":
            return Exponential(mean)
        case "gamma":
            return Gamma.from_mean(mean, cv=cv)
        case "mixed":
            return HyperExponential.from_mean(mean, cv=max(cv, 1.0))
        case "lognormal":
            return LogNormal.from_mean(mean, cv=cv)
        case "weibull":
            return Weibull.from_mean(mean, cv=cv)
    values = np.exp(np.sqrt(np.log1p(cv * cv)) * rng.standard_normal(12))
    return Empirical(values * (mean / values.mean()))


def drawn(number):
    """Draw a job over the documented range, log-uniformly."""
    rng = np.random.default_rng([2024, number])

    def between(low, high):
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    at_risk = bool(rng.integers(2))
    mtbf, interval = between(1e-2, 1e2), between(1e-4, 50.0)
    law = repairs(
        KINDS[number % len(KINDS)],
        mtbf * between(1e-3, 0.95 if at_risk else 1e3),
        between(1e-2, 30.0),
        rng,
    )
    return exact_makespan(
        interval * mtbf * max(0.5, between(1.0, 1e6)),
        interval=interval * mtbf,
        mtbf=mtbf,
        checkpoint_cost=mtbf * interval * between(1e-4, 10.0),
        recovery_cost=mtbf * interval * between(1e-4, 10.0) * rng.integers(2),
        downtime=law,
        downtime_at_risk=at_risk,
    )


@pytest.mark.few(9)
@pytest.mark.parametrize("number", range(28))
def test_a_law_drawn_at_random_is_a_distribution(number):
    law = drawn(number)
    start, mass = law.atom
    if not np.isfinite(law.mean):
        return
    error = law.error
    far = max(float(law.isf((1.0 - mass) * 1e-11)) - start, 1e-12 * start)
    seams = law.seams - start
    seams = seams[(seams > 0.0) & (seams < far)][:40]
    around = np.multiply.outer(seams, 1.0 + np.array([-1e-2, -1e-6, 0.0, 1e-6, 1e-2])).ravel()
    t = start + np.sort(np.concatenate([np.geomspace(1e-9 * far, far, 200), around]))
    cdf, sf = law.cdf(t), law.sf(t)
    np.testing.assert_allclose(cdf + sf, 1.0, rtol=0.0, atol=1e-14)
    assert np.max(-np.diff(cdf), initial=0.0) <= error
    assert np.max(np.diff(sf), initial=0.0) <= error
    for place in t[:: t.size // 5]:
        at = np.searchsorted(t, place)
        assert (law.cdf(place), law.sf(place)) == (cdf[at], sf[at]), "alone and in an array"
    assert law.error == error


def test_lognormal_and_weibull_downtime_beyond_the_table_of_one_failure():
    # The downtime was taken as 0 there: 1 where .52454 is right, and at all later times.
    law = exact_makespan(
        1000.0,
        interval=0.1,
        mtbf=200.0,
        checkpoint_cost=0.005,
        recovery_cost=0.02,
        downtime=Weibull.from_mean(24.0, cv=0.36),
    )
    t = law.atom[0] + np.array([124.9, 125.05, 125.09, 125.2])
    np.testing.assert_allclose(law.cdf(t), [0.52354, 0.52454, 0.52481, 0.52555], atol=6e-6)
    # The tail grew from 1e-9 to .06 where panels were wider than the mtbf resolves.
    law = exact_makespan(
        200.0,
        interval=5.0,
        mtbf=50.0,
        checkpoint_cost=0.25,
        downtime=LogNormal.from_mean(2.0, cv=10.0),
    )
    found = law.sf(law.atom[0] + np.array([4.56e4, 1.30e5, 3.70e5]))
    np.testing.assert_allclose(found, [2.04e-8, 1.015e-9, 4.02e-11], rtol=0.02)


def test_narrow_gamma_repairs_that_can_be_struck():
    job = {"interval": 100 / 30, "mtbf": 10.0, "checkpoint_cost": 0.3, "recovery_cost": 0.4}
    gamma, normal = (
        exact_makespan(100.0, **job, downtime=kind.from_mean(0.5, cv=0.1), downtime_at_risk=True)
        for kind in (Gamma, LogNormal)
    )
    np.testing.assert_allclose(gamma.ppf([0.1, 0.5, 0.9]), normal.ppf([0.1, 0.5, 0.9]), rtol=1e-4)


@pytest.mark.parametrize(
    "downtime", [0.5, Exponential(0.5), LogNormal(0.0, 1.0), Empirical([1, 2])]
)
def test_laws_are_kept_in_a_file(downtime):
    law = exact_makespan(10.0, interval=2.0, mtbf=5.0, checkpoint_cost=0.1, downtime=downtime)
    t = np.linspace(10.0, 40.0, 20)
    found = law.cdf(t)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(law)).cdf(t), found)


def test_no_failure_no_checkpoint_and_free_checkpoints():
    job = {"checkpoint_cost": 0.1, "downtime": 1.0}
    never = exact_makespan(10.0, interval=1.0, mtbf=np.inf, **job)
    assert (never.mean, never.std, never.atom) == (11.0, 0.0, (11.0, 1.0))
    assert never.cdf([10.9, 11.0]).tolist() == [0.0, 1.0]
    assert wsj_compound(10.0, interval=1.0, mtbf=np.inf, downtime=1.0).mean == 10.0
    one = exact_makespan(10.0, interval=np.inf, mtbf=5.0, **job)
    assert one.mean == exact_makespan(10.0, interval=10.0, mtbf=5.0, **job).mean
    free = optimal_interval(mtbf=5.0, checkpoint_cost=0.0)
    always = exact_makespan(10.0, interval=free, mtbf=5.0, checkpoint_cost=0.0, downtime=1.0)
    often = exact_makespan(10.0, interval=1e-7, mtbf=5.0, checkpoint_cost=0.0, downtime=1.0)
    t = np.linspace(10.5, 20.0, 20)
    np.testing.assert_allclose(always.cdf(t), often.cdf(t), rtol=0.0, atol=1e-6)
    with pytest.raises(ValueError, match=r"interval must be > 0, got 0\.0: only free checkpoints"):
        exact_makespan(10.0, interval=0.0, mtbf=5.0, **job)
