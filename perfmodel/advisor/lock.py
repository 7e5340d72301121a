"""One writer at a time: a call that reads a state and writes it again holds a lock meanwhile."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from .._checks import shown

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None

_PATIENCE, _PAUSE = 20.0, 0.02  # [s]
_TAKEN = (errno.EACCES, errno.EAGAIN)


@contextmanager
def held(path: Path, *, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock of a state file, so that what is read in the block is what it replaces.

    Where the file system has no locks the block is run without.

    Raises
    ------
    ValueError
        If another process holds the lock for more than `patience` seconds.
    """
    beside = path.with_name(f".{path.name}.lock")
    until = time.monotonic() + patience
    while True:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            if _locked(handle, path, until) and not _is(handle, beside):
                continue  # who held it has removed it
            try:
                yield
            finally:
                # Before it is unlocked: who waits for it sees that it is gone.
                with suppress(OSError):
                    beside.unlink()
            return
        finally:
            os.close(handle)


def _locked(handle: int, path: Path, until: float) -> bool:
    """Wait for the lock; return whether there is such a thing here."""
    if fcntl is None:
        return False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _TAKEN:
                return False
        else:
            return True
        if time.monotonic() >= until:
            raise ValueError(
                f"state must be free to be written, got {shown(path.name)} in use by another "
                "process: let one process of a job ask"
            )
        time.sleep(_PAUSE)


def _is(handle: int, path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(handle), path.stat())
    return False
