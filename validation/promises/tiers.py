"""Which logs anybody may tune on, which are reported, and the count of runs on the latter."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np

from sim.traces import failure_log

from ..advice.logs import FailureLog, Records, first_of_each, logs
from .table import Row
from .windows import DAY, Asked, Window, asked_of, file_hash, read_asked, windows

__all__ = [
    "ATTEMPTS",
    "KINDS_PLAYED",
    "checked_logs",
    "noted",
    "open_logs",
    "sealed_windows",
    "windows_of",
    "windows_to_ship",
]

ATTEMPTS = Path(__file__).with_name("attempts.csv")
# Name -> kind of job, and how much later its windows begin, in works.
KINDS_PLAYED = {
    "whole": ("whole", 0.0),
    "part": ("part", 0.0),
    "wait": ("wait", 0.0),
    "shifted whole": ("whole", 0.5),
    "shifted part": ("part", 0.5),
    "shifted wait": ("wait", 0.5),
}
_LEFT_OUT = ("GLM-130B", "Mira, all grouped")  # too short; the same machine twice


def _known() -> list[FailureLog]:
    return [log for log in logs() if log.name not in _LEFT_OUT]


def open_logs() -> tuple[FailureLog, ...]:
    """Return the logs that anybody may tune on: every other one, LANL 3 the first."""
    lanl = [log for log in _known() if log.name.startswith("LANL ")]
    rest = [log for log in _known() if log not in lanl]
    return tuple([log for log in lanl if int(log.name.split()[1]) % 2 == 1] + rest[::2])


def checked_logs() -> tuple[FailureLog, ...]:
    """Return the logs that are reported: nobody tunes on them, and each look is counted."""
    odd = open_logs()
    return tuple(log for log in _known() if log not in odd)


def windows_to_ship() -> list[Asked]:
    """Return the windows of all logs, as the file has them."""
    return [asked for log in _known() for asked in asked_of(log)]


def windows_of(of: Sequence[FailureLog], name: str) -> list[Window]:
    """Return the windows of the file on some logs, of a name in `KINDS_PLAYED`."""
    kind, shifted = KINDS_PLAYED[name]
    asked = [each for each in read_asked() if each.shifted == shifted]
    return [window for log in of for window in windows(log, asked, kind)]


def sealed_windows(paths: Sequence[Path], name: str, since: date | None = None) -> list[Window]:
    """Return the windows of logs that nobody else has, from a day on."""
    kind, shifted = KINDS_PLAYED[name]
    found: list[Window] = []
    for path in paths:
        frame = failure_log(path).failures.sort_values("time", kind="stable")
        times = frame["time"].to_numpy(dtype=np.float64)
        names, codes = np.unique(frame["node"].astype(str), return_inverse=True)
        repairs = frame["repair"].to_numpy(dtype=np.float64)
        records = Records(times, codes.astype(np.int64), repairs, len(names))
        log = FailureLog(path.stem, times[first_of_each(times)], records)
        first = -np.inf
        if since is not None:
            first = datetime(since.year, since.month, since.day, tzinfo=UTC).timestamp()
        asked = [
            each
            for each in asked_of(log, shifts=(shifted,))
            if log.times[0] + each.start_d * DAY >= first
        ]
        found += windows(log, asked, kind)
    return found


def noted(file_of: Path, tier: str, kind: str, rows: Sequence[tuple[Row, str]]) -> int:
    """Sign and count runs on reported logs, each with the hash of its code; return how many."""
    with file_of.open("a", newline="") as file:
        for row, code in rows:
            held = ";".join(f"{each:.4f}" for each in row.held)
            what = [datetime.now(UTC).date().isoformat(), tier, kind, row.name, code, file_hash()]
            csv.writer(file, lineterminator="\n").writerow(
                [*what, held, f"{row.ratio:.4f}", row.signature]
            )
    with file_of.open(newline="") as file:
        return sum(1 for line in csv.DictReader(file) if line["logs"] == tier)
