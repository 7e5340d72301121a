import warnings

import numpy as np
import pytest

from perfmodel.partition import (
    Machines,
    evaluate_set,
    schedule_bisection,
    schedule_exhaustive,
    schedule_local,
)
from perfmodel.validity import ValidityWarning

pytestmark = pytest.mark.filterwarnings("ignore::perfmodel.validity.ValidityWarning")


def wild(rng, count):
    """Return a job and machines whose mtbfs, speeds, repairs and intervals lie far apart."""
    mtbf = 300.0 * 10.0 ** rng.uniform(0.0, rng.uniform(0.0, 4.0), count)
    interval = mtbf * 10.0 ** rng.uniform(-3.0, 0.0, count)
    machines = Machines(
        10.0 ** rng.uniform(0.0, rng.uniform(0.0, 2.0), count),
        mtbf,
        mtbf * 10.0 ** rng.uniform(-3.0, np.log10(0.4), count),
        np.where(rng.random(count) < 0.2, 0.0, rng.uniform(0.0, 30.0, count)),
        interval,
        interval * rng.uniform(1e-3, 0.3, count),
    )
    shortest = rng.choice([mtbf.min(), np.median(mtbf)])
    return 10.0 ** rng.uniform(-1.0, 1.0) * shortest * machines.effective_speed.sum(), machines


def among(machines, bad):
    """Return the machines and so many more that are slow, rarely up and never worth their share."""
    rows = (machines.speed, machines.mtbf, machines.mttr, machines.mttr_cv)
    rows += (machines.interval, machines.checkpoint_cost)
    worst = (1e-3 * machines.speed.min(), 300.0, 120.0, 30.0, 300.0, 90.0)
    return Machines(
        *(np.append(row, [value] * bad) for row, value in zip(rows, worst, strict=True))
    )


@pytest.mark.parametrize("bad", [33, 0], ids=["estimated", "computed"])
def test_of_random_machines_it_finds_the_best(bad):
    """Every change computed; and changes estimated, as of more than 32 machines."""
    worst, missed = 0.0, 0.0
    for seed in range(4):
        rng = np.random.default_rng([bad, seed])
        work, machines = wild(rng, int(rng.integers(2, 8)))
        for processes in (None, (len(machines) + 1) // 2):
            best = schedule_exhaustive(work, machines, processes=processes).objective
            found = schedule_local(work, among(machines, bad), processes=processes)
            assert found.objective >= best * (1.0 - 1e-9)
            assert processes is None or found.chosen.size == processes
            worst = max(worst, found.objective / best - 1.0)
            plain = schedule_bisection(work, machines, processes=processes).objective
            missed = max(missed, plain / best - 1.0)
    assert worst <= 0.02
    assert missed > 0.5


def test_the_schedule_is_that_of_its_set():
    work, machines = wild(np.random.default_rng(3), 6)
    found = schedule_local(work, machines)
    same = evaluate_set(work, machines, found.chosen)
    assert found.objective == pytest.approx(same.objective, rel=1e-9)
    np.testing.assert_allclose(found.shares, same.shares, rtol=1e-12)
    assert found.shares.sum() == pytest.approx(work, rel=1e-12)
    assert np.all(np.diff(found.chosen) > 0)
    assert found.plain_processes is None
    assert not found.missed


def test_equal_machines_are_all_as_good():
    machines = Machines(speed=[2.0] * 40, mtbf=900.0, mttr=2.0, interval=2.0)
    found = schedule_local(3e4, machines)
    assert found.objective == schedule_bisection(3e4, machines).objective


def test_one_machine():
    machines = Machines(speed=2.0, mtbf=900.0, mttr=2.0, interval=2.0)
    assert schedule_local(100.0, machines).chosen.tolist() == [0]
    assert schedule_local(100.0, machines, processes=1).chosen.tolist() == [0]


def test_machines_that_nothing_delays():
    machines = Machines(speed=np.arange(1.0, 41.0), mtbf=1e300)
    found = schedule_local(820.0, machines)
    assert found.chosen.size == 40
    assert found.objective == pytest.approx(1.0, rel=1e-12)


def test_all_machines_of_a_given_number():
    work, machines = wild(np.random.default_rng(4), 5)
    assert schedule_local(work, machines, processes=5).chosen.tolist() == list(range(5))


def test_it_warns_beyond_its_range():
    machines = Machines(speed=[1.0, 2.0], mtbf=100.0, mttr=[41.0, 1.0])
    with pytest.warns(ValidityWarning, match="up to which schedule_local is within 2.00%"):
        schedule_local(10.0, machines)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schedule_local(10.0, Machines(speed=[1.0, 2.0], mtbf=100.0, mttr=[40.0, 1.0]))


def test_refusals():
    machines = Machines(speed=[1.0, 2.0], mtbf=100.0)
    with pytest.raises(ValueError, match="work must be finite and > 0, got 0"):
        schedule_local(0.0, machines)
    with pytest.raises(ValueError, match="processes must be a whole number <= 2"):
        schedule_local(1.0, machines, processes=3)
    with pytest.raises(TypeError, match="machines must be Machines"):
        schedule_local(1.0, [1.0])
