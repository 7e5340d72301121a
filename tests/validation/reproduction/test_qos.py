"""The rows of qos without its traces: the cells that are run, and the verdicts."""

import pytest

from validation.reproduction.qos.cells import PROOF, wanted
from validation.reproduction.qos.results import Results
from validation.reproduction.qos.rows import rows
from validation.reproduction.qos.runs import Cell, cell
from validation.reproduction.qos.tables import grid, table


def test_users_who_cannot_matter_are_played_once():
    assert cell("nasa", 0.5, 0.9) == cell("nasa", 0.5, 0.6) == cell("nasa", 0.5, 0.0)
    assert cell("nasa", 0.5, 0.5).risk == 0.0  # no promise is below 1 - a
    assert cell("nasa", 0.9, 0.9).risk == 0.9
    assert cell("nasa", 0.5, 0.9, insist=True).risk == 0.9
    assert cell("nasa", 1.0, 0.1).risk == 0.1


def invented(quality):
    """Return metrics of every cell that depend on its accuracy alone."""
    return {
        key: {
            "qos": quality(key),
            "utilization": 0.7 + 0.04 * key.accuracy,
            "lost": (10.0 if key.log == "sdsc" else 1.0) * (9.0 - 8.0 * key.accuracy),
            "kept": 1.0,
        }
        for key in wanted((1, 2))
    }


def verdicts(quality, change=None):
    cells = invented(quality)
    if change is not None:
        cells[change]["kept"] = 0.5
    return {row.what: row.verdict for row in rows(Results(cells, (1, 2)))}


def test_what_the_paper_prints_holds():
    found = verdicts(lambda key: 0.95 + 0.05 * key.accuracy)
    assert set(found.values()) <= {"holds", "reported"}
    assert len(found) == 12


def test_each_row_can_fail():
    found = verdicts(lambda key: 0.9)
    assert found["QoS at a = 1, U = 1"] == "fails"
    assert found["qos from a = 0 to a = 1, U = 0.9, SDSC"] == "fails"
    falling = verdicts(lambda key: 1.0 - 0.01 * key.accuracy)
    assert falling["QoS against accuracy, U = 0.9, NASA"] == "fails"
    accuracy, risk = PROOF[0]
    other = verdicts(lambda key: 1.0, change=Cell("nasa", accuracy, risk, 1))
    assert other["metrics do not depend on U where a < U"] == "fails"


def test_the_tables_have_a_line_per_row_and_accuracy():
    results = Results(invented(lambda key: 1.0), (1, 2))
    found = list(rows(results))
    assert len(table(found).splitlines()) == 2 + len(found)
    assert grid(results).count("\n| ") == 2 * 12 - grid(results).startswith("| ")


@pytest.mark.parametrize("seeds", [(1,), (1, 2, 3)])
def test_more_seeds_are_more_runs_of_the_same_cells(seeds):
    found = set(wanted(seeds))
    assert {key.seed for key in found} == set(seeds)
