"""``perfmodel interval``: how often to write a checkpoint, by every rule, and what each costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...answers.parts.advice import Advice
from ...answers.questions.interval import interval as answer
from ...answers.requests.job import IntervalRequest
from ...answers.requests.repairs import uptime_law
from ...answers.shown import in_unit, percent, shared_unit
from ...units import human_duration
from ..figures import plot_option
from ..lists import protocol_headline, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..options.types import Wanted
from ..output.advice import (
    ageing_lines,
    asynchronous_lines,
    level_lines,
    recommendation_lines,
)
from ..output.energy import print_energies
from ..output.protocols import print_protocols
from ..output.tables import print_facts, print_json, print_lines, print_table

if TYPE_CHECKING:
    pass

__all__ = ["interval"]

_FRACTIONS = {0.25: "1/4", 0.5: "1/2"}
UPTIME_LAW = Wanted(
    "law",
    "exponential, gamma, hyperexponential, lognormal or weibull with its mean and cv, or shape, "
    "such as weibull:mean=2d,shape=0.7",
    uptime_law,
)


@takes_lists(IntervalRequest, lambda request: answer(request).to_dict(), protocol_headline)
@click.command(
    epilog=example(
        "perfmodel interval --node-mtbf 5y --nodes 4096 \\",
        "    --checkpoint-size 12TB --bandwidth 40GB/s --work 30d",
    )
)
@options_of(IntervalRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(IntervalRequest)
def interval(request: IntervalRequest, *, plot: Path | None, as_json: bool) -> None:
    """Recommend how much work to do between two checkpoints.

    The interval is work, the checkpoint excluded: period = interval + checkpoint cost. Durations
    need a unit: ns, us, ms, s, min, h, d, w or y (365.25 days), also together as in 2d12h.
    """
    found = answer(request)
    if plot is not None:
        from ..figures.answers import plot_advice

        plot_advice(found.advice, plot)
    if as_json:
        print_json(found.to_dict())
        return
    advice, later, pattern, older = found.advice, found.asynchronous, found.levels, found.ageing
    protocols, spent = found.protocols, found.energy
    print_facts(advice.job.facts())
    print_lines("")
    _print_rules(advice)
    print_lines(
        "",
        f"All for {human_duration(advice.job.work)} of work. Best segments are equal ones; exact "
        "is the best interval of a much longer job, which need not divide this one.",
        "",
        *recommendation_lines(advice),
        *([] if later is None else asynchronous_lines(advice, later)),
        *([] if pattern is None else level_lines(pattern)),
        *([] if older is None else ageing_lines(older)),
        "",
    )
    if protocols is not None:
        print_protocols(protocols, stepped=advice.job.step_time is not None)
        print_lines("")
    if spent is not None:
        print_energies(spent)
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
