import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Conservative, Easy, Failures, Fcfs, Periodic, Workload, flat, replay
from sim.cluster.order.bands import all_bands, first_band
from sim.cluster.recovery import OPTIONS, Prices, RecoverByOption, replay_credits
from sim.traces import read_swf
from tests.support.engines import fractional, same, strikes
from tests.support.examples import examples
from tests.support.public_logs import trace
from tests.support.workloads import ORDERS, random_workload, seeds

# The example of aucore III-C; an E of ten node hours takes 20 of the 30 that may be owed.
PRICES = Prices(dict(zip("ABCDE", range(5), strict=True)), 2.0, 50.0, 30.0)
HOUR = 3600


def test_a_job_gets_what_its_user_can_afford_when_it_is_submitted():
    # Two users, two jobs each, of ten node hours by walltime and five by runtime.
    jobs = Workload(
        submit=[0, 1, 2, 12 * HOUR],
        runtime=[5 * HOUR] * 4,
        walltime=[10 * HOUR] * 4,
        processors=[1] * 4,
        user=[7, 7, 8, 7],
    )
    found = replay_credits(jobs, flat(4), wanted="EEEE", prices=PRICES)
    # Job 2 comes while 20 are held for job 1: D (10) is the most expensive that fits. Both end at
    # five node hours: -10 and -5, so that job 4 is granted D again (15 left).
    assert found.granted == ("E", "D", "E", "D")
    charges = found.charges.set_index("job")
    assert charges.loc[[1, 2, 3, 4], "charged"].tolist() == [10.0, 5.0, 10.0, 5.0]
    assert charges["downgraded"].tolist() == [False, True, False, True]
    accounts = found.accounts.set_index("user")
    assert accounts["balance"].to_dict() == {7: -20.0, 8: -10.0}
    assert accounts["downgraded"].to_dict() == {7: 2, 8: 0}


def test_the_granted_option_is_the_one_that_recovers():
    # User 1 may owe nothing: the E of job 1 becomes C, and waits for its node until 60.
    jobs = Workload(submit=[0], runtime=[50], walltime=[50], processors=[1], user=[1])
    failures = Failures(time=[10.0], node=[0], repair=[50.0])
    poor = Prices(PRICES.per_node_hour, 2.0, 50.0, 0.0)
    for prices, option, start in ((PRICES, "E", 10.0), (poor, "C", 60.0)):
        found = replay_credits(jobs, flat(2), wanted=["E"], prices=prices, failures=failures)
        assert found.granted == (option,)
        assert found.replay.jobs["start"].tolist() == [start]


def workload(seed, users=4, count=120):
    rng = np.random.default_rng(seed)
    runtime = rng.integers(600, 4 * HOUR, count)
    return Workload(
        submit=np.sort(rng.integers(0, 3 * 24 * HOUR, count)),
        runtime=runtime,
        walltime=runtime * rng.uniform(1.0, 3.0, count),
        processors=rng.integers(1, 9, count),
        user=rng.integers(0, users, count),
    ), Failures(
        time=np.sort(rng.uniform(0, 4 * 24 * HOUR, 60)),
        node=rng.integers(0, 16, 60),
        repair=np.full(60, 1800.0),
    )


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_accounts_add_up_in_any_replay(seed):
    jobs, failures = workload(seed)
    wanted = np.random.default_rng(seed).choice(list("ABCDE"), len(jobs))
    found = replay_credits(
        jobs,
        flat(16),
        wanted=wanted.tolist(),
        prices=PRICES,
        policy=Easy(order=first_band),
        failures=failures,
        checkpointing=Periodic(1800.0, 60.0),
    )
    accounts, charges = found.accounts, found.charges
    assert len(charges) == len(jobs)
    np.testing.assert_allclose(
        accounts["balance"],
        accounts["waived"] - accounts["charged"] - accounts["forfeited"],
        atol=1e-9,
    )
    assert (charges["balance"] <= PRICES.deposit_limit).all()
    assert (charges["balance"] >= -PRICES.overdraft_limit - 1e-9).all()
    assert charges["node_hours"].sum() == pytest.approx(
        float(np.sum(jobs.runtime * jobs.processors)) / HOUR
    )
    # The same options, given without accounts, make the same schedule.
    plain = replay(
        jobs,
        flat(16),
        policy=Easy(order=first_band),
        failures=failures,
        checkpointing=Periodic(1800.0, 60.0),
        recovery=RecoverByOption([OPTIONS[name] for name in found.granted]),
    )
    assert plain.jobs["end"].tolist() == found.replay.jobs["end"].tolist()


