"""Errors of formulas in the words of the command line."""

from __future__ import annotations

import re
from typing import Any

import click
from click.core import ParameterSource

from ...units import human_duration

__all__ = ["in_options"]

_NAMED = re.compile(r"(\w+(?:(?:, | and )\w+)*)( must .*, got )(.*)", re.DOTALL)
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b")


def in_options(message: str) -> str:
    """Return a refusal of arguments as one of the options that they came from.

    Seconds get a unit. What does not name options of the running command, of which one at least
    was typed, is returned as it is.
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
        got = _NUMBER.sub(lambda number: _duration(float(number[0]), values), got)
    return f"{said}{found[2]}{got}"


def _duration(seconds: float, known: list[Any]) -> str:
    """Return a number of seconds as it was typed, or in its natural unit."""
    return human_duration(next((value for value in known if value == seconds), seconds))
