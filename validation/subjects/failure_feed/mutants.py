"""Wrong ways to start a failure feed at a random instant of the life of its nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.cluster import Failures
from sim.samplers import Renewing
from validation.judge.run import Mutant

from .cases import sampled_failures

__all__ = ["MUTANTS"]


@dataclass(frozen=True)
class _Met:
    """A law whose remaining uptime at a random instant is wrong."""

    law: Renewing
    wrong: Callable[[Renewing, np.random.Generator], float]

    def sample(self, rng: np.random.Generator) -> float:
        return self.law.sample(rng)

    def residual(self, rng: np.random.Generator) -> float:
        return self.wrong(self.law, rng)


def _met(wrong: Callable[[Renewing, np.random.Generator], float]) -> Callable[..., Failures]:
    def mutant(**options: Any) -> Failures:
        return sampled_failures(**{**options, "uptime": _Met(options["uptime"], wrong)})

    return mutant


def _all_new(**options: Any) -> Failures:
    return sampled_failures(**{**options, "new_nodes": True})


MUTANTS = (
    Mutant(sampled_failures, "every node new at the start", _all_new),
    Mutant(
        sampled_failures,
        "long uptimes met no more often than short ones",
        _met(lambda law, rng: law.sample(rng) * rng.random()),
    ),
    Mutant(
        sampled_failures,
        "the uptime met counted as if it had just begun",
        _met(lambda law, rng: law.residual(rng) / max(rng.random(), 1e-300)),
    ),
    Mutant(
        sampled_failures,
        "two uptimes met at the start, the earlier end counted",
        _met(lambda law, rng: min(law.residual(rng), law.residual(rng))),
    ),
)
