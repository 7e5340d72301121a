"""``perfmodel completion``: how long the job takes, as a distribution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ...answers.known.job import filled
from ...answers.questions.completion import CompletionAnswer
from ...answers.questions.completion import completion as answer
from ...answers.requests.fractions import percentages
from ...answers.requests.job import CompletionRequest
from ...answers.requests.repairs import repair_law
from ..figures import draw_in, plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..options.types import Wanted
from ..output.progress import doing
from ..output.provenance import provenance
from ..output.tables import print_json, print_parts

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
    in_time = {} if chance is None else {"in time": Number("chance", chance)}
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
    with doing("computing how long the job takes"):
        found = answer(request)
    if plot is not None:
        draw_in(plot, found.plot)
    if as_json:
        print_json(_plain(request, found))
    else:
        print_parts(found.parts())
