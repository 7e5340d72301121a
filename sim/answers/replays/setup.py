"""The parts of a replay that a request describes: machine, jobs, checkpoints, policy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from asking.moments import Moment, moment_on, shown_moment
from asking.refusals import Field, Refused, Said

from ..attempts import attempt_table
from ..logs.guessed import job_trace
from ..logs.recorded import Recorded, recorded_waits
from ..logs.reports import DATED_SINCE, refuse_without_submit, report_lines, unix_start
from ..logs.words import why_empty
from .failures import Feeds, clock_start, failures_of, redrawn
from .job_checkpoints import Checkpoint, OwnCheckpoints, own_checkpoints
from .machines import Site, site_of
from .maintenance import maintenance_of
from .policies import allocation_name
from .requests import OnFailure, SiteRequest

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import Maintenance, Periodic, Policy, Replay, Workload
    from ...traces import Trace

_MOST_CHECKPOINTS = 1e6  # of a job; beyond it a slip of a unit is more likely


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """Everything a replay needs, and in words what was assumed."""

    workload: Workload
    site: Site
    feeds: Feeds
    checkpointing: Periodic | None
    own_checkpoints: OwnCheckpoints | None  # of single jobs; they are in `checkpointing`
    policies: dict[str, str | Policy]
    recovery: OnFailure
    notes: tuple[str, ...]
    files: tuple[Path, ...]  # read beside those that the request names
    unix_start: float | None  # of second 0 of the log, [s]; None where it is not known
    recorded: Recorded | None  # waits; None where the log has none or gaps were scaled
    job_ids: dict[int, str]  # line of the log -> what the log calls the job, where that is a text

    def failures_drawn(self, end: float) -> int | None:
        """Return how many failures were drawn until `end`, [s]; None where none are drawn."""
        return self.feeds.drawn_between(float(self.workload.submit[0]), end)

    def attempts(self, result: Replay) -> pd.DataFrame:
        """Return a table of one row per attempt of a replay, with the names of the log."""
        return attempt_table(result, self.site.place_words(), self.job_ids)


def last_end(result: Replay) -> float:
    """Return when the last attempt of a replay ended, [s]; -inf without any."""
    ends = result.attempt_records.end
    return float(ends.max()) if ends.size else -math.inf


def setup(request: SiteRequest) -> Setup:
    """Read the log and build what the request describes; refuse what does not go together."""
    return setup_and_log(request)[0]


def setup_and_log(request: SiteRequest) -> tuple[Setup, Trace]:
    """Return the same, and the log as it was read."""
    trace, read = _read(request)
    return _built(request, trace, read), trace


def _read(request: SiteRequest) -> tuple[Trace, list[str]]:
    notes = list[str]()
    trace = job_trace(request.log, request.job_format, notes, request)
    if trace.frame.empty:
        raise Refused("{} must hold jobs, got {}", request.log.name, why_empty(trace.report))
    refuse_without_submit(request.log, trace)
    return trace, notes


def _built(request: SiteRequest, trace: Trace, read: list[str]) -> Setup:
    notes = [*report_lines(trace.report), *read]
    files: list[Path] = []
    site = site_of(request, trace, notes, files)
    workload = _workload(request, trace, site, notes)
    failures = failures_of(request, trace, workload, site, notes)
    maintenance = _maintenance(request, trace, workload, site, notes)
    feeds = Feeds.of(failures, maintenance, drawn=request.failures is None)
    if maintenance is not None:
        site = site.maintained(maintenance)
    policies = site.policies(request, notes)
    if feeds.every is not None:
        notes.extend(site.struck_in_words())
    own = None
    if request.job_checkpoints is not None:
        if request.oversize == "skip":  # checkpoints are numbered as the jobs that are replayed
            workload = workload.select(site.machine.fits(workload), rule="larger_than_machine")
        own = own_checkpoints(request, request.job_checkpoints, trace)
        notes.append(own.words(workload, others=request.checkpoint_interval is not None))
    if feeds.every is None and allocation_name(request) != "least-blocking":
        notes.append("without failures the forecaster sees only false alarms")
    return Setup(
        workload=workload,
        site=site,
        feeds=feeds,
        checkpointing=_checkpointing(request, own, workload),
        own_checkpoints=own,
        policies=policies,
        recovery=request.on_failure or site.on_failure,
        notes=tuple(notes),
        files=tuple(files),
        unix_start=_unix_start(request, trace, workload),
        recorded=recorded_waits(trace) if request.scale_gaps is None else None,
        job_ids=_job_ids(trace),
    )


def variants(requests: Sequence[SiteRequest]) -> list[Setup]:
    """Return the parts of requests that differ in MTBF, gaps, checkpoints and recovery only.

    The log is read once, and there are no failures where they are drawn: each seed of a study has
    its own.
    """
    trace, read = _read(requests[0])
    parts = _built(replace(requests[0], scale_gaps=None), trace, read)
    scaled: dict[float | None, Workload] = {None: parts.workload}
    found = []
    for request in requests:
        gaps = request.scale_gaps
        if gaps is not None and gaps not in scaled:
            scaled[gaps] = parts.workload.scale_gaps(gaps)
        changed = replace(
            parts,
            workload=scaled[gaps],
            feeds=parts.feeds.until_drawn(),
            checkpointing=_checkpointing(request, parts.own_checkpoints, scaled[gaps]),
            own_checkpoints=None,
            recovery=request.on_failure or parts.recovery,
            recorded=None,
            job_ids={},
        )
        found.append(changed)
    return found


def of_seed(parts: Setup, request: SiteRequest) -> Setup:
    """Return the parts with the failures of the seed of a request, where failures are drawn."""
    failures = redrawn(request, parts.workload, parts.site)
    if failures is None:
        return parts
    return replace(parts, feeds=parts.feeds.with_failures(failures))


def _unix_start(request: SiteRequest, trace: Trace, workload: Workload) -> float | None:
    if request.scale_gaps is not None:  # the clock of the replay is no longer that of the log
        return None
    return _clock(request, trace, workload)


def _clock(request: SiteRequest, trace: Trace, workload: Workload) -> float | None:
    """Return the Unix time of second 0 of the log, [s]; None where it is not known."""
    if request.log_start is not None:
        return float(request.log_start)
    if workload.submit[0] > DATED_SINCE:
        return 0.0
    start = unix_start(trace)
    return start if start is not None and start > DATED_SINCE else None


def _maintenance(
    request: SiteRequest, trace: Trace, workload: Workload, site: Site, notes: list[str]
) -> Maintenance | None:
    if request.maintenance is None:
        return None
    return maintenance_of(
        *(request.maintenance, workload, notes),
        nodes=site.machine.nodes,
        origin=clock_start(request, trace),
        known_to=site.without_windows,
        limits=request.limits,
    )


def _job_ids(trace: Trace) -> dict[int, str]:
    """Return Slurm's names of jobs (``9_4`` in an array), which are not its numbers."""
    if "job_id" not in trace.frame.columns:
        return {}
    pairs = zip(trace.frame["line"].tolist(), trace.frame["job_id"], strict=True)
    return {line: str(name) for line, name in pairs}


