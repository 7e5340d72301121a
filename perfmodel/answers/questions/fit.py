"""What a failure log says of uptimes and repairs: laws, limits, bursts, causes, bad nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.plain import strict
from asking.reading import refuse_idle_reading
from asking.refusals import Field, Refused
from asking.requests import refuse_idle
from asking.units import human_count

from ...estimate import CONFIDENCE
from ..known.estimates import Mtbf, from_counts
from ..logs import (
    Log,
    causes_of,
    clusters_of,
    pattern_of,
    plain_pattern,
    read_lifetimes_log,
    read_log,
)
from ..logs.node_hours import node_hours_parts
from ..parts.fitted import FITTED, QUANTILES, Dependence, Fitted
from ..parts.suspects import suspects
from ..requests.fit import FitRequest
from ..shown import Answer, Facts, Lines, Part
from ..words.fit import (
    cause_parts,
    law_parts,
    limits_words,
    pattern_parts,
    suspect_parts,
)

if TYPE_CHECKING:
    from ..._checks import FloatArray
    from ...fitting import LifetimeFit

# Minutes are what the LANL log keeps; the likelihood takes the rounding into account.
RESOLUTIONS = {"lanl": 60.0}


@dataclass(frozen=True, slots=True)
class Repairs:
    """Mean time to repair, [s], with 95 % limits, of the known repair times."""

    mttr_s: float
    mttr_low_s: float
    mttr_high_s: float
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class FitAnswer(Answer):
    """A log of failures `by` system or node, its MTBF and mean repair, and laws of both.

    A law is None where too few different durations are known. `to_frame` has a row for every law
    of uptimes and of repairs, `plot` a panel for each of the two.
    """

    by: str
    log: Log
    mtbf: Mtbf
    mean_repair: Repairs | None
    uptimes: Fitted | None
    repairs: Fitted | None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel fit --json`` prints it."""
        found: dict[str, Any] = strict({"by": self.by, **_plain(self)})
        return found

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield the laws of uptimes and of repairs, with limits of their means."""
        for what, laws in (("uptime", self.uptimes), ("repair", self.repairs)):
            for row in _plain_fits(what, laws)[f"{what}_fits"]:
                more = {name: row[name] for name in row if name not in {"parameters", "intervals"}}
                yield {"of": what, **more}

    def parts(self) -> Iterator[Part]:
        """Yield the log, MTBF and repairs, the laws, and all else that the log says."""
        log, mtbf, uptimes = self.log, self.mtbf, self.uptimes
        whose = "MTBF" if log.named is None else "node MTBF"
        mttr = "unknown: the log has no two repair times"
        if (mean := self.mean_repair) is not None:
            limits = limits_words(mean.mttr_s, mean.mttr_low_s, mean.mttr_high_s)
            mttr = f"{limits}, of {human_count(mean.count, 'repair')}"
        known = limits_words(mtbf.value, mtbf.low, mtbf.high)
        yield Facts.of([*log.facts(), (whose, known), ("MTTR", mttr)])
        yield from node_hours_parts(log.node_hours)
        yield from law_parts("Uptimes", uptimes)
        yield from law_parts("Repairs", self.repairs)
        if log.named:
            yield from suspect_parts(suspects(log.uptimes), several=log.systems > 1)
        if by_cause := causes_of(log):
            yield from cause_parts(by_cause)
        pattern = pattern_of(log)
        if pattern is not None:
            yield from pattern_parts(pattern, Dependence.of(log))
        clustered = pattern is not None and pattern.kind != "constant"
        if clustered or (uptimes is not None and not uptimes.families):
            yield Lines.of(
                "With this --log, perfmodel simulate and perfmodel completion also play the job "
                "with the recorded gaps."
            )

    def plot(self, ax: Any = None) -> Any:
        """Draw the laws over what was recorded, a panel each; return the axes, of two an array."""
        from ..drawn import fits_figure

        return fits_figure(self.log, self.uptimes, self.repairs, ax)


def fit(request: FitRequest) -> FitAnswer:
    """Fit laws to the uptimes and repairs of a failure log.

    Parameters
    ----------
    request : FitRequest
        The log, the part of it to use, and how it is to be read.

    Returns
    -------
    FitAnswer
        MTBF and MTTR with limits, the laws, and all else that the log says.

    Raises
    ------
    Refused
        If a field has no effect, or the log holds no failures.
    """
    return fit_of(request, log_of(request))


def log_of(request: FitRequest) -> Log:
    """Return the log of a request, or refuse fields that have no effect."""
    by = request.by
    if by not in {"system", "node"}:
        raise Refused("{} must be system or node, got {!r}", Field("by"), by)
    if request.nodes is not None and by != "node":
        raise Refused(
            "{} must come with {} node, got {} {}", Field("nodes"), Field("by"), Field("by"), by
        )
    lives, logs = request.lifetimes, "a failure log"
    request.check()
    of_logs = ("format", "system", "since", "until", "by", "nodes")
    refuse_idle(request, *of_logs, unless=not lives, lead=logs)
    refuse_idle_reading(request, unless=not lives, lead=logs, but=("unit",))
    return (
        read_lifetimes_log(request)
        if lives
        else read_log(request, by=request.by, nodes=request.nodes)
    )


def fit_of(
    request: FitRequest, log: Log, *, progress: Callable[[int, int], None] | None = None
) -> FitAnswer:
    """Fit laws to a log that was read; `progress` is told how many of how many are done."""
    grid, done = RESOLUTIONS.get(log.layout), count(1)

    def step() -> None:
        if progress is not None:
            progress(next(done), 2 * len(FITTED))

    found, known = log.uptimes, log.uptimes.repairs
    return FitAnswer(
        request.by,
        log,
        from_counts(found.failures, found.observed, log=log, truncation=found.truncation),
        _mean_repair(known),
        Fitted.of(found.durations, found.censored, grid, step),
        Fitted.of(known, np.zeros(known.shape, dtype=np.bool_), grid, step),
    )


def _mean_repair(repairs: FloatArray) -> Repairs | None:
    """Return the mean with Student's limits of its logarithm, which keep it above 0."""
    if repairs.size < 2 or not repairs.mean() > 0.0:
        return None
    from scipy import special

    mean = float(repairs.mean())
    relative = float(repairs.std(ddof=1)) / math.sqrt(repairs.size) / mean
    factor = math.exp(float(special.stdtrit(repairs.size - 1, 0.975)) * relative)
    return Repairs(mean, mean / factor, mean * factor, int(repairs.size))


