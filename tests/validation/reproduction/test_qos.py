"""The claims of qos without its traces: the cells that are run, and the verdicts."""

import numpy as np
import pytest

from validation.reproduction.qos.cells import CASES, Case, Results, wanted
from validation.reproduction.qos.claims import claims
from validation.reproduction.qos.runs import cell
from validation.reproduction.shown import AS_TABLES, Shown


def test_users_who_cannot_matter_are_played_once():
    assert cell("nasa", 0.5, 0.9) == cell("nasa", 0.5, 0.6) == cell("nasa", 0.5, 0.0)
    assert cell("nasa", 0.5, 0.5).risk == 0.0  # no promise is below 1 - a
    assert cell("nasa", 0.9, 0.9).risk == 0.9
    assert cell("nasa", 0.5, 0.9, insist=True).risk == 0.9
    assert cell("nasa", 1.0, 0.1).risk == 0.1
    assert cell("nasa", 1.0, 0.1) == cell("nasa", 1.0, 0.1, insist=True)  # all accept it
    assert cell("nasa", 0.2, 0.5) == cell("nasa", 0.2, 0.5, insist=True)


def test_the_first_case_is_the_text_and_no_two_are_alike():
    assert CASES[0] == Case()
    assert len({tuple(case.levels.values()) for case in CASES}) == len(CASES)


def used(key):
    """Return how much of a predictor's accuracy is heeded: all by users who ask for U = 0.9."""
    return key.accuracy * min(key.risk / 0.9, 1.0)


def invented(quality=None):
    """Return metrics of every cell that depend on accuracy and U alone, as printed by default."""
    noise = np.random.default_rng(1)

    def metrics(key):
        unasked = 0.001 if key.log == "sdsc" else 0.0
        heed = used(key)
        return {
            "qos": 0.94 + unasked * key.accuracy + 0.05 * heed + 1e-5 * noise.random(),
            "utilization": (0.7 + 1e-5 * noise.random()) * (1.0 + 0.05 * heed),
            "lost": (10.0 if key.log == "sdsc" else 1.0)
            * (9.0 - 0.1 * key.accuracy - 7.9 * heed + 0.01 * noise.random()),
        }

    return {key: (quality or metrics)(key) for key in wanted((1, 2, 3))}


def verdicts(quality=None, shown=AS_TABLES):
    found = claims(Results(invented(quality), (1, 2, 3)), shown)
    return {judged.claim.says: judged for judged in found}


def test_what_the_paper_prints_holds():
    for says, judged in verdicts().items():
        assert judged.words[0] == "yes", says


def test_each_claim_can_fail():
    def flat(key):
        return {"qos": 0.8, "utilization": 0.7, "lost": 1.0 + 0.5 * key.accuracy}

    found = verdicts(flat)
    assert len(found) == 16
    for says, judged in found.items():
        assert judged.words[0] != "yes", says


def test_one_figure_has_its_claims_alone():
    shown = Shown(only="fig8")
    cells = {key for key in wanted((1,), shown)}
    assert len(cells) < 0.3 * len(set(wanted((1,))))
    assert {key.burst for key in cells} == {1.0}
    results = Results(invented(), (1, 2, 3))
    assert [j.claim.place for j in claims(results, shown)] == [
        "Fig. 8",
        "Figs 9, 10",
        "Figs 11, 12",
    ]


@pytest.mark.parametrize("seeds", [(1,), (1, 2, 3)])
def test_more_seeds_are_more_runs_of_the_same_cells(seeds):
    found = set(wanted(seeds))
    assert {key.seed for key in found} == set(seeds)


def test_nasa_as_logged_is_what_cleaning_left_of_ten_thousand():
    from tests.support.logs import require
    from validation.reproduction.qos.runs import workload

    require("jobs/pwa/NASA-iPSC-1993-3.1-cln.swf.gz")
    cleaned, logged = workload("nasa"), workload("nasa-logged")
    assert (len(cleaned), len(logged)) == (10_000, 4_456)
    assert (cleaned.runtime[: len(logged)] == logged.runtime).all()
