"""How long a job takes, as a distribution."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.plain import strict
from asking.refusals import Field, Refused
from asking.units import DURATIONS, human_duration

from ..known.job import Job, filled, job_of
from ..known.outlook import Outlook
from ..known.repairs import repairs_of
from ..known.unforeseen import Unforeseen
from ..logs.recorded_gaps import STARTS, play_recorded
from ..parts.advice import recommended_interval
from ..parts.foretold import Foretold, foretold, outlook_for
from ..requests.fractions import Fractions
from ..requests.job import CompletionRequest
from ..shown import (
    Answer,
    Facts,
    Lines,
    Part,
    Table,
    chance,
    in_unit,
    money,
    never_by,
    percent,
    shared_unit,
)

if TYPE_CHECKING:
    from ...completion import CompletionTime
    from ...lifetimes import Lifetime

MOST_FAILURES = 1e9
_MOST_COUNTED = 1000  # failures from which on the MTBF counts as known
_MOST_IN_JOB = 1e4  # of uncertain number


@dataclass(frozen=True, slots=True)
class Recorded:
    """Makespans of the job among the failures of its log; times in [s]."""

    mean: float
    std: float
    times: tuple[float, ...]
    chance: float | None

    @classmethod
    def of(
        cls,
        job: Job,
        interval: float,
        percentiles: Fractions,
        deadline: float | None,
        repairs: Lifetime | None,
    ) -> Recorded | None:
        """Play the job in its log; None where there is none, or it hardly ever ends."""
        makespans = play_recorded(job, interval, repairs)
        if makespans is None:
            return None
        return cls(
            float(makespans.mean()),
            float(makespans.std()),
            tuple(np.quantile(makespans, percentiles.values).tolist()),
            None if deadline is None else float(np.mean(makespans <= deadline)),
        )

    def to_dict(self, percentiles: Fractions) -> dict[str, Any]:
        """Return the numbers under unit-named keys."""
        return {
            "mean_s": self.mean,
            "std_s": self.std,
            "percentiles_s": dict(zip(percentiles.names, self.times, strict=True)),
            "probability_by_deadline": self.chance,
            "starts": STARTS,
        }


@dataclass(frozen=True, slots=True, eq=False)
class CompletionAnswer(Answer):
    """The law of the time until a job is done, and what is read from it; times in [s].

    `law` is that of the slowest of `tasks` at a constant rate; `uncertain` mixes over all MTBFs
    that a count of failures allows, `recorded` are starts of the job in its log; None where there
    is neither. `interval` is the work between checkpoints, `repairs` the law of downtimes, if one
    was given. `foretold` is what a log says of the rate to come, `unforeseen` why it does not;
    both are empty at `rate="constant"`.
    """

    job: Job
    law: CompletionTime
    interval: float
    percentiles: Fractions
    times: tuple[float, ...]
    deadline: float | None
    chance: float | None
    tasks: int
    repairs: Lifetime | None
    downtime_law: str | None
    recorded: Recorded | None
    uncertain: CompletionTime | None
    uncertain_times: tuple[float, ...]
    uncertain_chance: float | None
    foretold: Foretold | None = None
    unforeseen: Unforeseen = field(default_factory=Unforeseen)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel completion --json`` has it."""
        names, unsure = self.percentiles.names, None
        if self.uncertain is not None:
            unsure = {
                "mean_s": self.uncertain.mean,
                "std_s": self.uncertain.std,
                "percentiles_s": dict(zip(names, self.uncertain_times, strict=True)),
                "probability_by_deadline": self.uncertain_chance,
            }
        constant = {
            "mean_s": self.law.mean,
            "std_s": self.law.std,
            "percentiles_s": dict(zip(names, self.times, strict=True)),
            "probability_by_deadline": self.chance,
        }
        ours, said = constant, self.unforeseen.plain()
        if self.foretold is not None:
            ours = {
                "mean_s": self.foretold.mean,
                "std_s": self.foretold.std,
                "percentiles_s": dict(zip(names, self.foretold.times, strict=True)),
                "probability_by_deadline": self.foretold.chance,
            }
            said = {**self.foretold.plain(), "constant_rate": constant}
        found: dict[str, Any] = {
            **said,
            "mean_s": ours["mean_s"],
            "std_s": ours["std_s"],
            "percentiles_s": ours["percentiles_s"],
            "deadline_s": self.deadline,
            "probability_by_deadline": ours["probability_by_deadline"],
            "atom": list(self.law.atom),
            "gaps_of_the_log": None
            if self.recorded is None
            else self.recorded.to_dict(self.percentiles),
            "mtbf_uncertain": unsure,
            "tasks": self.tasks,
            "downtime_law": self.downtime_law,
            "downtime_std_s": 0.0 if self.repairs is None else self.repairs.std,
            "interval_s": self.interval,
            "period_s": self.interval + self.job.checkpoint_cost,
            **self.job.plain(),
        }
        return dict(strict(found))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield mean, standard deviation and percentiles by every law."""
        kinds = ("completion_s", "mtbf_uncertain_s", "recorded_gaps_s")
        if self.foretold is not None:
            kinds = ("completion_s", "constant_rate_s", "recorded_gaps_s")
        for name, values in self._quantities():
            yield {"quantity": name} | {
                kind: value for kind, value in zip(kinds, values, strict=True) if value is not None
            }

    def parts(self) -> Iterator[Part]:
        """Yield the job, mean and percentiles of its time, and the chance to be done in time."""
        repairs, job = self.repairs, self.job
        random: list[tuple[str, str]] = []
        if repairs is not None:
            spread = f"{self.downtime_law}, cv {math.sqrt(repairs.scv):.3g}"
            random = [("law of downtime", spread)]
        between = f"{human_duration(self.interval)} of work"
        to_come = [] if self.foretold is None else self.foretold.outlook.facts()
        yield Facts.of([*job.facts(), *to_come, *random, ("interval", between)])
        unit, factor = shared_unit([self.law.mean, *self.times])
        headings = ["slowest task" if self.tasks > 1 else "completion"]
        if self.foretold is None:
            headings += [f"time\n[{unit}]"]
            headings += [f"MTBF uncertain\n[{unit}]"] if self.uncertain is not None else []
        else:
            headings += [f"{self.foretold.outlook.title}\n[{unit}]", f"constant rate\n[{unit}]"]
        headings += [f"recorded gaps\n[{unit}]"] if self.recorded is not None else []
        yield Table.of(
            headings,
            [
                [name, *(in_unit(value, factor) for value in values if value is not None)]
                for name, values in self._quantities()
            ],
        )
        yield Lines.of(*self._sentences())

    def _quantities(self) -> Iterator[tuple[str, tuple[float | None, ...]]]:
        """Yield each quantity by its law, with the MTBF uncertain or constant, and by gaps."""
        first: CompletionTime | Foretold = self.law
        beside: CompletionTime | None = self.uncertain
        times, others = self.times, self.uncertain_times
        if self.foretold is not None:
            first, beside = self.foretold, self.law
            times, others = self.foretold.times, self.times
        seen = self.recorded
        for name, of in (("mean", "mean"), ("standard deviation", "std")):
            more = (None if each is None else getattr(each, of) for each in (beside, seen))
            yield name, (getattr(first, of), *more)
        for place, name in enumerate(self.percentiles.names):
            later = None if beside is None else others[place]
            recorded = None if seen is None else seen.times[place]
            yield f"{name} % of runs end within", (times[place], later, recorded)

    def _sentences(self) -> Iterator[str]:
        start, untouched = self.law.atom
        who = f"{self.tasks:,} tasks" if self.tasks > 1 else "The job"
        yield (
            f"{who} without any failure: {human_duration(start)}, "
            f"with probability {chance(untouched, 2)} %{self._at_constant_rate}."
        )
        if self.job.hourly_price is not None and self.tasks == 1:
            mean = (self.law if self.foretold is None else self.foretold.law).mean
            price = self.job.hourly_price / DURATIONS["h"]
            yield (
                f"The job costs {money(mean * price)} on average, "
                f"{money((mean - self.job.work) * price)} of it for checkpoints and failures."
            )
        if self.deadline is not None and self.chance == 0.0 and self.deadline < start:
            yield never_by(self.deadline)
        elif self.deadline is not None and self.chance is not None:
            by = f"{chance(self.chance, 2)} %"
            if self.foretold is not None and self.foretold.chance is not None:
                how = self.foretold.outlook.by
                by = f"{chance(self.foretold.chance, 2)} % {how}; {by} at a constant rate"
            if self.uncertain_chance is not None:
                by = f"{by}; {chance(self.uncertain_chance, 2)} % with the MTBF uncertain"
            yield f"Done within {human_duration(self.deadline)}: with probability {by}."
        if self.uncertain is not None:
            mtbf = self.job.mtbf
            yield (
                "MTBF uncertain: an average over all MTBFs that the number of failures in "
                f"{human_duration(mtbf.observed or 0.0)}, {mtbf.failures:,}, allows."
            )
        if self.recorded is not None:
            in_time = ""
            if self.recorded.chance is not None:
                in_time = f"; {percent(self.recorded.chance, 2)} % were done in time"
            yield (
                f"Recorded gaps: the job started at {STARTS:,} instants spread over the log and "
                f"struck by the failures recorded there{in_time}.{self._others}"
            )
        elif not self.job.on_all_nodes:
            yield self.job.other_gaps
        if self.foretold is not None:
            yield from self.foretold.sentences()
        yield from self.unforeseen.reasons()

    @property
    def _at_constant_rate(self) -> str:
        return "" if self.foretold is None else " at a constant rate"

    @property
    def _others(self) -> str:
        return "" if self.foretold else " The other numbers are those of an exponential law."

    def plot(self, ax: Any = None) -> Any:
        """Draw the probability to be done by each time."""
        from ..drawn import completion_figure, forecast_figure

        if self.foretold is not None:
            return forecast_figure(
                self.foretold.law,
                self.law,
                self.foretold.past,
                name=self.foretold.outlook.title,
                deadline=self.deadline,
                ax=ax,
            )
        return completion_figure(self.law, uncertain=self.uncertain, deadline=self.deadline, ax=ax)


def completion(request: CompletionRequest) -> CompletionAnswer:
    """Predict how long a job takes, as a distribution.

    Parameters
    ----------
    request : CompletionRequest
        The job, its machine, a deadline and percentiles; durations in [s].

    Returns
    -------
    CompletionAnswer
        The law, its percentiles, and the chance to meet the deadline.

    Raises
    ------
    Refused
        If the MTBF or the checkpoint comes in no form or in several, a field has no effect, or the
        job hardly ever ends.

    Examples
    --------
    >>> from perfmodel.answers import CompletionRequest, completion
    >>> job = CompletionRequest(mtbf=28_800.0, checkpoint_cost=360.0, deadline=8.5 * 86_400.0)
    >>> round(completion(job).chance, 4)
    0.9419
    """
    known = filled(request)
    job, repairs = _job_and_repairs(known, request)
    deadline, percentiles, tasks = known.deadline, known.percentiles, known.tasks
    found = _outlook(job, known, repairs)
    work, ours = known.interval, None
    if isinstance(found, Unforeseen):
        work = recommended_interval(job) if work is None else work
    else:
        work = found.interval(job)[0] if work is None else work
        ours = foretold(found, work, percentiles=percentiles.values, deadline=deadline)
    law = _law(job, work, tasks, repairs)
    alone = tasks == 1
    unsure = _unsure(job, work, repairs) if alone and ours is None else None
    return CompletionAnswer(
        job=job,
        law=law,
        interval=work,
        percentiles=percentiles,
        times=_percentiles(law, percentiles),
        deadline=deadline,
        chance=None if deadline is None else float(law.cdf(deadline)),
        tasks=tasks,
        repairs=repairs,
        downtime_law=None if known.downtime_law is None else str(known.downtime_law),
        recorded=Recorded.of(job, work, percentiles, deadline, repairs) if alone else None,
        uncertain=unsure,
        uncertain_times=() if unsure is None else _percentiles(unsure, percentiles),
        uncertain_chance=None
        if unsure is None or deadline is None
        else float(unsure.cdf(deadline)),
        foretold=ours,
        unforeseen=found if isinstance(found, Unforeseen) else Unforeseen(),
    )


def _outlook(job: Job, known: CompletionRequest, repairs: Lifetime | None) -> Outlook | Unforeseen:
    """Return the outlook, or why there is none; empty if none is asked."""
    if known.rate == "constant" or job.mtbf.log is None:
        return Unforeseen()
    if known.tasks > 1:
        return Unforeseen("it is of one task")
    return outlook_for(job, log_nodes=known.log_nodes, repairs=repairs)


def _percentiles(law: CompletionTime, wanted: Fractions) -> tuple[float, ...]:
    return tuple(float(time) for time in law.ppf(wanted.values))


def _job_and_repairs(
    request: CompletionRequest, asked: CompletionRequest
) -> tuple[Job, Lifetime | None]:
    """Return the job, and the law of its downtimes, whose mean is then the downtime of the job."""
    job = job_of(request)
    if request.downtime_law is None:
        return job, None
    if asked.says("downtime"):
        raise Refused("{} must come without {}, got both", Field("downtime_law"), Field("downtime"))
    repairs = repairs_of(request.downtime_law, job)
    if not math.isfinite(repairs.mean):
        raise Refused(
            "{} must have a mean that floats hold, got {}", Field("downtime_law"), repairs
        )
    return replace(job, downtime=repairs.mean), repairs


def _unsure(job: Job, interval: float, repairs: Lifetime | None) -> CompletionTime | None:
    """Return the law under all MTBFs that a count of failures allows; None without a count."""
    failures, observed = job.mtbf.failures, job.mtbf.observed
    if failures is None or observed is None or failures > _MOST_COUNTED:
        return None
    if job.work > _MOST_IN_JOB * job.mtbf.value:
        return None
    from ...completion import predictive_makespan

    with np.errstate(all="ignore"):
        return predictive_makespan(
            job.work,
            failures=failures,
            observed_time=observed,
            truncation=job.mtbf.truncation,
            interval=interval,
            checkpoint_cost=job.checkpoint_cost,
            recovery_cost=job.recovery_cost,
            downtime=job.downtime if repairs is None else repairs,
        )


def _law(job: Job, interval: float, tasks: int, repairs: Lifetime | None) -> CompletionTime:
    """Return the law of the slowest task, or refuse one that hardly ever ends."""
    from ...completion import exact_makespan
    from ...makespan import expected_makespan
    from ...parallel import slowest_of

    # A failure in 1e15 runs is below rounding, and rarer ones would overflow.
    costs = job.costs_at(min(job.mtbf.value, 1e15 * job.work))
    with np.errstate(all="ignore"):
        mean = float(expected_makespan(job.work, interval=interval, **costs))
        failures = mean / costs["mtbf"]
        if not failures <= MOST_FAILURES:
            many = f"{failures:.3g}" if math.isfinite(failures) else "endlessly many"
            raise Refused(
                "the job must end within {:g} failures, got {} on average", MOST_FAILURES, many
            )
        one = exact_makespan(
            job.work,
            interval=interval,
            mtbf=costs["mtbf"],
            checkpoint_cost=costs["checkpoint_cost"],
            recovery_cost=costs["recovery_cost"],
            downtime=costs["downtime"] if repairs is None else repairs,
        )
        return one if tasks == 1 else slowest_of(one, tasks)
