import json
import math
from dataclasses import replace

import pytest

from validation.judge.chance import alpha_of
from validation.judge.compare import compare_mean, compare_number
from validation.judge.report import as_json
from validation.judge.run import Mutant, Tier, judge, run_cases
from validation.judge.trial import FALSE_ALARM_PROBABILITY, Case, alpha_for, spent, trials
from validation.judge.verdict import Verdict
from validation.tiers import full, quick


def tier(**changes):
    return replace(Tier("quick", 1, 10_000, 10), **changes)


def square(side):
    return side * side


def area(predict, budget, *, side):
    """Compare with the mean of uniform draws; their seed and number come from the budget."""
    import numpy as np

    drawn = np.random.default_rng(budget.seed).uniform(0, 2 * side**2, budget.replications)
    return compare_mean(predict(side), drawn, alpha=budget.alpha, tolerance=budget.tolerance)


CASES = (Case(square, area, ({"side": 2.0}, {"side": 3.0}), gate=0.1),)


def test_each_trial_has_its_own_share_whatever_runs_beside_it():
    first, second = trials(CASES)
    budget = first.budget(seed=5, replications=100, alpha=0.01)
    assert budget == trials(CASES[::-1])[0].budget(seed=5, replications=100, alpha=0.01)
    assert budget.seed != second.budget(seed=5, replications=100, alpha=0.01).seed
    assert budget.seed != first.budget(seed=6, replications=100, alpha=0.01).seed


def test_the_budget_covers_the_run_and_no_look_is_passed_beyond_four_sigma():
    assert alpha_for(2) == pytest.approx(FALSE_ALARM_PROBABILITY / 2)
    assert alpha_for(10**6) == pytest.approx(alpha_of(4.0))
    assert spent(1000) == pytest.approx(1000 * alpha_of(4.0) ** 2, rel=1e-3)
    assert spent(10**4) < FALSE_ALARM_PROBABILITY
    assert spent(10**6) > FALSE_ALARM_PROBABILITY  # the report prints it
    assert tier(comparisons=10**6).limit == pytest.approx(4.0)


@pytest.mark.parametrize("run", [quick(), full(1)], ids=lambda run: run.name)
def test_a_run_of_right_formulas_fails_less_than_once_in_a_thousand(run):
    assert run.false_alarms < 0.001


class Looks:
    """A judge that returns given verdicts, look by look, and records its budgets."""

    def __init__(self, *answers):
        self.answers, self.grants = answers, []
        self.__name__ = "looks"

    def __call__(self, predict, budget, **point):
        answer = self.answers[len(self.grants)]
        self.grants.append(budget)
        passed, answered = answer == "passed", answer != "silent"
        return Verdict("exact", 1.0, 1.0, 1.0, 5.0, 0.0, passed=passed, answered=answered)


def looked(*answers, predict=None, chance=True):
    """Return the verdict of a trial whose looks give `answers`, and the budget of each look."""
    says = Looks(*answers)
    case = Case(square, says, ({"side": 2.0},), effort=0.5, chance=chance)
    return judge(trials([case])[0], tier(), predict), says.grants


def test_what_fails_once_is_played_again_with_a_fresh_seed_and_ten_times_the_sample():
    verdict, (first, second) = looked("rejected", "passed")
    assert (verdict.passed, verdict.looks) == (True, 2)
    assert first.seed != second.seed
    assert (first.replications, second.replications) == (5000, 50_000)
    assert (first.more, second.more) == (1, 10)
    assert first.alpha == second.alpha


@pytest.mark.parametrize(
    ("answers", "passed", "answered"),
    [
        (("passed",), True, True),
        (("rejected", "rejected"), False, True),
        (("rejected", "silent", "passed"), True, True),
        (("rejected", "silent", "rejected"), False, True),
        (("silent", "passed"), True, True),
        (("silent", "rejected", "rejected"), False, True),
        (("silent", "silent"), False, False),
    ],
)
def test_only_what_is_rejected_twice_fails(answers, passed, answered):
    verdict, grants = looked(*answers)
    assert (verdict.passed, verdict.answered) == (passed, answered)
    assert verdict.looks == len(grants) == len(answers)
    assert len({budget.seed for budget in grants}) == len(grants)


def test_without_chance_one_look_is_enough():
    verdict, grants = looked("rejected", chance=False)
    assert verdict.rejected
    assert len(grants) == 1


def test_a_mutant_is_looked_at_again_unless_it_is_beyond_doubt():
    # Its first look runs twice: the second time at the probability of two looks together.
    verdict, (first, strict, second) = looked("rejected", "passed", "passed", predict=square)
    assert (verdict.passed, verdict.looks) == (True, 2)
    assert (strict.seed, strict.replications) == (first.seed, first.replications)
    assert strict.alpha == first.alpha**2
    assert second.seed != first.seed
    assert looked("rejected", "passed", "rejected", predict=square)[0].rejected
    assert looked("rejected", "rejected", predict=square)[0].looks == 1
    assert looked("silent", predict=square)[0].looks == 1


