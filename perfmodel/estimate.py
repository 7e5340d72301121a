"""The MTBF of what a job runs on, however it is known: stated, by node, by rate or counted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from asking.units import human_duration

from .fitting import mtbf_confidence, mtbf_posterior

if TYPE_CHECKING:
    from .forecasts import Outlook

__all__ = ["CONFIDENCE", "Estimate", "counted", "of_nodes", "of_rate", "stated", "to_come"]

CONFIDENCE = 0.95
Truncation = Literal["time", "failure"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """MTBF of the nodes of a job, [s], with limits where it was estimated, and where it is from.

    `failures` were seen in `observed` [s] of all these nodes together, which a time or the last of
    them ended (`truncation`); they are bursts of `failures_per_burst` each where that is given.
    `high` is inf where no failure was seen, and `value` is then the lower limit itself.
    """

    value: float
    words: str
    low: float | None = None
    high: float | None = None
    failures: int | None = None
    observed: float | None = None
    failures_per_burst: float | None = None
    truncation: Truncation = "time"

    @property
    def limits(self) -> tuple[float, float]:
        """Both limits, [s]; the value itself for one that is not there."""
        low = self.value if self.low is None else self.low
        return low, self.value if self.high is None else self.high


def stated(mtbf: float) -> Estimate:
    """Return the MTBF of the machine, [s], as given."""
    return Estimate(mtbf, "as given")


def of_nodes(node_mtbf: float, nodes: int) -> Estimate:
    """Divide the MTBF of a node, [s], by their number: any failure stops the job."""
    count = f"{nodes:,} node{'' if nodes == 1 else 's'}"
    return Estimate(node_mtbf / nodes, f"{human_duration(node_mtbf)} per node / {count}")


def of_rate(rate: float, nodes: int, *, words: str) -> Estimate:
    """Invert the failure rate of all nodes together; `rate` in failures per node-second."""
    return Estimate(1.0 / (rate * nodes), words)


def counted(
    failures: int,
    observed: float,
    *,
    confidence: float = CONFIDENCE,
    each: float | None = None,
    where: str = "",
    truncation: Truncation = "time",
) -> Estimate:
    """Estimate from the number of failures in an observed time, [s].

    The limits are those of `mtbf_posterior`, over which `predictive_makespan` mixes; after no
    failure the lower one is that of `mtbf_confidence`. `each` is how many failures a burst has,
    where bursts were counted, `where` what the words say of the place and time; `truncation` is
    `failure` where the last of them ended the observation.
    """
    where = where or f"in {human_duration(observed)}"
    if failures == 0:
        low = float(mtbf_confidence(0, observed, confidence=confidence).lower)
        words = f"no failure {where}: the lower limit at {confidence:.0%}"
        return Estimate(low, words, low, math.inf, 0, observed)
    posterior = mtbf_posterior(failures, observed, truncation=truncation)
    tail = 0.5 - 0.5 * confidence
    return Estimate(
        observed / failures,
        f"{count_in_words(failures, each)} {where}",
        float(posterior.ppf(tail)),
        float(posterior.ppf(1.0 - tail)),
        failures,
        observed,
        each,
        truncation,
    )


def count_in_words(failures: int, each: float | None = None) -> str:
    """Return how many failures there are, or gaps between bursts of `each`."""
    if each is not None:
        return (
            f"{failures:,} gap{'' if failures == 1 else 's'} between bursts of {each:.3g} failures"
        )
    return f"{failures:,} failure{'' if failures == 1 else 's'}"


def to_come(outlook: Outlook, confidence: float = CONFIDENCE) -> Estimate:
    """Return the MTBF [s] of clusters to come, within limits of this `confidence` [-]."""
    tail, rates = 0.5 - 0.5 * confidence, outlook.rates
    words = "by the forecast" if outlook.name == "forecast" else "with the rate uncertain"
    return Estimate(
        1.0 / rates.mean,
        words,
        low=1.0 / rates.ppf(1.0 - tail),
        high=1.0 / rates.ppf(tail),
        failures_per_burst=outlook.cluster_size,
    )
