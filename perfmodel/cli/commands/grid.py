"""``perfmodel grid``: several clusters, with and without requirements and machine failures."""

from __future__ import annotations

from functools import partial
from math import nan
from typing import Any, get_args

import click
import numpy as np

from ..options import log as log_options
from ..options.filling import fills, option, refuse_idle
from ..options.limits import log_limits, machine_limit
from ..options.types import COST, COUNT, DURATION, EVENTS, LOG_FILE, POSITIVE, OneOf, Wanted
from ..output.progress import watched
from ..output.provenance import provenance, timing_flag, without
from ..output.tables import (
    in_unit,
    percent,
    print_facts,
    print_json,
    print_lines,
    print_table,
    shared_unit,
)
from ..requests.grid import FailureFormat, GridRequest
from ..requests.replay import OnFailure
from ..setups.grid import GridSetup, grid_setup

__all__ = ["grid"]

_MEASURES = (
    "mean_slowdown",
    "mean_response_s",
    "mean_wait_s",
    "completed",
    "killed",
    "kills",
    "cancelled",
    "unfinished",
    "mean_killed_length_s",
    "utilization",
    "scheduler_s",
)


_AFTERWARDS = {
    "drop": "given up",
    "original": "resubmitted at its old place",
    "new": "resubmitted as new",
}


def _unix(text: str) -> float:
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise ValueError
    return float(text)


_ORIGIN = Wanted("seconds", "a Unix time in whole seconds", _unix)


_option = partial(option, GridRequest)


@click.command()
@log_options.job_log
@_option(
    "--format",
    "job_format",
    type=OneOf(log_options.JOB_FORMATS),
    metavar="NAME",
    help="Format of LOG, as for replay.  [default: by name]",
)
@_option("--machines", type=LOG_FILE, required=True, help="Clusters: TOML, or MetaCentrum's.")
@_option("--failures", type=LOG_FILE, help="A log of machine failures.")
@_option(
    "--failure-format",
    type=OneOf(get_args(FailureFormat)),
    help=f"Format of --failures; {log_options.CSV_LAYOUT} "
    "Here also cluster, and node from 0 in it.",
)
@_option("--unknown-repair", type=COST, help="Repair time where the log has none.")
@_option("--mtbf", type=DURATION, help="Draw failures: MTBF of all machines together.")
@_option("--weibull-shape", type=POSITIVE, help="Shape of the times between bursts of failures.")
@_option(
    "--burst-size", type=POSITIVE, help="Mean number of failures in a burst, all on one cluster."
)
@_option("--mttr", type=COST, help="Mean time to repair a machine.")
@_option("--origin", type=_ORIGIN, help="Unix time of second 0 of LOG, if it does not say.")
@_option("--requirements", help="A CSV file, 'reconstruct' (from history), or 'log' (mwf, gwf).")
@_option(
    "--reconstruct-by",
    help="What makes jobs alike.  [default: executable, or user,queue where unknown]",
)
@_option(
    "--partitions",
    metavar="PAIRS",
    help="Where the partitions of LOG were: 1=a,2=b.  [default: by name, or order if as many]",
)
@_option("--policies", help="Policies to compare; fcfs-lb (random) is another.")
@_option(
    "--scenarios",
    help="Scenarios to compare.  [default: all of BASIC,EXT-FAIL,EXT-REQ,EXT-ALL that apply]",
)
@_option("--seeds", type=COUNT, help="Runs of each random policy: ls, fcfs-lb.")
@_option("--seed", type=EVENTS, help="The first of the seeds; also the seed of --mtbf.")
@_option(
    "--on-failure",
    type=OneOf(get_args(OnFailure)),
    help="Give killed jobs up, or resubmit them.",
)
@_option(
    "--keep-stranded", is_flag=True, help="Do not cancel jobs for which too few machines are up."
)
@_option("--jobs", type=COUNT, help="Use so many of the first jobs of LOG.")
@_option("--strict", is_flag=True, help="Refuse files with a malformed line.")
@timing_flag
@log_limits
@machine_limit
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
@fills(GridRequest)
def grid(request: GridRequest, *, timing: bool, as_json: bool) -> None:
    """Replay the jobs of LOG on several clusters.

    With and without job requirements and machine failures, so that one sees what a simpler
    simulation would miss.
    """
    policies = _policies(request.policies)
    _refuse_idle(request)
    parts = grid_setup(request)
    scenarios = _scenarios(request.scenarios, parts)
    rows = [_row(parts, scenario, policy, request) for scenario in scenarios for policy in policies]
    if as_json:
        print_json(
            {
                "jobs": len(parts.workload),
                "clusters": len(parts.grid.clusters),
                "processors": parts.grid.size,
                "failures": 0 if parts.failures is None else len(parts.failures),
                "requirements": parts.requirements,
                "results": rows if timing else _without_times(rows),
                **provenance(request, parts.notes, files=parts.files),
            }
        )
    else:
        _show(parts, rows, timed=timing, on_failure=request.on_failure)


