"""The MTBF of the machine, from whichever of its forms the user has."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...fitting import mtbf_confidence
from ...units import human_duration

if TYPE_CHECKING:
    from ..requests.job import Instant
    from ..requests.reading import LogReading
    from .logs import Log, Spread

__all__ = [
    "CONFIDENCE",
    "Mtbf",
    "from_counts",
    "from_failure_rate",
    "from_log",
    "from_node_mtbf",
    "of_bursts",
    "of_some_nodes",
    "stated",
]

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Mtbf:
    """MTBF of the whole machine, [s], and how it was obtained, in words.

    `low` and `high` [s] bound it at the 95 % level where it was estimated; `high` is inf where
    no failure was seen, and `value` is then the lower bound itself. `observed` [s] is the time in
    which `failures` were counted. `spread` says of those of a log whether they come in bursts.
    """

    value: float
    words: str
    low: float | None = None
    high: float | None = None
    failures: int | None = None
    log: Log | None = None
    observed: float | None = None
    spread: Spread | None = None


def stated(mtbf: float) -> Mtbf:
    """Return the MTBF of the machine, [s], as given."""
    return Mtbf(mtbf, "as given")


def from_node_mtbf(node_mtbf: float, nodes: int) -> Mtbf:
    """Divide the MTBF of a node, [s], by their number: any failure stops the job."""
    return Mtbf(node_mtbf / nodes, f"{human_duration(node_mtbf)} per node / {nodes:,} nodes")


def from_failure_rate(rate: float, nodes: int, *, words: str) -> Mtbf:
    """Invert the failure rate of all nodes together; `rate` in failures per node-second."""
    return Mtbf(1.0 / (rate * nodes), f"{words} x {nodes:,} nodes")


def from_counts(failures: int, observed: float, *, log: Log | None = None) -> Mtbf:
    """Estimate from the number of failures in an observed time, [s]."""
    found = mtbf_confidence(failures, observed, confidence=CONFIDENCE)
    low, high = float(found.lower), float(found.upper)
    words = f"{failures:,} failure{'' if failures == 1 else 's'} in {human_duration(observed)}"
    if failures == 0:
        words = f"no failure in {human_duration(observed)}: the lower bound at {CONFIDENCE:.0%}"
        return Mtbf(low, words, low, math.inf, failures, log, observed)
    return Mtbf(observed / failures, words, low, high, failures, log, observed)


def from_log(
    path: Path,
    layout: str | None,
    *,
    system: str | None = None,
    since: Instant | None = None,
    until: Instant | None = None,
    strict: bool = False,
    nodes: int | None = None,
    reading: LogReading | None = None,
) -> Mtbf:
    """Estimate from a failure log; one of jobs tells the MTBF of one of the `nodes`."""
    from .logs import read_log

    log = read_log(
        path, layout, system=system, since=since, until=until, strict=strict, reading=reading
    )
    observed = log.uptimes.observed
    if log.of_jobs:
        if nodes is None:
            raise click.UsageError(f"--nodes must be given with {path.name}, a log of jobs")
        observed /= nodes
    return from_counts(log.uptimes.failures, observed, log=log)


def of_some_nodes(log: Log, nodes: int, log_nodes: int | None) -> Mtbf:
    """Estimate for a job on some of the nodes of a failure log, at the mean rate of them all."""
    found, size, words = log.of_nodes(nodes, log_nodes)
    mtbf = from_counts(found.failures, found.observed / nodes, log=log)
    return replace(mtbf, words=f"{mtbf.words} of {nodes:,} of the {size:,} nodes {words}")


def of_bursts(mtbf: Mtbf, spread: Spread | None) -> Mtbf:
    """Estimate from the bursts of a log where each of them counts once."""
    if spread is None or not spread.merged or spread.pattern.bursts is None:
        return replace(mtbf, spread=spread)
    bursts = spread.pattern.bursts
    found = from_counts(bursts.count, bursts.count * bursts.mtbf, log=mtbf.log)
    words = f"{mtbf.words}, {bursts.count:,} gaps of more than {human_duration(bursts.window)}"
    return replace(found, words=words, spread=spread)
