"""``perfmodel interval``: how often to write a checkpoint, by every rule, and what each costs."""

from __future__ import annotations

from pathlib import Path

import click

from ...answers.questions.interval import interval as answer
from ...answers.requests.job import IntervalRequest
from ...answers.requests.repairs import uptime_law
from ..figures import plot_option
from ..lists import protocol_headline, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..options.types import Wanted
from ..output.progress import doing
from ..output.tables import print_answer

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
    with doing("looking for the best interval"):
        found = answer(request)
    print_answer(found, plot=plot, as_json=as_json)
