import math

import numpy as np
import pytest
from scipy import special
from scipy.optimize import minimize_scalar

from perfmodel import (
    Empirical,
    Exponential,
    LogNormal,
    exact_makespan,
    optimal_interval,
    optimal_interval_parallel,
    slowest,
    slowest_of,
    wsj_makespan,
)
from perfmodel.completion.wsj import GammaCompletionTime
from perfmodel.parallel.tasks import _least

TASK = {"interval": 6.0, "mtbf": 100.0, "checkpoint_cost": 0.2, "downtime": Exponential(1.0)}


@pytest.fixture(scope="module")
def task():
    return exact_makespan(120.0, **TASK)


def test_one_task_is_the_slowest_of_one(task):
    alone = slowest_of(task, 1)
    assert alone.mean == pytest.approx(task.mean, rel=1e-8)
    assert alone.variance == pytest.approx(task.variance, rel=1e-6)
    q = np.array([0.1, 0.5, 0.99])
    np.testing.assert_allclose(alone.ppf(q), task.ppf(q), rtol=1e-9)
    assert alone.atom == pytest.approx(task.atom)


@pytest.mark.parametrize("count", [2, 1000, 10**6])
def test_cdf_and_percentiles_of_many(task, count):
    many = slowest_of(task, count)
    t = task.isf(np.array([0.5, 1e-2, 1e-6, 1e-8]))
    np.testing.assert_allclose(many.cdf(t), task.cdf(t) ** count, rtol=1e-8 * count, atol=1e-300)
    q = np.array([0.01, 0.5, 0.99])
    np.testing.assert_allclose(many.cdf(many.ppf(q)), np.maximum(q, many.atom[1]), rtol=1e-6)
    # Far out every task alone is rare, and they add up.
    far = task.isf(1e-11)
    assert float(many.sf(far)) == pytest.approx(count * 1e-11, rel=2e-5)


def test_the_mean_of_a_million_gamma_tasks_is_that_of_extreme_values():
    """A Gamma law of shape 1 is exponential: the mean of its maximum is a harmonic sum."""
    many = slowest_of(GammaCompletionTime(start=5.0, failing=1.0, shape=1.0, scale=2.0), 10**6)
    harmonic = np.euler_gamma + special.digamma(10**6 + 1.0)
    assert many.mean == pytest.approx(5.0 + 2.0 * harmonic, rel=1e-9)
    assert many.variance == pytest.approx(4.0 * (np.pi**2 / 6.0 - 1e-6), rel=1e-6)


def test_the_means_of_jobs_simulated_apart_from_this_code():
    """Numbers of tasks, intervals and means of the physical process, standard errors near 0.05."""
    for count, interval, known in [
        (1, 6.0, 129.21), (16, 10 / 3, 138.55), (16, 6.0, 140.69), (128, 3.0, 143.73),
        (128, 6.0, 148.32), (1024, 2.5, 148.13), (1024, 6.0, 155.30),
    ]:  # fmt: skip
        law = exact_makespan(120.0, **{**TASK, "interval": interval})
        assert slowest_of(law, count).mean == pytest.approx(known, abs=0.12)


def test_the_best_interval_falls_as_tasks_grow():
    """Contrary to wsj section 3, where it is said not to depend on the number of nodes."""
    job = {"work": 120.0, "mtbf": 100.0, "checkpoint_cost": 0.2, "downtime": Exponential(1.0)}
    best = optimal_interval_parallel([1, 128, 1024], **job)
    np.testing.assert_allclose(best, [6.3158, 3.0, 2.7273], atol=1e-4)

    def mean(interval, count):
        law = exact_makespan(120.0, **{**TASK, "interval": interval})
        return slowest_of(law, count).mean

    segments = round(120.0 / best[1])
    ours = mean(best[1], 128)
    for other in (segments - 5, segments - 1, segments + 1, segments + 5):
        assert ours <= mean(120.0 / other, 128)


