"""What completion times refuse, word for word, at and beside each limit."""

import math

import numpy as np
import pytest

from perfmodel import (
    Bathtub,
    Exponential,
    LogNormal,
    busy_period_mean,
    exact_makespan,
    exact_makespan_async,
    expected_makespan,
    gamma_error,
    predictive_makespan,
    wsj_compound,
    wsj_makespan,
)
from perfmodel.completion.repairs import repair_of

JOB = {"interval": 2.0, "mtbf": 10.0, "checkpoint_cost": 0.1}
TASK = {"mtbf": 10.0, "interval": 2.0}
DATA = {"failures": 4, "observed_time": 1000.0, "interval": 10.0, "checkpoint_cost": 0.5}
LOAD = (
    "downtime/mtbf must be < 1 if failures strike repairs, got {}: repairs would pile up and the "
    "completion time would be infinite"
)
ONE = "arguments must be single numbers, got shape (2,): one job a call"
TURN = "Bathtub(share=0.45, early=1.0, late=0.8, turn=24.0)"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: exact_makespan(9.0, **{**JOB, "mtbf": [1.0, 2.0]}), ONE),
        (lambda: exact_makespan_async([9.0, 8.0], **JOB, latency=1.0), ONE),
        (lambda: predictive_makespan(9.0, **{**DATA, "interval": [1.0, 2.0]}), ONE),
        (
            lambda: exact_makespan(9.0, **JOB, downtime=10.0, downtime_at_risk=True),
            LOAD.format(1.0),
        ),
        (lambda: wsj_compound(9.0, **TASK, downtime=12.0), LOAD.format(1.2)),
        (lambda: wsj_makespan(9.0, **TASK, downtime=Exponential(12.0)), LOAD.format(1.2)),
        (lambda: busy_period_mean(mtbf=[10.0, 2.0], downtime=3.0), LOAD.format(1.5)),
        (
            lambda: exact_makespan(9.0, **JOB, downtime=1e300),
            "downtime must be at most 1e+290 times the work on average, got 1e+300",
        ),
        (
            lambda: exact_makespan(
                1e-180,
                interval=1e-180,
                mtbf=1.0,
                checkpoint_cost=0.0,
                downtime=Bathtub(0.45, 1.0, 0.8, 24.0),
            ),
            f"downtime must have a turn of at most 1e+150 times the work for a law, got {TURN} "
            "with work 1e-180; expected_makespan has no such limit",
        ),
        (
            lambda: wsj_compound(
                1e-180, mtbf=64.0, interval=1e-180, downtime=Bathtub(0.45, 1.0, 0.8, 24.0)
            ),
            f"downtime must have a turn of at most 1e+150 times the work for a law, got {TURN} "
            "with work 1e-180; wsj_mean has no such limit",
        ),
        (
            lambda: exact_makespan_async(
                1e-180,
                interval=1e-180,
                mtbf=1.0,
                checkpoint_cost=0.0,
                latency=1e-180,
                downtime=Bathtub(0.45, 1.0, 0.8, 24.0),
            ),
            f"downtime must have a turn of at most 1e+150 times the work for a law, got {TURN} "
            "with work 1e-180; expected_makespan_async has no such limit",
        ),
        (
            lambda: exact_makespan(1e17, interval=1.0, mtbf=1e3, checkpoint_cost=0.0),
            "interval must be at least work/4503599627370496 where failures are so frequent, got "
            "1.0",
        ),
        (
            lambda: exact_makespan_async(
                1e17, interval=1.0, mtbf=1e3, checkpoint_cost=0.0, latency=1.0
            ),
            "work must be at most 4503599627370496 intervals, got 1e+17",
        ),
        (
            lambda: predictive_makespan(
                1e9, failures=9, observed_time=1.0, interval=1.0, checkpoint_cost=0.0
            ),
            "observed_time must be long enough for less than 1e+09 failures to be expected in the "
            "job, got 1.0",
        ),
        (
            lambda: predictive_makespan(9.0, **{**DATA, "failures": -1}),
            "failures must be a whole number >= 0, got -1.0",
        ),
        (
            lambda: predictive_makespan(9.0, **{**DATA, "observed_time": 0.0}),
            "observed_time must be finite and > 0, got 0.0",
        ),
        (
            lambda: wsj_makespan(9.0, **TASK, downtime=LogNormal(-900.0, 40.0)),
            "downtime must have a finite variance for a Gamma law, got "
            "LogNormal(mu=-900.0, sigma=40.0); wsj_compound has the law itself",
        ),
        (
            lambda: gamma_error(9.0, **TASK, downtime=9.999995),
            "downtime/mtbf must be <= 1 - 1e-06 for a distance, got 0.9999995: nearer to "
            "1 the Gamma law is wrong nearly everywhere; use wsj_compound",
        ),
        (lambda: wsj_compound(0.0, **TASK, downtime=1.0), "work must be finite and > 0, got 0.0"),
        (
            lambda: wsj_compound(9.0, mtbf=0.0, interval=2.0, downtime=1.0),
            "mtbf must be > 0, got 0.0",
        ),
        (
            lambda: wsj_compound(9.0, mtbf=9.0, interval=0.0, downtime=1.0),
            "interval must be > 0, got 0.0",
        ),
        (
            lambda: wsj_compound(9.0, **TASK, downtime=1.0, checkpoint_cost=-1.0),
            "checkpoint_cost must be finite and >= 0, got -1.0",
        ),
        (
            lambda: wsj_makespan(9.0, **TASK, downtime=1.0, printed=1),
            "printed must be True or False, got 1",
        ),
        (
            lambda: exact_makespan(9.0, **JOB, downtime_at_risk="no"),
            "downtime_at_risk must be True or False, got 'no'",
        ),
        (lambda: exact_makespan(9.0, **JOB).cdf(math.nan), "t must be a time, got nan"),
        (lambda: exact_makespan(9.0, **JOB).sf(math.nan), "t must be a time, got nan"),
        (lambda: exact_makespan(9.0, **JOB).ppf(1.5), "q must be in [0, 1], got 1.5"),
        (lambda: exact_makespan(9.0, **JOB).isf(-0.5), "p must be in [0, 1], got -0.5"),
    ],
)
def test_refusals_word_for_word(call, words):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert str(error.value) == words


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
