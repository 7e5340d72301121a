"""Replays of a log, under the options of `perfmodel replay` that a cell names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.answers import ReplayRequest, names_code

from ..options.types import Several
from .values import Reader, Value

if TYPE_CHECKING:
    from sim.answers import PlayedCell

__all__ = ["ReplayPlay", "files_of", "readers_of_replay", "replays_of"]

# Of the command, but not of a cell: what is printed, and what makes a study of its own.
_NOT_OF_CELLS = {"log", "seed", "compare", "by_class", "use_over_time"}
# What `variants` changes without reading the log again.
_CHEAP = ("mtbf", "checkpoint_interval", "scale_gaps", "on_failure")


@dataclass(frozen=True, slots=True)
class ReplayPlay:
    """The replays of a study; by the parameters of a cell what is played."""

    cells: Mapping[tuple[tuple[str, Value], ...], PlayedCell]

    def __call__(self, parameters: Mapping[str, Any], seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay of a cell with the failures of a seed."""
        return self.cells[_key(parameters)].numbers(seed)


def readers_of_replay(folder: Path, *, allow_code: bool = False) -> dict[str, Reader]:
    """Return how the options of a replay are read; files are looked for in the folder.

    Only with `allow_code` may a text name code to be imported.
    """
    readers = {
        name: _reader(option, folder)
        for name, option in _options().items()
        if name not in _NOT_OF_CELLS
    }
    return readers if allow_code else readers | {"policy": _without_code(readers["policy"])}


def replays_of(log: Path, cells: Iterable[Mapping[str, Value]], folder: Path) -> ReplayPlay:
    """Read the log and build the replay of each cell."""
    from sim.answers import played_cells

    groups: dict[tuple[tuple[str, Value], ...], list[Mapping[str, Value]]] = {}
    for cell in cells:
        shared = {key: value for key, value in cell.items() if key not in _CHEAP}
        groups.setdefault(_key(shared), []).append(cell)
    found = {}
    for group in groups.values():
        requests = [_request(log, cell, folder) for cell in group]
        for cell, played in zip(group, played_cells(requests), strict=True):
            found[_key(cell)] = played
    return ReplayPlay(found)


def files_of(cells: Iterable[Mapping[str, Value]], folder: Path) -> list[Path]:
    """Return the files that the parameters of cells name."""
    options = _options()
    names = {
        str(value)
        for cell in cells
        for name, value in cell.items()
        if options[name].type.name == "file"
    }
    return [folder / name for name in sorted(names)]


def _request(log: Path, cell: Mapping[str, Value], folder: Path) -> ReplayRequest:
    options = _options()
    given: dict[str, Any] = {
        name: folder / str(value) if options[name].type.name == "file" else value
        for name, value in cell.items()
    }
    return ReplayRequest(log=log, **given)


def _options() -> dict[str, click.Parameter]:
    from ..commands.replay import replay

    known = {field.name for field in fields(ReplayRequest)}
    return {str(each.name): each for each in replay.params if each.name in known}


def _reader(option: click.Parameter, folder: Path) -> Reader:
    def read(given: Any) -> Value:
        if getattr(option, "is_flag", False):
            if not isinstance(given, bool):
                raise ValueError("true or false")
            return given
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise ValueError("a text or a number")
        kind = option.type.one if isinstance(option.type, Several) else option.type
        text = str(folder / str(given)) if kind.name == "file" else str(given)
        try:
            value = kind.convert(text, None, None)
        except click.UsageError as error:
            rule = error.message.partition("must be ")[2].partition(", got")[0]
            raise ValueError(rule or error.message) from None
        if kind.name == "file":
            return str(given)
        if isinstance(value, datetime | timedelta):
            return str(given)
        return value if type(value) in (int, str) else float(value)

    return read


def _without_code(read: Reader) -> Reader:
    def plain(given: Any) -> Value:
        if isinstance(given, str) and names_code(given):
            raise ValueError(
                "the name of a policy of ours (perfmodel sweep --allow-code lets a study name "
                "code to run, as package.module:Name)"
            )
        return read(given)

    return plain


def _key(parameters: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted(parameters.items()))
