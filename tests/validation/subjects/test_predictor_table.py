"""The numbers of docs/prediction.md, computed and simulated again."""

import re
from pathlib import Path

import numpy as np
import pytest

from validation import ROOT
from validation.subjects.predictor.cases import simulated_waste
from validation.subjects.predictor.table import COSTS, PREDICTORS, compare, table

PAGE = Path(ROOT / "docs" / "prediction.md").read_text()


@pytest.fixture(scope="module")
def rows():
    return [compare(*predictor) for predictor in PREDICTORS]


def more(rows, kind, place):
    ratios = [getattr(row, kind)[place] / getattr(row, kind)[0] - 1.0 for row in rows]
    return f"{100 * min(ratios):.0f} to {100 * max(ratios):.0f} %"


def test_the_table_is_what_it_prints():
    assert table() in PAGE


def test_the_percentages_are_those_of_the_table(rows):
    text = " ".join(PAGE.split())
    assert (
        f"wastes {more(rows, 'predicted', 1)} more by the formula and "
        f"{more(rows, 'simulated', 1)} more in simulation" in text
    )
    assert f"the waste is {more(rows, 'predicted', 2)} higher by the formula" in text
    assert f"Simulated it is {more(rows, 'simulated', 2)} higher" in text
    lower = [1.0 - row.simulated[0] / row.predicted[0] for row in rows]
    assert f"is {100 * min(lower):.0f} to {100 * max(lower):.0f} % lower at its optimum" in text


def test_every_request_granted_is_a_factor_of_root_two_below(rows):
    ratios = [row.periods[0] / (row.periods[1] - COSTS["checkpoint_cost"]) for row in rows]
    np.testing.assert_allclose(ratios, np.sqrt(2.0), rtol=0.1)


def test_the_simulated_waste_of_the_text():
    point = {**COSTS, "recall": 0.7, "precision": 0.6, "recovery_cost": 10.0}
    seen = simulated_waste(257.885, 1, 100_000.0, **point)
    said = float(re.search(r"where jobs waste (\.\d+)", PAGE)[1])
    assert abs(seen.mean() - said) < 5.0 * seen.std() / np.sqrt(seen.size)
