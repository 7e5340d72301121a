"""``perfmodel goodput``: the share of its time that advances a training run, and the rest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...answers.parts.training import ASYNCHRONOUS, IN_MEMORY
from ...answers.questions.goodput import goodput as answer
from ...answers.requests.training import GoodputRequest
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.progress import doing
from ..output.tables import print_answer

# Changes that are asked for by an option, as a table of several runs calls them.
_SHOWN = {ASYNCHRONOUS: "asynchronous", IN_MEMORY: "in memory"}


def _headline(answer: Mapping[str, Any]) -> Headline:
    numbers = {"interval": Number("duration", answer["interval_s"])}
    for change in answer["changes"]:
        if (name := _SHOWN.get(change["change"])) is not None:
            numbers[f"{name}\ninterval"] = Number("duration", change["interval_s"])
            numbers[f"{name}\ngoodput"] = Number("share", change["goodput"])
    return Headline(
        numbers,
        useful=answer["goodput"],
        per_hour=answer["price_per_hour"],
    )


@takes_lists(GoodputRequest, lambda request: answer(request).to_dict(), _headline)
@click.command(
    epilog=example("perfmodel goodput --preset llama-3-405b --detection 5min --warm-up 2min")
)
@options_of(GoodputRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(GoodputRequest)
def goodput(request: GoodputRequest, *, plot: Path | None, as_json: bool) -> None:
    """Compute the goodput of a training run, and its losses by class.

    --recovery-cost is to read a checkpoint back; --downtime to place the run on nodes again.
    Neither --downtime, --detection nor --queue can be struck by a further failure.
    """
    with doing("computing the goodput"):
        found = answer(request)
    print_answer(found, plot=plot, as_json=as_json)
