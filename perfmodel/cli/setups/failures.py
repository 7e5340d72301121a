"""The failures of a replay, read from a log or drawn until the last job has ended."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..errors import of_file, why_empty
from ..options.limits import limited, most_machines
from ..requests.replay import SiteRequest
from ..units import human_duration
from .reports import DATED_SINCE, report_lines, unix_start

if TYPE_CHECKING:
    import pandas as pd

    from sim.cluster import BlueGene, Failures, Flat, Workload
    from sim.traces import Trace

__all__ = ["failures_of", "refuse_endless", "refuse_two_sources", "time_to_fill"]

# What a minute or two and some 100 MB suffice for; beyond it a slip of a unit is more likely.
_MOST_FAILURES = 1e7


def failures_of(
    request: SiteRequest,
    trace: Trace,
    workload: Workload,
    machine: Flat | BlueGene,
    notes: list[str],
) -> Failures | None:
    """Read or draw the failures of a machine; None where the request names none."""
    path, mtbf = request.failures, request.mtbf
    refuse_two_sources(path, mtbf)
    if path is not None:
        return _logged(request, path, trace, workload, machine=machine, notes=notes)
    if mtbf is None:
        return None
    return _drawn(request, mtbf, workload, machine, notes)


def refuse_two_sources(path: Path | None, mtbf: float | None) -> None:
    """Refuse failures that are both read and drawn."""
    if path is not None and mtbf is not None:
        raise click.UsageError("--failures must be left out with --mtbf")


def _drawn(
    request: SiteRequest,
    mtbf: float,
    workload: Workload,
    machine: Flat | BlueGene,
    notes: list[str],
) -> Failures:
    from sim.cluster import Failures
    from sim.samplers import Deterministic, Weibull

    nodes, parts = machine.nodes, _parts(machine)
    shape, repair, new = request.weibull_shape, request.mttr, request.new_nodes
    scale = nodes * mtbf / math.gamma(1.0 + 1.0 / shape)
    first, end = time_to_fill(workload)
    expected = nodes * (end - first) / (nodes * mtbf + repair)
    refuse_endless("--mtbf", nodes + expected)
    notes.append(
        f"failures drawn until {human_duration(end - first)} after the first submission: "
        f"Weibull of shape {shape:g} on each of {nodes:,} {parts}, seed {request.seed}"
    )
    if new:
        from ..answers.new_nodes import failures_when_new

        law = {"shape": shape, "scale": scale, "repair": repair}
        of_new = nodes * failures_when_new(**law, span=end - first)
        refuse_endless("--new-nodes", nodes + of_new)
        notes.append(
            f"all {parts} are new at the first submission: {of_new:,.0f} failures are expected, "
            f"{expected:,.0f} of {parts} long in use"
        )
    return Failures.sampled(
        nodes=nodes,
        uptime=Weibull(shape, scale),
        repair=Deterministic(repair),
        start=first,
        end=end,
        seed=request.seed,
        new_nodes=new,
    )


def refuse_endless(option: str, failures: float) -> None:
    """Refuse to draw more failures than there is time or memory for."""
    if failures > _MOST_FAILURES:
        raise click.UsageError(
            f"{option} must let at most {_MOST_FAILURES:,.0f} failures and nodes be drawn, "
            f"got about {failures:.3g}"
        )


def time_to_fill(workload: Workload) -> tuple[float, float]:
    """Return from when until when failures are drawn, [s]."""
    first, last = float(workload.submit[0]), float(workload.submit[-1])
    # Twice the span and a quarter of a year: a longer queue is reported.
    return first, last + (last - first) + 90 * 86_400.0


def _logged(
    request: SiteRequest,
    path: Path,
    trace: Trace,
    workload: Workload,
    *,
    machine: Flat | BlueGene,
    notes: list[str],
) -> Failures:
    from sim.cluster import BlueGene
    from sim.cluster.failures import failures_from_frame, mapping_in_words
    from sim.traces import read_failures

    if machine.nodes > most_machines():
        raise click.UsageError(
            f"--failures must strike a machine of at most {most_machines():,} nodes, got "
            f"{machine.nodes:,}; raise --max-machines, or give --processors-per-node"
        )
    layout = request.failure_format
    # A group of related Mira events is one failure: its head.
    selection: dict[str, Any] = {"heads": True} if layout == "mira-ras" else {}
    with of_file(path):
        source = limited(path)
        log = read_failures(source, layout, strict=request.strict, **selection)
    notes.extend(report_lines(log.report))
    if log.frame.empty:
        raise click.UsageError(f"{path.name} must hold failures, got {why_empty(log.report)}")
    origin = 0.0
    if request.failures_from_start:
        origin = float(log.frame["time"].min()) - float(workload.submit[0])
    elif log.frame["time"].iloc[0] > DATED_SINCE:
        origin = unix_start(trace) or 0.0 if request.log_start is None else request.log_start
    names = _names(request, machine)
    feed, counts = failures_from_frame(
        log.frame,
        nodes=machine.nodes,
        names=names,
        origin=origin,
        unknown_repair=request.mttr,
    )
    if len(feed) == 0:
        raise click.UsageError(_of_nobody(path, log.frame, machine, names))
    if not isinstance(machine, BlueGene):
        notes.extend(filter(None, [mapping_in_words(log.frame, nodes=machine.nodes, names=names)]))
    last = float(workload.submit[-1])
    within = int(np.sum((feed.time >= workload.submit[0]) & (feed.time <= last)))
    notes.append(f"{within:,} of {len(feed):,} failures lie between the submissions")
    if not within:
        notes.append("--log-start or --failures-from-start may bring the two clocks together")
    notes.extend(f"failures with {rule.replace('_', ' ')}: {n:,}" for rule, n in counts.items())
    return feed


def _parts(machine: Flat | BlueGene) -> str:
    """Return in a word what fails on a machine."""
    from sim.cluster import BlueGene

    return "midplanes" if isinstance(machine, BlueGene) else "nodes"


def _of_nobody(
    path: Path, frame: pd.DataFrame, machine: Flat | BlueGene, names: tuple[str, ...]
) -> str:
    """Return the refusal of a log in which no failure is of this machine."""
    example = repr(names[0]) if names else "0 or node0 in a column 'node'"
    count = f"{len(frame):,} failure" + "s" * (len(frame) > 1)
    named = [label for label in frame["node"].tolist() if label not in ("", -1, "-1")]
    first = f", the first at {named[0]!r}" if named else ""
    return (
        f"{path.name} must name {_parts(machine)} of the machine, such as {example}, "
        f"got none in {count}{first}"
    )


def _names(request: SiteRequest, machine: Flat | BlueGene) -> tuple[str, ...]:
    """Return the names of the nodes in a failure log; none where it has their numbers."""
    from sim.cluster import BlueGene
    from sim.traces import read_node_names

    path = request.node_names
    if isinstance(machine, BlueGene):
        if path is not None:
            raise click.UsageError(
                "--node-names must be left out on a Blue Gene: midplanes have names"
            )
        return machine.table.midplanes
    if path is None:
        return ()
    with of_file(path):
        names = read_node_names(limited(path))
    if len(names) != machine.nodes:
        raise click.UsageError(
            f"--node-names must name the {machine.nodes:,} nodes of the machine, got {len(names):,}"
        )
    return names
