"""Cells: parameters with a name that depends on nothing else, and the seeds of their plays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from .._checks import whole

Parameters: TypeAlias = "Mapping[str, str | int | float | bool]"
Numbers: TypeAlias = "Mapping[str, int | float | str]"


class Task(NamedTuple):
    """One replication of a cell, with all that a worker needs to play it."""

    cell: str
    replication: int
    parameters: Parameters
    seed: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A combination of parameters.

    Parameters
    ----------
    parameters : mapping of str to str, int, float or bool
        By name; what is played depends on nothing else but the seed.
    paired : collection of str
        Parameters that seeds do not depend on: cells that differ in these alone meet the same
        random numbers, replication by replication.
    """

    parameters: Parameters
    paired: Collection[str] = ()
    name: str = field(init=False)
    _root: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        seeded = {key: value for key, value in self.parameters.items() if key not in self.paired}
        object.__setattr__(self, "name", _digest(canonical(self.parameters)))
        object.__setattr__(self, "_root", canonical(seeded))

    def task(self, replication: int, *, seed: int) -> Task:
        """Return a replication of this cell in a study of that seed."""
        whole("replication", replication, least=0)
        drawn = _digest(f"{seed} {replication} {self._root}")
        # 60 bits: a seed that any reader of JSON and any database keeps whole.
        return Task(self.name, replication, self.parameters, int(drawn[:15], 16))


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, numbers as short as they stay exact."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
