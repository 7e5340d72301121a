"""Every formula has cases, and every case set has a mutant that it rejects."""

import pytest

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

ROWS = [pytest.param(row, id=row.name) for row in FORMULAS]
LAWS = [getattr(lifetimes, name) for name in lifetimes.__all__ if name != "AbstractLifetime"]


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_a_case(row):
    assert any(case.function is row.function for case in CASES)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_a_mutant(row):
    assert any(mutant.function is row.function for mutant in MUTANTS)


@pytest.mark.parametrize("row", [p for p in ROWS if p.values[0].kind == "approximation"])
def test_every_approximation_is_held_to_its_stated_error(row):
    checks = {case.check for case in CASES if case.function is row.function}
    assert checks & {"stated error", "within the stated error"}  # the latter is a promise


@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_cases_and_mutants(law):
    assert any(case.function is law for case in CASES)
    assert any(mutant.function is law for mutant in MUTANTS)


@pytest.mark.parametrize("generator", [generate_failures, sampled_failures])
def test_the_generators_of_failures_have_cases_and_mutants(generator):
    assert any(case.function is generator for case in CASES)
    assert any(mutant.function is generator for mutant in MUTANTS)


def test_true_promises_have_cases_and_mutants():
    assert any(case.function is calibrated_forecaster for case in CASES)
    assert any(mutant.function is calibrated_forecaster for mutant in MUTANTS)


def test_the_advisor_has_cases_and_mutants():
    assert any(case.function is CheckpointAdvisor for case in CASES)
    assert any(mutant.function is CheckpointAdvisor for mutant in MUTANTS)


def test_the_names_of_nodes_have_cases_and_mutants():
    assert any(case.function is failures_from_frame for case in CASES)
    assert any(mutant.function is failures_from_frame for mutant in MUTANTS)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.__name__)
def test_a_subject_exports_cases_and_nothing_that_no_run_collects(subject):
    assert "CASES" in subject.__all__
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
