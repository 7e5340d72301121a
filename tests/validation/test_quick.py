"""The quick tier: each formula at all its points, and each of its mutants, with a fixed seed."""

import pytest

from validation.cases import CASES
from validation.court import hear
from validation.mutants import MUTANTS
from validation.tiers import quick

FUNCTIONS = list(dict.fromkeys(case.function for case in CASES))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_formula_stands_and_its_mutants_fall(function):
    hearing = hear(
        [case for case in CASES if case.function is function],
        [mutant for mutant in MUTANTS if mutant.function is function],
        quick(),
    )
    assert [v for v in hearing.verdicts if not v.passed] == []
    assert [a.mutant.fault for a in hearing.autopsies if not a.passed] == []
