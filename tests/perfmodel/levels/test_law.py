import numpy as np
import pytest
from scipy.special import erfc

from perfmodel import (
    exact_makespan,
    exact_makespan_two_levels,
    expected_makespan_two_levels,
    makespan_variance_two_levels,
)

JOB = {
    "work": 6.0,
    "interval": 1.0,
    "durable_every": 4,
    "mtbf": 1 / 0.12,
    "survived": 0.1 / 0.12,
    "local_cost": 0.1,
    "durable_cost": 0.5,
    "local_recovery": 0.1,
    "durable_recovery": 0.6,
    "downtime": 0.2,
}
HARD = {**JOB, "work": 5.3, "mtbf": 3.0, "survived": 0.4, "local_recovery": 1.5, "downtime": 1.1}
RULES = ("reinstated", "bare", "staged")


def transform(s, *, rule, work, interval, durable_every, mtbf, survived, **costs):
    """Return E[exp(-s (T - T0))], segment by segment as the equations are written down."""
    rate, count = 1.0 / mtbf, int(np.ceil(work / interval))
    work_of = [interval] * (count - 1) + [work - (count - 1) * interval]
    c1, c2, down = costs["local_cost"], costs["durable_cost"], np.exp(-s * costs["downtime"])
    z = s + rate

    def struck(span):
        return rate * (1.0 - np.exp(-z * span)) / z

    r1, r2 = costs["local_recovery"], costs["durable_recovery"]
    once = 1.0 - survived * down * struck(r1)
    back = down * np.exp(-z * r1) / once
    fell = (1.0 - survived) * down * struck(r1) / once
    durable = down * np.exp(-z * r2) / (1.0 - down * struck(r2))
    total, start = 1.0, 0.0
    for first in range(0, count, durable_every):
        spans = [w + c1 for w in work_of[first : first + durable_every]]
        spans += [c2 - c1] if rule == "staged" else []
        spans[-1] += 0.0 if rule == "staged" else c2 - c1
        start += sum(spans)
        ahead, thrown = 1.0, 0.0  # from a place: to the end, and to a durable recovery
        for place in reversed(range(len(spans))):
            hit = struck(spans[place])
            through = np.exp(-z * spans[place])
            if place == 0:
                bare_ahead = through / (1.0 - hit * durable) * ahead
                bare_thrown = through / (1.0 - hit * durable) * thrown
            tried = 1.0 - survived * hit * back
            thrown = (through * thrown + hit * (1.0 - survived + survived * fell)) / tried
            ahead = through * ahead / tried
        if rule == "bare":
            total = total * (ahead + thrown * durable * bare_ahead / (1.0 - bare_thrown * durable))
        else:
            total = total * ahead / (1.0 - thrown * durable)
    return total * np.exp(s * start), start


def summed_sf(x, **job):
    """Return P(T - T0 > x) by a Fourier series with a smooth cutoff."""
    terms, period = 20_000, 4.0 * x
    s = (15.0 + 1j * np.pi * np.arange(terms)) / period * 2.0
    cut = 0.5 * erfc(12.0 * (np.arange(terms) / terms - 0.5))
    value = (1.0 - transform(s, **job)[0]) / s * cut
    value[0] *= 0.5
    return 2.0 / period * float(np.sum((value * np.exp(s * x)).real))


@pytest.mark.few(2)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("job", [HARD])
def test_another_inversion(job, rule):
    law = exact_makespan_two_levels(**job, rule=rule)
    start = transform(np.ones(1), rule=rule, **job)[1]
    assert law.atom == pytest.approx((start, np.exp(-start / job["mtbf"])), rel=1e-14)
    for q in (0.7, 0.9, 0.99):
        t = float(law.ppf(q))
        assert summed_sf(t - start, rule=rule, **job) == pytest.approx(1.0 - q, abs=3e-8)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_the_areas_under_the_law_are_the_moments(rule):
    law = exact_makespan_two_levels(**HARD, rule=rule)
    mean, variance = (
        float(function(**HARD, rule=rule))
        for function in (expected_makespan_two_levels, makespan_variance_two_levels)
    )
    assert (law.mean, law.variance) == pytest.approx((mean, variance), rel=1e-12)
    t = np.linspace(law.atom[0], law.atom[0] + 40.0 * law.std, 40_001)
    sf = law.sf(t)
    lost = np.trapezoid(sf, t)
    assert t[0] + lost == pytest.approx(mean, rel=1e-5)
    assert np.trapezoid(2.0 * (t - t[0]) * sf, t) - lost**2 == pytest.approx(variance, rel=1e-4)


