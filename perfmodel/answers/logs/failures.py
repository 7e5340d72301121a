"""Failure logs: uptimes, and in words what was read and left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from asking.moments import Moment, moment_on, shown_moment
from asking.plugins import added
from asking.reading import LogReading
from asking.refusals import Field, Refused, Said, given, joined
from asking.units import human_duration
from sim.answers.logs.failure_log import read_failure_log, rows_in_words
from sim.answers.logs.guessed import failure_format, job_trace, told_by
from sim.answers.logs.reports import report_lines
from sim.answers.logs.words import of_file, of_records, why_empty

from ..._checks import FloatArray
from ..requests.reading import FailureLogReading
from .formats import JOB_LAYOUTS, LAYOUTS
from .node_hours import plain_node_hours
from .readings import reading_of

if TYPE_CHECKING:
    import pandas as pd

    from sim.answers.reading import LogReading as SimReading
    from sim.traces import FailureLog, Report, Uptimes

    from ...fitting import FailureClusters

_COUNTED = {
    "simultaneous": "at the instant of the failure before, counted as one interruption with it",
    "same-day": "on the day of the failure before, of a log without times of day: at random in it",
    "same-hour": "in the hour of the failure before, of a log of whole hours: at random in it",
    "struck-while-down": "while already down, which ends no uptime",
    "age-unknown": "running when the observation began: in the MTBF, not in the fits",
    "repair-unknown": "repair times unknown, taken as 0",
    "outside": "outside of the observation",
    "size-unknown": "jobs of an unknown number of nodes",
    "length-unknown": "jobs of an unknown length",
}
_LOST = ("NODE_FAIL",)
_ENDED = Said("{} say when it ended", Field("until"))


@dataclass(frozen=True, slots=True)
class Log:
    """A failure log that was read: what it is, its uptimes, and what was found in it.

    By node, `nodes` is how many there are, None where that is not known, and `named` how many of
    them the log names; as a whole, both are None. `layout` is the one of `LAYOUTS` it has; jobs of
    sacct tell the time of nodes, and name none.
    """

    title: str
    uptimes: Uptimes
    report: Report
    notes: tuple[str, ...]
    systems: int
    nodes: int | None = None
    named: int | None = None
    layout: str = "csv"
    read: FailureLog | None = None
    since: float | None = None
    until: float | None = None
    machine: int | None = None  # nodes that there are, as somebody said
    node_hours: list[dict[str, Any]] | None = None  # of jobs, by the state in which they ended
    jobs: pd.DataFrame | None = field(default=None, compare=False, repr=False)

    @property
    def of_jobs(self) -> bool:
        """Whether it is a log of jobs, some of which lost a node."""
        return self.read is None

    @property
    def of_one_node(self) -> bool:
        """Whether it is of a single node, whose repair stops the whole machine."""
        return self.read is not None and _of_one_node(self.read, self.machine)

    @property
    def nodes_named(self) -> int:
        """How many nodes the log names."""
        return 0 if self.read is None else named_nodes(self.read.failures)

    @property
    def nodes_told(self) -> int:
        """How many nodes a log of one system is of, as it says or at least names; 0 untold."""
        if self.read is None or self.systems > 1:
            return 0
        return _size(self.read.failures) or self.nodes_named

    @property
    def gaps(self) -> FloatArray | None:
        """Times between failures of one system, [s]; None where they are few or say nothing."""
        from ...fitting.clusters import LEAST

        found = self.uptimes.durations[~self.uptimes.censored]
        told = self.named is None and self.systems <= 1 and found.size >= LEAST and found.any()
        return found if told else None

    @property
    def understood(self) -> str | None:
        """What the columns were taken for, in words."""
        return None if self.read is None else self.read.understood

    def facts(self) -> list[tuple[str, str]]:
        """Return a name and a text each: what was read, and what it was taken for."""
        understood = [] if self.understood is None else [("understood", self.understood)]
        return [("log", joined("\n", self.notes)), *understood]

    def plain(self) -> dict[str, Any]:
        """Return what was read, for JSON; lines as ranges such as 2-5."""
        rows = None
        if self.read is not None:
            ways = ("used", "merged", "filtered", "dropped")
            rows = self.read.rows | {
                f"{way}_lines": ranges_of(getattr(self.read, way).tolist()) for way in ways[1:]
            }
        return {
            "understood": self.understood,
            "node_hours_by_state": self.node_hours,
            "rows": rows,
            "log": list(self.notes),
            "problems": [asdict(problem) for problem in self.report.problems],
        }

    def refuse_fewer(self, nodes: int) -> None:
        """Refuse a machine of fewer nodes than the log names."""
        if nodes < self.nodes_named:
            raise Refused(
                "{} must be >= the {:,} nodes named in the log, got {:,}",
                *(Field("log_nodes"), self.nodes_named, nodes),
            )

    def of_nodes(self, nodes: int, given: int | None) -> tuple[Uptimes, int, str]:
        """Return what is known of all nodes by themselves, how many there are, and says who.

        A log that does not say how many there are is taken to name them all, if the job does
        not need more.
        """
        assert self.read is not None
        frame = self.read.failures
        if self.systems > 1:
            raise Refused(
                "{} must come with {}, got {} systems",
                Field("nodes"),
                Field("system"),
                self.systems,
            )
        named = named_nodes(frame)
        known = given if given is not None else _size(frame)
        if known is None and self.read.watch is not None:
            known = self.read.watch.nodes
        if known is None and nodes > named:
            some = f"{named:,} of them" if named else "none"
            raise Refused(
                "{} must be given for a job on {:,} nodes, as the log names {}",
                Field("log_nodes"),
                nodes,
                some,
            )
        if known is not None:
            self.refuse_fewer(known)
        size = named if known is None else known
        if named or self.read.counted:
            found = self.read.uptimes(by="node", since=self.since, until=self.until, nodes=size)
        else:  # of nodes without a name only their failures together are known
            found = replace(self.uptimes, observed=self.uptimes.observed * size)
        source = "as given" if given is not None else "of the log"
        if known is None:
            source = "that it names, taken for all"
        return found, size, f"({source}), each taken to fail at their mean rate"


def _of_one_node(log: FailureLog, machine: int | None) -> bool:
    """Whether there is one node, as is said, or one is named and none said how many there are."""
    frame, watch = log.failures, log.watch
    if frame.empty:
        return False
    if "nodes" in frame:
        return bool((frame["nodes"] == 1).all())
    told = (watch.nodes if machine is None and watch is not None else machine) or 1
    named = ~frame["node"].isin([-1, "-1", ""])
    return told == 1 and bool(named.all()) and frame["node"].nunique() == 1


def named_nodes(frame: Any) -> int:
    """Return how many nodes a failure frame names."""
    return int(frame["node"][~frame["node"].isin([-1, "-1", ""])].nunique())


def ranges_of(lines: list[int]) -> str:
    """Return ascending numbers as text: 2, 3, 4 and 9 are ``2-4 9``."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def clusters_of(log: Log) -> FailureClusters | None:
    """Test the gaps of one system for bursts; None where they are too few or say nothing."""
    from ...fitting import failure_clusters

    gaps = log.gaps
    return None if gaps is None else failure_clusters(gaps)


