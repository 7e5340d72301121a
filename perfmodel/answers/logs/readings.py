"""What a request says of its logs, for the readers of `sim.answers`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from .limits import given_limits

if TYPE_CHECKING:
    from asking.reading import JobLogReading
    from sim.answers.reading import LogReading as SimReading


def reading_of(asked: JobLogReading) -> SimReading:
    """Return what a request says of a log, with the limits of the block that is running."""
    from sim.answers.reading import LogReading as SimReading
    from sim.traces import Limits

    names = {field.name for field in fields(SimReading)} - {"said", "limits"}
    said = {name: getattr(asked, name) for name in names if hasattr(asked, name)}
    return SimReading(**said, limits=Limits(**given_limits()))
