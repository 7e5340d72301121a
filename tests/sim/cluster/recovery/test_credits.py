import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster.recovery import Prices
from sim.cluster.recovery.credits import Accounts
from tests.support.examples import examples

# The example of aucore III-C: options priced 0 to 4; the median price is the allowance.
PRICES = Prices(dict(zip("ABCDE", range(5), strict=True)), 2.0, 1000.0, 500.0)

jobs = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from("ABCDE"),
        st.floats(0.0, 300.0),
        st.floats(0.0, 3.0),  # of the walltime: also jobs that run past it
        st.integers(0, 5),
    ),
    max_size=60,
)


def play(submissions, prices=PRICES):
    """Admit in order; each job is settled after `lag` later submissions."""
    accounts, due = Accounts(prices), []
    for number, (user, wanted, walltime, share, lag) in enumerate(submissions):
        accounts.admit(number, user, wanted, walltime)
        due.append((number + lag, number, walltime * share))
        for entry in [entry for entry in due if entry[0] <= number]:
            due.remove(entry)
            accounts.settle(entry[1], entry[2])
    for _, number, used in due:
        accounts.settle(number, used)
    return accounts


@settings(deadline=None, max_examples=examples(200))
@given(jobs)
def test_accounts_are_conserved_and_stay_inside_their_limits(submissions):
    accounts = play(submissions)
    assert len(accounts.charges) == len(submissions)
    for user in range(4):
        mine = [charge for charge in accounts.charges if charge.user == user]
        booked = math.fsum(c.waived - c.charged - c.forfeited for c in mine)
        assert accounts.balance.get(user, 0.0) == pytest.approx(booked, abs=1e-9)
        assert accounts.held.get(user, 0.0) == pytest.approx(0.0, abs=1e-9)
        for charge in mine:
            assert min(charge.forfeited, charge.waived) >= 0.0
            assert not (charge.forfeited and charge.waived)
            assert -500.0 - 1e-9 <= charge.balance <= 1000.0


def test_a_charge_above_the_hold_stops_at_the_overdraft_limit():
    accounts = Accounts(Prices({"C": 2.0, "E": 4.0}, 2.0, 1000.0, 10.0))
    accounts.admit(1, 7, "E", 1.0)
    charge = accounts.settle(1, 100.0)
    assert (charge.charged, charge.waived, charge.balance) == (200.0, 190.0, -10.0)


def test_what_is_held_for_other_jobs_is_not_spent_on_one_that_overruns():
    accounts = Accounts(Prices({"C": 2.0, "E": 4.0}, 2.0, 1000.0, 10.0))
    for job, hours in ((1, 1.0), (2, 3.0)):
        assert accounts.admit(job, 7, "E", hours) == "E"
    assert accounts.settle(1, 100.0).balance == -10.0 + 6.0
    last = accounts.settle(2, 3.0)
    assert (last.waived, last.balance) == (0.0, -10.0)


def test_charges_are_price_less_allowance_times_node_hours():
    accounts = Accounts(PRICES)
    assert accounts.admit(1, 7, "D", 50.0) == "D"
    assert accounts.settle(1, 20.0).charged == pytest.approx((3 - 2) * 20.0)
    assert accounts.admit(2, 7, "A", 50.0) == "A"
    assert accounts.settle(2, 30.0).balance == pytest.approx(-20.0 + 60.0)


def test_what_cannot_be_afforded_is_replaced_by_the_most_expensive_that_can():
    accounts = Accounts(PRICES)
    assert accounts.admit(1, 1, "E", 300.0) == "D"  # E may cost 600, D 300, of 500
    assert accounts.admit(2, 1, "E", 300.0) == "C"  # 200 left: D too dear, C free
    charge = accounts.settle(1, 300.0)
    assert (charge.wanted, charge.granted) == ("E", "D")
    assert accounts.admit(3, 2, "E", 200.0) == "E"


def test_always_asking_for_the_best_runs_into_the_overdraft_limit():
    greedy = play([(0, "E", 100.0, 1.0, 0)] * 30)
    granted = [charge.granted for charge in greedy.charges]
    assert granted[:2] == ["E", "E"]
    # From then on every E must be paid for by allowances saved before: there are none.
    assert granted.count("E") <= 3
    assert set(granted[6:]) <= {"C", "D"}


def test_short_fake_jobs_earn_next_to_nothing():
    honest = play([(0, "A", 10.0, 1.0, 0)] * 20)
    fake = play([(0, "A", 10.0, 0.001, 0)] * 20)
    assert fake.balance[0] == pytest.approx(honest.balance[0] / 1000.0)


def test_hoarding_stops_at_the_deposit_limit():
    hoarder = play([(0, "A", 100.0, 1.0, 0)] * 50)
    assert hoarder.balance[0] == 1000.0
    assert math.fsum(c.forfeited for c in hoarder.charges) == pytest.approx(50 * 200.0 - 1000.0)


@settings(deadline=None, max_examples=examples(200))
@given(st.integers(0, 2**32 - 1))
def test_no_strategy_gets_more_node_hours_of_e_than_its_work_pays_for(seed):
    rng = np.random.default_rng(seed)
    played = play(
        [(0, str(rng.choice(list("ABCDE"))), float(rng.uniform(1, 200)), 1.0, 0) for _ in range(60)]
    )
    spent = math.fsum(max(c.charged, 0.0) for c in played.charges)
    earned = math.fsum(max(-c.charged, 0.0) for c in played.charges)
    assert spent <= earned + PRICES.overdraft_limit + 1e-9


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="wanted must be one of A, B, C, D, E, got 'Z'"):
        Accounts(PRICES).admit(1, 1, "Z", 1.0)
