"""``perfmodel spares``: spare nodes that keep a machine complete, or a job on blocks busy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...answers.known.estimates import Mtbf
from ...answers.questions.spares import BlocksAnswer
from ...answers.questions.spares import spares as answer
from ...answers.refusals import Field, Refused, Said
from ...answers.requests.fractions import probabilities
from ...answers.requests.machines import SparesRequest
from ...answers.shown import percent
from ...estimate import CONFIDENCE
from ...units import DURATIONS, human_duration
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..options.types import (
    DURATION,
    Wanted,
)
from ..output.tables import print_facts, print_json, print_lines, print_table

if TYPE_CHECKING:
    from ...answers.parts.standbys import Needed, StandbyAnswer

__all__ = ["spares"]


CONFIDENCES = Wanted(
    "list", "probabilities with commas between, such as 0.95,0.99 or 95%", probabilities
)
GOODPUTS = Wanted("list", "shares with commas between, such as 0.8,0.9 or 90%", probabilities)
_LIMITS = ("lower limit", "upper limit")  # of what is needed, or kept


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
    found = answer(request)
    if isinstance(found, BlocksAnswer):
        if plot is not None:
            _plot_blocks(request, found.found, plot)
        if as_json:
            print_json(found.to_dict())
        else:
            _print_blocks(found.found, found.limits)
        return
    nodes, mtbf, mttr, seen, needed = (
        *(found.nodes, found.node_mtbf, found.mttr),
        *(found.seen, found.spares),
    )
    down, few_many = found.nodes_down, found.spares_at_limits
    if plot is not None:
        from ..figures.answers import plot_spares

        plot_spares(nodes, mtbf, mttr, dict(needed), plot)
    if as_json:
        print_json(found.to_dict())
        return
    print_facts(
        [
            *_log_of(seen),
            ("nodes", f"{nodes:,}"),
            ("node MTBF", human_duration(mtbf) + _basis(seen, nodes)),
            ("repair", f"{human_duration(mttr)} on average"),
            ("down", f"{down:.4g} nodes on average"),
        ]
    )
    print_lines("")
    rows = [
        [name, f"{count:,}", *(f"{at[name]:,}" for at in few_many)]
        for name, count in needed.items()
    ]
    heads = ["they suffice with probability", "spare nodes"]
    print_table(heads + [f"{head}\nof {CONFIDENCE:.0%}" for head in _LIMITS if few_many], rows)


def _refuse_machine_mtbf(request: SparesRequest, mtbf: float | None) -> None:
    """Refuse the MTBF of the machine, which every other command takes."""
    if mtbf is None:
        return
    if request.blocks is not None:
        raise Refused(
            "{} must be left out: give that of a block, {}", Field("mtbf"), Field("block_mtbf")
        )
    raise _whole_machine(mtbf, request.nodes)


def _plot_blocks(request: SparesRequest, found: StandbyAnswer, plot: Path) -> None:
    """Draw the goodput of fewer and of more standbys, too."""
    from ...answers.parts.standbys import answered
    from ...standbys.two_stage import MOST_STAGED
    from ...standbys.wait import MOST_STANDBYS
    from ..figures.answers import plot_standbys

    needed = {each.wanted: each.standbys for each in found.needed}
    most = max([found.standbys or 0, *(count for count in needed.values() if count is not None)])
    ends = min(most + 3, (MOST_STAGED if found.staged else MOST_STANDBYS) + 1)
    goodputs = [answered(replace(request, standbys=count)).goodput or 0.0 for count in range(ends)]
    plot_standbys(goodputs, needed, plot)


def _print_blocks(found: StandbyAnswer, limits: tuple[StandbyAnswer, ...]) -> None:
    facts = [
        *_log_of(found.seen),
        ("blocks", f"{found.blocks:,}"),
        ("job's MTBF", human_duration(found.job_mtbf_s) + _basis(found.seen, 1)),
        ("down", f"{found.blocks_down:.4g} blocks on average if none is ever missing"),
        ("checkpoint", f"after every {human_duration(found.interval_s)} of work"),
        *_most(found),
    ]
    if found.standbys is not None and found.goodput is not None:
        facts += [("standbys", f"{found.standbys:,}"), *_stops(found)]
        goodput = f"{percent(found.goodput, 2)} % of the time"
        if limits:
            ends = " to ".join(
                f"{percent(each.goodput, 2)} %" for each in limits if each.goodput is not None
            )
            goodput += f"; within the limits of the MTBF: {ends}"
        facts += [("goodput", goodput)]
    if found.waiting_goodput is not None:
        facts += [("if it waits", f"{percent(found.waiting_goodput, 2)} % of the time")]
    if found.work_s is not None:
        takes = "longer than can be computed"
        if found.makespan_s is not None:
            takes = f"{human_duration(found.makespan_s)} on average"
        facts += [(f"{human_duration(found.work_s)} of work", takes)]
    print_facts(facts)
    if not found.needed:
        return
    print_lines("")
    rows = [
        [
            each.wanted,
            _count(each),
            "-" if each.goodput is None else percent(each.goodput, 2),
            *(_count(at.needed[place]) for at in reversed(limits)),
        ]
        for place, each in enumerate(found.needed)
    ]
    heads = ["goodput wanted", "standby blocks", "goodput\n[%]"]
    print_table(heads + [f"{head}\nof {CONFIDENCE:.0%}" for head in _LIMITS if limits], rows)


def _count(needed: Needed) -> str:
    if needed.more_than is not None:
        return f"more than {needed.more_than}"
    return "none suffice" if needed.standbys is None else f"{needed.standbys:,}"


def _log_of(seen: Mtbf | None) -> list[tuple[str, str]]:
    return [("log", "\n".join(seen.log.notes))] if seen and seen.log else []


def _basis(seen: Mtbf | None, nodes: int) -> str:
    """Return from which failures an MTBF is known, and its limits for `nodes` times as long."""
    if seen is None:
        return ""
    words = f" ({seen.words})"
    if seen.failures and seen.low is not None and seen.high is not None:
        low, high = (human_duration(nodes * limit) for limit in (seen.low, seen.high))
        words += f"; {CONFIDENCE:.0%} confidence: {low} to {high}"
    return words


def _most(found: StandbyAnswer) -> list[tuple[str, str]]:
    """Return what standbys without end would give, where that is known."""
    if found.staged:
        return []
    most = "crews do not keep up with the failures"
    if found.most is not None:
        most = f"{percent(found.most, 2)} % of the time, with a standby for every failure"
    return [("most goodput", most)]


def _stops(found: StandbyAnswer) -> list[tuple[str, str]]:
    """Return how long a failure stops a job that waits."""
    if found.staged or found.may_miss:
        return []
    stop = "ever longer"
    if found.mean_stop_s is not None:
        stop = f"{human_duration(found.mean_stop_s)} per failure on average"
    return [("stop", stop)]


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
