"""The quick tier: each formula at all its points, and each of its mutants, with a fixed seed."""

import pytest

from validation.cases import CASES
from validation.court import hear
from validation.mutants import MUTANTS
from validation.tiers import quick
from validation.trial import trials

# These look at the same replays, which one worker then plays once.
REPLAYED = {
    "expected_makespan",
    "expected_failures",
    "expected_lost_time",
    "failure_probability",
    "exact_makespan",
}
FUNCTIONS = [
    pytest.param(
        function,
        id=function.__name__,
        marks=pytest.mark.xdist_group("replays") if function.__name__ in REPLAYED else (),
    )
    for function in dict.fromkeys(case.function for case in CASES)
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_formula_stands_and_its_mutants_fall(function):
    cases = [case for case in CASES if case.function is function]
    mutants = [mutant for mutant in MUTANTS if mutant.function is function]
    hearing = hear(cases, mutants, quick())
    assert [v for v in hearing.verdicts if not v.passed] == []
    assert [a.mutant.fault for a in hearing.autopsies if not a.passed] == []
    for trial, verdict in zip(trials(cases), hearing.verdicts, strict=True):
        assert trial.case.chance or verdict.stderr == 0.0
