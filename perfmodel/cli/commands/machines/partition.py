"""``perfmodel partition``: which machines to use for a parallel job, and how much work for each."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from asking.refusals import Field, Refused

from ....answers.questions.partition import StrategiesAnswer
from ....answers.questions.partition import partition as answer
from ....answers.requests.machines import PartitionRequest
from ...figures import draw_in, plot_option
from ...lists import Headline, Number, takes_lists
from ...options.example import example
from ...options.filling import fills, options_of
from ...options.limits import machine_limit
from ...output.progress import doing
from ...output.tables import print_answer


def _headline(answer: Mapping[str, Any]) -> Headline:
    if "strategies" in answer:
        means = {each["algorithm"]: each["expected_time_s"] for each in answer["strategies"]}
        numbers = {name: Number("duration", mean) for name, mean in means.items()}
        return Headline(numbers, time=means[answer["best"]])
    return Headline(
        {"machines": Number("count", answer["processes"])}, time=answer["expected_time_s"]
    )


@takes_lists(PartitionRequest, lambda request: answer(request).to_dict(), _headline, per_year=False)
@click.command(epilog=example("perfmodel partition machines.csv --work 1e5h"))
@options_of(PartitionRequest)
@machine_limit
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the shares as CSV, in seconds.")
@fills(PartitionRequest)
def partition(request: PartitionRequest, *, plot: Path | None, as_json: bool, as_csv: bool) -> None:
    """Share a parallel job out among unequal machines.

    They differ in speed and reliability. MACHINES is a CSV with columns speed and mtbf, and if
    you have them mttr, mttr_cv (or mttr_std), interval, checkpoint_cost and name. Durations have
    a unit in each cell (500h) or in the header (mtbf [h]). With --algorithm all, rules are compared
    as in Table 1 of wsj.
    """
    if as_json and as_csv:
        raise Refused("{} must come without {}, got both", Field("json"), Field("csv"))
    with doing("sharing out the job"):
        found = answer(request)
    if plot is not None:
        if isinstance(found, StrategiesAnswer):
            raise Refused("{} must come with one {}, got more", Field("plot"), Field("algorithm"))
        draw_in(plot, found.plot)
    if as_csv:
        rows = list(found.rows())
        writer = csv.DictWriter(sys.stdout, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return
    print_answer(found, as_json=as_json)
