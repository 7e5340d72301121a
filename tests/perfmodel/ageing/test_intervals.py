import numpy as np
import pytest

from perfmodel import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Weibull,
    hazard_intervals,
    lazy_intervals,
    optimal_interval,
    optimal_interval_ageing,
    optimal_intervals_ageing,
    useful_share_ageing,
)

# Shape, checkpoint; useful shares of the best sequence, the hazard rule, the best constant interval
# and the lazy rule; first intervals and best constant one. Mean uptime 24, nothing else costs.
TABLE = [
    (0.5, 1 / 6, 0.902603, 0.902554, 0.897039, 0.866639, [1.5641, 1.9746, 2.2603], 3.1694),
    (0.7, 1 / 6, 0.891677, 0.891642, 0.890020, 0.878333, [2.0106, 2.2917, 2.4698], 2.8632),
    (1.0, 1 / 6, 0.886732, 0.886653, 0.886732, 0.886653, [2.7184, 2.7184, 2.7184], 2.7184),
    (1.5, 1 / 6, 0.888056, 0.887692, 0.885720, 0.859168, [3.9159, 3.2807, 2.9786], 2.6679),
    (0.7, 1.0, 0.753368, 0.753077, 0.751011, 0.743614, [5.4799, 6.2809, 6.7900], 6.9128),
    (0.5, 1.0, 0.780619, 0.780444, 0.772732, 0.755973, [4.9526, 6.3033, 7.2450], 8.0660),
]
# Law, checkpoint, recovery; work saved in an uptime, first intervals.
SEQUENCES = [
    (LogNormal.from_mean(24.0, cv=2.0), 0.25, 0.5, 20.381106259, [2.412785, 2.487659, 2.633161]),
    (Gamma(0.5, 48.0), 0.5, 0.25, 19.581308943, [3.957353, 4.574690, 4.923745]),
]
BATHTUB = {"uptime": Bathtub(0.45, 1.0, 0.8, 24.0), "checkpoint_cost": 0.25, "recovery_cost": 0.25}


def weibull(shape):
    law = Weibull(shape, 1.0)
    return law.scaled(24.0 / law.mean)


@pytest.mark.few(2)
@pytest.mark.parametrize("row", TABLE)
def test_the_table_of_shares_comes_out(row):
    shape, cost, best, hazard, same, lazy, first, w = row
    job = {"uptime": weibull(shape), "checkpoint_cost": cost}
    found = optimal_intervals_ageing(**job)
    assert found[:3] == pytest.approx(first, abs=5.1e-5)
    assert useful_share_ageing(found, **job) == pytest.approx(best, abs=5.1e-7)
    by_hazard = useful_share_ageing(hazard_intervals(**job), **job)
    assert by_hazard == pytest.approx(hazard, abs=5.1e-7)
    constant = optimal_interval_ageing(**job)
    assert constant == pytest.approx(w, abs=5.1e-5)
    assert useful_share_ageing(constant, **job) == pytest.approx(same, abs=5.1e-7)
    by_laziness = useful_share_ageing(lazy_intervals(**job), **job)
    assert by_laziness == pytest.approx(lazy, abs=5.1e-7)


@pytest.mark.parametrize(("uptime", "cost", "recovery", "saved", "first"), SEQUENCES)
def test_sequences_are_those_of_another_search(uptime, cost, recovery, saved, first):
    job = {"uptime": uptime, "checkpoint_cost": cost, "recovery_cost": recovery}
    found = optimal_intervals_ageing(**job)
    assert found[:3] == pytest.approx(first, rel=1e-6)
    assert useful_share_ageing(found, **job) * uptime.mean == pytest.approx(saved, rel=1e-9)


