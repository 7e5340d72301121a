"""Meta's first order: its printed values, and its distance from the exact goodput."""

import numpy as np
import pytest

from perfmodel import FORMULAS, ValidityWarning, ettr_first_order, goodput

DAY = 86400.0

# GPUs, failures per 1000 node-days, checkpoint and restart [s], then the interval and the share.
PRINTED = [
    (16384, 6.5, 300.0, 600.0, 1973.4, 0.6558),
    (16384, 6.5, 10.0, 300.0, 360.3, 0.9010),
    (12000, 6.5, 10.0, 300.0, 421.0, 0.9205),
    (12000, 1.0, 300.0, 300.0, 5878.8, 0.8979),
    (131072, 6.5, 10.0, 60.0, 127.4, 0.7858),
    (16384, 3.789, 60.0, 600.0, 1155.9, 0.8501),
]


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("row", PRINTED)
def test_values_of_clusters(row):
    gpus, rate, cost, restart, interval, share = row
    mtbf = DAY / (gpus / 8 * rate / 1000)
    young = np.sqrt(2.0 * cost * mtbf)
    assert young == pytest.approx(interval, abs=0.05)
    found = ettr_first_order(interval=young, mtbf=mtbf, checkpoint_cost=cost, restore=restart)
    assert found == pytest.approx(share, abs=5e-5)


def test_the_stated_error_is_the_measured_one():
    (row,) = [row for row in FORMULAS if row.function is ettr_first_order]
    shares = (
        np.random.default_rng(8).dirichlet((0.3, 0.3, 0.3), 20_000) * row.range.limit * (1.0 - 1e-6)
    )
    parts = dict(zip(("interval", "checkpoint_cost", "restore"), shares.T, strict=True))
    parts["interval"] = np.maximum(parts["interval"], 1e-9)
    error = np.abs(ettr_first_order(mtbf=1.0, **parts) / goodput(mtbf=1.0, **parts) - 1.0).max()
    assert 0.99 * row.range.error < error <= row.range.error


def test_it_warns_beyond_and_is_never_negative():
    with pytest.warns(ValidityWarning, match="up to which ettr_first_order"):
        assert ettr_first_order(interval=3.0, mtbf=1.0, checkpoint_cost=0.1) == 0.0
