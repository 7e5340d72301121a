"""Shares, sets of machines and their objective, each against a plain second writing."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special

from perfmodel.completion import wsj_compound
from perfmodel.lifetimes import Gamma
from perfmodel.makespan import wsj_mean, wsj_variance
from perfmodel.parallel import slowest_of
from perfmodel.partition import (
    Machines,
    equal_time_partition,
    evaluate_set,
    schedule_bisection,
    schedule_exhaustive,
    schedule_random,
    schedule_reliability,
    schedule_speed,
    schedule_speed_reliability,
)
from perfmodel.validity import ValidityWarning
from tests.support.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::perfmodel.validity.ValidityWarning")

SHORT = Machines([1.0, 2.0, 3.0], [500.0, 400.0, 5.0], 2.0, interval=2.0, checkpoint_cost=0.1)


def random_machines(rng, count, *, load=(1e-3, 0.01), cv=(1.0, 4.0)):
    mtbf = rng.uniform(600.0, 1800.0, count)
    return Machines(
        rng.uniform(1.0, 5.0, count),
        mtbf,
        mtbf * rng.uniform(*load, count),
        rng.uniform(*cv, count),
        2.0,
        rng.uniform(0.0, 0.3, count),
    )


def plain_moments(work, machines, chosen):
    """Mean and deviation of the slowest task from wsj's equations (8), (12), (13) by quadrature."""
    speed, mtbf, mttr, cv, interval, cost = (column[chosen] for column in machines.columns)
    unit = wsj_mean(1.0, mtbf=mtbf, downtime=mttr, interval=interval, checkpoint_cost=cost)
    time = work / np.sum(speed / unit) / unit
    fixed = {"mtbf": mtbf, "downtime": mttr, "interval": interval}
    failing = 1.0 - np.exp(-time / mtbf)
    lost = wsj_mean(time, **fixed) - time
    variance = wsj_variance(time, **fixed)
    variance += (cv * mttr) ** 2 / (1.0 - mttr / mtbf) ** 3 * time / mtbf
    given_failure = (variance + lost**2) / failing - (lost / failing) ** 2
    shape = (lost / failing) ** 2 / given_failure
    scale = given_failure / (lost / failing)
    start = time * (1.0 + cost / interval)

    first, last = start.max(), float(np.max(start + scale * (shape + 80.0 + 13 * shape**0.5)))
    x = (last - first) * np.exp(np.linspace(-30.0, 0.0, 20001))  # t - first, dx = x dy
    late = special.gammaincc(shape, (first + x[:, None] - start) / scale)
    sf = 1.0 - np.prod(1.0 - failing * late, axis=1)
    mean, square = (integrate.simpson(c * x * sf, dx=30.0 / 20000) for c in (1.0, 2.0 * x))
    return first + mean, math.sqrt(square - mean**2)


@given(seed=st.integers(0, 10**6), count=st.integers(1, 12))
@settings(deadline=None, max_examples=examples(240))
def test_equal_times_to_the_last_digits(seed, count):
    machines = random_machines(np.random.default_rng(seed), count, load=(0.0, 0.9))
    speed, mtbf, mttr, _, interval, cost = machines.columns
    shares = equal_time_partition(1e4, machines)
    assert shares.sum() == pytest.approx(1e4, rel=1e-12)
    times = wsj_mean(
        shares / speed, mtbf=mtbf, downtime=mttr, interval=interval, checkpoint_cost=cost
    )
    np.testing.assert_allclose(times, times[0], rtol=1e-12)
    assert evaluate_set(1e4, machines).subtask_time == pytest.approx(times[0], rel=1e-12)


