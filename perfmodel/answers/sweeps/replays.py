"""Replays of a log, under the options of `perfmodel replay` that a cell names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asking.kinds import LOG_FILE
from asking.requests import Option, options_for
from sim.answers import ReplayRequest, names_code
from sim.traces import Limits

from ..logs.limits import given_limits
from .values import Reader, Value

if TYPE_CHECKING:
    from sim.answers import PlayedCell

# Of the command, but not of a cell: what is printed, and what makes a study of its own.
_NOT_OF_CELLS = {"log", "seed", "compare", "by_class", "use_over_time"}
# What `variants` changes without reading the log again.
_CHEAP = ReplayRequest.compared


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
    readers = {name: _reader(option, folder) for name, option in _options().items()}
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


def durations_of_replay() -> frozenset[str]:
    """Return the options of a replay that are durations."""
    options = _options().items()
    return frozenset(name for name, each in options if each.kind and each.kind.unit == "s")


def files_of(cells: Iterable[Mapping[str, Value]], folder: Path) -> list[Path]:
    """Return the files that the parameters of cells name."""
    options = _options()
    names = {
        str(value)
        for cell in cells
        for name, value in cell.items()
        if options[name].kind is LOG_FILE
    }
    return [folder / name for name in sorted(names)]


def _request(log: Path, cell: Mapping[str, Value], folder: Path) -> ReplayRequest:
    options = _options()
    given: dict[str, Any] = {
        name: folder / str(value) if options[name].kind is LOG_FILE else value
        for name, value in cell.items()
    }
    return ReplayRequest(log=log, limits=Limits(**given_limits()), **given)


def _options() -> dict[str, Option]:
    """Return how the fields that a cell may name are said."""
    said = {field.name: option for field, option in options_for(ReplayRequest)}
    own = {field.name for field in fields(ReplayRequest)} - _NOT_OF_CELLS
    return {name: option for name, option in said.items() if name in own}


def _reader(option: Option, folder: Path) -> Reader:
    kind = option.kind
    if kind is None:
        return _truth

    def read(given: Any) -> Value:
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise ValueError("a text or a number")
        try:
            value = kind.read(str(folder / str(given)) if kind is LOG_FILE else str(given))
        except ValueError:
            raise ValueError(kind.wanted) from None
        if isinstance(value, float):
            return float(value)
        return value if type(value) in (int, str) else str(given)

    return read


def _truth(given: Any) -> Value:
    if not isinstance(given, bool):
        raise ValueError("true or false")
    return given


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
