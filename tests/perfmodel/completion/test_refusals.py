"""What completion times refuse, word for word, at and beside each limit."""

import math

import numpy as np
import pytest

from perfmodel import (
    LogNormal,
    exact_makespan,
    expected_makespan,
    gamma_error,
    wsj_compound,
    wsj_makespan,
)
from perfmodel.completion.repairs import repair_of

JOB = {"interval": 2.0, "mtbf": 10.0, "checkpoint_cost": 0.1}
TASK = {"mtbf": 10.0, "interval": 2.0}


def test_just_inside_of_the_limits():
    assert gamma_error(9.0, mtbf=math.inf, interval=2.0, downtime=1.0) == 0.0
    tiny = exact_makespan(9.0, **JOB, downtime=8e-290)  # no digit, and no float
    assert tiny.cdf(12.0) == pytest.approx(float(exact_makespan(9.0, **JOB).cdf(12.0)), rel=1e-9)


def test_warnings_name_what_is_out_of_range():
    task = {"mtbf": 60.0, "interval": 300.0}
    with pytest.warns(UserWarning, match="std/mean of the time lost") as told:
        wsj_makespan(60.0, **task, downtime=0.7)
    assert len(told) == 1
    with pytest.warns(UserWarning, match="cv of downtime") as told:
        wsj_makespan(3000.0, mtbf=3.0, interval=0.5, downtime=LogNormal.from_mean(0.1, cv=2.01))
    assert str(told[0].message) == (
        "cv of downtime = 2.01 is beyond 2, up to which wsj_makespan is within 25.00%"
    )
    wsj_makespan(3000.0, mtbf=3.0, interval=0.5, downtime=LogNormal.from_mean(0.1, cv=1.99))


@pytest.mark.parametrize("mtbf", [1.0, 50.0, 5000.0])
def test_a_ceiling_is_a_probability_above_the_sf(mtbf):
    law = exact_makespan(100.0, **{**JOB, "mtbf": mtbf}, downtime=0.5)
    t = law.atom[0] + np.append(0.0, law.std * np.geomspace(1e-6, 60.0, 400))
    ceiling = law.ceiling(t)
    assert np.all(ceiling <= 1.0)
    assert np.all(ceiling >= law.sf(t) * (1.0 - 1e-9))
    assert np.all(np.diff(ceiling) <= 0.0)
    assert law.ceiling(np.array([law.atom[0] - 1.0])) == 1.0
    assert 0.0 <= law.ceiling(np.array([law.mean + 1e9 * law.std])) < 1e-30


def test_where_success_is_rare_downtimes_count():
    for downtime in (0.0, 7.0):
        job = {"interval": 50.0, "mtbf": 1.0, "checkpoint_cost": 0.0, "downtime": downtime}
        assert exact_makespan(50.0, **job).mean == pytest.approx(
            float(expected_makespan(50.0, **job)), rel=1e-12
        )


def test_a_repair_that_is_nothing_beside_the_rework():
    t = np.array([9.1, 9.7, 12.0])
    tiny, none = (wsj_compound(9.0, **TASK, downtime=downtime) for downtime in (1e-110, 0.0))
    np.testing.assert_allclose(tiny.cdf(t), none.cdf(t), rtol=1e-12)


def test_a_law_without_digits_is_refused():
    with pytest.raises(ValueError, match="work must be shorter") as error:
        exact_makespan(4e15, interval=1.0, mtbf=1.0, checkpoint_cost=0.0)
    assert str(error.value).startswith(
        "work must be shorter than some 1e15 mtbf for a law, got a time lost of std/mean = "
    )
    assert str(error.value).endswith("; use expected_makespan, which has every digit")
    with pytest.raises(ValueError, match=r"^downtime must be finite and >= 0, got -1\.0$"):
        repair_of(-1.0)
