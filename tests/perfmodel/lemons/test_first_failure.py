import numpy as np
import pytest
from scipy import stats

from perfmodel import effective_mtbf, effective_mtbf_gamma


@pytest.mark.parametrize(
    ("share", "factor"), [(0.0, 5.0), (1.0, 5.0), (0.3, 1.0), (0.0, 1e300), (1e-300, 1.0)]
)
def test_equal_nodes(share, factor):
    found = effective_mtbf([1, 64], node_mtbf=640.0, lemon_share=share, lemon_factor=factor)
    np.testing.assert_allclose(found, [640.0, 10.0], rtol=1e-14)
    np.testing.assert_array_equal(effective_mtbf_gamma([1, 64], node_mtbf=640.0, cv=0), [640, 10])


def test_the_sum_over_the_number_of_lemons():
    i = np.arange(41)
    known = 1.6 * stats.binom(40, 0.15).pmf(i) @ (100.0 / (40 + 4 * i))
    found = effective_mtbf(40, node_mtbf=100.0, lemon_share=0.15, lemon_factor=5.0)
    np.testing.assert_allclose(found, known, rtol=1e-12)


@pytest.mark.parametrize("factor", [3.0, 1e4])
def test_three_moments_of_very_many_lemons_continue_the_sum(factor):
    q = 0.3
    many = np.array([1e8 / (q * (1 - q)) * (1 + e) for e in (-1e-6, 1e-6)]).round()
    below, above = many * effective_mtbf(many, node_mtbf=1.0, lemon_share=q, lemon_factor=factor)
    np.testing.assert_allclose(below, above, rtol=1e-12)
    assert below > 1.0


def test_it_is_later_than_of_equal_nodes_and_inf_for_few_of_a_broad_law():
    found = effective_mtbf([1, 10, 1e4], node_mtbf=1.0, lemon_share=0.1, lemon_factor=9.0)
    assert (found * [1, 10, 1e4] > 1.0).all()
    np.testing.assert_array_equal(
        effective_mtbf_gamma([3, 4, 5], node_mtbf=1.0, cv=2.0), [np.inf, np.inf, 1.0]
    )


@pytest.mark.parametrize(
    ("name", "bad", "rule"),
    [
        ("nodes", 0, "a whole number >= 1, got 0.0"),
        ("node_mtbf", np.inf, "finite and > 0, got inf"),
        ("lemon_share", 1.5, r"in \[0, 1\], got 1.5"),
        ("lemon_factor", 0.5, "finite and >= 1, got 0.5"),
    ],
)
def test_bad_arguments(name, bad, rule):
    job = {"nodes": 4, "node_mtbf": 1.0, "lemon_share": 0.1, "lemon_factor": 5.0, name: bad}
    with pytest.raises(ValueError, match=f"{name} must be {rule}"):
        effective_mtbf(**job)
