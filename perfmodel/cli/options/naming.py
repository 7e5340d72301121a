"""Errors of formulas in the words of the command line."""

from __future__ import annotations

import math
import re
from typing import Any

import click
from click.core import ParameterSource

from asking.units import human_duration

_NAMED = re.compile(r"(\w+(?:(?:, | and )\w+)*)( must .*, got )(.*)", re.DOTALL)
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b")


def in_options(message: str) -> str:
    """Return a refusal of arguments as one of the options that they came from.

    Durations are shown as they were typed. What does not name options of the running command, of
    which one at least was typed, is returned as it is.
    """
    context = click.get_current_context(silent=True)
    found = _NAMED.fullmatch(message)
    if context is None or found is None:
        return message
    options = {each.name: each for each in context.command.params}
    names = re.split(", | and ", found[1])
    sources = {context.get_parameter_source(name) for name in names if name in options}
    if ParameterSource.COMMANDLINE not in sources or not set(names) <= options.keys():
        return message
    said, got = found[1], found[3]
    for name in names:
        said = re.sub(rf"(?<![\w-]){name}\b", max(options[name].opts, key=len), said)
    if all(options[name].type.name == "duration" for name in names):
        values = [context.params[name] for name in names]
        got = _NUMBER.sub(lambda number: _duration(number[0], values), got)
    return f"{said}{found[2]}{got}"


def _duration(number: str, known: list[Any]) -> str:
    """Return the duration that the number shows, as it was typed; of another number itself."""
    shown = (v for v in known if v is not None and math.isclose(v, float(number), rel_tol=1e-5))
    return next(map(human_duration, shown), number)
