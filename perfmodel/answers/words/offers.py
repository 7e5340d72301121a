"""Offers side by side: which to take, time, money and risk of each, and what turns the order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asking.units import human_duration

from ...planning import Plan
from ...planning.offers import Turn, alike, cost_of_job, ranked
from ...protocols.table import protocol_of
from ..shown import Heading, Lines, Part, Table, change, in_unit, money, percent, shared_unit
from .headlines import Headline
from .inputs import value_words
from .plan import amount, probability

_UNITS = {"machine.bandwidth": "bytes/s"}


def offer_parts(
    names: Sequence[str],
    plans: Sequence[Plan],
    tables: Sequence[Mapping[str, Any]],
    turns: Sequence[Turn],
) -> Iterator[Part]:
    """Yield the offers as one answer."""
    yield Heading("Which to take")
    yield Lines.of(*_answers(names, plans))
    yield from _times(names, plans)
    yield from _risks(names, plans)
    yield from _money(names, plans)
    yield Heading("What turns the order")
    yield from _turns(names, plans, turns)
    yield Heading("What differs")
    yield from _differences(names, tables)


def offer_headlines(names: Sequence[str], plans: Sequence[Plan]) -> Iterator[Headline]:
    """Yield which offer is the cheapest, which the fastest and which the surest."""
    by, order = ranked(plans)
    if by == "cost" and plans[order[0]].completion is not None:
        cost, currency = cost_of_job(plans[order[0]]) or 0.0, plans[0].scenario.prices.currency
        yield Headline("Cheapest", names[order[0]], f"{money(cost)} {currency} for the job")
    known = [at for at, each in enumerate(plans) if each.completion is not None]
    if known:
        fastest = min(known, key=lambda at: _mean(plans[at]))
        mean = f"{human_duration(_mean(plans[fastest]))} on average"
        yield Headline("Fastest", names[fastest], mean)
    goodputs = {at: each.goodput.value for at, each in enumerate(plans) if each.goodput is not None}
    if goodputs:
        best = max(goodputs, key=goodputs.__getitem__)
        yield Headline("Highest goodput", names[best], f"{percent(goodputs[best], 1)} %")


def _answers(names: Sequence[str], plans: Sequence[Plan]) -> Iterator[str]:
    by, order = ranked(plans)
    first = order[0]
    known = [at for at, each in enumerate(plans) if each.completion is not None]
    if len(known) < len(plans):
        missing = ", ".join(name for at, name in enumerate(names) if at not in known)
        yield f"Unknown, as the scenario does not say enough: {missing}."
    if first not in known:
        return
    when = plans[first].completion
    assert when is not None
    if by == "cost":
        currency = plans[first].scenario.prices.currency
        yield _cheapest(names, [cost_of_job(each) or 0.0 for each in plans], order, currency)
    yield _fastest(names, plans, known)
    sure = [at for at in known if _on_time(plans[at]) is not None]
    if sure:
        yield _surest(names, plans, sure)
    if by == "time" and any(cost_of_job(each) is not None for each in plans):
        why = (
            "not all have a price, in one currency"
            if len(known) == len(plans)
            else "not all are known"
        )
        yield f"Costs are not compared: {why}."


def _cheapest(
    names: Sequence[str], costs: Sequence[float], order: Sequence[int], currency: str
) -> str:
    """Say which offer is the cheapest and by how much, or that several cost the same."""
    first, second = order[:2]
    least = f"{money(costs[first])} {currency} for the job"
    if alike(costs[first], costs[second]):
        level = [names[at] for at in order if alike(costs[first], costs[at])]
        return f"{_listed(level)} cost the same: {least}."
    less = money(costs[second] - costs[first])
    return f"{names[first]} is the cheapest: {least}, {less} less than {names[second]}."


def _fastest(names: Sequence[str], plans: Sequence[Plan], known: Sequence[int]) -> str:
    """Say which offer is the fastest and what the next one takes, or that several are as fast."""
    fastest, *rest = sorted(known, key=lambda at: _mean(plans[at]))
    least = _mean(plans[fastest])
    time = f"{human_duration(least)} on average"
    level = [names[at] for at in rest if alike(least, _mean(plans[at]))]
    if level:
        return f"{_listed([names[fastest], *level])} are as fast: {time}."
    later = [f", {names[at]} {human_duration(_mean(plans[at]))}" for at in rest[:1]]
    return f"{names[fastest]} is the fastest: {time}{''.join(later)}."


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}"


def _surest(names: Sequence[str], plans: Sequence[Plan], sure: Sequence[int]) -> str:
    """Say which offer is the surest to keep its deadline, or that all are as sure."""
    safest = max(sure, key=lambda at: _on_time(plans[at]) or 0.0)
    when = plans[safest].completion
    assert when is not None
    end = human_duration(when.deadline or 0.0)
    chances = {probability(_on_time(plans[at]) or 0.0) for at in sure}
    if len(chances) == 1 and len(sure) > 1:
        return f"Each ends within {end} with a probability of {chances.pop()} %."
    chance = probability(_on_time(plans[safest]) or 0.0)
    return f"{names[safest]} is the surest to end within {end}: {chance} %."


def _times(names: Sequence[str], plans: Sequence[Plan]) -> Iterator[Part]:
    unit, factor = shared_unit(_mean(each) for each in plans)
    first, rows = _mean(plans[0]), []
    for name, plan in zip(names, plans, strict=True):
        best, goodput = plan.checkpoint, plan.goodput
        if best is None or goodput is None:
            rows.append([name, "unknown", *["-"] * 4])
            continue
        rows.append(
            [
                name,
                protocol_of(best.protocol).known_as,
                human_duration(best.interval),
                in_unit(_mean(plan), factor),
                change(_mean(plan), first),
                percent(goodput.value, 2),
            ]
        )
    yield Lines.of("Time:")
    headings = [
        "offer",
        "checkpoints",
        "interval",
        f"time\n[{unit}]",
        "change\n[%]",
        "goodput\n[%]",
    ]
    yield Table.of(headings, rows, words=2)


def _risks(names: Sequence[str], plans: Sequence[Plan]) -> Iterator[Part]:
    asked = [each.q for each in plans[0].completion.percentiles] if plans[0].completion else []
    every = [
        []
        if each.completion is None
        else [row.time for row in each.completion.percentiles if row.q in asked]
        for each in plans
    ]
    times = [time for row in every for time in row]
    if not times:
        return
    unit, factor = shared_unit(times)
    headings = ["offer", *(f"{100.0 * q:g} % end\nwithin [{unit}]" for q in asked)]
    timed = any(_on_time(each) is not None for each in plans)
    limited = any(each.mtbf is not None and each.mtbf.low is not None for each in plans)
    headings += ["on time\n[%]"] * timed + ["at the low\nMTBF [%]"] * (timed and limited)
    rows = []
    for name, plan, found in zip(names, plans, every, strict=True):
        row = [name, *(in_unit(time, factor) for time in found)]
        row += ["-"] * (1 + len(asked) - len(row))
        when = plan.completion
        chances = [None, None] if when is None else [when.on_time, when.on_time_low]
        row += [
            "-" if each is None else probability(each)
            for each in chances[: timed + (timed and limited)]
        ]
        rows.append(row)
    yield Lines.of("Risk:")
    yield Table.of(headings, rows)


def _money(names: Sequence[str], plans: Sequence[Plan]) -> Iterator[Part]:
    if all(cost_of_job(each) is None for each in plans):
        return
    currencies = list(dict.fromkeys(each.scenario.prices.currency for each in plans))
    one = len(currencies) == 1
    parts: list[tuple[str, list[float | None]]] = [
        ("the job", [cost_of_job(each) for each in plans])
    ]
    for words, field in (
        ("nodes\na year", "per_year"),
        ("spares\na year", "spares_per_year"),
        ("energy\na year", "energy_per_year"),
        ("all\na year", "all_per_year"),
        ("lost\na year", "lost_per_year"),
    ):
        values = [None if each.costs is None else getattr(each.costs, field) for each in plans]
        if any(value is not None for value in values):
            parts.append((words, values))
    headings = ["offer", *([] if one else ["currency"]), *(words for words, _ in parts)]
    rows = []
    for at, (name, plan) in enumerate(zip(names, plans, strict=True)):
        row = [name, *([] if one else [plan.scenario.prices.currency])]
        for _, values in parts:
            value = values[at]
            row.append("-" if value is None else money(value))
        rows.append(row)
    where = f" in {currencies[0]}" if one else ""
    yield Lines.of(f"Money{where}; the job is charged for nodes, spares and energy while it runs:")
    yield Table.of(headings, rows, words=1 if one else 2)


def _turns(names: Sequence[str], plans: Sequence[Plan], turns: Sequence[Turn]) -> Iterator[Part]:
    by, order = ranked(plans)
    second = names[order[1]]
    goals = [cost_of_job(plans[at]) if by == "cost" else _mean(plans[at]) for at in order[:2]]
    if alike(goals[0] or 0.0, goals[1] or 0.0):
        yield Lines.of("Nothing: the two best are alike.")
        return
    if plans[order[1]].completion is None:
        yield Lines.of(f"Unknown, as {second} is.")
        return
    what = "as cheap as" if by == "cost" else "as fast as"
    if not turns:
        yield Lines.of(
            f"No single input, changed by up to a hundred times, makes {second} {what} "
            f"{names[order[0]]}."
        )
        return
    yield Lines.of(
        f"One input changed makes {second} {what} {names[order[0]]}, the smallest change first:"
    )
    yield Table.of(
        ["input", "of", "now", "turns at", "factor"],
        [
            [
                row.key,
                "both" if row.of is None else names[row.of],
                _amount(row.key, row.now),
                _amount(row.key, row.value),
                f"{row.value / row.now:.3g}",
            ]
            for row in turns
        ],
        words=2,
    )


def _amount(key: str, value: float) -> str:
    section, _, name = key.partition(".")
    if section == "prices":
        return f"{value:,.4g}" if value < 1e4 else money(value)
    if name in {"static_power", "compute_power"}:
        return f"{value:,.4g} W"
    if name == "size":
        return amount(value, "bytes/s", digits=3).removesuffix("/s")
    if name == "failure_rate":
        return f"{value * 86_400_000.0:,.4g}/1000node-days"
    return amount(value, _UNITS.get(key, "s"), digits=3)


def _differences(names: Sequence[str], tables: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    flat = [
        {
            f"{section}.{key}": value_words(value)
            for section, table in each.items()
            if isinstance(table, Mapping)
            for key, value in table.items()
        }
        for each in tables
    ]
    keys = dict.fromkeys(key for each in flat for key in each)
    rows = [
        [key, *(each.get(key, "-") for each in flat)]
        for key in keys
        if len({each.get(key, "-") for each in flat}) > 1
    ]
    if not rows:
        yield Lines.of("Nothing.")
        return
    yield Table.of(["input", *names], rows, words=1 + len(names))


def _mean(plan: Plan) -> float:
    return math.inf if plan.completion is None else plan.completion.mean


def _on_time(plan: Plan) -> float | None:
    return None if plan.completion is None else plan.completion.on_time
