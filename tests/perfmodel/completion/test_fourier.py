"""Where terms of a series rise again after it seems to have settled."""

import numpy as np
import pytest

from perfmodel.completion.fourier import late_rise


def by_trying(sizes, least):
    """Return the last term that is larger than all in the middle third before it."""
    for last in range(len(sizes) - 1, -1, -1):
        if sizes[last] > max(least, *sizes[last // 3 : 1 + 2 * last // 3]):
            return last
    return 0


@pytest.mark.parametrize("seed", range(30))
def test_it_is_the_last_term_that_rises(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.gamma(0.3, size=int(rng.integers(1, 400))) * np.exp(-rng.uniform(0.0, 9.0))
    sizes[rng.random(sizes.size) < 0.3] = 0.0
    for least in (0.0, float(np.quantile(sizes, 0.7)), 10.0):
        assert late_rise(sizes, least) == by_trying(sizes.tolist(), least)


def test_a_series_that_falls_does_not_rise():
    assert late_rise(np.exp(-np.arange(100.0)), 0.0) == 0
    assert late_rise(np.empty(0), 0.0) == 0