EQUAL = {"durable_every": 1, "survived": 0.3, "local_recovery": 0.4, "durable_recovery": 0.4}


@pytest.mark.parametrize(
    ("rule", "levels"),
    [
        ("bare", EQUAL),
        ("staged", {**EQUAL, "durable_every": 5, "survived": 1.0, "durable_recovery": 0.9}),
        ("reinstated", {**EQUAL, "survived": 0.0, "local_recovery": 0.9}),
    ],
)
def test_it_is_the_law_of_one_level(rule, levels):
    both = {"interval": 3.25, "mtbf": 10.0, "downtime": 0.5}
    times = np.linspace(9.0, 30.0, 40)
    one = exact_makespan(9.0, **both, checkpoint_cost=0.05, recovery_cost=0.4)
    two = exact_makespan_two_levels(
        9.0, **both, **levels, rule=rule, local_cost=0.05, durable_cost=0.05
    )
    np.testing.assert_allclose(two.cdf(times), one.cdf(times), rtol=0.0, atol=1e-9)


def test_the_far_tail_falls_at_the_rate_of_the_pole():
    law = exact_makespan_two_levels(**HARD)
    far = law.isf([1e-10, 1e-12])
    slope = np.log(100.0) / (far[1] - far[0])
    s = np.array([-slope * 0.9, -slope * 1.1])
    below, beyond = transform(s, rule="reinstated", **HARD)[0]
    assert below > 0.0 > beyond


def test_hopeless_and_certain_jobs():
    assert exact_makespan_two_levels(**{**JOB, "work": 1e4, "interval": 1e4}).mean == np.inf
    certain = exact_makespan_two_levels(**{**JOB, "mtbf": np.inf})
    assert (certain.mean, certain.variance) == (pytest.approx(7.4, rel=1e-15), 0.0)


def test_a_job_whose_variance_no_float_holds_has_no_law():
    hopeless, hard = ({**JOB, "mtbf": mtbf} for mtbf in (0.01, 0.02))
    assert 1e200 < expected_makespan_two_levels(**hopeless) < np.inf
    assert exact_makespan_two_levels(**hopeless).mean == np.inf
    assert exact_makespan_two_levels(**hard).mean == pytest.approx(
        float(expected_makespan_two_levels(**hard)), rel=1e-9
    )


def test_too_many_segments_between_durable_checkpoints_are_named():
    said = (
        "^durable_every must leave at most 512 segments .* for a law, got 1.71799e[+]10: expected_"
    )
    with pytest.raises(ValueError, match=said):
        exact_makespan_two_levels(**{**JOB, "work": 2.0**34, "durable_every": 2.0**34})
    assert exact_makespan_two_levels(**{**JOB, "work": 6.0, "durable_every": 2.0**34}).mean > 6.0


def test_a_job_far_below_any_unit_of_time_has_a_law():
    free = {"survived": 0.0, "local_cost": 0.0, "durable_cost": 0.0}
    law = exact_makespan_two_levels(1e-162, interval=1.0, durable_every=1, mtbf=1.0, **free)
    assert law.mean == law.ppf(0.9) == 1e-162


@pytest.mark.parametrize("power", [-900, -600, 600, 900])
def test_the_deviation_is_kept_where_no_float_holds_its_square(power):
    unit, counts = 2.0**power, ("durable_every", "survived")
    far = {name: value if name in counts else value * unit for name, value in JOB.items()}
    assert exact_makespan_two_levels(**far).std / unit == pytest.approx(
        exact_makespan_two_levels(**JOB).std, rel=1e-12
    )
