"""One table of several plans, with their differences in time and money."""

from __future__ import annotations

import math

from ...planning import Variant
from ...units import human_duration
from .plan import money, protocol_words
from .tables import in_unit, percent, print_lines, print_table, shared_unit

__all__ = ["print_variants"]


def print_variants(variants: tuple[Variant, ...]) -> None:
    """Print a line for each, and the first one that is the fastest or the cheapest."""
    known = [each for each in variants if each.plan.completion is not None]
    times = [_mean(each) for each in known]
    unit, factor = shared_unit(times)
    first = known[0] if known else None
    priced = all(_cost(each) is not None for each in known) and bool(known)
    timed = any(_on_time(each) is not None for each in known)
    headings = [
        *(key.partition(".")[2].replace("_", "\n") for key in variants[0].values),
        "protocol",
        "interval",
        f"time\n[{unit}]",
        "change\n[%]",
        "good-\nput [%]",
        *(["on time\n[%]"] if timed else []),
        *(["cost", "change"] if priced else []),
    ]
    rows = [_row(each, first, factor, timed=timed, priced=priced) for each in variants]
    words = len(variants[0].values) + 1
    if known:
        print_lines(*_answers(known, priced=priced), "")
    print_table(headings, rows, words=words)
    print_lines("", "Changes are those from the first line.")


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


def _row(
    variant: Variant, first: Variant | None, factor: float, *, timed: bool, priced: bool
) -> list[str]:
    values = [str(value) for value in variant.values.values()]
    plan = variant.plan
    if plan.checkpoint is None or plan.goodput is None or first is None:
        more = 3 + timed + 2 * priced
        return [*values, "unknown", "-", *["-"] * more]
    mean, base = _mean(variant), _mean(first)
    row = [
        *values,
        protocol_words(plan.checkpoint.protocol),
        human_duration(plan.checkpoint.interval),
        in_unit(mean, factor),
        f"{100.0 * (mean / base - 1.0):+,.2f}" if math.isfinite(mean) else "endless",
        percent(plan.goodput.value, 2),
    ]
    if timed:
        sure = _on_time(variant)
        row.append("-" if sure is None else percent(sure, 1))
    if priced:
        cost, basis = _cost(variant) or 0.0, _cost(first) or 0.0
        row += [money(cost), f"{'+' if cost >= basis else '-'}{money(abs(cost - basis))}"]
    return row


def _mean(variant: Variant) -> float:
    when = variant.plan.completion
    return math.inf if when is None else when.mean


def _on_time(variant: Variant) -> float | None:
    when = variant.plan.completion
    return None if when is None else when.on_time


def _cost(variant: Variant) -> float | None:
    costs = variant.plan.costs
    return None if costs is None else costs.job
