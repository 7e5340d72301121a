"""Values that are far too long, such as a list in the place of a number: a refusal shows a part."""

import numpy as np
import pytest

import perfmodel
from perfmodel import Machines

LONG = "xy" * 5000
MANY = [*range(5000), "x"]
HUGE = 10**4000  # Python writes no whole number of more than 4300 digits
ENDLESS = 10**5000
MACHINES = Machines(speed=[1.0] * 3000, mtbf=1.0)
JOB = {"interval": 1.0, "mtbf": 1.0, "checkpoint_cost": 0.0}
CALLS = {
    "a text": lambda: perfmodel.expected_makespan(LONG, **JOB),
    "a list": lambda: perfmodel.expected_makespan(MANY, **JOB),
    "a ragged list": lambda: perfmodel.expected_makespan([[1.0] * 2000, [2.0]], **JOB),
    "a dict": lambda: perfmodel.expected_makespan(dict.fromkeys(range(3000)), **JOB),
    "a huge number": lambda: perfmodel.expected_makespan(HUGE, **JOB),
    "an endless number": lambda: perfmodel.expected_makespan(ENDLESS, **JOB),
    "flag": lambda: perfmodel.expected_makespan(1.0, **JOB, final_checkpoint=MANY),
    "points": lambda: perfmodel.busy_period_transform(
        np.full((40, 40, 40), -1.0), mtbf=10.0, downtime=1.0
    ),
    "law": lambda: perfmodel.spares_needed(2, 1.0, 0.1, 0.9, law=LONG),
    "formula": lambda: perfmodel.evaluate_formula(MANY),
    "family": lambda: perfmodel.fit_lifetime([1.0, 2.0, 3.0], families=[LONG]),
    "families": lambda: perfmodel.fit_lifetime([1.0, 2.0, 3.0], families={HUGE: HUGE}),
    "durations": lambda: perfmodel.fit_lifetime(MANY),
    "confidence": lambda: perfmodel.mtbf_confidence(3, 1.0, confidence=LONG),
    "machines": lambda: perfmodel.schedule_speed(1.0, MANY),
    "order": lambda: perfmodel.schedule_random(1.0, MACHINES, order=[0] * 3000),
    "processes": lambda: perfmodel.schedule_speed(1.0, MACHINES, processes=10**300),
    "completion time": lambda: perfmodel.slowest_of(LONG, 3),
    "probabilities": lambda: perfmodel.HyperExponential([0.1] * 3000, [1.0] * 3000),
    "spread": lambda: perfmodel.wsj_makespan(
        1.0, mtbf=9.0, downtime=perfmodel.Empirical([1.0, 1e200] * 900), interval=1.0
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_refusal_of_a_long_value_is_short(call):
    with pytest.raises((ValueError, TypeError), match=r" must (be|have) ") as refused:
        call()
    assert len(str(refused.value)) < 300
