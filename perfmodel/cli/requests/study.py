"""Many replays in place of one: their seeds, and the values of options that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, TypeVar

from .grid import GridRequest
from .replay import PromisesRequest, SiteRequest

__all__ = ["Seeds", "StudyRequest"]

R = TypeVar("R", bound=SiteRequest | PromisesRequest | GridRequest)


@dataclass(frozen=True, slots=True)
class Seeds:
    """Different seeds in the order given, and as they were typed."""

    values: tuple[int, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """What makes a study of a command; without any of it the command plays as it does alone.

    `until` is the share of the mean that its interval shall reach, `metric` what that is about
    (None: what the command shows first), `varied` the fields of the request of which several
    values were given.
    """

    seeds: Seeds | None = None
    until: float | None = None
    metric: str | None = None
    workers: int = 1
    varied: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def wanted(self) -> bool:
        """Return whether there is anything that only a study answers."""
        return self.seeds is not None or self.until is not None or bool(self.varied)

    def choices(self) -> list[dict[str, Any]]:
        """Return every combination of the varied values, by field; one without any."""
        names = list(self.varied)
        return [dict(zip(names, values, strict=True)) for values in product(*self.varied.values())]

    def of_first_seed(self, request: R) -> R:
        """Return the request with the first seed of the study; without a study as it is."""
        seeds = self.seeds_from(request.seed)
        return replace(request, seed=seeds[0]) if self.wanted else request

    def seeds_from(self, first: int) -> tuple[int, ...] | range:
        """Return the seeds to play: as given, else `first`, and with a goal those after it."""
        if self.seeds is not None:
            return self.seeds.values
        return range(first, first + (1 if self.until is None else 10_000))
