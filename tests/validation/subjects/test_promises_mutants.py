"""A mutant without its fault is the right formula."""

import pytest

from validation.subjects.promises.mutants import _TWINS as TWINS

POINTS = {
    "promised_probability": ((30.0,), {"nodes": 3, "node_mtbf": 200.0}),
    "longest_promise": ((0.7,), {"nodes": 3, "node_mtbf": 200.0}),
    "checkpoint_gain": ((0.3,), {"unsaved": 20.0, "checkpoint_cost": 2.0}),
    "risk_based_interval": ((2.0,), {"mtbf": 90.0, "checkpoint_cost": 1.3}),
}


@pytest.mark.parametrize("function", TWINS, ids=lambda function: function.__name__)
def test_a_twin_without_a_fault_is_right(function):
    arguments, options = POINTS[function.__name__]
    found = TWINS[function](*arguments, **options)
    assert found == pytest.approx(float(function(*arguments, **options)), rel=1e-12)
