import numpy as np
import pytest

from perfmodel import (
    ValidityWarning,
    expected_makespan_two_levels,
    optimal_interval,
    optimal_interval_buddies,
    share_lost_with_buddies,
    waste,
    waste_of_buddies,
    waste_of_buddies_first_order,
)
from perfmodel.buddies.images import FIRST_ORDER_RANGE

PROTOCOLS = ("double", "double_blocking", "triple")
JOB = {"mtbf": 50.0, "transfer_time": 1.0, "overhead": 0.4, "overlap_factor": 2.0}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_images_sent_at_full_speed_that_cost_all_of_it(protocol):
    """Without overlap an image is a checkpoint, of which the last part comes after it counts."""
    job = {"mtbf": 50.0, "transfer_time": 1.0, "overhead": 1.0, "protocol": protocol}
    buddies = 2.0 if protocol == "triple" else 1.0
    found = waste_of_buddies(4.0, **job, downtime=0.5)
    # A failure after the image counts loses what a recovery of R and one more transfer repeats.
    known = waste(
        4.0, interval=4.0, mtbf=50.0, checkpoint_cost=buddies, recovery_cost=2.0, downtime=0.5
    )
    assert found == pytest.approx(float(known), rel=1e-12)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_best_interval_is_best(protocol):
    best = optimal_interval_buddies(**JOB, local_cost=0.2, protocol=protocol)
    found = waste_of_buddies(
        best * np.geomspace(0.2, 5.0, 101), **JOB, local_cost=0.2, protocol=protocol
    )
    assert np.argmin(found) == 50


def test_images_that_take_long_to_send_make_the_interval_longer():
    slow = {**JOB, "overlap_factor": 30.0}
    # Sending takes 1 + 30 * 0.6, of which the job loses 0.4.
    assert optimal_interval_buddies(**slow) == pytest.approx(18.6)
    assert optimal_interval_buddies(**slow, protocol="triple") == pytest.approx(37.2)
    assert optimal_interval_buddies(**{**slow, "mtbf": 10.0}, protocol="double_blocking") == 10.0
    quick = optimal_interval_buddies(**{**JOB, "overlap_factor": 0.1})
    assert quick == optimal_interval(mtbf=50.0, checkpoint_cost=0.4)


def test_free_images_are_made_as_fast_as_they_arrive():
    free = {"mtbf": 9.0, "transfer_time": 2.0, "overhead": 0.0}
    assert optimal_interval_buddies(**free) == 2.0
    assert optimal_interval_buddies(**free, protocol="triple") == 4.0


def test_failures_so_frequent_that_nothing_is_done():
    assert waste_of_buddies(1e4, **JOB) == pytest.approx(1.0, abs=1e-12)
    assert waste_of_buddies(1e6, **JOB) == 1.0
    with pytest.warns(ValidityWarning, match="interval \\+ all costs"):
        assert waste_of_buddies_first_order(200.0, **JOB) == 1.0


@pytest.mark.filterwarnings("error::perfmodel.ValidityWarning")
def test_the_first_order_holds_its_error_at_random_points():
    rng = np.random.default_rng(3)
    for _ in range(300):
        parts = rng.dirichlet(np.full(5, 0.5)) * FIRST_ORDER_RANGE.limit
        protocol = str(rng.choice(PROTOCOLS))
        sends = 2.0 if protocol == "triple" else 1.0
        work, sending, read, local, down = parts
        read = min(read, sending / sends)  # sending takes no less than at full speed
        lost = read * rng.random()
        factor = (sending / sends - read) / (read - lost)
        job = {
            "mtbf": 1.0,
            "transfer_time": read,
            "overhead": lost,
            "overlap_factor": factor,
            "local_cost": local,
            "downtime": down,
            "protocol": protocol,
        }
        found = waste_of_buddies_first_order(work, **job)
        assert found == pytest.approx(float(waste_of_buddies(work, **job)), rel=0.06)


def test_the_published_chances_of_a_month_without_a_loss():
    node, month = 3600.0 * 10368, 30.0 * 86400.0
    # overhead 2: sending takes 24.
    risks = {2: 4.0 + 24.0, 3: 4.0 + 48.0}
    for group, printed in ((2, 0.999460), (3, 0.9999999972)):
        share = share_lost_with_buddies(node_mtbf=node, risk=risks[group], group=group)
        spared = np.exp(-month / 3600.0 * float(share))
        digits = 6 if group == 2 else 10
        assert round(float(spared), digits) == printed


def test_the_ends_of_the_share():
    found = share_lost_with_buddies(node_mtbf=1.0, risk=[0.0, 0.0, 9.0], together=[0.0, 0.3, 1.0])
    np.testing.assert_array_equal(found, [0.0, 0.3, 1.0])
    always = [
        float(share_lost_with_buddies(node_mtbf=1.0, risk=1e9, group=group)) for group in (2, 3)
    ]
    # Recoveries that never end: every node once, the others in between at random.
    assert always == pytest.approx([1 / 3, 1 / 5.5])


def test_losses_that_buddies_do_not_bring_back_are_those_of_the_durable_level():
    share = share_lost_with_buddies(node_mtbf=1e4, risk=30.0, together=[0.0, 0.01, 0.2])
    job = {"interval": 100.0, "durable_every": 10, "mtbf": 500.0, "local_cost": 1.0}
    means = expected_makespan_two_levels(
        1e4, survived=1.0 - share, durable_cost=30.0, durable_recovery=60.0, **job
    )
    assert np.all(np.diff(means) > 0.0)


@pytest.mark.parametrize("function", [waste_of_buddies, waste_of_buddies_first_order])
def test_refuses_more_overhead_than_there_is_to_send(function):
    message = r"^overhead must be at most transfer_time, got 2\.0 > 1\.0$"
    with pytest.raises(ValueError, match=message):
        function(1.0, mtbf=9.0, transfer_time=1.0, overhead=2.0)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
def test_times_that_overflow_leave_no_useful_share():
    job = {"mtbf": 1e-124, "transfer_time": 1e235, "overhead": 0.0}
    assert waste_of_buddies(1.0, **job) == waste_of_buddies_first_order(1.0, **job) == 1.0


def test_a_waste_far_below_one_keeps_its_digits():
    mtbf = 2.18e14 * (1.0 + 1e-10 * np.arange(50))
    found = waste_of_buddies(1.18e7, mtbf=mtbf, transfer_time=1.0, overhead=0.0)
    np.testing.assert_allclose(np.diff(found) / found[:-1], -1e-10, rtol=1e-3)


def test_next_to_no_waste_is_not_all():
    # A failure costs half a period, and next to nothing is sent.
    found = waste_of_buddies(1e-4, mtbf=1e12, transfer_time=1e-6, overhead=0.0)
    assert found == pytest.approx((0.5e-4 + 2e-6) / 1e12, rel=1e-9)
