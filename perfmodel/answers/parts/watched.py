"""What a site should do now, by size of job, and what has changed since the window before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from asking.plain import strict

from ..._checks import BoolArray, FloatArray
from ...completion import exact_makespan
from ...estimate import CONFIDENCE, counted
from ...fitting import RateChange, rate_change
from ...forecasts import FailureHistory, PlannedJob, outlook_of
from ...interval import optimal_interval
from ...lemons import bad_nodes
from ...makespan import efficiency
from ..logs import SiteLogs
from .suspects import FALSE_ALARM, Suspect

PROMISED = 0.9  # of the jobs keep the promise
_NO_LOG = "it needs a log of failures"
LEVEL = 0.05  # of all tests for a change together


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs from `least` to `most` nodes, durations in [s].

    `failures` and `failures_before` are the jobs that a node's failure ended; `mtbf_s`, with its
    limits, is that of a job of `nodes`, the mean over node time, and `promise_s` the time in which
    jobs of `length_s`, the median, end with the probability `PROMISED`: by `law`, what a failure
    log says of the failures to come, where `no_forecast` does not say why not.
    `promise_constant_s` is that at the rate of the window.
    """

    least: int
    most: int
    jobs: int
    nodes: float
    length_s: float
    share: float
    mtbf_s: float
    mtbf_low_s: float
    mtbf_high_s: float
    interval_s: float
    interval_before_s: float
    goodput: float
    promise_s: float
    promise_constant_s: float
    law: str
    no_forecast: str | None
    failures: int
    failures_before: int
    change: RateChange
    changed: bool


