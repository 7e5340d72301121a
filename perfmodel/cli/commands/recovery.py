"""``perfmodel recovery``: what each recovery option costs the jobs of a log."""

from __future__ import annotations

from functools import partial
from math import nan
from pathlib import Path
from typing import get_args

import click

from sim.answers import LowerBands, RecoveryAnswer, RecoveryRequest, StudyAnswer
from sim.answers import recovery as answer

from ...answers.shown import in_unit, percent, shared_unit
from ..figures import plot_option
from ..options import log as log_options
from ..options.example import example
from ..options.filling import fills, option
from ..options.limits import log_limits, machine_limit
from ..options.prices import read_prices
from ..options.reading import log_reading
from ..options.study import study_options
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FRACTION,
    LOG_FILE,
    NAMES,
    OUTPUT_FILE,
    WEIGHT,
    OneOf,
    Wanted,
)
from ..output.attempts import write_attempts
from ..output.measures import engine_words
from ..output.provenance import timing_flag, with_provenance
from ..output.study import refuse_with_study, show_study
from ..output.tables import print_facts, print_json, print_lines, print_table
from ..output.watching import SHOWN

__all__ = ["recovery"]

_option = partial(option, RecoveryRequest)


@click.command(
    epilog=example("perfmodel recovery jobs.swf --machine intrepid --mtbf 10h --mttr 1h")
)
@log_options.job_log
@log_options.job_format
@log_options.machine
@log_options.processors
@_option(
    "--processors-per-node",
    type=COUNT,
    help="Jobs take whole nodes of so many.  [default: 4 on a Blue Gene, else 1]",
)
@_option("--case", "cases", type=NAMES, metavar="TEXT", help="Cases to compare.")
@_option(
    "--lower-bands",
    type=OneOf(get_args(LowerBands)),
    help="What jobs of a lower band may do while a higher one has any.",
)
@_option(
    "--credits",
    type=Wanted("prices", "prices of options A to E such as A=0,B=1,C=2,D=3,E=4", read_prices),
    help="Users pay for their options: credits per node hour, such as A=0,B=1,C=2,D=3,E=4; a job "
    "gets the best option not above its own that its user can afford.",
)
@_option(
    "--allowance",
    type=WEIGHT,
    help="Credits per node hour that come with every job.  [default: the median price]",
)
@_option(
    "--deposit-limit", type=WEIGHT, help="Most credits that a user can save.  [default: no limit]"
)
@_option("--overdraft-limit", type=WEIGHT, help="Most credits that a user can owe.")
@click.option(
    "--accounts", type=OUTPUT_FILE, help="Write the account of each user and case as CSV."
)
@_option("--mtbf", type=DURATION, help="Draw failures: MTBF of the whole machine.  [default: 10h]")
@log_options.weibull_shape
@log_options.new_nodes
@log_options.bursts_and_lemons
@_option("--mttr", type=COST, help="Time to repair a node.")
@_option("--failures", type=LOG_FILE, help="A failure log, instead of --mtbf.")
@log_options.failure_format
@log_options.node_names
@log_options.failures_from_start
@log_reading
@log_options.maintenance
@_option("--checkpoint-interval", type=DURATION, help="Work between two checkpoints.")
@_option("--checkpoint-cost", type=COST, help="To write one checkpoint.")
@_option("--recovery-cost", type=COST, help="To read one back.")
@_option("--seed", type=EVENTS, help="Seed of the failures and of the options drawn.")
@_option("--policy", help="Of a plain machine: fcfs, easy or conservative.  [default: easy]")
@_option("--utility", help="Of a Blue Gene: fcfs, fat, wfp1, ...  [default: wfp3]")
@_option(
    "--threshold", type=FRACTION, help="Skip jobs below this share of the top score.  [default: 0]"
)
@log_options.partitions
@log_options.allocation
@log_options.walltime_factor
@log_options.scale_gaps
@log_options.oversize
@study_options(seeds="Seeds of failures and options, such as 1:200: a table of means over them.")
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
    and normal with options A to E mixed, all-b .. all-e with one option for all. Every case meets
    the same failures; a mixed case draws each job's option by the seed. With --seeds each seed
    draws failures and options anew.
    """
    if accounts is not None and request.credits is None:
        raise click.UsageError("--accounts must come with --credits, got it alone")
    refuse_with_study(request.study, plot=plot, timing=timing, accounts=accounts)
    found = answer(request, places=out is not None, progress=SHOWN)
    if isinstance(found, StudyAnswer):
        show_study(found, out=out, as_json=as_json)
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
    facts.append(("replayed", f"{first['jobs']:,} jobs, {len(objects)} times{took}"))
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
            in_unit(row["failure_slowdown"], 1.0),
            in_unit(row["mean_response_s"], factor),
            f"{row['failed_jobs']:,}",
            percent(row["service_unit_loss"], 2),
            *(
                in_unit(by.get(letter, nan), 1.0)
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
