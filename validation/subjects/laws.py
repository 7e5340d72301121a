"""A law of durations as plain numbers, and the objects that both witnesses make of it.

`perfmodel` and `sim` share these numbers only; a table of names is not a model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel import lifetimes
from sim import samplers
from sim.application import simulate_durations

__all__ = ["Law", "draw", "predictable", "sampler"]


@dataclass(frozen=True, slots=True)
class Law:
    """The name of a law and its parameters, in the order that both witnesses use."""

    name: str
    parameters: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.name}{self.parameters}".replace(" ", "").replace(",)", ")")


def predictable(value: float | Law) -> Any:
    """Return `value` as an argument of `perfmodel`: a number or its lifetime."""
    if isinstance(value, Law):
        return getattr(lifetimes, value.name)(*value.parameters)
    return value


def sampler(value: float | Law) -> Any:
    """Return `value` as an argument of `sim`: a number or its sampler."""
    if isinstance(value, Law):
        return getattr(samplers, value.name)(*value.parameters)
    return value


def draw(law: Law, *, seed: int, replications: int) -> npt.NDArray[np.float64]:
    """Draw independent durations in the same way as the compiled jobs of `sim`."""
    return simulate_durations(sampler(law), replications=replications, seed=seed)
