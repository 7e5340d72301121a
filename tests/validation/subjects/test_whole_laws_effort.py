"""How many laws the two tiers examine."""

from validation.subjects.whole_laws.cases import SWEEPS


def test_a_full_run_that_passes_had_two_thousand_laws_answered():
    """A sweep fails where a larger share of its points than `unanswered` has no answer."""
    assert sum(sweep.full * (1.0 - sweep.unanswered) for sweep in SWEEPS) >= 2000


def test_a_quick_run_examines_sixty_laws():
    assert sum(sweep.quick for sweep in SWEEPS) >= 60
