"""Definitions by sums, where a tail is a millionth and its terms are a million."""

import pytest

from perfmodel.fitting import MtbfConfidence, mtbf_confidence
from perfmodel.parallel import spares_needed
from validation.judge.trial import Budget
from validation.subjects.implicit_forms.cases import enough_and_one_fewer_not, promised_tails

BUDGET = Budget(seed=1, replications=1, alpha=0.01)
SPARES = {"nodes": 124_000, "mtbf": 13.6, "mttr": 0.12716, "confidence": 0.999999}
COUNT = {"failures": 806_000, "observed_time": 0.00155, "confidence": 0.999}


@pytest.mark.parametrize("law", ["binomial", "poisson"])
def test_sums_have_the_digits_of_a_small_tail(law):
    verdict = enough_and_one_fewer_not(spares_needed, BUDGET, **SPARES, law=law)
    assert verdict.passed, verdict.note
    # The next number of spares has a tail that is 11 % less.
    for more in (-1, 1):
        wrong = enough_and_one_fewer_not(
            lambda *args, more=more, **law: spares_needed(*args, **law) + more,
            BUDGET,
            **SPARES,
            law=law,
        )
        assert wrong.rejected


def test_both_limits_of_an_mtbf_are_judged_of_a_million_failures():
    verdict = promised_tails(mtbf_confidence, BUDGET, **COUNT)
    assert verdict.passed, verdict.note


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_limit_that_is_a_billionth_off_is_seen(end):
    right = mtbf_confidence(806_000, 0.00155, confidence=0.999)
    ends = {"mtbf": right.mtbf, "lower": right.lower, "upper": right.upper, "confidence": 0.999}
    wrong = MtbfConfidence(**{**ends, end: ends[end] * (1.0 + 1e-9)})
    assert promised_tails(lambda *_, **__: wrong, BUDGET, **COUNT).rejected