def test_without_storage_cost_shares_are_those_of_the_printed_equation():
    speed, mtbf = np.array([1.0, 2.0, 5.0]), np.array([300.0, 700.0, 100.0])
    machines = Machines(speed, mtbf, 4.0, interval=8.0)
    rho_f, x = 4.0 / mtbf, 8.0 / mtbf
    rho_c = (1.0 - np.exp(-x) - x * np.exp(-x)) / (1.0 - np.exp(-x))
    key = speed * (1.0 - rho_f) / (1.0 + rho_c - rho_c * rho_f)
    np.testing.assert_allclose(machines.effective_speed, key, rtol=1e-12)
    np.testing.assert_allclose(
        equal_time_partition([10.0, 90.0], machines),
        np.outer([10.0, 90.0], key / key.sum()),
        rtol=1e-12,
    )


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("seed", "count", "options"),
    [
        (1, 1, {}),
        (2, 3, {"cv": (3.0, 4.0)}),
        (3, 8, {"load": (0.05, 0.5)}),
        (4, 40, {}),
        (5, 5, {"cv": (0.0, 0.1), "load": (0.1, 0.3)}),
    ],
)
@pytest.mark.parametrize("work", [30.0, 3e4])
def test_the_slowest_task_is_that_of_plain_quadrature(seed, count, options, work):
    machines = random_machines(np.random.default_rng(seed), count, **options)
    found = evaluate_set(work, machines)
    mean, std = plain_moments(work, machines, np.arange(count))
    assert found.expected_time == pytest.approx(mean, rel=1e-7)
    assert found.std == pytest.approx(std, rel=1e-6)
    assert found.objective == found.expected_time + found.std


def test_machines_of_one_kind_are_counted_and_not_repeated():
    one = random_machines(np.random.default_rng(8), 3)
    many = one.take([0, 1, 2] * 20)
    nearly = Machines(*(np.asarray(c) * (1.0 + 1e-13 * np.arange(60)) for c in many.columns))
    assert evaluate_set(9e3, many).std == pytest.approx(evaluate_set(9e3, nearly).std, rel=1e-9)


def test_without_failures_nothing_is_random():
    machines = Machines([1.0, 3.0], mtbf=100.0)
    found = evaluate_set(40.0, machines)
    assert (found.expected_time, found.std) == (10.0, 0.0)
    np.testing.assert_array_equal(found.shares, [10.0, 30.0])


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-6, 1.0 / 60.0, 3600.0, 1e9]))
@settings(deadline=None, max_examples=20)
def test_the_unit_of_time_does_not_matter(seed, scale):
    machines = random_machines(np.random.default_rng(seed), 5)
    speed, mtbf, mttr, cv, interval, cost = machines.columns
    other = Machines(speed / scale, mtbf * scale, mttr * scale, cv, interval * scale, cost * scale)
    ours, theirs = schedule_exhaustive(800.0, machines), schedule_exhaustive(800.0, other)
    assert theirs.objective == pytest.approx(scale * ours.objective, rel=1e-9)
    np.testing.assert_allclose(theirs.shares.sum(), ours.shares.sum(), rtol=1e-12)


@pytest.mark.parametrize("processes", [None, 3])
@pytest.mark.parametrize("load", [(1e-3, 0.01), (0.05, 0.5)])
def test_exhaustive_search_finds_what_enumeration_in_plain_python_finds(processes, load):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        machines = random_machines(rng, 5, load=load)
        work = 10.0 ** rng.uniform(1.5, 4.5)
        sizes = range(1, 6) if processes is None else [processes]
        sets = [c for size in sizes for c in itertools.combinations(range(5), size)]
        best = min(sets, key=lambda chosen: evaluate_set(work, machines, chosen).objective)
        found = schedule_exhaustive(work, machines, processes=processes)
        assert found.chosen.tolist() == list(best)
        assert found.objective == evaluate_set(work, machines, best).objective
        assert found.sets_evaluated <= len(sets)


