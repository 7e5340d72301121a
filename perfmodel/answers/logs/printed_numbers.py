"""A table of printed numbers that a drawn log has to have, as conditions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asking.units import seconds
from sim.answers.logs.csv_rows import csv_rows
from sim.answers.logs.words import of_file
from sim.traces import Limits

from .limits import given_limits

if TYPE_CHECKING:
    from sim.traces import Condition

_COLUMNS = ("measure", "from", "below", "value")
_NUMBER = re.compile(r"(\d+)(?:\.(\d*))?\s*([a-zA-Z%]*)")
_TIMES = ("runtime", "walltime")


def conditions_of(path: Path, notes: list[str]) -> list[Condition]:
    """Read conditions; each number is met to half a unit of its last digit."""
    with of_file(path):
        columns, rows = csv_rows(
            path,
            _COLUMNS,
            needed=(("measure",), ("value",)),
            notes=notes,
            limits=Limits(**given_limits()),
        )
        return [_condition(number, dict(zip(columns, row, strict=True))) for number, row in rows]


def _condition(line: int, row: dict[str, str]) -> Condition:
    from sim.traces import Condition

    measure: Any = row["measure"]
    low, high = row.get("from", ""), row.get("below", "")
    share = bool(low or high)
    try:
        value, within = _number(row["value"], timed=measure in _TIMES and not share, share=share)
        limits = [
            None if not text else _number(text, timed=measure in _TIMES)[0] for text in (low, high)
        ]
        return Condition(measure, value, within, at_least=limits[0], below=limits[1])
    except ValueError as error:
        raise ValueError(f"line {line}: {error}") from None


def _number(text: str, *, timed: bool, share: bool = False) -> tuple[float, float]:
    """Return a number, times in seconds, and half a unit of its last digit."""
    found = _NUMBER.fullmatch(text)
    example = "a time such as 74.3min" if timed else "a share such as 14.3%" if share else "a count"
    unit = found[3] if found else ""
    if found is None or (timed and not unit) or (not timed and unit not in ("", "%")[: 1 + share]):
        raise ValueError(f"numbers must be {example}, got {text[:60]!r}")
    try:
        factor = seconds(f"1{unit}") if timed else 0.01 if unit else 1.0
    except ValueError:
        raise ValueError(f"numbers must be {example}, got {text[:60]!r}") from None
    digits = len(found[2] or "")
    return factor * float(f"{found[1]}.{found[2] or 0}"), factor * 0.5 * 10.0**-digits
