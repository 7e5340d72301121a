import numpy as np
import pytest

from perfmodel import node_mtbf_without_worst, node_mtbf_without_worst_gamma

LEMONS = {"node_mtbf": 8.0, "lemon_share": 0.15, "lemon_factor": 5.0}
BROAD = {"node_mtbf": 1 / 0.0065, "cv": 1.0}


@pytest.mark.parametrize(
    "machine",
    [
        {"removed": 0},
        {"observed": 0.0},
        {"lemon_share": 0.0},
        {"lemon_share": 1.0},
        {"lemon_factor": 1.0},
    ],
)
def test_nothing_is_gained(machine):
    given = {"removed": 3, "nodes": 20, "observed": 10.0, **LEMONS, **machine}
    assert node_mtbf_without_worst(**given) == pytest.approx(8.0, rel=1e-12)


@pytest.mark.parametrize("machine", [{"removed": 0}, {"observed": 0.0}, {"cv": 0.0}])
def test_nothing_is_gained_from_gamma_rates(machine):
    given = {"removed": 3, "nodes": 20, "observed": 90.0, **BROAD, **machine}
    assert node_mtbf_without_worst_gamma(**given) == pytest.approx(1 / 0.0065, rel=1e-12)


def test_the_limit_of_many_nodes_and_of_known_rates():
    # Numbers of another program, for a threshold with a share of the nodes at it.
    many = {"removed": 26 * 10**9, "nodes": 256 * 10**9}
    limit = node_mtbf_without_worst_gamma(**many, observed=90.0, **BROAD)
    assert 1.0 / limit == pytest.approx(0.005480274970686171, rel=1e-6)
    known = node_mtbf_without_worst_gamma(**many, observed=1e6, **BROAD)
    assert 1.0 / known == pytest.approx(0.004819492725254715, rel=1e-4)


def test_long_observation_takes_out_lemons_alone():
    # Of a tenth of the nodes taken out nearly all are lemons, and five per cent are left.
    found = node_mtbf_without_worst(10**6, nodes=10**7, observed=1e4, **LEMONS)
    other = 1.0 / 8.0 / 1.6
    assert 1.0 / found == pytest.approx(other * (0.85 + 0.05 * 5.0) / 0.9, rel=1e-9)


def test_of_two_nodes_the_one_that_failed_more_goes():
    # Rates that differ so much that a count is 0 or huge.
    found = node_mtbf_without_worst(
        1, nodes=2, observed=100.0, node_mtbf=1.0, lemon_share=0.5, lemon_factor=1e6
    )
    assert 1.0 / found == pytest.approx(0.25 * 2.0, rel=1e-5)


def test_arrays_broadcast():
    found = node_mtbf_without_worst([[1], [2]], nodes=[10, 20, 30], observed=9.0, **LEMONS)
    assert found.shape == (2, 3)
    assert (np.diff(found, axis=0) > 0.0).all()


@pytest.mark.parametrize(
    ("function", "law"),
    [(node_mtbf_without_worst, LEMONS), (node_mtbf_without_worst_gamma, BROAD)],
)
def test_a_node_must_stay(function, law):
    with pytest.raises(ValueError, match="removed must be < nodes = 5, got 5"):
        function(5, nodes=5, observed=1.0, **law)
