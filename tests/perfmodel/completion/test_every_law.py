"""What holds of every completion time, however it is computed."""

import math
from functools import cache

import numpy as np
import pytest

from perfmodel import (
    Empirical,
    Exponential,
    LogNormal,
    exact_makespan,
    exact_makespan_async,
    exact_makespan_two_levels,
    predictive_makespan,
    wsj_compound,
    wsj_makespan,
)

JOB = {"interval": 5.0, "mtbf": 40.0, "checkpoint_cost": 0.5}
LEVELS = {"survived": 0.7, "local_cost": 0.2, "durable_cost": 1.0, "durable_recovery": 2.0}
TASK = {"mtbf": 40.0, "interval": 5.0}
DATA = {"failures": 4, "observed_time": 200.0, "interval": 5.0, "checkpoint_cost": 0.5}
LAWS = {
    "exact": lambda: exact_makespan(60.0, **JOB, recovery_cost=0.3, downtime=1.0),
    "exact, exponential": lambda: exact_makespan(60.0, **JOB, downtime=Exponential(3.0)),
    "exact, heavy": lambda: exact_makespan(60.0, **JOB, downtime=LogNormal.from_mean(2.0, cv=3.0)),
    "exact, recorded": lambda: exact_makespan(60.0, **JOB, downtime=Empirical([0.5, 1.0, 9.0])),
    "exact, counted": lambda: exact_makespan(60.0, **JOB, downtime=90.0),
    "exact, counted often": lambda: exact_makespan(900.0, **JOB, recovery_cost=4.0, downtime=90.0),
    "exact, at risk": lambda: exact_makespan(
        60.0, **JOB, downtime=Exponential(9.0), downtime_at_risk=True
    ),
    "exact, rare": lambda: exact_makespan(60.0, **{**JOB, "mtbf": 1e9}, downtime=1.0),
    "hardly ever done": lambda: exact_makespan(9.0, **{**JOB, "interval": 9.0, "mtbf": 0.3}),
    "asynchronous": lambda: exact_makespan_async(60.0, **JOB, latency=3.0, downtime=1.0),
    "skipping": lambda: exact_makespan_async(
        60.0, **JOB, latency=12.0, in_flight="skip", downtime=1.0, recovery_cost=0.4
    ),
    "two levels": lambda: exact_makespan_two_levels(
        60.0, interval=4.0, mtbf=40.0, durable_every=3, **LEVELS
    ),
    "compound": lambda: wsj_compound(60.0, **TASK, downtime=Exponential(1.0)),
    "compound, counted": lambda: wsj_compound(60.0, **TASK, downtime=25.0, checkpoint_cost=0.1),
    "gamma": lambda: wsj_makespan(60.0, **TASK, downtime=Exponential(1.0)),
    "predictive": lambda: predictive_makespan(10.0, **DATA),
}


@cache
def law_of(name):
    return LAWS[name]()


@pytest.mark.few(3)
@pytest.mark.parametrize("name", LAWS)
def test_percentiles_are_the_times_of_their_probabilities(name):
    law = law_of(name)
    start, atom = law.atom
    share = np.array([1e-6, 1e-3, 0.03, 0.2, 0.44, 0.61, 0.83, 0.97, 0.9999])
    wanted = atom + (1.0 - atom) * share
    t = law.ppf(wanted)
    assert np.all(np.diff(t) >= 0.0)
    assert np.all(t > start)
    # Of a step the first time that reaches it counts; its width is that of two floats.
    np.testing.assert_array_less(wanted * (1.0 - 1e-9), law.cdf(t) + 1e-12)
    before = np.maximum(t * (1.0 - 1e-12), start)
    np.testing.assert_array_less(law.cdf(before), wanted * (1.0 + 1e-6) + 1e-10)
    late = law.isf((1.0 - atom) * (1.0 - share))
    np.testing.assert_allclose(late, t, rtol=1e-9)
    assert law.ppf(atom) == start
    assert law.ppf(0.0) == law.isf(1.0) == law.isf(1.0 - 0.5 * atom) == start
    assert law.ppf(1.0) == law.isf(0.0) == math.inf
    np.testing.assert_array_equal(law.ppf(wanted.reshape(3, 3)), t.reshape(3, 3))
    assert law.ppf(wanted[3]) == pytest.approx(t[3], rel=1e-11)


@pytest.mark.parametrize("name", LAWS)
def test_it_is_a_distribution_from_its_start_to_the_largest_float(name):
    law = law_of(name)
    start, atom = law.atom
    far = law.mean + law.std * np.geomspace(1e-6, 20.0, 40)
    t = np.sort(np.concatenate([start + (law.mean - start) * np.geomspace(1e-9, 1.0, 40), far]))
    cdf, sf = law.cdf(t), law.sf(t)
    np.testing.assert_allclose(cdf + sf, 1.0, rtol=0.0, atol=1e-15)
    assert np.all(np.diff(cdf) >= -2.0 * law.error)
    assert np.all((cdf >= atom - law.error) & (sf <= 1.0 - atom + law.error))
    assert law.cdf(start) == pytest.approx(atom, abs=law.error)
    assert law.sf(start) == pytest.approx(1.0 - atom, abs=law.error)
    early = [-math.inf, -1.0, 0.0, start * (1.0 - 1e-15)]
    assert law.cdf(early).tolist() == [0.0] * 4
    assert law.sf(early).tolist() == [1.0] * 4
    end = np.array([1e60 * law.mean, 1e300, math.inf])
    np.testing.assert_allclose(law.cdf(end), 1.0, rtol=1e-12)
    np.testing.assert_allclose(law.sf(end), 0.0, atol=1e-12)
    if law.light:
        assert law.sf(end).tolist() == [0.0] * 3
    ceiling = law.ceiling(t)
    assert np.all((ceiling <= 1.0) & (ceiling >= sf * (1.0 - 1e-9)))
    assert np.all(np.diff(law.seams) > 0.0)
    assert np.all((law.seams >= start) & (law.seams < math.inf))
    np.testing.assert_array_equal(law.cdf(t.reshape(8, 10)), cdf.reshape(8, 10))
    assert float(law.sf(t[50])) == sf[50]
