"""``perfmodel recovery``: what each recovery option costs the jobs of a log."""

from __future__ import annotations

from math import nan
from pathlib import Path

import click

from asking.units import human_count
from sim.answers import RecoveryAnswer, RecoveryRequest, StudyAnswer
from sim.answers import recovery as answer

from ...answers.shown import in_unit, percent, shared_unit, two_decimals
from ..figures import plot_option
from ..options.example import example
from ..options.filling import fills, options_of
from ..options.grouped import Grouped
from ..options.limits import log_limits, machine_limit
from ..options.types import OUTPUT_FILE
from ..output.attempts import write_attempts
from ..output.measures import engine_words
from ..output.progress import doing
from ..output.provenance import timing_flag, with_provenance
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_facts, print_json, print_lines, print_table
from ..output.watching import SHOWN

_OF_REPLAYS = (
    *("missing_walltime", "ties", "since", "before", "log_start", "on_failure", "utility_expr"),
    *("utility_at", "compare", "job_checkpoints", "checkpoints_in_walltime", "order", "dialect"),
)


@click.command(
    cls=Grouped,
    epilog=example("perfmodel recovery jobs.swf --machine intrepid --mtbf 10h --mttr 1h"),
)
@options_of(RecoveryRequest, but=_OF_REPLAYS)
@click.option(
    "--accounts", type=OUTPUT_FILE, help="Write the account of each user and case as CSV."
)
@click.option(
    "--out",
    type=OUTPUT_FILE,
    help="Write one row per attempt of a job and case as CSV, or per case and seed of a study.",
)
@plot_option
@timing_flag
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(RecoveryRequest)
def recovery(
    request: RecoveryRequest,
    *,
    accounts: Path | None,
    out: Path | None,
    plot: Path | None,
    timing: bool,
    as_json: bool,
) -> None:
    """Compare ways to recover the failed jobs of LOG.

    Cases: ff without failures, mr resubmitted by hand at the end of the walltime (option A), even
    and normal with options A to E mixed, all-b .. all-e with one option for all, all-f with
    pre-emption, own with --job-options. Every case meets the same failures; a mixed case draws
    each job's option by the seed. With --seeds each seed draws failures and options anew.
    """
    if accounts is not None and request.credits is None:
        raise click.UsageError("--accounts must come with --credits, got it alone")
    refuse_with_study(request.study, timing=timing, accounts=accounts)
    with doing(f"reading {request.log.name}"):
        found = answer(request, places=out is not None, progress=SHOWN)
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json, plot=plot)
        return
    if out is not None:
        write_attempts(out, found.attempts(), column="case")
    if accounts is not None:
        write_attempts(accounts, found.accounts(), column="case")
    if plot is not None:
        from ..figures.replays import plot_cases

        plot_cases({row["case"]: row for row in found.rows}, plot)
    if as_json:
        answered = found.to_dict(timed=timing)
        print_json(with_provenance(answered, found.request, files=found.parts.files))
    else:
        _show(found, timed=timing)


def _show(found: RecoveryAnswer, *, timed: bool) -> None:
    parts, objects, site = found.parts, found.rows, found.parts.site
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(parts.notes)]
    facts.append(("machine", f"{site.machine.size:,} {site.counted}"))
    first = objects[0]
    took = f", computed in {sum(row['engine_s'] for row in objects):.1f} s" if timed else ""
    jobs, often = human_count(first["jobs"], "job"), human_count(len(objects), "time")
    facts.append(("replayed", f"{jobs}, {often}{took}"))
    facts.extend(("", f"{n:,} left out: {rule}") for rule, n in first["dropped"].items())
    if "users" in first:
        facts.append(("accounts", f"{first['users']:,}"))
    facts.append(("engine", engine_words([{**row, "policy": row["case"]} for row in objects])))
    print_facts(facts)
    print_lines("")
    unit, factor = shared_unit(row["mean_response_s"] for row in objects)
    paid = "downgraded_jobs" in first
    letters = sorted({name for row in objects for name in row["failure_slowdown_by_option"]})
    headings = [
        "case",
        "failure\nslowdown",
        f"response\n[{unit}]",
        "failed\njobs",
        "lost\n[%]",
        *(f"option\n{letter}" for letter in letters),
        *(("lower\noption",) if paid else ()),
    ]
    rows = [
        [
            row["case"],
            two_decimals(row["failure_slowdown"]),
            in_unit(row["mean_response_s"], factor),
            f"{row['failed_jobs']:,}",
            percent(row["service_unit_loss"], 2),
            *(
                two_decimals(by.get(letter, nan))
                for by in [row["failure_slowdown_by_option"]]
                for letter in letters
            ),
            *((f"{row['downgraded_jobs']:,}",) if paid else ()),
        ]
        for row in objects
    ]
    print_table(headings, rows)
    print_lines(
        "",
        "Failure slowdown: delay since the first start over the time without failures, averaged "
        "over the jobs that a failure struck and that ended; by option on the right. A dash: none.",
    )
    if paid:
        print_lines(
            "Lower option: jobs that ended whose user could not afford the option asked for."
        )
