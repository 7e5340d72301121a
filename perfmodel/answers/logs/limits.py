"""How much the files that an answer reads may hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.traces import Limited

# As `sim.traces.Limits` has them; a test compares, for sim must not be imported here.
DEFAULTS = {
    "max_bytes": "500MB",
    "max_lines": "5000000",
    "max_memory": "2GB",
    "max_line": "10MB",
    "max_columns": "1000",
    "max_machines": "1000000",
}
_GIVEN: ContextVar[Mapping[str, int]] = ContextVar("limits of files")


@contextmanager
def within(limits: Mapping[str, int]) -> Iterator[None]:
    """Hold the files that are read in this block to `limits`, by the names of `DEFAULTS`."""
    token = _GIVEN.set(limits)
    try:
        yield
    finally:
        _GIVEN.reset(token)


def given_limits() -> Mapping[str, int]:
    """Return the limits of the block that is running."""
    return _GIVEN.get({})


def limited(path: Path) -> Limited:
    """Return the file with the limits of the block that is running."""
    from sim.traces import Limited, Limits

    return Limited(path, Limits(**given_limits()))


def most_machines() -> int:
    """Return how many machines a file may have."""
    return int(given_limits().get("max_machines", DEFAULTS["max_machines"]))
