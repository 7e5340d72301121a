"""The quick tier: each formula at all its points, and each of its mutants, with a fixed seed."""

import pytest

from validation.judge.run import run_cases
from validation.judge.trial import trials
from validation.subjects import CASES, MUTANTS
from validation.tiers import quick

# These share replays, which are simulated once if one process runs them all.
REPLAYED = (
    "expected_makespan",
    "expected_failures",
    "expected_lost_time",
    "failure_probability",
    "exact_makespan",
)
NAMES = dict.fromkeys(case.formula for case in CASES)
ALONE = [pytest.param([name], id=name) for name in NAMES if name not in REPLAYED]


@pytest.mark.parametrize("names", [pytest.param(REPLAYED, id="replayed jobs"), *ALONE])
def test_formulas_pass_and_mutants_are_rejected(names):
    cases = [case for case in CASES if case.formula in names]
    mutants = [mutant for mutant in MUTANTS if mutant.formula in names]
    outcome = run_cases(cases, mutants, quick())
    assert [v for v in outcome.verdicts if not v.passed] == []
    assert [m.mutant.fault for m in outcome.mutants if not m.passed] == []
    for trial, verdict in zip(trials(cases), outcome.verdicts, strict=True):
        assert trial.case.chance or verdict.stderr == 0.0
