"""The rows of qos without its traces: the cells that are run, and the verdicts."""

import pytest

from validation.reproduction.qos.cells import PROOF, wanted
from validation.reproduction.qos.results import Results
from validation.reproduction.qos.rows import rows
from validation.reproduction.qos.runs import Cell, cell
from validation.reproduction.qos.tables import grid, table
from validation.reproduction.rows import estimate


def test_users_who_cannot_matter_are_played_once():
    assert cell("nasa", 0.5, 0.9) == cell("nasa", 0.5, 0.6) == cell("nasa", 0.5, 0.0)
    assert cell("nasa", 0.5, 0.5).risk == 0.0  # no promise is below 1 - a
    assert cell("nasa", 0.9, 0.9).risk == 0.9
    assert cell("nasa", 0.5, 0.9, insist=True).risk == 0.9
    assert cell("nasa", 1.0, 0.1).risk == 0.1
    assert cell("nasa", 1.0, 0.1) == cell("nasa", 1.0, 0.1, insist=True)  # all accept it
    assert cell("nasa", 0.2, 0.5) == cell("nasa", 0.2, 0.5, insist=True)


PROMISE = {"jobs": 100, "promised": 0.7, "observed": 0.6, "low": 0.5, "high": 0.7}


def used(key):
    """Return how much of a predictor's accuracy is heeded: all by users who ask for U = 0.9."""
    risk = cell(key.log, key.accuracy, key.risk).risk
    return key.accuracy * min(risk / 0.9, 1.0)


def invented(quality):
    """Return metrics of every cell that depend on its accuracy alone."""
    return {
        key: {
            "qos": quality(key),
            "utilization": (0.7 + 0.03 * key.accuracy) * (1.0 + 0.02 * used(key)),
            "lost": (10.0 if key.log == "sdsc" else 1.0) * (9.0 - 8.0 * used(key)),
            "kept": 1.0,
            "brier": 0.01,
            "calibration": [PROMISE],
            "spared": [PROMISE],
        }
        for key in wanted((1, 2))
    }


def verdicts(quality, change=None):
    cells = invented(quality)
    if change is not None:
        cells[change]["kept"] = 0.5
    return {row.what: row.verdict for row in rows(Results(cells, (1, 2)))}


def test_what_the_paper_prints_holds():
    def quality(key):  # SDSC gains a part of it whatever its users ask for
        unasked = 0.01 if key.log == "sdsc" else 0.0
        return 0.95 + unasked * key.accuracy + (0.05 - unasked) * used(key)

    found = verdicts(quality)
    assert set(found.values()) <= {"holds", "reported"}
    assert len(found) == 23


def test_each_row_can_fail():
    found = verdicts(lambda key: 0.9)
    assert found["QoS at a = 1, U = 1"] == "fails"
    assert found["qos from a = 0 to a = 1, U = 0.9, SDSC"] == "fails"
    falling = verdicts(lambda key: 1.0 - 0.01 * key.accuracy)
    assert falling["QoS against accuracy, U = 0.9, NASA"] == "fails"
    accuracy, risk = PROOF[0]
    other = verdicts(lambda key: 1.0, change=Cell("nasa", accuracy, risk, 1))
    assert other["metrics do not depend on U where a < U"] == "fails"


def test_users_who_insist_are_judged_apart():
    results = Results(invented(lambda key: 0.9 - 0.1 * key.insist), (1, 2))
    within, always = (
        {row.what: row.verdict for row in rows(each)} for each in (results, results.insisting())
    )
    assert within["metrics do not depend on U where a < U"] == "holds"
    assert always["metrics do not depend on U where a < U"] == "fails"
    rising = "QoS against accuracy, U = 0.9, NASA"
    assert (within[rising], always[rising]) == ("holds", "fails")


def test_the_tables_have_a_line_per_row_and_accuracy():
    results = Results(invented(lambda key: 1.0), (1, 2))
    found = list(rows(results))
    assert len(table(found).splitlines()) == 2 + len(found)
    assert grid(results).count("\n| ") == 2 * 12 - grid(results).startswith("| ")


@pytest.mark.parametrize("seeds", [(1,), (1, 2, 3)])
def test_more_seeds_are_more_runs_of_the_same_cells(seeds):
    found = set(wanted(seeds))
    assert {key.seed for key in found} == set(seeds)


def test_a_class_of_promises_is_judged_over_the_seeds():
    found = Results(invented(lambda key: 1.0), (1, 2)).promises(
        "sdsc", "calibrated", "none", "calibration"
    )
    assert [(each.jobs, each.said, each.came) for each in found] == [(200, 0.7, 0.6)]
    assert found[0].more.mean == pytest.approx(-0.1)
    assert found[0].more.half == pytest.approx(0.0)


def test_the_intervals_of_steps_hold_together():
    ours = [0.0, 1.0, 2.0]
    assert estimate(ours, tests=10).half > 2.0 * estimate(ours).half
