import inspect
import re
from unittest.mock import Mock

import numpy as np
import pytest
from click.testing import CliRunner

import perfmodel
from perfmodel import Weibull
from validation.hunt import again, hunt
from validation.hunt.__main__ import main
from validation.hunt.allowed import is_allowed
from validation.hunt.call import Made, paste, scaled
from validation.hunt.checks import Scales, Units
from validation.hunt.docstrings import arguments_of, result_of
from validation.hunt.facts import completion
from validation.hunt.public_names import Public, names
from validation.hunt.random_arguments import Drawer
from validation.hunt.search import targets
from validation.hunt.trends import TRENDS
from validation.hunt.watch import watched


def test_every_public_function_and_law_is_hunted_in():
    assert set(TRENDS) == set(names())
    assert {target.of for target in targets()} >= set(names())


def test_every_argument_has_a_documented_range():
    known = {"processes", "most_sets", "durations", "censored", "samples", "downtime"}
    known |= {"checkpoint_after", "entered", "gaps", "chosen", "order", "mu", "s"}
    for name in names():
        for argument in arguments_of(getattr(perfmodel, name)).values():
            if argument.takes_arrays or argument.kind.startswith(("float", "int")):
                assert np.isfinite(argument.least) or argument.name in known, (name, argument)


def test_what_is_documented_is_read():
    job = arguments_of(perfmodel.optimal_interval_parallel)
    assert job["checkpoint_cost"].open_below
    assert not job["recovery_cost"].open_below
    assert job["tasks"].whole
    assert not job["work"].whole
    charge = arguments_of(perfmodel.recovery_charge)["price"]
    assert charge.unit == {"credit": 1, "node": -1, "h": -1}
    assert result_of(perfmodel.makespan_variance).unit == {"time": 2}
    assert result_of(perfmodel.longest_promise).may_be_infinite
    assert not result_of(perfmodel.wsj_makespan).may_be_infinite


def test_draws_are_allowed_and_answered():
    rng = np.random.default_rng(5)
    for _ in range(30):
        drawn = Drawer(rng, ("near",)).arguments("expected_makespan")
        assert is_allowed("expected_makespan", drawn)


def test_a_call_is_pasted_as_it_was_made():
    law = Made("Weibull.from_mean", {"mean": 3.0, "cv": 2.0})
    call = paste("exact_makespan", {"work": 10.0, "downtime": law})
    assert call == "exact_makespan(work=10.0, downtime=Weibull.from_mean(mean=3.0, cv=2.0))"
    assert eval(repr(law)) == Weibull.from_mean(3.0, cv=2.0)


def test_another_unit_scales_laws_too():
    law = Made("Weibull.from_mean", {"mean": 3.0, "cv": 2.0})
    assert scaled(law, {}, "time", 4.0).arguments == {"mean": 12.0, "cv": 2.0}
    assert scaled(3.0, {"time": -1}, "time", 4.0) == 0.75
    assert scaled(0.0, {"log time": 1}, "time", 4.0) == pytest.approx(np.log(4.0))


def test_a_call_that_takes_too_long_is_a_finding():
    def forever():
        while True:
            pass

    assert watched(forever, allowed=True, seconds=0.05) == "takes longer than 0.05 s"


def test_a_refusal_in_the_form_of_all_errors_is_fine_where_it_is_due():
    def refuse():
        raise ValueError("work must be > 0, got 0.0")

    assert watched(refuse, allowed=False, seconds=1.0) == ""
    assert "refuses allowed" in watched(refuse, allowed=True, seconds=1.0)


@pytest.mark.parametrize("error", [ZeroDivisionError("division"), OverflowError("inf")])
def test_any_other_exception_is_a_finding(error):
    def fail():
        raise error

    assert type(error).__name__ in watched(fail, allowed=False, seconds=1.0)


def wrong(name, change):
    """Return a function whose result is that of the public `name`, changed."""
    right = getattr(perfmodel, name)

    def mutant(*args, **kwargs):
        bound = inspect.signature(right).bind(*args, **kwargs)
        bound.apply_defaults()
        return change(right(*args, **kwargs), bound.arguments, right)

    return mutant


MUTANTS = {
    "a constant with a unit": (
        "optimal_interval_young",
        lambda value, given, right: value + 1e-3,
    ),
    "another constant far from 1": (
        "optimal_interval_young",
        lambda value, given, right: value * np.where(np.asarray(given["mtbf"]) > 1e150, 1.01, 1.0),
    ),
    "period for interval": (
        "optimal_interval",
        lambda value, given, right: value + np.asarray(given["checkpoint_cost"]),
    ),
    "nan where checkpoints are free": (
        "optimal_interval_daly",
        lambda value, given, right: (
            np.where(np.asarray(given["checkpoint_cost"]) == 0, np.nan, 1) * value
        ),
    ),
    "waste that cancels": (
        "waste",
        lambda value, given, right: 1.0 - perfmodel.efficiency(**given),
    ),
    "no recovery": (
        "expected_makespan",
        lambda value, given, right: (
            right(**{**given, "recovery_cost": 0.0})
            * (1.0 + np.asarray(given["recovery_cost"]) / given["mtbf"])
        ),
    ),
    "failures lost in the last segment": (
        "expected_lost_time",
        lambda value, given, right: 0.999 * value,
    ),
    "first element for all": (
        "failure_probability",
        lambda value, given, right: np.full(np.shape(value), np.ravel(value)[0]),
    ),
    "one spare too few": (
        "spares_needed",
        lambda value, given, right: np.maximum(value - 1.0, 0.0),
    ),
    "load of its root": (
        "busy_period_mean",
        lambda value, given, right: value * np.where(np.asarray(given["mtbf"]) > 1e4, 1.01, 1.0),
    ),
}


