"""What is said of a file that holds nothing to use, and of lines that are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...traces import Report


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Name the file in an error about a line or cluster of it: commands read several.

    Parameters
    ----------
    path : Path
        That is read within the block.

    Returns
    -------
    context manager

    Raises
    ------
    ValueError
        With the name of the file before what the block raised.
    """
    try:
        yield
    except ValueError as error:
        if str(error).startswith("frame "):  # what Python calls the jobs of the file
            raise ValueError(f"{path.name} {str(error).removeprefix('frame ')}") from error
        if not str(error).startswith(("line ", "cluster")):
            raise
        raise ValueError(f"{path.name}, {error}") from error


def why_empty(report: Report) -> str:
    """Return how many records there were and why none of them is left."""
    return f"none {of_records(report)}"


def of_records(report: Report) -> str:
    """Return how many records there were and why some were left out."""
    reasons = "; ".join(report.words)
    return f"of {report.records:,}" + (f" ({reasons})" if reasons else "")
