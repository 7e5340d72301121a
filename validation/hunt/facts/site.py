"""Facts of promises, repairs, spares and estimates of a site."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ..public_names import Public
from ._fact import Fact, first, ordered, same

__all__ = ["FACTS"]


def _promises_are_kept(public: Public, *, duration: Any, nodes: Any, node_mtbf: Any) -> str:
    p = np.asarray(public.promised_probability(duration, nodes=nodes, node_mtbf=node_mtbf))
    with np.errstate(all="ignore"):
        mtbf = np.asarray(node_mtbf) / nodes
        usable = (p > 1e-300) & (mtbf > 1e-300) & (p < 0.999)
    if not np.all(mtbf > 0.0):
        return ""
    struck = public.failure_probability(duration, mtbf=mtbf)
    longest = public.longest_promise(p, nodes=nodes, node_mtbf=node_mtbf)
    t, longest = np.broadcast_arrays(np.asarray(duration, dtype=float), longest)
    return first(
        (
            same("1 - promise and chance of failure", 1.0 - p, struck, least=1e-9),
            same("longest promise and duration", longest[usable], t[usable], 1e-9),
        )
    )


def _a_look_is_between(public: Public, *, duration: Any, walltime: Any, mtbf: Any) -> str:
    wait = public.expected_manual_wait(duration, walltime=walltime, mtbf=mtbf)
    half = np.asarray(walltime) - 0.5 * np.asarray(duration)
    return first(
        (
            ordered("walltime - duration/2 and the wait", half, wait),
            ordered("wait and walltime", wait, walltime),
        )
    )


def _one_place_waits_for_its_repair(public: Public, **queue: Any) -> str:
    delay = public.expected_head_delay(**{**queue, "places": 1})
    return first(
        (
            same("head delay at one place and the repair", delay, queue["downtime"]),
            ordered("head delay and the repair", public.expected_head_delay(**queue), delay),
        )
    )


def _one_place_is_a_plain_queue(public: Public, **queue: Any) -> str:
    s, rho = np.asarray(queue["service_time"]), np.asarray(queue["load"])
    with np.errstate(all="ignore"):
        expected = queue["remaining"] + rho * s / (1.0 - rho)
    found = public.expected_resubmission_delay(**{**queue, "places": 1})
    return same("u + rho s/(1 - rho) and the delay at one place", expected, found)


def _a_gain_pays_its_cost(public: Public, **request: Any) -> str:
    """Expect no gain of a checkpoint that costs what it saves."""
    saved = np.asarray(request["failure_probability"]) * request["unsaved"]
    gain = public.checkpoint_gain(**{**request, "checkpoint_cost": saved})
    return same("gain of a checkpoint at its worth and 0", gain, 0.0)


def _granted_intervals_are_multiples(
    public: Public, *, interval: Any, mtbf: Any, checkpoint_cost: Any
) -> str:
    found = np.asarray(
        public.risk_based_interval(interval, mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    )
    with np.errstate(all="ignore"):
        requests = found / interval
        near = np.abs(requests - np.round(requests)) <= 1e-9 * requests
    if not (near | (requests > 1e15)).all():
        return f"granted interval must be a multiple of {interval!r}, got {found!r}"
    return ordered("interval and granted interval", interval, found)


def _charges_add_up(public: Public, **booking: Any) -> str:
    cost = np.asarray(public.recovery_charge(**{**booking, "allowance": 0.0}))
    allowance = np.asarray(public.recovery_charge(**{**booking, "price": 0.0}))
    with np.errstate(all="ignore"):
        both, size = cost + allowance, np.maximum(np.abs(cost), np.abs(allowance))
        off = np.abs(public.recovery_charge(**booking) - both)
    if (off <= 1e-9 * size).all() or not np.isfinite(size).all():
        return ""
    return f"charge must be cost less allowance, off by {float(np.max(off))!r}"


def _busy_period_starts_with_its_mean(public: Public, *, s: Any, mtbf: Any, downtime: Any) -> str:
    del s
    mean = float(public.busy_period_mean(mtbf=mtbf, downtime=downtime))
    variance = float(public.busy_period_variance(mtbf=mtbf, downtime=downtime))
    if not (1e-280 < mean < min(1e280, 1e3 * mtbf) and variance < 1e280):
        return ""  # near a load of 1 the last digit of the load decides
    s = 1e-4 / max(mean, math.sqrt(variance))
    value = float(public.busy_period_transform(s, mtbf=mtbf, downtime=downtime))
    # 1 - s m <= phi(s) <= 1 - s m + s^2 E[Y^2]/2
    square = variance + mean * mean
    return first(
        (
            ordered("1 - s E[Y] and transform", 1.0 - s * mean, value),
            ordered("transform and two terms", value, 1.0 - s * mean + 0.5 * s * s * square),
        )
    )


def _spares_suffice(public: Public, **given: Any) -> str:
    k = np.asarray(public.spares_needed(**given))
    n, mu, r, q = (
        np.asarray(given[key], dtype=float) for key in ("nodes", "mtbf", "mttr", "confidence")
    )
    with np.errstate(all="ignore"):
        if given.get("law", "poisson") == "poisson":
            load = n * r / mu
            usable = load < 1e8
            enough, fewer = special.pdtr(k, load), special.pdtr(k - 1.0, load)
        else:
            usable = n < 1e8
            up = 1.0 / (1.0 + r / mu)
            # P(X <= j) of a binomial number, by the incomplete beta function.
            enough, fewer = (
                np.where(j >= n, 1.0, special.betainc(np.maximum(n - j, 1.0), j + 1.0, up))
                for j in (k, k - 1.0)
            )
    n, mu, r, q, k, usable, enough, fewer = np.broadcast_arrays(
        n, mu, r, q, k, usable, enough, fewer
    )
    return first(
        (
            ordered("confidence and its spares", q[usable], enough[usable]),
            ordered("one spare fewer and confidence", fewer[usable & (k > 0)], q[usable & (k > 0)]),
        )
    )


def _estimates_lie_between(public: Public, **count: Any) -> str:
    found = public.mtbf_confidence(**count)
    wider = public.mtbf_confidence(
        **{**count, "confidence": 0.5 + 0.5 * count.get("confidence", 0.95)}
    )
    return first(
        (
            ordered("lower end and mtbf", found.lower, found.mtbf),
            ordered("mtbf and upper end", found.mtbf, found.upper),
            ordered("lower ends", wider.lower, found.lower),
            ordered("upper ends", found.upper, wider.upper),
        )
    )


def _no_law_near_by_fits_better(public: Public, **record: Any) -> str:
    fits = public.fit_lifetime(**record)
    # Below that much an interval of few durations leaves out the likeliest mean: half of its tails
    # lie on either side, and the likeliest is no median.
    narrow = record.get("confidence", 0.95) < 0.5
    for row in () if narrow else fits:
        low, high = row.mean_interval
        said = first((ordered("end and mean", low, row.mean), ordered("ends", row.mean, high)))
        if said:
            return f"{row.family}: {said}"
    times = np.asarray(record["durations"], dtype=float)
    if record.get("censored") is None and record.get("resolution") is None:
        for row in fits:
            if row.family == "exponential":
                watched = times - np.asarray(record.get("entered", 0.0))
                return same("mean of the exponential and of the record", row.mean, watched.mean())
    return ""


FACTS: tuple[Fact, ...] = (
    Fact("promises are kept", "promised_probability", _promises_are_kept),
    Fact("a look is between", "expected_manual_wait", _a_look_is_between),
    Fact("one place waits for its repair", "expected_head_delay", _one_place_waits_for_its_repair),
    Fact("one place is M/M/1", "expected_resubmission_delay", _one_place_is_a_plain_queue),
    Fact("a gain pays its cost", "checkpoint_gain", _a_gain_pays_its_cost),
    Fact("granted are multiples", "risk_based_interval", _granted_intervals_are_multiples),
    Fact("charges add up", "recovery_charge", _charges_add_up),
    Fact("transform and moments", "busy_period_transform", _busy_period_starts_with_its_mean),
    Fact("spares suffice, fewer do not", "spares_needed", _spares_suffice),
    Fact("estimate lies between", "mtbf_confidence", _estimates_lie_between),
    Fact("means lie in their intervals", "fit_lifetime", _no_law_near_by_fits_better),
)
