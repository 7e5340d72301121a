"""What a table of several answers shows of each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Number:
    """A number of an answer; None where there is none. Durations are in [s], the others in [-].

    A chance is a share that may come out either way, unless it is 0.
    """

    kind: Literal["duration", "share", "chance", "count"]
    value: float | None


@dataclass(frozen=True, slots=True)
class Headline:
    """What is shown of one answer.

    Parameters
    ----------
    numbers : mapping
        By the heading of their columns.
    time : float, optional, [s]
        How long the job takes: differences are those of this time, and of what it costs.
    useful : float, optional, [-]
        Share of the time that advances the job.
    per_hour : float, optional
        Price of an hour of the whole job.
    """

    numbers: Mapping[str, Number] = field(default_factory=dict)
    time: float | None = None
    useful: float | None = None
    per_hour: float | None = None
