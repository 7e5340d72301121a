"""Read the accounting file of LSF, ``lsb.acct``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from ..parsing.numbers import finite, whole
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError, parsed_rows
from ..parsing.sources import Source, open_source, text_lines
from .frame import attempts_frame, known_length

_WORD = re.compile(r'"(?:[^"]|"")*+"|[^\s"]++')
_BEGIN = re.compile(r'\s*+"[A-Z][A-Z0-9_]*+"\s')
_HOST = re.compile(r"(?:([0-9]{1,9})\*)?([^*]++)")
_HOSTS = 22  # where the hosts that were asked for begin, after 21 fields of the type and more
_EXIT, _DONE = 32, 64
_REASON = 38  # from the job's status to the reason of its end
_ARRAY = 29
_PROJECT, _EXIT_STATUS = 24, 25
# The reason that LSF logs for the end of a job; those that are not here are FAILED.
_STATES = {
    **dict.fromkeys(
        (1, 2, 3, 31, 34), "PREEMPTED"
    ),  # for another job, by window or load, reclaimed
    **dict.fromkeys((5, 6, 12), "TIMEOUT"),
    **dict.fromkeys((16, 20), "OUT_OF_MEMORY"),
    **dict.fromkeys((8, 9, 14, 15, 23, 26, 27), "CANCELLED"),
    **dict.fromkeys((4, 10, 11, 13, 30), "REQUEUED"),
    **dict.fromkeys((19, 22), "NODE_FAIL"),
}


def read_lsf(source: Source, *, strict: bool = False) -> Trace:
    """Read the JOB_FINISH records of LSF as jobs.

    Parameters
    ----------
    source : path or file object
        ``lsb.acct`` of any version.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has one row per record, in the order of the log, with the columns of
        `read_sacct`: times in Unix seconds; `processors` are the slots and `nodes` the hosts on
        which a job ran; `state` in Slurm's words; `account` is the project. Requested times are
        unknown.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    States. A job that is done is COMPLETED. Of others the logged reason decides: 19 (it exited
    while LSF could not be reached, as when its host crashes) and 22 (node failure) are NODE_FAIL;
    1 to 3, 31 and 34 PREEMPTED; limits of time TIMEOUT, of memory OUT_OF_MEMORY; killed by owner
    or administrator CANCELLED; killed to be requeued REQUEUED; all others FAILED. LSF logs no
    record for an attempt that it runs again by itself.

    Rules. Dropped: `not-a-record`, `bad-time`, `empty`. Skipped: `other-record`. Merged:
    `repeated`. Noted: `line-break`, `not-started`. Repaired: `negative-wait`,
    `negative-runtime`.
    """
    findings = Findings()
    content = open_source(source, findings)
    records = _records(text_lines(content, findings), findings)
    frame = attempts_frame(parsed_rows(records, partial(_rows, seen=set()), findings))
    return findings.trace(content.name, frame, strict=strict)


def _records(lines: list[str], findings: Findings) -> Iterator[tuple[int, str]]:
    """Yield number and text of each record; a command may have line breaks."""
    at = 0
    while at < len(lines):
        until = at + 1
        if _BEGIN.match(lines[at]) and lines[at].count('"') % 2:
            while until < len(lines) and not _BEGIN.match(lines[until]):
                until += 1
        text = "\n".join(lines[at:until])
        if text.strip():
            if until > at + 1:
                reason = f"a field has a line break: {until - at} lines joined"
                findings.add("noted", at + 1, "line-break", reason)
            yield at + 1, text
        at = until


def _rows(
    text: str, number: int, findings: Findings, *, seen: set[tuple[str, float]]
) -> list[dict[str, Any]]:
    words = _WORD.findall(text)
    if not words or not _BEGIN.match(text):
        raise LineError("not-a-record", f"{text[:60]!r} does not begin with a type of record")
    if words[0] != '"JOB_FINISH"':
        findings.add("skipped", number, "other-record", f"a record {words[0][:40]}")
        return []
    hosts, at = _hosts(words)
    logged, submit, start = (_time(words[place], place) for place in (2, 7, 10))
    job, array = words[3], _word(words, at + _ARRAY)
    name = job if array in ("", "0") else f"{job}[{array}]"
    if (name, logged) in seen:
        findings.add("merged", number, "repeated", f"the end of {name} came before")
        return []
    seen.add((name, logged))
    identity = whole(job)
    if identity is None or identity < 0:
        raise LineError("not-a-record", f"job id {job[:40]!r} is not a number")
    wait, runtime = start - submit, logged - start
    if start == 0.0:
        findings.add("noted", number, "not-started", f"{name} never started")
        wait, runtime = -1.0, 0.0
    else:
        wait = known_length("wait", wait, name, number, findings)
    runtime = known_length("runtime", runtime, name, number, findings)
    reason_of_end = whole(_word(words, at + _REASON))
    done = int(words[at]) & _DONE
    asked = whole(words[6]) or -1
    row = {
        "job": identity,
        "submit": submit,
        "wait": wait,
        "runtime": runtime,
        "processors": sum(hosts.values()) if hosts else (asked if start == 0.0 else -1),
        "requested_processors": max(asked, -1),
        "nodes": len(hosts) if hosts else (0 if start == 0.0 else -1),
        "job_id": name,
        "state": "COMPLETED" if done else _STATES.get(reason_of_end or 0, "FAILED"),
        "user_name": _word(words, 11),
        "account": _word(words, at + _PROJECT),
        "partition_name": _word(words, 12),
    }
    return [row]


def _hosts(words: list[str]) -> tuple[dict[str, int], int]:
    """Return the slots of each host, and where the status of the job stands.

    Hosts that were asked for come before those on which the job ran; some versions leave out the
    latter where there are the former.
    """
    asked, place = _names(words, _HOSTS)
    ran, at = _names(words, place)
    status = whole(_word(words, at))
    if status is None or not status & (_EXIT | _DONE) or finite(_word(words, at + 1)) is None:
        raise LineError("not-a-record", "no status of the job (32 or 64) after its hosts")
    return (asked if at == place else ran), at


def _names(words: list[str], at: int) -> tuple[dict[str, int], int]:
    """Return the hosts of a counted list, such as ``2 "4*a" "b"``, and where it ends."""
    number = whole(_word(words, at))
    hosts: dict[str, int] = {}
    if number is None or number < 0 or at + 1 + number > len(words):
        return hosts, at
    for word in words[at + 1 : at + 1 + number]:
        found = _HOST.fullmatch(word.strip('"'))
        if found is None or not word.startswith('"'):
            return {}, at
        hosts[found[2]] = hosts.get(found[2], 0) + int(found[1] or 1)
    return hosts, at + 1 + number


def _time(word: str, place: int) -> float:
    number = whole(word)
    if number is None or number < 0:
        raise LineError("bad-time", f"field {place + 1} is {word[:40]!r}, not a time")
    return float(number)


def _word(words: list[str], at: int) -> str:
    return words[at].strip('"') if at < len(words) else ""
