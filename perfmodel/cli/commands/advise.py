"""``perfmodel advise``: whether a checkpoint is due now, for scripts of a running job."""

from __future__ import annotations

import math

import click

from asking.refusals import Field
from asking.requests import refuse_idle
from asking.units import human_duration

from ...advisor import Recommendation
from ...answers.parts.advised import Advised, advised
from ...answers.requests.advise import AdviseRequest
from ...answers.shown import in_one_unit, percent
from ..errors import never_an_answer
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..output.tables import print_facts, print_json, print_lines, print_parts

__all__ = ["advise"]

_CONTRADICTED = 20.0  # false in at most one job of so many
_BOUNDS = {
    "least": "the least that is allowed",
    "most": "the most that is allowed",
    "latency": "until the last one is durable",
    "end": "in equal parts until the end",
}


@click.command(
    cls=Grouped,
    epilog=example(
        "perfmodel advise --state run.json --event started \\",
        "    --cost 2min --failures 9 --observed 90d",
    ),
)
@options_of(AdviseRequest, states="--failure-state")
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

    With --level the answer says on which level, and restored --on-level 1 that a failure left the
    copy there, so that it is learnt how many do.

    With --sacct it answers for a site instead: the interval, goodput and promise of each size of
    job in the window, what changed since the window before, and which nodes fail too often.
    """
    with never_an_answer():
        _advise(request, as_json=as_json)


def _advise(request: AdviseRequest, *, as_json: bool) -> None:
    if request.sacct is not None:
        _watch(request, as_json=as_json)
        return
    refuse_idle(request, "since", unless=False, lead=Field("sacct"))
    found = advised(request)
    if as_json:
        print_json(found.to_dict())
    elif request.events or request.step is not None:
        print_lines(f"Checkpoint: {_when(found)}.")  # a line for the log of the job
    else:
        print_facts(_facts(found))
    if found.exit_code:
        raise click.exceptions.Exit(found.exit_code)


def _watch(request: AdviseRequest, *, as_json: bool) -> None:
    """Answer for the jobs of a site."""
    # A batch script asks often, and does not need it.
    from ...answers.questions.site import site

    found = site(request)
    if as_json:
        print_json(found.to_dict())
    else:
        print_parts(found.parts())


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


def _when(found: Advised) -> str:
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
