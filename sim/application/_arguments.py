"""Checks of the arguments that all simulators of `sim.application` share."""

from __future__ import annotations

import copy
import math
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .._checks import number, one_of, shown
from ..samplers import Recorded, Sampler, as_sampler, is_sampler

Method: TypeAlias = Literal["kernel", "events"]


class Never:
    """Durations without end."""

    def sample(self, rng: np.random.Generator) -> float:
        """Return inf: it never ends."""
        del rng
        return math.inf


def by_kernel(method: Method) -> bool:
    """Return whether `method` asks for the compiled loop, or raise if it is not a method."""
    return one_of("method", method, ("kernel", "events")) == "kernel"


def mean_uptime(name: str, value: object) -> float:
    """Return `value` as the mean of exponential uptimes, > 0 and perhaps inf, or raise."""
    checked = number(name, value)
    if not checked > 0.0:
        raise ValueError(f"{name} must be > 0, got {checked!r}")
    return checked


def only_sampler(name: str, value: Sampler) -> Sampler:
    """Return `value`; a number is refused: it could mean a constant as well as a mean."""
    if not is_sampler(value):
        raise TypeError(f"{name} must be a sampler, got {shown(value)}")
    return value


def sampler_or_list(name: str, value: Sampler | npt.ArrayLike) -> Sampler:
    """Return `value` as a sampler; a number is refused as by `only_sampler`."""
    if not isinstance(value, Sampler | list | tuple) and np.ndim(value) == 0:
        raise TypeError(f"{name} must be a sampler or a list of numbers, got {shown(value)}")
    return as_sampler(name, value)


def own_sampler(name: str, value: Sampler | npt.ArrayLike) -> Sampler:
    """Return what `as_sampler` makes of `value`, as a copy that nothing else draws from."""
    return unplayed(as_sampler(name, value))


def unplayed(sampler: Sampler) -> Sampler:
    """Return a copy that nothing else draws from; a recorded list starts from its beginning."""
    if isinstance(sampler, Recorded):
        return sampler.rewound()
    # Our laws cannot change; a sampler of the user's may keep state that must not be shared.
    ours = {Recorded.__module__, Never.__module__}
    return sampler if type(sampler).__module__ in ours else copy.deepcopy(sampler)
