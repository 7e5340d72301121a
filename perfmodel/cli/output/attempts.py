"""The file that ``--out`` writes: tables of attempts, as one CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .whole_file import whole_file

if TYPE_CHECKING:
    import pandas as pd


@contextmanager
def attempts_file(path: Path) -> Iterator[Callable[[pd.DataFrame, Mapping[str, Any]], None]]:
    """Yield what adds a table to one CSV, with leading columns that tell it from the others."""
    with whole_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        tables = 0

        def add(table: pd.DataFrame, columns: Mapping[str, Any]) -> None:
            nonlocal tables
            for place, (name, value) in enumerate(columns.items()):
                table.insert(place, name, value)
            table.to_csv(file, index=False, header=tables == 0)
            tables += 1

        yield add


def write_attempts(path: Path, tables: Mapping[str, pd.DataFrame], *, column: str | None) -> None:
    """Write tables as one CSV; `column` names what tells them apart, None with only one."""
    with attempts_file(path) as add:
        for name, table in tables.items():
            add(table, {} if column is None else {column: name})
