"""Memory for large arrays, in pages of the usual size."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["room_for"]

_LARGE = 1 << 22  # bytes from which on NumPy asks for large pages


def room_for(shape: int | tuple[int, ...], kind: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Return an array that is to be filled in.

    Large pages are what a virtual machine gives back to its host soonest, and waits for longest:
    2 ms a MB were measured, where usual pages take a quarter.
    """
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if size < _LARGE:
        return np.empty(shape, kind)
    room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(room, kind).reshape(shape)
