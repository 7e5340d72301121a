"""Where a ledger may be, and which of the processes that write to it are alive."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

__all__ = ["Self", "Watch", "network_of", "this_process"]

LEASE = 60.0  # s without a sign of life after which what a process claimed is free
_NETWORK = {
    *("9p", "afs", "beegfs", "ceph", "cifs", "davfs", "fuse.ceph", "fuse.glusterfs"),
    *("fuse.juicefs", "fuse.s3fs", "fuse.sshfs", "glusterfs", "gpfs", "lustre", "nfs", "nfs4"),
    *("ocfs2", "orangefs", "panfs", "pvfs2", "smb", "smb2", "smb3", "wekafs"),
}


class Self(NamedTuple):
    """A process, so that another one can tell whether it lives."""

    place: str  # one start of one machine, and its table of processes; "" where not known
    process: int
    born: str  # when it began, so that a later process of its number is another one


def this_process() -> Self:
    """Return the running process."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        place = f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        place = ""
    return Self(place, os.getpid(), _born(os.getpid()))


def _born(process: int) -> str:
    """Return when a process began; "" if it has ended or that is not known here."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


class Watch:
    """Tells dead processes by their number, else by beats that do not come.

    No clock of the day is read, which may be set back: a beat is a count, and how long it has not
    changed is timed by who looks.
    """

    def __init__(self, lease: float = LEASE) -> None:
        self._here = this_process()
        self._lease = lease
        self._seen: dict[int, tuple[int, float]] = {}

    def is_dead(self, owner: int, other: Self, beat: int) -> bool:
        """Return whether an owner of claims has ended, or has shown no life for the lease."""
        here = self._here.place.split(" ")
        there = other.place.split(" ")
        if here[0] and there[0] and here[0] != there[0]:
            return True  # the machine was started anew since
        if here[0] and here == there and _born(other.process) != other.born:
            return True
        now = time.monotonic()
        known, since = self._seen.get(owner, (-1, now))
        if known != beat:
            self._seen[owner] = (beat, now)
            return False
        return now - since > self._lease


def network_of(path: Path, mounts: str | None = None) -> str | None:
    """Return the kind of network file system on which a file would be; None on a local one."""
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text()
        except OSError:
            return None
    folder = path.resolve().parent
    kinds = {}
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        if right:
            point = left.split(" ")[4].encode().decode("unicode_escape")
            kinds[Path(point)] = right.split(" ")[0]
    for part in (folder, *folder.parents):
        if part in kinds:
            return kinds[part] if kinds[part] in _NETWORK else None
    return None