def test_a_bathtub_has_one_long_interval_in_its_safe_middle():
    found = optimal_intervals_ageing(**BATHTUB)
    assert found == pytest.approx([19.131124, 2.322341, 0.839381, 0.323970, 0.022008], abs=1e-5)
    gain = useful_share_ageing(found, **BATHTUB) - useful_share_ageing(
        optimal_interval_ageing(**BATHTUB), **BATHTUB
    )
    assert gain == pytest.approx(0.0508, abs=1e-4)


@pytest.mark.slow
def test_a_bathtub_has_many_local_maxima_and_the_best_is_found():
    best = optimal_interval_ageing(**BATHTUB)
    grid = np.geomspace(0.3, 24.0, 3000)
    shares = np.array([useful_share_ageing(w, **BATHTUB) for w in grid])
    inner = (shares[1:-1] > shares[:-2]) & (shares[1:-1] > shares[2:])
    assert inner.sum() >= 10
    assert useful_share_ageing(best, **BATHTUB) >= shares.max()


def test_of_peaks_as_near_as_one_segment_more_the_best_is_found():
    job = {"uptime": Bathtub(0.45, 1.0, 0.1, 24.0), "checkpoint_cost": 1.33e-3}
    job["recovery_cost"] = 1.33e-3
    best = optimal_interval_ageing(**job)
    shares = [useful_share_ageing(w, **job) for w in np.linspace(0.21, 0.225, 400)]
    assert useful_share_ageing(best, **job) >= max(shares) * (1.0 - 1e-7)


def test_checkpoints_beyond_those_that_are_added_up_count_to_the_last_digit():
    w, cost = 1e-4, 1e-5  # a law that falls steeply behind the 4000 first
    law = Weibull(2.0, 1.0)
    ends = (w + cost) * np.arange(1.0, 60_000.0)
    known = w * float(law.sf(ends).sum()) / law.mean
    assert useful_share_ageing(w, uptime=law, checkpoint_cost=cost) == pytest.approx(
        known, rel=1e-13
    )


@pytest.mark.parametrize("cost", [1e-3, 0.3, 3.0])
def test_without_memory_all_intervals_are_the_exponential_one(cost):
    job = {"uptime": Exponential(10.0), "checkpoint_cost": cost}
    known = float(optimal_interval(mtbf=10.0, checkpoint_cost=cost))
    assert optimal_interval_ageing(**job) == pytest.approx(known, rel=2e-7)
    if cost > 0.01:
        assert optimal_intervals_ageing(**job)[:8] == pytest.approx([known] * 8, rel=1e-6)
    share = known / 10.0 / np.expm1((known + cost) / 10.0)
    assert useful_share_ageing(known, **job) == pytest.approx(share, rel=1e-10)


def test_a_recorded_law_has_a_best_constant_interval_only():
    uptime = Empirical([2.0, 3.0, 8.0, 30.0])
    best = optimal_interval_ageing(uptime=uptime, checkpoint_cost=0.2)
    assert 1.0 < best < 30.0
    with pytest.raises(TypeError, match=r"uptime must have a density .*: fit a law to it"):
        optimal_intervals_ageing(uptime=uptime, checkpoint_cost=0.2)


@pytest.mark.parametrize("unit", [1.0, 1000.0, 2.0**-30])
@pytest.mark.parametrize("ratio", [3.6e-10, 1e-6, 1e-3])
def test_one_recorded_uptime_has_one_segment_in_any_unit(unit, ratio):
    cost = 0.192 * unit * ratio
    best = optimal_interval_ageing(uptime=Empirical([0.192 * unit]), checkpoint_cost=cost)
    assert best == pytest.approx(0.192 * unit - cost, rel=1e-12)
    assert best + cost < 0.192 * unit


