import json
import math
from dataclasses import replace

import pytest

from validation.chance import alpha_of
from validation.compare import compare_mean, compare_number
from validation.court import Mutant, Tier, hear
from validation.report import as_json
from validation.trial import BUDGET, Case, alpha_for, spent, trials


def tier(**changes):
    return replace(Tier("quick", 1, 10_000, 10), **changes)


def square(side):
    return side * side


def area(predict, grant, *, side):
    """Compare with a fair die of a kind: the grant decides the draws."""
    import numpy as np

    drawn = np.random.default_rng(grant.seed).uniform(0, 2 * side**2, grant.replications)
    return compare_mean(predict(side), drawn, alpha=grant.alpha, tolerance=grant.tolerance)


CASES = (Case(square, area, ({"side": 2.0}, {"side": 3.0}), gate=0.1),)


def test_each_trial_has_its_own_share_whatever_runs_beside_it():
    first, second = trials(CASES)
    grant = first.grant(seed=5, replications=100, alpha=0.01)
    assert grant == trials(CASES[::-1])[0].grant(seed=5, replications=100, alpha=0.01)
    assert grant.seed != second.grant(seed=5, replications=100, alpha=0.01).seed
    assert grant.seed != first.grant(seed=6, replications=100, alpha=0.01).seed


def test_the_budget_covers_the_run_and_no_trial_passes_beyond_four_sigma():
    assert spent(100) <= BUDGET
    assert alpha_for(100) == pytest.approx(BUDGET / 100)
    assert alpha_for(10**6) == pytest.approx(alpha_of(4.0))
    assert spent(10**4) > BUDGET  # said, not hidden
    assert tier(comparisons=10**6).limit == pytest.approx(4.0)


def test_verdicts_are_signed_and_mutants_meet_the_same_trials():
    dead = Mutant(square, "doubled", lambda side: 2 * side)
    alive = Mutant(square, "written otherwise", lambda side: side**2)
    hearing = hear(CASES, (dead, alive), tier())
    assert [v.point for v in hearing.verdicts] == ["side=2", "side=3"]
    assert {(v.formula, v.check) for v in hearing.verdicts} == {("square", "area")}
    assert all(v.passed for v in hearing.verdicts)
    # 2 side and side^2 agree at 2: the second point is there to tell.
    assert hearing.autopsies[0].cause.point == "side=3"
    assert not hearing.autopsies[1].passed
    assert not hearing.passed


def test_a_mutant_without_an_answer_survives():
    mutant = Mutant(square, "infinite", lambda side: math.inf)
    assert not hear(CASES, (mutant,), tier()).autopsies[0].passed


def test_json_holds_every_number_and_no_infinity():
    def certain(predict, grant, *, side):
        return compare_number(predict(side), side, tolerance=0.0)

    hearing = hear(
        (Case(square, certain, ({"side": 2.0},)),),
        (Mutant(square, "identity", lambda side: side),),
        tier(),
    )
    record = json.loads(as_json(tier(), hearing))
    assert record["seed"] == 1
    assert record["passed"] is False
    assert record["verdicts"][0]["z"] is None
    assert record["verdicts"][0]["point"] == "side=2"
    assert record["mutants"] == [
        {"formula": "square", "mutant": "identity", "rejected": False, "by": None}
    ]
