"""How much a file from outside may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from ..._checks import check_fields, positive, whole


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
        option = "--" + field.replace("_", "-")
        raise ValueError(
            f"{name} must hold at most {getattr(self, field):,} {what}, got more; "
            f"raise {field} ({option}) if it is what it should be"
        )
