"""A mutant without its fault is the right formula: the cases reject the fault itself."""

import pytest

from perfmodel.completion import exact_makespan
from perfmodel.fitting import mtbf_confidence
from perfmodel.interval import optimal_interval_async
from perfmodel.lifetimes import Gamma
from perfmodel.makespan import (
    expected_makespan,
    expected_makespan_async,
    makespan_variance,
    makespan_variance_async,
    wsj_mean,
    wsj_variance,
)
from validation.subjects.asynchronous import cases as asynchronous_cases
from validation.subjects.asynchronous import mutants as asynchronous_mutants
from validation.subjects.fitting import mutants as fitting_mutants
from validation.subjects.laws import predictable
from validation.subjects.makespan import cases as makespan_cases
from validation.subjects.makespan import mutants as makespan_mutants
from validation.subjects.whole_laws import mutants as whole_laws
from validation.subjects.wsj import mutants as wsj_mutants


@pytest.mark.parametrize("job", makespan_cases.ALL)
@pytest.mark.parametrize(
    ("base", "right"),
    [
        (makespan_mutants.right_mean, expected_makespan),
        (makespan_mutants.right_variance, makespan_variance),
    ],
)
def test_the_makespan_without_a_fault_is_right(base, right, job):
    job = {**job, "downtime": predictable(job["downtime"])}
    # The bases are plain and lose digits if failures are rare.
    assert base(**job) == pytest.approx(float(right(**job)), rel=1e-8)


@pytest.mark.parametrize("job", asynchronous_cases.ALL)
@pytest.mark.parametrize(
    ("base", "right"),
    [
        (asynchronous_mutants.right_mean, expected_makespan_async),
        (asynchronous_mutants.right_variance, makespan_variance_async),
    ],
)
def test_the_asynchronous_makespan_without_a_fault_is_right(base, right, job):
    job = {**job, "downtime": predictable(job["downtime"])}
    assert base(**job) == pytest.approx(float(right(**job)), rel=1e-10)


@pytest.mark.parametrize(
    ("base", "right"),
    [(wsj_mutants.right_mean, wsj_mean), (wsj_mutants.right_variance, wsj_variance)],
)
def test_the_moments_of_wsj_without_a_fault_are_right(base, right):
    job = {"mtbf": 32.0, "downtime": Gamma(0.5, 16.0), "interval": 4.0, "checkpoint_cost": 4.0}
    assert base(64.0, **job) == pytest.approx(float(right(64.0, **job)), rel=1e-10)


@pytest.mark.parametrize("fault", makespan_mutants.MEAN_FAULTS + makespan_mutants.VARIANCE_FAULTS)
def test_every_fault_is_spelt_as_the_model_spells_it(fault):
    bases = []
    if fault in makespan_mutants.MEAN_FAULTS:
        bases.append(makespan_mutants.right_mean)
    if fault in makespan_mutants.VARIANCE_FAULTS:
        bases.append(makespan_mutants.right_variance)
    for base in bases:
        jobs = [{**j, "downtime": predictable(j["downtime"])} for j in makespan_cases.ALL]
        assert any(base(**job, fault=fault) != base(**job) for job in jobs)


@pytest.mark.parametrize("failures", [0, 1, 7])
def test_the_ends_of_the_mtbf_without_a_fault_are_right(failures):
    base = fitting_mutants.right_ends(failures, 100.0, confidence=0.9)
    right = mtbf_confidence(failures, 100.0, confidence=0.9)
    assert (base.lower, base.upper) == pytest.approx((right.lower, right.upper), rel=1e-9)


@pytest.mark.parametrize("mutant", whole_laws.MUTANTS, ids=lambda m: m.fault)
def test_faults_of_whole_laws_are_called_as_the_law_is(mutant):
    """Cases of other subjects pass the work by position; those of this one by name."""
    job = {"interval": 5.0, "mtbf": 10.0, "checkpoint_cost": 0.1, "downtime": 0.5}
    if mutant.function is exact_makespan:
        assert mutant.wrong(10.0, **job).mean == mutant.wrong(work=10.0, **job).mean


@pytest.mark.parametrize("rule", ["overlap", "single_buffer"])
@pytest.mark.parametrize("latency", [0.5, 4.0, 40.0])
def test_the_asynchronous_interval_without_a_fault_is_right(rule, latency):
    costs = {"mtbf": 10.0, "checkpoint_cost": 0.3, "latency": latency, "in_flight": rule}
    found = asynchronous_mutants.right_interval(**costs)
    assert found == pytest.approx(float(optimal_interval_async(**costs)), rel=1e-12)
