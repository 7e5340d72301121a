"""``perfmodel fit``: what a failure log says about uptimes and repairs."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import click
import numpy as np

from .._checks import FloatArray
from ..fitting import LifetimeFit, LifetimeFits, fit_lifetime
from .estimates import CONFIDENCE, Mtbf, from_counts
from .logs import LAYOUTS, Log, read_log
from .params import COUNT, INSTANT, LOG_FILE
from .tables import in_unit, print_facts, print_json, print_lines, print_table
from .units import human_duration, natural_unit

__all__ = ["fit"]

# Minutes are what the LANL log keeps; the likelihood takes the rounding into account.
RESOLUTIONS = {"lanl": 60.0}


@dataclass(frozen=True, slots=True)
class Repairs:
    """Mean time to repair, [s], with 95 % limits, of the known repair times."""

    mttr_s: float
    mttr_low_s: float
    mttr_high_s: float
    count: int


@click.command()
@click.argument("log", type=LOG_FILE)
@click.option("--format", "layout", metavar="|".join(LAYOUTS), help="Layout of the LOG; needed.")
@click.option("--system", metavar="NAME", help="Use this system only.")
@click.option("--since", type=INSTANT, help="Start of the observation.  [default: first failure]")
@click.option("--until", type=INSTANT, help="End of the observation.  [default: last failure]")
@click.option(
    "--by",
    metavar="system|node",
    default="system",
    show_default=True,
    help="What fails: the system as a whole, or each node by itself.",
)
@click.option(
    "--nodes",
    type=COUNT,
    help="With --by node: how many there are, failed or not.  [default: as LOG says]",
)
@click.option("--strict", is_flag=True, help="Refuse a log with malformed lines.")
@click.option("--json", "as_json", is_flag=True, help="Print plain seconds as JSON.")
def fit(  # noqa: PLR0917 - click passes by name
    log: Path,
    layout: str | None,
    system: str | None,
    since: Any,
    until: Any,
    by: Literal["system", "node"],
    nodes: int | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Fit laws to the uptimes and repairs of a failure LOG; tell MTBF and MTTR.

    The chosen family is the one with the least AIC. Lines that cannot be used are counted with
    the number of the first and the reason.
    """
    if by not in {"system", "node"}:
        raise click.UsageError(f"--by must be system or node, got {by!r}")
    if layout is None:
        raise click.UsageError(f"LOG must come with --format {' or '.join(LAYOUTS)}, got it alone")
    if nodes is not None and by != "node":
        raise click.UsageError(f"--nodes must come with --by node, got --by {by}")
    found = read_log(
        log, layout, system=system, since=since, until=until, strict=strict, by=by, nodes=nodes
    )
    mtbf = from_counts(found.uptimes.failures, found.uptimes.observed, log=found)
    grid = RESOLUTIONS.get(layout)
    uptimes = _fits(found.uptimes.durations, found.uptimes.censored, grid)
    known = found.uptimes.repairs
    repairs = _fits(known, np.zeros(known.shape, dtype=np.bool_), grid)
    if as_json:
        print_json({"by": by, **_plain(found, mtbf, uptimes, repairs)})
    else:
        _show(found, mtbf, uptimes, repairs)


def _fits(durations: FloatArray, censored: Any, grid: float | None) -> LifetimeFits | None:
    """Fit all families, or none where there are not two different values to tell them apart."""
    ended = durations[~censored]
    if np.unique(ended).size < 2:
        return None
    if grid is None and (ended == 0.0).any():
        grid = float(ended[ended > 0.0].min())
    return fit_lifetime(durations, censored=censored, resolution=grid, confidence=CONFIDENCE)


def _mean_repair(repairs: FloatArray) -> Repairs | None:
    """Return the mean with normal limits of its logarithm, which keep it above 0."""
    if repairs.size < 2 or not repairs.mean() > 0.0:
        return None
    mean = float(repairs.mean())
    relative = float(repairs.std(ddof=1)) / math.sqrt(repairs.size) / mean
    factor = math.exp(1.959963984540054 * relative)
    return Repairs(mean, mean / factor, mean * factor, int(repairs.size))


