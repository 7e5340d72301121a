"""``perfmodel goodput``: the share of its time that advances a training run, and the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...answers.parts.training import ASYNCHRONOUS, IN_MEMORY, Memory, Training
from ...answers.questions.goodput import goodput as answer
from ...answers.requests.training import GoodputRequest
from ...answers.shown import percent, step_words, whole_number
from ...units import DURATIONS, human_duration
from ..figures import plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.job_log import show_node_hours
from ..output.tables import print_facts, print_json, print_lines, print_table

__all__ = ["goodput"]

_WORDS = {
    "memory_save": "copy in memory",
    "checkpoint_save": "checkpoint save",
    "wasted_progress": "wasted progress",
    "detection": "detection",
    "queue": "queue",
    "rescheduling": "re-scheduling",
    "memory_restore": "restore from memory",
    "checkpoint_restore": "checkpoint restore",
    "warm_up": "warm-up",
}
# Changes that are asked for by an option, as a table of several runs calls them.
_SHOWN = {ASYNCHRONOUS: "asynchronous", IN_MEMORY: "in memory"}


def _headline(answer: Mapping[str, Any]) -> Headline:
    numbers = {"interval": Number("duration", answer["interval_s"])}
    for change in answer["changes"]:
        if (name := _SHOWN.get(change["change"])) is not None:
            numbers[f"{name}\ninterval"] = Number("duration", change["interval_s"])
            numbers[f"{name}\ngoodput"] = Number("share", change["goodput"])
    return Headline(
        numbers,
        useful=answer["goodput"],
        per_hour=answer["price_per_hour"],
    )


@takes_lists(GoodputRequest, lambda request: answer(request).to_dict(), _headline)
@click.command(
    epilog=example("perfmodel goodput --preset llama-3-405b --detection 5min --warm-up 2min")
)
@options_of(GoodputRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(GoodputRequest)
def goodput(request: GoodputRequest, *, plot: Path | None, as_json: bool) -> None:
    """Compute the goodput of a training run, and its losses by class.

    --recovery-cost is to read a checkpoint back; --downtime to place the run on nodes again.
    Neither --downtime, --detection nor --queue can be struck by a further failure.
    """
    found = answer(request)
    if plot is not None:
        from ..figures.answers import plot_goodput

        plot_goodput(found, plot)
    if as_json:
        print_json(found.to_dict())
        return
    print_facts([*found.job.facts()[:-1], ("interval", _interval(found))])
    print_lines("")
    _print_shares(found.goodput, found.losses)
    print_lines("", *_remarks(found))
    if found.lost_to:
        print_lines("", "Lost to failures, by their cause:", "")
        print_table(
            ["cause", "share\n[%]"],
            [[cause, percent(share, 2)] for cause, share in found.lost_to.items()],
        )
    _print_measured(found)
    if found.memory is not None:
        print_lines("", _pattern(found.memory), "")
        _print_shares(found.memory.goodput, found.memory.losses)
    print_lines("", "With one thing changed, each at its best interval:", "")
    print_table(
        ["", "interval", "goodput\n[%]"],
        [
            [change.change, human_duration(change.interval_s), percent(change.goodput, 2)]
            for change in found.changes
        ],
    )


def _print_measured(found: Training) -> None:
    """Set what a job log says of failures beside what was predicted."""
    log = found.job.mtbf.log
    rows = None if log is None else log.node_hours
    if not rows:
        return
    struck = sum(row["share"] for row in rows if row["state"] == "NODE_FAIL")
    lost = 1.0 - found.goodput - found.losses["checkpoint_save"]
    print_lines(
        "",
        f"Predicted to be lost to failures: {percent(lost, 2)} %. Jobs of the log that ended as "
        f"NODE_FAIL had {percent(struck, 2)} % of its node hours, what they had saved included:",
    )
    show_node_hours(rows)


def _print_shares(goodput: float, losses: Mapping[str, float]) -> None:
    rows = [["goodput", percent(goodput, 2), ""]]
    for name, share in losses.items():
        if share > 0.0:
            rows.append([_WORDS[name], percent(share, 2), _each_day(share)])
    print_table(["", "share\n[%]", "of each\nday"], rows)


def _pattern(memory: Memory) -> str:
    """Say what the shares of a run with copies in memory belong to."""
    every = "none of them need be durable"
    if memory.durable_every < math.inf:
        every = f"one in {whole_number(int(memory.durable_every))} of them durable"
    if memory.durable_every == 1.0:
        every = "all of them durable"
    interval = f"{human_duration(memory.interval_s)} of work{step_words(memory.steps)}"
    return f"With copies in memory every {interval}, {every}:"


def _interval(found: Training) -> str:
    return f"{human_duration(found.interval_s)}{step_words(found.steps)}"


def _each_day(share: float) -> str:
    return human_duration(share * DURATIONS["d"])


def _remarks(found: Training) -> list[str]:
    """Say what the shares amount to, and how sure they are."""
    lines = []
    if found.goodput_low is not None and found.goodput_high is not None:
        lines.append(
            f"Within the confidence limits of the MTBF: {percent(found.goodput_low, 2)} to "
            f"{percent(found.goodput_high, 2)} % at this interval."
        )
    if found.tokens_per_day is not None:
        lines.append(f"{found.tokens_per_day:.4g} tokens a day are kept.")
    lines.append(f"To first order (ETTR) it would be {percent(found.ettr_first_order, 2)} %.")
    return lines
