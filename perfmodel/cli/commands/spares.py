"""``perfmodel spares``: how many spare nodes keep a machine complete."""

from __future__ import annotations

from functools import partial

import click

from ..options.filling import fills, given, option
from ..options.types import COST, COUNT, DURATION, Wanted
from ..output.tables import print_facts, print_json, print_lines, print_table
from ..requests.fractions import probabilities
from ..requests.machines import SparesRequest
from ..units import DURATIONS, human_duration

__all__ = ["spares"]


CONFIDENCES = Wanted(
    "list", "probabilities with commas between, such as 0.95,0.99 or 95%", probabilities
)
_option = partial(option, SparesRequest)


@click.command()
@_option("--nodes", type=COUNT, help="Nodes that must be up.")
@_option("--node-mtbf", type=DURATION, help="MTBF of one node.")
@click.option("--mtbf", "machine_mtbf", type=DURATION, hidden=True)
@_option("--mttr", type=COST, help="Mean time to repair or replace one.")
@_option(
    "--confidence",
    type=CONFIDENCES,
    help="Probability that the spares suffice at any instant; several with commas.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@fills(SparesRequest)
def spares(request: SparesRequest, *, machine_mtbf: float | None, as_json: bool) -> None:
    """Compute how many spare nodes suffice, with which probability.

    Nodes fail independently; repairs may have any law and do not wait for each other.
    """
    if machine_mtbf is not None:
        raise click.UsageError(_whole_machine(machine_mtbf, request.nodes))
    nodes = given(request.nodes, "--nodes")
    mtbf = given(request.node_mtbf, "--node-mtbf")
    mttr = given(request.mttr, "--mttr")
    from ...parallel import spares_needed

    down = nodes * mttr / mtbf
    if not down <= nodes * 1e3:
        raise click.UsageError(
            f"--mttr must be at most 1000 times --node-mtbf, got {human_duration(mttr)}"
        )
    confidence = request.confidence
    needed = {
        name: int(spares_needed(nodes, mtbf, mttr, value))
        for name, value in zip(confidence.names, confidence.values, strict=True)
    }
    if as_json:
        print_json(
            {
                "nodes": nodes,
                "node_mtbf_s": mtbf,
                "mttr_s": mttr,
                "mean_nodes_down": down,
                "spares": needed,
            }
        )
        return
    print_facts(
        [
            ("nodes", f"{nodes:,}"),
            ("node MTBF", human_duration(mtbf)),
            ("repair", f"{human_duration(mttr)} on average"),
            ("down", f"{down:.4g} nodes on average"),
        ]
    )
    print_lines("")
    rows = [[name, f"{count:,}"] for name, count in needed.items()]
    print_table(["they suffice with probability", "spare nodes"], rows)


def _whole_machine(mtbf: float, nodes: int | None) -> str:
    """Return why the MTBF of a machine is refused, and the MTBF of a node to give."""
    node = f"{human_duration(mtbf)} times the nodes"
    if nodes is not None:
        node = f"--node-mtbf {mtbf * nodes / DURATIONS['h']:.10g}h"
    return (
        "--mtbf must be left out: in every other command it is of the whole machine, and spares "
        f"need that of one node, here {node}"
    )