@pytest.mark.parametrize("fault", MUTANTS)
def test_a_wrong_formula_is_found(fault):
    name, change = MUTANTS[fault]
    found = hunt(seed=2, calls=1500, only=name, mutants={name: wrong(name, change)}, most=1)
    assert found.findings


def test_a_refusal_of_what_nobody_gave_is_found():
    right = perfmodel.optimal_interval

    def mutant(*, mtbf, checkpoint_cost):
        if mtbf > 1e200:
            raise ValueError(f"rate must be > 1e-200, got {1.0 / mtbf!r}")
        return right(mtbf=mtbf, checkpoint_cost=checkpoint_cost)

    public, given = Public({"optimal_interval": mutant}), {"mtbf": 9.0, "checkpoint_cost": 0.1}
    found = Scales("time", 2.0**900).complaint(public, "optimal_interval", given)
    assert found.startswith("names none of checkpoint_cost, mtbf: rate must be")
    assert Scales("time", 2.0**900).complaint(Public(), "optimal_interval", given) == ""


def test_one_wrong_task_among_many_is_found():
    from perfmodel.parallel.extremes import SlowestCompletionTime

    found = hunt(
        seed=2,
        calls=12,
        only="slowest of one",
        mutants={"slowest_of": lambda law, count: SlowestCompletionTime((law,), (count + 1.0,))},
        most=1,
    )
    assert found.findings


def test_a_finding_is_short_and_can_be_asked_again():
    change = MUTANTS["period for interval"][1]
    mutants = {"optimal_interval": wrong("optimal_interval", change)}
    found = hunt(seed=2, calls=60, only="optimum solves its equation", mutants=mutants, most=1)
    (finding,) = found.findings[:1]
    assert len(finding.call) < 100
    assert again("optimum solves its equation", mtbf=1.0, checkpoint_cost=0.1) == ""


@pytest.mark.slow
def test_a_fact_that_several_functions_share_can_be_asked_again():
    name = "cdf, sf, percentiles and mean are those of one law"
    task = {"work": 2.0, "interval": 1.0, "mtbf": 3.0, "checkpoint_cost": 0.1, "downtime": 0.2}
    assert again(name, "wsj_compound", **task) == ""
    assert again(name, "exact_makespan", **task) == ""

    def spoiled(*args, **kwargs):
        raise RuntimeError("spoiled")

    for of in ("exact_makespan", "wsj_compound"):
        (finding,) = hunt(seed=2, calls=8, only=name, mutants={of: spoiled}).findings
        assert finding.call.startswith(f"again({name!r}, {of!r}, work=")


def test_the_same_seed_draws_the_same_calls():
    first, second = (hunt(seed=7, calls=40, only="optimal_interval_young") for _ in range(2))
    assert first.calls == second.calls
    assert first.checked == second.checked == 40


# Laws of completion times are left out, because a call takes seconds.
QUICK = [
    "best_segments",
    "expected_manual_wait",
    "expected_rear_delay",
    "mtbf_confidence",
    "optimal_interval_daly",
    "optimal_interval_young",
    "promised_probability",
    "recovery_charge",
    "regret",
    "risk_based_interval",
    "spares_needed",
    "waste_predicted",
    "wsj_variance",
]


@pytest.mark.few(3)
@pytest.mark.parametrize("only", QUICK)
def test_a_quick_hunt_finds_nothing(only):
    found = hunt(seed=11, calls=40, only=only)
    assert [str(finding) for finding in found.findings] == []


def test_a_law_of_uncountable_failures_is_not_asked_for_its_moments():
    task = {"work": 2.0, "mtbf": 5e-16, "downtime": 0.0, "interval": 1.0}
    assert again("laws of wsj have its moments", **task) == ""


def test_the_command_says_what_it_found_and_how_often_it_called():
    done = CliRunner().invoke(main, ["--calls", "20", "--seed", "1", "--only", "checkpoint_gain"])
    assert done.exit_code == 0, done.output
    assert re.search(r"^ +\d+  checkpoint_gain$", done.output, flags=re.MULTILINE)
    assert "0 findings" in done.output


def test_the_command_refuses_a_name_of_nothing():
    done = CliRunner().invoke(main, ["--calls", "1", "--only", "nothing_at_all"])
    assert done.exit_code == 2
    assert "must be part of the name" in done.output


