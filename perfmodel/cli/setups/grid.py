"""The parts of a grid replay that a request describes: clusters, jobs, failures, requirements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..errors import of_file, why_empty
from ..options.limits import limited
from ..requests.grid import GridRequest
from ..units import human_duration
from .failures import refuse_endless, refuse_two_sources, time_to_fill
from .reports import DATED_SINCE, report_lines, unix_start

if TYPE_CHECKING:
    from sim.cluster import Failures, Grid, Workload
    from sim.traces import Trace

__all__ = ["GridSetup", "grid_setup"]

_REQUIREMENTS = ("job", "properties", "clusters", "queue", "owner", "time_limit")  # columns

_SOME = 20  # names in an error
# Unix time of second 0 of logs whose headers do not say it.
_KNOWN_ORIGINS = {"METACENTRUM-2009": 1_228_910_204.0}


@dataclass(frozen=True, slots=True)
class GridSetup:
    """Everything the scenarios need, and in words what was assumed."""

    workload: Workload
    grid: Grid
    failures: Failures | None
    suitability: Any
    requirements: str
    notes: tuple[str, ...]
    files: tuple[Path, ...]  # read beside those that the options name as files


def grid_setup(request: GridRequest) -> GridSetup:
    """Read all files; refuse what does not go together."""
    from sim.cluster import Workload
    from sim.traces import read_jobs

    log = request.log
    with of_file(log):
        layout = _job_format(log, request.job_format)
        trace = read_jobs(limited(log), layout, strict=request.strict)
    notes = report_lines(trace.report)
    grid = _grid(request.machines, request.strict, notes)
    trace = replace(trace, frame=_by_site(trace.frame, grid))
    workload = Workload.from_frame(trace.frame)
    if len(workload) == 0:
        raise click.UsageError(f"{trace.report.source} must hold jobs that ran, got none")
    notes.extend(f"{number:,} left out: {rule}" for rule, number in workload.dropped.items())
    if request.jobs is not None:
        workload = workload.select(np.arange(min(len(workload), request.jobs)))
    failures = _failures(request, trace, workload, grid, notes)
    suitability, words = _requirements(request, trace, workload, grid, notes)
    source = request.requirements
    files = () if source in (None, "reconstruct", "log") else (Path(source),)
    return GridSetup(workload, grid, failures, suitability, words, tuple(notes), files)


def _by_site(frame: Any, grid: Grid) -> Any:
    """Let the partition of a GWF job be the site where it ran, if only that names clusters."""
    from sim.traces.parsing import numbered

    clusters = {cluster.name for cluster in grid.clusters}
    if "execution_site" not in frame.columns or clusters & set(frame["partition_name"]):
        return frame
    site = frame["execution_site"]
    if not clusters & set(site):
        site = site.str.rpartition("/")[2]  # as in G1/site2
    return frame.assign(partition=numbered(site), partition_name=site)


def _job_format(log: Path, given: str | None) -> str:
    if given is not None:
        return given
    names = log.name.lower().split(".")
    return next((name for name in ("gwf", "mwf") if name in names[1:]), "swf")


def _grid(path: Path, strict: bool, notes: list[str]) -> Grid:
    from sim.cluster.grid import grid_from_frame, read_grid
    from sim.traces import read_metacentrum_machines

    if path.suffix == ".toml":
        with of_file(path):
            return read_grid(limited(path))
    with of_file(path):
        trace = read_metacentrum_machines(limited(path), strict=strict)
    notes.extend(report_lines(trace.report))
    if trace.frame.empty:
        raise click.UsageError(f"{path.name} must describe clusters, got {why_empty(trace.report)}")
    return grid_from_frame(trace.frame)


def _failures(
    request: GridRequest, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> Failures | None:
    path = request.failures
    refuse_two_sources(path, request.mtbf)
    if request.mtbf is not None:
        return _drawn_failures(request, request.mtbf, workload, grid, notes)
    if path is None:
        return None
    from sim.cluster.grid import grid_failures
    from sim.traces import read_failures

    layout = request.failure_format
    with of_file(path):
        read = read_failures(limited(path), layout, strict=request.strict)
    notes.extend(report_lines(read.report))
    if read.frame.empty:
        raise click.UsageError(f"{path.name} must hold failures, got {why_empty(read.report)}")
    dated = float(read.frame["time"].median()) > DATED_SINCE
    since_zero = float(workload.submit[0]) < DATED_SINCE
    origin = _origin(request.origin, trace) if dated and since_zero else 0.0
    if origin is None:
        raise click.UsageError(
            "--origin must be given (Unix time of second 0 of the job log), as the failures are "
            "dated and the jobs are not"
        )
    feed, counts = grid_failures(
        read.frame, grid, origin=origin, unknown_repair=request.unknown_repair
    )
    notes.extend(f"failures with {rule.replace('_', ' ')}: {n:,}" for rule, n in counts.items())
    if len(feed) == 0:
        raise click.UsageError(
            f"{path.name} must name clusters of the machines, got "
            f"{', '.join(sorted(set(map(str, read.frame['system'])))[:5])}"
        )
    return feed


def _drawn_failures(
    request: GridRequest, mtbf: float, workload: Workload, grid: Grid, notes: list[str]
) -> Failures:
    from sim.cluster.grid import FailureModel, generate_failures

    burst, shape, mttr = request.burst_size, request.weibull_shape, request.mttr
    if burst < 1.0:
        raise click.UsageError(f"--burst-size must be >= 1, got {burst:g}")
    if not mttr > 0.0:
        raise click.UsageError("--mttr must be > 0, got 0s")
    model = FailureModel(
        afc=3600.0 / (mtbf * grid.nodes),
        gap_shape=shape,
        repair_shape=1.0,
        repair_scale=mttr,
        burst_size=burst,
    )
    start, end = time_to_fill(workload)
    refuse_endless("--mtbf", (end - start) / mtbf)
    notes.append(
        f"failures drawn until {human_duration(end - start)} after the first submission: "
        f"in bursts of {burst:g}, gaps Weibull of shape {shape:g}, "
        f"repairs of {human_duration(mttr)}, seed {request.seed}"
    )
    return generate_failures(grid, model, start=start, end=end, seed=request.seed)


def _origin(given: float | None, trace: Trace) -> float | None:
    if given is not None:
        return given
    started = unix_start(trace)
    if started is not None:
        return started
    name = Path(trace.report.source).name
    return next((o for log, o in _KNOWN_ORIGINS.items() if name.startswith(log)), None)


def _requirements(
    request: GridRequest, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> tuple[Any, str]:
    from sim.cluster.grid import requirements_from_frame, suitability

    source = request.requirements
    if request.partitions is not None and source != "reconstruct":
        raise click.UsageError("--partitions must come with --requirements reconstruct")
    if source is None:
        return None, "none"
    if source == "reconstruct":
        return _reconstructed(request, trace, workload, grid, notes)
    if source == "log":
        frame, words = _named_in_log(trace.frame), "as named in the job log"
    else:
        with of_file(Path(source)):
            frame, words = _table(Path(source), notes), f"as named in {Path(source).name}"
    found, counts = requirements_from_frame(frame, workload)
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
        raise click.UsageError("--requirements log must be left out unless LOG is .mwf or GWF")
    return frame[["job"]].assign(properties=properties, queue=frame["queue_name"])


def _table(path: Path, notes: list[str]) -> Any:
    """Read the requirements of jobs; an error names its line."""
    import pandas as pd

    from sim.traces.parsing import Findings, open_source, split_csv, text_lines

    if not path.is_file():
        raise click.UsageError(
            f"--requirements must be a readable file, reconstruct or log, got {str(path)!r}"
        )
    findings = Findings()
    content = open_source(limited(path), findings)
    lines = text_lines(content, findings)
    findings.report(content.name, records=len(lines), rows=len(lines), strict=True)
    rows = [(number, split_csv(line)) for number, line in enumerate(lines, 1) if line.strip()]
    names = [name.strip() for name in rows[0][1]] if rows else []
    if "job" not in names:
        found = ", ".join(names)[:200] or "none"
        raise click.UsageError(f"{path.name} must have a column 'job', got {found}")
    kept = [name for name in _REQUIREMENTS if name in names]
    if unused := [name for name in names if name not in kept]:
        notes.append(f"{path.name}: columns that are not used: {', '.join(unused)[:100]}")
    for name in kept:
        if names.count(name) > 1:
            raise ValueError(f"line 1: columns must have different names, got {name[:60]!r} twice")
    places = [names.index(name) for name in kept]
    for number, row in rows[1:]:
        if len(row) != len(names):
            raise ValueError(f"line {number}: must have {len(names):,} columns, got {len(row):,}")
        job = row[places[0]].strip()
        if re.fullmatch("[0-9]{1,15}", job) is None:
            raise ValueError(f"line {number}: job must be a whole number, got {job[:60]!r}")
    return pd.DataFrame(
        {
            name: pd.Series([row[place].strip() for _, row in rows[1:]], dtype=str)
            for name, place in zip(kept, places, strict=True)
        }
    )


def _reconstructed(
    request: GridRequest, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> tuple[Any, str]:
    from sim.cluster.grid import reconstruct

    by: str | None = request.reconstruct_by
    if by is not None:
        keys = tuple(by.split(","))
    else:
        keys = ("executable",) if (workload.executable >= 0).any() else ("user", "queue")
    places = _places(request.partitions, trace, workload, grid, notes)
    matrix, counts = reconstruct(workload, places, clusters=len(grid.clusters), by=keys)
    for number in counts.values():
        notes.append(f"jobs without history, which suit every cluster: {number:,}")
    return matrix, f"reconstructed: where jobs of the same {' and '.join(keys)} ran"


def _places(
    given: str | None, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> dict[int, int]:
    """Match the partitions of the log with clusters: as given, else by name, else by order."""
    cluster = {spec.name: index for index, spec in enumerate(grid.clusters)}
    named = _names_of_partitions(trace)
    if not named:
        raise click.UsageError("LOG must say on which cluster jobs ran to reconstruct requirements")
    if given is not None:
        pairs = _pairs(given, set(named.values()), cluster)
        how = ""
    elif "partition_name" in trace.frame.columns:
        pairs = {name: name for name in named.values() if name in cluster}
        how = ", by name"
    else:
        # As many clusters as the largest number of a partition in the whole log.
        order = dict(zip(map(str, range(1, len(cluster) + 1)), cluster, strict=True))
        pairs = order if max(named) == len(cluster) and min(named) == 1 else {}
        how = ", by order"
    if not pairs:
        raise click.UsageError(
            "--partitions must say on which cluster each partition of LOG was, as in 1=a,2=b, "
            f"got {_some(named.values())} for {_some(cluster)}"
        )
    notes.append(f"partition {', '.join(f'{k} is {v}' for k, v in pairs.items())}{how}")
    places = {number: cluster[pairs[name]] for number, name in named.items() if name in pairs}
    elsewhere = int(np.sum(~np.isin(workload.partition, list(places))))
    if elsewhere:
        notes.append(f"jobs that ran on partitions left out: {elsewhere:,}")
    return places


def _names_of_partitions(trace: Trace) -> dict[int, str]:
    """Return what the partitions of the log are called, their numbers where they have no name."""
    frame = trace.frame
    numbers = [int(number) for number in np.unique(frame["partition"]) if number >= 0]
    if "partition_name" not in frame.columns:
        return {number: str(number) for number in numbers}
    names = dict(zip(frame["partition"].tolist(), frame["partition_name"], strict=True))
    return {number: str(names[number]) for number in numbers if number in names}


def _pairs(given: str, partitions: set[str], clusters: Mapping[str, int]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for piece in given.split(","):
        partition, equals, cluster = (part.strip() for part in piece.partition("="))
        if not equals:
            raise click.UsageError(
                f"--partitions must be pairs such as 1=a,2=b, got {piece.strip()!r}"
            )
        if partition not in partitions:
            raise click.UsageError(
                f"--partitions must name partitions of LOG, {_some(partitions)}, got {partition!r}"
            )
        if cluster not in clusters:
            raise click.UsageError(
                f"--partitions must name clusters of the machines, {_some(clusters)}, "
                f"got {cluster!r}"
            )
        if partition in pairs:
            raise click.UsageError(
                f"--partitions must name each partition once, got {partition!r} again"
            )
        pairs[partition] = cluster
    return pairs


def _some(names: Iterable[str]) -> str:
    """Return the first few names, numbers by size and others as they stand."""
    ordered = sorted(names, key=lambda name: int(name) if name.isdecimal() else 0)
    return ", ".join(ordered[:_SOME]) + (", ..." if len(ordered) > _SOME else "")
