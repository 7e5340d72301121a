"""Wrong laws: parameters read in another convention, moments of another law."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from perfmodel.lifetimes import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


@dataclass(frozen=True)
class _Twisted:
    """A law with one attribute or method replaced."""

    law: Any
    answer: str
    wrong: Any

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__
        if name == own(self, "answer"):
            return own(self, "wrong")
        return getattr(own(self, "law"), name)


def _twist(law: Callable[..., Any], answer: str, wrong: Callable[[Any], Any]) -> Callable[..., Any]:
    def mutant(*parameters: Any) -> _Twisted:
        right = law(*parameters)
        return _Twisted(right, answer, wrong(right))

    return mutant


MUTANTS = (
    Mutant(
        Bathtub, "early and late exchanged", lambda share, e, late, t: Bathtub(share, late, e, t)
    ),
    Mutant(
        Bathtub,
        "turn read as the end",
        lambda share, early, late, turn: Bathtub(
            share, early, late, turn + late * math.log(share / (1.0 - share))
        ),
    ),
    Mutant(Bathtub, "mean without the early part", _twist(Bathtub, "mean", lambda x: 0.5 * x.turn)),
    Mutant(
        Bathtub,
        "hazard of the early part only",
        _twist(Bathtub, "hazard", lambda x: lambda t: x.share / x.early * np.exp(-t / x.early)),
    ),
    Mutant(Exponential, "mean read as a rate", lambda mean: Exponential(1.0 / mean)),
    Mutant(
        Exponential, "variance for deviation", _twist(Exponential, "variance", lambda x: x.mean)
    ),
    Mutant(
        Exponential, "transform at the rate", _twist(Exponential, "laplace", lambda x: lambda s: s)
    ),
    Mutant(Weibull, "parameters swapped", lambda shape, scale: Weibull(scale, shape)),
    Mutant(Weibull, "scale read as mean", lambda shape, scale: Weibull.from_mean(scale, cv=1.0)),
    Mutant(Weibull, "mean taken for the scale", _twist(Weibull, "mean", lambda x: x.scale)),
    Mutant(
        Weibull,
        "hazard without the shape",
        _twist(Weibull, "hazard", lambda x: lambda t: (t / x.scale) ** (x.shape - 1.0) / x.scale),
    ),
    Mutant(
        Weibull,
        "density of the exponential law",
        _twist(Weibull, "pdf", lambda x: lambda t: np.exp(-t / x.mean) / x.mean),
    ),
    Mutant(
        Weibull,
        "cumulative hazard without the shape",
        _twist(Weibull, "cumulative_hazard", lambda x: lambda t: t / x.scale),
    ),
    Mutant(
        Weibull,
        "quantiles counted from the tail",
        _twist(Weibull, "ppf", lambda x: lambda q: x.ppf(1.0 - np.asarray(q))),
    ),
    Mutant(
        Weibull,
        "transform of the exponential law",
        _twist(Weibull, "laplace", lambda x: lambda s: 1.0 / (1.0 + s * x.mean)),
    ),
    Mutant(Gamma, "scale read as a rate", lambda shape, scale: Gamma(shape, 1.0 / scale)),
    Mutant(Gamma, "parameters swapped", lambda shape, scale: Gamma(scale, shape)),
    Mutant(
        Gamma,
        "survival of the exponential law",
        _twist(Gamma, "sf", lambda x: lambda t: np.exp(-t / x.mean)),
    ),
    Mutant(LogNormal, "sigma read as a variance", lambda mu, s: LogNormal(mu, math.sqrt(s))),
    Mutant(
        LogNormal, "median taken for the mean", _twist(LogNormal, "mean", lambda x: math.exp(x.mu))
    ),
    Mutant(
        LogNormal,
        "variance of the logarithm",
        _twist(LogNormal, "variance", lambda x: x.sigma**2),
    ),
    Mutant(
        HyperExponential,
        "means read as rates",
        lambda p, means: HyperExponential(p, tuple(1.0 / m for m in means)),
    ),
    Mutant(
        HyperExponential,
        "phases taken for independent parts",
        _twist(
            HyperExponential,
            "variance",
            lambda x: sum(p * m**2 for p, m in zip(x.probabilities, x.means, strict=True)),
        ),
    ),
    Mutant(
        Deterministic,
        "atom one step late",
        _twist(Deterministic, "cdf", lambda x: lambda t: np.where(t >= 1.5 * x.value, 1.0, 0.0)),
    ),
    Mutant(Deterministic, "taken for exponential", Exponential),
    Mutant(
        Empirical,
        "ties counted once",
        lambda samples: Empirical(np.unique(samples)),
    ),
    Mutant(
        Empirical,
        "variance of an estimate",
        _twist(Empirical, "variance", lambda x: x.variance * 5.0 / 4.0),
    ),
)
