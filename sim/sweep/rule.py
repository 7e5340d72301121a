"""How many replications a cell takes: a number of them, or until a mean is known well enough."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .._checks import fraction, whole
from ..estimators import Moments, student_quantile
from .cells import Numbers

_ROUND = 8  # replications before the first look, and between two looks at least


class State(NamedTuple):
    """Replications that count so far, and those of them that are still to be played."""

    replications: int
    missing: list[int]


@dataclass(frozen=True, slots=True)
class Rule:
    """When a cell is done; it depends on the numbers of the cell alone, so not on who played them.

    Parameters
    ----------
    replications : int
        Of each cell, where there is no `until`; >= 1.
    until : float, optional, [-]
        Go on until the 95 % interval of the mean of `metric` reaches no further than this share
        of the mean, in [0, 1]. Looks are after 8 replications, then after an eighth more each
        time, 8 at least.
    metric : str, optional
        What `until` is about, and needed with it.
    most : int
        Replications with `until`; >= 1.
    """

    replications: int = 1
    until: float | None = None
    metric: str | None = None
    most: int = 10_000

    def __post_init__(self) -> None:
        whole("replications", self.replications)
        whole("most", self.most)
        if self.until is not None:
            fraction("until", self.until)
            if self.metric is None:
                raise ValueError("metric must be given with until, got None")

    def state(self, done: Mapping[int, Numbers | None]) -> State:
        """Return where a cell stands whose replications `done` gave these numbers.

        None stands for one that could not be computed: the cell ends with the first of these.
        """
        size = self.replications if self.until is None else min(_ROUND, self.most)
        while True:
            # Up to the first that could not be computed, which is so in whatever order they came.
            end = next((n + 1 for n in range(size) if n in done and done[n] is None), size)
            missing = [number for number in range(end) if number not in done]
            if end < size or done.get(size - 1, {}) is None:
                return State(end, missing)
            if missing or self.until is None or size >= self.most:
                return State(size, missing)
            if self._known([done[number] for number in range(size)]):
                return State(size, [])
            size = min(self.most, size + max(_ROUND, size // 8))

    def _known(self, found: Sequence[Numbers | None]) -> bool:
        assert self.until is not None
        values = []
        for numbers in found:
            value = None if numbers is None else numbers.get(str(self.metric))
            if not isinstance(value, int | float):
                names = ", ".join(() if numbers is None else numbers)
                raise ValueError(f"metric must be one of {names}, got {self.metric!r}")
            values.append(float(value))
        return half_width(values) <= self.until * abs(mean_of(values))


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of the values that are known, in the order of replications; else nan."""
    known = [value for value in values if math.isfinite(value)]
    return Moments.of(known).mean if known else math.nan


def half_width(values: Sequence[float]) -> float:
    """Return half of the 95 % interval of that mean, by Student's law; nan for one value."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) < 2:
        return math.nan
    return student_quantile(0.975, len(known) - 1) * Moments.of(known).mean_stderr
