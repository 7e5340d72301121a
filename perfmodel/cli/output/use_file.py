"""The table that ``--use-out`` writes: a row per period of each replay."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .whole_file import whole_file


def write_use(
    path: Path, found: Iterable[tuple[Mapping[str, Any], Mapping[str, Sequence[float]]]]
) -> None:
    """Write the use over time of replays as one CSV, with what tells each from the others."""
    with whole_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for place, (names, columns) in enumerate(found):
            if place == 0:
                writer.writerow([*names, *columns])
            writer.writerows(
                [*names.values(), *period] for period in zip(*columns.values(), strict=True)
            )
