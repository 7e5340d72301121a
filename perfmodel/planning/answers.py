"""What a plan says, as frozen data; durations in [s], money in the currency of the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..estimate import Estimate
from ..forecasts import PastPromises
from ..protocols import ProtocolTime


@dataclass(frozen=True, slots=True)
class CheckpointPlan:
    """The protocol to use and its interval, of work between checkpoints; `protocols` by mean time.

    Every `durable_every`-th checkpoint survives all failures. The limits are the best intervals
    under those of the MTBF. `present_loss` is how much longer the job takes with the present
    interval, relatively.
    """

    protocol: str
    interval: float
    interval_low: float | None
    interval_high: float | None
    steps: int | None
    tokens: float | None
    durable_every: float
    protocols: tuple[ProtocolTime, ...]
    present_interval: float | None
    present_loss: float | None


@dataclass(frozen=True, slots=True)
class Goodput:
    """Share of a long run that advances it [-], its limits by those of the MTBF, and the losses.

    `losses` by class add up to 1 with it; None where none are known, which `why_not` says.
    """

    value: float
    low: float | None
    high: float | None
    losses: Mapping[str, float] | None
    tokens_per_day: float | None
    why_not: str | None


@dataclass(frozen=True, slots=True)
class Percentile:
    """Time within which the job ends with probability `q`, and by the limits of the MTBF, [s]."""

    q: float
    time: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Foretold:
    """Which law the headline numbers are of where a log was given.

    `law` is "forecast", "posterior" of a past that is too short, or "constant" where none of both
    is known of the protocol; `no_forecast` says why it is no forecast. `mtbf` is that of clusters
    to come, [s]. `past` counts promises of such jobs on this log so far.
    """

    law: str
    no_forecast: str | None
    mtbf: Estimate | None = None
    error_of_probabilities: float | None = None
    past: PastPromises | None = None


@dataclass(frozen=True, slots=True)
class ConstantRate:
    """What would be so at the mean rate so far, beside a forecast: interval and times in [s].

    The mean of the plan is that of this rate, too, if `mean` is None: by the forecast it is not
    finite.
    """

    interval: float
    mean: float | None
    goodput: float
    percentiles: tuple[Percentile, ...]
    on_time: float | None


@dataclass(frozen=True, slots=True)
class Completion:
    """Time of the job: mean [s], percentiles, and the probability to keep to the deadline [-].

    Limits are those under the limits of the MTBF. Percentiles and probability are of the law of the
    time under the posterior of the MTBF where `predictive`, else under the MTBF itself. None where
    no law is known, which `why_not` says. Where a log was given, `foretold` says which law it is,
    and `constant_rate` what would be so at that rate.
    """

    mean: float
    percentiles: tuple[Percentile, ...]
    predictive: bool
    deadline: float | None
    on_time: float | None
    on_time_low: float | None
    on_time_high: float | None
    why_not: str | None
    foretold: Foretold | None = None
    constant_rate: ConstantRate | None = None

    @property
    def steady_mean(self) -> float:
        """Mean at a constant rate, [s]."""
        steady = self.constant_rate
        return self.mean if steady is None or steady.mean is None else steady.mean


@dataclass(frozen=True, slots=True)
class Standbys:
    """A number of spare blocks, the goodput with them, and what the last one of them is worth."""

    standbys: int
    goodput: float
    worth_per_year: float | None


@dataclass(frozen=True, slots=True)
class SparePlan:
    """Spare blocks: those that suffice at any instant, and the goodput by their number.

    `best` is the number at which one more costs more than it is worth; None without prices, or
    where spares cost nothing. The table is of the protocol chosen; empty where no goodput is known,
    which `why_not` says. All other answers are with the `standbys` that there are, or, where that
    is None, always one.
    """

    block_nodes: int
    confidence: float
    needed: int
    table: tuple[Standbys, ...]
    best: int | None
    standbys: int | None
    why_not: str | None


@dataclass(frozen=True, slots=True)
class Costs:
    """What the job, an hour and a year of its nodes cost, and how much of it is lost.

    A year of the spares is that of those there are, else of those to keep; one of energy is that of
    the job again and again; `all_per_year` is the sum of what is known. `energy` of the job in [J],
    with its price; None without powers, and where none is known, which `why_no_energy` says. Its
    `energy_law` is "constant" where the others are by a forecast: energy is not.
    """

    job: float | None
    job_lost: float | None
    per_hour: float | None
    per_year: float | None
    lost_per_year: float | None
    spares_per_year: float | None
    energy_per_year: float | None
    all_per_year: float | None
    energy: float | None
    energy_cost: float | None
    energy_law: str | None
    why_no_energy: str | None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Mean time of the job, at its best, with one input halved and doubled; [s]."""

    key: str
    value: float
    unit: str
    time_halved: float
    time_doubled: float

    @property
    def swing(self) -> float:
        """Difference of both, [s]."""
        return abs(self.time_doubled - self.time_halved)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a change gains: efficiency [-], and money by the hour and the year where it is known."""

    change: str
    gain: float
    per_hour: float | None
    per_year: float | None


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Value of an input from which on a goal is reached, or another protocol is the best one.

    `side` says whether it must be ``at least`` or ``at most`` that. The value is in `unit`: s,
    bytes/s or -; None where no value reaches the goal, and 0 or inf where every one does. `unknown`
    where the scenario does not say the input.
    """

    key: str
    side: str
    value: float | None
    unit: str
    goal: str
    unknown: bool = False
