"""Effective costs of checkpoints, against simulated jobs and against integrals at many digits."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

from perfmodel.lifetimes import LogNormal, Weibull
from perfmodel.makespan import effective_checkpoint_cost, expected_makespan
from perfmodel.makespan.random_cost import Drawn
from perfmodel.registry import ranges_of
from validation.judge.compare import compare_mean
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_random_cost_makespans
from ..closed_forms.cases import distance
from ..interval.cases import printed_value
from ..laws import Law, predictable, sampler

__all__ = ["CASES", "FULL", "KINDS", "SWEEPS", "effective", "law_of"]

Predict = Callable[..., Any]

_AGREE = 1e-11
_FAR = 15.0  # logarithm of a time over the scale, where no quadrature resolves the peak
_KINDS = ("Exponential", "Gamma", "HyperExponential", "Weibull", "LogNormal", "Empirical")
KINDS = ("Exponential", "Gamma", "HyperExponential", "Weibull", "LogNormal", "Empirical")


def mean(predict: Predict, budget: Budget, *, law: Law, drawn: Drawn, **job: Any) -> Verdict:
    """Judge by the mean makespan of jobs with checkpoints of random cost."""
    walls = simulate_random_cost_makespans(
        **job,
        checkpoint_cost=sampler(law),
        drawn=drawn,
        replications=budget.replications,
        seed=budget.seed,
    )
    cost = float(predict(predictable(law), mtbf=job["mtbf"], drawn=drawn))
    found = float(expected_makespan(job["work"], checkpoint_cost=cost, **_but(job, "work")))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def _but(job: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in job.items() if key != name}


def by_integral(
    predict: Predict, budget: Budget, *, checkpoint_cost: Law, mtbf: float, drawn: str
) -> Verdict:
    """Judge by the mean of e^(-C/mu) or e^(C/mu), a sum or an integral over the law."""
    del budget
    known = effective(checkpoint_cost, mtbf, -1 if drawn == "attempt" else 1)
    found = float(predict(predictable(checkpoint_cost), mtbf=mtbf, drawn=drawn))
    away = 0.0 if found == known == math.inf else distance(found, known)
    passed = away <= _AGREE
    note = "" if passed else f"off by {away:.3g}: {checkpoint_cost}, mtbf={mtbf!r}, {drawn}"
    z = 0.0 if passed else math.inf
    fine = away if passed else _AGREE
    return Verdict("exact", found, float(known), 0.0, z, fine, passed=passed, note=note)


@lru_cache(maxsize=4096)
def effective(law: Law, mtbf: float, sign: int) -> Any:
    """Return the constant that acts like the law, at 40 digits; `sign` 1 where it is kept."""
    with mp.workdps(40):
        rate = sign / mp.mpf(mtbf)
        mean_less_one = _growth_less_one(law, rate)
        if mean_less_one == mp.inf:
            return math.inf
        found = sign * mp.mpf(mtbf) * mp.log1p(mean_less_one)
        return math.inf if found > sys.float_info.max else found


def _growth_less_one(law: Law, rate: Any) -> Any:
    """Return E[e^(rate C)] - 1; inf where it does not exist."""
    match law.name, law.parameters:
        case "Exponential", (m,):
            found = _of_exponential(m, rate)
        case "HyperExponential", (shares, means):
            parts = [p * _of_exponential(m, rate) for p, m in zip(shares, means, strict=True)]
            found = mp.inf if mp.inf in parts else mp.fsum(parts)
        case "Gamma", (shape, scale):
            exists = rate * scale < 1
            found = mp.expm1(-shape * mp.log1p(-rate * scale)) if exists else mp.inf
        case "Empirical", (samples,):
            found = mp.fsum(mp.expm1(rate * x) for x in samples) / len(samples)
        case "LogNormal", (mu, sigma):
            places = mp.linspace(-14, 14 + 2 * sigma, 15)
            found = (
                mp.inf
                if rate > 0
                else mp.quad(
                    lambda z: mp.expm1(rate * mp.exp(mu + mp.mpf(sigma) * z)) * mp.npdf(z), places
                )
            )
        case "Weibull", (shape, scale):
            heavy = rate > 0 and (shape < 1 or (shape == 1 and rate * scale >= 1))
            places = [*mp.linspace(-95, -5, 7), *mp.linspace(-4, 5, 19)]
            peak = mp.mpf(0)
            if rate > 0 and shape > 1:
                peak = mp.log(rate * scale / shape) / (1 - 1 / mp.mpf(shape))
            if heavy:
                found = mp.inf
            elif peak > _FAR:
                found = _at_its_peak(shape, rate * scale, peak)
            else:
                found = mp.quad(
                    lambda x: mp.expm1(rate * scale * mp.exp(x / shape)) * mp.exp(x - mp.exp(x)),
                    [*places, *_beyond(shape, rate * scale)],
                )
        case _:
            raise AssertionError(law)
    return found


def _at_its_peak(shape: float, rate: Any, near: Any) -> Any:
    """Return the integral of e^(rate e^(x/shape) + x - e^x) by Laplace's method, near its peak.

    Its logarithm is right to e^(-2 x).
    """
    x = near
    for _ in range(20):
        slope = rate * mp.exp(x / shape) / shape + 1 - mp.exp(x)
        x -= slope / (rate * mp.exp(x / shape) / mp.mpf(shape) ** 2 - mp.exp(x))
    bend = mp.exp(x) - rate * mp.exp(x / shape) / mp.mpf(shape) ** 2
    return mp.exp(rate * mp.exp(x / shape) + x - mp.exp(x)) * mp.sqrt(2 * mp.pi / bend)


def _of_exponential(m: float, rate: Any) -> Any:
    return mp.inf if rate * m >= 1 else rate * m / (1 - rate * m)


def _beyond(shape: float, rate: Any) -> list[Any]:
    """Return further places of the integral, as far as the exponent is not below -100."""
    places = [mp.mpf(5.5)]
    while rate > 0 and places[-1] < 60:
        x = places[-1]
        if rate * mp.exp(x / shape) - mp.exp(x) + x < -100:
            break
        places.append(x + mp.mpf(0.25))
    return places


def _drawn_law(fraction: Callable[[], float]) -> dict[str, Any]:
    """Draw a law of each kind, of a mean and a cv of the documented range."""
    ranges = ranges_of("effective_checkpoint_cost")
    mtbf = between("mtbf", (1e-6, 1e6), fraction())
    ratio = between("cost", ranges["checkpoint_cost/mtbf"], fraction())
    spread = between("cv", (0.05, ranges["cv of checkpoint_cost"][1]), fraction())
    kind = KINDS[min(int(fraction() * len(KINDS)), len(KINDS) - 1)]
    drawn = "attempt" if fraction() < 0.5 else "segment"
    law = law_of(kind, float(f"{ratio * mtbf:.6g}"), spread)
    return {"checkpoint_cost": law, "mtbf": mtbf, "drawn": drawn}


def law_of(kind: str, average: float, cv: float) -> Law:
    """Return a law of that kind, mean and cv; of some kinds the cv is their own."""
    match kind:
        case "Exponential":
            return Law(kind, (average,))
        case "Gamma":
            return Law(kind, (cv**-2, average * cv**2))
        case "HyperExponential":
            rare = 0.5 / (1.0 + cv * cv)
            return Law(kind, ((1.0 - rare, rare), (0.5 * average, 0.5 * average / rare)))
        case "Weibull":
            weibull = Weibull.from_mean(average, cv=cv)
            return Law(kind, (weibull.shape, weibull.scale))
        case "LogNormal":
            lognormal = LogNormal.from_mean(average, cv=cv)
            return Law(kind, (lognormal.mu, lognormal.sigma))
    return Law(
        kind, ((average, average, average) if cv < 0.1 else (0.0, 0.5 * average, 2.0 * average),)
    )


_JOB = {"work": 4.0, "interval": 1.0, "mtbf": 2.0, "recovery_cost": 0.3, "downtime": 0.2}
# Costs comparable to the mtbf, where the spread of the law shows.
JOBS = table(
    ("law", "drawn"),
    (Law("Exponential", (0.5,)), "attempt"),
    (Law("Exponential", (0.3,)), "segment"),
    (Law("Gamma", (0.5, 1.0)), "attempt"),
    (Law("Weibull", (3.0, 1.0)), "segment"),
    **_JOB,
)
_PRINTED = (
    {"printed": 0.29558802241544, "mtbf": 10.0, "drawn": "attempt"},
    {"printed": 0.30459207484709, "mtbf": 10.0, "drawn": "segment"},
)


def printed(predict: Predict, budget: Budget, *, mean_cost: float, **given: Any) -> Verdict:
    """Compare with a number computed elsewhere, for exponential costs."""
    law = predictable(Law("Exponential", (mean_cost,)))
    return printed_value(partial(predict, law), budget, tolerance=1e-12, **given)


SWEEPS = (Sweep(effective_checkpoint_cost, by_integral, _drawn_law, quick=8, full=500),)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(effective_checkpoint_cost, mean, JOBS[1:2], effort=0.07),
    Case(
        effective_checkpoint_cost,
        printed,
        tuple({"mean_cost": 0.3, **point} for point in _PRINTED),
        chance=False,
    ),
)
FULL = (
    Case(effective_checkpoint_cost, mean, JOBS, effort=0.07),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
