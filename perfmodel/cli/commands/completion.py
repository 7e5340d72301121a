"""``perfmodel completion``: how long the job takes, as a distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ...answers.known.job import filled
from ...answers.logs.recorded_gaps import STARTS
from ...answers.questions.completion import CompletionAnswer
from ...answers.questions.completion import completion as answer
from ...answers.requests.fractions import percentages
from ...answers.requests.job import CompletionRequest
from ...answers.requests.repairs import repair_law
from ...answers.shown import in_unit, percent, shared_unit
from ...units import human_duration
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..options.types import Wanted
from ..output.provenance import provenance
from ..output.tables import print_facts, print_json, print_lines, print_table

__all__ = ["completion"]


PERCENTILES = Wanted("list", "percentages with commas between, such as 50,90,99", percentages)
REPAIR_LAW = Wanted(
    "law",
    "log, or exponential, gamma, hyperexponential, lognormal or weibull with its mean and cv, or "
    "shape, such as lognormal:mean=2h,cv=4",
    repair_law,
)


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


def _plain(request: CompletionRequest, found: CompletionAnswer) -> dict[str, Any]:
    """Return the answer for JSON, with what it rests on."""
    log = found.job.mtbf.log
    asked = replace(
        filled(request),
        interval=found.interval,
        downtime=request.downtime if found.repairs is None else 0.0,
    )
    return {**found.to_dict(), **provenance(asked, log.notes if log else ())}


@takes_lists(CompletionRequest, lambda request: _plain(request, answer(request)), _headline)
@click.command(
    epilog=example("perfmodel completion --mtbf 8h --checkpoint-cost 6min --deadline 9d")
)
@options_of(CompletionRequest)
@log_limits
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
    found = answer(request)
    law, unsure, recorded, job = found.law, found.uncertain, found.recorded, found.job
    deadline, percentiles, tasks = found.deadline, found.percentiles, found.tasks
    times, later, chance = found.times, found.uncertain_times, found.chance
    unsure_chance, repairs = found.uncertain_chance, found.repairs
    start, untouched = law.atom
    if plot is not None:
        from ..figures.answers import plot_completion

        plot_completion(law, plot, uncertain=unsure, deadline=deadline)
    if as_json:
        print_json(_plain(request, found))
        return
    random = (
        []
        if repairs is None
        else [("law of downtime", f"{request.downtime_law}, cv {math.sqrt(repairs.scv):.3g}")]
    )
    print_facts([*job.facts(), *random, ("interval", f"{human_duration(found.interval)} of work")])
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


def _chance(probability: float) -> str:
    """Return a percentage; one below 100 is never rounded to 100."""
    if 0.99995 <= probability < 1.0:
        return "over 99.99 %"
    return f"{percent(probability, 2)} %"
