"""Facts of optimal intervals, rules of thumb and their regret."""

from __future__ import annotations

from typing import Any

import numpy as np

import perfmodel

from ..public_names import Public
from ._fact import Fact, first, ordered, same

__all__ = ["FACTS"]


def _optimum_solves_its_equation(public: Public, *, mtbf: Any, checkpoint_cost: Any) -> str:
    w = np.asarray(public.optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    with np.errstate(all="ignore"):
        x, ratio = w / mtbf, np.asarray(checkpoint_cost) / mtbf
        # log(1 - x) + x = -C/mu, by series where x is small.
        left = np.where(x < 1e-4, -(x**2) * (0.5 + x / 3.0), np.log1p(-x) + x)
        usable = (ratio > 1e-290) & (ratio < 10.0)
    return same("log(1 - w/mu) + w/mu and -C/mu", left[usable], -ratio[usable], 1e-7)


def _no_interval_beats_the_optimum(public: Public, *, mtbf: Any, checkpoint_cost: Any) -> str:
    best = np.asarray(public.optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    costs = {"mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    if not ((best > 1e-290) & (best < np.inf)).all():
        return ""
    return first(
        (
            same("regret of the optimum and 0", public.regret(best, **costs), 0.0, least=1e-15),
            *(
                ordered("0 and regret", 0.0, public.regret(share * best, **costs))
                for share in (1e-3, 0.5, 0.999, 1.001, 2.0, 10.0)
            ),
        )
    )


def _rules_meet_the_optimum(public: Public, *, mtbf: Any, checkpoint_cost: Any) -> str:
    costs = {"mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    with np.errstate(all="ignore"):
        ratio = np.asarray(checkpoint_cost) / mtbf
    exact, young = public.optimal_interval(**costs), public.optimal_interval_young(**costs)
    said = ordered("optimum and Young", exact, young)
    if said or not ((ratio < 1e-4) & (ratio > 1e-290)).all():
        return said
    far = np.sqrt(ratio)
    rules = {
        "Young": young,
        "Daly": public.optimal_interval_daly(**costs),
        "Daly to first order": public.optimal_interval_daly_first_order(**costs),
        "the closed form": public.optimal_interval_closed_form(**costs),
        "Wu, Sun and Jin": public.optimal_interval_wsj(**costs),
    }
    return first(
        ordered(f"distance of {rule} and sqrt(C/mu)", np.abs(value / exact - 1.0), far + 1e-12)
        for rule, value in rules.items()
    )


def _no_number_of_segments_beats_the_best(public: Public, **job: Any) -> str:
    best = np.asarray(public.best_segments(**job))
    work, mtbf, cost = (
        np.asarray(job[key], dtype=float) for key in ("work", "mtbf", "checkpoint_cost")
    )
    work, mtbf, cost, best = np.broadcast_arrays(work, mtbf, cost, best)
    use = (best < 1e6) & (work / mtbf < 500) & (cost / mtbf < 100) & (mtbf < 1e200)
    if not use.any():
        return ""
    best, rest = best[use], {"mtbf": mtbf[use], "checkpoint_cost": cost[use]}
    rest["final_checkpoint"] = job.get("final_checkpoint", True)

    def mean(segments: Any) -> Any:
        return public.expected_makespan(work[use], interval=work[use] / segments, **rest)

    return first(
        ordered("best segments and others", mean(best), mean(np.maximum(best + step, 1.0)))
        for step in (-1.0, 1.0, 7.0, -3.0)
    )


def _wsj_optimum_is_least(public: Public, *, mtbf: Any, checkpoint_cost: Any) -> str:
    best = np.asarray(public.optimal_interval_wsj(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    mtbf, cost, best = np.broadcast_arrays(mtbf, checkpoint_cost, best)
    with np.errstate(all="ignore"):
        use = np.isfinite(best) & (best > 1e-280) & (cost / mtbf > 1e-290)
    if not use.any():
        return ""

    def mean(interval: Any) -> Any:
        return public.wsj_mean(
            1.0, mtbf=mtbf[use], downtime=0.0, interval=interval, checkpoint_cost=cost[use]
        )

    return first(
        ordered("wsj's mean at its optimum and elsewhere", mean(best[use]), mean(share * best[use]))
        for share in (0.5, 0.99, 1.01, 3.0)
    )


def _aupy_without_predictions_is_young(public: Public, **given: Any) -> str:
    costs = {"mtbf": given["mtbf"], "checkpoint_cost": given["checkpoint_cost"]}
    period = public.optimal_period_predicted(**{**given, "recall": 0.0})
    return same("period at recall 0 and Young", period, public.optimal_interval_young(**costs))


def _aupy_period_is_least(public: Public, **given: Any) -> str:
    best = np.asarray(public.optimal_period_predicted(**given))
    if not (np.isfinite(best) & (best > 1e-280) & (best < 1e280)).all():
        return ""
    return first(
        ordered(
            "waste at the best period and elsewhere",
            public.waste_predicted(best, **given),
            public.waste_predicted(share * best, **given),
        )
        for share in (0.3, 0.9, 1.1, 4.0)
    )


def _evaluation_is_the_function(public: Public, **given: Any) -> str:
    young = perfmodel.optimal_interval_young
    found = public.evaluate_formula(young, **given)
    value = np.where(
        found.fell_back, public.optimal_interval(**given), public.optimal_interval_young(**given)
    )
    return same("evaluation and the function", found.value, value)


FACTS: tuple[Fact, ...] = (
    Fact("optimum solves its equation", "optimal_interval", _optimum_solves_its_equation),
    Fact("no interval beats the optimum", "optimal_interval", _no_interval_beats_the_optimum),
    Fact("rules meet the optimum", "optimal_interval", _rules_meet_the_optimum),
    Fact("no other number of segments", "best_segments", _no_number_of_segments_beats_the_best),
    Fact("wsj's optimum is its least mean", "optimal_interval_wsj", _wsj_optimum_is_least),
    Fact("recall 0 is Young's", "optimal_period_predicted", _aupy_without_predictions_is_young),
    Fact("no period has less waste", "optimal_period_predicted", _aupy_period_is_least),
    Fact("evaluation is the function", "optimal_interval_young", _evaluation_is_the_function),
)
