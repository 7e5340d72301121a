"""Every formula has cases, and every case set has a mutant that it rejects."""

import perfmodel
from perfmodel import lifetimes
from perfmodel.advisor import CheckpointAdvisor
from perfmodel.registry import FORMULAS
from sim.cluster.failures import failures_from_frame
from sim.cluster.grid import generate_failures
from validation.judge.trial import trials
from validation.subjects import CASES, MUTANTS, SUBJECTS
from validation.subjects.failure_feed.cases import sampled_failures
from validation.subjects.true_promises.cases import calibrated_forecaster

LAWS = [getattr(lifetimes, name) for name in lifetimes.__all__ if name != "Lifetime"]


JUDGED = {case.function for case in CASES}
FAULTY = {mutant.function for mutant in MUTANTS}


def test_every_row_has_a_case_and_a_mutant():
    assert [row.name for row in FORMULAS if row.function not in JUDGED & FAULTY] == []


def test_every_approximation_is_held_to_its_stated_error():
    held = {"stated error", "within the stated error"}  # the latter is a promise
    known = {case.function for case in CASES if case.check in held}
    rows = [row for row in FORMULAS if row.kind == "approximation"]
    assert [row.name for row in rows if row.function not in known] == []


def test_every_law_has_cases_and_mutants():
    assert set(LAWS) <= JUDGED & FAULTY


def test_what_is_judged_beside_formulas_has_cases_and_mutants():
    beside = {generate_failures, sampled_failures, failures_from_frame}
    assert beside | {calibrated_forecaster, CheckpointAdvisor} <= JUDGED & FAULTY


def test_a_subject_exports_cases_and_nothing_that_no_run_collects():
    for subject in SUBJECTS:
        assert "CASES" in subject.__all__, subject
        assert set(subject.__all__) <= {"CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"}


def test_no_case_judges_what_nobody_offers():
    public = [getattr(perfmodel, name) for name in perfmodel.__all__ if name != "FORMULAS"]
    offered = {row.function for row in FORMULAS} | set(LAWS) | set(public)
    # Functions of `sim`, judged by their own parameters, and the advisor by what jobs lose.
    offered |= {generate_failures, failures_from_frame, sampled_failures}
    offered |= {calibrated_forecaster, CheckpointAdvisor}
    assert {case.function for case in CASES} <= offered
    assert {mutant.function for mutant in MUTANTS} <= offered


def test_trials_and_mutants_have_names_of_their_own():
    labels = [trial.label for trial in trials(CASES)]
    assert len(set(labels)) == len(labels)
    faults = [(mutant.formula, mutant.fault) for mutant in MUTANTS]
    assert len(set(faults)) == len(faults)
