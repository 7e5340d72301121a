"""Answers as plain data: numbers, text, lists, mappings and None."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def without(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return a row without some entries, such as measured times, which differ from run to run."""
    return {name: value for name, value in row.items() if name not in names}


def frame_of(rows: Iterable[Mapping[str, Any]], *left_out: str) -> pd.DataFrame:
    """Return a table of what is one number or one text in each row."""
    import pandas as pd

    kept = [
        {
            name: value
            for name, value in row.items()
            if not isinstance(value, dict | list | tuple) and name not in left_out
        }
        for row in rows
    ]
    return pd.DataFrame(kept)
