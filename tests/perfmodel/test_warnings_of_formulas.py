"""Each approximation warns beyond its range, in its own name, at the line that called it."""

import re
import warnings
from inspect import signature

import numpy as np
import pytest

import perfmodel
from perfmodel import FORMULAS, Level, LogNormal, ValidityWarning
from perfmodel.partition import Machines

ROWS = {row.name: row for row in FORMULAS if row.range is not None}
RARE = {"mtbf": 100.0, "checkpoint_cost": 1.0}
PREDICTED = {"recall": 0.5, "precision": 0.5, "proactive_cost": 1.0}
WILD = LogNormal.from_mean(2.0, cv=5.0)
MANY = Machines([1.0] * 1000, 100.0, 1.0, mttr_cv=4.0, interval=2.0, checkpoint_cost=0.02)

# Arguments beyond the range, of rows that no corner of a domain shows.
BEYOND = {
    "wsj_makespan": {"work": 128.0, "mtbf": 64.0, "downtime": WILD, "interval": 4.0},
    "compare_extra_node": {
        "nodes": 100,
        "work": 6400.0,
        "mtbf": 64.0,
        "downtime": 4.0,
        "interval": 4.0,
    },
    "optimal_period_predicted": {**RARE, "checkpoint_cost": 50.0, **PREDICTED},
    "waste_windows": {"period": 90.0, **RARE, **PREDICTED, "window": 10.0},
    "optimal_period_windows": {**RARE, "checkpoint_cost": 50.0, **PREDICTED, "window": 10.0},
    "best_window_segments": {**RARE, "checkpoint_cost": 50.0, **PREDICTED, "window": 10.0},
    "optimal_interval_pairs_first_order": {
        "pairs": 100,
        "node_mtbf": 10.0,
        "checkpoint_cost": 1.0,
    },
    "optimal_pattern_levels_first_order": {
        "levels": [Level(0.1, 0.1, 0.9), Level(1.0, 1.0, 1.0)],
        "mtbf": 9.0,
    },
    "optimal_nodes_first_order": {
        "sequential_share": 1e-6,
        "node_mtbf": 1e3,
        "checkpoint_cost": 1.0,
    },
    "evaluate_set": {"work": 1.0, "machines": MANY},
    "schedule_bisection": {"work": 1e3, "machines": Machines([1.0, 2.0], 100.0, [0.5, 2.0])},
    "schedule_local": {"work": 1e3, "machines": Machines([1.0, 2.0], 1.0, 0.5)},
}


def warned(row, arguments):
    """Call a formula; return what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        row.function(**arguments)
    return caught


@pytest.mark.parametrize("name", ROWS)
def test_it_says_which_formula_is_beyond_which_limit(name):
    row = ROWS[name]
    arguments = BEYOND.get(name) or {key: high for key, (_, high) in row.domain.items()}
    found = warned(row, arguments)
    assert {each.category for each in found} == {ValidityWarning}
    assert {each.filename for each in found} == {__file__}
    stated = re.escape(f"is beyond {row.range.limit:g}, up to which {name} is ")
    start = re.escape(row.range.measure)
    within = f"within {row.range.error:.2%}{' regret' if row.range.as_regret else ''}"
    said = [str(each.message) for each in found]
    (one,) = (text for text in said if text.startswith(row.range.measure))
    assert re.fullmatch(rf"{start} = [\d.e+]+ {stated}{within}", one)
    assert all(f"up to which {name} is within " in text for text in said)
    if row.range.of is not None:
        bound = signature(row.function).bind(**arguments)
        bound.apply_defaults()
        known = {key: np.asarray(value) for key, value in bound.arguments.items()}
        known = {key: value for key, value in known.items() if value.dtype.kind in "fi"}
        measure = float(np.max(row.range.of(**known)))
        assert one.startswith(f"{row.range.measure} = {measure:.6g} is beyond ")


@pytest.mark.parametrize("name", [name for name in ROWS if ROWS[name].domain])
def test_within_its_range_it_is_silent(name):
    row = ROWS[name]
    assert warned(row, {key: low for key, (low, _) in row.domain.items()}) == []


def test_the_model_of_wu_sun_and_jin_warns_of_its_artefact():
    with pytest.warns(ValidityWarning, match=r".") as found:
        assert perfmodel.optimal_interval_wsj(mtbf=1.0, checkpoint_cost=[0.1, 9.0])[1] == np.inf
    (one,) = found
    assert one.filename == __file__
    assert re.fullmatch(
        r"checkpoint_cost/mtbf = 9 is beyond 0\.647610, where the model of Wu, Sun and Jin has no "
        r"best finite interval: inf is an artefact of that model, in which rework never fails, "
        r"not advice never to checkpoint",
        str(one.message),
    )


@pytest.mark.parametrize(
    ("name", "machines", "measure", "limit"),
    [
        ("evaluate_set", Machines([1.0, 2.0], 100.0, [0.5, 2.0]), "mttr/mtbf = 0.02", 0.01),
        (
            "evaluate_set",
            Machines([1.0, 2.0], 100.0, 0.5, mttr_cv=[1.0, 5.0], interval=1.0),
            "mttr_cv = 5",
            4,
        ),
        (
            "schedule_bisection",
            Machines([1.0, 2.0], 100.0, 0.5, mttr_cv=[1.0, 5.0], interval=1.0),
            "mttr_cv = 5",
            4,
        ),
        (
            "schedule_bisection",
            Machines([1.0, 2.0], [100.0, 500.0], 0.5, interval=1.0),
            "mtbf/shortest mtbf = 5",
            4,
        ),
    ],
)
def test_machines_that_a_set_is_not_judged_for_are_named(name, machines, measure, limit):
    row = ROWS[name]
    said = [str(each.message) for each in warned(row, _of_machines(name, machines))]
    assert (
        f"{measure} is beyond {limit}, up to which {name} is within {row.range.error:.2%}" in said
    )


def _of_machines(name, machines):
    return {next(iter(BEYOND[name])): 1e3, "machines": machines}