@pytest.mark.parametrize("recovery", [0.0, 0.05])
def test_the_best_of_some_recorded_uptimes_ends_just_before_one(recovery):
    known = np.array([1.0, 1.5, 7.0, 3.3, 0.4])
    job = {"uptime": Empirical(known), "checkpoint_cost": 2e-3, "recovery_cost": recovery}
    ends = [(1.0 - 1e-12) * ((known - recovery) / n) - 2e-3 for n in range(1, 200)]
    shares = [useful_share_ageing(w, **job) for w in np.concatenate(ends) if w > 0.0]
    best = optimal_interval_ageing(**job)
    assert useful_share_ageing(best, **job) >= max(shares) * (1.0 - 1e-11)


@pytest.mark.few(3)
@pytest.mark.parametrize("unit", [5.82077e-11, 3e-4, 7.0, 1e5])
@pytest.mark.parametrize("cv", [1.0, 2.5])
def test_the_best_sequence_is_the_same_in_any_unit(cv, unit):
    """Near the best its value is flat to rounding, which once ended the search 1e-5 away."""

    def sequence(scale):
        uptime = LogNormal.from_mean(scale, cv=cv)
        return optimal_intervals_ageing(uptime=uptime, checkpoint_cost=0.5 * scale) / scale

    np.testing.assert_allclose(sequence(unit), sequence(1.0), rtol=1e-10)


@pytest.mark.few(2)
@pytest.mark.parametrize("unit", [5.82077e-11, 1e5])
@pytest.mark.parametrize(
    "law", [Weibull(0.7, 1.0), Gamma(3.0, 0.4), Bathtub(0.45, 0.04, 0.03, 1.0)]
)
def test_rules_and_constant_intervals_are_the_same_in_any_unit(law, unit):
    scaled = law.scaled(unit)
    job = {"checkpoint_cost": 0.01, "recovery_cost": 0.02}
    same = {name: unit * cost for name, cost in job.items()}
    assert optimal_interval_ageing(uptime=scaled, **same) == pytest.approx(
        unit * optimal_interval_ageing(uptime=law, **job), rel=1e-6
    )
    assert useful_share_ageing(0.3 * unit, uptime=scaled, **same) == pytest.approx(
        useful_share_ageing(0.3, uptime=law, **job), rel=1e-12
    )
    for rule in (hazard_intervals, *([lazy_intervals] if isinstance(law, Weibull) else [])):
        found, known = rule(uptime=scaled, **same) / unit, rule(uptime=law, **job)
        np.testing.assert_allclose(found, known, rtol=1e-9)


def test_a_law_without_early_failures_gives_no_warning():
    law = Gamma.from_mean(1.0, cv=0.1)
    assert optimal_intervals_ageing(uptime=law, checkpoint_cost=1.0).size == 1


@pytest.mark.parametrize(("early", "late", "cost"), [(0.053, 0.132, 0.33), (0.016, 2.42, 0.0072)])
@pytest.mark.parametrize("unit", [1.0, 3e-9])
def test_a_last_short_interval_is_kept_if_it_pays(early, late, cost, unit):
    uptime = Bathtub(early=early * unit, late=late * unit, turn=unit, share=0.3)
    cost *= uptime.mean
    best = optimal_intervals_ageing(uptime=uptime, checkpoint_cost=cost)

    def saved(intervals):
        return np.dot(intervals, uptime.sf(np.cumsum(intervals + cost)))

    assert best.min() > 1e-4 * cost
    assert saved(best) >= saved(best[:-1])
    last = np.cumsum(best + cost)[-1]
    more = unit * np.geomspace(1e-6, 1.0, 200)
    assert (more * uptime.sf(last + cost + more)).max() <= 1e-5 * saved(best)


def gradient(intervals, uptime, cost, recovery):
    """Return that of the work saved, over the chance to last so long."""
    ends = recovery + np.cumsum(intervals + cost)
    sf = uptime.sf(ends)
    return 1.0 - (intervals * uptime.pdf(ends) + np.append(sf[1:], 0.0)) / sf


