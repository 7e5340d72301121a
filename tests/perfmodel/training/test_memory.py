import numpy as np
import pytest

from perfmodel import (
    expected_makespan_two_levels,
    share_lost_with_buddies,
    training_shares,
    training_shares_memory,
)

RUN = {
    "interval": 2.0,
    "durable_every": 3,
    "mtbf": 6.0,
    "survived": 0.6,
    "memory_cost": 0.2,
    "checkpoint_cost": 0.8,
    "memory_restore": 0.3,
    "restore": 1.0,
    "warm_up": 0.4,
    "detection": 0.3,
    "queue": 0.5,
    "rescheduling": 0.2,
}


def whole(shares):
    return shares.goodput + sum(shares.losses().values())


def test_all_shares_add_up_to_one():
    shares = training_shares_memory(**{**RUN, "survived": np.linspace(0.0, 1.0, 11)})
    np.testing.assert_allclose(whole(shares), 1.0, rtol=1e-14)


def test_durable_copies_that_survive_nothing_are_plain_checkpoints():
    names = ("interval", "mtbf", "checkpoint_cost", "restore", "warm_up", "detection", "queue")
    plain = training_shares(**{n: RUN[n] for n in names}, rescheduling=RUN["rescheduling"])
    found = training_shares_memory(**{**RUN, "durable_every": 1, "survived": 0.0})
    assert found.goodput == pytest.approx(float(plain.goodput), rel=1e-12)
    for name, share in plain.losses().items():
        assert getattr(found, name) == pytest.approx(float(share), rel=1e-12), name
    assert found.memory_save == found.memory_restore == 0.0


def test_goodput_is_that_of_two_levels():
    mean = expected_makespan_two_levels(
        600.0,
        interval=2.0,
        durable_every=3,
        mtbf=6.0,
        survived=0.6,
        local_cost=0.2,
        durable_cost=0.8,
        local_recovery=0.7,
        durable_recovery=1.4,
        downtime=1.0,
    )
    assert training_shares_memory(**RUN).goodput == pytest.approx(600.0 / float(mean), rel=1e-12)


def test_copies_that_survive_all_need_no_restore():
    shares = training_shares_memory(**{**RUN, "survived": 1.0})
    assert shares.checkpoint_restore == 0.0
    assert shares.memory_restore > 0.0


def test_without_failures_only_copies_cost_time():
    shares = training_shares_memory(**{**RUN, "mtbf": np.inf})
    assert shares.goodput == pytest.approx(6.0 / 7.2)
    assert shares.memory_save == pytest.approx(0.4 / 7.2)
    assert shares.wasted_progress == pytest.approx(0.0, abs=1e-15)
    assert shares.detection == 0.0


def test_losses_past_the_buddies_cost_goodput():
    past = share_lost_with_buddies(node_mtbf=6000.0, risk=1.0, together=[0.0, 0.1, 0.5])
    shares = training_shares_memory(**{**RUN, "survived": 1.0 - past})
    assert np.all(np.diff(shares.goodput) < 0.0)
    assert np.all(np.diff(shares.checkpoint_restore) > 0.0)
