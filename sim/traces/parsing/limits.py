"""How much a file from outside may hold, and memory for it."""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ..._checks import check_fields, positive, whole
from .report import Argument, LogRefused

_LARGE = 1 << 22  # bytes from which on NumPy asks for large pages


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file from outside may hold before it is refused.

    Parameters
    ----------
    max_bytes : int, [byte]
        When decompressed.
    max_lines : int
        Of text.
    max_machines : int
        In a description of machines.
    max_memory : int, [byte]
        That its lines, fields and problems take while it is read, as estimated from their number.
    max_line : int, [byte]
        Of one line.
    max_columns : int
        Of one line.
    max_wait : float, [s]
        Until somebody writes to a pipe.
    """

    max_bytes: int = 500_000_000
    max_lines: int = 5_000_000
    max_machines: int = 1_000_000
    max_memory: int = 2_000_000_000
    max_line: int = 10_000_000
    max_columns: int = 1_000
    max_wait: float = 10.0

    def __post_init__(self) -> None:
        check_fields(self, whole, "max_bytes", "max_lines", "max_machines")
        check_fields(self, whole, "max_memory", "max_line", "max_columns")
        check_fields(self, positive, "max_wait")

    def refuse(self, name: str, field: str) -> NoReturn:
        """Raise ValueError: the file `name` holds more than the limit called `field`."""
        what = {
            "max_memory": "bytes in memory",
            "max_line": "bytes in a line",
            "max_columns": "columns in a line",
        }.get(field, field.removeprefix("max_"))
        raise LogRefused(
            f"{name} must hold at most {getattr(self, field):,} {what}, got more; raise ",
            *(Argument(field), " if it is what it should be"),
        )


def room_for(shape: int | tuple[int, ...], kind: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Return an array that is to be filled in, in usual pages of memory however large it is.

    Large pages are what a virtual machine gives back to its host soonest, and waits for longest:
    2 ms a MB were measured, where usual pages take a quarter.
    """
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if size < _LARGE:
        return np.empty(shape, kind)
    room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(room, kind).reshape(shape)