@pytest.mark.parametrize(
    ("uptime", "cost", "recovery", "count"),
    [
        (Bathtub(0.503, 0.0362, 4.265, 1.0), 2.75e-5, 0.0154, 299),
        (Bathtub(2.866, 0.0374, 0.01872, 1.0), 8.24e-7, 0.0, 203),
        (Bathtub(7.87, 11.14, 0.002736, 1.0), 3.165e-3, 0.2409, 11),
        (Bathtub(0.002387, 1.055, 3.281, 1.0), 2.678e-3, 3.342, 74),
        (
            Bathtub(0.0036439322781858007, 16.395163219315847, 0.6334661576591708, 1.0),
            0.4295946370809375,
            0.000697141039853966,
            2,
        ),
    ],
)
def test_a_last_interval_that_shrinks_to_nothing_is_dropped(uptime, cost, recovery, count):
    job = {"uptime": uptime, "checkpoint_cost": cost, "recovery_cost": recovery}
    best = optimal_intervals_ageing(**job)
    assert best.size == count
    assert best.min() > 0.1 * cost
    assert np.abs(gradient(best, uptime, cost, recovery)).max() < 1e-8
    # Before the machine is taken away there is room for hardly more than a checkpoint.
    assert uptime.end - (recovery + np.sum(best + cost)) < 1.5 * cost


@pytest.mark.parametrize(
    ("uptime", "cost"),
    [
        (Bathtub(9.945e-3, 0.2004, 1.141e-4, 1.0), 1.939e-3),
        (Bathtub(1.944e-4, 0.0398, 1.367e-5, 1.0), 1.612e-4),
        (Bathtub(2.223e-3, 0.5382, 2.954e-5, 1.0), 1.148e-3),
        (Bathtub(9.284e-5, 0.0331, 1.429e-5, 1.0), 0.0977),
    ],
)
def test_machines_that_are_taken_away_within_an_instant_have_one_interval(uptime, cost):
    """They were once refused as if they needed too many, or left early by 60 times `late`."""
    found = optimal_intervals_ageing(uptime=uptime, checkpoint_cost=cost)
    assert found.size == 1
    tried = uptime.end - uptime.late * np.linspace(0.0, 40.0, 40_001)
    saved = (tried - cost) * uptime.sf(tried)
    end = float(found[0]) + cost
    assert (end - cost) * float(uptime.sf(end)) >= saved.max()
    assert end == pytest.approx(tried[np.argmax(saved)], abs=2e-3 * uptime.late)


@pytest.mark.parametrize(
    "uptime",
    [
        Gamma.from_mean(mean=1.0, cv=1e-5),
        # Both sides of sixteen periods of 5000.7.
        Gamma.from_mean(mean=1.0, cv=0.00319),
        Gamma.from_mean(mean=1.0, cv=0.00321),
        LogNormal(0.0, 1e-6),
        Weibull(3e4, 1.0),
        Deterministic(1.0),
        Empirical([1.0, 1.5, 2.0, 0.3]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("segments", [3000.7, 5000.7, 20000.3])
def test_intervals_are_counted_one_by_one_where_uptimes_end_within_few(uptime, segments):
    interval, costs = 1.0 / segments, {"checkpoint_cost": 1e-7, "recovery_cost": 1e-3}
    ends = costs["recovery_cost"] + (interval + 1e-7) * np.arange(1, 100_001)
    found = useful_share_ageing(interval, uptime=uptime, **costs)
    assert found == pytest.approx(interval * uptime.sf(ends).sum() / uptime.mean, rel=1e-13)


@pytest.mark.parametrize("unit", [1.0, 2.0**29])
def test_few_uptimes_outlast_a_long_first_interval(unit: float) -> None:
    uptime = LogNormal.from_mean(0.0861 * unit, cv=1.0)
    found = useful_share_ageing(
        np.array([10.0, 1.0, 0.01]) * unit, uptime=uptime, checkpoint_cost=0.0
    )
    # Summed interval by interval at 40 digits.
    assert found == pytest.approx(5.8381710876836197e-08, rel=1e-13)