def _plain(
    log: Log, mtbf: Mtbf, uptimes: LifetimeFits | None, repairs: LifetimeFits | None
) -> dict[str, Any]:
    mean = _mean_repair(log.uptimes.repairs)
    return {
        "mtbf_s": mtbf.value,
        "mtbf_low_s": mtbf.low,
        "mtbf_high_s": mtbf.high,
        "confidence": CONFIDENCE,
        "failures": mtbf.failures,
        "nodes": log.nodes,
        "nodes_named": log.named,
        "observed_s": log.uptimes.observed,
        **(asdict(mean) if mean else dict.fromkeys(("mttr_s", "mttr_low_s", "mttr_high_s"))),
        "uptime_family": uptimes.best.family if uptimes else None,
        "uptime_fits": [_plain_row(row) for row in uptimes or ()],
        "repair_family": repairs.best.family if repairs else None,
        "repair_fits": [_plain_row(row) for row in repairs or ()],
        "log": list(log.notes),
        "problems": [asdict(problem) for problem in log.report.problems],
    }


def _plain_row(row: LifetimeFit) -> dict[str, Any]:
    """Name the unit of every parameter that has one."""
    timed = {"mean": "mean_s", "scale": "scale_s"}
    return {
        "family": row.family,
        "parameters": {timed.get(name, name): value for name, value in row.parameters.items()},
        "intervals": {timed.get(name, name): ends for name, ends in row.intervals.items()},
        "mean_s": row.mean,
        "mean_low_s": row.mean_interval[0],
        "mean_high_s": row.mean_interval[1],
        "log_likelihood": row.log_likelihood,
        "aic": row.aic,
        "ks_distance": row.ks_distance,
    }


def _show(log: Log, mtbf: Mtbf, uptimes: LifetimeFits | None, repairs: LifetimeFits | None) -> None:
    whose = "MTBF" if log.named is None else "node MTBF"
    facts = [("log", "\n".join(log.notes)), (whose, _limits(mtbf.value, mtbf.low, mtbf.high))]
    if mean := _mean_repair(log.uptimes.repairs):
        limits = _limits(mean.mttr_s, mean.mttr_low_s, mean.mttr_high_s)
        facts.append(("MTTR", f"{limits}, of {mean.count:,} repairs"))
    else:
        facts.append(("MTTR", "unknown: the log has no two repair times"))
    print_facts(facts)
    for title, fits in (("Uptimes", uptimes), ("Repairs", repairs)):
        print_lines("")
        if fits is None:
            print_lines(f"{title}: too few different values to fit a law.")
            continue
        print_lines(f"{title}: {_chosen(fits)}.", "")
        _print_fits(fits)


def _limits(value: float, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return human_duration(value)
    if not math.isfinite(high):
        return f"at least {human_duration(low)} ({CONFIDENCE:.0%} confidence): no failure seen"
    ends = f"{human_duration(low)} to {human_duration(high)}"
    return f"{human_duration(value)} ({CONFIDENCE:.0%} confidence: {ends})"


def _chosen(fits: LifetimeFits) -> str:
    law = ", ".join(
        f"{name} {human_duration(value) if name in {'mean', 'scale'} else f'{value:.4g}'}"
        for name, value in fits.best.parameters.items()
    )
    return f"{fits.best.family} fits best, {law}"


def _print_fits(fits: LifetimeFits) -> None:
    unit, factor = natural_unit(fits.best.mean)
    headings = [
        "family",
        f"mean\n[{unit}]",
        "95 % limits\nfrom",
        "to",
        "log\nlikelihood",
        "AIC above\nbest",
        "KS\ndistance",
    ]
    rows = [
        [
            row.family,
            in_unit(row.mean, factor),
            in_unit(row.mean_interval[0], factor),
            in_unit(row.mean_interval[1], factor),
            f"{row.log_likelihood:,.2f}",
            f"{row.aic - fits.best.aic:,.2f}",
            f"{row.ks_distance:.4f}",
        ]
        for row in fits
    ]
    print_table(headings, rows)
