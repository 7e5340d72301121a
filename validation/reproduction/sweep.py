"""Run many simulations on several processes and keep each result, so that a run can be resumed.

Each finished cell is one line of JSON in a file, its parameters beside its result. Cells already
in the file are not run again, except one whose last line is incomplete.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias, TypeVar

from .. import processes
from .shown import progress_lines

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Cell = TypeVar("Cell", bound=DataclassInstance)
else:
    Cell = TypeVar("Cell")

Result: TypeAlias = "dict[str, Any]"


def seeds_beside(seeds: Sequence[int]) -> Sequence[int]:
    """Return the seeds of readings beside the paper's text: the first quarter, at least two."""
    return seeds[: max(2, -(-len(seeds) // 4))]


def sweep(
    cells: Iterable[Cell],
    play: Callable[[Cell], Result],
    *,
    path: Path | None = None,
    workers: int = 2,
) -> dict[Cell, Result]:
    """Run every cell and return its result; equal cells run once.

    Parameters
    ----------
    cells : iterable of frozen dataclasses
        The runs. Their fields, all of them plain JSON, are the key in the file.
    play : callable
        A function of a module, so that other processes can import it; returns plain JSON.
    path : Path, optional
        File for finished cells; by default they are not kept.
    workers : int
        Number of processes; 1 means this one.
    """
    distinct = {_key(cell): cell for cell in cells}
    done = {} if path is None else _finished(path)
    results = {cell: done[key] for key, cell in distinct.items() if key in done}
    missing = [cell for cell in distinct.values() if cell not in results]
    with _appending(path) as stream, progress_lines(len(missing), "cells") as step:
        for cell, result in processes.play(missing, play, workers=workers):
            results[cell] = result
            if stream is not None:
                line = json.dumps({"cell": asdict(cell), "result": result})
                stream.write(line + "\n")
                stream.flush()
            step()
    return {cell: results[cell] for cell in distinct.values()}


def _key(cell: Any) -> str:
    return json.dumps(asdict(cell), sort_keys=True)


def _finished(path: Path) -> dict[str, Result]:
    """Return the results in the file by key, and remove an incomplete last line."""
    if not path.exists():
        return {}
    whole = path.read_bytes()
    kept = whole[: whole.rfind(b"\n") + 1]
    if len(kept) < len(whole):
        os.truncate(path, len(kept))
    lines = [json.loads(line) for line in kept.splitlines()]
    return {json.dumps(line["cell"], sort_keys=True): line["result"] for line in lines}


@contextmanager
def _appending(path: Path | None) -> Iterator[IO[str] | None]:
    if path is None:
        yield None
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as stream:
        yield stream
