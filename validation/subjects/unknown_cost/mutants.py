"""Wrong ways to carry measured costs on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from perfmodel import MeanPosterior, mean_posterior
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _changed(change: Callable[[MeanPosterior], dict[str, float]]) -> Callable[..., MeanPosterior]:
    def wrong(samples: Any) -> MeanPosterior:
        right = mean_posterior(samples)
        return replace(right, **change(right))

    return wrong


class _Uncut(MeanPosterior):
    """May be below 0."""

    __slots__ = ()

    @property
    def _below(self) -> float:
        return 0.0


def _below_zero_as_well(samples: Any) -> MeanPosterior:
    right = mean_posterior(samples)
    return _Uncut(right.mean, right.error, right.degrees)


MUTANTS = (
    Mutant(
        mean_posterior,
        "deviation of one value, not of their mean",
        _changed(lambda right: {"error": right.error * (right.degrees + 1.0) ** 0.5}),
    ),
    Mutant(mean_posterior, "a normal law", _changed(lambda right: {"degrees": 1e9})),
    Mutant(
        mean_posterior,
        "one degree of freedom more",
        _changed(lambda right: {"degrees": right.degrees + 1.0}),
    ),
    Mutant(
        mean_posterior,
        "deviation divided by all values",
        _changed(lambda r: {"error": r.error * (r.degrees / (r.degrees + 1.0)) ** 0.5}),
    ),
    Mutant(mean_posterior, "not cut at 0", _below_zero_as_well),
)
