"""``perfmodel plan``: all answers for one scenario, on one page."""

from __future__ import annotations

from pathlib import Path

import click

from ...answers.requests.plan import PlanRequest
from ...answers.scenario import EXAMPLE
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits
from ..options.types import LOG_FILE
from ..output.progress import doing
from ..output.tables import print_answer


@click.command(cls=Grouped, epilog=example("perfmodel plan --example"))
@options_of(PlanRequest)
@click.argument("others", nargs=-1, type=LOG_FILE, metavar="[SCENARIO]...")
@log_limits
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(PlanRequest)
def plan(request: PlanRequest, *, others: tuple[Path, ...], as_json: bool) -> None:
    """Plan a job: checkpoints, deadline, spares, costs, on one page.

    SCENARIO is a TOML file of machine, failures, job and prices; a list of values, as in
    nodes = [512, 1024], makes a table of all of them. What is not known may be "unknown". Begin
    with: perfmodel plan --example > scenario.toml

    Several SCENARIOs are compared, as offers are; one may extend another.
    """
    from ...answers.questions.offers import offers
    from ...answers.questions.plan import plan as answer

    if request.example:
        if request.scenario is not None or as_json:
            raise click.UsageError("--example must come alone, got more")
        click.echo(EXAMPLE, nl=False)
        return
    if request.scenario is None:
        raise click.UsageError("SCENARIO must be given, got none: see perfmodel plan --example")
    with doing(f"planning {request.scenario.name}"):
        found = offers([request.scenario, *others]) if others else answer(request)
    print_answer(found, as_json=as_json)