@pytest.mark.slow
def test_the_scan_finds_the_best_number_and_the_order_seldom_costs_where_failures_are_rare():
    """Sixty systems; see `missed` for how often Fig. 7 alone stops elsewhere."""
    missed, excess = 0, []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        machines = random_machines(rng, int(rng.integers(2, 7)))
        work = 10.0 ** rng.uniform(1.5, 4.0)
        found = schedule_bisection(work, machines)
        order = np.argsort(-machines.effective_speed, kind="stable")
        numbers = range(1, len(machines) + 1)
        values = [evaluate_set(work, machines, order[:x]).objective for x in numbers]
        assert found.objective == min(values)
        assert found.chosen.size == 1 + int(np.argmin(values))
        plain = values[found.plain_processes - 1]
        assert found.missed == (plain > found.objective * (1.0 + 1e-9))
        missed += found.missed
        best = schedule_exhaustive(work, machines).objective
        assert found.objective >= best * (1.0 - 1e-12)
        excess.append(found.objective / best - 1.0)
    assert 0 < missed < 60
    assert max(excess) < 0.1
    assert np.mean(np.array(excess) > 1e-9) < 0.1


def test_a_scan_of_many_machines_is_no_worse_than_any_number_tried():
    machines = random_machines(np.random.default_rng(11), 400, load=(1e-3, 0.1))
    found = schedule_bisection(400.0 * 30.0, machines)
    order = np.argsort(-machines.effective_speed, kind="stable")
    for number in range(1, 401, 13):
        assert found.objective <= evaluate_set(12e3, machines, order[:number]).objective * 1.001


def test_the_baselines_take_what_their_names_say():
    kept = {"work": 100.0, "machines": SHORT, "processes": 2}
    assert schedule_speed(**kept).chosen.tolist() == [2, 1]
    # exp(-t/mtbf), t = 50/speed: 0.905, 0.939, 0.036; times speed: 0.905, 1.879, 0.107
    assert schedule_reliability(**kept).chosen.tolist() == [1, 0]
    assert schedule_speed_reliability(**kept).chosen.tolist() == [1, 0]
    assert schedule_random(**kept, order=[2, 0, 1]).chosen.tolist() == [2, 0]
    assert schedule_bisection(**kept).chosen.tolist() == [1, 2]
    assert schedule_bisection(**kept).plain_processes is None


@pytest.mark.parametrize("repair", [1e16, 1e26, 1e100])
def test_a_machine_that_hardly_ever_fails_does_not_hide_the_others(repair):
    # Once in 1e30 repairs the third machine is down for much longer than the work takes.
    three = {"speed": 1.0, "mtbf": [30.0, 1e3, 1e30 * repair], "mttr_cv": 1.0, "interval": 30.0}
    briefly, for_ever = (Machines(**three, mttr=[0.3, 0.3, down]) for down in (0.3, repair))
    expected = evaluate_set(3e3, briefly).expected_time
    assert evaluate_set(3e3, for_ever).expected_time == pytest.approx(expected, rel=1e-6)
    pairs = [evaluate_set(3e3, for_ever, two).objective for two in ([0, 1], [0, 2], [1, 2])]
    found = schedule_exhaustive(3e3, for_ever, processes=2)
    assert found.objective == pytest.approx(min(pairs), rel=1e-9)


@pytest.mark.parametrize("rate", [1e-14, 1e-11, 1e-9])
def test_a_rare_failure_counts_in_the_deviation(rate):
    found = evaluate_set(1.0, Machines(speed=1.0, mtbf=1.0 / rate, mttr=3.0, interval=1e4))
    # At most one failure: its mean square is that of a repair and a uniform rework.
    repair, rework = 2.0 * 3.0**2, 1e8 / 3.0 + 2.0 * 3.0 * 5e3
    assert found.std == pytest.approx(np.sqrt(rate * (repair + rework)), rel=1e-2)
    assert found.expected_time == pytest.approx(1.0 + rate * 5003.0, rel=1e-9)


