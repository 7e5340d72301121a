"""``perfmodel forecast``: failures to come by those of a log, and what they do to a job."""

from __future__ import annotations

import click

from ...answers.questions.forecast import forecast as answer
from ...answers.requests.forecast import ForecastRequest
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits
from ..output.tables import print_json, print_parts

__all__ = ["forecast"]


@click.command(
    cls=Grouped,
    epilog=example("perfmodel forecast failures.csv --work 30d --checkpoint-cost 5min"),
)
@options_of(ForecastRequest)
@log_limits
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(ForecastRequest)
def forecast(request: ForecastRequest, *, as_json: bool) -> None:
    """Forecast the time of a job that begins where LOG ends.

    Failures of the past count less the older they are, and rates may change: how much of both is
    learnt from LOG. Beside it stands what a constant rate at the mean of LOG would give.
    """
    found = answer(request)
    if as_json:
        print_json(found.to_dict())
    else:
        print_parts(found.parts())
