import math

import numpy as np
import pytest

from perfmodel import expected_failures_lemons

JOB = {"nodes": 512, "node_mtbf": 2500.0, "lemon_share": 0.15, "lemon_factor": 5.0}


def test_lemons_that_stay_so_fail_as_the_machine_did():
    assert expected_failures_lemons(1000.0, **JOB, cured=0.0) == pytest.approx(204.8, rel=1e-14)


def test_after_long_the_rate_is_that_without_lemons():
    late, later = expected_failures_lemons([1e6, 2e6], **JOB, cured=0.5)
    assert later - late == pytest.approx(512 * 1e6 / (2500.0 * 1.6), rel=1e-12)
    # Each lemon has 1/p failures before it is cured, in a time in which another has 1/(p k).
    assert late == pytest.approx(512 * (1e6 / 4000.0 + 0.15 * (2.0 - 0.4)), rel=1e-12)


@pytest.mark.parametrize("cured", [0.0, 0.3, 1.0])
def test_equal_nodes(cured):
    for lemons in ({"lemon_share": 0.0}, {"lemon_factor": 1.0}):
        found = expected_failures_lemons([0.0, 10.0], **{**JOB, **lemons}, cured=cured)
        np.testing.assert_allclose(found, [0.0, 2.048], rtol=1e-14)


@pytest.mark.parametrize("factor", [1.0, 1e300])
@pytest.mark.parametrize("time", [0.0, 1e-300, 1e300])
def test_ends_are_numbers(factor, time):
    job = {**JOB, "lemon_factor": factor, "lemon_share": [0.0, 1e-300, 1.0]}
    for cured in (0.0, 1e-300, 1.0):
        assert np.isfinite(expected_failures_lemons(time, **job, cured=cured)).all()


@pytest.mark.parametrize(
    ("name", "bad", "rule"),
    [
        ("time", -1.0, "finite and >= 0, got -1.0"),
        ("nodes", 0, "a whole number >= 1, got 0.0"),
        ("cured", 1.5, r"in \[0, 1\], got 1.5"),
    ],
)
def test_bad_arguments(name, bad, rule):
    with pytest.raises(ValueError, match=f"{name} must be {rule}"):
        expected_failures_lemons(**{"time": 1.0, **JOB, "cured": 0.5, name: bad})


@pytest.mark.parametrize(
    ("mtbf", "share", "factor", "cured", "failures"),
    [
        (1e-20, 1.0, 1e100, 1.0, 1e220),
        (1e-20, 0.5, 1e100, 0.5, 2e220),
        (1e-17, 1.0, 1.2, 0.0, math.inf),
        (1e-201, 0.0, 1.0, 0.0, math.inf),
    ],
)
def test_a_number_that_a_float_holds_is_told_though_its_parts_are_beyond(
    mtbf, share, factor, cured, failures
):
    found = expected_failures_lemons(
        1e300, nodes=1, node_mtbf=mtbf, lemon_share=share, lemon_factor=factor, cured=cured
    )
    assert found == pytest.approx(failures, rel=1e-12)
