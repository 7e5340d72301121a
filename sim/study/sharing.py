"""What all processes of a study read, held once: its arrays in a file that each of them maps."""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import IO, Any

_NAMELESS = Path("/proc")  # where Linux lists the open files of a process
_ALIGNED = 64  # bytes, as NumPy's own arrays at least


@dataclass(frozen=True, slots=True)
class Parcel:
    """An object without its arrays, and where in a file these stand."""

    body: bytes
    path: Path
    places: tuple[tuple[int, int], ...]  # first byte and length of each array

    def opened(self) -> Any:
        """Return the object; its arrays are pages of the file until they are written to."""
        if not self.places:
            return pickle.loads(self.body)
        with self.path.open("rb") as file:
            # Copied where written: an object may have scratch arrays, its others stay read-only.
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
        views = [mapped[start : start + length] for start, length in self.places]
        return pickle.loads(self.body, buffers=views)

    def remove(self) -> None:
        """Remove the file, if it has a name; what is mapped of it stays."""
        if _NAMELESS not in self.path.parents:
            self.path.unlink(missing_ok=True)


@contextmanager
def parcel(thing: object) -> Iterator[Parcel]:
    """Give a parcel of a picklable object; its file is removed afterwards.

    Where a file needs no name it has none, so that the system removes it whoever is killed.

    A file and not ``multiprocessing.shared_memory``: that lies in /dev/shm, of which containers
    have 64 MB, and what does not fit there ends the process without an error that names the reason.
    """
    arrays: list[pickle.PickleBuffer] = []
    body = pickle.dumps(thing, protocol=5, buffer_callback=arrays.append)
    with _opened() as (file, path):
        places = []
        for array in arrays:
            raw = array.raw()
            file.write(bytes(-file.tell() % _ALIGNED))
            places.append((file.tell(), raw.nbytes))
            file.write(raw)
        file.write(bytes(1))  # an empty file cannot be mapped
        file.flush()
        yield Parcel(body, path, tuple(places))


@contextmanager
def _opened() -> Iterator[tuple[IO[bytes], Path]]:
    """Open a new file; give also by which path other processes of this user open it."""
    if (_NAMELESS / "self" / "fd").is_dir():
        with TemporaryFile() as file:
            yield file, _NAMELESS / str(os.getpid()) / "fd" / str(file.fileno())
        return
    handle, name = mkstemp(prefix="perfmodel-", suffix=".columns")
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, path
    finally:
        path.unlink(missing_ok=True)
