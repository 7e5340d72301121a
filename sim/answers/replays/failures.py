"""The failures of a replay, read from a log or drawn until the last job has ended."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from asking.refusals import Field, Refused, Said
from asking.requests import any_of
from asking.units import human_duration

from ..logs.failure_log import read_failure_log, rows_in_words
from ..logs.guessed import failure_format
from ..logs.reports import DATED_SINCE, report_lines, unix_start
from ..logs.words import why_empty
from .machines import Site
from .requests import SiteRequest

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import DrawnFailures, Failures, Maintenance, Workload
    from ...traces import Trace
    from ..grids.request import GridRequest

# What a minute or two and some 100 MB suffice for; beyond it a slip of a unit is more likely.
_MOST_FAILURES = 1e7
_SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False)
class Feeds:
    """What takes nodes out: failures read or drawn, and windows of maintenance.

    `every` are both together, `planned` the windows that a replay without failures has, too.
    """

    every: Failures | None
    failures: Failures | None
    windows: Failures | None
    planned: Failures | None
    drawn: bool  # the failures, not read

    @classmethod
    def of(
        cls, failures: Failures | None, maintenance: Maintenance | None, *, drawn: bool
    ) -> Feeds:
        """Return failures with the windows of maintenance."""
        from ...cluster import Maintenance

        if maintenance is None:
            return cls(failures, failures, None, None, drawn)
        windows = maintenance.failures()
        known = Maintenance(maintenance.planned(), maintenance.nodes)
        planned = known.failures() if known.windows else None
        return cls(together(windows, failures), failures, windows, planned, drawn)

    def with_failures(self, failures: Failures | None) -> Feeds:
        """Return the windows with other failures."""
        return replace(self, every=together(self.windows, failures), failures=failures)

    def until_drawn(self) -> Feeds:
        """Return what there is before failures are drawn: those that were read, and windows."""
        return self.with_failures(None) if self.drawn else self

    def numbering(self) -> Feeds:
        """Return failures, be it none at all, for which a plain machine numbers its nodes."""
        return replace(self, every=no_failures()) if self.every is None else self

    def drawn_between(self, first: float, end: float) -> int | None:
        """Return how many were drawn from `first` to `end`, [s]; None where none are drawn."""
        if not self.drawn or self.failures is None:
            return None
        times = self.failures.time  # some before the first submission: of nodes out by then
        until = int(np.searchsorted(times, end, side="right"))
        return max(until - int(np.searchsorted(times, first)), 0)


def no_failures() -> Failures:
    """Return failures of which there are none."""
    from ...cluster import Failures

    return Failures(np.empty(0), np.empty(0, np.int64), np.empty(0))


def failures_of(
    request: SiteRequest,
    trace: Trace,
    workload: Workload,
    site: Site,
    notes: list[str],
) -> Failures | None:
    """Read or draw the failures of a machine; None where the request names none."""
    path, mtbf = request.failures, request.mtbf
    if path is not None:
        return _logged(request, path, trace, workload, site=site, notes=notes)
    if mtbf is None:
        return None
    return _drawn(request, mtbf, workload, site, notes)


def redrawn(request: SiteRequest, workload: Workload, site: Site) -> Failures | None:
    """Draw the failures of the seed of a request, in no words; None where none are drawn."""
    if request.mtbf is None:
        return None
    return _drawn(request, request.mtbf, workload, site, [])


def together(windows: Failures | None, feed: Failures | None) -> Failures | None:
    """Return the failures of windows of maintenance and of a feed."""
    from ...cluster import Failures

    if windows is None or feed is None:
        return feed if windows is None else windows
    return Failures.together(windows, feed)


def _drawn(
    request: SiteRequest,
    mtbf: float,
    workload: Workload,
    site: Site,
    notes: list[str],
) -> Failures:
    law = _law(request, mtbf, site)
    nodes, parts, new = site.machine.nodes, site.parts, request.new_nodes
    first, end = time_to_fill(workload)
    expected = law.expected(nodes, end - first)
    refuse_endless("mtbf", nodes + expected)
    if law.burst_size > 1.0:
        refuse_endless("burst_size", law.burst_size)
        # Bursts are drawn from so long before the start, too.
        refuse_endless("burst_span", nodes + law.expected(nodes, law.burst_span))
    notes.append(
        f"failures drawn until {human_duration(end - first)} after the first submission: "
        f"Weibull of shape {request.weibull_shape:g} on each of {nodes:,} {parts}, "
        f"seed {request.seed}"
    )
    notes.extend(_of_bursts_and_lemons(law, site, request.seed))
    if new:
        of_new = _of_new_nodes(law, nodes, end - first)
        refuse_endless("new_nodes", nodes + of_new)
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


def _law(request: SiteRequest, mtbf: float, site: Site) -> DrawnFailures:
    """Return what is drawn; refuse what does not go together, by the names of the options."""
    from ...cluster import DrawnFailures

    rack = site.rack_size(request)
    refuse_all_lemons(request, site.machine.nodes, site.parts)
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


def _of_bursts_and_lemons(law: DrawnFailures, site: Site, seed: int) -> Iterator[str]:
    parts = site.parts
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
    yield from lemons_in_words(
        *(law.lemon_share, law.lemon_factor, site.machine.nodes, seed),
        parts=parts,
        names=site.part_names,
    )


def refuse_all_lemons(request: SiteRequest | GridRequest, nodes: int, parts: str) -> None:
    """Refuse a share of lemons that is none of the nodes, or all."""
    share = request.lemon_share
    if share > 0.0 and not 0 < round(share * nodes) < nodes:
        raise Refused(
            "{} must be at least one and not all of the {:,} {}, got {:g}",
            *(Field("lemon_share"), nodes, parts, share),
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
    from ...cluster.failures import lemon_nodes

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
    from .new_nodes import failures_when_new

    shape, total = law.weibull_shape, 0.0
    for count, mean in law.mean_uptimes(nodes):
        one = {"shape": shape, "scale": mean / math.gamma(1.0 + 1.0 / shape), "repair": law.mttr}
        total += count * failures_when_new(**one, span=span)
    return law.burst_size * total


def refuse_endless(name: str, failures: float) -> None:
    """Refuse to draw more failures than there is time or memory for."""
    if failures > _MOST_FAILURES:
        raise Refused(
            "{} must let at most {:,.0f} failures and nodes be drawn, got about {:.3g}",
            *(Field(name), _MOST_FAILURES, failures),
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
    site: Site,
    notes: list[str],
) -> Failures:
    from ...cluster.failures import failures_from_frame
    from ...traces import FAILURE_FORMATS

    nodes, most = site.machine.nodes, request.limits.max_machines
    if nodes > most:
        raise Refused(
            "{} must strike a machine of at most {:,} nodes, got {:,}; raise {}, or give {}",
            *(Field("failures"), most, nodes),
            *(Field("max_machines"), Field("processors_per_node")),
        )
    guess = list[str]()
    layout = failure_format(
        *(path, request.failure_format, guess),
        known=FAILURE_FORMATS,
        limits=request.limits,
        of_pipe="csv",
    )
    log = read_failure_log(path, layout, request)
    frame = log.failures
    read, *rest = report_lines(log.report)
    read += f"; {rows_in_words(log)}"
    notes.extend([read, *rest, f"understood: {log.understood}", *guess])
    if frame.empty:
        what = "counts" if log.counted else why_empty(log.report)
        raise Refused("{} must hold failures, got {}", path.name, what)
    origin = 0.0
    if request.failures_from_start:
        origin = float(frame["time"].min()) - float(workload.submit[0])
    elif frame["time"].iloc[0] > DATED_SINCE:
        origin = clock_start(request, trace)
    names = site.names_in_log(request)
    feed, counts = failures_from_frame(
        frame,
        nodes=nodes,
        names=names,
        origin=origin,
        unknown_repair=request.mttr,
    )
    if len(feed) == 0:
        raise _of_nobody(path, frame, site, names)
    notes.extend(site.mapping_in_words(frame, names))
    last = float(workload.submit[-1])
    within = int(np.sum((feed.time >= workload.submit[0]) & (feed.time <= last)))
    notes.append(f"{within:,} of {len(feed):,} failures lie between the submissions")
    if not within:
        starts = any_of(*request.clocks).words
        notes.append(Said("{} may bring the two clocks together", starts))
    notes.extend(f"failures with {rule.replace('_', ' ')}: {n:,}" for rule, n in counts.items())
    return feed


def clock_start(request: SiteRequest, trace: Trace) -> float:
    """Return the Unix time of second 0 of a job log, [s]; 0 where nothing says it."""
    return unix_start(trace) or 0.0 if request.log_start is None else request.log_start


def _of_nobody(path: Path, frame: pd.DataFrame, site: Site, names: tuple[str, ...]) -> Refused:
    """Return the refusal of a log in which no failure is of this machine."""
    example = repr(names[0]) if names else "0 or node0 in a column 'node'"
    count = f"{len(frame):,} failure" + "s" * (len(frame) > 1)
    named = [label for label in frame["node"].tolist() if label not in ("", -1, "-1")]
    first = f", the first at {named[0]!r}" if named else ""
    return Refused(
        "{} must name {} of the machine, such as {}, got none in {}{}",
        *(path.name, site.parts, example, count, first),
    )
