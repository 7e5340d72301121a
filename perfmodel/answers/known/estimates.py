"""The MTBF of the machine, from whichever of its forms the user has."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from asking.refusals import Field, Refused
from asking.units import human_count, human_duration

from ...estimate import Estimate, Truncation, counted

if TYPE_CHECKING:
    from asking.reading import LogReading

    from ...fitting import FailureBursts
    from ..logs import Log, Spread


@dataclass(frozen=True, slots=True)
class Mtbf(Estimate):
    """An estimate, the log that it is from, and whether the failures of that come in bursts.

    `machine` is how many nodes the log is of, where the estimate is for some of them, or for more.
    """

    log: Log | None = None
    spread: Spread | None = None
    machine: int | None = None


def from_counts(
    failures: int, observed: float, *, log: Log | None = None, truncation: Truncation = "time"
) -> Mtbf:
    """Estimate from the number of failures in an observed time, [s], and from what ended it."""
    return of_log(counted(failures, observed, truncation=truncation), log)


def of_log(known: Estimate, log: Log | None = None) -> Mtbf:
    """Return an estimate with the log that it is from."""
    return Mtbf(**{field.name: getattr(known, field.name) for field in fields(known)}, log=log)


def from_log(reading: LogReading, *, nodes: int | None = None, machine: int | None = None) -> Mtbf:
    """Estimate from a failure log; one of jobs tells the MTBF of one of the `nodes`.

    `machine` is how many nodes there are that the log is of, where that is known.
    """
    from ..logs import read_log

    log = read_log(reading, machine=machine)
    observed = log.uptimes.observed
    if log.of_jobs:
        if nodes is None:
            raise Refused(
                "{} must be given with {}, a log of jobs", Field("nodes"), log.report.source
            )
        observed /= nodes
    found = log.uptimes
    return from_counts(found.failures, observed, log=log, truncation=found.truncation)


def of_some_nodes(
    log: Log, nodes: int, log_nodes: int | None, bursts: FailureBursts | None = None
) -> Mtbf:
    """Estimate for a job on some of the nodes of a failure log, at the mean rate of them all.

    Failures at one instant strike it once if at all, and so do `bursts` that count once. More nodes
    than the log is of are struck as often more as they are more.
    """
    from ..logs.history import strikes_of

    found, size, words = log.of_nodes(nodes, log_nodes)
    if nodes > size:
        whole = of_some_nodes(log, size, log_nodes, bursts)
        assert whole.failures is not None
        assert whole.observed is not None
        observed = whole.observed * size / nodes
        mtbf = from_counts(whole.failures, observed, log=log, truncation=whole.truncation)
        return replace(mtbf, words=f"{whole.words}; {nodes:,} such nodes", machine=size)
    window = None if bursts is None else bursts.window
    if (strikes := strikes_of(log, nodes, size, window)) is not None:
        times, chance = strikes
        observed, truncation = found.observed / size, found.truncation
        if bursts is not None:
            times, observed, truncation = bursts.count, bursts.count * bursts.mtbf, "failure"
        mtbf = from_counts(times, observed / chance, log=log, truncation=truncation)
        said = (
            f"{human_count(times, 'time')} in {human_duration(observed)} that nodes failed, "
            f"{100.0 * chance:.3g} % of which strike {nodes:,} of the {size:,} nodes {words}"
        )
        return replace(mtbf, words=said, machine=size)
    mtbf = from_counts(found.failures, found.observed / nodes, log=log, truncation=found.truncation)
    said = f"{mtbf.words} of {nodes:,} of the {size:,} nodes {words}"
    return replace(mtbf, words=said, machine=size)


def of_bursts(mtbf: Mtbf, spread: Spread | None) -> Mtbf:
    """Estimate from the bursts of a log where each of them counts once."""
    if spread is None or not spread.merged or spread.pattern.bursts is None:
        return replace(mtbf, spread=spread)
    bursts = spread.pattern.bursts
    found = from_counts(
        bursts.count, bursts.count * bursts.mtbf, log=mtbf.log, truncation="failure"
    )
    words = f"{mtbf.words}, {bursts.count:,} gaps of more than {human_duration(bursts.window)}"
    return replace(found, words=words, spread=spread)
