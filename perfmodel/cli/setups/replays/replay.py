"""The parts of a replay that a request describes: machine, jobs, checkpoints, policy."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ....answers.logs import (
    DATED_SINCE,
    Recorded,
    job_format,
    job_reading,
    machine_size,
    recorded_waits,
    refuse_without_submit,
    report_lines,
    unix_start,
)
from ....answers.logs.limits import limited
from ....answers.logs.words import of_file, why_empty
from ...errors import needing
from ...output.attempts import attempt_table, place_words
from ...requests.replay import OnFailure, Oversize, Reboots, SiteRequest
from .failures import clock_start, failures_of, redrawn, together
from .job_checkpoints import Checkpoint, OwnCheckpoints, own_checkpoints
from .maintenance import maintenance_of
from .policies import allocation_name, policies_of
from .walltimes import missing_walltimes

if TYPE_CHECKING:
    from sim.cluster import (
        BlueGene,
        Failures,
        Flat,
        Maintenance,
        Periodic,
        Policy,
        Replay,
        Workload,
    )
    from sim.traces import Trace

__all__ = ["Setup", "last_end", "no_failures", "of_seed", "setup", "variants"]

_MOST_CHECKPOINTS = 1e6  # of a job; beyond it a slip of a unit is more likely


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a replay needs, and in words what was assumed."""

    workload: Workload
    machine: Flat | BlueGene
    bluegene: bool
    unit: str  # what the machine is made of
    failures: Failures | None  # with the windows of maintenance
    feed: Failures | None  # drawn or read, without them
    windows: Failures | None  # of maintenance
    planned: Failures | None  # those that also a replay without failures has
    drawn: bool  # the feed, not read
    checkpointing: Periodic | None
    own_checkpoints: OwnCheckpoints | None  # of single jobs; they are in `checkpointing`
    policies: dict[str, str | Policy]
    recovery: OnFailure
    notes: tuple[str, ...]
    files: tuple[Path, ...]  # read beside those that the options name
    unix_start: float | None  # of second 0 of the log, [s]; None where it is not known
    recorded: Recorded | None  # waits; None where the log has none or gaps were scaled
    job_ids: dict[int, str]  # line of the log -> what the log calls the job, where that is a text

    def failures_drawn(self, end: float) -> int | None:
        """Return how many failures were drawn until `end`, [s]; None where none are drawn."""
        if not self.drawn or self.feed is None:
            return None
        times = self.feed.time  # some before the first submission: of nodes out by then
        until = int(np.searchsorted(times, end, side="right"))
        return max(until - int(np.searchsorted(times, self.workload.submit[0])), 0)

    def attempts(self, result: Replay) -> Any:
        """Return a table of one row per attempt of a replay, with the names of the log."""
        return attempt_table(result, place_words(self.machine), self.job_ids)

    def numbering(self) -> Failures:
        """Return the failures, or none at all, with which a plain machine numbers its nodes."""
        return no_failures() if self.failures is None else self.failures


def no_failures() -> Failures:
    """Return failures of which there are none; a plain machine numbers its nodes for them."""
    from sim.cluster import Failures

    return Failures(np.empty(0), np.empty(0, np.int64), np.empty(0))


def last_end(result: Replay) -> float:
    """Return when the last attempt of a replay ended, [s]; -inf without any."""
    ends = result.attempt_records.end
    return float(ends.max()) if ends.size else -math.inf


def setup(request: SiteRequest) -> Setup:
    """Read the log and build what the request describes; refuse what does not go together."""
    return _built(request, *_read(request))


def _read(request: SiteRequest) -> tuple[Trace, list[str]]:
    from sim.traces import read_jobs

    log = request.log
    with of_file(log):
        notes = list[str]()
        layout = job_format(log, request.job_format, notes, request)
        said = job_reading(layout, request)
        trace = read_jobs(limited(log), layout, strict=request.strict, **said)
    if trace.frame.empty:
        raise click.UsageError(f"{log.name} must hold jobs, got {why_empty(trace.report)}")
    refuse_without_submit(log, trace)
    return trace, notes


