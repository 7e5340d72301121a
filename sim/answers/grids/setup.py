"""The parts of a grid replay that a request describes: clusters, jobs, failures, requirements."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.refusals import Field, Refused
from asking.units import human_count

from ..logs.csv_rows import csv_rows
from ..logs.guessed import job_trace
from ..logs.recorded import Recorded, recorded_waits
from ..logs.reports import DATED_SINCE, refuse_without_submit, report_lines, unix_start
from ..logs.words import of_file, why_empty
from ..replays.failures import Feeds
from ..replays.maintenance import maintenance_of
from ..replays.policies import order_of
from ..replays.walltimes import missing_walltimes
from .failing import GridDraws, draws_of_grid, logged_failures
from .partitions import clusters_of_jobs
from .request import GridRequest

if TYPE_CHECKING:
    from ...cluster import Grid, Maintenance, Workload
    from ...cluster.loop import Order
    from ...traces import Trace

_REQUIREMENTS = ("job", "properties", "clusters", "queue", "owner", "time_limit")  # columns

# Unix time of second 0 of logs whose headers do not say it.
_KNOWN_ORIGINS = {"METACENTRUM-2009": 1_228_910_204.0}


@dataclass(frozen=True, slots=True, eq=False)
class GridSetup:
    """Everything the scenarios need, and in words what was assumed."""

    workload: Workload
    grid: Grid
    feeds: Feeds
    draws: GridDraws | None  # of the failures, where they are not read
    suitability: Any
    scale: Any  # jobs x clusters: how much longer a job runs there; None if it does not
    order: Order | None  # of the queue; None is that of submission
    requirements: str
    unix_start: float | None  # of second 0 of the log, [s]; None where it is not known
    recorded: Recorded | None  # waits, where the log has any
    notes: tuple[str, ...]
    files: tuple[Path, ...]  # read beside those that the request names as files

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What is replayed, a name and a text each."""
        clusters = human_count(len(self.grid.clusters), "cluster")
        machines = human_count(self.grid.nodes, "machine")
        return [
            ("grid", f"{clusters}, {machines}, {human_count(self.grid.size, 'processor')}"),
            ("jobs", f"{len(self.workload):,}"),
            ("requirements", self.requirements),
        ]


def grid_setup(request: GridRequest) -> GridSetup:
    """Read all files; refuse what does not go together."""
    from ...cluster import Workload

    guess = list[str]()
    trace = job_trace(request.log, request.job_format, guess, request)
    refuse_without_submit(request.log, trace)
    notes = [*report_lines(trace.report), *guess]
    grid = _grid(request, notes)
    trace = replace(trace, frame=_by_site(trace.frame, grid))
    missing, factor = missing_walltimes(request)
    workload = Workload.from_frame(trace.frame, missing_walltime=missing, walltime_factor=factor)
    if len(workload) == 0:
        raise Refused("{} must hold jobs that ran, got none", trace.report.source)
    notes.extend(f"{number:,} left out: {rule}" for rule, number in workload.dropped.items())
    if request.kill or request.estimates == "walltime":
        without = workload.repaired.get("missing_walltime", 0)
        notes.extend([f"{without:,} repaired: missing_walltime"] if without else [])
    if request.jobs is not None:
        workload = workload.select(np.arange(min(len(workload), request.jobs)))
    ran_on = None
    if request.from_first_use:
        ran_on = clusters_of_jobs(request, trace, workload, grid, notes)
    draws = draws_of_grid(request, workload, grid, ran_on, notes)
    failures = None
    if draws is not None:
        failures = draws.failures(workload, grid, request.seed)
    elif request.failures is not None:
        failures = logged_failures(
            *(request, request.failures, workload, grid),
            origin=_origin(request.origin, trace),
            notes=notes,
        )
    maintenance = _maintenance(request, trace, workload, grid, notes)
    if request.scale_runtimes or request.requirements == "reconstruct":
        if ran_on is None:
            ran_on = clusters_of_jobs(request, trace, workload, grid, notes)
        workload = replace(workload, partition=ran_on)  # from here on the cluster
    scale = _scale(workload, grid, notes) if request.scale_runtimes else None
    suitability, words = _requirements(request, trace.frame, workload, grid, notes)
    source = request.requirements
    files = () if source in (None, "reconstruct", "log") else (Path(source),)
    return GridSetup(
        workload=workload,
        grid=grid,
        feeds=Feeds.of(failures, maintenance, drawn=request.failures is None),
        draws=draws,
        suitability=suitability,
        scale=scale,
        order=None if request.order is None else _order(request.order, notes),
        requirements=words,
        unix_start=_unix_start(request, trace, workload),
        recorded=recorded_waits(trace),
        notes=tuple(notes),
        files=files,
    )


def of_seed(parts: GridSetup, request: GridRequest) -> GridSetup:
    """Return the parts with the failures of the seed of a request, where failures are drawn."""
    if parts.draws is None:
        return parts
    failures = parts.draws.failures(parts.workload, parts.grid, request.seed)
    return replace(parts, feeds=parts.feeds.with_failures(failures))


