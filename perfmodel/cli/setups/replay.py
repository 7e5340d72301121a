"""The parts of a replay that a request describes: machine, jobs, checkpoints, policy."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..errors import needing, of_file, why_empty
from ..options.limits import limited
from ..requests.replay import Allocation, OnFailure, Oversize, SiteRequest
from .failures import failures_of
from .reports import report_lines

if TYPE_CHECKING:
    from sim.cluster import BlueGene, Failures, Flat, Periodic, Policy, Replay, Utility, Workload
    from sim.traces import Trace

__all__ = ["Setup", "last_end", "setup"]

_MOST_CHECKPOINTS = 1e6  # of a job; beyond it a slip of a unit is more likely


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a replay needs, and in words what was assumed."""

    workload: Workload
    machine: Flat | BlueGene
    bluegene: bool
    unit: str  # what the machine is made of
    failures: Failures | None
    drawn: bool  # the failures, not read
    checkpointing: Periodic | None
    policies: dict[str, str | Policy]
    recovery: OnFailure
    notes: tuple[str, ...]
    files: tuple[Path, ...]  # read beside those that the options name
    job_ids: dict[int, str]  # line of the log -> what the log calls the job, where that is a text

    def failures_drawn(self, end: float) -> int | None:
        """Return how many failures were drawn until `end`, [s]; None where none are drawn."""
        if not self.drawn or self.failures is None:
            return None
        return int(np.searchsorted(self.failures.time, end, side="right"))

    def jobs(self, result: Replay) -> Any:
        """Return a table of one row per job of a replay, with the names of the log."""
        table = result.jobs
        if self.job_ids:
            names = [self.job_ids.get(line, "") for line in result.workload.line.tolist()]
            table.insert(1, "job_id", names)
        return table


def last_end(result: Replay) -> float:
    """Return when the last attempt of a replay ended, [s]; -inf without any."""
    ends = result.attempt_records.end
    return float(ends.max()) if ends.size else -math.inf


def setup(request: SiteRequest) -> Setup:
    """Read the log and build what the request describes; refuse what does not go together."""
    from sim.cluster import Flat
    from sim.traces import read_jobs

    log = request.log
    with of_file(log):
        trace = read_jobs(limited(log), request.job_format, strict=request.strict)
    notes = report_lines(trace.report)
    if trace.frame.empty:
        raise click.UsageError(f"{log.name} must hold jobs, got {why_empty(trace.report)}")
    files: list[Path] = []
    machine = _machine(request, trace, notes, files)
    bluegene = not isinstance(machine, Flat)
    workload = _workload(request, trace, machine, notes)
    failures = failures_of(request, trace, workload, machine, notes)
    policies = _policies(request, machine, notes)
    if failures is not None and not bluegene and request.processors_per_node is None:
        notes.append(
            "a failure strikes one processor; --processors-per-node says how many a node has"
        )
    if failures is None and _allocation_name(request) != "least-blocking":
        notes.append("without failures the forecaster sees only false alarms")
    return Setup(
        workload=workload,
        machine=machine,
        bluegene=bluegene,
        unit="nodes" if bluegene or request.processors_per_node else "processors",
        failures=failures,
        drawn=request.failures is None,
        checkpointing=_checkpointing(request, workload),
        policies=policies,
        recovery=request.on_failure or ("new" if bluegene else "original"),
        notes=tuple(notes),
        files=tuple(files),
        job_ids=_job_ids(trace),
    )


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
        return _bluegene(name, notes, files)
    if name is not None:
        kind, _, size = name.partition(":")
        if kind != "flat" or re.fullmatch("0*[1-9][0-9]{0,17}", size) is None:
            raise click.UsageError(
                "--machine must be intrepid, intrepid:XML, bluegene:RxC or flat:N (N processors), "
                f"got {name!r}"
            )
        processors = int(size)
    if processors is None:
        processors = _processors_of(trace)
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


