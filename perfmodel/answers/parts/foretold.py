"""The law of a job by what its log says of the failures to come, read off where it is asked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...completion import CompletionTime
from ...forecasts import ForecastMakespan, PastPromises, PlannedJob
from ..known.job import Job
from ..known.outlook import Outlook, foreseen, history_behind, kept_words
from ..known.unforeseen import Unforeseen
from ..shown import percent

if TYPE_CHECKING:
    from ...lifetimes import Lifetime


@dataclass(frozen=True, slots=True, eq=False)
class Foretold:
    """Percentiles and a deadline by a forecast; times in [s].

    `times` are those of the percentiles asked for, `chance` is the probability to be done by the
    deadline, None without one; `past` counts promises of such jobs so far.
    """

    outlook: Outlook
    law: ForecastMakespan | CompletionTime
    times: tuple[float, ...]
    chance: float | None
    past: PastPromises

    @property
    def mean(self) -> float:
        """Mean makespan, [s]; nan where it is not known, as a drawn future did not end."""
        return self.law.mean if math.isfinite(self.law.mean) else math.nan

    @property
    def std(self) -> float:
        """Standard deviation, [s]; nan where it is not known."""
        return self.law.std if math.isfinite(self.law.std) else math.nan

    def plain(self) -> dict[str, Any]:
        """Return which law it is, its error, and promises so far, under unit-named keys."""
        return {
            **self.outlook.plain(),
            "error_of_probabilities": self.law.error,
            "past": asdict(self.past),
        }

    def sentences(self) -> Iterator[str]:
        """Yield how the law was found, why it is no forecast, and how often it was kept so far."""
        yield from self.outlook.reasons()
        how = "sums over rates"
        if isinstance(self.law, ForecastMakespan):
            how = f"{len(self.law.makespans):,} drawn futures"
        yield (
            f"{self.outlook.title.capitalize()}: by {how}, each probability right to "
            f"{percent(self.law.error, 2)} points; beside it a constant rate at the mean so far."
        )
        yield kept_words(self.past)


def outlook_for(
    job: Job, *, log_nodes: int | None, repairs: Lifetime | None = None
) -> Outlook | Unforeseen:
    """Return the outlook of a job, or that there is none.

    Downtimes of a law of `repairs` are waited for, drawn anew for each failure.
    """
    history = history_behind(job, log_nodes=log_nodes)
    planned = PlannedJob.of(job, nodes=job.nodes)
    if repairs is not None:
        planned = replace(planned, downtime=0.0, wait_for_repair=True)
    if history is not None and repairs is not None:
        shares = np.random.default_rng(20261127).uniform(size=len(history.failures))
        history = replace(history, repairs=np.asarray(repairs.ppf(shares)))
    return foreseen(history, planned)


def foretold(
    outlook: Outlook,
    interval: float,
    *,
    percentiles: tuple[float, ...],
    deadline: float | None,
) -> Foretold:
    """Read the law of a job off at an interval [s] between its checkpoints."""
    planned = replace(outlook.planned, interval=interval)
    law = outlook.law(planned)
    return Foretold(
        outlook,
        law,
        tuple(float(law.ppf(q)) for q in percentiles),
        None if deadline is None else float(law.cdf(deadline)),
        outlook.past(planned),
    )