@dataclass(frozen=True, slots=True)
class Watched:
    """The site as a whole and by class; `observed_s` is time of nodes, durations in [s].

    MTBFs are with half a failure more than was seen, their limits without.

    Without `covered`, logs that begin too late, nothing is `changed`; intervals of before are nan.
    """

    now_s: float
    since_s: float
    nodes: int
    by_log: bool
    failures: int
    failures_before: int
    observed_s: float
    observed_before_s: float
    node_mtbf_s: float
    node_mtbf_low_s: float
    node_mtbf_high_s: float
    change: RateChange
    changed: bool
    covered: bool
    level: float
    classes: tuple[JobClass, ...]
    suspects: tuple[Suspect, ...] | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel advise --json`` prints it."""
        return dict(strict(asdict(self)))


def watched(logs: SiteLogs, *, cost: float, recovery_cost: float) -> Watched:
    """Answer for every size of job that ran in the present window."""
    now, since = logs.now, logs.since
    spent, spent_before = _overlap(logs, now), _overlap(logs, now - since)
    lost, lost_before = _lost(logs, now), _lost(logs, now - since)
    if logs.failed_at is None:
        counts = int(lost.sum()), int(lost_before.sum())
        observed = float(spent.sum()), float(spent_before.sum())
    else:
        counts = _between(logs.failed_at, now, since), _between(logs.failed_at, now - since, since)
        observed = (since * logs.machine,) * 2
    classes = np.floor(np.log2(logs.nodes)).astype(np.int64)
    present = [number for number in np.unique(classes) if spent[classes == number].sum() > 0.0]
    level = LEVEL / (1 + len(present))
    rates = [(count + 0.5) / max(time, 1.0) for count, time in zip(counts, observed, strict=True)]
    ends = counted(int(counts[0]), observed[0]).limits

    def played(function: Callable[..., Any], work: float, mtbf: float) -> Any:
        interval = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
        return function(
            work,
            interval=min(interval, work),
            mtbf=mtbf,
            checkpoint_cost=cost,
            recovery_cost=recovery_cost,
            final_checkpoint=False,
        )

    def before(mtbf: float) -> float:
        return float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost)) if logs.covered else np.nan

    found, history = [], _history(logs)
    for number in present:
        kept = classes == number
        ran = kept & (spent > 0.0)
        time, time_before = float(spent[kept].sum()), float(spent_before[kept].sum())
        nodes = float((spent[kept] * logs.nodes[kept]).sum() / time)
        ended = ran & (logs.end <= now)
        lengths = np.minimum(logs.end, now) - logs.start  # what is known of those that run on
        length = float(np.median(lengths[ended if ended.any() else ran]))
        mtbf = 1.0 / (rates[0] * nodes)
        interval = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
        work = max(length, 1.0)
        change = _change(int(lost_before[kept].sum()), time_before, int(lost[kept].sum()), time)
        steady = float(played(exact_makespan, work, mtbf).ppf(PROMISED))
        planned = PlannedJob(
            work=work,
            interval=min(interval, work),
            checkpoint_cost=cost,
            recovery_cost=recovery_cost,
            final_checkpoint=False,
            nodes=min(max(round(nodes), 1), logs.machine),
        )
        outlook = None if history is None else outlook_of(history, planned)
        found.append(
            JobClass(
                least=2 ** int(number),
                most=2 ** int(number + 1) - 1,
                jobs=int(ran.sum()),
                nodes=nodes,
                length_s=length,
                share=time / float(spent.sum()),
                mtbf_s=mtbf,
                mtbf_low_s=ends[0] / nodes,
                mtbf_high_s=ends[1] / nodes,
                interval_s=interval,
                interval_before_s=before(1.0 / (rates[1] * nodes)),
                goodput=float(played(efficiency, work, mtbf)),
                promise_s=steady if outlook is None else float(outlook.law(planned).ppf(PROMISED)),
                promise_constant_s=steady,
                law="constant" if outlook is None else outlook.name,
                no_forecast=_NO_LOG if outlook is None else outlook.why or None,
                failures=int(lost[kept].sum()),
                failures_before=int(lost_before[kept].sum()),
                change=change,
                changed=logs.covered and bool(change.p_value <= level),
            )
        )
    change = _change(counts[1], observed[1], counts[0], observed[0])
    return Watched(
        now_s=now,
        since_s=since,
        nodes=logs.machine,
        by_log=logs.failed_at is not None,
        failures=counts[0],
        failures_before=counts[1],
        observed_s=observed[0],
        observed_before_s=observed[1],
        node_mtbf_s=1.0 / rates[0],
        node_mtbf_low_s=ends[0],
        node_mtbf_high_s=ends[1],
        change=change,
        changed=logs.covered and bool(change.p_value <= level),
        covered=logs.covered,
        level=level,
        classes=tuple(found),
        suspects=_suspects(logs),
        notes=logs.notes,
    )


def _history(logs: SiteLogs) -> FailureHistory | None:
    """Return what the failure log tells up to now; None without one."""
    if logs.failed_at is None or logs.failed_at.size < 2:
        return None
    first = float(logs.failed_at.min())  # as of uptimes, the observation begins with a failure
    names, codes = np.unique(logs.failed_node, return_inverse=True)
    later = logs.failed_at > first
    return FailureHistory.of(
        logs.failed_at[later] - first,
        logs.now - first,
        nodes=codes[later],
        machine=max(logs.machine, len(names)),
    )


def _change(before: int, time_before: float, now: int, time: float) -> RateChange:
    """Compare two windows; one in which nothing ran says nothing."""
    if not (time_before > 0.0 and time > 0.0):
        return RateChange(np.nan, 0.0, np.inf, 1.0, CONFIDENCE)
    return rate_change(before, time_before, now, time, confidence=CONFIDENCE)


def _overlap(logs: SiteLogs, until: float) -> FloatArray:
    """Return the node time of each job in the window that ends `until`, [s]."""
    inside = np.minimum(logs.end, until) - np.maximum(logs.start, until - logs.since)
    return np.asarray(logs.nodes * np.maximum(inside, 0.0))


def _lost(logs: SiteLogs, until: float) -> BoolArray:
    return logs.struck & (logs.end > until - logs.since) & (logs.end <= until)


def _between(times: FloatArray, until: float, length: float) -> int:
    return int(np.count_nonzero((times > until - length) & (times <= until)))


def _suspects(logs: SiteLogs) -> tuple[Suspect, ...] | None:
    """Test the nodes that failed in the present window against all; None without a log."""
    if logs.failed_at is None:
        return None
    inside = logs.failed_at > logs.now - logs.since
    names, counts = np.unique(
        [name for name, kept in zip(logs.failed_node, inside, strict=True) if kept],
        return_counts=True,
    )
    if not names.size:
        return ()
    silent = max(logs.machine - names.size, 0)
    tested = bad_nodes([*counts.tolist(), *([0] * silent)], false_alarm=FALSE_ALARM)
    named = [
        Suspect(
            "",
            str(names[place]),
            int(counts[place]),
            float(tested.expected[place]),
            float(tested.probability[place]),
        )
        for place in range(names.size)
        if tested.bad[place] and names[place] not in {"-1", "NULL"}
    ]
    return tuple(sorted(named, key=lambda suspect: suspect.probability))