def read_log(
    request: LogReading,
    *,
    by: Literal["system", "node"] = "system",
    nodes: int | None = None,
    machine: int | None = None,
    instead: str = _ENDED,
) -> Log:
    """Read the failure log of a request and take its uptimes; refuse what holds none.

    Without a `format` the first line tells it, and a note says so. `machine` is how many nodes
    there are, where that is known; `nodes` the same for uptimes by node. `instead` says what helps
    where all failures are of one instant.
    """
    asked = FailureLogReading.of(request)
    path, guess, reading = given(asked.log, "log"), list[str](), reading_of(asked)
    system = asked.system
    layout = asked.format or told_by(reading)
    layout = failure_format(
        path, layout, guess, known=LAYOUTS, limits=reading.limits, name="format"
    )
    if layout not in LAYOUTS and layout not in added("failure format", LAYOUTS):
        names = f"{', '.join(LAYOUTS[:-1])} or {LAYOUTS[-1]}"
        raise Refused("{} must be {}, got {!r}", Field("format"), names, layout)
    if layout in JOB_LAYOUTS:
        return _of_jobs(path, layout, guess, reading, system=system, nodes=nodes)
    which: Any = _number_if_whole(system)
    if layout == "lanl" and system is not None and not isinstance(which, int):
        raise Refused("{} must be a number in a LANL log, got {!r}", Field("system"), system)
    log = read_failure_log(path, layout, reading, system=which)
    frame, report = log.failures, log.report
    watched = log.watch is not None and log.watch.start is not None
    if frame.empty and not (log.counted or watched):
        raise Refused("{} must hold failures, got {}", path.name, why_empty(report))
    since, until = _window(asked, log, path.name)
    systems = max(frame["system"].nunique(), 1)
    known: int | None = None
    named: int | None = None
    with of_file(path):
        if by == "node":
            found, known, named = _by_node(log, nodes, since=since, until=until)
        else:
            # One node repaired means the whole machine is back; in a larger one the others go on.
            single = _of_one_node(log, machine) or None
            found = log.uptimes(since=since, until=until, exclude_repair=single)
    if not found.observed > 0.0:
        raise Refused(
            "{} must hold failures at different times, or {}, got {:,} at one instant {}",
            *(path.name, instead),
            len(frame),
            of_records(report),
        )
    title = "all of it" if system is None else f"system {system}"
    if systems > 1:
        title = f"{systems} systems, pooled"
    counted = () if named is None else _counted_nodes(nodes, known, named, systems)
    return Log(
        title=title,
        uptimes=found,
        report=report,
        notes=(*_notes(title, found, log), *counted, *guess),
        systems=systems,
        nodes=known,
        named=named,
        layout=layout,
        read=log,
        since=since,
        until=until,
        machine=machine,
    )


