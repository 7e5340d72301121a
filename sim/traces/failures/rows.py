"""Failures that a reader found one by one, as the frame of those that were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..parsing.times import Instant
from .frame import COLUMNS, failure_frame, select

if TYPE_CHECKING:
    import pandas as pd


def selected_rows(
    rows: Sequence[Sequence[Any]],
    *more: str,
    chosen: Mapping[str, Any],
    since: Instant,
    until: Instant,
) -> pd.DataFrame:
    """Return rows of a value for each of `COLUMNS` and `more`, those that `select` keeps."""
    values = zip(*rows, strict=True) if rows else ((),) * (len(COLUMNS) + len(more))
    columns = dict(zip((*COLUMNS, *more), values, strict=True))
    return select(failure_frame(**columns), chosen, since=since, until=until)
