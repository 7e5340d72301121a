"""Each case must be able to show an error of one per cent, or is listed below."""

from perfmodel.registry import FORMULAS
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Tier, judge
from validation.judge.trial import TOLERANCE, Case, trials
from validation.subjects import CASES, FULL

# Whole replays have some thousand jobs. Each of these formulas has a finer case as well.
REPLAYS = {
    ("expected_makespan", "replayed makespan"): 0.2,
    ("expected_makespan", "replayed makespan without checkpoints"): 0.2,
    ("failure_probability", "probability of being hit"): 0.2,
    ("expected_failures", "number of failures"): 0.2,
    ("expected_lost_time", "service unit loss"): 0.2,
    ("expected_failure_slowdown", "same nodes"): 0.1,
    ("expected_manual_wait", "by hand"): 0.1,
    ("expected_head_delay", "at the head"): 0.3,
    ("expected_rear_delay", "at the rear"): 0.3,
    ("expected_resubmission_delay", "by resubmission"): 0.3,
    ("promised_probability", "kept promise"): 0.07,
    ("longest_promise", "longest"): 0.07,
}
# Generators of `sim`, not formulas; finer gates need more failures and time.
GENERATED = {
    ("generate_failures", "durations"): 0.05,
    ("generate_failures", "recovered parameter"): 0.15,
    ("generate_failures", "burst correlation"): 0.1,
    ("generate_failures", "share of the largest"): 0.1,
    ("generate_failures", "machines of a cluster"): 0.25,
    ("sampled_failures", "failures in a window"): 0.2,
    ("calibrated_forecaster", "promises kept"): 0.2,
}
# Each record is fitted and carried on to thousands of laws, or tested; counts are the finer case.
RECORDS = {
    ("failure_pattern", "false alarms"): 0.02,
    ("failure_pattern", "told"): 0.05,
    ("failure_pattern", "coverage"): 0.05,
    ("credible_interval", "coverage of a law"): 0.05,
    ("fit_bathtub", "coverage"): 0.02,
    # Of sixty drawn machines, each learnt anew; twice the rate is rejected.
    ("outlook_of", "no jump"): 0.2,
    ("forecast_failures", "no clusters"): 0.2,
    # Of 1,258 recorded machines, some hundred of each type: there are no more.
    ("spot_outlook", "kept"): 0.05,
}
# Jobs that ask an advisor for weeks; of what those who know lose.
ADVISED = {
    ("CheckpointAdvisor", "regret of theory"): 0.05,
    ("CheckpointAdvisor", "above knowing both rates"): 0.05,
    ("CheckpointAdvisor", "above best constant"): 0.05,
    ("CheckpointAdvisor", "above keeping the state"): 0.05,
    ("CheckpointAdvisor", "above stating rightly"): 0.05,
    ("CheckpointAdvisor", "above exact pattern"): 0.2,
}
# In the quick tier only: the full tier has the same check at one per cent.
QUICK = {
    ("fit_lifetime", "coverage"): 0.05,
    ("expected_makespan", "replayed mean"): 0.03,
    ("exact_makespan", "replayed law"): 0.06,
    ("mixed_makespan", "played"): 0.02,
    ("slowest_of", "replayed slowest"): 0.06,
    ("mtbf_posterior", "limits after a failure"): 0.02,
    ("mtbf_posterior", "machines like it"): 0.02,
    ("mean_posterior", "coverage"): 0.02,
    ("fit_bathtub", "estimate"): 0.05,
    ("predictive_makespan", "mean"): 0.02,
    ("predictive_makespan", "done by"): 0.05,
    ("failure_clusters", "bursts"): 0.05,
    ("failure_clusters", "false alarms"): 0.02,
}
# Rules, searches, optima of costs that are simulated themselves and what is learnt by a definition:
# what they are compared with, a simulation, an enumeration or the least of a scan, has no spread.
WITHOUT_CHANCE = {
    "forecast_failures",
    "mixed_useful_share",
    "optimal_interval_mixed",
    "contention_multiplier",
    "optimal_periods_shared",
    "waste_shared",
    "optimal_interval_async",
    "optimal_iterations",
    "optimal_interval_buddies",
    "optimal_interval_pairs",
    "time_energy_curve",
    "optimal_pattern_levels",
    "hazard_intervals",
    "lazy_intervals",
    "optimal_checkpoint_margin",
    "optimal_checkpoints_chain",
    "optimal_interval_ageing",
    "optimal_interval_rejuvenated",
    "optimal_intervals_ageing",
    "optimal_nodes",
    "spares_for",
    "optimal_pattern_two_levels",
    "pairs_crossover",
    "checkpoint_gain",
    "risk_based_interval",
    "recovery_charge",
    "gamma_error",
    "schedule_exhaustive",
}
EXACT = [row.name for row in FORMULAS if row.kind == "exact"]
TIER = Tier("test", seed=1, replications=100, comparisons=1)


def test_a_case_is_as_fine_as_was_decided():
    decided = REPLAYS | GENERATED | RECORDS | ADVISED
    coarse = [
        (case.formula, case.check)
        for cases, known in ((CASES, decided | QUICK), (FULL, decided))
        for case in cases
        if case.gate > known.get((case.formula, case.check), TOLERANCE)
    ]
    assert coarse == []


def test_every_exact_formula_is_judged_to_one_per_cent():
    fine = [case for case in (*CASES, *FULL) if case.gate <= TOLERANCE]
    assert set(EXACT) - {case.formula for case in fine} == set()
    by_chance = {case.formula for case in fine if case.chance}
    assert set(EXACT) - by_chance == set(EXACT) & WITHOUT_CHANCE


def coarse(predict, budget):
    """Pass with a resolution coarser than the gate of the case."""
    return compare_mean(predict(), [0.9, 1.1] * 50, alpha=budget.alpha, tolerance=1.0)


def fine(predict, budget):
    return compare_number(predict(), 1.0, tolerance=0.5 * budget.tolerance)


def one():
    return 1.0


def test_a_pass_coarser_than_its_case_says_is_none():
    verdict = judge(trials([Case(one, coarse, ({},))])[0], TIER)
    assert (verdict.passed, verdict.answered) == (False, False)
    assert verdict.note.endswith("not the 0.01 of the case")
    assert judge(trials([Case(one, coarse, ({},), gate=0.1)])[0], TIER).passed
    assert judge(trials([Case(one, fine, ({},))])[0], TIER).passed


def test_a_rejection_stays_one_however_coarse():
    assert judge(trials([Case(one, coarse, ({},))])[0], TIER, lambda: 2.0).rejected
