"""Facts of the laws of durations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..public_names import Public
from ._fact import Fact, first, ordered, same

__all__ = ["FACTS"]


def _law_is_one(public: Public, name: str, **parameters: Any) -> str:
    law = getattr(public, name)(**parameters)
    mean = law.mean
    if not 1e-250 < mean < 1e250:
        return ""
    q = np.array([1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999])
    t = np.asarray(law.ppf(q))
    t = t[np.isfinite(t) & (t > 0.0)]
    s = np.array([1e-3, 0.1, 1.0, 10.0]) / mean
    said = first(
        (
            same("1 and cdf + sf", np.asarray(law.cdf(t)) + law.sf(t), 1.0),
            same("exp(-cumulative hazard) and sf", np.exp(-law.cumulative_hazard(t)), law.sf(t)),
            same("transform at 0 and 1", law.laplace(0.0), 1.0),
            ordered("transform and before", law.laplace(s)[1:], law.laplace(s)[:-1]),
            ordered("exp(-s mean) and transform", np.exp(-s * mean), law.laplace(s)),
            ordered("transform and exp(-s t) F(t)...", law.laplace(s), 1.0),
        )
    )
    if said or name in {"Deterministic", "Empirical"}:
        return said
    back = np.asarray(law.cdf(law.ppf(q)))
    inner = (np.asarray(law.ppf(q)) > 1e-290) & np.isfinite(law.ppf(q))
    return first(
        (
            same("q and cdf(ppf(q))", back[inner], q[inner], 1e-7),
            same("hazard and pdf/sf", np.asarray(law.pdf(t)) / law.sf(t), law.hazard(t), 1e-7),
        )
    )


def _shape_one_is_exponential(public: Public, *, mean: float) -> str:
    t = mean * np.array([1e-6, 0.1, 1.0, 5.0])
    plain = public.Exponential(mean)
    others = (
        public.Weibull(1.0, mean),
        public.Gamma(1.0, mean),
        public.HyperExponential([1.0], [mean]),
        public.Weibull.from_mean(mean, cv=1.0),
    )
    return first(same("sf of shape 1", law.sf(t), plain.sf(t)) for law in others)


def _moments_are_kept(public: Public, *, mean: float) -> str:
    laws = [
        law.from_mean(mean, cv=cv)
        for law in (public.Weibull, public.Gamma, public.LogNormal, public.HyperExponential)
        for cv in (1e-4, 0.3, 1.0, 3.0, 30.0)
        if cv >= 1.0 or law is not public.HyperExponential
    ]
    cvs = [math.sqrt(law.scv) for law in laws]
    asked = [1e-4, 0.3, 1.0, 3.0, 30.0] * 3 + [1.0, 3.0, 30.0]
    return first(
        (
            same("asked mean and mean", [law.mean for law in laws], mean, 1e-8),
            same("asked cv and cv", cvs, asked, 1e-8),
        )
    )


def _of_lifetime(name: str) -> Fact:
    def complaint(public: Public, **parameters: Any) -> str:
        return _law_is_one(public, name, **parameters)

    return Fact("cdf, sf, hazard, percentiles and transform agree", name, complaint)


FACTS: tuple[Fact, ...] = (
    Fact("shape 1 is exponential", "Exponential", _shape_one_is_exponential),
    Fact("mean and cv are kept", "Exponential", _moments_are_kept),
    *(
        _of_lifetime(name)
        for name in (
            "Deterministic",
            "Empirical",
            "Exponential",
            "Gamma",
            "HyperExponential",
            "LogNormal",
            "Weibull",
        )
    ),
)