def _maintenance(
    request: GridRequest, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> Maintenance | None:
    if request.maintenance is None:
        return None
    dated = float(workload.submit[0]) > DATED_SINCE
    return maintenance_of(
        *(request.maintenance, workload, notes),
        nodes=grid.nodes,
        origin=0.0 if dated else _origin(request.origin, trace) or 0.0,
        known_to="a grid",
        limits=request.limits,
    )


def _by_site(frame: Any, grid: Grid) -> Any:
    """Let the partition of a GWF job be the site where it ran, if only that names clusters."""
    from ...traces.parsing import numbered

    clusters = {cluster.name for cluster in grid.clusters}
    if "execution_site" not in frame.columns or clusters & set(frame["partition_name"]):
        return frame
    site = frame["execution_site"]
    if not clusters & set(site):
        site = site.str.rpartition("/")[2]  # as in G1/site2
    return frame.assign(partition=numbered(site), partition_name=site)


def _grid(request: GridRequest, notes: list[str]) -> Grid:
    grid = _clusters(request, notes)
    speeds = {cluster.speed for cluster in grid.clusters}
    if request.scale_runtimes and len(speeds) == 1:
        raise Refused(
            "{} must have clusters of different speeds, got {:g} for all of them",
            *(Field("scale_runtimes"), speeds.pop()),
        )
    return grid


def _clusters(request: GridRequest, notes: list[str]) -> Grid:
    from ...cluster.grid import grid_from_frame, read_grid
    from ...traces import Limited, read_metacentrum_machines

    path = request.machines
    if path.suffix == ".toml":
        with of_file(path):
            return read_grid(Limited(path, request.limits), need_speed=request.scale_runtimes)
    with of_file(path):
        trace = read_metacentrum_machines(Limited(path, request.limits), strict=request.strict)
    notes.extend(report_lines(trace.report))
    if trace.frame.empty:
        raise Refused("{} must describe clusters, got {}", path.name, why_empty(trace.report))
    return grid_from_frame(trace.frame)


def _unix_start(request: GridRequest, trace: Trace, workload: Workload) -> float | None:
    if workload.submit[0] > DATED_SINCE:
        return 0.0
    start = _origin(request.origin, trace)
    return start if start is not None and start > DATED_SINCE else None


def _origin(given: float | None, trace: Trace) -> float | None:
    if given is not None:
        return given
    started = unix_start(trace)
    if started is not None:
        return started
    name = Path(trace.report.source).name
    return next((o for log, o in _KNOWN_ORIGINS.items() if name.startswith(log)), None)


def _order(text: str, notes: list[str]) -> Order:
    notes.append(f"the queue is ordered by {text}, highest first")
    return order_of(text)


def _scale(workload: Workload, grid: Grid, notes: list[str]) -> Any:
    from ...cluster.grid import runtime_scale

    speeds = [cluster.speed for cluster in grid.clusters]
    notes.append(
        "runtimes and walltimes scaled by the speeds of the clusters, "
        f"{min(speeds):g} to {max(speeds):g}"
    )
    if unknown := int(np.sum(workload.partition < 0)):
        notes.append(f"jobs not scaled, as their cluster in LOG is unknown: {unknown:,}")
    return runtime_scale(grid, workload.partition)


def _requirements(
    request: GridRequest, frame: Any, workload: Workload, grid: Grid, notes: list[str]
) -> tuple[Any, str]:
    from ...cluster.grid import requirements_from_frame, suitability

    source = request.requirements
    if source is None:
        return None, "none"
    if source == "reconstruct":
        return _reconstructed(request, workload, grid, notes)
    if source == "log":
        table, words = _named_in_log(frame), "as named in the job log"
    else:
        with of_file(Path(source)):
            table, words = _table(request, Path(source), notes), f"as named in {Path(source).name}"
    found, counts = requirements_from_frame(table, workload)
    names = {
        "without": "jobs without requirements",
        "unknown": "requirements of unknown jobs",
        "repeated": "requirements of jobs named again below: the last of a job counts",
    }
    notes.extend(f"{names[rule]}: {number:,}" for rule, number in counts.items())
    return suitability(found, grid), words


def _named_in_log(frame: Any) -> Any:
    """Return what the jobs of an .mwf or a GWF log ask for."""
    if "properties" in frame.columns:
        properties = frame["properties"]
    elif "requested_platform" in frame.columns:
        asked = [
            frame[name].replace("-1", "")
            for name in ("requested_platform", "requested_network", "requested_resources")
        ]
        properties = asked[0].str.cat(asked[1:], sep=" ").str.replace(r"[,;]", " ", regex=True)
    else:
        raise Refused(
            "{} log must be left out unless {} is .mwf or GWF",
            *(Field("requirements"), Field("log")),
        )
    return frame[["job"]].assign(properties=properties, queue=frame["queue_name"])


def _table(request: GridRequest, path: Path, notes: list[str]) -> Any:
    """Read the requirements of jobs; an error names its line."""
    import pandas as pd

    if not path.is_file():
        raise Refused(
            "{} must be a readable file, reconstruct or log, got {!r}",
            *(Field("requirements"), str(path)),
        )
    kept, rows = csv_rows(
        path, _REQUIREMENTS, needed=(("job",),), notes=notes, limits=request.limits
    )
    for number, row in rows:
        if re.fullmatch("[0-9]{1,15}", job := row[kept.index("job")]) is None:
            raise ValueError(f"line {number}: job must be a whole number, got {job[:60]!r}")
    return pd.DataFrame(
        {
            name: pd.Series([row[place] for _, row in rows], dtype=str)
            for place, name in enumerate(kept)
        }
    )


def _reconstructed(
    request: GridRequest, workload: Workload, grid: Grid, notes: list[str]
) -> tuple[Any, str]:
    from ...cluster.grid import reconstruct

    usual = ("executable",) if (workload.executable >= 0).any() else ("user", "queue")
    keys = request.reconstruct_by or usual
    clusters = len(grid.clusters)
    matrix, counts = reconstruct(
        workload, {place: place for place in range(clusters)}, clusters=clusters, by=keys
    )
    for number in counts.values():
        notes.append(f"jobs without history, which suit every cluster: {number:,}")
    return matrix, f"reconstructed: where jobs of the same {' and '.join(keys)} ran"
