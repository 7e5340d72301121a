"""``perfmodel fit``: what a failure log says about uptimes and repairs."""

from __future__ import annotations

from pathlib import Path

import click

from ...answers.questions.fit import fit_of, log_of
from ...answers.requests.fit import FitRequest
from ..figures import plot_option
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits
from ..output.progress import doing, study_progress
from ..output.tables import print_answer


@click.command(
    cls=Grouped, epilog=example("perfmodel fit failures.csv --format csv --by node --nodes 512")
)
@options_of(FitRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(FitRequest)
def fit(request: FitRequest, *, plot: Path | None, as_json: bool) -> None:
    """Fit laws to the uptimes and repairs of a failure LOG.

    Prints MTBF and MTTR with their limits. The best family is the one with the least AICc; if none
    fits, the answer says so and shows the record itself. It tells bursts, whose MTBF an interval
    needs, from a rate that drifts, and counts failures by cause. Lines that cannot be used are
    counted with the number of the first and the reason.
    """
    with doing(f"reading {request.log.name}"):
        log = log_of(request)
    with study_progress("laws") as report:
        found = fit_of(request, log, progress=report)
    print_answer(found, plot=plot, as_json=as_json)
