"""The quick tier: each formula at all its points, and each of its mutants, with a fixed seed.

`make test` judges most formulas that take long at one point, `make validate` and the full tier at
all of theirs.
"""

import sys
from dataclasses import replace

import pytest

from validation import catalogue
from validation.judge.run import run_cases
from validation.judge.trial import trials
from validation.subjects import CASES, MUTANTS, cluster, job_failures, whole_laws
from validation.tiers import quick

# What takes long in the full tier, and in this one at all points though not at one.
LONGEST = {*catalogue.LONGEST, "best_window_segments", "platform_failures_rejuvenated"}
LONGEST |= {"schedule_local", "waste_predicted"}
# These share replays, which are simulated once if one process runs them all.
REPLAYS = [*job_failures.CASES, *cluster.CASES]
# Replays are too coarse for these mutants, whose formulas are judged alone as well.
EXACT = "exact_makespan"
FINER = (EXACT, "slowest_of")


def groups():
    """Yield cases that one process runs, and the mutants that they must reject."""
    names = {case.formula for case in REPLAYS} - {*FINER}
    together = [case for case in CASES if case.formula in names or among(case, REPLAYS)]
    mutants = [mutant for mutant in MUTANTS if mutant.formula in names]
    yield pytest.param(together, mutants, id="replayed jobs")
    # Whole laws need no simulation, and their mutants pass all that is simulated.
    laws = [case for case in whole_laws.CASES if case.formula == EXACT]
    faults = [mutant for mutant in whole_laws.MUTANTS if mutant.formula == EXACT]
    yield pytest.param(laws, faults, id=f"{EXACT}, whole laws", marks=pytest.mark.slow)
    for name in dict.fromkeys(case.formula for case in CASES if case.formula not in names):
        cases = [case for case in CASES if case.formula == name and not among(case, REPLAYS, laws)]
        mutants = [m for m in MUTANTS if m.formula == name and not among(m, faults)]
        marks = [pytest.mark.slow] if name in LONGEST and name != EXACT else []
        yield pytest.param(cases, mutants, id=name, marks=marks)


def among(one, *lists):
    return any(one is other for some in lists for other in some)


# Seconds at any point; `make validate` judges them, and those of EXACT that are quick stay.
LATER = {EXACT, "CheckpointAdvisor", "calibrated_forecaster", "compare_extra_node"}
LATER |= {"exact_makespan_two_levels", "optimal_plan_ageing", "spot_outlook"}
LATER |= {"Bathtub", "failure_pattern", "plan"}
# Of the others a case without chance is quickest, but for these.
BY_CHANCE = {"busy_period_transform", "makespan_variance", "slowest", "wsj_compound"}


def first_points():
    """Yield a case of each of the longest formulas, at its first point, and all mutants."""
    for name in sorted(LONGEST):
        if name not in LATER:
            cases = [case for case in CASES if case.formula == name]
            case = min(cases, key=lambda case: case.chance is not (case.formula in BY_CHANCE))
            mutants = [mutant for mutant in MUTANTS if mutant.formula == name]
            yield pytest.param(replace(case, points=case.points[:1]), mutants, id=name)


@pytest.fixture(autouse=True)
def nothing_kept():
    """Let go of replications that cases and mutants shared: a worker has less than 1 GB."""
    yield
    for name, module in list(sys.modules.items()):
        if name.startswith("validation.subjects"):
            for one in vars(module).values():
                getattr(one, "cache_clear", int)()


@pytest.mark.parametrize(("case", "mutants"), [*first_points()])
def test_the_longest_formulas_pass_at_a_point_that_rejects_a_mutant(case, mutants):
    outcome = run_cases([case], mutants, quick())
    assert [v for v in outcome.verdicts if not v.passed] == []
    assert any(mutant.passed for mutant in outcome.mutants)


@pytest.mark.parametrize(("cases", "mutants"), [*groups()])
def test_formulas_pass_and_mutants_are_rejected(cases, mutants):
    outcome = run_cases(cases, mutants, quick())
    assert [v for v in outcome.verdicts if not v.passed] == []
    assert [m.mutant.fault for m in outcome.mutants if not m.passed] == []
    for trial, verdict in zip(trials(cases), outcome.verdicts, strict=True):
        assert trial.case.chance or verdict.stderr == 0.0


def test_no_case_and_no_mutant_is_left_out():
    cases = [case for group in groups() for case in group.values[0]]
    mutants = [mutant for group in groups() for mutant in group.values[1]]
    assert len(cases) == len(CASES)
    assert all(any(case is other for other in cases) for case in CASES)
    assert len(mutants) == len(MUTANTS)
    assert all(any(mutant is other for other in mutants) for mutant in MUTANTS)
