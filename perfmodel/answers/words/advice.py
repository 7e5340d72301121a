"""What to do about checkpoints, in tables and in sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from asking.units import human_duration

from ..shown import (
    Table,
    in_one_unit,
    in_unit,
    money,
    percent,
    shared_unit,
    step_words,
    whole_number,
)

if TYPE_CHECKING:
    from ..parts.advice import Advice, Mistake
    from ..parts.ageing import Aged
    from ..parts.asynchronous import Drained
    from ..parts.levels import Layered

_FRACTIONS = {0.25: "1/4", 0.5: "1/2"}

_FIRST = 6  # intervals by age that are printed


def recommendation_lines(advice: Advice, *, where: str = "") -> list[str]:
    """Say how often to checkpoint, and how sure that is; `where` it is not what is recommended."""
    best = advice.best
    if advice.segments == 1:
        lines = ["This job is so short that a checkpoint before its end does not pay."]
    else:
        lines = [
            f"{f'{where}: c' if where else 'C'}heckpoint after every "
            f"{human_duration(best.interval_s)} of work{_in_what(advice)}: one every "
            f"{human_duration(best.period_s)} while nothing fails."
        ]
        if advice.steps is not None:
            free = next(rule for rule in advice.rules if rule.rule == "best_segments")
            lines += _other("Were it not for whole steps", free.interval_s, advice)
    exact = next(rule for rule in advice.rules if rule.rule == "exact")
    if advice.steps is None:
        lines += _other("A job of no known length", exact.interval_s, advice)
    if advice.low is not None and advice.high is not None:
        low, upper = human_duration(advice.low), "or more"
        if math.isfinite(advice.high):
            low, high = in_one_unit(advice.low, advice.high)
            upper = f"to {high}"
        lines.append(f"Within the confidence limits of the MTBF: {low} {upper}.")
    if not advice.long_efficiency >= 0.01:
        lines.append("Yet the machine fails so often that the job hardly advances.")
    elif advice.steps is not None and not best.efficiency >= 0.01:
        lines.append("Yet a step takes so long beside the MTBF that the job hardly advances.")
    return lines


def _other(when: str, interval: float, advice: Advice) -> list[str]:
    """Tell another interval, unless it reads like the one recommended."""
    other = human_duration(interval)
    return [] if other == human_duration(advice.best.interval_s) else [f"{when}: every {other}."]


def asynchronous_lines(advice: Advice, later: Drained) -> list[str]:
    """Say how often to checkpoint if the job goes on before a checkpoint is durable."""
    other = human_duration(advice.best.expected_makespan_s)
    if later.snapshot_cost_s == advice.job.checkpoint_cost:
        other += " if durable with the copy"
    else:
        other += f" if it stands still for {human_duration(advice.job.checkpoint_cost)} instead"
    return [
        f"Durable {human_duration(later.latency_s)} after each copy ({later.in_flight}): "
        f"checkpoint after every {human_duration(later.interval_s)} of work"
        f"{step_words(later.steps)}, in {whole_number(later.segments)} "
        f"{'equal ' if later.steps is None else ''}segments. "
        f"Makespan {human_duration(later.expected_makespan_s)}, efficiency "
        f"{percent(later.efficiency, 2)} %; {other}.",
    ]


def level_lines(pattern: Layered) -> list[str]:
    """Say which checkpoint to write on which level, and what that gains."""
    lines = [
        f"On {len(pattern.levels)} levels, in a long job: checkpoint after every "
        f"{human_duration(pattern.interval_s)} of work{step_words(pattern.steps)}.",
    ]
    for number, layer in enumerate(pattern.levels, start=1):
        name = "The last level" if number == len(pattern.levels) else f"Level {number}"
        words = f"cost {human_duration(layer.cost_s)}, survives {100.0 * layer.survives:g} %"
        if not layer.every:
            lines.append(f"{name} ({words}) does not pay: leave it out.")
        elif layer.every > 1:
            lines.append(f"{name} ({words}): one checkpoint in {whole_number(layer.every)}.")
        elif any(higher.every for higher in pattern.levels[number:]):
            lines.append(f"{name} ({words}): every checkpoint that is not on a higher one.")
        else:
            lines.append(f"{name} ({words}): every checkpoint.")
    lines.append(
        f"Mean overhead {percent(pattern.overhead, 2)} % of the work; "
        f"{percent(pattern.single_overhead, 2)} % with the last level alone, every "
        f"{human_duration(pattern.single_interval_s)}."
    )
    return lines


def ageing_lines(older: Aged) -> list[str]:
    """Say how often to checkpoint under the law of uptimes, and what it gains."""
    lines = [
        f"Uptimes {older.law} (cv {older.cv:.3g}), a failure renews the machine: checkpoint after "
        f"every {human_duration(older.interval_s)} of work{step_words(older.steps)} in a long job, "
        "useful "
        f"{percent(older.useful_share, 2)} % of the time. Exponential uptimes of this mean would "
        f"say {human_duration(older.exponential_interval_s)}: "
        f"{percent(older.exponential_useful_share, 2)} %.",
    ]
    if older.expected_makespan_s is not None:
        lines.append(f"Makespan of this job: {human_duration(older.expected_makespan_s)}.")
    if older.intervals_s is not None and older.intervals_useful_share is not None:
        first = ", ".join(in_one_unit(*older.intervals_s[:_FIRST]))
        gain = older.intervals_useful_share - older.useful_share
        more = ", ..." if len(older.intervals_s) > _FIRST else ""
        lines.append(
            f"By age, from each start of the machine on: {first}{more}; useful "
            f"{percent(older.intervals_useful_share, 2)} % of the time, {percent(gain, 2)} points "
            "more than any constant interval."
        )
    return lines


def _in_what(advice: Advice) -> str:
    """Say how many steps make an interval, or how many intervals the job."""
    if advice.steps is not None:
        return step_words(advice.steps)
    if advice.segments is None:
        return ""
    return f", in {whole_number(advice.segments)} equal segments"


def rules_table(advice: Advice) -> Table:
    """Return a row for every rule, and its cost in money where there is a price."""
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
            row.append("-" if rule.waste_cost is None else money(rule.waste_cost))
    return Table.of(headings, rows, best=advice.rules.index(advice.best))


def mistakes_table(mistakes: tuple[Mistake, ...]) -> Table:
    """Return what the recommended interval costs under other MTBFs."""
    short, short_factor = shared_unit(mistake.best_interval_s for mistake in mistakes)
    long, long_factor = shared_unit(mistake.expected_makespan_s for mistake in mistakes)
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
        for mistake in mistakes
    ]
    return Table.of(headings, rows)
