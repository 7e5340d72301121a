"""``perfmodel interval``: how often to write a checkpoint, by every rule, and what each costs."""

from __future__ import annotations

import math
from dataclasses import asdict
from functools import partial
from typing import Any, cast

import click

from ...makespan.asynchronous import InFlight
from ..answers.advice import Advice, advise
from ..answers.asynchronous import Drained, drained
from ..answers.levels import Layered, layered
from ..answers.protocols import compared, plain
from ..options.filling import fills, option, typed
from ..options.job import as_typed, job_options
from ..options.types import DURATION, LEVEL, OneOf
from ..output.protocols import print_protocols
from ..output.tables import (
    in_unit,
    percent,
    print_facts,
    print_json,
    print_lines,
    print_table,
    shared_unit,
)
from ..requests.job import IntervalRequest
from ..setups.job import job_of
from ..units import DURATIONS, human_duration

__all__ = ["interval"]

_FRACTIONS = {0.25: "1/4", 0.5: "1/2"}


_option = partial(option, IntervalRequest)


@click.command()
@job_options
@_option(
    "--async-latency",
    type=DURATION,
    help="Time from a copy of --checkpoint-cost until it is durable; the job goes on meanwhile.",
)
@_option(
    "--snapshot-cost",
    type=DURATION,
    help="Time of that copy, if it is not --checkpoint-cost.",
)
@_option(
    "--in-flight",
    type=OneOf(("overlap", "single_buffer", "skip")),
    help="What a checkpoint does that falls due before the last is durable.",
)
@_option(
    "--level",
    "levels",
    type=LEVEL,
    multiple=True,
    help="A copy that survives a share of the failures, below --checkpoint-cost; repeatable.",
)
@_option("--compare", is_flag=True, help="Compare protocols: which is best, by how much.")
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(IntervalRequest)
def interval(request: IntervalRequest, *, as_json: bool) -> None:
    """Recommend how much work to do between two checkpoints.

    The interval is work, the checkpoint excluded: period = interval + checkpoint cost. Durations
    need a unit: ns, us, ms, s, min, h, d, w or y (365.25 days), also together as in 2d12h.
    """
    advice = advise(job_of(as_typed(request)))
    later = None
    for flag in ("--in-flight", "--snapshot-cost"):
        if typed(flag) and request.async_latency is None:
            raise click.UsageError(f"{flag} needs --async-latency")
    if request.async_latency is not None:
        copy = request.snapshot_cost or advice.job.checkpoint_cost
        rule = cast("InFlight", request.in_flight)
        later = drained(advice.job, copy, request.async_latency, rule)
    pattern = layered(advice.job, request.levels) if request.levels else None
    protocols = compared(advice.job, request) if request.compare else None
    if as_json:
        more: dict[str, Any] = {} if later is None else {"asynchronous": asdict(later)}
        if pattern is not None:
            more["levels"] = asdict(pattern)
        if protocols is not None:
            more["protocols"] = plain(protocols)
        print_json({**advice.plain(), **more})
        return
    print_facts(advice.job.facts())
    print_lines("")
    _print_rules(advice)
    print_lines(
        "",
        f"All for {human_duration(advice.job.work)} of work. Best segments are equal ones; exact "
        "is the best interval of a much longer job, which need not divide this one.",
        "",
        *_recommendation(advice),
        *([] if later is None else _asynchronous(advice, later)),
        *([] if pattern is None else _levels(pattern)),
        "",
    )
    if protocols is not None:
        print_protocols(protocols)
        print_lines("")
    print_lines(
        "What this interval costs if the true MTBF is another:",
        "",
    )
    _print_mistakes(advice)


def _print_rules(advice: Advice) -> None:
    short, short_factor = shared_unit(rule.interval_s for rule in advice.rules)
    long, long_factor = shared_unit(rule.expected_makespan_s for rule in advice.rules)
    headings = [
        "rule",
        f"interval\n[{short}]",
        f"period\n[{short}]",
        f"makespan\n[{long}]",
        "efficiency\n[%]",
        "regret\n[%]",
        "in\nrange",
    ]
    rows = [
        [
            rule.rule.replace("_", " ").replace("first", "1st"),
            in_unit(rule.interval_s, short_factor),
            in_unit(rule.period_s, short_factor),
            in_unit(rule.expected_makespan_s, long_factor),
            percent(rule.efficiency, 2),
            percent(rule.regret),
            "yes" if rule.valid else "no",
        ]
        for rule in advice.rules
    ]
    if advice.job.price is not None:
        headings.append("cost of\nwaste")
        for row, rule in zip(rows, advice.rules, strict=True):
            row.append("-" if rule.waste_cost is None else f"{rule.waste_cost:,.0f}")
    print_table(headings, rows)


