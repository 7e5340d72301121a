"""Many replays in place of one: their seeds, and the values of fields that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from asking.kinds import COUNT, TEXT
from asking.refusals import Field, Said
from asking.requests import Asked, Lead, Option, any_of, inner, opt, options_for

from ..kinds import SEEDS, goal

STUDIES = "Many replays"  # heading of a help
# Where there is a study, what is asked of a single replay has no place.
OF_STUDIES = Lead(
    Said("{}, {} or several values", Field("seeds"), Field("until")),
    lambda request: request.study.wanted,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest(Asked):
    """What makes a study of a replay; without any of it there is one replay alone.

    `seeds` are all different. `until` is the share of the mean that its interval shall reach,
    `metric` what that is about (None: what is shown first), `varied` the fields of the request of
    which several values are played.
    """

    seeds: Sequence[int] | None = opt(
        SEEDS, "Seeds: 7, 1:200 or 1,5,9; a mean of each.", group=STUDIES
    )
    until: float | None = opt(
        goal(),
        "Go on with further seeds until every 95 % interval of {metric} is within this share of "
        "its mean, such as 2%.",
        group=STUDIES,
    )
    metric: str | None = opt(
        *(TEXT, "A number that --json names.  [default: the first shown]"),
        group=STUDIES,
        needs="until",
    )
    workers: int = opt(
        *(COUNT, "Processes that share the replays."),
        default=1,
        group=STUDIES,
        needs=Lead(any_of("seeds", "until").words, lambda study: study.wanted),
    )
    varied: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def wanted(self) -> bool:
        """Return whether there is anything that only a study answers."""
        return self.seeds is not None or self.until is not None or bool(self.varied)

    def choices(self) -> list[dict[str, Any]]:
        """Return every combination of the varied values, by field; one without any."""
        names = list(self.varied)
        return [dict(zip(names, values, strict=True)) for values in product(*self.varied.values())]

    def first_seed(self, seed: int) -> int:
        """Return the first seed to play, `seed` where the study has none of its own."""
        return self.seeds_from(seed)[0]

    def seeds_from(self, first: int) -> Sequence[int]:
        """Return the seeds to play: as given, else `first`, and with a goal those after it."""
        if self.seeds is not None:
            return self.seeds
        return range(first, first + (1 if self.until is None else 10_000))


def of_studies(seeds: str, *, remedy: Said | None = None) -> Any:
    """Return the field of a request that may ask for a study.

    Parameters
    ----------
    seeds : str
        What its seeds are for.
    remedy : Said, optional
        What to do where the goal is a duration.
    """
    (until,) = (said for field, said in options_for(StudyRequest) if field.name == "until")
    return inner(
        StudyRequest,
        seeds=Option(SEEDS, seeds, STUDIES),
        until=replace(until, kind=goal(remedy)),
    )
