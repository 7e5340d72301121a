"""One table says what an argument is; what the docstring of a formula says goes with it."""

import numpy as np
import pytest

from perfmodel import FORMULAS
from perfmodel.quantities import QUANTITIES, checked
from validation.hunt.docstrings import arguments_of, unit_of

# Three names have two meanings: work of a set of machines is no time, nodes of a whole machine may
# be a mean number, failures their times. Indices, and points of a transform, are no quantities.
OTHERWISE = {("work", "work"), ("nodes", "node"), ("failures", "s")}
APART = {"chosen", "order", "checkpoint_after", "s"}
PAIRS = [
    pytest.param(argument, id=f"{row.name}-{argument.name}")
    for row in FORMULAS
    for argument in arguments_of(row.function).values()
    if (argument.takes_arrays or argument.kind.startswith(("float", "int")))
    and argument.name not in APART
]


@pytest.mark.parametrize("argument", PAIRS)
def test_a_docstring_says_of_an_argument_what_the_table_does(argument):
    known = QUANTITIES[argument.name]
    if any((argument.name, base) in OTHERWISE for base in argument.unit):
        return
    unit = {"time" if base == "s" else base: power for base, power in argument.unit.items()}
    assert unit == dict(unit_of(f"[{known.unit}]"))
    assert argument.whole in {known.is_whole, False if argument.name == "nodes" else known.is_whole}
    assert (argument.most == 1.0) == known.is_share
    unstated = {"downtime", "samples", "processes", "most_sets", "durations", "censored", "entered"}
    assert argument.name in unstated or argument.least + (
        argument.open_below and known.is_whole
    ) >= (known.least if known.is_whole else 0.0)
    if known.domain.startswith("positive") and argument.name not in unstated:
        assert argument.open_below or argument.least > 0.0
    assert known.may_be_infinite or known.is_whole or not argument.infinite


def test_every_quantity_is_an_argument_of_some_formula():
    assert {pair.values[0].name for pair in PAIRS} == set(QUANTITIES)


def test_arguments_are_checked_by_their_names():
    work, cost, nodes = checked(work=[1.0, 2.0], checkpoint_cost=0.0, nodes=3)
    np.testing.assert_array_equal(work, [1.0, 2.0])
    np.testing.assert_array_equal(cost, [0.0, 0.0])
    np.testing.assert_array_equal(nodes, [3.0, 3.0])
    assert np.isinf(checked(mtbf=np.inf)[0])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"work": 0.0}, "work must be finite and > 0, got 0.0"),
        ({"checkpoint_cost": np.inf}, "checkpoint_cost must be finite and >= 0, got inf"),
        ({"mtbf": -1.0}, "mtbf must be > 0, got -1.0"),
        ({"nodes": 0}, "nodes must be a whole number >= 1, got 0.0"),
        ({"failures": 0.5}, "failures must be a whole number >= 0, got 0.5"),
        ({"recall": 1.5}, r"recall must be in \[0, 1\], got 1.5"),
        ({"work": [1.0, 2.0], "mtbf": [1.0, 2.0, 3.0]}, "work, mtbf must be broadcastable, got"),
    ],
)
def test_what_is_out_of_range_is_refused_by_its_name(given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        checked(**given)