def both(jobs, machine, **settings):
    """Return the replay by the core and that by the readable loop."""
    core, loop = (
        replay_credits(jobs, machine, engine=engine, **settings) for engine in ("kernel", "general")
    )
    assert (core.replay.engine, loop.replay.engine) == ("kernel", "general")
    return core, loop


def same_books(core, loop):
    """Assert that two replays have the same records and the same accounts."""
    same(core.replay, loop.replay)
    assert core.granted == loop.granted
    assert core.ledger == loop.ledger


@settings(deadline=None, max_examples=examples(300))
@given(
    rng=seeds,
    policy=st.sampled_from((Easy, Fcfs, Conservative)),
    event_order=st.sampled_from(ORDERS),
    estimates=st.sampled_from(("walltime", "runtime")),
)
def test_the_core_keeps_the_books_of_the_readable_loop(rng, policy, event_order, estimates):
    size = int(rng.integers(1, 10))
    jobs = random_workload(rng, processors=size, jobs=25, horizon=40)
    if rng.integers(2):
        jobs = fractional(rng, jobs)
    short = np.where(rng.random(len(jobs)) < 0.2, 1e-9, jobs.runtime)  # for a late clock: no time
    jobs = Workload(
        jobs.submit, short, jobs.walltime, jobs.processors, user=rng.integers(0, 3, len(jobs))
    )
    prices = Prices(PRICES.per_node_hour, 2.0, *rng.uniform(0.0, 0.05, 2))
    same_books(
        *both(
            jobs,
            flat(size),
            wanted=rng.choice(list("ABCDE"), len(jobs)).tolist(),
            prices=prices,
            policy=policy(first_band if rng.integers(2) else all_bands),
            event_order=event_order,
            estimates=estimates,
            kill_at_walltime=bool(rng.integers(2)),
            failures=strikes(rng, size, jobs.submit, whole=bool(rng.integers(2))),
            checkpointing=Periodic(3.0, 0.5) if rng.integers(2) else None,
        )
    )


def test_where_the_core_does_not_play_the_readable_loop_does():
    jobs, failures = workload(1)
    mine = Easy(order=lambda cluster: tuple(cluster.queue))
    chosen = {"wanted": "C" * len(jobs), "prices": PRICES, "failures": failures}
    assert replay_credits(jobs, flat(16), policy=mine, **chosen).replay.engine == "general"
    with pytest.raises(ValueError, match="engine must be 'general' for an order of the queue of"):
        replay_credits(jobs, flat(16), policy=mine, engine="kernel", **chosen)


def test_where_only_running_jobs_are_struck_the_readable_loop_keeps_the_books():
    jobs, failures = workload(1)
    chosen = {"wanted": "C" * len(jobs), "prices": PRICES, "failures": failures}
    auto, general = (
        replay_credits(jobs, flat(16), idle_failures=False, engine=engine, **chosen)
        for engine in ("auto", "general")
    )
    assert auto.replay.engine == "general"
    same_books(auto, general)


@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_a_job_that_is_left_out_leaves_the_others_their_options(engine):
    jobs = Workload([0, 1, 2], [5.0] * 3, [5.0] * 3, [1, 9, 1], user=[1, 1, 1])
    asked = {"wanted": "ABC", "prices": PRICES, "oversize": "skip"}
    assert replay_credits(jobs, flat(4), engine=engine, **asked).granted == ("A", "C")


