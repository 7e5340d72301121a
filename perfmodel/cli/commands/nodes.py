"""``perfmodel nodes``: how many nodes a job should use, when more of them fail more often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ...answers.questions.nodes import NodeCount
from ...answers.questions.nodes import nodes as answer
from ...answers.requests.machines import NodesRequest
from ...units import human_duration
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..output.tables import print_facts, print_json, print_lines, print_table

__all__ = ["nodes"]

_HOPELESS = 0.01  # a speedup, over one node that never fails


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
    found = answer(request)
    best, most, rows = found.best, found.most, found.counts
    if as_json:
        print_json(found.to_dict())
        return
    print_facts(
        [
            ("nodes", f"up to {most:,}"),
            ("node MTBF", human_duration(found.node_mtbf)),
            ("sequential", f"{100.0 * found.sequential_share:.4g} % of the work"),
            ("speedup", f"by {request.law.capitalize()}'s law, if nothing failed"),
        ]
    )
    print_lines("")
    headings = ["nodes", "MTBF", "best interval", "speedup", "without\nfailures"]
    print_table(headings, [_row(row, best if found.finishes else 0) for row in rows])
    if found.finishes:
        print_lines("", *_advice(best, most, max(row.speedup for row in rows)))
    else:
        print_lines("", "No number of nodes finishes the job: they fail before a checkpoint ends.")


def _advice(best: int, most: int, speedup: float) -> list[str]:
    """Say how many nodes to use, and whether that gets far."""
    lines = [f"Use {best:,} of {most:,} nodes."]
    if best == most:
        lines = ["Use the one node." if most == 1 else f"Use all {most:,} nodes."]
    if speedup < _HOPELESS:
        lines.append("Yet even so they fail so often that the job hardly advances.")
    return lines


def _row(row: NodeCount, best: int) -> list[str]:
    return [
        f"{row.nodes:,}{' *' if row.nodes == best else ''}",
        human_duration(row.mtbf_s),
        human_duration(row.interval_s),
        f"{row.speedup:,.5g}",
        f"{row.speedup_without_failures:,.5g}",
    ]