def test_exhaustive_search_is_not_misled_by_tables_of_a_law_as_narrow_as_a_step():
    machines = Machines(
        speed=[1.0, 1.0, 1.0, 1.0, 100.0],
        mtbf=[1.0, 1.0, 1.0, 1.0, 5e-11],
        mttr=[0.0, 0.0, 0.0, 0.0, 1.5e-11],
        mttr_cv=[0.0, 0.0, 1.0, 1.0, 0.0],
        interval=[0.00214, 1.77e15, 0.00214, 9.19e10, 0.0],
        checkpoint_cost=[0.645, 0.636, 0.0, 0.165, 0.0],
    )
    # Machine 4 fails 1e8 times a task; with machine 2 it is faster than alone.
    best = schedule_exhaustive(1.0, machines)
    assert best.objective <= evaluate_set(1.0, machines, [2, 4]).objective * (1.0 + 1e-9)


def test_a_machine_is_reliable_for_its_own_share_of_the_work():
    # The second fails a third as often, but takes five times as long.
    machines = Machines(speed=[5.0, 1.0], mtbf=[300.0, 900.0], mttr=1.0)
    assert schedule_reliability(1000.0, machines, processes=1).chosen.tolist() == [0]
    # exp(-1000/(5 x 300)) = 0.51 and exp(-1000/900) = 0.33
    assert schedule_speed_reliability(1000.0, machines, processes=1).chosen.tolist() == [0]


@pytest.mark.parametrize(
    "rule", [schedule_speed, schedule_reliability, schedule_speed_reliability, schedule_bisection]
)
def test_no_rule_beats_exhaustive_search(rule):
    for processes in (None, 1, 2, 3):
        best = schedule_exhaustive(100.0, SHORT, processes=processes).objective
        assert rule(100.0, SHORT, processes=processes).objective >= best * (1.0 - 1e-12)


@pytest.mark.parametrize("rule", [schedule_reliability, schedule_speed_reliability])
@pytest.mark.parametrize("unit", [2.0**-30, 2.0**22, 2.0**40])
def test_the_order_of_nearly_equal_machines_does_not_depend_on_the_unit(rule, unit):
    mtbf = [7e11, 1e12, 7e11 * (1.0 + 4e-16), 1e12]
    here = rule(1e-3, Machines(speed=1.0, mtbf=mtbf, mttr=0.0), processes=3)
    there = rule(1e-3 * unit, Machines(speed=unit, mtbf=mtbf, mttr=0.0), processes=3)
    assert there.chosen.tolist() == here.chosen.tolist()
    later = Machines(speed=1.0 / unit, mtbf=unit * np.array(mtbf), mttr=0.0)
    assert rule(1e-3, later, processes=3).chosen.tolist() == here.chosen.tolist()


def test_too_many_sets_are_refused_with_their_number():
    machines = random_machines(np.random.default_rng(0), 100)
    with pytest.raises(ValueError, match=r"got 17310309456440 \(100 machines, 10 processes\)"):
        schedule_exhaustive(1e4, machines, processes=10)
    with pytest.raises(ValueError, match=rf"got {2**100 - 1} \(100 machines\)"):
        schedule_exhaustive(1e4, machines)


