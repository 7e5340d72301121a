import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validation.reading import FORMATS, MUTANTS, TRANSFORMATIONS, judged

SEEDS = st.integers(0, 2**32 - 1)
PAIRS = [(form, None) for form in FORMATS]
PAIRS += [(form, change) for form in FORMATS for change in TRANSFORMATIONS if change.applies(form)]


def named(pair):
    form, change = pair
    return f"{form.name}, {'as written' if change is None else change.name}"


@pytest.mark.few(71)
@pytest.mark.parametrize("pair", PAIRS, ids=map(named, PAIRS))
@settings(max_examples=2)
@given(seed=SEEDS)
def test_a_log_tells_what_it_was_written_from(pair, seed):
    assert judged(*pair, np.random.default_rng(seed)) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_wrong_reader_is_rejected(mutant):
    rngs = map(np.random.default_rng, range(8))
    assert any(mutant.rejected(rng) for rng in rngs)


def test_every_transformation_is_judged_or_says_why_not():
    for change in TRANSFORMATIONS:
        covered = [change.applies(form) for form in FORMATS]
        assert any(covered)
        assert all(covered) or change.why
