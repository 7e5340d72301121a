"""Each sampler against a cdf written here, by the inequality of Dvoretzky, Kiefer and Wolfowitz.

It bounds the largest distance of an empirical cdf for every law and sample size, so the false
alarm rate of each check is the one stated, 1e-6, and not an asymptotic wish.
"""

import math

import numpy as np
import pytest
from scipy import special

from sim.application import simulate_makespans
from sim.samplers import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Recorded,
    Renewing,
    Sampler,
    Stationary,
    Weibull,
    as_sampler,
)
from sim.streams import stream, streams

DRAWS = 20_000
FALSE_ALARM = 1e-6
BOUND = math.sqrt(math.log(2.0 / FALSE_ALARM) / (2.0 * DRAWS))  # 0.019

LAWS = {
    "bathtub": (
        Bathtub(0.45, 1.0, 0.8, 24.0),
        lambda t: np.minimum(0.45 * (np.exp((np.minimum(t, 30.0) - 24) / 0.8) - np.expm1(-t)), 1.0),
    ),
    "exponential": (Exponential(8.0), lambda t: -np.expm1(-t / 8.0)),
    "weibull": (Weibull(0.7, 8.0), lambda t: -np.expm1(-((t / 8.0) ** 0.7))),
    "weibull of growing hazard": (Weibull(3.0, 2.0), lambda t: -np.expm1(-((t / 2.0) ** 3))),
    "gamma": (Gamma(2.5, 3.0), lambda t: special.gammainc(2.5, t / 3.0)),
    "gamma below one": (Gamma(0.4, 3.0), lambda t: special.gammainc(0.4, t / 3.0)),
    "lognormal": (LogNormal(0.5, 1.2), lambda t: special.ndtr((np.log(t) - 0.5) / 1.2)),
    "hyperexponential": (
        HyperExponential((0.2, 0.5, 0.3), (1.0, 10.0, 50.0)),
        lambda t: 1.0 - 0.2 * np.exp(-t) - 0.5 * np.exp(-t / 10.0) - 0.3 * np.exp(-t / 50.0),
    ),
    "deterministic": (Deterministic(3.0), lambda t: (t >= 3.0) * 1.0),
    "empirical": (
        Empirical([1.0, 1.0, 4.0, 9.0]),
        lambda t: 0.5 * (t >= 1.0) + 0.25 * (t >= 4.0) + 0.25 * (t >= 9.0),
    ),
}


def distance(draws, cdf):
    """Largest distance between the empirical cdf and `cdf`, from both sides of each jump."""
    points, counts = np.unique(draws, return_counts=True)
    above = np.cumsum(counts) / draws.size
    below = above - counts / draws.size
    left = np.nextafter(points, -np.inf)
    return max(np.abs(above - cdf(points)).max(), np.abs(below - cdf(left)).max())


@pytest.mark.parametrize(("sampler", "cdf"), LAWS.values(), ids=LAWS.keys())
def test_draws_follow_the_law(sampler, cdf):
    rng = stream(20)
    draws = np.array([sampler.sample(rng) for _ in range(DRAWS)])
    assert distance(draws, cdf) < BOUND


@pytest.mark.parametrize(("sampler", "cdf"), LAWS.values(), ids=LAWS.keys())
def test_the_kernel_draws_from_the_same_law(sampler, cdf):
    # It fails at once and never again, so that the makespan is one unit and one downtime.
    walls = simulate_makespans(
        2.0**-40,
        interval=1.0,
        uptime=Recorded([0.0], then="never"),
        checkpoint_cost=0.0,
        downtime=sampler,
        replications=DRAWS,
        seed=21,
    )
    draws = np.round(walls - 2.0**-40, 9)
    assert distance(draws, lambda t: cdf(np.maximum(t, 1e-9))) < BOUND


