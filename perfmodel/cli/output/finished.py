"""Finished cells of a sweep in a file, one JSON line each, to resume an interrupted sweep.

The first line says whose file it is and of which settings; a file with another first line is
refused and stays as it is. Each further line holds a cell and a checksum of it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from .whole_file import whole_file

_OURS = "cells of perfmodel"
_LONGEST = 1_000_000  # bytes of a first line


class Finished:
    """What a file holds of a sweep of `settings`.

    `settings` has the keys `version`, `options` and `inputs`, as `provenance` gives them.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self._path = path
        self._cells: dict[str, dict[str, Any]] = {}
        header = {_OURS: 1, **{name: settings[name] for name in ("version", "options", "inputs")}}
        if not path.exists() or (path.is_file() and path.stat().st_size == 0):
            with whole_file(path) as part:
                part.write_text(json.dumps(header) + "\n", encoding="utf-8")
            return
        _compare(path, json.loads(json.dumps(header)))
        with path.open("rb") as file:
            first, *lines = file.readlines()
        size = len(first)
        for number, line in enumerate(lines, 2):
            if not line.endswith(b"\n"):  # was being written when the sweep was interrupted
                with path.open("r+b") as file:
                    file.truncate(size)
                break
            key, result = _cell(path, number, line)
            self._cells[key] = result
            size += len(line)

    def get(self, key: Any) -> dict[str, Any] | None:
        """Return the result of a cell, if it is finished."""
        return self._cells.get(json.dumps(key))

    def add(self, key: Any, result: dict[str, Any]) -> None:
        """Keep the result of a cell at once."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(key, result))


def _compare(path: Path, header: dict[str, Any]) -> None:
    """Refuse a file that this command did not begin, or not with these settings."""
    found: Any = None
    if path.is_file():
        with path.open("rb") as file:
            found = _json(file.readline(_LONGEST))
    if not isinstance(found, dict) or _OURS not in found:
        raise click.UsageError(f"--resume must be a file that this command began, got {path}")
    if found == header:
        return
    old, new = _flat(found), _flat(header)
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    raise click.UsageError(
        f"--resume must be a file of the same settings, got {path} of other {', '.join(names)}"
    )


def _flat(header: dict[str, Any]) -> dict[str, Any]:
    options = header.get("options")
    inner = options if isinstance(options, dict) else {}
    return {name: value for name, value in header.items() if name != "options"} | inner


def _cell(path: Path, number: int, line: bytes) -> tuple[str, dict[str, Any]]:
    cell = _json(line)
    try:
        key, result = cell["key"], cell["result"]
        ours = line.decode() == _line(key, result)
    except (KeyError, TypeError, ValueError):
        ours = False
    if not ours:
        raise click.UsageError(
            f"--resume must hold what this command wrote, got {path}, line {number}"
        )
    return json.dumps(key), result


def _line(key: Any, result: dict[str, Any]) -> str:
    text = json.dumps({"key": key, "result": result})
    return f'{text[:-1]}, "crc32": {zlib.crc32(text.encode())}}}\n'


def _json(line: bytes) -> Any:
    """Return what a whole line holds, or None where that is not JSON."""
    try:
        return json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
