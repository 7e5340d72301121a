"""What Slurm calls things: states, sizes, durations; and the command whose output is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..parsing.numbers import LARGEST, finite
from ..parsing.report import Findings

SACCT_COMMAND = (
    "sacct --allusers --duplicates --parsable2 "
    "--format=JobIDRaw,Submit,Start,End,ElapsedRaw,Timelimit,AllocCPUS,NNodes,ReqMem,State,User"
)
STATES = (
    *("BOOT_FAIL", "CANCELLED", "COMPLETED", "COMPLETING", "CONFIGURING", "DEADLINE", "FAILED"),
    *("NODE_FAIL", "OUT_OF_MEMORY", "PENDING", "PREEMPTED", "REQUEUED", "REQUEUE_FED"),
    *("REQUEUE_HOLD", "RESIZING", "RESV_DEL_HOLD", "REVOKED", "RUNNING", "SIGNALING"),
    *("SPECIAL_EXIT", "STAGE_OUT", "STOPPED", "SUSPENDED", "TIMEOUT"),
)
NEVER = frozenset({"", "Unknown", "None", "N/A", "INVALID", "NaT", "nan", "NaN", "NULL", "(null)"})
_UNLIMITED = frozenset({*NEVER, "UNLIMITED", "Partition_Limit", "INFINITE"})
_FAILED = frozenset(
    {"NODE_FAIL", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED"}
)
_FEW = 10  # jobs that may all have failed by chance
_CLOCK = re.compile(r"(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,6})(?:\.[0-9]+)?")
_DAYS = re.compile(r"([0-9]{1,6})-([0-9]{1,6})(?::([0-9]{1,6}))?")
_PANDAS = re.compile(r"([0-9]{1,6}) days?,? (?:\+)?([0-9:.]{5,20})")
_COUNT = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)([KMG]?)")
_THOUSANDS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
# As in 64Gn (a node), 4000Mc (a CPU) or, of later versions, 64G (the whole job).
_MEMORY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMGTP]?)([cn]?)")
_KIBIBYTES = {"K": 1.0, "": 1024.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}


def state_of(text: str) -> str:
    """Return the state that a text begins with: ``CANCELLED by 7``, or cut as ``OUT_OF_ME+``.

    Examples
    --------
    >>> state_of("CANCELLED by 1000"), state_of("OUT_OF_ME+"), state_of("NODE_FAIL+")
    ('CANCELLED', 'OUT_OF_MEMORY', 'NODE_FAIL')
    """
    word = text.split(" ", 1)[0]
    if not word.endswith("+"):
        return word
    word = word.rstrip("+")
    meant = [state for state in STATES if state.startswith(word)]
    return meant[0] if len(meant) == 1 and word not in STATES else word


def length_of(text: str) -> float | None:
    """Return seconds of ``[days-][hours:]minutes:seconds`` or ``days-hours[:minutes]``.

    Examples
    --------
    >>> length_of("30:00"), length_of("1-02:00:00"), length_of("2-12"), length_of("2-12:30")
    (1800.0, 93600.0, 216000.0, 217800.0)
    >>> length_of("1 days 02:00:00"), length_of("soon")
    (93600.0, None)
    """
    if "-" in text and (found := _DAYS.fullmatch(text)):
        days, hours, minutes = map(int, found.groups("0"))
        return float(86_400 * days + 3_600 * hours + 60 * minutes)
    days = 0
    if "day" in text and (pandas := _PANDAS.fullmatch(text)):
        days, text = int(pandas[1]), pandas[2]
    if (found := _CLOCK.fullmatch(text)) is None:
        return None
    own, hours, minutes, seconds = map(int, found.groups("0"))
    return float(86_400 * (days + own) + 3_600 * hours + 60 * minutes + seconds)


def limit_of(text: str) -> float | None:
    """Return seconds of a time limit, -1 for none; a plain number is minutes.

    Examples
    --------
    >>> limit_of("90"), limit_of("01:00:00"), limit_of("UNLIMITED"), limit_of("long")
    (5400.0, 3600.0, -1.0, None)
    """
    if text in _UNLIMITED:
        return -1.0
    minutes = finite(text)
    if minutes is not None:
        return 60.0 * minutes if 0.0 <= minutes < LARGEST else None
    return length_of(text)


def count_of(text: str) -> float | None:
    """Return a number of nodes or processors; older versions round to ``9.41K``.

    Examples
    --------
    >>> count_of("64"), count_of("64.0"), count_of("9.41K"), count_of("1.5"), count_of("many")
    (64.0, 64.0, 9410.0, None, None)
    """
    found = _COUNT.fullmatch(text)
    if found is None:
        return None
    number = round(float(found[1]) * _THOUSANDS[found[2]], 6)
    return number if number.is_integer() and number <= LARGEST else None


def tres_of(text: str, kind: str) -> float | None:
    """Return a count among trackable resources, such as node of ``cpu=96,node=2``.

    Examples
    --------
    >>> tres_of("billing=96,cpu=96,gres/gpu=8,node=2", "node"), tres_of("cpu=96", "node")
    (2.0, None)
    """
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name.strip() == kind:
            return count_of(number.strip())
    return None


def memory_of(text: str) -> tuple[float, str] | None:
    """Return the requested memory, [KB], and of what: ``c`` a CPU, ``n`` a node, "" the job."""
    found = _MEMORY.fullmatch(text)
    return None if found is None else (float(found[1]) * _KIBIBYTES[found[2]], found[3])


def note_selection(states: Sequence[str], lines: npt.NDArray[np.int64], findings: Findings) -> None:
    """Warn of a log that holds failures alone, whatever it was asked for."""
    met = set(states)
    if lines.size < 2 or "NODE_FAIL" not in met or not met <= _FAILED:
        return
    if met == {"NODE_FAIL"} or lines.size >= _FEW:
        reason = (
            "every row is a failure (an export by --state=NODE_FAIL?): an MTBF of jobs cannot be "
            f"had from it; {SACCT_COMMAND} asks for all"
        )
        findings.add("noted", int(lines.min()), "only-failures", reason)
