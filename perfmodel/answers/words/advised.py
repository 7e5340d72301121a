"""What a running job is advised: when the next checkpoint is due, and what that rests on."""

from __future__ import annotations

import math

from asking.units import human_duration

from ...advisor import Recommendation
from ..parts.advised import Advised
from ..shown import in_one_unit, percent

_CONTRADICTED = 20.0  # false in at most one job of so many
_BOUNDS = {
    "least": "the least that is allowed",
    "most": "the most that is allowed",
    "latency": "until the last one is durable",
    "end": "in equal parts until the end",
}


def advised_facts(found: Advised) -> list[tuple[str, str]]:
    """Return what a job is advised and why, a name and a text each."""
    known = found.known
    bound = f", {_BOUNDS[known.bound]}" if known.bound else ""
    interval = f"{human_duration(known.interval)} of work{bound}"
    mtbf, low, high = in_one_unit(known.mtbf, known.mtbf_lower, known.mtbf_upper)
    beyond = known.mtbf < known.mtbf_lower  # while little is known
    rare = ", to which rare high rates add most" if beyond else ""
    failures = f"{known.failures:,} failure{'' if known.failures == 1 else 's'}"
    return [
        ("checkpoint", when_words(found)),
        ("interval", "none pays any more" if known.interval == math.inf else interval),
        ("MTBF", f"{mtbf} by the mean failure rate{rare}; 90 %: {low} to {high}"),
        ("seen", f"{failures} in {human_duration(known.watched)}"),
        ("cost", f"{human_duration(known.cost)} for a checkpoint"),
        *_levels(known),
        ("expected loss", f"{percent(known.expected_loss, 2)} % of the time"),
    ]


def _levels(known: Recommendation) -> list[tuple[str, str]]:
    """Say how often to write on which level, if there are several."""
    if len(known.periods) == 1 or known.interval == math.inf:
        return []
    last, facts = len(known.periods), []
    for level, (period, share) in enumerate(zip(known.periods, known.survives, strict=True), 1):
        used = level == last or period < known.periods[level]
        often = f"every {human_duration(period)} of work" if used else "not used"
        facts.append((f"level {level}", f"{often}; survives {percent(share, 1)} % of the failures"))
    if known.contradiction >= _CONTRADICTED:
        facts.append(("levels", "the failures contradict what --level states of them"))
    return facts


def when_words(found: Advised) -> str:
    """Return when the next checkpoint is due."""
    if not found.running:
        return "none: the job does not run"
    if found.writing and not found.due:
        return "being written"
    if found.wait_s == math.inf:
        return "none before the end"
    last = len(found.known.periods)
    where = f", on level {found.known.level} of {last}" if last > 1 else ""
    if found.wait_s == 0.0:
        waits = found.draining and not found.due
        return "once the last one is durable" if waits else f"now{where}"
    step = "" if found.next_step is None else f", about after step {found.next_step:,}"
    return f"in {human_duration(found.wait_s)}{step}{where}"
