"""``perfmodel recovery``: what each recovery option costs the jobs of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from ...answers.shown import in_unit, percent, shared_unit
from ..answers.replays import Factor, Measure, Plan, engine_words, plain_numbers
from ..figures import plot_option
from ..options import log as log_options
from ..options.example import example
from ..options.filling import fills, option, refuse_idle
from ..options.limits import log_limits, machine_limit
from ..options.reading import log_reading
from ..options.study import refuse_idle_study, refuse_with_study, study_options
from ..options.types import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FRACTION,
    LOG_FILE,
    OUTPUT_FILE,
    WEIGHT,
    OneOf,
    Wanted,
)
from ..output.attempts import places_in_queue, write_attempts
from ..output.progress import job_progress
from ..output.provenance import provenance, timing_flag, without
from ..output.study import answer_study
from ..output.tables import print_facts, print_json, print_lines, print_table
from ..requests.replay import LowerBands, RecoveryRequest
from ..requests.study import StudyRequest
from ..setups.replays import Setup, last_end, no_failures, of_seed, prices_of, read_prices, setup

if TYPE_CHECKING:
    import pandas as pd

    from sim.cluster import Policy, Prices, RecoveryOption, Replay
    from sim.cluster.recovery import CreditReplay

__all__ = ["recovery"]

_option = partial(option, RecoveryRequest)

_CREDITS = ("charged", "forfeited", "waived")
_MEASURES = (
    Measure("failure_slowdown", "failure\nslowdown", "number"),
    Measure("mean_response_s", "response", "time"),
    Measure("failed_jobs", "failed\njobs", "number"),
    Measure("service_unit_loss", "lost", "share"),
)


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
@_option("--case", "cases", help="Cases to compare.")
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
    study: StudyRequest,
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
    names = _case_names(request.cases)
    request = request.with_failures()
    log_options.refuse_idle_forecaster(request)
    log_options.refuse_idle_options(request)
    of_credits = ("--allowance", "--deposit-limit", "--overdraft-limit", "--accounts")
    refuse_idle(*of_credits, unless=request.credits is not None, lead="--credits")
    refuse_idle_study(study)
    refuse_with_study(study, "--plot", "--timing", "--accounts")
    request = study.of_first_seed(request)
    parts = setup(request)
    policy = _banded(parts, request.lower_bands)
    prices = prices_of(request, names)
    if study.wanted:
        machine = f"{parts.machine.size:,} {'nodes' if parts.bluegene else 'processors'}"
        answer_study(
            _plan(names, _Replays(request, replace(parts, job_ids={}), policy, prices)),
            study,
            request=request,
            facts=[("machine", machine), ("jobs", f"{len(parts.workload):,}")],
            notes=parts.notes,
            files=parts.files,
            out=out,
            as_json=as_json,
        )
        return
    objects, tables, ledgers = [], {}, {}
    for name in names:
        played = _run(parts, policy, name, request, prices, placed=out is not None)
        objects.append(_object(parts, name, played))
        if out is not None:
            tables[name] = parts.attempts(played.result)
            tables[name]["option"] = _options(tables[name], played.options)
        if accounts is not None and played.credits is not None:
            ledgers[name] = played.credits.accounts
    if out is not None:
        write_attempts(out, tables, column="case")
    if accounts is not None:
        write_attempts(accounts, ledgers, column="case")
    if plot is not None:
        from ..figures.replays import plot_cases

        plot_cases({row["case"]: row for row in objects}, plot)
    if as_json:
        rows = objects if timing else [without(row, "engine_s") for row in objects]
        print_json({"results": rows, **provenance(request, parts.notes, files=parts.files)})
    else:
        _show(parts, objects, timed=timing)


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a case with the failures and the options of a seed."""

    request: RecoveryRequest
    parts: Setup
    policy: Policy
    prices: Prices | None

    def __call__(self, case: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        request = replace(self.request, seed=seed)
        parts = of_seed(self.parts, request)
        played = _run(parts, self.policy, case, request, self.prices, watch=False)
        row = _object(parts, case, played)
        by_option = row["failure_slowdown_by_option"]
        letters = {f"failure_slowdown_{name}": by_option.get(name, nan) for name in "ABCDE"}
        return {**plain_numbers(row, "engine_s"), **letters}


def _plan(names: list[str], play: _Replays) -> Plan:
    return Plan(
        play=play,
        cells={name: {"case": Factor(name, name)} for name in names},
        headings={"case": "case"},
        measures=_MEASURES[1:] if set(names) == {"ff"} else _MEASURES,
        baselines={name: names[0] for name in names[1:]},
    )


def _case_names(text: str) -> list[str]:
    from sim.cluster.recovery import CASES

    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in CASES:
            raise click.UsageError(f"--case must be some of {','.join(CASES)}, got {name!r}")
    return list(dict.fromkeys(names))


def _banded(parts: Setup, lower_bands: LowerBands) -> Policy:
    from sim.cluster import POLICIES, Cobalt, all_bands, first_band

    order = first_band if lower_bands == "wait" else all_bands
    ((name, policy),) = parts.policies.items()
    if isinstance(policy, str):
        return replace(POLICIES[policy], order=order)
    if not isinstance(policy, Cobalt):
        raise click.UsageError(
            f"--policy must be one of {', '.join(POLICIES)} for recovery options, got {name!r}"
        )
    return replace(policy, bands=order)


@dataclass(frozen=True, slots=True)
class _Played:
    """The replay of a case, the option that each job had, and what its users paid."""

    result: Replay
    options: Sequence[RecoveryOption]
    credits: CreditReplay | None = None


def _run(
    parts: Setup,
    policy: Policy,
    name: str,
    request: RecoveryRequest,
    prices: Prices | None,
    *,
    placed: bool = False,
    watch: bool = True,
) -> _Played:
    from sim.cluster import RecoverByOption, assign_options, replay, replay_credits
    from sim.cluster.recovery import CASES, OPTIONS
    from sim.streams import RECOVERY_OPTIONS, stream

    workload = parts.workload
    if request.oversize == "skip":
        workload = workload.select(parts.machine.fits(workload), rule="larger_than_machine")
    rng = stream(request.seed, *RECOVERY_OPTIONS)
    assigned = assign_options(rng, len(workload), CASES[name])
    failures = parts.planned if name == "ff" else parts.failures
    if placed and failures is None:
        failures = no_failures()
    with job_progress(len(workload), name, watch=watch) as report:
        settings: dict[str, Any] = {
            "policy": policy,
            "failures": failures,
            "checkpointing": parts.checkpointing,
            "progress": report,
        }
        if prices is None:
            recovery = RecoverByOption(assigned)
            result = replay(workload, parts.machine, recovery=recovery, **settings)
            return _Played(result, assigned)
        wanted = [option.name for option in assigned]
        paid = replay_credits(workload, parts.machine, wanted=wanted, prices=prices, **settings)
    return _Played(paid.replay, [OPTIONS[granted] for granted in paid.granted], paid)


def _options(table: pd.DataFrame, assigned: Sequence[RecoveryOption]) -> list[str]:
    """Return the option of each attempt's job."""
    names = [option.name for option in assigned]
    return [names[position] for position in places_in_queue(table).tolist()]


def _object(parts: Setup, name: str, played: _Played) -> dict[str, Any]:
    from sim.metrics import failure_slowdown, mean_by_name

    result = played.result
    metrics = result.metrics
    delays = failure_slowdown(result.job_records)
    return {
        "case": name,
        "failure_slowdown": metrics["failure_slowdown"],
        "mean_response_s": metrics["mean_response_s"],
        "failure_slowdown_by_option": mean_by_name(
            delays, [option.name for option in played.options]
        ),
        "failed_jobs": int((result.job_records.failures > 0).sum()),
        "failures_drawn": None if name == "ff" else parts.failures_drawn(last_end(result)),
        **{
            key: metrics[key]
            for key in (
                "jobs",
                "failures",
                "unsuccessful",
                "mean_wait_s",
                "mean_bounded_slowdown",
                "utilization",
                "job_failure_rate",
                "service_unit_loss",
                "makespan_s",
                "dropped",
                "engine_s",
            )
        },
        "engine": result.engine,
        **_paid(played.credits),
    }


def _paid(played: CreditReplay | None) -> dict[str, int | float]:
    """Return what users paid in all, and how many jobs did not get what they asked for."""
    if played is None:
        return {}
    accounts = played.accounts
    sums = {f"credits_{name}": float(accounts[name].sum()) for name in _CREDITS}
    return {"users": len(accounts), "downgraded_jobs": int(accounts["downgraded"].sum()), **sums}


def _show(parts: Setup, objects: list[dict[str, Any]], *, timed: bool) -> None:
    facts = [("log", note) if not index else ("", note) for index, note in enumerate(parts.notes)]
    facts.append(
        ("machine", f"{parts.machine.size:,} {'nodes' if parts.bluegene else 'processors'}")
    )
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