def test_a_sample_that_memory_cannot_hold_is_not_asked_for():
    case = Case(square, area, ({"side": 2.0},), effort=9.0)
    usual, more = (
        trials([case])[0].budget(seed=1, replications=2_000_000, alpha=0.1, look=look)
        for look in (0, 1)
    )
    assert usual.replications < more.replications < 10 * usual.replications


def test_a_second_look_still_sees_what_is_wrong_by_a_little():
    # An error of six standard errors in the first look is nineteen in the second.
    def off(side):
        return 1.02 * side**2

    outcome = run_cases(
        CASES[:1], (Mutant(square, "2 % too large", off),), tier(replications=30_000)
    )
    assert outcome.mutants[0].passed


def test_verdicts_name_their_trial_and_mutants_have_the_same_trials():
    dead = Mutant(square, "doubled", lambda side: 2 * side)
    alive = Mutant(square, "written otherwise", lambda side: side**2)
    outcome = run_cases(CASES, (dead, alive), tier())
    assert [v.point for v in outcome.verdicts] == ["side=2", "side=3"]
    assert {(v.formula, v.check) for v in outcome.verdicts} == {("square", "area")}
    assert all(v.passed for v in outcome.verdicts)
    # 2 side and side^2 agree at 2, so only the second point rejects the mutant.
    assert outcome.mutants[0].rejection.point == "side=3"
    assert not outcome.mutants[1].passed
    assert not outcome.passed


def test_a_mutant_is_tried_at_its_own_point_first_and_then_at_the_others():
    asked = []

    def doubled(side):
        asked.append(side)
        return 2 * side

    first, second = CASES[0].points
    for own, order in ((first, [2.0, 3.0]), (second, [3.0]), ({"side": 3.0}, [2.0, 3.0])):
        asked.clear()
        outcome = run_cases(CASES, (Mutant(square, "doubled", doubled, own),), tier())
        assert list(dict.fromkeys(asked)) == order
        assert outcome.mutants[0].rejection.point == "side=3"
    lost = Mutant(square, "none", square, second)
    assert not run_cases(CASES, (lost,), tier()).mutants[0].passed


def test_a_mutant_without_an_answer_survives():
    mutant = Mutant(square, "infinite", lambda side: math.inf)
    assert not run_cases(CASES, (mutant,), tier()).mutants[0].passed


def test_json_holds_every_number_and_no_infinity():
    def certain(predict, budget, *, side):
        return compare_number(predict(side), side, tolerance=0.0)

    outcome = run_cases(
        (Case(square, certain, ({"side": 2.0},)),),
        (Mutant(square, "identity", lambda side: side),),
        tier(),
    )
    record = json.loads(as_json(tier(), outcome))
    assert record["seed"] == 1
    assert record["passed"] is False
    assert record["verdicts"][0]["z"] is None
    assert record["verdicts"][0]["point"] == "side=2"
    assert record["mutants"] == [
        {"formula": "square", "mutant": "identity", "rejected": False, "by": None}
    ]


def test_an_error_fails_its_formula_and_leaves_the_others_to_be_judged():
    def lost(predict, budget, *, side):
        raise KeyError(f"no side {side:g}")

    mutant = Mutant(square, "doubled", lambda side: 2 * side * side)
    cases = (Case(square, lost, ({"side": 2.0},)), *CASES)
    outcome = run_cases(cases, (mutant,), tier())
    assert [verdict.passed for verdict in outcome.verdicts] == [False, True, True]
    assert outcome.verdicts[0].note == "raised KeyError: 'no side 2'"
    # The definition that raised rejects no mutant; the comparison that works does.
    assert outcome.mutants[0].rejection is not None
    assert outcome.mutants[0].rejection.check == "area"
    only_lost = run_cases(cases[:1], (mutant,), tier())
    assert not only_lost.mutants[0].passed


def test_an_error_at_a_random_point_names_the_point():
    from validation.ranges.sweeps import Sweep, case

    def lost(predict, budget, *, side):
        raise KeyError("lost")

    found = run_cases([case(Sweep(square, lost, lambda fraction: {"side": 3.0}))], (), tier())
    assert found.verdicts[0].note == "raised KeyError: 'lost'; at side=3"


def test_a_mutant_that_is_looked_at_twice_is_asked_once_for_a_number_and_again_for_a_list():
    def compared(predict, budget, *, side):
        del budget
        predict(side)
        return Verdict("exact", 1.0, 1.0, 1.0, 5.0, 0.0, passed=False)

    asked = []

    def number(side):
        asked.append(side)
        return side**2

    def listed(side):
        asked.append(side)
        return [side]

    trial = trials([Case(square, compared, ({"side": 2.0},))])[0]
    assert judge(trial, tier(), number).rejected
    assert len(asked) == 1
    assert judge(trial, tier(), listed).rejected
    assert len(asked) == 3
