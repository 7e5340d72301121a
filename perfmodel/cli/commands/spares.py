"""``perfmodel spares``: how many spare nodes keep a machine whole."""

from __future__ import annotations

from typing import Any

import click

from ..options.types import COST, COUNT, DURATION, Wanted
from ..output.tables import print_facts, print_json, print_lines, print_table
from ..units import DURATIONS, human_duration

__all__ = ["spares"]


def _confidences(text: str) -> dict[str, float]:
    found = {}
    for piece in text.split(","):
        name = piece.strip()
        if not name.isascii() or "_" in name:
            raise ValueError
        try:
            value = float(name.removesuffix("%")) / (100.0 if name.endswith("%") else 1.0)
        except ValueError:
            raise ValueError from None
        if not 0.0 <= value < 1.0:
            raise ValueError("not in [0, 1)")
        found[name] = value
    return found


CONFIDENCES = Wanted(
    "list", "probabilities with commas between, such as 0.95,0.99 or 95%", _confidences
)


@click.command()
@click.option("--nodes", type=COUNT, help="Nodes that are to be at work.")
@click.option("--node-mtbf", type=DURATION, help="MTBF of one node.")
@click.option("--mtbf", type=DURATION, hidden=True)
@click.option("--mttr", type=COST, help="Mean time to repair or replace one.")
@click.option(
    "--confidence",
    type=CONFIDENCES,
    default="0.95,0.99,0.999",
    show_default=True,
    help="Probability that the spares suffice at any instant; several with commas.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def spares(confidence: dict[str, float], as_json: bool, **options: Any) -> None:
    """Tell how many spare nodes suffice, with which probability.

    Nodes fail independently; repairs may have any law and do not wait for each other.
    """
    if options["mtbf"] is not None:
        raise click.UsageError(_whole_machine(options["mtbf"], options["nodes"]))
    for name in ("nodes", "node_mtbf", "mttr"):
        if options[name] is None:
            raise click.UsageError(f"--{name.replace('_', '-')} must be given, got none")
    from ...parallel import spares_needed

    nodes, mtbf, mttr = options["nodes"], options["node_mtbf"], options["mttr"]
    down = nodes * mttr / mtbf
    if not down <= nodes * 1e3:
        raise click.UsageError(
            f"--mttr must be at most 1000 times --node-mtbf, got {human_duration(mttr)}"
        )
    needed = {
        name: int(spares_needed(nodes, mtbf, mttr, value)) for name, value in confidence.items()
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
    """Say why the MTBF of a machine is refused, and which of a node it would be."""
    node = f"{human_duration(mtbf)} times the nodes"
    if nodes is not None:
        node = f"--node-mtbf {mtbf * nodes / DURATIONS['h']:.10g}h"
    return (
        "--mtbf must be left out: in every other command it is of the whole machine, and spares "
        f"need that of one node, here {node}"
    )
