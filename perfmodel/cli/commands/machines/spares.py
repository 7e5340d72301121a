"""``perfmodel spares``: spare nodes that keep a machine complete, or a job on blocks busy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from asking.refusals import Field, Refused, Said
from asking.units import DURATIONS, human_duration

from ....answers.questions.spares import spares as answer
from ....answers.requests.fractions import probabilities
from ....answers.requests.machines import SparesRequest
from ...figures import plot_option
from ...lists import Headline, Number, takes_lists
from ...options.example import example
from ...options.filling import fills, options_of
from ...options.limits import log_limits
from ...options.types import (
    DURATION,
    Wanted,
)
from ...output.progress import doing
from ...output.tables import print_answer

CONFIDENCES = Wanted(
    "list", "probabilities with commas between, such as 0.95,0.99 or 95%", probabilities
)
GOODPUTS = Wanted("list", "shares with commas between, such as 0.8,0.9 or 90%", probabilities)


def _headline(answer: Mapping[str, Any]) -> Headline:
    if "spares" in answer:
        return Headline(
            {f"spares\n{name}": Number("count", n) for name, n in answer["spares"].items()}
        )
    numbers = {
        f"standbys\n{name}": Number("count", each["standbys"])
        for name, each in answer.get("needed", {}).items()
    }
    if "waiting_goodput" in answer:
        numbers["if it\nwaits"] = Number("share", answer["waiting_goodput"])
    return Headline(numbers, useful=answer.get("goodput"), time=answer.get("mean_makespan_s"))


@takes_lists(SparesRequest, lambda request: answer(request).to_dict(), _headline)
@click.command(epilog=example("perfmodel spares --nodes 2048 --node-mtbf 6666h --mttr 48h"))
@options_of(SparesRequest)
@click.option("--mtbf", "machine_mtbf", type=DURATION, hidden=True)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@fills(SparesRequest)
def spares(
    request: SparesRequest, *, machine_mtbf: float | None, plot: Path | None, as_json: bool
) -> None:
    """Compute how many spare nodes suffice, with which probability.

    Nodes fail independently; repairs may have any law and do not wait for each other.

    With --blocks: the goodput of a job on blocks of nodes with --standbys, and how many it takes
    for a --goodput. The job waits where there is none, or goes on with fewer blocks (--may-miss);
    repairs are exponential, or have two stages (--automatic-time, --manual-time, --escalated).
    With --work: the mean time of one job.

    With --failures and --observed, or a --log, in place of an MTBF: also what its confidence limits
    leave open.
    """
    _refuse_machine_mtbf(request, machine_mtbf)
    with doing("computing how many spares suffice"):
        found = answer(request)
    print_answer(found, plot=plot, as_json=as_json)


def _refuse_machine_mtbf(request: SparesRequest, mtbf: float | None) -> None:
    """Refuse the MTBF of the machine, which every other command takes."""
    if mtbf is None:
        return
    if request.blocks is not None:
        raise Refused(
            "{} must be left out: give that of a block, {}", Field("mtbf"), Field("block_mtbf")
        )
    raise _whole_machine(mtbf, request.nodes)


def _whole_machine(mtbf: float, nodes: int | None) -> Refused:
    """Return why the MTBF of a machine is refused, and the MTBF of a node to give."""
    node = Said("{} times the nodes", human_duration(mtbf))
    if nodes is not None:
        node = Said("{} {:.10g}h", Field("node_mtbf"), mtbf * nodes / DURATIONS["h"])
    return Refused(
        "{} must be left out: in every other command it is of the whole machine, and spares "
        "need that of one node, here {}",
        *(Field("mtbf"), node),
    )
