"""Read the workloads of Batsim, in JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import count
from typing import Any

from ..parsing.json_records import json_number, json_records
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError, parsed_rows
from ..parsing.sources import Source, open_source
from .frame import job_frame, job_number

_COLUMNS = (
    *("job", "submit", "runtime", "processors", "requested_processors", "walltime"),
    *("job_id", "profile", "line"),
)
_DEEPEST = 20  # profiles within profiles


def read_batsim(source: Source, *, strict: bool = False) -> Trace:
    """Read a workload of Batsim.

    Parameters
    ----------
    source : path or file object
        JSON with `jobs` (`id`, `subtime`, `res`, `profile`, perhaps `walltime`), `profiles` and
        `nb_res`.
    strict : bool
        Raise ValueError on the first malformed job instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has the columns of `read_swf` (-1 where unknown), in the order of the file, and
        as text `job_id` and `profile`; `processors` are what Batsim calls resources. The header's
        `MaxProcs` is `nb_res`.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    The runtime is known of profiles of type `delay`, and of sequences of them.

    Rules. Dropped: `bad-json`, `bad-record`, `empty`. Noted: `no-runtime` (a profile of another
    type, whose length the platform decides).
    """
    findings = Findings()
    content = open_source(source, findings)
    records = json_records(content, "jobs", findings, marks=("id", "subtime"))
    profiles = records.about.get("profiles")
    lengths = _Lengths(profiles if isinstance(profiles, dict) else {})
    ordinals = count(1)

    def parse(entry: Any, line: int, findings: Findings) -> list[dict[str, Any]]:
        ordinal, values = next(ordinals), _job(entry, lengths)
        if values["runtime"] < 0.0:
            reason = f"profile {values['profile'][:60]!r} has no length of its own: runtime unknown"
            findings.add("noted", line, "no-runtime", reason)
        return [values | {"job": job_number(values["job_id"].split("!")[-1], ordinal)}]

    rows = list(parsed_rows(records.found, parse, findings))
    frame = job_frame({name: [row[name] for row in rows] for name in _COLUMNS})
    size = json_number(records.about.get("nb_res"))
    header = {"MaxProcs": f"{size:.0f}"} if size is not None and size > 0.0 else {}
    return findings.trace(
        content.name, frame, records=records.count, of="job", strict=strict, header=header
    )


def _job(entry: Any, lengths: _Lengths) -> dict[str, Any]:
    if not isinstance(entry, dict) or "id" not in entry:
        raise LineError("bad-record", f"a job must be an object with an id, got {str(entry)[:60]}")
    identity = str(entry["id"])[:200]
    submit, size = json_number(entry.get("subtime")), json_number(entry.get("res"))
    if submit is None or submit < 0.0:
        raise LineError("bad-record", f"{identity}: subtime {str(entry.get('subtime'))[:60]!r}")
    if size is None or not size.is_integer() or not 0.0 < size < 2.0**53:
        raise LineError("bad-record", f"{identity}: res {str(entry.get('res'))[:60]!r}")
    limit, profile = json_number(entry.get("walltime")), str(entry.get("profile", ""))
    runtime = lengths.of(profile)
    return {
        "submit": submit,
        "runtime": -1.0 if runtime is None else runtime,
        "processors": int(size),
        "requested_processors": int(size),
        "walltime": limit if limit is not None and limit > 0.0 else -1.0,
        "job_id": identity,
        "profile": profile[:200],
    }


class _Lengths:
    """How long profiles take by themselves, [s]; None where the platform decides."""

    def __init__(self, profiles: Mapping[str, Any]) -> None:
        self._profiles = profiles
        self._known: dict[str, float | None] = {}

    def of(self, name: str, depth: int = 0) -> float | None:
        """Return the length of a profile; one that holds itself has none."""
        if name not in self._known and depth <= _DEEPEST:
            self._known[name] = None
            self._known[name] = self._of(name, depth)
        return self._known.get(name)

    def _of(self, name: str, depth: int) -> float | None:
        profile = self._profiles.get(name, self._profiles.get(name.rpartition("!")[2]))
        if not isinstance(profile, dict):
            return None
        sequence, times = profile.get("seq"), profile.get("repeat", profile.get("nb", 1))
        if profile.get("type") == "delay":
            return _positive(json_number(profile.get("delay")))
        if isinstance(sequence, list):
            parts = [self.of(str(part), depth + 1) for part in sequence]
            factor = json_number(times)
            if factor is not None and None not in parts:
                return _positive(factor * sum(part for part in parts if part is not None))
        return None


def _positive(length: float | None) -> float | None:
    return length if length is not None and 0.0 <= length < math.inf else None