def _refuse_idle(request: GridRequest) -> None:
    """Refuse options of failures and requirements that the replays do not have."""
    drawn = request.mtbf is not None
    refuse_idle("--weibull-shape", "--burst-size", "--mttr", unless=drawn, lead="--mtbf")
    of_a_log = ("--failure-format", "--unknown-repair", "--origin")
    refuse_idle(*of_a_log, unless=request.failures is not None, lead="--failures")
    rebuilt = request.requirements == "reconstruct"
    refuse_idle("--reconstruct-by", unless=rebuilt, lead="--requirements reconstruct")


def _without_times(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    plain = [without(row, "scheduler_s") for row in rows]
    return [
        row | {"sd": without(row["sd"], "scheduler_s")} if "sd" in row else row for row in plain
    ]


def _policies(text: str) -> list[str]:
    from sim.cluster import GRID_POLICIES

    names = text.split(",")
    for name in names:
        if name not in GRID_POLICIES:
            raise click.UsageError(
                f"--policies must be of {', '.join(GRID_POLICIES)}, got {name!r}"
            )
    return list(dict.fromkeys(names))


def _scenarios(text: str | None, parts: GridSetup) -> list[str]:
    from sim.cluster.grid import SCENARIOS

    able = (parts.suitability is not None, parts.failures is not None)
    possible = [
        name
        for name, needs in SCENARIOS.items()
        if all(able[place] or not need for place, need in enumerate(needs))
    ]
    if text is None:
        return possible
    for name in text.split(","):
        if name not in SCENARIOS:
            raise click.UsageError(f"--scenarios must be of {', '.join(SCENARIOS)}, got {name!r}")
        if name not in possible:
            missing = (
                "--requirements" if SCENARIOS[name][0] and not able[0] else "--failures or --mtbf"
            )
            raise click.UsageError(f"{missing} must be given for {name}")
    return list(dict.fromkeys(text.split(",")))


def _row(parts: GridSetup, scenario: str, policy: str, request: GridRequest) -> dict[str, Any]:
    from sim.cluster import replay_grid
    from sim.cluster.grid import SCENARIOS, SEEDED
    from sim.metrics import mean_of_known

    required, failing = SCENARIOS[scenario]
    seeds = request.seeds if policy in SEEDED else 1
    grid = parts.grid.with_suitability(parts.suitability if required else None)
    found, kills = [], dict.fromkeys((cluster.name for cluster in grid.clusters), 0)
    for seed in range(request.seed, request.seed + seeds):
        if watched():
            click.echo(f"{scenario} {policy}, seed {seed} ...", err=True)
        result = replay_grid(
            parts.workload,
            grid,
            policy=policy,
            seed=seed,
            failures=parts.failures if failing else None,
            recovery=request.on_failure,
            cancel_stranded=not request.keep_stranded,
        )
        killed = result.killed_by_cluster
        found.append({**result.metrics, "kills": sum(killed.values())})
        for name, count in killed.items():
            kills[name] += count
    values = {name: np.array([metrics[name] for metrics in found]) for name in _MEASURES}
    row: dict[str, Any] = {"scenario": scenario, "policy": policy, "seeds": seeds}
    row |= {name: mean_of_known(sample) for name, sample in values.items()}
    if policy in SEEDED and seeds > 1:
        row["sd"] = {name: _spread(sample) for name, sample in values.items()}
    if failing:
        total = sum(kills.values())
        row["killed_share"] = {name: n / total if total else nan for name, n in kills.items()}
    return row


def _spread(values: Any) -> float:
    """Return the standard deviation over the seeds for which the number is known."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if known.size > 1 else nan


def _show(
    parts: GridSetup, rows: list[dict[str, Any]], *, timed: bool, on_failure: OnFailure
) -> None:
    facts = [("files" if not index else "", note) for index, note in enumerate(parts.notes)]
    clusters = f"{len(parts.grid.clusters)} clusters, {parts.grid.nodes:,} machines"
    facts.append(("grid", f"{clusters}, {parts.grid.size:,} processors"))
    facts.append(("jobs", f"{len(parts.workload):,}"))
    if parts.failures is not None:
        facts.append(("failures", f"{len(parts.failures):,} of machines"))
    facts.append(("requirements", parts.requirements))
    print_facts(facts)
    unit, factor = shared_unit(row["mean_response_s"] for row in rows)
    wait_unit, wait_factor = shared_unit(row["mean_wait_s"] for row in rows)
    table = []
    for row in rows:
        table.append(
            [
                row["scenario"],
                row["policy"],
                in_unit(row["mean_slowdown"], 1.0),
                in_unit(row["mean_response_s"], factor),
                in_unit(row["mean_wait_s"], wait_factor),
                f"{row['kills']:,.0f}",
                f"{row['cancelled']:,.0f}",
                *([f"{row['scheduler_s']:,.2f}"] if timed else []),
            ]
        )
        if "sd" in row:
            sd = row["sd"]
            table.append(
                [
                    "",
                    f"± sd, {row['seeds']} seeds",
                    in_unit(sd["mean_slowdown"], 1.0),
                    in_unit(sd["mean_response_s"], factor),
                    in_unit(sd["mean_wait_s"], wait_factor),
                    f"{sd['kills']:,.1f}",
                    f"{sd['cancelled']:,.1f}",
                    *([f"{sd['scheduler_s']:,.2f}"] if timed else []),
                ]
            )
    print_lines("")
    headings = [
        "scenario",
        "policy",
        "slowdown",
        f"response\n[{unit}]",
        f"wait\n[{wait_unit}]",
        "attempts\nkilled",
        "jobs\ncancelled",
        *(["scheduler\n[s]"] if timed else []),
    ]
    print_table(headings, table, words=2)
    print_lines(
        "",
        "Means over jobs that ended. Killed attempts are those that a failure ended, "
        f"after which the job was {_AFTERWARDS[on_failure]}.",
        *(["Scheduler: processor time of one replay."] if timed else []),
    )
    if any(row["unfinished"] for row in rows):
        print_lines(
            "Some jobs were still waiting at the end: machines that they need were never repaired."
        )
    _show_kills(rows)


def _show_kills(rows: list[dict[str, Any]]) -> None:
    failing = [row for row in rows if "killed_share" in row]
    for scenario in dict.fromkeys(row["scenario"] for row in failing):
        shares = {r["policy"]: r["killed_share"] for r in failing if r["scenario"] == scenario}
        every = next(iter(shares.values()))
        names = [name for name in every if any(share[name] > 0.0 for share in shares.values())]
        if not names:
            print_lines("", f"{scenario}: no attempt killed.")
            continue
        print_lines("", f"{scenario}, share of the killed attempts by cluster [%]:", "")
        print_table(
            ["cluster", *shares],
            [[name, *(percent(share[name], 1) for share in shares.values())] for name in names],
        )
        if spared := len(every) - len(names):
            print_lines(f"The other {spared} had none.")
