"""Time of choosing machines, over that of the calibration loop.

The heuristic on many, exhaustive search on few, and sweeps; a cell is one machine in one set.
"""

from time import process_time

import numpy as np
import pytest

from perfmodel.partition import (
    Machines,
    equal_time_partition,
    evaluate_set,
    schedule_bisection,
    schedule_exhaustive,
    schedule_local,
)


def fleet(count, seed=1):
    """Return machines that all differ, with the paper's speeds, failures and repairs."""
    rng = np.random.default_rng(seed)
    mtbf, mttr = rng.uniform(617.0, 1852.0, count), rng.uniform(2.0, 4.0, count)
    return Machines(rng.uniform(1.0, 5.0, count), mtbf, mttr, 1.5, 2.0, 0.2)


@pytest.mark.benchmark(group="heuristic", timer=process_time)
@pytest.mark.parametrize("each", [30.0, 300.0, 3000.0])
def test_a_thousand_machines(benchmark, judge_pace, each):
    machines = fleet(1000)
    found = benchmark.pedantic(schedule_bisection, (each * 3000.0, machines), rounds=3)
    assert 1 <= found.chosen.size <= 1000
    figure = f"`schedule_bisection`, 1,000 machines, {each:g} each"
    judge_pace(figure, benchmark.stats["median"], at_most=31.0)


@pytest.mark.benchmark(group="heuristic", timer=process_time)
@pytest.mark.parametrize("each", [30.0, 3000.0])
def test_a_hundred_thousand_machines(benchmark, judge_pace, each):
    machines = fleet(100_000)
    found = benchmark.pedantic(schedule_bisection, (each * 3e5, machines), rounds=1)
    assert found.chosen.size > 1000
    figure = f"`schedule_bisection`, 100,000 machines, {each:g} each"
    judge_pace(figure, benchmark.stats["median"], at_most=940.0)


@pytest.mark.benchmark(group="heuristic", timer=process_time)
def test_a_hundred_thousand_machines_of_ten_kinds(benchmark, judge_pace):
    machines = fleet(10).take(np.arange(100_000) % 10)
    benchmark.pedantic(schedule_bisection, (3e7, machines), rounds=3)
    judge_pace("100,000 machines of ten kinds", benchmark.stats["median"], at_most=31.0)


@pytest.mark.benchmark(group="heuristic", timer=process_time)
@pytest.mark.filterwarnings("ignore::perfmodel.validity.ValidityWarning")
def test_local_search_of_five_hundred_machines(benchmark, judge_pace):
    rng = np.random.default_rng(1)
    mtbf = 10.0 ** rng.uniform(2.0, 5.0, 500)
    repairs = mtbf * 10.0 ** rng.uniform(-3.0, -0.5, 500), rng.uniform(0.0, 30.0, 500)
    machines = Machines(rng.uniform(1.0, 5.0, 500), mtbf, *repairs, 0.01 * mtbf, 1e-3 * mtbf)
    found = benchmark.pedantic(schedule_local, (1e6, machines), rounds=1)
    assert found.objective < schedule_bisection(1e6, machines).objective
    judge_pace("`schedule_local`, 500 machines", benchmark.stats["median"], at_most=470.0)


@pytest.mark.benchmark(group="cells", timer=process_time)
def test_shares_of_a_sweep(benchmark, judge_pace):
    machines, work = fleet(1000), np.geomspace(1.0, 1e6, 1000)
    shares = benchmark(equal_time_partition, work, machines)
    assert shares.size == 1_000_000
    judge_pace("`equal_time_partition`, 10^6 cells", benchmark.stats["median"], at_most=1.6)


@pytest.mark.benchmark(group="cells", timer=process_time)
def test_sets_of_an_exhaustive_search(benchmark, judge_pace):
    # Failures are so frequent that the bound by the mean of a subtask excludes little.
    rng = np.random.default_rng(2)
    machines = Machines(rng.uniform(4.5, 5.0, 12), 100.0, rng.uniform(20.0, 40.0, 12), 2.0, 2.0)
    found = benchmark.pedantic(schedule_exhaustive, (500.0, machines), rounds=3)
    cells = found.sets_evaluated * 12
    benchmark.extra_info.update(cells=cells)
    assert found.sets_evaluated > 1000
    each = benchmark.stats["median"] * 1e5 / cells
    judge_pace("`schedule_exhaustive`, 10^5 cells", each, at_most=16.0)


# The slowest of 10,000 machines lies beyond what evaluate_set states; its speed is the same.
@pytest.mark.benchmark(group="cells", timer=process_time)
@pytest.mark.filterwarnings("ignore::perfmodel.validity.ValidityWarning")
def test_one_large_set(benchmark, judge_pace):
    machines = fleet(10_000)
    benchmark.pedantic(evaluate_set, (3e6, machines), rounds=5)
    judge_pace("`evaluate_set`, 10,000 machines", benchmark.stats["median"], at_most=1.6)
