"""From options to the parts of a grid replay: clusters, jobs, failures, requirements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..errors import of_file, why_empty
from ..options.job import refuse_idle
from ..options.limits import limited
from ..units import human_duration
from .replay import refuse_endless, time_to_fill

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.grid import Grid
    from sim.traces import Trace

__all__ = ["GridSetup", "grid_setup"]

_REQUIREMENTS = ("job", "properties", "clusters", "queue", "owner", "time_limit")  # columns

_SOME = 20  # names in an error
_UNIX_SINCE = 1e8  # larger times are dates, smaller ones seconds from the start of a log
# Logs that do not say themselves when they start (Unix time of their second 0).
_KNOWN_ORIGINS = {"METACENTRUM-2009": 1_228_910_204.0}


@dataclass(frozen=True, slots=True)
class GridSetup:
    """Everything the scenarios need, and in words what was assumed on the way."""

    workload: Workload
    grid: Grid
    failures: Failures | None
    suitability: Any
    requirements: str
    notes: tuple[str, ...]
    files: tuple[Path, ...]  # read beside those that the options name as files


def grid_setup(log: Path, options: dict[str, Any]) -> GridSetup:
    """Read all files; refuse what does not go together."""
    from sim.cluster import Workload
    from sim.traces import read_jobs

    with of_file(log):
        layout = _job_format(log, options["job_format"])
        trace = read_jobs(limited(log), layout, strict=options["strict"])
    notes = [line.strip() for line in str(trace.report).split("\n")]
    grid = _grid(options["machines"], options["strict"], notes)
    trace = replace(trace, frame=_by_site(trace.frame, grid))
    workload = Workload.from_frame(trace.frame)
    if len(workload) == 0:
        raise click.UsageError(f"{trace.report.source} must hold jobs that ran, got none")
    notes.extend(f"{number:,} left out: {rule}" for rule, number in workload.dropped.items())
    if options["jobs"] is not None:
        workload = workload.select(np.arange(min(len(workload), options["jobs"])))
    failures = _failures(options, trace, workload, grid, notes)
    suitability, words = _requirements(options, trace, workload, grid, notes)
    source = options["requirements"]
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
    notes.extend(line.strip() for line in str(trace.report).split("\n"))
    if trace.frame.empty:
        raise click.UsageError(f"{path.name} must describe clusters, got {why_empty(trace.report)}")
    return grid_from_frame(trace.frame)


def _failures(
    options: dict[str, Any], trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> Failures | None:
    path = options["failures"]
    if path is not None and options["mtbf"] is not None:
        raise click.UsageError("--failures must be left out with --mtbf")
    drawn = ("weibull_shape", "burst_size", "mttr")
    refuse_idle(drawn, unless=options["mtbf"] is not None, lead="--mtbf")
    recorded = ("failure_format", "unknown_repair", "origin")
    refuse_idle(recorded, unless=path is not None, lead="--failures")
    if options["mtbf"] is not None:
        return _drawn_failures(options, workload, grid, notes)
    if path is None:
        return None
    from sim.cluster.grid import grid_failures
    from sim.traces import read_failures

    layout = options["failure_format"]
    with of_file(path):
        read = read_failures(limited(path), layout, strict=options["strict"])
    notes.extend(line.strip() for line in str(read.report).split("\n"))
    if read.frame.empty:
        raise click.UsageError(f"{path.name} must hold failures, got {why_empty(read.report)}")
    dated = float(read.frame["time"].median()) > _UNIX_SINCE
    since_zero = float(workload.submit[0]) < _UNIX_SINCE
    origin = _origin(options["origin"], trace) if dated and since_zero else 0.0
    if origin is None:
        raise click.UsageError(
            "--origin must be given (Unix time of second 0 of the job log), as the failures are "
            "dated and the jobs are not"
        )
    feed, counts = grid_failures(
        read.frame, grid, origin=origin, unknown_repair=options["unknown_repair"]
    )
    notes.extend(f"failures with {rule.replace('_', ' ')}: {n:,}" for rule, n in counts.items())
    if len(feed) == 0:
        raise click.UsageError(
            f"{path.name} must name clusters of the machines, got "
            f"{', '.join(sorted(set(map(str, read.frame['system'])))[:5])}"
        )
    return feed


def _drawn_failures(
    options: dict[str, Any], workload: Workload, grid: Grid, notes: list[str]
) -> Failures:
    from sim.cluster.grid import FailureModel, generate_failures

    burst, shape, mttr = options["burst_size"], options["weibull_shape"], options["mttr"]
    if burst < 1.0:
        raise click.UsageError(f"--burst-size must be >= 1, got {burst:g}")
    if not mttr > 0.0:
        raise click.UsageError("--mttr must be > 0, got 0s")
    model = FailureModel(
        afc=3600.0 / (options["mtbf"] * grid.nodes),
        gap_shape=shape,
        repair_shape=1.0,
        repair_scale=mttr,
        burst_size=burst,
    )
    start, end = time_to_fill(workload)
    refuse_endless("--mtbf", (end - start) / options["mtbf"])
    notes.append(
        f"failures drawn until {human_duration(end - start)} after the first submission: "
        f"in bursts of {burst:g}, gaps Weibull of shape {shape:g}, "
        f"repairs of {human_duration(mttr)}, seed {options['seed']}"
    )
    return generate_failures(grid, model, start=start, end=end, seed=options["seed"])


def _origin(given: float | None, trace: Trace) -> float | None:
    from sim.traces.parsing import leading_whole

    if given is not None:
        return given
    started = leading_whole(trace.header.get("UnixStartTime", ""))
    if started is not None:
        return float(started)
    name = Path(trace.report.source).name
    return next((o for log, o in _KNOWN_ORIGINS.items() if name.startswith(log)), None)


def _requirements(
    options: dict[str, Any], trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> tuple[Any, str]:
    from sim.cluster.grid import requirements_from_frame, suitability

    source = options["requirements"]
    if options["partitions"] is not None and source != "reconstruct":
        raise click.UsageError("--partitions must come with --requirements reconstruct")
    rebuilt = "--requirements reconstruct"
    refuse_idle(("reconstruct_by",), unless=source == "reconstruct", lead=rebuilt)
    if source is None:
        return None, "none"
    if source == "reconstruct":
        return _reconstructed(options, trace, workload, grid, notes)
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
    """Read the requirements of jobs; a refusal begins with its line."""
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
            raise ValueError(f"line 1: columns must have different names, got {name!r} twice")
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
    options: dict[str, Any], trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> tuple[Any, str]:
    from sim.cluster.grid import reconstruct

    by: str | None = options["reconstruct_by"]
    if by is not None:
        keys = tuple(by.split(","))
    else:
        keys = ("executable",) if (workload.executable >= 0).any() else ("user", "queue")
    places = _places(options["partitions"], trace, workload, grid, notes)
    matrix, counts = reconstruct(workload, places, clusters=len(grid.clusters), by=keys)
    for number in counts.values():
        notes.append(f"jobs without history, which suit every cluster: {number:,}")
    return matrix, f"reconstructed: where jobs of the same {' and '.join(keys)} ran"


def _places(
    given: str | None, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> dict[int, int]:
    """Match the partitions of the log with clusters: as told, else by name, else by order."""
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
