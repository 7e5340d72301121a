"""``perfmodel nodes``: how many nodes a job should use, when more of them fail more often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ....answers.questions.nodes import nodes as answer
from ....answers.requests.machines import NodesRequest
from ...lists import Headline, Number, takes_lists
from ...options.example import example
from ...options.filling import fills, options_of
from ...output.progress import doing
from ...output.tables import print_answer


def _headline(answer: Mapping[str, Any]) -> Headline:
    best = answer["best_nodes"]
    row: Mapping[str, Any] = next((each for each in answer["counts"] if each["nodes"] == best), {})
    return Headline(
        {
            "best\nnodes": Number("count", best),
            "speedup": Number("count", row.get("speedup")),
            "interval": Number("duration", row.get("interval_s")),
        }
    )


@takes_lists(NodesRequest, lambda request: answer(request).to_dict(), _headline, per_year=False)
@click.command(
    epilog=example(
        "perfmodel nodes --nodes 100000 --node-mtbf 10y --sequential-share 0.1% \\",
        "    --checkpoint-cost 1min",
    )
)
@options_of(NodesRequest)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@fills(NodesRequest)
def nodes(request: NodesRequest, *, as_json: bool) -> None:
    """Compute how many nodes finish a long job soonest.

    Any failure interrupts the job, which writes checkpoints at its best interval.
    """
    with doing("looking for the best number of nodes"):
        found = answer(request)
    print_answer(found, as_json=as_json)