def _of_jobs(
    path: Path,
    layout: str,
    guess: list[str],
    reading: SimReading,
    *,
    system: str | None,
    nodes: int | None,
) -> Log:
    """Count the nodes that jobs lost, in the time that they spent on nodes."""
    from sim.traces import uptimes_of_jobs

    if system is not None:
        raise Refused(
            "{} must be left out for jobs of {}, which name none", Field("system"), layout
        )
    trace = job_trace(path, layout, guess, reading)
    if trace.frame.empty:
        raise Refused("{} must hold jobs, got {}", path.name, why_empty(trace.report))
    if "state" not in trace.frame or not trace.frame["state"].astype(bool).any():
        raise Refused(
            "{} must say how its jobs ended, such as NODE_FAIL, got none of {:,}: {} state=NAME "
            "names the column",
            *(path.name, len(trace.frame), Field("columns")),
        )
    states = reading.states or _LOST
    with of_file(path):
        found = uptimes_of_jobs(trace.frame, state=states)
    _, *rest = report_lines(trace.report)
    left_out = [f"{number:,} left out: {_COUNTED[rule]}" for rule, number in found.counts.items()]
    jobs = "job" if found.failures == 1 else "jobs"
    notes: tuple[str, ...] = (
        f"{path.name}: {len(trace.frame):,} jobs of {layout}, {found.failures:,} {jobs} ended as "
        f"{' or '.join(states)} in {human_duration(found.observed)} on nodes, each node counted",
        *rest,
        *left_out,
        *guess,
    )
    if not found.failures and "FAILED" in trace.frame["state"].array:
        said = "none of NODE_FAIL, but FAILED: {} FAILED counts those, whatever ended them"
        notes += (Said(said, Field("states")),)
    return Log(
        title="all of it",
        uptimes=found,
        report=trace.report,
        notes=notes,
        systems=1,
        nodes=nodes,
        named=0,
        layout=layout,
        node_hours=plain_node_hours(trace.frame),
        jobs=trace.frame,
    )


def _by_node(
    log: FailureLog, given: int | None, *, since: float | None, until: float | None
) -> tuple[Uptimes, int | None, int]:
    """Return the uptimes of nodes, how many there are if that is known, and how many are named.

    A log may say of each system how large it is, which `given` replaces.
    """
    frame = log.failures
    watched = None if log.watch is None else log.watch.nodes
    if log.counted or (watched is not None and given is None):
        size = watched if given is None else given
        if size is None:
            raise Refused("{} must be given for a log of counts without nodes", Field("nodes"))
        return log.uptimes(by="node", since=since, until=until, nodes=given), size, size
    systems = [system for _, system in frame.groupby("system", sort=True)]
    names = [named_nodes(system) for system in systems]
    if not any(names):
        raise Refused("{} node must have a LOG that names nodes, got none", Field("by"))
    if given is not None and len(systems) > 1:
        raise Refused(
            "{} must come with {}, got {} systems", Field("nodes"), Field("system"), len(systems)
        )
    if given is not None and given < names[0]:
        raise Refused(
            "{} must be >= the {:,} nodes named in LOG, got {}", Field("nodes"), names[0], given
        )
    sizes = [given if given is not None else _size(system) for system in systems]
    parts = [
        replace(log, failures=system).uptimes(by="node", since=since, until=until, nodes=size)
        for system, size in zip(systems, sizes, strict=True)
    ]
    known = [size for size in sizes if size is not None]
    return _joined(parts), sum(known) if len(known) == len(sizes) else None, sum(names)


