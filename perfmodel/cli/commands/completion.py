"""``perfmodel completion``: how long the job takes, as a distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from ...answers.known.job import Job, filled, job_of
from ...answers.known.repairs import repairs_of
from ...answers.logs.recorded_gaps import STARTS, play_recorded
from ...answers.parts.advice import recommended_interval
from ...answers.refusals import Field, Refused
from ...answers.requests.fractions import Fractions, percentages
from ...answers.requests.job import CompletionRequest
from ...answers.requests.repairs import repair_law
from ...answers.shown import in_unit, percent, shared_unit
from ...completion import AbstractCompletionTime
from ...lifetimes import AbstractLifetime
from ...units import human_duration
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, option
from ..options.job import job_options
from ..options.types import COUNT, DURATION, Wanted
from ..output.provenance import provenance
from ..output.tables import print_facts, print_json, print_lines, print_table

__all__ = ["completion"]

MOST_FAILURES = 1e9
_MOST_COUNTED = 1000  # failures from which on the MTBF counts as known
_MOST_IN_JOB = 1e4  # of uncertain number


PERCENTILES = Wanted("list", "percentages with commas between, such as 50,90,99", percentages)
REPAIR_LAW = Wanted(
    "law",
    "log, or exponential, gamma, hyperexponential, lognormal or weibull with its mean and cv, or "
    "shape, such as lognormal:mean=2h,cv=4",
    repair_law,
)
_option = partial(option, CompletionRequest)


def _headline(answer: Mapping[str, Any]) -> Headline:
    mean, work = answer["mean_s"], answer["work_s"]
    times = {
        f"{name} %": Number("duration", time) for name, time in answer["percentiles_s"].items()
    }
    chance = answer["probability_by_deadline"]
    in_time = {} if chance is None else {"in time": Number("share", chance)}
    return Headline(
        {**times, **in_time},
        time=mean,
        useful=None if mean is None else work / mean,
        per_hour=answer["price_per_hour"],
    )


@takes_lists(_headline)
@click.command(
    epilog=example("perfmodel completion --mtbf 8h --checkpoint-cost 6min --deadline 9d")
)
@job_options
@_option(
    "--downtime-law",
    type=REPAIR_LAW,
    help="Random downtimes: lognormal:mean=2h,cv=4 and the like, or log for those of the --log.",
)
@_option(
    "--interval",
    type=DURATION,
    help="Work between two checkpoints, checkpoint excluded.  [default: the recommended one]",
)
@_option("--deadline", type=DURATION, help="Time from the start by which to be done.")
@_option("--percentiles", type=PERCENTILES, help="In percent.")
@_option(
    "--tasks",
    type=COUNT,
    help="Equal tasks side by side, each with this work and MTBF; the slowest counts.",
)
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(CompletionRequest)
def completion(request: CompletionRequest, *, plot: Path | None, as_json: bool) -> None:
    """Predict how long the job takes, as a distribution.

    Percentiles, and the chance to meet a deadline. Exact for exponential failures that strike
    work, checkpoint and recovery. With --log, the job is also started at many instants of the
    log and struck by the failures recorded there. With --failures or --log, the law that leaves
    the MTBF as uncertain as the count of failures does stands beside the one of the estimate.
    """
    request = filled(asked := request)
    job, repairs = _job_and_repairs(request, asked)
    interval = recommended_interval(job) if request.interval is None else request.interval
    deadline, percentiles, tasks = request.deadline, request.percentiles, request.tasks
    law = _law(job, interval, tasks, repairs)
    times = [float(time) for time in law.ppf(percentiles.values)]
    chance = None if deadline is None else float(law.cdf(deadline))
    start, untouched = law.atom
    recorded = _Recorded.of(job, interval, percentiles, deadline, repairs) if tasks == 1 else None
    unsure = _unsure(job, interval, repairs) if tasks == 1 else None
    later = [] if unsure is None else [float(time) for time in unsure.ppf(percentiles.values)]
    unsure_chance = None if unsure is None or deadline is None else float(unsure.cdf(deadline))
    if plot is not None:
        from ..figures.answers import plot_completion

        plot_completion(law, plot, uncertain=unsure, deadline=deadline)
    if as_json:
        print_json(
            {
                "mean_s": law.mean,
                "std_s": law.std,
                "percentiles_s": dict(zip(percentiles.names, times, strict=True)),
                "deadline_s": deadline,
                "probability_by_deadline": chance,
                "atom": [start, untouched],
                "gaps_of_the_log": None if recorded is None else recorded.plain(percentiles),
                "mtbf_uncertain": None
                if unsure is None
                else {
                    "mean_s": unsure.mean,
                    "std_s": unsure.std,
                    "percentiles_s": dict(zip(percentiles.names, later, strict=True)),
                    "probability_by_deadline": unsure_chance,
                },
                "tasks": tasks,
                "downtime_law": None if request.downtime_law is None else str(request.downtime_law),
                "downtime_std_s": 0.0 if repairs is None else repairs.std,
                "interval_s": interval,
                "period_s": interval + job.checkpoint_cost,
                **job.plain(),
                **provenance(
                    replace(
                        request,
                        interval=interval,
                        downtime=request.downtime if repairs is None else 0.0,
                    ),
                    job.mtbf.log.notes if job.mtbf.log else (),
                ),
            }
        )
        return
    random = (
        []
        if repairs is None
        else [("law of downtime", f"{request.downtime_law}, cv {math.sqrt(repairs.scv):.3g}")]
    )
    print_facts([*job.facts(), *random, ("interval", f"{human_duration(interval)} of work")])
    unit, factor = shared_unit([law.mean, *times])
    names = [
        "mean",
        "standard deviation",
        *(f"{name} % of runs end within" for name in percentiles.names),
    ]
    columns = [[law.mean, law.std, *times]]
    headings = ["slowest task" if tasks > 1 else "completion", f"time\n[{unit}]"]
    if unsure is not None:
        columns.append([unsure.mean, unsure.std, *later])
        headings.append(f"MTBF uncertain\n[{unit}]")
    if recorded is not None:
        columns.append([recorded.mean, recorded.std, *recorded.times])
        headings.append(f"recorded gaps\n[{unit}]")
    print_lines("")
    print_table(
        headings,
        [
            [name, *(in_unit(value, factor) for value in values)]
            for name, *values in zip(names, *columns, strict=True)
        ],
    )
    who = f"{tasks:,} tasks" if tasks > 1 else "The job"
    lines = [
        f"{who} without any failure: {human_duration(start)}, "
        f"with probability {_chance(untouched)}."
    ]
    if deadline is not None and chance is not None:
        by = _chance(chance)
        if unsure_chance is not None:
            by = f"{by}; {_chance(unsure_chance)} with the MTBF uncertain"
        lines.append(f"Done within {human_duration(deadline)}: with probability {by}.")
    if unsure is not None:
        lines.append(
            "MTBF uncertain: an average over all MTBFs that the number of failures in "
            f"{human_duration(job.mtbf.observed or 0.0)}, {job.mtbf.failures:,}, allows."
        )
    if recorded is not None:
        in_time = (
            "" if recorded.chance is None else f"; {_chance(recorded.chance)} were done in time"
        )
        lines.append(
            f"Recorded gaps: the job started at {STARTS:,} instants spread over the log and struck "
            f"by the failures recorded there{in_time}. The other numbers are those of an "
            "exponential law."
        )
    print_lines("", *lines)


@dataclass(frozen=True, slots=True)
class _Recorded:
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
        repairs: AbstractLifetime | None,
    ) -> _Recorded | None:
        makespans = play_recorded(job, interval, repairs)
        if makespans is None:
            return None
        return cls(
            float(makespans.mean()),
            float(makespans.std()),
            tuple(np.quantile(makespans, percentiles.values).tolist()),
            None if deadline is None else float(np.mean(makespans <= deadline)),
        )

    def plain(self, percentiles: Fractions) -> dict[str, Any]:
        return {
            "mean_s": self.mean,
            "std_s": self.std,
            "percentiles_s": dict(zip(percentiles.names, self.times, strict=True)),
            "probability_by_deadline": self.chance,
            "starts": STARTS,
        }


def _chance(probability: float) -> str:
    """Return a percentage; one below 100 is never rounded to 100."""
    if 0.99995 <= probability < 1.0:
        return "over 99.99 %"
    return f"{percent(probability, 2)} %"


def _job_and_repairs(
    request: CompletionRequest, asked: CompletionRequest
) -> tuple[Job, AbstractLifetime | None]:
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


def _unsure(
    job: Job, interval: float, repairs: AbstractLifetime | None
) -> AbstractCompletionTime | None:
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
            interval=interval,
            checkpoint_cost=job.checkpoint_cost,
            recovery_cost=job.recovery_cost,
            downtime=job.downtime if repairs is None else repairs,
        )


def _law(
    job: Job, interval: float, tasks: int, repairs: AbstractLifetime | None
) -> AbstractCompletionTime:
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
            raise Refused(
                "the job must end within {:g} failures, got {:.3g} on average",
                MOST_FAILURES,
                failures,
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
