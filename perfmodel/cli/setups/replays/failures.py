"""The failures of a replay, read from a log or drawn until the last job has ended."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from ....answers.logs import (
    DATED_SINCE,
    failure_format,
    read_failure_log,
    report_lines,
    rows_in_words,
    unix_start,
)
from ....answers.logs.limits import limited, most_machines
from ....answers.logs.words import of_file, why_empty
from ....units import human_duration
from ...requests.replay import SiteRequest

if TYPE_CHECKING:
    import pandas as pd

    from sim.cluster import BlueGene, DrawnFailures, Failures, Flat, Workload
    from sim.traces import Trace

__all__ = [
    "clock_start",
    "failures_of",
    "lemons_in_words",
    "redrawn",
    "refuse_endless",
    "refuse_two_sources",
    "time_to_fill",
    "together",
]

# What a minute or two and some 100 MB suffice for; beyond it a slip of a unit is more likely.
_MOST_FAILURES = 1e7
_MIDPLANES_OF_A_RACK = 2  # of a Blue Gene/P; their names, and so their numbers, follow each other
_SHOWN = 10


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


def redrawn(request: SiteRequest, workload: Workload, machine: Flat | BlueGene) -> Failures | None:
    """Draw the failures of the seed of a request, in no words; None where none are drawn."""
    if request.mtbf is None:
        return None
    return _drawn(request, request.mtbf, workload, machine, [])


def together(windows: Failures | None, feed: Failures | None) -> Failures | None:
    """Return the failures of windows of maintenance and of a feed."""
    from sim.cluster import Failures

    if windows is None or feed is None:
        return feed if windows is None else windows
    return Failures.together(windows, feed)


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
    law = _law(request, mtbf, machine)
    nodes, parts, new = machine.nodes, _parts(machine), request.new_nodes
    first, end = time_to_fill(workload)
    expected = law.expected(nodes, end - first)
    refuse_endless("--mtbf", nodes + expected)
    if law.burst_size > 1.0:
        refuse_endless("--burst-size", law.burst_size)
        # Bursts are drawn from so long before the start, too.
        refuse_endless("--burst-span", nodes + law.expected(nodes, law.burst_span))
    notes.append(
        f"failures drawn until {human_duration(end - first)} after the first submission: "
        f"Weibull of shape {request.weibull_shape:g} on each of {nodes:,} {parts}, "
        f"seed {request.seed}"
    )
    notes.extend(_of_bursts_and_lemons(law, machine, request.seed))
    if new:
        of_new = _of_new_nodes(law, nodes, end - first)
        refuse_endless("--new-nodes", nodes + of_new)
        notes.append(
            f"all {parts} are new at the first submission: {of_new:,.0f} failures are expected, "
            f"{expected:,.0f} of {parts} long in use"
        )
    feed = law.between(nodes, start=first, end=end, seed=request.seed)
    if request.stationary:
        out = int(np.unique(feed.node[feed.time < first]).size)
        notes.append(
            f"{out:,} of {nodes:,} {parts} are out at the first submission, by seed {request.seed}"
        )
    return feed


def _law(request: SiteRequest, mtbf: float, machine: Flat | BlueGene) -> DrawnFailures:
    """Return what is drawn; refuse what does not go together, by the names of the options."""
    from sim.cluster import BlueGene, DrawnFailures

    if request.new_nodes and request.stationary:
        raise click.UsageError("--stationary must be left out with --new-nodes")
    rack, bluegene = request.rack_size, isinstance(machine, BlueGene)
    if rack is not None and bluegene:
        raise click.UsageError(f"--rack-size must be left out on a Blue Gene, got {rack}")
    if rack is not None and rack > machine.nodes:
        raise click.UsageError(
            f"--rack-size must be <= the {machine.nodes:,} nodes of the machine, got {rack}"
        )
    if bluegene:
        rack = _MIDPLANES_OF_A_RACK
    elif rack is None and request.burst_within == "rack":
        raise click.UsageError("--burst-within rack must come with --rack-size, got it alone")
    share, nodes = request.lemon_share, machine.nodes
    if share > 0.0 and not 0 < round(share * nodes) < nodes:
        raise click.UsageError(
            f"--lemon-share must be at least one and not all of the {nodes:,} {_parts(machine)}, "
            f"got {share:g}"
        )
    return DrawnFailures(
        mtbf=mtbf,
        mttr=request.mttr,
        weibull_shape=request.weibull_shape,
        new_nodes=request.new_nodes,
        stationary=request.stationary,
        burst_size=request.burst_size,
        burst_span=request.burst_span,
        burst_within=request.burst_within,
        rack_size=rack,
        lemon_share=request.lemon_share,
        lemon_factor=request.lemon_factor,
    )


def _of_bursts_and_lemons(law: DrawnFailures, machine: Flat | BlueGene, seed: int) -> Iterator[str]:
    from sim.cluster import BlueGene

    parts = _parts(machine)
    if law.burst_size > 1.0:
        where = {
            "node": f"on one of the {parts}",
            "rack": f"on {parts} of one rack of {law.rack_size}",
            "machine": f"on any of the {parts}",
        }[law.burst_within]
        yield (
            f"in bursts of {law.burst_size:g} within {human_duration(law.burst_span)}, {where}; "
            "the MTBF is that of all failures together"
        )
    names = machine.table.midplanes if isinstance(machine, BlueGene) else ()
    yield from lemons_in_words(
        law.lemon_share, law.lemon_factor, machine.nodes, seed, parts=parts, names=names
    )


def lemons_in_words(
    share: float,
    factor: float,
    nodes: int,
    seed: int,
    *,
    parts: str = "machines",
    names: Sequence[str] = (),
) -> list[str]:
    """Return which of the nodes fail more often, in a note; nothing where none do."""
    from sim.cluster.failures import lemon_nodes

    lemons = lemon_nodes(nodes, share, seed).tolist()
    if not lemons:
        return []
    shown = ", ".join(names[n] if names else str(n) for n in lemons[:_SHOWN])
    return [
        f"{len(lemons):,} of {nodes:,} {parts} fail {factor:g} times as often as the others, "
        f"by seed {seed}: {shown}" + (", ..." if len(lemons) > _SHOWN else "")
    ]


def _of_new_nodes(law: DrawnFailures, nodes: int, span: float) -> float:
    """Return the mean number of failures of nodes that are all new at the start of a span."""
    from ....answers.parts.new_nodes import failures_when_new

    shape, total = law.weibull_shape, 0.0
    for count, mean in law.mean_uptimes(nodes):
        one = {"shape": shape, "scale": mean / math.gamma(1.0 + 1.0 / shape), "repair": law.mttr}
        total += count * failures_when_new(**one, span=span)
    return law.burst_size * total


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
    from sim.traces import FAILURE_FORMATS

    if machine.nodes > most_machines():
        raise click.UsageError(
            f"--failures must strike a machine of at most {most_machines():,} nodes, got "
            f"{machine.nodes:,}; raise --max-machines, or give --processors-per-node"
        )
    guess = list[str]()
    with of_file(path):
        layout = failure_format(
            path, request.failure_format, guess, known=FAILURE_FORMATS, of_pipe="csv"
        )
    log = read_failure_log(path, layout, request, strict=request.strict)
    frame = log.failures
    read, *rest = report_lines(log.report)
    read += f"; {rows_in_words(log)}"
    notes.extend([read, *rest, f"understood: {log.understood}", *guess])
    if frame.empty:
        what = "counts" if log.counted else why_empty(log.report)
        raise click.UsageError(f"{path.name} must hold failures, got {what}")
    origin = 0.0
    if request.failures_from_start:
        origin = float(frame["time"].min()) - float(workload.submit[0])
    elif frame["time"].iloc[0] > DATED_SINCE:
        origin = clock_start(request, trace)
    names = _names(request, machine)
    feed, counts = failures_from_frame(
        frame,
        nodes=machine.nodes,
        names=names,
        origin=origin,
        unknown_repair=request.mttr,
    )
    if len(feed) == 0:
        raise click.UsageError(_of_nobody(path, frame, machine, names))
    if not isinstance(machine, BlueGene):
        notes.extend(filter(None, [mapping_in_words(frame, nodes=machine.nodes, names=names)]))
    last = float(workload.submit[-1])
    within = int(np.sum((feed.time >= workload.submit[0]) & (feed.time <= last)))
    notes.append(f"{within:,} of {len(feed):,} failures lie between the submissions")
    if not within:
        notes.append("--log-start or --failures-from-start may bring the two clocks together")
    notes.extend(f"failures with {rule.replace('_', ' ')}: {n:,}" for rule, n in counts.items())
    return feed


def clock_start(request: SiteRequest, trace: Trace) -> float:
    """Return the Unix time of second 0 of a job log, [s]; 0 where nothing says it."""
    return unix_start(trace) or 0.0 if request.log_start is None else request.log_start


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