def test_progress_does_not_go_back():
    jobs, failures = workload(2)
    told = []
    replay_credits(
        jobs,
        flat(16),
        wanted="E" * len(jobs),
        prices=PRICES,
        failures=failures,
        progress=told.append,
    )
    assert told == sorted(told)
    assert told[-1] == len(jobs)


@pytest.mark.slow
def test_the_books_of_a_whole_log():
    log = Workload.from_frame(read_swf(trace("jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz")).frame)
    rng = np.random.default_rng(5)
    time = rng.uniform(log.submit[0], log.submit[-1], 300)
    same_books(
        *both(
            log,
            flat(128),
            wanted=rng.choice(list("ABCDE"), len(log)).tolist(),
            prices=Prices(PRICES.per_node_hour, 2.0, 1000.0, 500.0),
            policy=Easy(order=first_band),
            failures=Failures(time, rng.integers(0, 128, 300), rng.exponential(20_000.0, 300)),
            checkpointing=Periodic(3600.0, 120.0, 60.0),
        )
    )


def share_of_e(strategy, seed=5):
    """Play user 0 by a strategy and all others wanting C; return node hours of 0 under E."""
    jobs, failures = workload(seed)
    mine = np.flatnonzero(jobs.user == 0)
    wanted = np.full(len(jobs), "C")
    wanted[mine] = strategy(mine)
    found = replay_credits(jobs, flat(16), wanted=wanted.tolist(), prices=PRICES, failures=failures)
    charges = found.charges[found.charges["user"] == 0]
    used = charges.groupby("granted")["node_hours"].sum()
    return float(used.get("E", 0.0)), float(charges["node_hours"].sum()), found


def test_always_asking_for_e_does_not_pay():
    """E costs two beyond the allowance: without savings it stops at half of the overdraft."""
    hours, total, found = share_of_e(lambda mine: np.full(mine.size, "E"))
    assert total > 100.0
    assert hours <= PRICES.overdraft_limit / 2.0
    assert found.accounts.set_index("user").loc[0, "downgraded"] > 0


def test_hoarding_does_not_pay():
    """A user who saves on the first half of the jobs gets back the deposit limit at most."""
    half = share_of_e(lambda mine: np.where(np.arange(mine.size) < mine.size // 2, "A", "E"))
    hours, _, found = half
    assert hours <= (PRICES.deposit_limit + PRICES.overdraft_limit) / 2.0
    assert found.accounts.set_index("user").loc[0, "forfeited"] > 0.0


def test_short_fake_jobs_do_not_pay():
    """Ten aborted jobs of a second, asked for at length, buy less than a minute of E."""
    fakes = Workload(
        submit=np.arange(11.0) * 60.0,
        runtime=[1.0] * 10 + [HOUR],
        walltime=[12.0 * HOUR] * 10 + [HOUR],
        processors=[1] * 11,
        user=[0] * 11,
    )
    prices = Prices(PRICES.per_node_hour, 2.0, 50.0, 0.0)
    found = replay_credits(fakes, flat(4), wanted="A" * 10 + "E", prices=prices)
    assert found.granted[-1] == "C"
    earned = -found.charges["charged"].iloc[:10].sum()
    assert earned == pytest.approx(10 * 2.0 / HOUR)
    assert earned / 2.0 * HOUR < 60.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wanted": "AA"}, "wanted must be one per job, got 2 for 1"),
        ({"wanted": "Z"}, "wanted must be one of A, B, C, D, E, got 'Z'"),
        ({"options": {"A": OPTIONS["A"]}}, "prices must be one of A, got 'B'"),
    ],
)
def test_what_does_not_fit_together_is_refused(change, message):
    jobs = Workload(submit=[0], runtime=[1], walltime=[1], processors=[1])
    with pytest.raises(ValueError, match=message):
        replay_credits(jobs, flat(1), **{"wanted": "A", "prices": PRICES, **change})