def _built(request: SiteRequest, trace: Trace, read: list[str]) -> Setup:
    from sim.cluster import Flat, maintained

    notes = [*report_lines(trace.report), *read]
    files: list[Path] = []
    machine = _machine(request, trace, notes, files)
    bluegene = not isinstance(machine, Flat)
    workload = _workload(request, trace, machine, notes)
    feed = failures_of(request, trace, workload, machine, notes)
    maintenance = _maintenance(request, trace, workload, machine, notes)
    windows, planned = _windows(maintenance)
    failures = together(windows, feed)
    if maintenance is not None and isinstance(machine, Flat):
        machine = maintained(machine, maintenance)
    policies = policies_of(request, machine, notes)
    if failures is not None and not bluegene and request.processors_per_node is None:
        notes.append(
            "a failure strikes one processor; --processors-per-node says how many a node has"
        )
    own = None
    if request.job_checkpoints is not None:
        if request.oversize == "skip":  # checkpoints are numbered as the jobs that are replayed
            workload = workload.select(machine.fits(workload), rule="larger_than_machine")
        own = own_checkpoints(request.job_checkpoints, trace, recovery=request.recovery_cost)
        notes.append(own.words(workload, others=request.checkpoint_interval is not None))
    if failures is None and allocation_name(request) != "least-blocking":
        notes.append("without failures the forecaster sees only false alarms")
    return Setup(
        workload=workload,
        machine=machine,
        bluegene=bluegene,
        unit="nodes" if bluegene or request.processors_per_node else "processors",
        failures=failures,
        feed=feed,
        windows=windows,
        planned=planned,
        drawn=request.failures is None,
        checkpointing=_checkpointing(request, own, workload),
        own_checkpoints=own,
        policies=policies,
        recovery=request.on_failure or ("new" if bluegene else "original"),
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
            failures=parts.windows if request.mtbf is not None else parts.failures,
            feed=None if request.mtbf is not None else parts.feed,
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
    feed = redrawn(request, parts.workload, parts.machine)
    if feed is None:
        return parts
    return replace(parts, feed=feed, failures=together(parts.windows, feed))


def _unix_start(request: SiteRequest, trace: Trace, workload: Workload) -> float | None:
    if request.scale_gaps is not None:  # the clock of the replay is no longer that of the log
        return None
    if request.log_start is not None:
        return float(request.log_start)
    if workload.submit[0] > DATED_SINCE:
        return 0.0
    start = unix_start(trace)
    return start if start is not None and start > DATED_SINCE else None


def _maintenance(
    request: SiteRequest,
    trace: Trace,
    workload: Workload,
    machine: Flat | BlueGene,
    notes: list[str],
) -> Maintenance | None:
    from sim.cluster import Flat

    if request.maintenance is None:
        return None
    return maintenance_of(
        request.maintenance,
        workload,
        notes,
        nodes=machine.nodes,
        origin=clock_start(request, trace),
        known_to=None if isinstance(machine, Flat) else "a Blue Gene",
    )


def _windows(maintenance: Maintenance | None) -> tuple[Failures | None, Failures | None]:
    """Return all windows, and the planned ones alone."""
    from sim.cluster import Maintenance

    if maintenance is None:
        return None, None
    known = Maintenance(maintenance.planned(), maintenance.nodes)
    return maintenance.failures(), known.failures() if known.windows else None


def _job_ids(trace: Trace) -> dict[int, str]:
    """Return Slurm's names of jobs (``9_4`` in an array), which are not its numbers."""
    if "job_id" not in trace.frame.columns:
        return {}
    pairs = zip(trace.frame["line"].tolist(), trace.frame["job_id"], strict=True)
    return {line: str(name) for line, name in pairs}


def _machine(
    request: SiteRequest, trace: Trace, notes: list[str], files: list[Path]
) -> Flat | BlueGene:
    from sim.cluster import flat

    name, processors = request.machine, request.processors
    if name is not None and processors is not None:
        raise click.UsageError("--processors must be left out with --machine")
    if name is not None and name.partition(":")[0] in ("intrepid", "bluegene"):
        return _bluegene(name, request.reboots or "midplanes", notes, files)
    if name is not None:
        kind, _, size = name.partition(":")
        if kind != "flat" or re.fullmatch("0*[1-9][0-9]{0,17}", size) is None:
            raise click.UsageError(
                "--machine must be intrepid, intrepid:XML, bluegene:RxC or flat:N (N processors), "
                f"got {name!r}"
            )
        processors = int(size)
    if processors is None:
        processors = _processors_of(trace, notes)
        notes.append(f"{processors:,} processors, as the log's header says")
    per_node = request.processors_per_node or 1
    if per_node > processors:
        raise click.UsageError(
            f"--processors-per-node must be <= the {processors:,} of the machine, got {per_node}"
        )
    nodes, spare = divmod(processors, per_node)
    if spare:
        notes.append(
            f"{nodes:,} nodes of {per_node} processors; {spare} processors that fill no node are "
            "left out"
        )
    return flat(nodes)


def _bluegene(name: str, reboots: Reboots, notes: list[str], files: list[Path]) -> BlueGene:
    from sim.cluster import BlueGene, PartitionTable, regular
    from sim.traces import locate

    kind, _, rest = name.partition(":")
    if kind == "bluegene":
        size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", rest)
        if size is None:
            raise click.UsageError(f"--machine bluegene must be ROWSxRACKS, got {name!r}")
        return BlueGene(regular(int(size[1]), int(size[2])), reboots)
    path = Path(rest) if rest else locate("machines/intrepid/simulator.xml.xz")
    if path is None:
        notes.append(
            "machines/intrepid/simulator.xml.xz is not at hand: a regular machine of 5 x 8 racks "
            "stands in"
        )
        return BlueGene(regular(5, 8), reboots)
    files.append(path)
    with needing("--machine"):
        return BlueGene(PartitionTable.from_cobalt(limited(path)), reboots)


def _processors_of(trace: Trace, notes: list[str]) -> int:
    found = machine_size(trace, notes)
    if found is None:
        raise click.UsageError(
            "--processors must be given where the log's header does not say MaxProcs"
        )
    return found


def _workload(
    request: SiteRequest, trace: Trace, machine: Flat | BlueGene, notes: list[str]
) -> Workload:
    from sim.cluster import BlueGene, Workload

    bluegene = isinstance(machine, BlueGene)
    per_node = request.processors_per_node or (4 if bluegene else 1)
    missing, factor = missing_walltimes(request.missing_walltime, request.walltime_factor)
    workload = Workload.from_frame(
        trace.frame,
        processors="allocated" if bluegene else "requested",
        processors_per_node=per_node,
        missing_walltime=missing,
        walltime_factor=factor,
        ties=request.ties,
    )
    if len(workload) == 0:
        raise click.UsageError(f"{trace.report.source} must hold jobs that ran, got none")
    workload = _window(request, workload, notes)
    if request.scale_gaps is not None:
        workload = workload.scale_gaps(request.scale_gaps)
    if isinstance(machine, BlueGene):
        workload = _fitting(workload, machine, request.oversize)
        workload = machine.sized(workload)
        notes.append(f"{per_node} processors a node; sizes are those of partitions")
    return workload


def _window(request: SiteRequest, workload: Workload, notes: list[str]) -> Workload:
    since, before = request.since or 0.0, request.before
    if since == 0.0 and before is None:
        return workload
    before = math.inf if before is None else before
    if not since < before:
        raise click.UsageError("--before must be later than --since")
    first = float(workload.submit[0])
    window = workload.window(first + since, first + before)
    if len(window) == 0:
        raise click.UsageError(f"--since and --before must leave jobs, got 0 of {len(workload):,}")
    notes.append(f"{len(window):,} of {len(workload):,} jobs were submitted in the window")
    return window


def _fitting(workload: Workload, machine: BlueGene, oversize: Oversize) -> Workload:
    fits = machine.fits(workload)
    return workload.select(fits, rule="larger_than_machine") if oversize == "skip" else workload


def _checkpointing(
    request: SiteRequest, own: OwnCheckpoints | None, workload: Workload
) -> Periodic | None:
    from sim.cluster import Periodic

    interval, cost = request.checkpoint_interval, request.checkpoint_cost
    within = request.checkpoints_in_walltime
    if (interval is None) != (cost is None):
        raise click.UsageError(
            "--checkpoint-interval and --checkpoint-cost must be given together"
            + ("; --checkpoint-cost 0s writes them in no time" if cost is None else "")
        )
    common = Checkpoint(interval or math.inf, cost or 0.0, request.recovery_cost)
    if own is not None:
        found = own.periodic(workload, common, in_walltime=within)
        flag = "--job-checkpoints and --checkpoint-interval"
    elif interval is not None:
        found = Periodic(*common, in_walltime=within)
        flag = "--checkpoint-interval"
    else:
        return None
    longest = float((workload.runtime / np.asarray(found.interval, np.float64)).max())
    if longest > _MOST_CHECKPOINTS:
        raise click.UsageError(
            f"{flag} must leave at most {_MOST_CHECKPOINTS:,.0f} checkpoints a job, "
            f"got about {longest:.3g}"
        )
    return found
