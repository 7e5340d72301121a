"""What a request says of its logs, for the readers of `sim.answers`, whose refusals become ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from sim.answers.refusals import Refused as RefusedBySim

from ..refusals import Field, Refused
from .limits import given_limits

if TYPE_CHECKING:
    from sim.answers.reading import LogReading as SimReading

    from ..requests.reading import JobLogReading

__all__ = ["in_our_words", "reading_of"]

P = ParamSpec("P")
T = TypeVar("T")


def reading_of(asked: JobLogReading) -> SimReading:
    """Return what a request says of a log, with the limits of the block that is running."""
    from sim.answers.reading import LogReading as SimReading
    from sim.traces import Limits

    names = {field.name for field in fields(SimReading)} - {"said", "limits"}
    said = {name: getattr(asked, name) for name in names if hasattr(asked, name)}
    return SimReading(**said, limits=Limits(**given_limits()))


def in_our_words(function: Callable[P, T]) -> Callable[P, T]:
    """Let what readers of `sim.answers` refuse be refused by a `Refused` of this package."""

    @wraps(function)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except RefusedBySim as error:
            fields_of_ours = (
                Field(value.name) if hasattr(value, "name") else value
                for value in error.said.values
            )
            raise Refused(error.said.template, *fields_of_ours) from error

    return read
