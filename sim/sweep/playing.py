"""What a worker does: it plays tasks and writes down when, where and with what result."""

from __future__ import annotations

import socket
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .cells import Numbers, Parameters, Task
from .ledger import Played

Play: TypeAlias = "Callable[[Parameters, int], Numbers]"

# What refuses parameters; it would refuse them again, so it is the result.
_REFUSALS = (ValueError, TypeError, ArithmeticError, RuntimeError)


def play_tasks(play: Play, tasks: Sequence[Task]) -> list[Played]:
    """Play tasks in order; what refuses its parameters gives a result without numbers."""
    host = socket.gethostname()
    return [_played(play, task, host) for task in tasks]


def _played(play: Play, task: Task, host: str) -> Played:
    started, began = time.time(), time.perf_counter()
    numbers: Numbers | None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            numbers = {name: _plain(value) for name, value in play(*task[2:]).items()}
            if not numbers:
                raise ValueError("play must give numbers, got none")
            remark = str(said[0].message) if said else ""
        except _REFUSALS as error:
            numbers, remark = None, f"{type(error).__name__}: {error}"
    # Of the clock of the day only the start is taken: it may be set back meanwhile.
    ended = started + (time.perf_counter() - began)
    words = " ".join(remark.split())
    return Played(task.cell, task.replication, task.seed, numbers, words, started, ended, host)


def _plain(value: Any) -> int | float | str:
    if isinstance(value, bool | int | str):
        return value
    return float(value)


def versions() -> dict[str, str]:
    """Return the versions that the numbers depend on.

    Returns
    -------
    dict of str to str
        By the name of the package; of Python the first two numbers.
    """
    import platform
    from importlib.metadata import version

    found = {name: version(name) for name in ("perfmodel", "numpy", "scipy", "numba")}
    return {**found, "python": ".".join(platform.python_version_tuple()[:2])}


def same_versions(wanted: Mapping[str, str], found: Mapping[str, str], worker: str) -> None:
    """Raise ValueError if a worker has other versions than the client."""
    for name, version in wanted.items():
        if found.get(name) != version:
            raise ValueError(
                f"{name} of workers must be {version} as here, got {found.get(name)} at {worker}"
            )
