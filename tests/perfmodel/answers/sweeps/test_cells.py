"""What a cell of a study is given, and what its formula or its jobs answer."""

import math

import pytest

from asking.kinds import COST, POSITIVE
from perfmodel import makespan_variance, optimal_interval
from perfmodel.answers.sweeps.formulas import FormulaPlay, readers_of_formula
from perfmodel.answers.sweeps.jobs import JobPlay
from perfmodel.answers.sweeps.values import known_keys, of_kind, plain, values_of

JOB = {"work": 10.0, "interval": 2.0, "mtbf": 1e12, "checkpoint_cost": 1.0}


def test_a_value_is_read_by_its_kind():
    assert of_kind(COST)("2d12h") == 216_000.0
    assert type(of_kind(COST)("1h")) is float
    for wrong in ("12", "soon", 5, True):
        with pytest.raises(ValueError, match=r"^a duration with a unit, such as 30min, "):
            of_kind(COST)(wrong)
    assert (of_kind(POSITIVE)(3), of_kind(POSITIVE)("0.7")) == (3.0, 0.7)


def test_what_is_plain_stays_as_it_is():
    assert plain(True) is True
    assert [plain(given) for given in ("easy", "5%", 2)] == ["easy", 0.05, 2.0]


def test_the_nearest_key_is_named():
    with pytest.raises(ValueError, match=r"among seed, cells \(nearest: cells\), got 'cels'"):
        known_keys("study", {"cels": 1}, ("seed", "cells"))
    with pytest.raises(ValueError, match=r"among seed, cells, got 'zzz'"):
        known_keys("study", {"zzz": 1}, ("seed", "cells"))
    with pytest.raises(ValueError, match=r"study must be a table, got 5"):
        known_keys("study", 5, ("seed",))
    with pytest.raises(ValueError, match=r"study.seed must be given, got none"):
        known_keys("study", {}, ("seed",), needed=("seed",))


def test_ranges_are_even_or_even_in_logarithms():
    even = {"from": 1, "to": 100, "points": 3}
    assert values_of("x", even, plain) == (1.0, 50.5, 100.0)
    assert values_of("x", even | {"spacing": "log"}, plain) == (1.0, 10.0, 100.0)
    with pytest.raises(ValueError, match="must be > 0 for logarithms, got 0"):
        values_of("x", even | {"from": 0, "spacing": "log"}, plain)
    with pytest.raises(ValueError, match=r"parameters.x.spacing must be one of linear, log"):
        values_of("x", even | {"spacing": "odd"}, plain)
    with pytest.raises(ValueError, match=r"parameters.x.from must be a finite number"):
        values_of("x", even | {"from": math.inf}, plain)


def test_draws_stay_within_their_law():
    even = values_of("x", {"draw": "uniform", "low": 1, "high": 100}, plain)
    log = values_of("x", {"draw": "log-uniform", "low": 1, "high": 100}, plain)
    pairs = [(even.value(1, sample), log.value(1, sample)) for sample in range(50)]
    for drawn, other in pairs:
        assert 1.0 <= drawn <= 100.0
        assert other == pytest.approx(100.0 ** ((drawn - 1.0) / 99.0), rel=1e-9)
    assert len(set(pairs)) == 50
    with pytest.raises(ValueError, match=r"parameters.x.high must be > low = 2, got 2"):
        values_of("x", {"draw": "uniform", "low": 2, "high": 2}, plain)


def test_a_formula_gives_a_number_by_its_name():
    costs = {"mtbf": 100.0, "checkpoint_cost": 2.0}
    found = FormulaPlay("optimal_interval")(costs, seed=1)
    assert found == {"optimal_interval": float(optimal_interval(**costs))}
    assert FormulaPlay("makespan_variance")(JOB, 0)["makespan_variance"] == float(
        makespan_variance(**JOB)
    )


def test_a_formula_that_is_not_there_is_named_with_its_nearest():
    with pytest.raises(ValueError, match=r"catalogue \(nearest: optimal_interval\), got 'optimal_"):
        readers_of_formula("optimal_intervl")
    with pytest.raises(ValueError, match=r"of the catalogue, got '%'"):
        FormulaPlay("%")({}, 0)


def test_parameters_of_a_formula_are_read_by_their_units():
    readers, needed = readers_of_formula("makespan_variance")
    assert readers["mtbf"]("1h") == 3600.0
    assert readers["final_checkpoint"](False) is False
    assert needed == ("work", "interval", "mtbf", "checkpoint_cost")


def test_jobs_that_never_fail_take_their_work_and_checkpoints():
    found = JobPlay(5)(JOB, seed=1)
    assert found == {"makespan_s": 15.0, "overhead": 0.5}


@pytest.mark.parametrize(("deadline", "share"), [(14.9, 0.0), (15.0, 1.0)])
def test_a_deadline_is_kept_to_the_instant(deadline, share):
    assert JobPlay(5)(JOB | {"deadline": deadline, "shape": 2.0}, 1)["on_time"] == share


def test_a_job_that_hardly_ends_is_refused():
    with pytest.raises(ValueError, match=r"at most 1e\+09 events, got about .* in 5 jobs"):
        JobPlay(5)(JOB | {"mtbf": 0.05}, 1)
