"""``perfmodel simulate``: play the job many times and compare with the prediction."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from asking.units import human_count, human_duration

from ...answers.logs.recorded_gaps import STARTS
from ...answers.requests.job import SimulateRequest
from ...answers.shown import in_unit, percent, shared_unit
from ..figures import draw_in, plot_option
from ..lists import Headline, Number, takes_lists
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.limits import log_limits
from ..output.progress import watched
from ..output.provenance import with_provenance
from ..output.tables import print_facts, print_json, print_lines, print_table

if TYPE_CHECKING:
    from ...answers.known.job import Job
    from ...answers.questions.simulate import Comparison, SimulateAnswer

_SENTENCES = {
    "agrees": "agrees with the prediction",
    "differs": "differs from the prediction by more than chance allows",
    "too few replications to tell": "cannot be judged: too few replications",
}


def _headline(answer: Mapping[str, Any]) -> Headline:
    mean = next(each for each in answer["comparisons"] if each["quantity"] == "mean")
    return Headline(
        {
            "interval": Number("duration", answer["interval_s"]),
            "simulated": Number("duration", mean["simulated_s"]),
        },
        time=mean["predicted_s"],
        per_hour=answer["price_per_hour"],
    )


def _differs(answer: Mapping[str, Any]) -> bool:
    return any(each["verdict"] == "differs" for each in answer["comparisons"])


@takes_lists(
    SimulateRequest,
    lambda request: _plain(_answered(request)),
    _headline,
    per_year=False,
    fails=_differs,
)
@click.command(
    epilog=example("perfmodel simulate --mtbf 8h --checkpoint-cost 6min --replications 20000")
)
@options_of(SimulateRequest)
@log_limits
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(SimulateRequest)
def simulate(request: SimulateRequest, *, plot: Path | None, as_json: bool) -> None:
    """Compare the prediction with jobs played under random failures.

    Exit code 1 says that prediction and simulation differ by more than chance allows.
    """
    found = _answered(request)
    job, interval, replications = found.job, found.interval, found.request.replications
    if plot is not None:
        from ...answers.drawn import completion_figure
        from ...completion import exact_makespan

        law = exact_makespan(job.work, interval=interval, **job.costs)
        draw_in(plot, partial(completion_figure, law, simulated=found.played))
    if as_json:
        print_json(_plain(found))
    else:
        facts = [
            ("interval", f"{human_duration(interval)} of work between two checkpoints"),
            ("played", f"{human_count(replications, 'job')}, seed {found.request.seed}"),
        ]
        _show(job, found.comparisons, facts)
        if (from_log := found.gaps_of_the_log) is not None:
            print_lines(
                "",
                "With the recorded gaps of the log, instead of an exponential law: mean "
                f"{human_duration(from_log['mean_s'])}, standard deviation "
                f"{human_duration(from_log['std_s'])}, over {STARTS:,} starts spread over the log.",
            )
        elif not job.on_all_nodes:
            print_lines("", job.other_gaps)
        if found.unforeseen.why:
            print_lines("", *found.unforeseen.reasons())
    if found.differs:
        raise click.exceptions.Exit(1)


def _plain(found: SimulateAnswer) -> dict[str, Any]:
    """Return the JSON; the seed stands after the replications, and again with the options."""
    answer = found.to_dict()
    first = {name: answer[name] for name in ("interval_s", "period_s", "replications", "seed")}
    rests = with_provenance(answer, replace(found.request, interval=found.interval))
    return {**first, **{name: value for name, value in rests.items() if name not in first}}


def _answered(request: SimulateRequest) -> SimulateAnswer:
    # At once would load the simulator for the help of the command, too.
    from ...answers.questions.simulate import simulate as answer

    return answer(request, watched=_with_progress)


def _with_progress(batches: list[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Yield the batches, with a progress bar on a terminal."""
    if not watched():
        yield from batches
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(batches, description="playing", console=console, transient=True)


def _show(job: Job, found: Sequence[Comparison], facts: list[tuple[str, str]]) -> None:
    print_facts([*job.facts(), *facts])
    unit, factor = shared_unit(comparison.predicted_s for comparison in found)
    headings = [
        f"makespan\n[{unit}]",
        "predicted",
        "simulated",
        "95 % limits\nfrom",
        "to",
        "z",
        "resolution\n[%]",
    ]
    rows = [
        [
            comparison.quantity,
            in_unit(comparison.predicted_s, factor),
            in_unit(comparison.simulated_s, factor),
            in_unit(comparison.simulated_low_s, factor),
            in_unit(comparison.simulated_high_s, factor),
            f"{comparison.z:+.2f}" if math.isfinite(comparison.z) else "-",
            percent(comparison.resolution, 2),
        ]
        for comparison in found
    ]
    print_lines("")
    print_table(headings, rows)
    print_lines("", *(f"The {c.quantity} {_SENTENCES[c.verdict]}." for c in found))
