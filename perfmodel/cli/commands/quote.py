"""``perfmodel quote``: by which deadlines one more job can end, each with what probability."""

from __future__ import annotations

import click

from asking.units import human_count, human_duration
from sim.answers import QuoteAnswer, QuoteRequest
from sim.answers import quote as answer

from ...answers.shown import chance, in_unit, shared_unit
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits, machine_limit
from ..output.progress import doing
from ..output.provenance import with_provenance
from ..output.tables import print_facts, print_json, print_lines, print_table

_OF_SWEEPS = ("within_accuracy", "seeds", "until", "metric", "workers")


@click.command(
    cls=Grouped,
    epilog=example("perfmodel quote jobs.swf --processors 512 --nodes 64 --runtime 6h --at 3d"),
)
@options_of(QuoteRequest, but=_OF_SWEEPS)
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(QuoteRequest)
def quote(request: QuoteRequest, *, as_json: bool) -> None:
    """Offer one more job its deadlines: by one with a probability, by a later one with more.

    The jobs of LOG that were submitted before it have been promised theirs, each the first that
    reaches --confidence, and hold their nodes.
    """
    with doing(f"replaying {request.log.name}"):
        found = answer(request)
    if as_json:
        print_json(with_provenance(found.to_dict(), found.request))
    else:
        _show(found)


def _show(found: QuoteAnswer) -> None:
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(found.notes)]
    request = found.request
    words = f"{human_duration(request.runtime or 0.0)} on {human_count(request.nodes or 0, 'node')}"
    before = human_count(found.before, "job")
    facts += [
        ("machine", human_count(found.parts.processors, "processor")),
        ("job", f"{words}, submitted after {human_duration(found.at)} and {before}"),
    ]
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(offer.deadline_s for offer in found.offers)
    print_table(
        [f"done within\n[{unit}]", "probability\n[%]", f"starts after\n[{unit}]"],
        [
            [
                in_unit(offer.deadline_s, factor),
                chance(offer.probability, 2),
                in_unit(offer.start_s, factor),
            ]
            for offer in found.offers
        ],
        words=0,
    )
    print_lines("", "Any other deadline is later than one that is promised with as much.")