def test_two_segments_where_they_beat_one_and_three():
    costs = {"mtbf": 100.0, "checkpoint_cost": 0.7}
    assert round(14.0 / float(optimal_interval_parallel(2, work=14.0, **costs))) == 2
    one, two, three = (
        slowest_of(exact_makespan(14.0, interval=14.0 / k, **costs), 2).mean for k in (1, 2, 3)
    )
    assert two < one < three  # from three, one is better too


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_no_other_number_of_segments_is_better(seed):
    rng = np.random.default_rng(seed)
    tasks, work = int(10.0 ** rng.uniform(0.0, 3.0)), 10.0 ** rng.uniform(-1.0, 0.0)
    costs = {"mtbf": 1.0, "checkpoint_cost": 10.0 ** rng.uniform(-2.0, -1.0)}
    costs |= {"recovery_cost": rng.uniform(0.0, 0.1), "downtime": rng.uniform(0.0, 0.1)}
    quantile = [None, 0.5, 0.99][seed % 3]
    best = optimal_interval_parallel(tasks, work=work, **costs, quantile=quantile)

    def time(segments):
        law = slowest_of(exact_makespan(work, interval=work / segments, **costs), tasks)
        return law.mean if quantile is None else float(law.ppf(quantile))

    found = round(work / float(best))
    least = time(found)
    for other in range(1, 2 * found + 3):
        assert least <= time(other) * (1.0 + 1e-10)


def test_in_the_process_of_wsj_it_falls_as_well():
    def best(count):
        def mean(log_interval):
            law = wsj_makespan(
                120.0,
                mtbf=100.0,
                downtime=Exponential(1.0),
                interval=float(np.exp(log_interval)),
                checkpoint_cost=0.2,
            )
            return slowest_of(law, count).mean

        return float(np.exp(minimize_scalar(mean, bounds=(0.5, 2.5), method="bounded").x))

    found = [best(count) for count in (1, 16, 128, 1024)]
    assert np.all(np.diff(found) < -0.2)


def test_a_quantile_wants_shorter_intervals_than_the_mean():
    job = {"work": 120.0, "mtbf": 100.0, "checkpoint_cost": 0.2, "downtime": Exponential(1.0)}
    mean = optimal_interval_parallel(1, **job)
    assert optimal_interval_parallel(1, **job, quantile=0.999) < mean


def test_mixed_tasks_multiply(task):
    other = exact_makespan(110.0, **TASK)
    both = slowest([task, other, task])
    t = np.linspace(120.0, 200.0, 50)
    np.testing.assert_allclose(both.cdf(t), task.cdf(t) ** 2 * other.cdf(t), rtol=1e-7, atol=1e-12)
    assert both.mean > task.mean
    q = np.array([0.3, 0.9, 0.999])
    np.testing.assert_allclose(both.cdf(both.ppf(q)), q, rtol=1e-7)


@pytest.fixture(scope="module")
def crowd():
    """A dozen laws that all differ, of which a few decide, and their slowest."""
    mtbfs = np.geomspace(30.0, 3000.0, 12)
    laws = [exact_makespan(100.0, **{**TASK, "mtbf": mtbf, "downtime": 1.0}) for mtbf in mtbfs]
    return laws, slowest(laws)


@pytest.mark.slow
def test_laws_left_out_of_many_change_no_digit(crowd):
    laws, last = crowd
    t = last.isf(10.0 ** -np.linspace(0.1, 30.0, 40))
    with np.errstate(divide="ignore"):
        whole = -np.expm1(sum(np.log1p(-law.sf(t)) for law in laws))
    np.testing.assert_allclose(last.sf(t), whole, rtol=2e-11)


@pytest.mark.slow
def test_moments_of_many_are_those_of_the_whole_product(crowd):
    laws, last = crowd
    # Kinks lie at sums of downtimes, 1, and segments, 6.2.
    edges = last.atom[0] + np.concatenate([0.2 * np.arange(751), [400.0]])
    x, w = np.polynomial.legendre.leggauss(6)
    half = 0.5 * np.diff(edges)[:, None]
    t = edges[:-1, None] + half * (1.0 + x)
    left = 1.0 - np.prod([law.cdf(t) for law in laws], axis=0)
    mean = last.atom[0] + np.sum(half * w * left)
    square = np.sum(half * w * left * 2.0 * (t - last.atom[0]))
    assert last.mean == pytest.approx(mean, rel=1e-9)
    assert last.variance == pytest.approx(square - (mean - last.atom[0]) ** 2, rel=1e-7)