def _bluegene(name: str, notes: list[str], files: list[Path]) -> BlueGene:
    from sim.cluster import BlueGene, PartitionTable, regular
    from sim.traces import locate

    kind, _, rest = name.partition(":")
    if kind == "bluegene":
        size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", rest)
        if size is None:
            raise click.UsageError(f"--machine bluegene must be ROWSxRACKS, got {name!r}")
        return BlueGene(regular(int(size[1]), int(size[2])))
    path = Path(rest) if rest else locate("machines/intrepid/simulator.xml.xz")
    if path is None:
        notes.append(
            "machines/intrepid/simulator.xml.xz is not at hand: a regular machine of 5 x 8 racks "
            "stands in"
        )
        return BlueGene(regular(5, 8))
    files.append(path)
    with needing("--machine"):
        return BlueGene(PartitionTable.from_cobalt(limited(path)))


def _processors_of(trace: Trace) -> int:
    from sim.traces.parsing import leading_whole

    for field in ("MaxProcs", "MaxNodes"):
        number = leading_whole(trace.header.get(field, ""))
        if number is not None and number > 0:
            return number
    raise click.UsageError(
        "--processors must be given where the log's header does not say MaxProcs"
    )


def _workload(
    request: SiteRequest, trace: Trace, machine: Flat | BlueGene, notes: list[str]
) -> Workload:
    from sim.cluster import BlueGene, Workload

    bluegene = isinstance(machine, BlueGene)
    per_node = request.processors_per_node or (4 if bluegene else 1)
    missing, factor = request.missing_walltime, request.walltime_factor
    if factor is not None and missing not in (None, "factor"):
        raise click.UsageError(
            f"--walltime-factor must be left out with --missing-walltime {missing}"
        )
    if factor is None and missing == "factor":
        raise click.UsageError("--missing-walltime factor must have a --walltime-factor")
    workload = Workload.from_frame(
        trace.frame,
        processors="allocated" if bluegene else "requested",
        processors_per_node=per_node,
        missing_walltime=missing or ("runtime" if factor is None else "factor"),
        walltime_factor=factor or 1.0,
        ties=request.ties,
    )
    if len(workload) == 0:
        raise click.UsageError(f"{trace.report.source} must hold jobs that ran, got none")
    workload = _window(request, workload, notes)
    if request.scale_gaps is not None:
        workload = workload.scale_gaps(request.scale_gaps)
    if isinstance(machine, BlueGene):
        workload = _sized(workload, machine, request.oversize)
        notes.append(f"{per_node} processors a node; sizes are those of partitions")
    return workload


def _window(request: SiteRequest, workload: Workload, notes: list[str]) -> Workload:
    since, until = request.since or 0.0, request.until
    if since == 0.0 and until is None:
        return workload
    until = math.inf if until is None else until
    if not since < until:
        raise click.UsageError("--until must be later than --since")
    first = float(workload.submit[0])
    window = workload.window(first + since, first + until)
    if len(window) == 0:
        raise click.UsageError(f"--since and --until must leave jobs, got 0 of {len(workload):,}")
    notes.append(f"{len(window):,} of {len(workload):,} jobs were submitted in the window")
    return window


def _sized(workload: Workload, machine: BlueGene, oversize: Oversize) -> Workload:
    fits = machine.fits(workload)
    if oversize == "skip":
        workload = workload.select(fits, rule="larger_than_machine")
    return machine.sized(workload)


def _checkpointing(request: SiteRequest, workload: Workload) -> Periodic | None:
    interval, cost = request.checkpoint_interval, request.checkpoint_cost
    if interval is None and cost is None:
        return None
    if interval is None or cost is None:
        raise click.UsageError("--checkpoint-interval and --checkpoint-cost must be given together")
    longest = float(workload.runtime.max()) / interval
    if longest > _MOST_CHECKPOINTS:
        raise click.UsageError(
            f"--checkpoint-interval must leave at most {_MOST_CHECKPOINTS:,.0f} checkpoints a job, "
            f"got about {longest:.3g}"
        )
    from sim.cluster import Periodic

    return Periodic(interval, cost, request.recovery_cost)