def met_half_way(cdf):
    """Return the law of what is left at a random instant: the integral of sf over the mean."""
    t = np.concatenate(([0.0], np.geomspace(1e-9, 1e6, 200_000)))
    sf = 1.0 - cdf(t)
    area = np.concatenate(([0.0], np.cumsum((sf[1:] + sf[:-1]) / 2.0 * np.diff(t))))
    return lambda at: np.interp(at, t, area / area[-1])


@pytest.mark.few(3)
@pytest.mark.parametrize(("sampler", "cdf"), LAWS.values(), ids=LAWS.keys())
def test_what_is_left_at_a_random_instant_follows_the_stationary_law(sampler, cdf):
    assert isinstance(sampler, Renewing)
    rng = stream(25)
    draws = np.array([sampler.residual(rng) for _ in range(DRAWS)])
    with np.errstate(divide="ignore"):
        assert distance(draws, met_half_way(cdf)) < BOUND


@pytest.mark.parametrize(("sampler", "cdf"), LAWS.values(), ids=LAWS.keys())
def test_the_mean_is_the_area_below_the_survival_function(sampler, cdf):
    assert isinstance(sampler, Stationary)
    t = np.concatenate(([0.0], np.geomspace(1e-9, 1e6, 200_000)))
    with np.errstate(divide="ignore"):
        sf = 1.0 - cdf(t)
    area = np.sum((sf[1:] + sf[:-1]) / 2.0 * np.diff(t))
    assert sampler.mean == pytest.approx(area, rel=2e-4)


def test_without_memory_what_is_left_is_a_whole_duration_bit_by_bit():
    for law in (Exponential(3.0), Weibull(1.0, 3.0), Gamma(1.0, 3.0)):
        assert law.residual(stream(26)) == law.sample(stream(26))


def test_a_script_cannot_be_met_half_way():
    assert not isinstance(Recorded([1.0]), Renewing)


def test_the_bound_can_detect_a_mean_that_is_wrong_by_a_tenth():
    rng = stream(22)
    draws = np.array([Exponential(8.8).sample(rng) for _ in range(DRAWS)])
    assert distance(draws, LAWS["exponential"][1]) > BOUND


def test_a_recorded_list_is_played_in_order_and_then_refuses():
    rng = stream(23)
    gaps = Recorded([4.0, 0.0, 2.5])
    assert [gaps.sample(rng) for _ in range(3)] == [4.0, 0.0, 2.5]
    with pytest.raises(
        RuntimeError, match=r"^durations must be enough for the replication, got only 3; with"
    ):
        gaps.sample(rng)
    assert gaps.rewound().sample(rng) == 4.0


def test_a_recorded_list_may_be_followed_by_no_further_failure():
    gaps = Recorded([4.0], then="never")
    assert [gaps.sample(stream(24)) for _ in range(3)] == [4.0, math.inf, math.inf]
    assert gaps.rewound().then == "never"


def test_what_is_recorded_cannot_change_afterwards():
    durations = np.array([1.0, 2.0])
    gaps, empirical = Recorded(durations), Empirical(durations)
    durations[:] = 9.0
    assert list(gaps.durations) == list(empirical.samples) == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        gaps.durations[0] = 9.0


def test_constants_and_lists_stand_for_samplers():
    law = Exponential(1.0)
    assert as_sampler("downtime", law) is law
    assert as_sampler("downtime", 3) == Deterministic(3.0)
    assert as_sampler("downtime", np.asarray(3.0)) == Deterministic(3.0)
    recorded = as_sampler("downtime", [1, 2])
    assert isinstance(recorded, Recorded)
    assert isinstance(recorded, Sampler)


def test_streams_are_numbered_and_not_shared():
    first, second = (generator.random(4).tolist() for generator in streams(1, 2))
    assert first != second
    assert stream(1, 0).random(4).tolist() == first
    assert stream(1, 1).random(4).tolist() == second
    assert stream(2, 0).random(4).tolist() != first