def _workload(request: SiteRequest, trace: Trace, site: Site, notes: list[str]) -> Workload:
    workload = site.workload(request, trace.frame)
    if len(workload) == 0:
        raise Refused("{} must hold jobs that ran, got none", trace.report.source)
    workload = _window(request, trace, workload, notes)
    if request.scale_gaps is not None:
        workload = workload.scale_gaps(request.scale_gaps)
    return site.fitted(request, workload, notes)


def _window(request: SiteRequest, trace: Trace, workload: Workload, notes: list[str]) -> Workload:
    if request.since is None and request.before is None:
        return workload
    first, last = float(workload.submit[0]), float(workload.submit[-1])
    origin = _clock(request, trace, workload)

    def on_clock(name: str, moment: Moment | None, usual: float) -> float:
        if moment is None:
            return usual
        if origin is None and isinstance(moment, datetime):
            raise Refused(
                "{} must be seconds or a duration where the header of {} does not say when it "
                "starts, got {}: {} says it",
                *(Field(name), trace.report.source, shown_moment(moment), Field("log_start")),
            )
        return moment_on(moment, first, last, origin=origin or 0.0)

    since = on_clock("since", request.since, -math.inf)
    before = on_clock("before", request.before, math.inf)
    if not since < before:
        raise Refused("{} must be later than {}", Field("before"), Field("since"))
    window = workload.window(since, before)
    if len(window) == 0:
        raise Refused(
            "{} and {} must leave jobs, got 0 of {:,}",
            *(Field("since"), Field("before"), len(workload)),
        )
    notes.append(f"{len(window):,} of {len(workload):,} jobs were submitted in the window")
    return window


def _checkpointing(
    request: SiteRequest, own: OwnCheckpoints | None, workload: Workload
) -> Periodic | None:
    from ...cluster import Periodic

    interval, cost = request.checkpoint_interval, request.checkpoint_cost
    within = request.checkpoints_in_walltime
    if (interval is None) != (cost is None):
        free = Said("; {} 0s writes them in no time", Field("checkpoint_cost"))
        raise Refused(
            "{} and {} must be given together{}",
            *(Field("checkpoint_interval"), Field("checkpoint_cost")),
            free if cost is None else "",
        )
    common = Checkpoint(interval or math.inf, cost or 0.0, request.recovery_cost)
    name: Field | Said = Field("checkpoint_interval")
    if own is not None:
        found = own.periodic(workload, common, in_walltime=within)
        name = Said("{} and {}", Field("job_checkpoints"), name)
    elif interval is not None:
        found = Periodic(*common, in_walltime=within)
    else:
        return None
    longest = float((workload.runtime / np.asarray(found.interval, np.float64)).max())
    if longest > _MOST_CHECKPOINTS:
        raise Refused(
            "{} must leave at most {:,.0f} checkpoints a job, got about {:.3g}",
            *(name, _MOST_CHECKPOINTS, longest),
        )
    return found
