"""Paths worked out by hand, and a published kind of trace: times and money of one job."""

import numpy as np
import pytest

from sim.application import simulate_spot_jobs, spot_job
from sim.samplers import Exponential, Recorded

NEVER = 1e9


def play(lives, gaps, *, work=10.0, deadline=20.0, start=1.0, fall_back=True, lost=False):
    job = spot_job.SpotJob(work, deadline, Recorded(lives), Recorded(gaps), start, fall_back, lost)
    return spot_job.play(np.random.default_rng(1), 1, job=job)[0].tolist()


def test_a_machine_that_stays():
    assert play([NEVER], [1.0]) == [11.0, 11.0, 0.0, 1.0]


def test_a_second_machine():
    assert play([4.0, NEVER], [2.0, 1.0]) == [14.0, 12.0, 0.0, 2.0]


def test_a_gap_that_takes_the_slack():
    # At 5 there are 6 left to do and 15 to the deadline: after 7 more it must be on demand.
    assert play([4.0], [NEVER]) == [19.0, 5.0, 7.0, 1.0]


def test_a_slack_too_small_for_a_spot_machine():
    assert play([4.0], [1.0], deadline=11.5) == [11.0, 0.0, 11.0, 0.0]


def test_a_loss_that_leaves_too_little_slack_goes_on_at_once():
    assert play([4.0], [0.5], deadline=12.5) == [12.0, 5.0, 7.0, 1.0]


def test_without_a_fall_back_it_waits():
    assert play([4.0, NEVER], [100.0, 1.0], fall_back=False) == [112.0, 12.0, 0.0, 2.0]


def test_a_machine_lost_while_it_starts_brings_nothing():
    assert play([0.5, NEVER], [2.0, 1.0], lost=True) == [13.5, 11.5, 0.0, 2.0]


def test_the_trace_of_another_program():
    # Spot can be had in windows; the first is preceded by an hour without.
    windows = [(60, 500), (520, 530), (900, 1300), (1500, 1505), (1800, 2160)]
    lives = [0.0, *(end - begin for begin, end in windows)]
    begins = [begin for begin, _ in windows]
    ends = [0, *(end for _, end in windows)]
    gaps = [float(b - e) for b, e in zip([*begins, 10**6], ends, strict=True)]
    job = spot_job.SpotJob(
        1440.0, 2160.0, Recorded([float(x) for x in lives]), Recorded(gaps), 12.0, True, True
    )
    finish, spot, dear, starts = spot_job.play(np.random.default_rng(1), 1, job=job)[0]
    # The window of length 0 at the beginning counts as one start.
    assert (finish, spot, dear, starts - 1.0) == (2148.0, 855.0, 636.0, 4.0)
    assert 1.2 * spot / 60.0 + 4.0 * dear / 60.0 == pytest.approx(59.5, rel=1e-15)


def by_the_list(lives, gaps, *, work, deadline, start, fall_back):
    """Walk one job through recorded lives and gaps, event by event."""
    now, left, spot, starts = 0.0, work, 0.0, 0
    lives, gaps = iter(lives), iter(gaps)
    while not fall_back or deadline - now - left >= 2.0 * start:
        life, starts = next(lives), starts + 1
        held = start + min(life, left)
        now, spot = now + held, spot + held
        if life >= left:
            return [now, spot, 0.0, starts]
        left -= life
        gap, slack = next(gaps), max(deadline - now - left - 2.0 * start, 0.0)
        if fall_back and gap >= slack:
            now += slack
            break
        now += gap
    return [now + left + start, spot, left + start, starts]


