"""What a plan comes to at a glance: a title, and a few numbers in the order in which one asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from asking.units import human_duration

from ...planning import Plan
from ...protocols.table import protocol_of
from ..shown import percent
from .plan import interval_limits, large_money, probability

_GAIN = 5e-5  # of the efficiency, below which a change is worth no word


@dataclass(frozen=True, slots=True)
class Headline:
    """One number in words: what it is, the number, and what there is to say of it."""

    name: str
    number: str
    more: str


def title_of(plan: Plan) -> str:
    """Return the title of a scenario, or a sentence of what is planned."""
    if plan.scenario.title is not None:
        return plan.scenario.title
    nodes, work = plan.scenario.machine.nodes, plan.scenario.job.work
    if work is None and plan.job is not None:
        work = plan.job.work
    job = f"{human_duration(work)} of work" if work is not None else "A job"
    where = "" if nodes is None else f" on {nodes:,} node{'s' * (nodes > 1)}"
    if plan.completion is None:
        key = plan.break_evens[0].key if plan.break_evens else "what is missing"
        return f"{job}{where}: what {key} must be"
    return f"{job}{where}, done in {human_duration(plan.completion.mean)}"


def headlines(plan: Plan) -> Iterator[Headline]:
    """Yield what to do, the goodput, the end, what a year costs, and what would help most."""
    best, goodput, when = plan.checkpoint, plan.goodput, plan.completion
    if best is None or goodput is None or when is None:
        for row in plan.break_evens[:1]:
            if row.unknown:
                yield Headline(f"Unknown: {row.key}", *_needed(plan))
        return
    what = protocol_of(best.protocol)
    number = f"every {human_duration(best.interval)}"
    if best.interval >= (plan.job.work if plan.job is not None else float("inf")):
        number = "none"
    yield Headline(f"Checkpoints ({what.known_as})", number, _between(plan))
    more = ""
    if goodput.low is not None:
        high = "or more" if goodput.high is None else f"to {percent(goodput.high, 1)} %"
        more = f"{percent(goodput.low, 1)} {high} {_within(plan)}"
    yield Headline("Goodput", f"{percent(goodput.value, 1)} %", more)
    yield _end(plan)
    cost = _cost(plan)
    if cost is not None:
        yield cost
    gains = [each for each in plan.worth if each.gain > _GAIN]
    if gains:
        most = gains[0]
        more = f"{100.0 * most.gain:+.2f} points of goodput"
        if most.per_year is not None:
            currency = plan.scenario.prices.currency
            more += f", worth {large_money(most.per_year)} {currency} a year"
        yield Headline("What would help most", most.change, more)


def _within(plan: Plan) -> str:
    return f"within the limits of the MTBF{' to come' if plan.by else ''}"


def _needed(plan: Plan) -> tuple[str, str]:
    from .plan import side_of

    row = plan.break_evens[0]
    return side_of(row), f"so that {row.goal}"


def _between(plan: Plan) -> str:
    best = plan.checkpoint
    assert best is not None
    if limits := interval_limits(best):
        return f"{limits} {_within(plan)}"
    return "" if best.steps is None else f"{best.steps:,} step{'s' * (best.steps > 1)}"


def _end(plan: Plan) -> Headline:
    when = plan.completion
    assert when is not None
    mean = f"{human_duration(when.mean)} on average{plan.by}"
    if when.deadline is not None and when.on_time is not None:
        more = f"{mean}"
        if when.on_time_low is not None:
            high = when.on_time_high
            upper = "or more" if high is None else f"to {probability(high)} %"
            more += f"; {probability(when.on_time_low)} {upper} within the limits of the MTBF"
        chance = f"{probability(when.on_time)} %"
        return Headline(f"Done within {human_duration(when.deadline)}", chance, more)
    sure = [each for each in when.percentiles if each.q >= 0.9]
    if sure:
        each = sure[0]
        words = f"{100.0 * each.q:g} % of such jobs end within {human_duration(each.time)}"
        return Headline("Done in", human_duration(when.mean), f"on average{plan.by}; {words}")
    return Headline("Done in", human_duration(when.mean), f"on average{plan.by}")


def _cost(plan: Plan) -> Headline | None:
    costs, currency = plan.costs, plan.scenario.prices.currency
    if costs is None or costs.all_per_year is None:
        return None
    pieces = [
        f"{large_money(value)} {what}"
        for value, what in (
            (costs.per_year, "nodes"),
            (costs.spares_per_year, "spares"),
            (costs.energy_per_year, f"energy{' at a constant rate' if costs.energy_law else ''}"),
        )
        if value is not None
    ]
    more = ", ".join(pieces) if len(pieces) > 1 else ""
    if costs.lost_per_year is not None:
        more += f"{'; ' * bool(more)}{large_money(costs.lost_per_year)} of the nodes lost"
    return Headline("Cost a year", f"{large_money(costs.all_per_year)} {currency}", more)