def _plain(found: FitAnswer) -> dict[str, Any]:
    log, mtbf, mean = found.log, found.mtbf, found.mean_repair
    depends, clusters = Dependence.of(log), clusters_of(log)
    return {
        "mtbf_s": mtbf.value,
        "mtbf_low_s": mtbf.low,
        "mtbf_high_s": mtbf.high,
        "confidence": CONFIDENCE,
        "failures": mtbf.failures,
        "nodes": log.nodes,
        "nodes_named": log.named,
        "observed_s": log.uptimes.observed,
        "mttr_s": mean.mttr_s if mean else None,
        "mttr_low_s": mean.mttr_low_s if mean else None,
        "mttr_high_s": mean.mttr_high_s if mean else None,
        "count": mean.count if mean else 0,
        **_plain_fits("uptime", found.uptimes),
        **_plain_fits("repair", found.repairs),
        "gap_rank_correlation": depends.correlation if depends else None,
        "gap_rank_correlation_limit": depends.limit if depends else None,
        "clustered": depends.clustered if depends else None,
        "bad_nodes": None
        if not log.named
        else [asdict(suspect) for suspect in suspects(log.uptimes)],
        "gap_scv": clusters.scv if clusters else None,
        "gap_scv_limit": clusters.limit if clusters else None,
        "gaps_overdispersed": clusters.clustered if clusters else None,
        "effective_mtbf_s": clusters.effective_mtbf if clusters else None,
        **plain_pattern(pattern_of(log)),
        "causes": [asdict(cause) for cause in causes_of(log)],
        **log.plain(),
    }


def _plain_fits(what: str, found: Fitted | None) -> dict[str, Any]:
    if found is None:
        names = ("family", "fitting", "quantiles_s", "recorded_mean_s")
        return dict.fromkeys(f"{what}_{name}" for name in names) | {
            f"{what}_fits": [],
            f"{what}_doubts": [],
        }
    rows = zip(found.fits, found.distances, found.limits, strict=True)
    return {
        f"{what}_family": found.fits.best.family,
        f"{what}_fitting": list(found.families),
        f"{what}_quantiles_s": dict(zip(map(str, QUANTILES), found.recorded.tolist(), strict=True)),
        f"{what}_recorded_mean_s": found.mean_s,
        f"{what}_fits": [
            _plain_row(row) | {"distance": far, "distance_limit": limit, "fits": far <= limit}
            for row, far, limit in rows
        ],
        f"{what}_doubts": list(found.fits.doubts),
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
        "aicc": row.aicc if math.isfinite(row.aicc) else None,
        "ks_distance": row.ks_distance,
    }
