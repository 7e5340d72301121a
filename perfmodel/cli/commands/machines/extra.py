"""``perfmodel extra``: what one more node should do, work, repeat or wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ....answers.questions.extra import extra as answer
from ....answers.requests.machines import ExtraRequest
from ...lists import Headline, Number, takes_lists
from ...options.example import example
from ...options.filling import fills, options_of
from ...output.progress import doing
from ...output.tables import print_answer


def _headline(answer: Mapping[str, Any]) -> Headline:
    times = {use["use"]: use["expected_time_s"] for use in answer["uses"]}
    numbers = {use: Number("duration", times[use]) for use in ("worker", "replica", "spare")}
    return Headline(numbers, time=times[answer["best"]])


@takes_lists(ExtraRequest, lambda request: answer(request).to_dict(), _headline, per_year=False)
@click.command(
    epilog=example(
        "perfmodel extra --nodes 100 --work 6400h --node-mtbf 512h --downtime 4h \\",
        "    --checkpoint-cost 12min",
    )
)
@options_of(ExtraRequest)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@fills(ExtraRequest)
def extra(request: ExtraRequest, *, as_json: bool) -> None:
    """Compare uses of one more node: as a worker, as a replica and as a spare.

    The job ends with the slowest of its tasks, one on each node; a failure stops its own node
    only, until it is repaired. No failure strikes while a checkpoint is written: one that takes
    long beside the work makes the times too short.
    """
    with doing("comparing uses of one more node"):
        found = answer(request)
    print_answer(found, as_json=as_json)
