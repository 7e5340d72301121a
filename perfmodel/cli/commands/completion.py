"""``perfmodel completion``: how long the job takes, as a distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from ...completion import AbstractCompletionTime
from ..answers.advice import recommended_interval
from ..answers.recorded_gaps import STARTS, play_recorded
from ..options.job import job_of, job_options
from ..options.types import COUNT, DURATION, Wanted
from ..output.provenance import provenance
from ..output.tables import (
    in_unit,
    percent,
    print_facts,
    print_json,
    print_lines,
    print_table,
    shared_unit,
)
from ..setups.job import Job
from ..units import human_duration

__all__ = ["completion"]

MOST_FAILURES = 1e9


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Percentages as they were written, and as fractions."""

    names: tuple[str, ...]
    fractions: tuple[float, ...]


def _percentiles(text: str) -> Percentiles:
    names = tuple(name.strip().removesuffix("%").strip() for name in text.split(","))
    if not all(name.isascii() and "_" not in name for name in names):
        raise ValueError
    try:
        values = [float(name) for name in names]
    except ValueError:
        raise ValueError from None
    if not all(0.0 < value < 100.0 for value in values):
        raise ValueError("not between 0 and 100")
    if "%" not in text and max(values) < 1.0:
        fractions = ",".join(f"{100.0 * value:g}" for value in values)
        percentages = ",".join(f"{name}%" for name in names)
        raise ValueError(
            f"write {fractions} for these fractions, or {percentages} if percent is meant"
        )
    return Percentiles(names, tuple(value / 100.0 for value in values))


PERCENTILES = Wanted("list", "percentages with commas between, such as 50,90,99", _percentiles)


@click.command()
@job_options
@click.option(
    "--interval",
    type=DURATION,
    help="Work between two checkpoints, checkpoint excluded.  [default: the recommended one]",
)
@click.option("--deadline", type=DURATION, help="Time from the start by which to be done.")
@click.option(
    "--percentiles", type=PERCENTILES, default="50,90,99", show_default=True, help="In percent."
)
@click.option(
    "--tasks",
    type=COUNT,
    default="1",
    show_default=True,
    help="Equal tasks side by side, each with this work and MTBF; the slowest counts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
def completion(
    interval: float | None,
    deadline: float | None,
    percentiles: Percentiles,
    tasks: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Tell how long the job takes, as a distribution.

    Percentiles, and the chance to meet a deadline. Exact for exponential failures that strike
    work, checkpoint and recovery. With --log, the job is also begun at many instants of the log
    and meets its failures as they came.
    """
    job = job_of(options)
    asked = {"deadline": deadline, "percentiles": ",".join(percentiles.names), "tasks": tasks}
    if interval is None:
        interval = recommended_interval(job)
    asked["interval"] = interval
    law = _law(job, interval, tasks)
    times = [float(time) for time in law.ppf(percentiles.fractions)]
    chance = None if deadline is None else float(law.cdf(deadline))
    start, untouched = law.atom
    recorded = _Recorded.of(job, interval, percentiles, deadline) if tasks == 1 else None
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
                "tasks": tasks,
                "interval_s": interval,
                "period_s": interval + job.checkpoint_cost,
                **job.plain(),
                **provenance({**options, **asked}, job.mtbf.log.notes if job.mtbf.log else ()),
            }
        )
        return
    print_facts([*job.facts(), ("interval", f"{human_duration(interval)} of work")])
    unit, factor = shared_unit([law.mean, *times])
    names = [
        "mean",
        "standard deviation",
        *(f"{name} % of runs end within" for name in percentiles.names),
    ]
    columns = [[law.mean, law.std, *times]]
    headings = ["slowest task" if tasks > 1 else "completion", f"time\n[{unit}]"]
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
        lines.append(f"Done within {human_duration(deadline)}: with probability {_chance(chance)}.")
    if recorded is not None:
        told = "" if recorded.chance is None else f"; {_chance(recorded.chance)} were done in time"
        lines.append(
            f"Recorded gaps: the job begun at {STARTS:,} instants spread over the log, its "
            f"failures as they came{told}. The other numbers are those of an exponential law."
        )
    print_lines("", *lines)


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What became of the job in its log; times in [s]."""

    mean: float
    std: float
    times: tuple[float, ...]
    chance: float | None

    @classmethod
    def of(
        cls, job: Job, interval: float, percentiles: Percentiles, deadline: float | None
    ) -> _Recorded | None:
        makespans = play_recorded(job, interval)
        if makespans is None:
            return None
        return cls(
            float(makespans.mean()),
            float(makespans.std()),
            tuple(np.quantile(makespans, percentiles.fractions).tolist()),
            None if deadline is None else float(np.mean(makespans <= deadline)),
        )

    def plain(self, percentiles: Percentiles) -> dict[str, Any]:
        return {
            "mean_s": self.mean,
            "std_s": self.std,
            "percentiles_s": dict(zip(percentiles.names, self.times, strict=True)),
            "probability_by_deadline": self.chance,
            "starts": STARTS,
        }


def _chance(probability: float) -> str:
    """Return a percentage that is never rounded to certainty."""
    if 0.99995 < probability < 1.0:
        return "over 99.99 %"
    return f"{percent(probability, 2)} %"


def _law(job: Job, interval: float, tasks: int) -> AbstractCompletionTime:
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
            raise click.UsageError(
                f"the job must end within {MOST_FAILURES:g} failures, got {failures:.3g} on average"
            )
        one = exact_makespan(job.work, interval=interval, **costs)
        return one if tasks == 1 else slowest_of(one, tasks)
