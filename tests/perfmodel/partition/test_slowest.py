"""The slowest of subtasks on machines that have little in common, against a dense quadrature."""

import numpy as np
import pytest
from scipy import special

from perfmodel import Machines, evaluate_set, schedule_bisection, schedule_exhaustive

pytestmark = pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")


def machines_and_work(seed, *, wide):
    """Draw machines whose mtbfs differ by orders of magnitude, in ratios of the stated range."""
    rng = np.random.default_rng([77, seed])
    count = int(rng.integers(2, 6))

    def between(low, high):
        return 10.0 ** rng.uniform(low, high, count)

    mtbf = between(-3.0, 3.0)
    interval = mtbf * (between(-6.0, 20.0) if wide else between(-3.0, 0.0))
    machines = Machines(
        speed=between(-1.0, 1.0),
        mtbf=mtbf,
        mttr=mtbf * between(-3.0, -0.4),
        interval=interval,
        checkpoint_cost=interval * between(-3.0, -0.5),
        mttr_cv=between(-0.3, 0.6),
    )
    work = 10.0 ** rng.uniform(-1.0, 1.0) * np.median(mtbf) * machines.speed.sum()
    return machines, float(work)


def dense(machines, work):
    """Mean and deviation of the slowest, with panels around the bulk and the tail of each law."""
    speed = machines.effective_speed
    tasks = machines.subtasks(work * speed / speed.sum())
    laws = list(zip(tasks.start, tasks.failing, tasks.shape, tasks.scale, strict=True))
    start = tasks.start.max()
    edges = [np.zeros(1)]
    for begin, _, shape, scale in laws:
        edges.append(begin - start + scale * (shape + np.sqrt(shape) * np.linspace(-12, 60, 400)))
        edges.append(begin - start + scale * np.geomspace(1e-14, 70.0, 400))
        edges.append(begin - start + scale * shape * np.geomspace(1e-12, 1e3, 300))
        edges.append(np.geomspace(1e-14, 1.0, 200) * scale * (shape + 70.0))
    x, weights = np.polynomial.legendre.leggauss(10)
    ends = np.concatenate(edges)
    ends = np.unique(ends[ends >= 0.0])
    half = 0.5 * np.diff(ends)[:, None]
    excess = ends[:-1, None] + half * (1.0 + x)
    log_cdf = np.zeros(excess.shape)
    for begin, failing, shape, scale in laws:
        lost = np.maximum(excess + start - begin, 0.0) / scale
        with np.errstate(divide="ignore"):
            log_cdf += np.log1p(-failing * special.gammaincc(shape, lost))
    sf = -np.expm1(log_cdf) * half * weights
    first, second = sf.sum(), 2.0 * (sf * excess).sum()
    return start + first, np.sqrt(second - first * first)


@pytest.mark.few(26)
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_the_slowest_of_laws_of_very_different_widths(seed, wide):
    machines, work = machines_and_work(seed, wide=wide)
    found = evaluate_set(work, machines)
    mean, std = dense(machines, work)
    assert found.expected_time == pytest.approx(mean, rel=1e-6)
    assert found.std == pytest.approx(std, rel=1e-5, abs=1e-6 * mean)


@pytest.mark.few(26)
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_no_order_beats_exhaustive_search(seed, wide):
    machines, work = machines_and_work(seed, wide=wide)
    best = schedule_exhaustive(work, machines).objective
    assert best <= schedule_bisection(work, machines).objective * (1.0 + 1e-9)


@pytest.mark.parametrize(
    ("work", "speed", "mtbf", "known"),
    [
        (1.0, 1e-120, 4.03e-189, 2e120),  # half of the time is rework: of an uptime a failure
        (1e65, 1.0, 1e-244, 2e65),
        (1e308, 1.0, 1e-20, np.inf),
        (1e300, 1e-100, 1e-20, np.inf),
    ],
)
def test_more_failures_than_a_float_can_count(work, speed, mtbf, known):
    machines = Machines(
        speed=[speed], mtbf=[mtbf], mttr=[0.0], mttr_cv=[0.0], interval=[1.0], checkpoint_cost=[0.0]
    )
    for found in (evaluate_set(work, machines), schedule_exhaustive(work, machines)):
        assert found.expected_time == pytest.approx(known, rel=1e-6)
        assert not np.isnan(found.std)
