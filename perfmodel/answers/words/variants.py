"""One table of several plans, with their differences in time and money."""

from __future__ import annotations

import math
from collections.abc import Iterator

from asking.units import human_duration

from ...planning import Variant
from ...protocols.table import protocol_of
from ..shown import Lines, Part, Table, change, in_unit, money, percent, shared_unit
from .plan import probability


def variant_parts(variants: tuple[Variant, ...]) -> Iterator[Part]:
    """Yield which is the fastest and which the cheapest, then a line for each."""
    known = [each for each in variants if each.plan.completion is not None]
    if not known:
        yield Lines.of("Nothing can be compared: all of these need what the scenario does not say.")
        return
    priced = all(_cost(each) is not None for each in known)
    yield Lines.of(*_answers(known, priced=priced))
    keys = [key.partition(".")[2].replace("_", "\n") for key in variants[0].values]
    yield from _times(variants, known, keys)
    if priced:
        yield from _money(variants, known, keys)
    yield Lines.of("Changes are those from the first line.")


def _times(variants: tuple[Variant, ...], known: list[Variant], keys: list[str]) -> Iterator[Part]:
    """Yield protocol, interval and time of each."""
    unit, factor = shared_unit(_mean(each) for each in known)
    timed = any(_on_time(each) is not None for each in known)
    headings = [*keys, "protocol", "interval", f"time\n[{unit}]", "change\n[%]", "goodput\n[%]"]
    if timed:
        headings.append("on time\n[%]")
    first, rows = _mean(known[0]), []
    for each in variants:
        row, plan = _texts(each), each.plan
        if plan.checkpoint is None or plan.goodput is None:
            rows.append([*row, "unknown", *["-"] * (4 + timed)])
            continue
        row += [
            protocol_of(plan.checkpoint.protocol).short,
            human_duration(plan.checkpoint.interval),
        ]
        row += [in_unit(_mean(each), factor), change(_mean(each), first)]
        row.append(percent(plan.goodput.value, 2))
        if timed:
            sure = _on_time(each)
            row.append("-" if sure is None else probability(sure))
        rows.append(row)
    best = next(place for place, each in enumerate(variants) if each is min(known, key=_mean))
    yield Table.of(headings, rows, words=len(keys) + 1, best=best)


def _money(variants: tuple[Variant, ...], known: list[Variant], keys: list[str]) -> Iterator[Part]:
    """Yield what the job costs with each, and what is lost in a year."""
    first, rows = _cost(known[0]) or 0.0, []
    for each in variants:
        cost, costs = _cost(each), each.plan.costs
        if cost is None or costs is None:
            rows.append([*_texts(each), *["-"] * 4])
            continue
        sign = "+" if cost >= first else "-"
        lost, yearly = costs.lost_per_year or 0.0, costs.per_year or 0.0
        more = f"{sign}{money(abs(cost - first))}"
        rows.append([*_texts(each), money(cost), more, money(yearly), money(lost)])
    currency = known[0].plan.scenario.prices.currency
    yield Lines.of(f"Costs in {currency}:")
    headings = [*keys, "the job", "change", "a year of\nthe nodes", "lost in\na year"]
    yield Table.of(headings, rows, words=len(keys))


def _texts(variant: Variant) -> list[str]:
    return [str(value) for value in variant.values.values()]


def _answers(known: list[Variant], *, priced: bool) -> list[str]:
    """Say which of them is the fastest, and which the cheapest."""
    fastest = min(known, key=_mean)
    lines = [f"Fastest: {_values(fastest)}, {human_duration(_mean(fastest))} on average."]
    if priced:
        cheapest = min(known, key=lambda each: _cost(each) or 0.0)
        currency = cheapest.plan.scenario.prices.currency
        cost = money(_cost(cheapest) or 0.0)
        lines.append(f"Cheapest: {_values(cheapest)}, {cost} {currency} for the job.")
    return lines


def _values(variant: Variant) -> str:
    return ", ".join(f"{key} {value}" for key, value in variant.values.items())


def _mean(variant: Variant) -> float:
    when = variant.plan.completion
    return math.inf if when is None else when.mean


def _on_time(variant: Variant) -> float | None:
    when = variant.plan.completion
    return None if when is None else when.on_time


def _cost(variant: Variant) -> float | None:
    costs = variant.plan.costs
    return None if costs is None else costs.job