def test_a_load_that_is_1_but_for_rounding_is_not_allowed():
    full = Made("LogNormal.from_mean", {"mean": 7e-142, "cv": 1.0})
    arguments = {"s": 0.0, "mtbf": 7e-142, "downtime": full}
    assert not is_allowed("busy_period_transform", arguments)
    assert is_allowed("busy_period_transform", {**arguments, "mtbf": 8e-142})


def test_calls_that_are_refused_rightly_are_not_allowed():
    assert not is_allowed(
        "fit_lifetime",
        {"durations": [1e-247, 8.12e160], "families": ["gamma"], "resolution": 1.92e-253},
    )
    task = {"work": 1e12, "downtime": 0.0, "interval": 1.0}
    assert not is_allowed("gamma_error", {**task, "mtbf": 0.000231})
    assert is_allowed("gamma_error", {**task, "mtbf": 10.0})
    repair = Made("Exponential", {"mean": 5.0})
    assert not is_allowed("busy_period_transform", {"s": 1e305, "mtbf": 20.0, "downtime": repair})
    assert is_allowed("busy_period_transform", {"s": 1e200, "mtbf": 20.0, "downtime": repair})


def test_a_mean_that_another_unit_moves_beyond_the_floats_is_not_a_finding():
    law = {"shape": 0.00622, "scale": 1.0}
    assert Units("time", 2.0**40).complaint(perfmodel, "Weibull", law) == ""


def test_an_absolute_error_that_is_documented_is_allowed_and_no_more():
    repair = Made("LogNormal.from_mean", {"mean": 200.0, "cv": 0.95})
    given = {"s": 8.12, "mtbf": 1e4, "downtime": repair}
    right = perfmodel.busy_period_transform
    assert Units("time", 2.0**17).complaint(perfmodel, "busy_period_transform", given) == ""

    def wrong(s, *, mtbf, downtime):
        return right(s, mtbf=mtbf, downtime=downtime) + (1e-12 if mtbf > 1e4 else 0.0)

    public = Public({"busy_period_transform": wrong})
    assert "must be" in Units("time", 2.0**17).complaint(public, "busy_period_transform", given)


def test_steps_of_a_law_are_found_wherever_they_lie():
    values = np.array([0.0, 11700.0, 28700.0, 53200.0, 352000.0])

    def sf(x):
        return np.mean(np.asarray(x)[..., None] < values, axis=-1)

    edges = np.geomspace(1.0, 4e5, 20)
    known = float(np.maximum(values - 1.0, 0.0).mean())
    assert completion._integral(sf, edges, 1e-3) == pytest.approx(known, abs=0.01)


@pytest.mark.few(1)
@pytest.mark.parametrize(("work", "mtbf"), [(0.5, 2.0), (1e-4, 1e-5)])
def test_laws_of_steps_are_right_and_a_wrong_mean_is_found(work, mtbf):
    job = {"work": work, "interval": 1.0, "mtbf": mtbf, "checkpoint_cost": 0.0}
    down = 0.056 if work < 0.1 else perfmodel.Empirical([11700.0, 28700.0, 53200.0, 352000.0])
    law = perfmodel.exact_makespan(**job, downtime=down)
    assert completion._law_is_a_law(law) == ""
    wrong = Mock(wraps=law, **{"mean": 1.01 * law.mean, "std": law.std, "atom": law.atom})
    wrong.seams = law.seams
    assert completion._integral_is_the_mean(law) == ""
    assert "must be the same" in completion._integral_is_the_mean(wrong)


def test_durations_of_which_no_float_holds_the_ratio_are_not_allowed():
    assert is_allowed("fit_lifetime", {"durations": [1.0, 1e290]})
    assert not is_allowed("fit_lifetime", {"durations": [1e-20, 1e290]})
    assert not is_allowed("fit_lifetime", {"durations": [1.0, 2.0], "censored": [1e-150, 1e160]})
    three = {"durations": [1.0, 2.0, 2.0]}
    assert is_allowed("fit_lifetime", {**three, "censored": [False, True, False]})
    assert not is_allowed("fit_lifetime", {**three, "censored": [True, False, False]})


def test_a_bathtub_without_digits_is_neither_drawn_nor_asked_for():
    phases = {"share": 0.45, "early": 1.0, "late": 0.8}
    assert is_allowed("Bathtub", {**phases, "turn": 24.0})
    for wrong in ({"turn": 1e-151}, {"turn": 1e151}, {"turn": 1e9}, {"turn": 1e-7}):
        law = Made("Bathtub", {**phases, **wrong})
        assert not is_allowed("Bathtub", law.arguments)
        job = {"work": 1.0, "interval": 1.0, "mtbf": 1.0, "checkpoint_cost": 0.0, "downtime": law}
        assert not is_allowed("efficiency", job)
    drawer = Drawer(np.random.default_rng(3), ("extreme",))
    for mean in (1e-241, 1.0, 1e241):
        drawn = drawer._bathtub(mean)
        assert is_allowed("Bathtub", drawn.arguments)
