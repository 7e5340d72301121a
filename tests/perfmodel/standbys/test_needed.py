"""Standby blocks of three machines, in hours: how many for a goodput, or a share of the most."""

import numpy as np
import pytest

from perfmodel import spares_for, spares_goodput

GPUS = {"block_mtbf": 17000.0, "mttr": 24.0, "standby_hazard": 1.0}
SLOW = {"checkpoint_cost": 1 / 60, "recovery_cost": 1 / 12, "switch_time": 1 / 12}
QUICK = {"checkpoint_cost": 10 / 3600, "recovery_cost": 1 / 30, "switch_time": 1 / 30}
CPUS = {
    "block_mtbf": 43800.0,
    "mttr": 48.0,
    "standby_hazard": 1.0,
    "checkpoint_cost": 1 / 12,
    "recovery_cost": 1 / 6,
    "switch_time": 1 / 12,
}
SHARES = [0.5, 0.9, 0.99, 0.999]
GOODPUTS = [0.6, 0.7, 0.8, 0.85, 0.9]
INF = np.inf
# Machine; most goodput, that without standbys, standbys for shares of the most and for goodputs.
MACHINES = {
    "16,384 accelerators": (
        {"blocks": 2048, **GPUS, **SLOW},
        (0.9194, 0.2380, [2, 4, 7, 9], [2, 3, 4, 5, 6]),
    ),
    "131,072 accelerators": (
        {"blocks": 16384, **GPUS, **SLOW},
        (0.7101, 0.0317, [11, 23, 30, 35], [21, 29, INF, INF, INF]),
    ),
    "131,072 with checkpoints of 10 s": (
        {"blocks": 16384, **GPUS, **QUICK},
        (0.8713, 0.0372, [12, 24, 32, 37], [17, 20, 25, 29, INF]),
    ),
    "4,096 processors": (
        {"blocks": 4096, **CPUS},
        (0.8600, 0.1577, [2, 6, 9, 12], [4, 5, 7, 9, INF]),
    ),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_machines(machine):
    job, (most, least, of_most, goodputs) = MACHINES[machine]
    top = float(spares_goodput(standbys=INF, **job))
    assert round(top, 4) == most
    assert round(float(spares_goodput(standbys=0, **job)), 4) == least
    assert spares_for(np.multiply(SHARES, top), **job).tolist() == of_most
    assert spares_for(GOODPUTS, **job).tolist() == goodputs


def test_the_number_reaches_it_and_one_fewer_does_not():
    job = MACHINES["16,384 accelerators"][0]
    for wanted in (0.3, 0.55, 0.9):
        count = spares_for(wanted, **job)
        shares = spares_goodput(standbys=[count - 1, count], **job)
        assert shares[0] < wanted <= shares[1]


def test_a_goodput_that_is_reached_exactly_takes_no_more():
    job = MACHINES["16,384 accelerators"][0]
    counts = np.arange(6.0)
    np.testing.assert_array_equal(spares_for(spares_goodput(standbys=counts, **job), **job), counts)


def test_standbys_do_not_help_where_crews_are_too_few():
    job = {**MACHINES["16,384 accelerators"][0], "crews": 2}
    assert spares_for([0.5, 0.7], **job).tolist() == [2.0, INF]


def test_the_shape_is_that_of_all_arguments():
    job = {**MACHINES["16,384 accelerators"][0], "mttr": [[4.0], [72.0]]}
    found = spares_for([0.5, 0.91], **job)
    assert found.shape == (2, 2)
    assert found.tolist() == [[0.0, 3.0], [5.0, 15.0]]


def test_nothing_takes_no_standbys():
    assert spares_for(0.0, **MACHINES["4,096 processors"][0]) == 0.0


def test_what_no_number_reaches_takes_no_search():
    # With a standby for every failure the goodput is 0.0312; 500 standbys still gain on 250.
    job = {"blocks": 5000, "block_mtbf": 200.0, "mttr": 20.0, "checkpoint_cost": 0.1}
    assert spares_for([0.8, 0.03116], **job).tolist() == [INF, INF]
    assert spares_for(0.8, **job, crews=1) == INF
