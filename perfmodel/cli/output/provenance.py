"""What an answer rests on, so that it can be reproduced: version, options, files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click

from asking.moments import shown_moment
from asking.units import Typed

from ...answers.requests.fractions import Fractions
from ...answers.requests.repairs import RepairLaw
from ..options.types import LOG_FILE, NAMES

# Units of what the options of these types are converted to.
_UNITS = {
    "duration": "_s",
    "seconds": "_s",
    "size": "_bytes",
    "bandwidth": "_bytes_per_s",
    "rate": "_per_node_s",
}
timing_flag = click.option("--timing", is_flag=True, help="Also print how long computing took.")


def provenance(
    request: object, notes: Sequence[str], *, files: Iterable[Path] = ()
) -> dict[str, Any]:
    """Return the keys that every JSON of a replay, a sweep or a simulation has.

    `request` has the options of the running command in fields of the same names; files among
    them are inputs, and so are those that the command found by itself, `files`.
    """
    from importlib.metadata import version

    options, inputs = {}, []
    for parameter in click.get_current_context().command.params:
        if parameter.name is not None and hasattr(request, parameter.name):
            given = getattr(request, parameter.name)
            value: Any = given.value if isinstance(given, Typed) else given
            unit = _UNITS.get(parameter.type.name, "")
            if parameter.type is NAMES:
                value = ",".join(value) or None
            options[_name(parameter) + unit] = _plain(value)
            if parameter.type is LOG_FILE and value is not None:
                inputs.append(value)
    return {
        "version": version("perfmodel"),
        "seed": getattr(request, "seed", None),
        "options": options,
        "inputs": [
            {"name": path.name, "sha256": _sha256(path)}
            for path in dict.fromkeys((*inputs, *files))
        ],
        "notes": list(notes),
    }


def with_provenance(
    answer: Mapping[str, Any], request: object, *, files: Iterable[Path] = ()
) -> dict[str, Any]:
    """Return an answer, whose seed and notes go to the end, with what it rests on."""
    plain = {name: value for name, value in answer.items() if name not in ("seed", "notes")}
    return {**plain, **provenance(request, answer["notes"], files=files)}


def _name(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len).lstrip("-").replace("-", "_")


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Fractions | RepairLaw):
        return str(value)
    if isinstance(value, datetime | timedelta):
        return shown_moment(value)
    return value


def _sha256(path: Path) -> str | None:
    """Return the checksum, or None for a pipe, which can be read only once."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