def _size(system: Any) -> int | None:
    """Return how many nodes the log itself says there are, if all its records agree."""
    said = set(system["nodes"].tolist()) if "nodes" in system else set()
    units = system["node"].nunique()
    return next(iter(said)) if len(said) == 1 and min(said) >= units else None


def _joined(parts: list[Uptimes]) -> Uptimes:
    from sim.traces import Uptimes

    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part.counts)
    return Uptimes(
        durations=np.concatenate([part.durations for part in parts]),
        censored=np.concatenate([part.censored for part in parts]),
        failures=sum(part.failures for part in parts),
        observed=sum(part.observed for part in parts),
        repairs=np.concatenate([part.repairs for part in parts]),
        counts=dict(counts),
        units=tuple(unit for part in parts for unit in part.units),
        truncation=parts[0].truncation,
    )


def _counted_nodes(
    given: int | None, known: int | None, named: int, systems: int
) -> tuple[str, ...]:
    if known is None:
        remedy = joined(" and ", map(Field, ("nodes",) if systems == 1 else ("system", "nodes")))
        silent = "{} named; those that never failed are not counted: give {}"
        return (Said(silent, "1 node is" if named == 1 else f"{named:,} nodes are", remedy),)
    source = "as given" if given is not None else "as the log says"
    return (f"{known:,} nodes, {source}; {named:,} of them are named",)


def _notes(title: str, found: Uptimes, log: FailureLog) -> tuple[str, ...]:
    """Return a line for every reason why records or uptimes are not counted as they stand."""
    _, *rest = report_lines(log.report)
    counted = [
        f"{number:,} {_COUNTED.get(rule, rule)}" for rule, number in found.counts.items() if number
    ]
    return (
        f"{log.report.source}: {rows_in_words(log)} ({title}); "
        f"{found.failures:,} uptime{'' if found.failures == 1 else 's'} in "
        f"{human_duration(found.observed)}",
        *rest,
        *counted,
    )


def _window(
    asked: FailureLogReading, log: FailureLog, name: str
) -> tuple[float | None, float | None]:
    """Return from when to when a log is used, [s] on its clock; None where nothing was said."""
    times, watch = log.failures["time"].to_numpy(dtype=np.float64), log.watch
    ends = (float(times.min()), float(times.max())) if times.size else None
    if watch is not None and watch.start is not None and watch.end is not None:
        ends = watch.start, watch.end

    def on_clock(which: str, moment: Moment | None) -> float | None:
        if moment is None:
            return None
        if ends is None and isinstance(moment, timedelta):
            raise Refused("{} must be a date in a log of counts, got a duration", Field(which))
        at = moment_on(moment, *(ends or (0.0, 0.0)))
        if ends is not None and isinstance(moment, timedelta):
            # Nobody said that the log was kept for longer than it tells.
            beyond = at <= ends[0] if which == "since" else at >= ends[1]
            return None if beyond else at
        return at

    since, until = on_clock("since", asked.since), on_clock("until", asked.until)
    if ends is not None and until is None and since is not None and not since < ends[1]:
        raise Refused(
            "{} must be before the last failure in {}, got {}",
            *(Field("since"), name, shown_moment(asked.since or since)),
        )
    if ends is not None and since is None and until is not None and not until > ends[0]:
        raise Refused(
            "{} must be after the first failure in {}, got {}",
            *(Field("until"), name, shown_moment(asked.until or until)),
        )
    if since is not None and until is not None and not since < until:
        shown = (shown_moment(each) for each in (asked.until, asked.since) if each is not None)
        raise Refused("{} must be after {}, got {} and {}", Field("until"), Field("since"), *shown)
    return since, until


def _number_if_whole(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else text
