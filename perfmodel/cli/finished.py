"""Finished cells of a sweep in a file, one JSON line each, so that it can be taken up again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

__all__ = ["Finished"]


class Finished:
    """What a file holds of a sweep of `settings`; without a file, a memory of nothing."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        self._path = path
        self._cells: dict[str, dict[str, Any]] = {}
        if path is None:
            return
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        # A line without its end was being written when the sweep was interrupted.
        whole = [line for line in lines if line.endswith("\n")]
        if not whole:
            path.write_text(json.dumps(settings) + "\n")
            return
        if _read(path, whole[0]) != json.loads(json.dumps(settings)):
            raise click.UsageError(f"--resume must be a file of the same settings, got {path}")
        for line in whole[1:]:
            cell = _read(path, line)
            self._cells[json.dumps(cell["key"])] = cell["result"]
        if len(whole) < len(lines):
            path.write_text("".join(whole))

    def get(self, key: Any) -> dict[str, Any] | None:
        """Return the result of a cell, if it is finished."""
        return self._cells.get(json.dumps(key))

    def add(self, key: Any, result: dict[str, Any]) -> None:
        """Keep the result of a cell at once."""
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps({"key": key, "result": result}) + "\n")


def _read(path: Path, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise click.UsageError(f"--resume must be a file this command wrote, got {path}") from None