@pytest.mark.slow
def test_infinite_moments_stay_infinite():
    wild = exact_makespan(
        1.0, interval=1.0, mtbf=10.0, checkpoint_cost=0.0, downtime=LogNormal(0.0, 38.0)
    )
    assert wild.mean == wild.variance == np.inf
    many = slowest_of(wild, 10)
    assert many.mean == many.variance == np.inf


def test_refusals(task):
    with pytest.raises(ValueError, match="count must be a whole number >= 1"):
        slowest_of(task, 0)
    with pytest.raises(TypeError, match="distribution must be a completion time"):
        slowest([1.0])
    with pytest.raises(ValueError, match="distributions must be non-empty"):
        slowest([])
    with pytest.raises(ValueError, match=r"quantile must be in \(0, 1\), got 1.0"):
        optimal_interval_parallel(2, work=1.0, mtbf=1.0, checkpoint_cost=0.1, quantile=1.0)
    with pytest.raises(ValueError, match=r"quantile must be a single number, got shape \(2,\)"):
        optimal_interval_parallel(2, work=1.0, mtbf=1.0, checkpoint_cost=0.1, quantile=[0.5, 0.9])
    with pytest.raises(TypeError, match="recovery_cost must be a number or an array of numbers"):
        optimal_interval_parallel(2, work=1.0, mtbf=1.0, checkpoint_cost=0.1, recovery_cost="a")


def test_an_array_of_counts_gives_an_array_of_laws(task):
    many = slowest_of(task, [[1, 10], [100, 1000]])
    assert many.shape == (2, 2)
    assert many[1, 0].mean == slowest_of(task, 100).mean
    assert many[0, 0].mean == task.mean
    assert many[0, 0].variance == task.variance


@pytest.mark.parametrize(("tasks", "mtbf"), [(2, 1.0), (1, 1e285)])
def test_more_segments_than_a_float_can_count(tasks, mtbf):
    found = optimal_interval_parallel(tasks, work=1e285, mtbf=mtbf, checkpoint_cost=1e-52)
    assert found == optimal_interval(mtbf=mtbf, checkpoint_cost=1e-52)


@pytest.mark.few(2)
@pytest.mark.parametrize("downtime", [0.008, LogNormal.from_mean(0.008, cv=2.0)])
@pytest.mark.parametrize("unit", [2.0**-725, 2.0**725])
def test_the_unit_of_time_does_not_matter_however_far(unit, downtime):
    job = {"work": 2.385, "mtbf": 1.252, "checkpoint_cost": 2.45e-7, "recovery_cost": 2e-4}
    is_law = isinstance(downtime, LogNormal)
    scaled = downtime.scaled(unit) if is_law else unit * downtime
    one = optimal_interval_parallel(1, **job, downtime=downtime, quantile=0.9)
    other = optimal_interval_parallel(
        1, **{k: unit * value for k, value in job.items()}, downtime=scaled, quantile=0.9
    )
    assert other == pytest.approx(unit * one, rel=1e-12)


def test_heavy_tails_of_the_slowest_of_one_are_its_own():
    wild = exact_makespan(
        1.0,
        interval=1.0,
        mtbf=1.0,
        checkpoint_cost=0.0,
        downtime=LogNormal.from_mean(2.0, cv=30.0),
    )
    two = slowest([wild, wild])
    assert slowest_of(wild, 1).std == wild.std
    # E[max^2] <= 2 E[T^2], and nearly so where one task decides.
    assert 0.9 * 2.0 * wild.variance < two.variance < 2.0 * wild.variance + 1.0


