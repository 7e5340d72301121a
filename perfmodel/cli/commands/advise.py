"""``perfmodel advise``: whether a checkpoint is due now, for scripts of a running job."""

from __future__ import annotations

import math
from functools import partial
from typing import get_args

import click

from ...units import human_duration
from ..answers.advised import Advised, advised
from ..options.example import example
from ..options.filling import fills, option
from ..options.types import COST, COUNT, DURATION, EVENTS, OUTPUT_FILE, OneOf, Wanted
from ..output.tables import in_one_unit, percent, print_facts, print_json, print_lines
from ..requests.advise import AdviseRequest, Event

__all__ = ["advise"]

NOT_DUE = 1
_BOUNDS = {
    "least": "the least that is allowed",
    "most": "the most that is allowed",
    "latency": "until the last one is durable",
    "end": "in equal parts until the end",
}


def _seconds(text: str) -> float:
    value = float(text) if text.isascii() and "_" not in text else math.nan
    if not abs(value) < 1e12:
        raise ValueError
    return value


SECONDS = Wanted("seconds", "seconds on one clock, such as 1700000000", _seconds)
_option = partial(option, AdviseRequest)


@click.command(
    epilog=example(
        "perfmodel advise --state run.json --event started \\",
        "    --cost 2min --failures 9 --observed 90d",
    )
)
@_option("--state", type=OUTPUT_FILE, help="What is remembered; the first call writes it.")
@_option("--step", type=EVENTS, help="Step that just ended: is a checkpoint due before the next?")
@_option(
    "--event",
    "events",
    type=OneOf(get_args(Event)),
    multiple=True,
    help="What just happened; repeatable.",
)
@_option("--end", type=SECONDS, help="When the allocation ends, on the clock of --now.")
@_option(
    "--now", type=SECONDS, help="Time of the call.  [default: the clock, in seconds since 1970]"
)
@_option("--cost", type=DURATION, help="First call: for how long a checkpoint stops the job.")
@_option("--latency", type=COST, help="First call: from then until it is durable.")
@_option("--recovery-cost", type=COST, help="First call: time to read it back.")
@_option("--mtbf", type=DURATION, help="First call: a guess of the MTBF of the job.")
@_option("--node-mtbf", type=DURATION, help="First call: of one node; needs --nodes.")
@_option("--nodes", type=COUNT, help="First call: nodes of the job.")
@_option("--failures", type=EVENTS, help="First call: failures seen; needs --observed.")
@_option("--observed", type=DURATION, help="First call: time in which they were seen.")
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(AdviseRequest)
def advise(request: AdviseRequest, *, as_json: bool) -> None:
    """Say whether a checkpoint is due in a running job.

    The exit code is 0 if it is due, 1 if it is not, 2 for bad input. The answer learns from the
    failures and the checkpoints that it is told of, and remembers them in the file --state. A call
    with --event and without --step tells and does not ask: exit code 0.

    Tell started when the job runs, for the first time or again (a run that said neither failed nor
    ended is then taken for failed); begun and durable around each checkpoint (done, where the job
    goes on before it is durable); signal when a checkpoint is wanted at once; failed or ended, if
    there is time to. A step below the last one is taken for a new start.
    """
    found = advised(request)
    if as_json:
        print_json(found.plain())
    elif request.events or request.step is not None:
        print_lines(f"Checkpoint: {_when(found)}.")  # a line for the log of the job
    else:
        print_facts(_facts(found))
    if found.due is False:
        click.get_current_context().exit(NOT_DUE)


def _facts(found: Advised) -> list[tuple[str, str]]:
    known = found.known
    bound = f", {_BOUNDS[known.bound]}" if known.bound else ""
    interval = f"{human_duration(known.interval)} of work{bound}"
    mtbf, low, high = in_one_unit(known.mtbf, known.mtbf_lower, known.mtbf_upper)
    failures = f"{known.failures:,} failure{'' if known.failures == 1 else 's'}"
    return [
        ("checkpoint", _when(found)),
        ("interval", "none pays any more" if known.interval == math.inf else interval),
        ("MTBF", f"{mtbf} by the mean failure rate; 90 %: {low} to {high}"),
        ("seen", f"{failures} in {human_duration(known.watched)}"),
        ("cost", f"{human_duration(known.cost)} for a checkpoint"),
        ("expected loss", f"{percent(known.expected_loss, 2)} % of the time"),
    ]


def _when(found: Advised) -> str:
    if not found.running:
        return "none: the job does not run"
    if found.writing and not found.due:
        return "being written"
    if found.wait_s == math.inf:
        return "none before the end"
    if found.wait_s == 0.0:
        return "once the last one is durable" if found.draining else "now"
    step = "" if found.next_step is None else f", about after step {found.next_step:,}"
    return f"in {human_duration(found.wait_s)}{step}"
