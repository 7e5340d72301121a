"""``perfmodel advise``: whether a checkpoint is due now, for scripts of a running job."""

from __future__ import annotations

import click

from asking.refusals import Field
from asking.requests import refuse_idle
from asking.units import human_duration

from ...answers.known.advisor import end_of
from ...answers.parts.advised import advised
from ...answers.requests.advise import AdviseRequest
from ...answers.words.advised import advised_facts, when_words
from ..errors import never_an_answer
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..output.progress import doing
from ..output.tables import print_answer, print_facts, print_json, print_lines


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
    # No refusal, which would forget what the call tells.
    if (end := end_of(request, found.now_s)) is not None and end < found.now_s:
        past = f"--end is {human_duration(found.now_s - end)} before --now"
        click.echo(f"{past}: say a later one if the job has another allocation", err=True)
    if as_json:
        print_json(found.to_dict())
    elif request.events or request.step is not None:
        print_lines(f"Checkpoint: {when_words(found)}.")  # a line for the log of the job
    else:
        print_facts(advised_facts(found))
    if found.exit_code:
        raise click.exceptions.Exit(found.exit_code)


def _watch(request: AdviseRequest, *, as_json: bool) -> None:
    """Answer for the jobs of a site."""
    # A batch script asks often, and does not need it.
    from ...answers.questions.site import site

    with doing("looking through the jobs of the site"):
        found = site(request)
    print_answer(found, as_json=as_json)
