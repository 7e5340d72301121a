"""What all processes of a study read, held once: its arrays in a file that each of them maps."""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import Any

__all__ = ["Parcel", "parcel"]

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
        """Remove the file; what is mapped of it stays."""
        self.path.unlink(missing_ok=True)


@contextmanager
def parcel(thing: object) -> Iterator[Parcel]:
    """Give a parcel of a picklable object; its file is removed afterwards.

    A file and not ``multiprocessing.shared_memory``: that lies in /dev/shm, of which containers
    have 64 MB, and what does not fit there ends the process without an error that names the reason.
    """
    arrays: list[pickle.PickleBuffer] = []
    body = pickle.dumps(thing, protocol=5, buffer_callback=arrays.append)
    handle, name = mkstemp(prefix="perfmodel-", suffix=".columns")
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            places = []
            for array in arrays:
                raw = array.raw()
                file.write(bytes(-file.tell() % _ALIGNED))
                places.append((file.tell(), raw.nbytes))
                file.write(raw)
            file.write(bytes(1))  # an empty file cannot be mapped
        yield Parcel(body, path, tuple(places))
    finally:
        path.unlink(missing_ok=True)
