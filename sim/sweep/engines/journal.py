"""What jobs write down themselves, each in a file of its own on a disk that all nodes share.

The ledger is a database that such disks do not take; a client that was killed leaves these files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeAlias

from ..cells import Task
from ..ledger import Played, played_of

Noted: TypeAlias = "dict[tuple[str, int, int], Played]"


def place_of(folder: Path, sent: bytes) -> Path:
    """Return where results of what was sent are noted: others are of no use for it."""
    return folder / f"results-{hashlib.sha256(sent).hexdigest()[:16]}"


def key_of(task: Task | Played) -> tuple[str, int, int]:
    """Return by what a task and its result know each other."""
    return task.cell, task.replication, task.seed


@contextmanager
def noting(place: Path) -> Iterator[Callable[[Played], None]]:
    """Yield a function that appends a result to a new file."""
    with NamedTemporaryFile("w", dir=place, suffix=".jsonl", delete=False) as file:

        def note(played: Played) -> None:
            text = json.dumps(played)
            file.write(f"{_check(text)} {text}\n")
            file.flush()

        yield note


def noted(place: Path) -> Noted:
    """Return all results that were noted; lines that were cut off or damaged are left out."""
    found: Noted = {}
    for path in sorted(place.glob("*.jsonl")):
        for line in path.read_text("utf-8", errors="replace").splitlines():
            check, _, text = line.partition(" ")
            if check == _check(text):
                with suppress(ValueError, TypeError, RecursionError):
                    played = played_of(json.loads(text))
                    found[key_of(played)] = played
    return found


def _check(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
