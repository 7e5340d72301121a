"""Failure logs as the commands want them: uptimes, and in words what was read and left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from .errors import why_empty
from .limits import limited
from .units import human_duration

if TYPE_CHECKING:
    from sim.traces import Report, Uptimes

__all__ = ["LAYOUTS", "Log", "read_log"]

LAYOUTS = ("lanl", "csv")

_COUNTED = {
    "simultaneous": "at the instant of the failure before, counted as one interruption with it",
    "struck-while-down": "while already down, which ends no uptime",
    "age-unknown": "running when the observation began: in the MTBF, not in the fits",
    "repair-unknown": "repair times unknown, taken as 0",
    "outside": "outside of the observation",
}


@dataclass(frozen=True, slots=True)
class Log:
    """A failure log that was read: what it is, its uptimes, and what was found in it."""

    title: str
    uptimes: Uptimes
    report: Report
    notes: tuple[str, ...]


def read_log(
    path: Path,
    layout: str,
    *,
    system: str | None = None,
    since: Any = None,
    until: Any = None,
    strict: bool = False,
    by: Literal["system", "node"] = "system",
) -> Log:
    """Read a failure log and take its uptimes; refuse what holds none."""
    from sim.traces import read_failures_csv, read_lanl, uptimes

    if layout not in LAYOUTS:
        raise click.UsageError(f"--format must be {' or '.join(LAYOUTS)}, got {layout!r}")
    _refuse_backwards(since, until)
    which: Any = _number_if_whole(system)
    source = limited(path)
    if layout == "lanl":
        if system is not None and not isinstance(which, int):
            raise click.UsageError(f"--system must be a number in a LANL log, got {system!r}")
        trace = read_lanl(source, system=which, since=since, until=until, strict=strict)
    else:
        trace = read_failures_csv(source, system=which, since=since, until=until, strict=strict)
    frame, report = trace.frame, trace.report
    if frame.empty:
        raise click.UsageError(f"{path.name} must hold failures, got {why_empty(report)}")
    systems = frame["system"].nunique()
    # One node repaired means the whole machine is back; in a larger one the others go on.
    single = "nodes" in frame and bool((frame["nodes"] == 1).all())
    found = uptimes(frame, by=by, since=since, until=until, exclude_repair=True if single else None)
    if not found.observed > 0.0:
        raise click.UsageError(
            f"{path.name} must hold failures at different times, got {len(frame)} at one"
        )
    title = "all of it" if system is None else f"system {system}"
    if systems > 1:
        title = f"{systems} systems, pooled"
    return Log(title, found, report, _notes(title, found, report))


def _notes(title: str, found: Uptimes, report: Report) -> tuple[str, ...]:
    """Say everything that kept a record or an uptime from being counted as it stands."""
    _, *rest = str(report).split("\n")
    counted = [
        f"{number:,} {_COUNTED.get(rule, rule)}" for rule, number in found.counts.items() if number
    ]
    return (
        f"{report.source}: {report.rows:,} of {report.records:,} records ({title}), "
        f"{found.failures:,} uptimes in {human_duration(found.observed)}",
        *(line.strip() for line in rest),
        *counted,
    )


def _refuse_backwards(since: Any, until: Any) -> None:
    if since is None or until is None or type(since) is not type(until) or since < until:
        return
    raise click.UsageError(f"--until must be after --since, got {until} and {since}")


def _number_if_whole(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else text