def test_exhaustive_says_how_many_sets_even_100_000_machines_have():
    with pytest.raises(
        ValueError, match=r"sets to search, got about 10\^30102 \(100000 machines\)"
    ):
        schedule_exhaustive(1.0, Machines(np.ones(100_000), 10.0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: schedule_bisection(0.0, SHORT), "work must be finite and > 0, got 0"),
        (lambda: schedule_bisection([1.0, 2.0], SHORT), r"work must be a single number"),
        (lambda: schedule_speed(1.0, SHORT, processes=4), "processes must be .* <= 3.*, got 4"),
        (lambda: schedule_speed(1.0, SHORT, processes=0), "processes must be .* >= 1, got 0"),
        (lambda: schedule_speed(1.0, SHORT, processes=1.5), "processes must be a whole number"),
        (lambda: schedule_random(1.0, SHORT, order=[0, 0]), "order must be distinct .*below 3"),
        (lambda: schedule_random(1.0, SHORT, order=[3]), "order must be distinct .*below 3"),
        (lambda: schedule_random(1.0, SHORT, order=[0], processes=2), "<= 1, one per machine"),
        (lambda: evaluate_set(1.0, SHORT, []), "chosen must be non-empty"),
    ],
)
def test_schedules_refuse_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_repairs_and_intervals_that_take_long_are_warned_of():
    long = Machines([1.0, 2.0], 100.0, [0.5, 2.0])
    for call in (evaluate_set, schedule_bisection):
        with pytest.warns(ValidityWarning, match=r"/mtbf = 0\.02 is beyond 0\.01"):
            call(1e3, long)
    rare = Machines([1.0, 2.0], 100.0, 0.5, interval=[1.0, 10.0])
    with pytest.warns(ValidityWarning, match=r"interval/5\)/mtbf = 0\.02 is beyond 0\.01"):
        schedule_bisection(1e3, rare)
    uneven = Machines([1.0, 2.0], 100.0, 0.5, mttr_cv=[1.0, 5.0], interval=1.0)
    for call in (evaluate_set, schedule_bisection):
        with pytest.warns(ValidityWarning, match=r"mttr_cv = 5 is beyond 4, up to which"):
            call(1e3, uneven)
    unlike = Machines([1.0, 2.0], [100.0, 500.0], 0.5, interval=1.0)
    with pytest.warns(ValidityWarning, match=r"mtbf/shortest mtbf = 5 is beyond 4, up to which"):
        schedule_bisection(1e3, unlike)


def test_many_short_subtasks_are_warned_of():
    """The slowest of them is decided by tails, of which a Gamma law knows little."""
    many = Machines([1.0] * 1000, 100.0, 1.0, mttr_cv=4.0, interval=2.0, checkpoint_cost=0.02)
    with pytest.warns(ValidityWarning, match=r"subtask_time - 1 = .* is beyond 0\.1, up to which"):
        found = evaluate_set(1e4, many)
    share = float(found.shares[0])
    repair = Gamma.from_mean(1.0, cv=4.0)
    law = wsj_compound(share, mtbf=100.0, downtime=repair, interval=2.0, checkpoint_cost=0.02)
    assert found.expected_time < 0.9 * slowest_of(law, 1000).mean


def test_an_interval_of_more_mtbfs_than_a_float_holds_is_searched():
    machines = Machines([1.0, 2.0], 1e-200, interval=1e200)
    assert schedule_bisection(1.0, machines).objective == pytest.approx(2.0 / 3.0, rel=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_an_order_is_as_good_as_the_spread_of_its_sets_allows(seed):
    """Intervals as long as the mtbf: the objective may be three times the best."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 6))
    mtbf = rng.uniform(300.0, 1000.0, size)
    machines = Machines(
        rng.uniform(1.0, 5.0, size), mtbf, 0.01 * mtbf, 4.0, mtbf * rng.uniform(0.0, 1.0, size)
    )
    work = 100.0 * 10.0 ** rng.uniform(0.0, 2.0)
    order = np.argsort(-machines.effective_speed, kind="stable")
    sets = [evaluate_set(work, machines, order[: x + 1]) for x in range(size)]
    most = max(one.objective / one.subtask_time for one in sets)
    best = schedule_exhaustive(work, machines).objective
    # The same set in another order may differ in the last digit, by processor.
    assert best * (1.0 - 1e-14) <= schedule_bisection(work, machines).objective <= most * best


def test_machines_are_frozen():
    with pytest.raises(ValueError, match="read-only"):
        SHORT.columns[0][0] = 9.0


def test_machines_are_shown_in_a_line_with_spans_of_what_differs():
    machines = Machines([1.0, 2.0], 500.0, 2.0, interval=[2.0, 0.25], checkpoint_cost=0.1)
    assert repr(machines) == (
        "<2 machines: speed 1 to 2, mtbf 500, mttr 2, mttr_cv 1, interval 0.25 to 2, "
        "checkpoint_cost 0.1>"
    )