def _recommendation(advice: Advice) -> list[str]:
    best, minute = advice.best, DURATIONS["min"]
    if advice.segments == 1:
        lines = ["This job is so short that a checkpoint before its end does not pay."]
    else:
        lines = [
            f"Checkpoint after every {best.interval_s / minute:,.4g} min of work"
            f"{_in_what(advice)}: one every {best.period_s / minute:,.4g} min while nothing fails."
        ]
        if _step_is_longer(advice):
            lines.append(
                f"A step of {human_duration(advice.job.step_time or 0.0)} is longer than that: "
                "checkpoint after every step."
            )
    exact = next(rule for rule in advice.rules if rule.rule == "exact")
    long, here = (f"{rule.interval_s / minute:,.4g} min" for rule in (exact, best))
    if long != here:
        lines.append(f"A job of no known length: every {long}.")
    if advice.low is not None and advice.high is not None:
        upper = "or more"
        if math.isfinite(advice.high):
            upper = f"to {advice.high / minute:,.4g} min"
        lines.append(
            f"Within the confidence limits of the MTBF: {advice.low / minute:,.4g} min {upper}."
        )
    if not advice.long_efficiency >= 0.01:
        lines.append("Yet the machine fails so often that the job hardly advances.")
    return lines


def _asynchronous(advice: Advice, later: Drained) -> list[str]:
    """Say how often to checkpoint if the job goes on before a checkpoint is durable."""
    other = human_duration(advice.best.expected_makespan_s)
    if later.snapshot_cost_s == advice.job.checkpoint_cost:
        other += " if durable with the copy"
    else:
        other += f" if it stands still for {human_duration(advice.job.checkpoint_cost)} instead"
    return [
        "",
        f"Durable {human_duration(later.latency_s)} after each copy ({later.in_flight}): "
        f"checkpoint after every {later.interval_s / DURATIONS['min']:,.4g} min of work, in "
        f"{later.segments:,} equal segments. "
        f"Makespan {human_duration(later.expected_makespan_s)}, efficiency "
        f"{percent(later.efficiency, 2)} %; {other}.",
    ]


def _levels(pattern: Layered) -> list[str]:
    """Say which checkpoint to write on which level, and what that gains."""
    lines = [
        "",
        f"On {len(pattern.levels)} levels, in a long job: checkpoint after every "
        f"{pattern.interval_s / DURATIONS['min']:,.4g} min of work.",
    ]
    for number, layer in enumerate(pattern.levels, start=1):
        name = "The last level" if number == len(pattern.levels) else f"Level {number}"
        words = f"cost {human_duration(layer.cost_s)}, survives {100.0 * layer.survives:g} %"
        if not layer.every:
            lines.append(f"{name} ({words}) does not pay: leave it out.")
        elif layer.every == 1:
            lines.append(f"{name} ({words}): every checkpoint that is not on a higher one.")
        else:
            lines.append(f"{name} ({words}): one checkpoint in {layer.every:,}.")
    lines.append(
        f"Mean overhead {percent(pattern.overhead, 2)} % of the work; "
        f"{percent(pattern.single_overhead, 2)} % with the last level alone, every "
        f"{pattern.single_interval_s / DURATIONS['min']:,.4g} min."
    )
    return lines


def _in_what(advice: Advice) -> str:
    """Say how many steps make an interval, or how many intervals the job."""
    if advice.steps is not None:
        return "" if _step_is_longer(advice) else f" ({_steps(advice.steps)})"
    return "" if advice.segments is None else f", in {advice.segments:,} equal segments"


def _step_is_longer(advice: Advice) -> bool:
    step = advice.job.step_time
    return step is not None and step > advice.best.interval_s


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count:,} steps" if count < 1e15 else f"{count:.4g} steps"


def _print_mistakes(advice: Advice) -> None:
    short, short_factor = shared_unit(mistake.best_interval_s for mistake in advice.mistakes)
    long, long_factor = shared_unit(mistake.expected_makespan_s for mistake in advice.mistakes)
    headings = [
        "true MTBF",
        "",
        f"best interval\n[{short}]",
        f"makespan\n[{long}]",
        "regret\n[%]",
    ]
    rows = [
        [
            f"x {_FRACTIONS.get(mistake.mtbf_factor, f'{mistake.mtbf_factor:g}')}",
            human_duration(mistake.mtbf_s),
            in_unit(mistake.best_interval_s, short_factor),
            in_unit(mistake.expected_makespan_s, long_factor),
            percent(mistake.regret),
        ]
        for mistake in advice.mistakes
    ]
    print_table(headings, rows)
