"""``perfmodel forecast``: failures to come by those of a log, and what they do to a job."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...answers.questions.forecast import forecast as answer
from ...answers.requests.forecast import ForecastRequest
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.progress import doing
from ..output.tables import print_answer

_SHOWN = (0.5, 0.9, 0.99)


def _headline(answer: Mapping[str, Any]) -> Headline:
    rows = {row["probability"]: row for row in answer["percentiles"]}
    times = {f"{100.0 * q:g} %": Number("duration", rows[q]["forecast_s"]) for q in _SHOWN}
    times["90 % at a\nconstant rate"] = Number("duration", rows[0.9]["constant_rate_s"])
    chance = answer["probability_by_deadline"]
    return Headline(times | ({} if chance is None else {"in time": Number("chance", chance)}))


@takes_lists(ForecastRequest, lambda request: answer(request).to_dict(), _headline, per_year=False)
@click.command(
    epilog=example("perfmodel forecast failures.csv --work 30d --checkpoint-cost 5min"),
)
@options_of(ForecastRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(ForecastRequest)
def forecast(request: ForecastRequest, *, plot: Path | None, as_json: bool) -> None:
    """Forecast the time of a job that begins where LOG ends.

    Failures of the past count less the older they are, and rates may change: how much of both is
    learnt from LOG. Beside it stands what a constant rate at the mean of LOG would give. With
    --nodes the job has some of the nodes, drawn at random.
    """
    with doing(f"forecasting from {request.log.name}"):
        found = answer(request)
    print_answer(found, plot=plot, as_json=as_json)