@pytest.mark.parametrize(("mtbf", "mtbfs"), [(2.5e-3, 400.0), (1e-250, 100.0)])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_moments_whose_squares_no_float_can_hold(mtbf, mtbfs):
    """Success so rare that every law is exponential: means in ratios of tiny probabilities."""
    laws = [
        exact_makespan(work * mtbf, interval=work * mtbf, mtbf=mtbf, checkpoint_cost=0.0)
        for work in (mtbfs, mtbfs + 1.0)
    ]
    short, long = (law.mean for law in laws)
    both, first = slowest(laws), 1.0 / (1.0 + short / long)  # the first of both, in `short`
    share = short / long
    assert both.mean / long == pytest.approx(1.0 + share - share * first, rel=1e-9)
    square = 2.0 * (1.0 + share**2 - (share * first) ** 2)
    assert both.std / long == pytest.approx(np.sqrt(square - (both.mean / long) ** 2), rel=1e-9)
    many = slowest_of(laws[0], 16)
    harmonic = np.array([1.0 / k for k in range(1, 17)])
    assert many.mean / short == pytest.approx(harmonic.sum(), rel=1e-9)
    assert many.std / short == pytest.approx(np.sqrt((harmonic**2).sum()), rel=1e-9)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_crowd_does_not_wait_for_a_rounding():
    """Of 35,637 tasks nearly all need one fixed repair at most, and the slowest two."""
    job = {"interval": 100.0, "mtbf": 1e6, "checkpoint_cost": 0.0102, "downtime": 5.22e8}
    slow = {k: 3.3e4 * v for k, v in job.items()}
    crowd = slowest_of(exact_makespan(15500.0 * 3.3e4, **slow), 35_637)
    assert crowd.mean / 3.3e4 == pytest.approx(1048236264.0, rel=1e-7)
    assert crowd.std / 3.3e4 == pytest.approx(99446860.0, rel=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_the_least_of_a_falling_then_rising_function_takes_few_looks(seed):
    rng = np.random.default_rng(seed)
    best, start = (int(10.0 ** rng.uniform(0.0, 9.0)) for _ in range(2))
    start = max(1, min(max(start, best // 4), 2 * best))
    bend = rng.uniform(0.5, 3.0)
    looked = []

    def value(segments):
        looked.append(segments)
        return 7.0 + 0.1 * ((segments / best) ** bend + bend * best / segments)

    found = _least(value, start)
    assert len(set(looked)) <= 16
    if best < 1000:
        assert found == min(range(1, 3000), key=value)
    else:
        assert found == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize("cliff", [1, 7, 3000, 10**6])
def test_the_least_where_fewer_never_end(cliff):
    def value(segments):
        return np.inf if segments < cliff else float(segments)

    assert _least(value, 4 * cliff) == pytest.approx(cliff, rel=1e-3)


def test_moments_do_not_look_far_beyond_the_spread():
    """Far tails of laws that are narrow beside their mean may be costly, and count for nothing."""
    task = exact_makespan(
        1e5, interval=0.13, mtbf=1.0, checkpoint_cost=0.01, recovery_cost=1.0, downtime=9.0
    )
    asked = []

    class Watched(type(task)):
        def _sf(self, t):
            asked.append(float(np.max(t)))
            return super()._sf(t)

    watched = Watched(
        start=task.start, mean=task.mean, std=task.std, lost=task.lost, unit=task.unit
    )
    many = slowest_of(watched, 10**6)
    assert many.mean == pytest.approx(task.mean + 4.86 * task.std, rel=1e-4)
    assert max(asked) < task.mean + 15.0 * task.std


@pytest.mark.slow
def test_rarer_times_are_later_where_the_tail_is_all_noise():
    """The sf of a heavy tail has an absolute error, here of 3e-13: below, it rises and falls."""
    task = exact_makespan(
        1.83,
        interval=9.7e-6,
        mtbf=3.13e-4,
        checkpoint_cost=5e-7,
        recovery_cost=9.7e-5,
        downtime=LogNormal(-6.27819, 0.463888),
    )
    many = slowest_of(task, 216_999)
    rng = np.random.default_rng(1)
    for law, least in ((task, 1e-17), (many, 1e-12)):
        p = np.exp(-np.sort(rng.uniform(0.0, -math.log(least), (60, 6))))
        for falling in p:
            assert np.all(np.diff(law.isf(falling)) >= 0.0)
            assert np.all(np.diff(law.isf(falling[::-1])) <= 0.0)


def test_a_spread_below_the_last_digit_of_the_start_stays_below_it():
    down = Empirical([4.46e-227, 8.01e-226, 8.11e-227])
    task = wsj_makespan(2.55e64, mtbf=2.47e-128, downtime=down, interval=7.42e-254)
    law = slowest_of(task, 222256876068)
    assert law.mean == pytest.approx(2.55e64, rel=1e-15)
    assert law.std < 2.0 * np.spacing(2.55e64)


@pytest.mark.few(2)
@pytest.mark.parametrize("recovery", [620.0, 645.0, 665.0])
@pytest.mark.parametrize("count", [1, 10])
def test_times_that_a_float_only_just_holds_end_as_others_do(recovery, count):
    # One segment: not struck, or an exponential time, so that moments are those of its maximum.
    costs = {"checkpoint_cost": 0.0, "recovery_cost": recovery, "downtime": 1.0}
    one = exact_makespan(1.0, interval=1.0, mtbf=1.0, **costs)
    struck = -math.expm1(-1.0)
    scale = one.mean / struck
    first = second = 0.0
    for k in range(1, count + 1):
        chance = math.comb(count, k) * struck**k * (1.0 - struck) ** (count - k)
        harmonic = math.fsum(1.0 / j for j in range(1, k + 1))
        first += chance * harmonic
        second += chance * (harmonic**2 + math.fsum(1.0 / j**2 for j in range(1, k + 1)))
    many = slowest_of(one, count)
    assert many.mean == pytest.approx(first * scale, rel=1e-9)
    assert many.std == pytest.approx(math.sqrt(second - first**2) * scale, rel=1e-8)
    p = np.array([0.5, 0.01, 1e-6])
    each = -np.expm1(np.log1p(-p) / count)
    late = -np.log(each / struck) * scale
    np.testing.assert_allclose(many.isf(p), late, rtol=1e-9)
    other = exact_makespan(2.0, interval=1.0, mtbf=1.0, **{**costs, "recovery_cost": 600.0})
    both = slowest([one, other])  # beside the first, the other is done at once
    np.testing.assert_allclose(both.isf(0.01), -np.log(0.01 / struck) * scale, rtol=1e-6)


@pytest.mark.slow
def test_falls_that_end_shortly_after_a_seam_are_integrated():
    # Repairs are multiples of 2230, and the sf falls within some seconds after each of them.
    one = exact_makespan(
        1970.0,
        interval=0.366,
        mtbf=3660.0,
        checkpoint_cost=0.0,
        downtime=2230.0,
        downtime_at_risk=True,
    )
    law = slowest_of(one, 1144)
    start = law.atom[0]
    nodes, weights = np.polynomial.legendre.leggauss(80)
    cuts = np.array([0.0, 0.05, 0.2, 0.5, *range(1, 20), 40, 100, 400, 1000, 2230])
    left = (2230.0 * np.arange(450)[:, None] + cuts[:-1]).ravel()
    half = 0.5 * np.tile(np.diff(cuts), 450)
    times = start + (left + half)[:, None] + half[:, None] * nodes
    mean = start + float((law.sf(times) * weights * half[:, None]).sum())
    assert law.mean == pytest.approx(mean, rel=1e-10)


@pytest.mark.slow
def test_a_task_that_nearly_never_ends_beside_one_with_a_heavy_tail():
    hopeless = exact_makespan(1.0, interval=1.0, mtbf=1.0, checkpoint_cost=0.0, recovery_cost=663.0)
    heavy = exact_makespan(
        3.0, interval=1.0, mtbf=1.0, checkpoint_cost=0.0, downtime=LogNormal(0.0, 1.0)
    )
    both = slowest([hopeless, heavy])
    assert not heavy.light
    assert both.mean == pytest.approx(hopeless.mean, rel=1e-10)
    assert both.std == pytest.approx(hopeless.std, rel=1e-10)