@pytest.mark.parametrize("fall_back", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_lists_are_played_in_order_from_their_beginning_by_every_replication(seed, fall_back):
    rng = np.random.default_rng(seed)
    lives, gaps = rng.lognormal(0.5, 1.2, 60), rng.lognormal(-1.0, 1.2, 60)
    job = {"deadline": 16.0, "fall_back": fall_back}
    found = simulate_spot_jobs(
        10.0,
        spot_life=lives.tolist(),
        spot_gap=gaps,
        start_time=0.25,
        **job,
        replications=9000,
        seed=seed,
    )
    wanted = by_the_list(lives, gaps, work=10.0, start=0.25, **job)
    np.testing.assert_allclose(found, np.tile(wanted, (9000, 1)), rtol=1e-12)


@pytest.mark.parametrize("rule", ["safety_net", "uniform_progress"])
def test_a_list_may_be_as_short_as_the_job_and_no_shorter(rule):
    job = {"deadline": 40.0, "spot_gap": [2.0, 3.0], "rule": rule, "replications": 3, "seed": 1}
    found = simulate_spot_jobs(10.0, spot_life=[4.0, 5.0, 1.0], **job)
    assert found.tolist() == [[15.0, 10.0, 0.0, 3.0]] * 3
    with pytest.raises(RuntimeError, match="enough for the replication, got only 2"):
        simulate_spot_jobs(10.0, spot_life=[4.0, 5.0], **job)


def test_a_recorded_life_may_meet_drawn_gaps():
    job = {"deadline": 20.0, "spot_life": [4.0, 7.0], "spot_gap": Exponential(1.0)}
    found = simulate_spot_jobs(10.0, **job, replications=50, seed=1)
    assert np.unique(found[:, 0]).size == 50
    assert found[:, 3].tolist() == [2.0] * 50


JOB = {"deadline": 20.0, "spot_life": Exponential(4.0), "spot_gap": Exponential(1.0)}


def test_the_seed_alone_decides_and_no_job_is_late():
    few = simulate_spot_jobs(10.0, **JOB, start_time=0.5, replications=10, seed=2)
    more = simulate_spot_jobs(10.0, **JOB, start_time=0.5, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
    assert more[:, 0].max() <= 20.0 * (1 + 1e-15)


@pytest.mark.parametrize(
    ("name", "bad", "error", "message"),
    [
        ("deadline", 0.0, ValueError, "deadline must be"),
        ("spot_life", 1.0, TypeError, "spot_life must be a sampler or a list"),
        ("start_time", -1.0, ValueError, "start_time must be"),
        ("fall_back", 1, TypeError, "fall_back must be"),
    ],
)
def test_refuses(name, bad, error, message):
    with pytest.raises(error, match=message):
        simulate_spot_jobs(10.0, **{**JOB, name: bad}, replications=5, seed=1)


def evenly(lives, gaps, *, work=10.0, deadline=20.0, start=1.0):
    job = spot_job.SpotJob(work, deadline, Recorded(lives), Recorded(gaps), start, True, True)
    return spot_job.play_evenly(np.random.default_rng(1), 1, job=job)[0].tolist()


def test_uniform_progress_goes_on_demand_when_it_is_behind_and_back_when_ahead():
    # Spot from 0 to 5: 4 are done, as many as are asked for at 8. From there on demand: 4 + t - 9
    # reaches what is asked for two starts later, (t + 2)/2, at 12; then idle until 14.
    assert evenly([5.0, NEVER], [9.0, 1.0]) == [18.0, 9.0, 4.0, 2.0]


def test_uniform_progress_on_the_trace_of_another_program():
    # That program decides in ticks of a minute: 2042, 1097, 466 and 5.
    windows = [(60, 500), (520, 530), (900, 1300), (1500, 1505), (1800, 2160)]
    begins, ends = [b for b, _ in windows], [0, *(e for _, e in windows)]
    lives = [0.0, *(float(e - b) for b, e in windows)]
    gaps = [float(b - e) for b, e in zip([*begins, 10**6], ends, strict=True)]
    found = evenly(lives, gaps, work=1440.0, deadline=2160.0, start=12.0)
    assert found[:3] == pytest.approx([2042.0, 1097.0, 466.0], abs=4.0)
    assert found[3] - 1.0 == 5.0


@pytest.mark.parametrize("lost", [True, False])
def test_uniform_progress_never_misses_a_deadline_that_leaves_two_starts(lost):
    found = simulate_spot_jobs(
        8.0,
        deadline=10.0,
        spot_life=Exponential(1.5),
        spot_gap=Exponential(1.0),
        start_time=0.2,
        lost_while_starting=lost,
        rule="uniform_progress",
        replications=5000,
        seed=4,
    )
    assert found[:, 0].max() <= 10.0 * (1.0 + 1e-12)
    # All that was paid for but starts is progress.
    progress = found[:, 1] + found[:, 2]
    assert (progress >= 8.0 + 0.2 - 1e-9).all()


@pytest.mark.slow
def test_uniform_progress_costs_less_than_the_safety_net_alone_where_spot_comes_and_goes():
    job = {"deadline": 36.0, "spot_life": Exponential(1.0), "spot_gap": Exponential(2.0)}
    job |= {"start_time": 0.1, "replications": 4000, "seed": 1}
    costs = []
    for rule in ("safety_net", "uniform_progress"):
        found = simulate_spot_jobs(24.0, **job, rule=rule)
        costs.append(1.2 * found[:, 1] + 4.0 * found[:, 2])
    error = np.hypot(costs[0].std(), costs[1].std()) / np.sqrt(4000)
    assert costs[1].mean() < costs[0].mean() - 4.0 * error


def test_uniform_progress_needs_a_fall_back():
    with pytest.raises(ValueError, match="fall_back must be True with uniform progress"):
        simulate_spot_jobs(
            10.0, **JOB, fall_back=False, rule="uniform_progress", replications=5, seed=1
        )
    with pytest.raises(ValueError, match="rule must be"):
        simulate_spot_jobs(10.0, **JOB, rule="greedy", replications=5, seed=1)
