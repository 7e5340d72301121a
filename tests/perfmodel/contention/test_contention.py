import numpy as np
import pytest

from perfmodel import (
    contention_multiplier,
    optimal_interval_young,
    optimal_periods_shared,
    waste_shared,
)

KINDS = {
    "nodes": np.array([1024.0, 256.0, 2048.0]),
    "jobs": np.array([8.0, 11.0, 2.0]),
    "checkpoint_cost": np.array([1310.0, 380.0, 5700.0]),
}
SCARCE, AMPLE = 5e7, 5e9


def load(periods, kinds=KINDS):
    return np.sum(kinds["jobs"] * kinds["checkpoint_cost"] / periods, axis=-1)


def test_with_ample_bandwidth_every_job_has_the_period_of_young():
    found = optimal_periods_shared(node_mtbf=AMPLE, **KINDS)
    young = optimal_interval_young(
        mtbf=AMPLE / KINDS["nodes"], checkpoint_cost=KINDS["checkpoint_cost"]
    )
    np.testing.assert_allclose(found, young, rtol=1e-14)
    assert contention_multiplier(node_mtbf=AMPLE, **KINDS) == 0.0
    assert load(found) < 1.0


def test_where_it_is_scarce_all_of_it_is_used_and_small_jobs_give_way():
    found = optimal_periods_shared(node_mtbf=SCARCE, **KINDS)
    np.testing.assert_allclose(load(found), 1.0, rtol=1e-13)
    young = np.sqrt(2.0 * SCARCE / KINDS["nodes"] * KINDS["checkpoint_cost"])
    assert (np.argsort(found / young) == np.argsort(-KINDS["nodes"])).all()


def test_equal_jobs_take_turns_without_a_pause():
    kinds = {"nodes": 100.0, "jobs": 50.0, "checkpoint_cost": 3.0}
    np.testing.assert_allclose(optimal_periods_shared(node_mtbf=1e3, **kinds), [150.0], rtol=1e-14)


def test_a_kind_in_two_halves_is_the_same_kind():
    halves = {name: np.repeat(values, 2) for name, values in KINDS.items()}
    halves["jobs"] = halves["jobs"] / 2.0
    whole = optimal_periods_shared(node_mtbf=SCARCE, **KINDS)
    found = optimal_periods_shared(node_mtbf=SCARCE, **halves)
    np.testing.assert_allclose(found, np.repeat(whole, 2), rtol=1e-13)
    of_halves = waste_shared(found, node_mtbf=SCARCE, **halves)
    np.testing.assert_allclose(of_halves, waste_shared(whole, node_mtbf=SCARCE, **KINDS))


@pytest.mark.parametrize("mtbf", [SCARCE, AMPLE])
def test_no_exchange_of_bandwidth_lowers_the_waste(mtbf):
    best = optimal_periods_shared(node_mtbf=mtbf, **KINDS)
    rng = np.random.default_rng(1)
    others = best * np.exp(0.3 * rng.standard_normal((500, 3)))
    others = others * np.maximum(load(others), 1.0)[:, None]
    least = waste_shared(best, node_mtbf=mtbf, **KINDS)
    assert (waste_shared(others, node_mtbf=mtbf, **KINDS) > least).all()


def test_the_multiplier_is_what_one_more_checkpoint_at_a_time_would_save():
    step = 1e-5

    def least(capacity):  # as many checkpoints at a time: the same costs for fewer jobs
        kinds = {**KINDS, "checkpoint_cost": KINDS["checkpoint_cost"] / capacity}
        scaled = optimal_periods_shared(node_mtbf=SCARCE * capacity, **kinds)
        share = KINDS["nodes"] * KINDS["jobs"] / np.sum(KINDS["nodes"] * KINDS["jobs"])
        writing = KINDS["checkpoint_cost"] / scaled
        return np.sum(share * (writing + KINDS["nodes"] / SCARCE * scaled / 2.0))

    saved = (least(1.0 - step) - least(1.0 + step)) / (2.0 * step)
    known = contention_multiplier(node_mtbf=SCARCE, **KINDS)
    np.testing.assert_allclose(saved, known, rtol=1e-6)


def test_an_array_of_machines():
    mtbf = np.array([[SCARCE], [AMPLE]])
    periods = optimal_periods_shared(node_mtbf=mtbf, **KINDS)
    assert periods.shape == (2, 1, 3)
    assert contention_multiplier(node_mtbf=mtbf, **KINDS).shape == (2, 1)
    found = waste_shared(periods, node_mtbf=mtbf, **KINDS)
    assert found.shape == (2, 1)
    np.testing.assert_allclose(found[1, 0], waste_shared(periods[1, 0], node_mtbf=AMPLE, **KINDS))


def test_a_recovery_costs_what_a_checkpoint_does_unless_given():
    best = optimal_periods_shared(node_mtbf=SCARCE, **KINDS)
    given = waste_shared(best, node_mtbf=SCARCE, recovery_cost=KINDS["checkpoint_cost"], **KINDS)
    assert waste_shared(best, node_mtbf=SCARCE, **KINDS) == given


def test_a_waste_that_no_float_holds_is_endless():
    machine = {"nodes": [1e300], "jobs": [1.0], "checkpoint_cost": 1.0, "node_mtbf": 1e-9}
    assert waste_shared(10.0, **machine) == np.inf
