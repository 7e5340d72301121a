"""Facts of the laws of completion times, of one task and of many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import perfmodel

from ..allowed import is_allowed
from ..public_names import Public
from ._fact import Fact, first, known, mean_of, ordered, same
from .makespans import failure_free

__all__ = ["FACTS"]


def _law_is_a_law(law: perfmodel.CompletionTime) -> str:
    start, mass = law.atom
    slack = max(1e-7, 2.0 * float(getattr(law, "error", 0.0)))
    q = np.array([0.02, 0.3, 0.5, 0.9, 0.99, 0.9999])
    q = q[q > mass + 1e-6]
    if q.size == 0:
        return ""
    t = np.asarray(law.ppf(q))
    use = np.isfinite(t) & (t < 1e290)
    t, q = t[use], q[use]
    if t.size == 0:
        return ""
    cdf, sf = np.asarray(law.cdf(t)), np.asarray(law.sf(t))
    # A time is rounded: values within two of its last digits cannot be distinguished.
    digits = np.asarray(law.cdf(t * (1.0 + 4e-16))) - law.cdf(t * (1.0 - 4e-16))
    spread = start + (t[-1] - start) * np.geomspace(1e-6, 30.0, 60)
    rising, falling = np.asarray(law.cdf(spread)), np.asarray(law.sf(spread))
    alone = np.array([float(law.cdf(one)) for one in spread[::7]])
    return first(
        (
            same("q and cdf(ppf(q))", cdf, q, slack + digits / q),
            same("1 and cdf + sf", cdf + sf, 1.0, slack),
            _same_percentiles(law, q, t, slack),
            ordered("start and ppf", start, t),
            ordered("cdf and later", rising[:-1], rising[1:] + slack),
            ordered("later sf and before", falling[1:], falling[:-1] + slack),
            same("cdf alone and in an array", alone, rising[::7], slack, least=slack),
            same("cdf before the start and 0", law.cdf(start * (1.0 - 1e-9)), 0.0),
            same("sf before the start and 1", law.sf(start * (1.0 - 1e-9)), 1.0),
            same("cdf at the start and its mass", law.cdf(start), mass, slack, least=slack),
        )
    )


def _same_percentiles(law: perfmodel.CompletionTime, q: Any, t: Any, slack: float) -> str:
    """Compare times with cdf q and sf 1 - q: where cdf has an error, many have q but for that."""
    late = np.asarray(law.isf(1.0 - q))
    apart = np.abs(np.asarray(law.cdf(late)) - law.cdf(t)) > slack
    return same("ppf(q) and isf(1 - q)", np.where(apart, late, t), t, 1e-6)


_PANELS = np.concatenate([[0.0], np.geomspace(1e-9, 1.0, 150)])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_HALVINGS, _MOST_PANELS = 30, 4000


def _integral_is_the_mean(law: perfmodel.CompletionTime) -> str:
    start, _ = law.atom
    mean, std = law.mean, law.std
    if not (math.isfinite(std) and start < mean < 1e280 and std < 1e280 and std > 1e-9 * mean):
        return ""
    far = float(law.isf(1e-10)) - start
    if not math.isfinite(far):
        return ""
    bulk = mean - start + std * np.arange(-12.0, 13.0)
    # A recovery that is much longer than all work leaves a step.
    edges = np.concatenate([far * _PANELS, bulk, law.seams - start])
    edges = np.unique(np.clip(edges, 0.0, far))
    # What is left beyond `far` is at most std sqrt(sf(far)), by Cauchy and Schwarz.
    left = 1e-5 * std + 3e-3 * (mean - start)
    found = _integral(lambda x: np.asarray(law.sf(start + x)), edges, 0.1 * left)
    if found is None:
        return ""
    return same("mean - start and the integral of sf", found, mean - start, 0.0, least=left)


def _integral(sf: Any, edges: Any, least: float) -> float | None:
    """Integrate by panels, each halved until that changes nothing twice: steps lie anywhere.

    A panel with one step of sf is wrong by part of its width, which each halving takes half of,
    and may seem right once by chance. None if there are too many steps to find.
    """
    low, high = edges[:-1], edges[1:]
    whole, total, share = _rule(sf, low, high), 0.0, least / max(low.size, 1)
    before = np.zeros(low.size, dtype=bool)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        left, right = _rule(sf, low, middle), _rule(sf, middle, high)
        agree = np.abs(left + right - whole) <= share
        rough = ~(agree & before)
        total += float(np.sum((left + right)[~rough]))
        if not rough.any():
            return total
        low, high = np.append(low[rough], middle[rough]), np.append(middle[rough], high[rough])
        whole = np.append(left[rough], right[rough])
        before = np.tile(agree[rough], 2)
        if low.size > _MOST_PANELS:
            return None
    return total + float(np.sum(whole))


def _rule(sf: Any, low: Any, high: Any) -> Any:
    half = 0.5 * (high - low)[:, None]
    return np.sum(half * _WEIGHTS * sf(low[:, None] + half * (1.0 + _NODES)), axis=1)


def _inverted(public: Public, name: str, **job: Any) -> str:
    law = getattr(public, name)(**job)
    return first((_law_is_a_law(law), _integral_is_the_mean(law)))


def _exact_has_the_mean(public: Public, **job: Any) -> str:
    law = public.exact_makespan(**job)
    closed = {key: value for key, value in job.items() if key != "downtime_at_risk"}
    if job.get("downtime_at_risk"):
        down = job.get("downtime", 0.0)
        closed["downtime"] = float(public.busy_period_mean(mtbf=job["mtbf"], downtime=down))
        if not math.isfinite(closed["downtime"]):
            return ""
        return same("mean", law.mean, public.expected_makespan(**closed), 1e-8)
    start = float(failure_free(closed))
    mean = float(public.expected_makespan(**closed))
    if not mean < 1e290:
        return ""
    variance = float(public.makespan_variance(**closed))
    noise = 1e-9 * mean * mean
    return first(
        (
            same("mean of the law and the closed one", law.mean, mean, 1e-8),
            same("variance of the law and the closed one", law.variance, variance, least=noise),
            same("start of the law and W + K C", law.atom[0], start),
            same("mass", law.atom[1], math.exp(-start / job["mtbf"]), 1e-9, least=1e-12),
        )
    )


def _wsj_laws_have_its_moments(public: Public, **task: Any) -> str:
    task = known(perfmodel.wsj_compound, task)  # the corrected equations, not the printed ones
    mean, variance = float(public.wsj_mean(**task)), float(public.wsj_variance(**task))
    if not (mean < 1e290 and variance < 1e290):
        return ""
    # The time lost is a difference of means, so it has fewer digits.
    slacks = {"wsj_compound": 1e-7, "wsj_makespan": 1e-4}
    laws = {name: getattr(public, name)(**task) for name in slacks if is_allowed(name, task)}
    return first(
        said
        for name, law in laws.items()
        for said in (
            same(f"mean of {name}", law.mean, mean),
            same(f"variance of {name}", law.variance, variance, slacks[name]),
        )
    )


def _gamma_error_is_a_distance(public: Public, **task: Any) -> str:
    error = public.gamma_error(**task)
    return first((ordered("0 and distance", 0.0, error), ordered("distance and 1", error, 1.0)))


def _slowest_of_one_is_itself(public: Public, *, distribution: Any, count: Any) -> str:
    del count
    law = public.slowest_of(distribution, 1)
    start, mass = distribution.atom
    q = np.array([0.1, 0.5, 0.9, 0.999])
    t = np.asarray(distribution.ppf(q))
    t = t[np.isfinite(t)]
    said = first(
        (
            same("cdf of the slowest of one", law.cdf(t), distribution.cdf(t), 1e-7),
            same("sf of the slowest of one", law.sf(t), distribution.sf(t), 1e-7),
            same("ppf of the slowest of one", law.ppf(q), distribution.ppf(q), 1e-5),
            same("start of the slowest of one", law.atom[0], start),
            same("mass of the slowest of one", law.atom[1], mass, 1e-9),
        )
    )
    if said or not distribution.std < 1e150:
        return said
    lost = distribution.mean - start
    return first(
        (
            same("mean lost", law.mean - start, lost, 2e-3, least=1e-7 * start),
            same("std of the slowest of one", law.std, distribution.std, 0.05, least=1e-6 * start),
        )
    )


def _slowest_is_a_power(public: Public, *, distribution: Any, count: Any) -> str:
    law = public.slowest_of(distribution, count)
    t = np.asarray(distribution.ppf([0.5, 0.9, 0.999]))
    t = t[np.isfinite(t)]
    with np.errstate(all="ignore"):
        power = np.exp(count * np.log1p(-np.asarray(distribution.sf(t))))
    said = first(
        (
            same("power of the cdf", law.cdf(t), power, 1e-6, least=1e-7),
            ordered("median and that of the slowest", distribution.ppf(0.5), law.ppf(0.5)),
        )
    )
    return said or (_law_is_a_law(law) if count < 1e7 else "")


def _slowest_of_two_both_ways(public: Public, *, distribution: Any, count: Any) -> str:
    del count
    one, two = public.slowest_of(distribution, 2), public.slowest([distribution, distribution])
    t = np.asarray(distribution.ppf([0.5, 0.9, 0.999]))
    return same("slowest of two", one.sf(t[np.isfinite(t)]), two.sf(t[np.isfinite(t)]))


def _one_task_needs_no_other_interval(public: Public, **given: Any) -> str:
    if not np.max(given["work"]) < 50.0 * np.min(given["mtbf"]):
        return ""
    alone = {key: given[key] for key in ("work", "mtbf", "checkpoint_cost")}
    if any(np.ndim(value) for value in given.values()):
        return ""
    found = public.optimal_interval_parallel(
        1, **alone, recovery_cost=given.get("recovery_cost", 0.0)
    )
    best = float(public.best_segments(**alone))
    if best > 1e5:
        return ""

    def mean(segments: float) -> Any:
        return public.expected_makespan(
            **{**alone, "interval": given["work"] / segments, "final_checkpoint": True}
        )

    return same(
        "mean at the interval for one task and at the best segments",
        mean(round(given["work"] / float(found))),
        mean(best),
    )


def _a_replica_helps(public: Public, **given: Any) -> str:
    found = public.compare_extra_node(**given)
    q = [0.1, 0.5, 0.9]
    n = int(given["nodes"])
    if given.get("printed"):
        return ""
    task = {key: given[key] for key in ("mtbf", "downtime", "interval")}
    cost = given.get("checkpoint_cost", 0.0)
    plain = public.slowest_of(
        public.wsj_compound(given["work"] / n, checkpoint_cost=cost, **task), n
    )
    later = np.asarray(plain.ppf(q))
    said = ordered("with a replica and without", found.replica.ppf(q), later, 1e-6)
    # Where it warns, the mean with a spare has no stated error.
    if said or max(n, 10) * mean_of(given["downtime"]) > given["mtbf"]:
        return said
    return ordered("with a spare and without", found.spare.mean, plain.mean, 1e-3)


def _of_law(name: str, seconds: float = 10.0) -> Fact:
    def complaint(public: Public, **job: Any) -> str:
        return _inverted(public, name, **job)

    return Fact("cdf, sf, percentiles and mean are those of one law", name, complaint, seconds)


FACTS: tuple[Fact, ...] = (
    *map(_of_law, ("exact_makespan", "exact_makespan_async", "wsj_compound", "wsj_makespan")),
    _of_law("mixed_makespan", 40.0),
    Fact("exact law has the closed moments", "exact_makespan", _exact_has_the_mean),
    Fact("laws of wsj have its moments", "wsj_makespan", _wsj_laws_have_its_moments),
    Fact("gamma_error is a distance", "gamma_error", _gamma_error_is_a_distance),
    Fact("slowest of one is itself", "slowest_of", _slowest_of_one_is_itself, 10.0),
    Fact("slowest is a power", "slowest_of", _slowest_is_a_power, 10.0),
    Fact("slowest of two, both ways", "slowest_of", _slowest_of_two_both_ways, 10.0),
    Fact(
        "one task needs no other interval",
        "optimal_interval_parallel",
        _one_task_needs_no_other_interval,
        15.0,
    ),
    Fact("a replica and a spare help", "compare_extra_node", _a_replica_helps, 10.0),
)
