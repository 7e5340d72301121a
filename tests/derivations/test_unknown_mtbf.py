"""The law of an unknown MTBF, and the mean makespan under it, from Bayes' theorem."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from perfmodel import mtbf_posterior, predictive_makespan

RATE, TIME, LENGTH, RECOVERY, DOWN = sp.symbols("lambda T a R D", positive=True)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_likelihood_times_jeffreys_prior_is_a_gamma_law(count):
    """n failures in T have e^(-rate T) (rate T)^n / n!; a rate has the information T/rate."""
    counts = sp.symbols("n", positive=True)
    score = sp.diff(counts * sp.log(RATE * TIME) - RATE * TIME, RATE)
    squared, once, none = sp.Poly(score**2, counts).all_coeffs()
    mean = RATE * TIME  # and variance, of a Poisson number
    information = squared * (mean + mean**2) + once * mean + none
    assert sp.simplify(information - TIME / RATE) == 0
    posterior = sp.exp(-RATE * TIME) * (RATE * TIME) ** count * sp.sqrt(TIME / RATE)
    gamma = RATE ** (count + sp.Rational(1, 2) - 1) * sp.exp(-RATE * TIME)
    assert sp.diff(sp.simplify(posterior / gamma), RATE) == 0
    assert mtbf_posterior(count, 3.0).shape == count + 0.5


def test_after_a_failure_the_prior_of_a_scale_leaves_a_shape_of_n():
    """The density of the time of failure n is rate^n t^(n-1) e^(-rate t)/(n-1)!; prior 1/rate."""
    count = 3
    density = RATE**count * TIME ** (count - 1) * sp.exp(-RATE * TIME) / sp.factorial(count - 1)
    posterior = density / RATE
    whole = sp.integrate(posterior, (RATE, 0, sp.oo))
    mean_rate = sp.integrate(RATE * posterior, (RATE, 0, sp.oo)) / whole
    assert sp.simplify(mean_rate - count / TIME) == 0
    assert mtbf_posterior(count, 3.0, truncation="failure").shape == count


@pytest.mark.parametrize("shape", [0.5, 1.0, 2.5, 7.0])
def test_the_mean_is_that_of_the_segment_averaged_over_rates(shape):
    """E[e^(x rate)] is (1 - x/T)^-k, and infinite where x is T or more."""
    job = {"interval": 3.0, "checkpoint_cost": 1.0, "recovery_cost": 2.0, "downtime": 1.5}
    time, whole = 20.0, 3.0 + 1.0
    truncation = "failure" if shape in (1.0, 7.0) else "time"
    failures = shape if truncation == "failure" else shape - 0.5

    def weighted(rate):
        segment = mpmath.exp(rate * 2) * (1 / rate + 1.5) * mpmath.expm1(rate * whole)
        return segment * rate ** (shape - 1) * mpmath.exp(-rate * time)

    # With the root of the rate nothing is singular at 0.
    total = mpmath.quad(lambda z: weighted(z * z) * 2 * z, [0, 1, 3, 8])
    mean = total * mpmath.mpf(time) ** shape / mpmath.gamma(shape)
    found = predictive_makespan(
        3.0, failures=failures, observed_time=time, truncation=truncation, **job
    )
    assert found.mean == pytest.approx(float(mean), rel=1e-9)


@pytest.mark.parametrize(("time", "finite"), [(6.0, False), (6.01, True)])
def test_the_mean_is_finite_if_the_time_exceeds_the_longest_attempt(time, finite):
    job = {"interval": 3.0, "checkpoint_cost": 1.0, "recovery_cost": 2.0, "downtime": 1.5}
    found = predictive_makespan(9.0, failures=4, observed_time=time, **job)
    assert np.isfinite(found.mean) == finite
    assert found.std == np.inf
    twice = predictive_makespan(9.0, failures=4, observed_time=12.0 if time == 6.0 else 15.0, **job)
    assert np.isfinite(twice.std) == finite
    # At the boundary a shape below 1 and no downtime leave it finite: the integral of rate^(k - 2).
    edge = predictive_makespan(9.0, failures=0, observed_time=6.0, **{**job, "downtime": 0.0})
    assert np.isfinite(edge.mean)
