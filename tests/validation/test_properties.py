import numpy as np
import pytest

from perfmodel.makespan import expected_makespan
from perfmodel.registry import FORMULAS
from validation.judge import search
from validation.judge.search import Property, search_all, settle
from validation.judge.verdict import Verdict
from validation.subjects import PROPERTIES
from validation.subjects.makespan import cases as makespan_cases
from validation.subjects.makespan import mutants as makespan_mutants
from validation.subjects.strategies import points_of

ALPHA = 1e-6


def planted(fault):
    """Return the property of the mean makespan for a wrong formula."""

    def expected_makespan_with_a_fault(work, **job):
        return makespan_mutants.right_mean(work, **job, fault=fault)

    points = points_of(expected_makespan)
    return Property(expected_makespan_with_a_fault, makespan_cases.mean, points)


def test_every_row_with_a_domain_is_searched():
    rows = {row.function for row in FORMULAS if row.domain}
    assert rows <= {subject.function for subject in PROPERTIES}


@pytest.mark.slow
@pytest.mark.parametrize("row", [r for r in FORMULAS if r.range is not None and r.domain])
def test_points_lie_on_both_sides_of_a_stated_range(row):
    from hypothesis import find

    def inside(point):
        return bool(row.range.of(**{k: np.asarray(v) for k, v in point.items()}) <= row.range.limit)

    find(points_of(row.function), inside)
    find(points_of(row.function), lambda point: not inside(point))


# Their points take seconds each; the quick tier judges fixed ones, and draws 60 whole laws.
LONG = (
    *("gamma_error", "compare_extra_node", "makespan_variance_chain", "optimal_interval_parallel"),
    "CheckpointAdvisor",
)


def searched(subject):
    whole = subject.judge.__module__.endswith("whole_laws.cases")
    marks = [pytest.mark.slow] if whole or subject.formula in LONG else []
    return pytest.param(subject, id=subject.formula, marks=marks)


@pytest.mark.few(70)
@pytest.mark.parametrize("subject", [searched(subject) for subject in PROPERTIES])
def test_formulas_pass_at_a_few_random_points(subject, tmp_path):
    result = search.search(subject, seed=4, examples=2, alpha=ALPHA, database=tmp_path)
    assert result.failure is None
    assert result.judged >= 2


def test_a_planted_wrong_formula_is_found_shrunk_kept_and_replayed(tmp_path):
    subject = planted("downtime dropped")
    found = search.search(subject, seed=1, examples=30, alpha=ALPHA, database=tmp_path)
    assert found.failure is not None
    assert found.failure.rejected
    # Arguments without influence have become as simple as possible.
    assert found.failure.point.startswith("work=1 interval=1 mtbf=1 checkpoint_cost=1 ")

    replayed = search.search(subject, seed=2, examples=1, alpha=ALPHA, database=tmp_path)
    assert replayed.failure is not None
    assert replayed.failure.point == found.failure.point

    right = planted("")
    cured = search.search(right, seed=3, examples=1, alpha=ALPHA, database=tmp_path)
    assert cured.failure is None


@pytest.mark.slow
def test_a_fault_that_shows_only_off_the_diagonal_keeps_what_it_needs(tmp_path):
    subject = planted("last segment treated as full")
    found = search.search(subject, seed=1, examples=60, alpha=ALPHA, database=tmp_path)
    assert found.failure is not None
    point = dict(part.split("=") for part in found.failure.point.split())
    assert float(point["work"]) % float(point["interval"]) != 0.0


def test_a_formula_that_raises_is_a_failure():
    def broken(work, **job):
        del job
        raise ZeroDivisionError(f"at {work}")

    subject = Property(broken, makespan_cases.mean, points_of(expected_makespan))
    point = {
        name: 1.0
        for name in ("work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime")
    }
    verdict = settle(subject, point, seed=1, alpha=ALPHA)
    assert verdict.rejected
    assert verdict.note == "raised ZeroDivisionError: at 1.0"


def test_a_second_look_passes_a_formula_that_chance_rejected(monkeypatch):
    looks = []

    def judge(predict, budget):
        looks.append((budget.seed, budget.replications))
        return Verdict("exact", 1.0, 1.0, 1.0, 0.0, 0.0, passed=len(looks) == 2)

    subject = Property(expected_makespan, judge, points_of(expected_makespan))
    assert settle(subject, {}, seed=1, alpha=ALPHA).passed
    (first_seed, few), (second_seed, many) = looks
    assert first_seed != second_seed
    assert many == search.CLOSER * few


def test_a_run_can_be_limited_by_name():
    run = search_all(PROPERTIES, only="waste_predicted", seed=1, examples=2)
    assert [result.formula for result in run.results] == ["waste_predicted"]
    assert run.passed
