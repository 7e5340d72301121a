"""How much a file may hold: options of every command that reads logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from asking.units import byte_count

from ...answers.logs.limits import DEFAULTS, given_limits
from .grouped import InGroup
from .types import COUNT, Wanted

Command = TypeVar("Command", bound=Callable[..., Any])

LIMITS = "perfmodel.limits"  # key in the notes of a run, which its commands share


def _whole_bytes(text: str) -> int:
    size = byte_count(text)
    if size < 1.0:
        raise ValueError("below 1 B")
    return int(size)


_BYTES = Wanted("size", "a size with a unit, such as 2GB", _whole_bytes)


def _keep(ctx: click.Context, param: click.Parameter, value: int) -> None:
    """Keep a limit for `limited`; no limit changes an answer, so requests do not hold it."""
    ctx.meta.setdefault(LIMITS, {})[param.name] = value


def _option(
    name: str, kind: click.ParamType[Any], default: str, words: str
) -> Callable[[Command], Command]:
    option: Callable[[Command], Command] = click.option(
        f"--{name}",
        cls=InGroup,
        group="Limits of files",
        type=kind,
        default=default,
        show_default=True,
        help=words,
        expose_value=False,
        callback=_keep,
    )
    return option


_MAX_BYTES = _option(
    "max-bytes", _BYTES, DEFAULTS["max_bytes"], "Refuse a larger file (decompressed)."
)
_MAX_LINES = _option("max-lines", COUNT, DEFAULTS["max_lines"], "Refuse a file of more lines.")
_MAX_MEMORY = _option(
    "max-memory",
    _BYTES,
    DEFAULTS["max_memory"],
    "Refuse a file that takes more memory (estimated).",
)
_MAX_LINE = _option("max-line", _BYTES, DEFAULTS["max_line"], "Refuse a file with a longer line.")
_MAX_COLUMNS = _option(
    "max-columns", COUNT, DEFAULTS["max_columns"], "Refuse a file with more columns in a line."
)
machine_limit = _option(
    "max-machines", COUNT, DEFAULTS["max_machines"], "Refuse a file of more machines."
)


def log_limits(command: Command) -> Command:
    """Add the options for how much the files that a command reads may hold."""
    return _MAX_BYTES(_MAX_LINES(_MAX_MEMORY(_MAX_LINE(_MAX_COLUMNS(command)))))


def limits_as_typed() -> tuple[str, ...]:
    """Return the options with the limits of the running command, for another that it runs."""
    known = given_limits()
    units = {name: "B" if default.endswith("B") else "" for name, default in DEFAULTS.items()}
    return tuple(
        word
        for name, unit in units.items()
        if name in known and name != "max_machines"
        for word in (f"--{name.replace('_', '-')}", f"{known[name]}{unit}")
    )