def _policies(
    request: SiteRequest, machine: Flat | BlueGene, notes: list[str]
) -> dict[str, str | Policy]:
    """Return what to run by name: one policy, or all those to compare."""
    from sim.cluster import BlueGene

    compared = request.compare
    if not isinstance(machine, BlueGene):
        of_bluegene = {
            "--utility": request.utility,
            "--utility-expr": request.utility_expr,
            "--threshold": request.threshold,
            "--fault-aware": request.fault_aware or None,
            "--allocation": request.allocation,
            "--alpha": request.alpha,
            "--beta": request.beta,
        }
        for flag, value in of_bluegene.items():
            if value is not None:
                raise click.UsageError(f"{flag} must be left out unless --machine is a Blue Gene")
        from sim.cluster import POLICIES

        if request.policy is not None and compared is not None:
            raise click.UsageError("--policy must be left out with --compare")
        names = [request.policy or "easy"] if compared is None else compared.split(",")
        flag = "--policy" if compared is None else "--compare"
        for name in names:
            if name not in POLICIES:
                raise click.UsageError(f"{flag} must be one of {', '.join(POLICIES)}, got {name!r}")
        return {name: name for name in names}
    if request.policy is not None:
        raise click.UsageError("--policy must be left out on a Blue Gene; give --utility")
    from sim.cluster import Cobalt

    utilities = _utilities(request, compared)
    allocation = _allocation(request, machine, notes)
    return {utility.name: Cobalt(utility, allocation) for utility in utilities}


def _utilities(request: SiteRequest, compared: str | None) -> list[Utility]:
    from sim.cluster import UTILITIES, utility_from_expression

    threshold = request.threshold or 0.0
    given = [request.utility, request.utility_expr, compared]
    if sum(item is not None for item in given) > 1:
        raise click.UsageError("only one must be given of --utility, --utility-expr and --compare")
    if request.utility_expr is not None:
        return [utility_from_expression(request.utility_expr, threshold=threshold)]
    names = compared.split(",") if compared is not None else [request.utility or "wfp3"]
    flag = "--utility" if compared is None else "--compare"
    for name in names:
        if name not in UTILITIES:
            raise click.UsageError(f"{flag} must be one of {', '.join(UTILITIES)}, got {name!r}")
    return [UTILITIES[name].with_threshold(threshold) for name in names]


def _allocation_name(request: SiteRequest) -> Allocation:
    name, aware = request.allocation, request.fault_aware
    if aware and name == "least-blocking":
        raise click.UsageError("--allocation must be printed or released with --fault-aware")
    chosen = name or ("released" if aware else "least-blocking")
    for flag, weight in (("--alpha", request.alpha), ("--beta", request.beta)):
        if weight is not None and chosen != "printed":
            raise click.UsageError(
                f"{flag} must be left out unless --allocation is printed; it is {chosen}"
            )
    return chosen


def _allocation(request: SiteRequest, machine: BlueGene, notes: list[str]) -> Any:
    from sim.cluster import QsimForecaster
    from sim.cluster.bluegene import FaultAware, LeastBlocking, ReleasedFaultAware, most_blocked

    name = _allocation_name(request)
    if name == "least-blocking":
        return LeastBlocking()
    forecaster = QsimForecaster(request.sensitivity, request.specificity)
    if name == "released":
        notes.append("partitions chosen by the risk of failures, once for every parent (released)")
        return ReleasedFaultAware(forecaster)
    alpha, beta = (1.0 if weight is None else weight for weight in (request.alpha, request.beta))
    notes.append(f"partitions chosen with alpha {alpha:g} and beta {beta:g} as printed")
    least = alpha * most_blocked(machine.table)
    if beta < least:
        notes.append(
            f"warning: --beta {beta:g} is below the {least:g} that blocking partitions can cost: "
            "one about to fail may be preferred, because it blocks others that fail with it; "
            f"--beta {least:g} or --allocation released prevents that"
        )
    return FaultAware(forecaster, alpha=alpha, beta=beta)
