"""Estimates against closed forms, scipy.stats and likelihoods written out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from perfmodel import Exponential, Gamma, LogNormal, Weibull
from perfmodel.fitting import fit_lifetime, mtbf_confidence
from perfmodel.fitting._likelihood import FAMILIES as FAMILY_TABLE
from perfmodel.fitting._likelihood import Sample, _maximise

FAMILIES = ("exponential", "weibull", "gamma", "lognormal")
TRUTH = {
    "exponential": Exponential(8.0),
    "weibull": Weibull(0.7, 8.0),
    "gamma": Gamma(0.5, 16.0),
    "lognormal": LogNormal(1.5, 1.2),
}


def known(law):
    match law:
        case Exponential():
            return stats.expon(scale=law.mean)
        case Weibull():
            return stats.weibull_min(law.shape, scale=law.scale)
        case Gamma():
            return stats.gamma(law.shape, scale=law.scale)
        case LogNormal():
            return stats.lognorm(law.sigma, scale=np.exp(law.mu))


def draw(law, rng, size):
    return law.ppf(rng.random(size))


def cut_off(law, rng, size):
    """Durations and whether they were cut off by a random end of the observation."""
    durations, ends = draw(law, rng, size), rng.exponential(2.0 * law.mean, size)
    return np.minimum(durations, ends), durations > ends


def moved(law, field, factor):
    values = {name: getattr(law, name) for name in law.__dataclass_fields__}
    values[field] = values[field] + np.log(factor) if field == "mu" else values[field] * factor
    return type(law)(**values)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["whole", "censored", "rounded"])
def test_the_likelihood_written_out_by_hand_is_largest_at_the_estimate(family, kind):
    durations, flags = cut_off(TRUTH[family], np.random.default_rng(5), 200)
    if kind == "whole":
        flags[:] = False
    resolution = 0.5 if kind == "rounded" else None
    if resolution:
        durations = np.where(flags, durations, np.round(durations / resolution) * resolution)
        assert (durations == 0.0).any()
    row = fit_lifetime(durations, censored=flags, families=[family], resolution=resolution).best

    def by_hand(law):
        seen, cut = durations[~flags], durations[flags]
        if resolution:
            cells = known(law).cdf(seen + 0.25) - known(law).cdf(np.maximum(seen - 0.25, 0.0))
            return np.log(cells).sum() + known(law).logsf(cut).sum()
        return known(law).logpdf(seen).sum() + known(law).logsf(cut).sum()

    assert row.log_likelihood == pytest.approx(by_hand(row.lifetime), rel=1e-11)
    assert row.aic == pytest.approx(2 * len(row.parameters) - 2 * row.log_likelihood, rel=1e-14)
    assert (row.observed, row.censored) == (np.sum(~flags), np.sum(flags))
    for field in row.parameters:
        up, down = (by_hand(moved(row.lifetime, field, f)) for f in (1.001, 1 / 1.001))
        drop = row.log_likelihood - 0.5 * (up + down)
        assert drop > 0.0
        # The vertex of the parabola through three points, in units of the step.
        assert abs((up - down) / (4.0 * drop)) < 2e-3


def test_exponential_estimate_is_total_time_over_failures():
    row = fit_lifetime([3.0, 9.0, 4.0, 20.0], censored=[12.0, 7.0], families="exponential").best
    assert row.mean == pytest.approx(55.0 / 4.0, rel=1e-12)
    assert row.log_likelihood == pytest.approx(-4.0 * (np.log(55.0 / 4.0) + 1.0), rel=1e-13)
    expected = tuple(2.0 * 55.0 / stats.chi2(8).ppf([0.975, 0.025]))  # of twice the rate times 55
    assert row.mean_interval == pytest.approx(expected, rel=1e-9)
    assert row.intervals["mean"] == row.mean_interval


def test_gamma_estimate_solves_its_equations():
    durations = draw(Gamma(0.5, 16.0), np.random.default_rng(1), 300)
    law = fit_lifetime(durations, families=["gamma"]).best.lifetime
    assert law.mean == pytest.approx(durations.mean(), rel=1e-10)
    gap = np.log(durations.mean()) - np.log(durations).mean()
    assert np.log(law.shape) - special.digamma(law.shape) == pytest.approx(gap, rel=1e-10)


def test_weibull_estimate_solves_its_equations_with_censoring():
    durations, flags = cut_off(Weibull(0.7, 8.0), np.random.default_rng(2), 300)
    law = fit_lifetime(durations, censored=flags, families=["weibull"]).best.lifetime
    powers, logs = durations**law.shape, np.log(durations)
    assert law.scale**law.shape == pytest.approx(powers.sum() / np.sum(~flags), rel=1e-10)
    slope = (powers @ logs) / powers.sum() - logs[~flags].mean()
    assert slope == pytest.approx(1.0 / law.shape, rel=1e-10)


def test_all_families_are_fitted_to_two_failures_of_ten_thousand():
    censored = np.linspace(100.0, 2000.0, 10_000)
    fits = fit_lifetime([10.0, 11.0], censored=censored)
    assert [row.family for row in fits] == ["exponential", "weibull", "gamma", "lognormal"]
    assert fits.without_maximum == ()
    # A power law of a hazard: 2/shape is twice the weighted mean of the logs, less the logs seen.
    shape = fits["weibull"].lifetime.shape
    powers = censored**shape
    mean_log = (powers @ np.log(censored)) / powers.sum()
    assert 2.0 / shape == pytest.approx(2.0 * mean_log - np.log(110.0), rel=1e-3)
    # A gamma law of that mean, 1e19, has the same power law for a hazard.
    assert fits["gamma"].lifetime.shape == pytest.approx(shape, rel=1e-3)
    assert fits["gamma"].log_likelihood == pytest.approx(fits["weibull"].log_likelihood, abs=1e-3)


@pytest.mark.slow
def test_a_family_without_a_maximum_is_named_and_the_others_are_returned():
    # Both durations are possible for a law as narrow as one likes around 1.5: none is the best.
    fits = fit_lifetime([1.0, 2.0], resolution=1.0)
    assert [row.family for row in fits] == ["exponential"]
    assert fits.without_maximum == ("weibull", "gamma", "lognormal")
    assert fits.best.family == "exponential"
    with pytest.raises(
        ValueError, match=r"^families must include one with a maximum .* got none in"
    ):
        fit_lifetime([1.0, 2.0], resolution=1.0, families=["gamma", "weibull"])


@pytest.mark.parametrize("family", ["weibull", "gamma", "lognormal"])
def test_cells_far_narrower_than_the_durations_count_as_points(family):
    rounded = fit_lifetime([1.0, 3.0, 100.0], resolution=1e-14, families=[family]).best
    whole = fit_lifetime([1.0, 3.0, 100.0], families=[family]).best
    assert rounded.parameters == pytest.approx(whole.parameters, rel=1e-9)
    cells = whole.log_likelihood + 3.0 * np.log(1e-14)
    assert rounded.log_likelihood == pytest.approx(cells, rel=1e-12)


def test_lognormal_estimate_and_intervals_are_those_of_the_normal_logs():
    durations = draw(LogNormal(1.5, 1.2), np.random.default_rng(3), 300)
    row = fit_lifetime(durations, families=["lognormal"], confidence=0.9).best
    mu, sigma = np.log(durations).mean(), np.log(durations).std()
    z = stats.t(298).ppf(0.95) * np.sqrt(300.0 / 298.0)
    assert row.parameters == pytest.approx({"mu": mu, "sigma": sigma}, rel=1e-10)
    reach = z * sigma / np.sqrt(300.0)
    assert row.intervals["mu"] == pytest.approx((mu - reach, mu + reach), rel=1e-8)
    ratio = np.exp(z / np.sqrt(600.0))
    assert row.intervals["sigma"] == pytest.approx((sigma / ratio, sigma * ratio), rel=1e-8)
    # log mean = mu + sigma^2/2 with independent estimates
    ratio = np.exp(z * np.sqrt(sigma**2 / 300.0 + sigma**4 / 600.0))
    mean = np.exp(mu + 0.5 * sigma**2)
    assert row.mean_interval == pytest.approx((mean / ratio, mean * ratio), rel=1e-8)


@pytest.mark.parametrize("family", ["weibull", "gamma", "lognormal"])
def test_is_at_least_as_likely_as_scipys_fit(family):
    durations, flags = cut_off(TRUTH[family], np.random.default_rng(4), 150)
    row = fit_lifetime(durations, censored=flags, families=[family]).best
    kind = getattr(stats, {"weibull": "weibull_min", "lognormal": "lognorm"}.get(family, family))
    data = stats.CensoredData.right_censored(durations, flags)
    shape, _, scale = kind.fit(data, floc=0.0)
    theirs = kind.logpdf(durations[~flags], shape, scale=scale).sum()
    theirs += kind.logsf(durations[flags], shape, scale=scale).sum()
    assert theirs - 1e-9 <= row.log_likelihood <= theirs + 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_cover_the_truth(family):
    """Of 200 samples of 80, at nominal 95 %; noise of the count is 1.5 %, asymptotics cost 1 %."""
    law, rng, samples = TRUTH[family], np.random.default_rng(6), 200
    covered = dict.fromkeys([*law.__dataclass_fields__, "the mean"], 0)
    for _ in range(samples):
        durations, flags = cut_off(law, rng, 80)
        row = fit_lifetime(durations, censored=flags, families=[family]).best
        for name, (low, high) in row.intervals.items():
            covered[name] += low <= getattr(law, name) <= high
        covered["the mean"] += row.mean_interval[0] <= law.mean <= row.mean_interval[1]
    for name, count in covered.items():
        assert 0.905 <= count / samples <= 0.985, name


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_of_ten_durations_cover_the_truth(family):
    """Of 400 samples at nominal 95 %: noise of the count is 1.1 %; normal limits hold 88 %."""
    law, rng, samples = TRUTH[family], np.random.default_rng(16), 400
    covered = 0
    for _ in range(samples):
        low, high = fit_lifetime(draw(law, rng, 10), families=[family]).best.mean_interval
        covered += low <= law.mean <= high
    assert 0.92 <= covered / samples <= 0.99


def test_the_true_family_is_recognised():
    for family, law in TRUTH.items():
        if family != "exponential":
            fits = fit_lifetime(draw(law, np.random.default_rng(7), 2000))
            assert fits.best.family == family
            assert fits.best is fits[family]


def test_rows_come_in_the_order_asked_for():
    fits = fit_lifetime([1.0, 2.0, 4.0], families=["gamma", "exponential"])
    assert [row.family for row in fits] == ["gamma", "exponential"]
    assert len(fits) == 2
    with pytest.raises(KeyError, match="weibull"):
        fits["weibull"]


def test_distance_without_censoring_is_scipys():
    durations = draw(Weibull(0.7, 8.0), np.random.default_rng(8), 100)
    for row in fit_lifetime(durations):
        expected = stats.kstest(durations, known(row.lifetime).cdf).statistic
        assert row.ks_distance == pytest.approx(expected, rel=1e-9)


def test_distance_with_censoring_is_to_kaplan_meier():
    durations, flags = cut_off(Weibull(0.7, 8.0), np.random.default_rng(9), 60)
    durations = np.round(durations, 1) + 0.1  # ties
    steps = stats.ecdf(stats.CensoredData.right_censored(durations, flags)).cdf
    dense = np.linspace(0.0, durations.max(), 200_001)
    for row in fit_lifetime(durations, censored=flags):
        expected = np.abs(row.lifetime.cdf(dense) - steps.evaluate(dense)).max()
        assert row.ks_distance == pytest.approx(expected, abs=2e-4)
        assert row.ks_distance >= expected - 1e-12


def test_distance_sees_the_tail_where_only_censored_durations_are_left():
    row = fit_lifetime([1.0, 1.0, 1.0], censored=[300.0], families=["exponential"]).best
    # mean 101: the law is near e^(-3) at the end, Kaplan-Meier is level at 3/4 from 1 on
    assert row.mean == pytest.approx(101.0)
    assert row.ks_distance == pytest.approx(0.75 + np.expm1(-1 / 101.0), rel=1e-12)


def test_fine_rounding_changes_nothing_but_the_unit_of_the_likelihood():
    durations, flags = cut_off(Gamma(2.5, 3.0), np.random.default_rng(10), 120)
    plain = fit_lifetime(durations, censored=flags)
    fine = fit_lifetime(durations, censored=flags, resolution=1e-4)
    for a, b in zip(plain, fine, strict=True):
        assert b.parameters == pytest.approx(a.parameters, rel=1e-5)
        shift = np.sum(~flags) * np.log(1e-4)
        assert b.log_likelihood == pytest.approx(a.log_likelihood + shift, abs=1e-3)
        assert b.ks_distance == pytest.approx(a.ks_distance, abs=1e-3)
    assert fine.best.family == plain.best.family


def test_coarse_rounding_does_not_bias_the_shape():
    durations = draw(Weibull(0.6, 4.0), np.random.default_rng(11), 4000)
    low, high = fit_lifetime(np.round(durations), families=["weibull"], resolution=1.0)[
        "weibull"
    ].intervals["shape"]
    assert low < 0.6 < high
    assert high - low < 0.05


def test_flags_and_separate_durations_say_the_same():
    durations, flags = cut_off(Weibull(0.7, 8.0), np.random.default_rng(12), 50)
    split = fit_lifetime(durations[~flags], censored=durations[flags])
    assert fit_lifetime(durations, censored=flags) == split
    nothing = fit_lifetime(durations, censored=[])
    assert nothing == fit_lifetime(durations) == fit_lifetime(durations, censored=flags & False)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "law", [Weibull(0.7, 8.0), Gamma(0.5, 16.0), LogNormal(1.5, 1.2), Weibull(60.0, 8.0)], ids=repr
)
def test_many_censored_durations_are_condensed_without_loss(law):
    durations, flags = cut_off(law, np.random.default_rng(13), 20_000)
    family = type(law).__name__.lower()
    row = fit_lifetime(durations, censored=flags, families=[family]).best
    sample = Sample.of(durations[~flags], durations[flags], None)
    short, plain = sample.condensed(), _maximise(FAMILY_TABLE[family], sample)
    assert short.censored.size < 0.3 * sample.censored.size
    np.testing.assert_allclose(short.censored_counts.sum(), np.sum(flags), rtol=1e-12)
    found = FAMILY_TABLE[family].law(plain.point)
    for field, value in row.parameters.items():
        assert value == pytest.approx(getattr(found, field), rel=1e-9)
    assert row.log_likelihood == pytest.approx(plain.value, rel=1e-12)


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(unit=st.floats(1e-9, 1e9), shape=st.floats(0.3, 5.0), seed=st.integers(0, 2**32))
def test_is_homogeneous_in_time(unit, shape, seed):
    durations, flags = cut_off(Weibull(shape, 1.0), np.random.default_rng(seed), 40)
    for a, b in zip(
        fit_lifetime(durations, censored=flags),
        fit_lifetime(unit * durations, censored=flags),
        strict=True,
    ):
        assert b.mean == pytest.approx(unit * a.mean, rel=1e-8)
        assert b.mean_interval == pytest.approx([unit * end for end in a.mean_interval], rel=1e-6)
        assert b.lifetime.scv == pytest.approx(a.lifetime.scv, rel=1e-8)
        assert b.ks_distance == pytest.approx(a.ks_distance, abs=1e-8)


def test_one_that_ran_on_nearly_for_ever_leaves_the_gamma_law_without_a_maximum():
    fits = fit_lifetime([1.0, 0.5], censored=[0.0, 0.0, 1e274])
    assert fits.without_maximum == ("gamma",)


@pytest.mark.parametrize("unit", [2.0**-28, 2.0**33])
@pytest.mark.parametrize(
    ("durations", "resolution"),
    [([0.003, 10.0], 5e-10), ([1e11, 1.0, 1.0], 19000.0), ([3.0, 9.0, 4.0], None)],
)
def test_the_search_does_not_depend_on_the_unit_of_the_durations(durations, resolution, unit):
    width = None if resolution is None else resolution * unit
    other = fit_lifetime(np.array(durations) * unit, resolution=width)
    for here, there in zip(fit_lifetime(durations, resolution=resolution), other, strict=True):
        assert (there.family, there.ks_distance) == (here.family, here.ks_distance)
        assert there.mean == pytest.approx(unit * here.mean, rel=1e-10)
        assert there.mean_interval == pytest.approx(unit * np.array(here.mean_interval), rel=1e-10)
        per_density = 0.0 if resolution else len(durations) * np.log(unit)
        assert there.log_likelihood == pytest.approx(here.log_likelihood - per_density, rel=1e-12)


@pytest.mark.parametrize("spread", [1e-7, 1e-3, 1.0, 20.0])
def test_converges_for_narrow_and_wide_records(spread):
    normal = special.ndtri((np.arange(100) + 0.5) / 100)
    fits = fit_lifetime(np.exp(spread * normal))
    assert fits["lognormal"].parameters["sigma"] == pytest.approx(spread * normal.std(), rel=1e-6)
    if spread < 1e-2:
        expected = (spread * normal.std()) ** 2
        assert fits["gamma"].lifetime.scv == pytest.approx(expected, rel=2 * spread)


def test_a_mean_beyond_the_largest_float_has_no_interval():
    row = fit_lifetime([1e-300, 1e-150, 1.0, 1e150, 1e300], families=["lognormal"]).best
    assert row.mean == np.inf
    assert row.mean_interval == (0.0, np.inf)


def test_mtbf_confidence_vectors():
    ten = mtbf_confidence(10, 1000.0)
    assert (ten.mtbf, ten.confidence) == (100.0, 0.95)
    assert ten.lower == pytest.approx(54.38, abs=0.005)
    assert ten.upper == pytest.approx(208.53, abs=0.005)
    none = mtbf_confidence(0, 1000.0)
    assert (none.mtbf, none.upper) == (np.inf, np.inf)
    assert none.lower == pytest.approx(333.8, abs=0.05)
    assert isinstance(ten.lower, float)


def test_mtbf_confidence_is_the_chi_square_interval_and_broadcasts():
    counts, time = np.array([[0], [1], [7], [900]]), np.array([10.0, 1000.0])
    estimate = mtbf_confidence(counts, time, confidence=0.8)
    assert estimate.lower.shape == (4, 2)
    two_sided = 2.0 * time / stats.chi2.ppf(0.9, 2 * counts + 2)
    np.testing.assert_allclose(estimate.lower[1:], two_sided[1:], rtol=1e-12)
    np.testing.assert_allclose(estimate.lower[0], -time / np.log(0.2), rtol=1e-13)
    upper = 2.0 * time / stats.chi2.ppf(0.1, 2 * counts[1:])
    np.testing.assert_allclose(estimate.upper[1:], upper, rtol=1e-12)


@pytest.mark.parametrize("mtbf", [0.7, 3.0, 11.0, 40.0, 300.0])
def test_each_side_of_the_mtbf_interval_errs_as_seldom_as_stated(mtbf):
    counts = np.arange(1, 400)
    chances = stats.poisson.pmf(counts, 100.0 / mtbf)
    estimate = mtbf_confidence(counts, 100.0)
    assert chances[estimate.lower > mtbf].sum() <= 0.025
    assert chances[estimate.upper < mtbf].sum() <= 0.025
    if mtbf < mtbf_confidence(0, 100.0).lower:
        assert np.exp(-100.0 / mtbf) <= 0.05


def test_durations_too_long_for_their_resolution_are_refused_in_these_words():
    durations = [1e-247, 8.12e160]
    with pytest.raises(
        ValueError,
        match=r"^durations must be at most 1e\+299 times their resolution for exponential, got "
        r"8\.12e\+160 and 1\.92e-253: give a coarser resolution, or none$",
    ):
        fit_lifetime(durations, families=["exponential"], resolution=1.92e-253)
    whole = fit_lifetime(durations, families=["gamma"]).best
    rounded = fit_lifetime(durations, families=["gamma"], resolution=1.92e-253).best
    # The place of a maximum is known to the root of the digits of its height, on any processor.
    assert rounded.parameters["shape"] == pytest.approx(whole.parameters["shape"], rel=1e-5)


def test_durations_spread_over_the_whole_range_of_a_float():
    """The second derivatives of a likelihood are 0 to rounding: no warning, no nan."""
    ended = [0.5, 1.0, 1.0, 1.0, 100.0, 0.5, 1.63e-261, 2.44e-242, 8.3e291, 2.23e97, 1.25e-68]
    ended += [1.56e165, 4.65e-19, 2.22e-57, 7e-61, 2.81e160, 3.97e-279, 1.64e-107]
    cut = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 4.32e294, 1.59e25, 5e-24]
    fits = fit_lifetime(ended + cut, censored=[False] * len(ended) + [True] * len(cut))
    assert {row.family for row in fits.rows} == {"exponential", "weibull", "lognormal"}
    assert fits.without_maximum == ("gamma",)
    assert all(np.isfinite(row.log_likelihood) for row in fits.rows)


def test_what_limits_were_not_checked_for_is_said():
    rng = np.random.default_rng(4)
    plenty = Weibull(1.5, 8.0).ppf(rng.random(40))
    assert fit_lifetime(plenty, censored=plenty[:10]).doubts == ()
    (few,) = fit_lifetime([3.0, 9.0, 4.0], families=["exponential"]).doubts
    assert few.startswith("Of fewer than 10 durations seen to end (3), limits")
    (cut,) = fit_lifetime(plenty, censored=np.repeat(plenty, 2), families=["exponential"]).doubts
    assert cut.startswith("More durations were cut off (80) than seen to end (40)")
    (even,) = fit_lifetime(LogNormal.from_mean(8.0, cv=0.1).ppf(rng.random(40))).doubts
    assert "coefficient of variation of the best law is 0.1" in even or "0.09" in even


def test_a_lower_limit_is_told_where_the_mean_is_beyond_all_floats():
    durations, cut = np.array([1e-9, 1.0, 7500.0, 1e13, 2e13]), [False, True, False, True, False]
    (here,) = fit_lifetime(durations, censored=cut, families=["lognormal"]).rows
    unit = 2.0 ** (1023 - int(np.log2(here.mean)) + 5)
    (there,) = fit_lifetime(unit * durations, censored=cut, families=["lognormal"]).rows
    assert there.mean == np.inf
    assert there.mean_interval == pytest.approx((unit * here.mean_interval[0], np.inf), rel=1e-9)
